/* Learners, training runs as processes of their own, learning curves, and the player that uses what was
 * learned so far.
 *
 * The runs of a training are in DATA/learn/NAME, a folder for each seed (arena/training_run.h). A player that
 * is asked for gets a copy of what was learned, DATA/learned/NAME-HASH.json, which does not change any more:
 * a game continues against the player that it began with. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "arena/learner.h"
#include "games/board_rows.h"
#include "lab/plot.h"
#include "web/worker_processes.h"
#include "web/guard.h"
#include "web/publish.h"

enum { SEEDS_MAX = 10, LEARNED_MAX = 64 << 20 };

/* ---- reading ---- */

static json_t *learner_json(const KnContext *context, const KnLearnerType *learner, const KnGame *game)
{
    KnError error;
    json_t *row = kn_thing_json(&learner->head);
    json_object_set_new(row, "x", json_string(learner->x));
    json_object_set_new(row, "y", json_string(learner->y));
    json_object_set_new(row, "measures", json_string(learner->measures));
    json_object_set_new(row, "range", json_pack("[ff]", learner->low, learner->high));
    json_object_set_new(row, "chance", isfinite(learner->chance) ? json_real(learner->chance) : json_null());
    json_object_set_new(row, "paper", learner->paper ? json_string(learner->paper) : json_null());
    if (!game) return row;
    bool runs = learner->suits(context, game, &error) == KN_OK;
    json_object_set_new(row, "runs", json_boolean(runs));
    if (!runs) json_object_set_new(row, "missing", json_string(error.text));
    return row;
}

static void run_folder(const KnWeb *web, const char *name, const char *seed, KnText *folder)
{
    KnText below = KN_TEXT_EMPTY;
    kn_text_printf(&below, "learn/%s%s%s", name, *seed ? "/" : "", seed);
    kn_path_join(folder, kn_context_data(web->context), below.data);
    kn_text_free(&below);
}

static json_t *read_curve(const KnWeb *web, const char *name, uint64_t seed)
{
    KnText folder = KN_TEXT_EMPTY;
    KnError error;
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    run_folder(web, name, number, &folder);
    json_t *curve = kn_training_run_read(folder.data, &error);
    kn_text_free(&folder);
    return curve;
}

/* The mean over the seeds that have reached each x, with the least and the greatest value; with one seed, its
 * own interval. */
static json_t *spread_of(const json_t *seeds)
{
    json_t *curve = json_array();
    for (size_t i = 0;; i++) {
        double x = 0, sum = 0, low = INFINITY, high = -INFINITY;
        size_t count = 0, s;
        const json_t *one, *only = NULL;
        json_array_foreach(seeds, s, one)
        {
            const json_t *point = json_array_get(json_object_get(one, "points"), i);
            if (!point) continue;
            double y = json_number_value(json_array_get(point, 1));
            x = json_number_value(json_array_get(point, 0));
            sum += y;
            low = fmin(low, y);
            high = fmax(high, y);
            only = point;
            count++;
        }
        if (!count) return curve;
        if (count == 1 && json_array_size(seeds) == 1) {
            low = json_number_value(json_array_get(only, 2));
            high = json_number_value(json_array_get(only, 3));
        }
        json_array_append_new(curve,
                              json_pack("[ffffI]", x, sum / (double)count, low, high, (json_int_t)count));
    }
}

json_t *kn_training_run_json(KnWeb *web, const json_t *process)
{
    const char *name = json_string_value(json_object_get(process, "name")),
               *kind = json_string_value(json_object_get(process, "kind"));
    json_t *about = json_object_get(process, "about"), *row, *seeds = json_array();
    KnJson at = kn_json_root(about, NULL);
    uint64_t first;
    int64_t count;
    KnError error;
    if (!name || !kind || strcmp(kind, "train") != 0 ||
        kn_json_uint64(&at, "seed", &first, &error) != KN_OK ||
        kn_json_integer(&at, "seeds", 1, SEEDS_MAX, &count, &error) != KN_OK) {
        json_decref(seeds);
        return NULL;
    }
    row = json_copy((json_t *)(uintptr_t)process);
    json_object_update(row, about);
    json_object_del(row, "about");
    json_object_del(row, "opened");
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        json_t *curve = read_curve(web, name, seed), *points = json_object_get(curve, "points");
        if (points)
            json_array_append_new(seeds,
                                  json_pack("{so sO sb sO*}", "seed", kn_json_from_uint64(seed), "points",
                                            points, "done", json_is_true(json_object_get(curve, "done")),
                                            "also", json_object_get(curve, "also")));
        json_decref(curve);
    }
    json_object_set_new(row, "curve", spread_of(seeds));
    json_object_set_new(row, "runs", seeds);
    return row;
}

/* The row of a training by its name; NULL, with 404 written. */
static json_t *asked(KnWeb *web, const char *name, KnHttpReply *reply)
{
    json_t *process = kn_runs_show(web->runs, name),
           *row = process ? kn_training_run_json(web, process) : NULL;
    json_decref(process);
    if (!row)
        kn_reply_error(reply, 404, NULL,
                       "no training of the name %.60s was started here; /api/learn lists them", name);
    return row;
}

static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *spec = kn_http_argument(call->request, "game");
    KnCachedGame *cached = NULL;
    KnError error;
    if (spec && kn_player_cache_game(web->cache, spec, &cached, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return;
    }
    json_t *learners = json_array(), *trainings = json_array(), *processes = kn_runs_list(web->runs),
           *process;
    for (size_t i = 0; i < kn_registered(web->context, KN_KIND_LEARNER); i++)
        json_array_append_new(
            learners, learner_json(web->context,
                                   (const KnLearnerType *)kn_registered_at(web->context, KN_KIND_LEARNER, i),
                                   cached ? cached->game : NULL));
    size_t i;
    json_array_foreach(processes, i, process)
    {
        json_t *row = kn_training_run_json(web, process);
        json_object_del(row, "runs");
        if (row) json_array_append_new(trainings, row);
    }
    json_decref(processes);
    kn_player_cache_release_game(web->cache, cached);
    kn_reply_json(reply, 200, json_pack("{so so}", "learners", learners, "trainings", trainings));
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *row = asked(web, call->words[0], reply);
    if (row) kn_reply_json(reply, 200, row);
}

/* ---- starting and stopping ---- */

/* Opens the players that the options name, so that the reply has the errors, not a log. */
static KnStatus check_players(KnWeb *web, KnCachedGame *cached, const KnLearner *chosen, KnError *error)
{
    KnStatus status = KN_OK;
    for (const KnOption *option = chosen->type->head.options; option && option->name && status == KN_OK;
         option++) {
        const KnSpec *value = chosen->options.values[option - chosen->type->head.options];
        if (!value || option->type != KN_OPTION_SPEC ||
            strcmp(option->choices, kn_kind_name(KN_KIND_PLAYER)) != 0)
            continue;
        KnSpec bare = *value;
        bare.key = NULL;
        KnText text = KN_TEXT_EMPTY;
        KnPlayer *player = NULL;
        kn_spec_print(&bare, &text);
        status = kn_player_cache_acquire(web->cache, cached, text.data, &player, error);
        if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
            status = kn_fail(error, KN_INPUT, "a person cannot play in a training run");
        kn_player_cache_release(web->cache, cached, player);
        kn_text_free(&text);
    }
    return status;
}

/* Writes the folder's task file. The process is then `knack train --resume FOLDER`: what to train stands in
 * the file, not on a command line. A folder with another task is refused. */
static KnStatus write_task(const char *folder, const char *name, const KnTrainTask *task, KnError *error)
{
    KnTrainTask old;
    KnError none;
    bool taken = kn_train_task_read(folder, &old, &none) == KN_OK, same = false;
    if (taken)
        same = strcmp(old.learner, task->learner) == 0 && strcmp(old.game, task->game) == 0 &&
               old.seed == task->seed && old.seeds == task->seeds && old.points == task->points;
    kn_train_task_free(&old);
    if (taken && !same)
        return kn_fail(error, KN_NO, "the name %s belongs to a run with other settings; choose another",
                       name);
    return same ? KN_OK : kn_train_task_write(folder, task, error);
}

typedef struct Wanted {
    const char *learner, *game, *name;
    double seeds;
    uint64_t seed;
    char own_name[64];
} Wanted;

static bool read_wanted(const KnCall *call, Wanted *wanted, KnHttpReply *reply)
{
    KnJson at = kn_json_root(call->body, "body");
    KnError error;
    if (!kn_call_text(call, "learner", true, KN_GUARD_SPEC, &wanted->learner, reply) ||
        !kn_call_text(call, "game", true, KN_GUARD_SPEC, &wanted->game, reply) ||
        !kn_call_text(call, "name", false, 60, &wanted->name, reply) ||
        !kn_call_number(call, "seeds", false, 1, SEEDS_MAX, 1, &wanted->seeds, reply))
        return false;
    wanted->seed = 1;
    if (kn_json_has(&at, "seed") &&
        (kn_json_uint64(&at, "seed", &wanted->seed, &error) != KN_OK || wanted->seed > UINT32_MAX)) {
        kn_reply_error(reply, 400, "seed", "seed: give a whole number from 0 to %u", UINT32_MAX);
        return false;
    }
    if (wanted->name && !kn_runs_name(wanted->name)) {
        kn_reply_error(reply, 422, "name", "a name has letters, digits, . _ and -, and at most 60 of them");
        return false;
    }
    return true;
}

static void name_it(Wanted *wanted, const char *learner)
{
    uint32_t random = 0;
    if (wanted->name) return;
    if (getrandom(&random, sizeof random, 0) < 0) random = (uint32_t)(uintptr_t)wanted;
    snprintf(wanted->own_name, sizeof wanted->own_name, "%.40s-%06x", learner, (unsigned)(random & 0xffffff));
    wanted->name = wanted->own_name;
}

static void begin(KnWeb *web, Wanted *wanted, KnCachedGame *cached, const KnLearner *chosen,
                  KnHttpReply *reply)
{
    KnText canonical = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY;
    KnError error;
    kn_spec_print(chosen->spec, &canonical);
    name_it(wanted, chosen->type->head.name);
    run_folder(web, wanted->name, "", &folder);
    KnTrainTask task = {.learner = canonical.data,
                        .game = cached->game->spec,
                        .seed = wanted->seed,
                        .seeds = (uint64_t)wanted->seeds,
                        .points = KN_TRAIN_POINTS};
    json_t *words = json_pack("[s o o s]", "train", json_sprintf("--resume=%s", folder.data),
                              json_sprintf("--data=%s", kn_context_data(web->context)), "--progress=json");
    json_t *about = json_pack("{ss ss ss ss so sI}", "kind", "train", "learner", canonical.data, "game",
                              cached->spec, "opened", cached->game->spec, "seed",
                              kn_json_from_uint64(wanted->seed), "seeds", (json_int_t)wanted->seeds);
    KnStatus status = write_task(folder.data, wanted->name, &task, &error);
    if (status == KN_OK) status = kn_runs_start(web->runs, wanted->name, about, words, &error);
    if (status == KN_OK) {
        json_t *row = asked(web, wanted->name, reply);
        if (row) kn_reply_json(reply, 201, row);
    } else
        kn_reply_fail(reply, &error, error.status == KN_STOPPED ? NULL : "name");
    json_decref(about);
    json_decref(words);
    kn_text_free(&canonical);
    kn_text_free(&folder);
}

static void start(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    Wanted wanted = {0};
    KnCachedGame *cached = NULL;
    KnLearner chosen;
    KnError error;
    if (!read_wanted(call, &wanted, reply)) return;
    if (kn_player_cache_game(web->cache, wanted.game, &cached, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return;
    }
    KnArena *arena = kn_arena_new();
    KnStatus status = kn_guard_learner(web->context, cached->game, wanted.learner, &error);
    if (status == KN_OK) status = kn_learner_bind(web->context, wanted.learner, arena, &chosen, &error);
    if (status == KN_OK) status = kn_learner_check(web->context, &chosen, cached->game, &error);
    if (status == KN_OK) status = check_players(web, cached, &chosen, &error);
    if (status == KN_OK)
        begin(web, &wanted, cached, &chosen, reply);
    else
        kn_reply_fail(reply, &error, "learner");
    kn_arena_free(arena);
    kn_player_cache_release_game(web->cache, cached);
}

static void act(KnWeb *web, const KnCall *call, KnStatus (*what)(KnRuns *, const char *, KnError *),
                KnHttpReply *reply)
{
    KnError error;
    json_t *row = asked(web, call->words[0], reply);
    if (!row) return;
    json_decref(row);
    if (what(web->runs, call->words[0], &error) == KN_OK) {
        if ((row = asked(web, call->words[0], reply))) kn_reply_json(reply, 200, row);
        return;
    }
    kn_reply_fail(reply, &error, NULL);
}

static void stop(KnWeb *web, const KnCall *call, KnHttpReply *reply) { act(web, call, kn_runs_stop, reply); }
static void resume(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    act(web, call, kn_runs_resume, reply);
}

/* ---- the player as it is now ---- */

/* Copies a file to DATA/learned, under a name with its hash; a second file of the same training goes beside
 * it. *name becomes what a spec calls it. */
static KnStatus keep_file(const KnWeb *web, const char *path, const char *name, const char *suffix,
                          KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY, from = KN_TEXT_EMPTY, to = KN_TEXT_EMPTY;
    kn_text_printf(&from, "%s%s", path, suffix);
    kn_context_file(web->context, name, &to);
    kn_text_add(&to, suffix);
    KnStatus status = KN_OK;
    if (!kn_file_exists(to.data)) {
        status = kn_file_read(from.data, &bytes, LEARNED_MAX, error);
        if (status == KN_OK) status = kn_file_write_atomic(to.data, bytes.data, bytes.length, error);
    }
    kn_text_free(&bytes);
    kn_text_free(&from);
    kn_text_free(&to);
    return status;
}

static KnStatus name_learned(const char *path, const char *run, const char *file, KnText *name,
                             KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    char hex[KN_HEX128];
    const char *dot = strrchr(file, '.');
    KnStatus status = kn_file_read(path, &bytes, LEARNED_MAX, error);
    kn_hash128_hex(kn_hash128(bytes.data, bytes.length), hex);
    kn_text_printf(name, KN_DATA_FILE KN_GUARD_LEARNED "/%s-%.12s%s", run, hex, dot ? dot : "");
    kn_text_free(&bytes);
    return status;
}

/* Copies what has been learned so far to files that stay as they are. */
static KnStatus keep_learned(const KnWeb *web, const char *run, const char *seed,
                             const KnLearnerType *learner, KnText *name, KnError *error)
{
    KnText folder = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    run_folder(web, run, seed, &folder);
    kn_path_join(&path, folder.data, learner->file);
    KnStatus status = kn_file_exists(path.data)
                          ? name_learned(path.data, run, learner->file, name, error)
                          : kn_fail(error, KN_NO,
                                    "nothing is learned yet; wait for the first point of the curve");
    kn_path_join(&folder, kn_context_data(web->context), KN_GUARD_LEARNED);
    if (status == KN_OK) status = kn_mkdirs(folder.data, error);
    kn_text_printf(&second, "%s%s", path.data, learner->suffix ? learner->suffix : "");
    if (status == KN_OK && learner->suffix && kn_file_exists(second.data))
        status = keep_file(web, path.data, name->data, learner->suffix, error);
    if (status == KN_OK) status = keep_file(web, path.data, name->data, "", error);
    kn_text_free(&folder);
    kn_text_free(&path);
    kn_text_free(&second);
    return status;
}

static void player(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double number;
    json_t *row = asked(web, call->words[0], reply);
    if (!row) return;
    KnJson at = kn_json_root(row, NULL);
    uint64_t first = 0;
    kn_json_uint64(&at, "seed", &first, NULL);
    double last = (double)first + (double)json_integer_value(json_object_get(row, "seeds")) - 1;
    KnArena *arena = kn_arena_new();
    KnLearner chosen;
    KnText file = KN_TEXT_EMPTY, spec = KN_TEXT_EMPTY;
    KnError error;
    if (kn_call_number(call, "seed", false, (double)first, last, (double)first, &number, reply)) {
        char seed[24];
        snprintf(seed, sizeof seed, "%.0f", floor(number));
        KnStatus status = kn_learner_bind(web->context, json_string_value(json_object_get(row, "learner")),
                                          arena, &chosen, &error);
        if (status == KN_OK) status = keep_learned(web, call->words[0], seed, chosen.type, &file, &error);
        if (status == KN_OK) {
            chosen.type->player(&chosen.options, file.data, &spec);
            kn_reply_json(reply, 200,
                          json_pack("{ss sO sf}", "spec", spec.data, "game", json_object_get(row, "game"),
                                    "seed", floor(number)));
        } else
            kn_reply_fail(reply, &error, NULL);
    }
    kn_arena_free(arena);
    kn_text_free(&file);
    kn_text_free(&spec);
    json_decref(row);
}

/* ---- what it learned ---- */

enum { WEIGHTS_DRAWN = 8 };

/* The rank of a weight by its size at the end: 0 is the largest. */
static int weight_rank(const json_t *last, const char *of)
{
    const double size = fabs(json_number_value(json_object_get(last, of)));
    const char *name;
    json_t *value;
    int rank = 0;
    json_object_foreach((json_t *)(uintptr_t)last, name, value)
    {
        double other = fabs(json_number_value(value));
        rank += other > size || (other == size && strcmp(name, of) < 0);
    }
    return rank;
}

/* The largest weights over time as a figure (lab/plot.h), from the first run; NULL if it has none. */
static json_t *weights_figure(const json_t *training)
{
    const json_t *run = json_array_get(json_object_get(training, "runs"), 0),
                 *rows = json_object_get(json_object_get(run, "also"), "weights"),
                 *end = json_array_get(rows, json_array_size(rows) - 1),
                 *last = json_object_get(end, "weights"), *unit = json_object_get(end, "unit");
    json_t *series = json_array(), *value, *row;
    const char *name;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)last, name, value)
    {
        if (weight_rank(last, name) >= WEIGHTS_DRAWN) continue;
        json_t *points = json_array();
        json_array_foreach(rows, i, row)
        {
            double y = json_number_value(json_object_get(json_object_get(row, "weights"), name));
            json_array_append_new(
                points, json_pack("[ffff]", json_number_value(json_object_get(row, "games")), y, y, y));
        }
        json_array_append_new(series, json_pack("{ss so}", "name", name, "points", points));
    }
    if (json_array_size(series))
        return json_pack("{ss ss ss ss so}", "title", "Weights as they are learned", "kind", "lines", "x",
                         "games", "y", unit ? json_string_value(unit) : "hundredths of a man", "series",
                         series);
    json_decref(series);
    return NULL;
}

/* ?as=weights: a picture of the weights over time. */
static void draw_weights(const json_t *training, KnHttpReply *reply)
{
    json_t *figure = weights_figure(training);
    KnError error;
    reply->type = "image/svg+xml";
    if (!figure)
        kn_reply_error(reply, 409, NULL, "this training has noted no weights over time");
    else if (kn_plot_svg(figure, "weights", &reply->text, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    json_decref(figure);
}

/* The explanation of what the first seed has learned so far, as JSON or, with ?as=svg, as a picture; with
 * ?as=weights a picture of its weights over time. */
static void learned(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *row = asked(web, call->words[0], reply);
    const char *as = kn_http_argument(call->request, "as");
    if (!row) return;
    if (as && strcmp(as, "weights") == 0) {
        draw_weights(row, reply);
        json_decref(row);
        return;
    }
    KnArena *arena = kn_arena_new();
    KnLearner learner;
    KnCachedGame *cached = NULL;
    KnExplanation *tree = NULL;
    KnText path = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY;
    KnError error;
    char seed[24];
    KnJson at = kn_json_root(row, NULL);
    uint64_t first = 0;
    kn_json_uint64(&at, "seed", &first, NULL);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)first);
    run_folder(web, call->words[0], seed, &folder);
    KnStatus status = kn_learner_bind(web->context, json_string_value(json_object_get(row, "learner")), arena,
                                      &learner, &error);
    if (status == KN_OK)
        status = kn_player_cache_game(web->cache, json_string_value(json_object_get(row, "game")), &cached,
                                      &error);
    if (status == KN_OK) kn_path_join(&path, folder.data, learner.type->file);
    if (status == KN_OK && !kn_file_exists(path.data))
        status = kn_fail(&error, KN_NO, "nothing is learned yet; wait for the first point of the curve");
    KnLearnerTask task = {.context = web->context,
                          .game = cached ? cached->game : NULL,
                          .options = &learner.options,
                          .arena = arena};
    if (status == KN_OK) status = learner.type->explain(&task, path.data, arena, &tree, &error);
    if (status == KN_OK && as && strcmp(as, "svg") == 0) {
        reply->type = "image/svg+xml";
        kn_explanation_svg(tree, kn_board_rows_of, cached->game, &reply->text);
    } else if (status == KN_OK)
        kn_reply_json(reply, 200,
                      json_pack("{so so so}", "learned", kn_explanation_json(tree), "game",
                                kn_cached_game_json(cached), "seed", kn_json_from_uint64(first)));
    else
        kn_reply_fail(reply, &error, NULL);
    if (cached) kn_player_cache_release_game(web->cache, cached);
    kn_arena_free(arena);
    kn_text_free(&path);
    kn_text_free(&folder);
    json_decref(row);
}

const KnRoute kn_routes_learn[] = {
    {"GET", "learn", list, 0},
    {"POST", "learn", start, KN_WEB_BODY},
    {"GET", "learn/*", show, 0},
    {"POST", "learn/*/stop", stop, KN_WEB_BODY},
    {"POST", "learn/*/resume", resume, KN_WEB_BODY},
    {"POST", "learn/*/player", player, KN_WEB_BODY},
    {"GET", "learn/*/learned", learned, 0},
    {0},
};
