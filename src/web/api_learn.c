/* Learners: what can be learned, courses of training as processes of their own, their curves, and the player
 * as it is now.
 *
 * A course lives in DATA/learn/NAME, a folder a seed (players/course.h). Whoever wants to play against what
 * has been learned so far gets a copy of it that stays as it is, DATA/learned/NAME-HASH.json: a contest goes
 * on against the player that it was begun with, and can ask it why. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "players/course.h"
#include "players/learner.h"
#include "web/children.h"
#include "web/guard.h"
#include "web/publish.h"

enum { SEEDS_MAX = 10, LEARNED_MAX = 64 << 20 };

/* ---- a learner by its spec ---- */

typedef struct Chosen {
    const KnLearner *learner;
    const KnSpec *spec; /* in the arena */
    KnOptions options;
    KnArena *arena;
} Chosen;

static KnStatus choose(const KnWeb *web, const char *text, Chosen *chosen, KnError *error)
{
    const KnThing *thing = NULL;
    *chosen = (Chosen){.arena = kn_arena_new()};
    if (!chosen->arena) return kn_fail_memory(error, "reading a learner");
    KnStatus status = kn_spec_parse(text, chosen->arena, &chosen->spec, error);
    if (status == KN_OK) status = kn_lookup(web->context, KN_KIND_LEARNER, chosen->spec, &thing, error);
    if (status == KN_OK)
        status = kn_options_bind(thing->options, chosen->spec, chosen->arena, &chosen->options, error);
    chosen->learner = (const KnLearner *)thing;
    return status;
}

static void put_back(Chosen *chosen) { kn_arena_free(chosen->arena); }

static json_t *learner_json(const KnLearner *learner, const KnGame *game)
{
    KnError error;
    json_t *row = kn_thing_json(&learner->head);
    json_object_set_new(row, "x", json_string(learner->x));
    json_object_set_new(row, "y", json_string(learner->y));
    json_object_set_new(row, "measures", json_string(learner->measures));
    json_object_set_new(row, "range", json_pack("[ff]", learner->low, learner->high));
    json_object_set_new(row, "chance", isfinite(learner->chance) ? json_real(learner->chance) : json_null());
    if (!game) return row;
    bool runs = !learner->suits || learner->suits(game, &error) == KN_OK;
    json_object_set_new(row, "runs", json_boolean(runs));
    if (!runs) json_object_set_new(row, "missing", json_string(error.text));
    return row;
}

/* ---- looking ---- */

static void course_folder(const KnWeb *web, const char *name, const char *seed, KnText *folder)
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
    course_folder(web, name, number, &folder);
    json_t *curve = kn_course_read(folder.data, &error);
    kn_text_free(&folder);
    return curve;
}

/* The mean over the seeds that have come as far as each x; around it the least and the most of them, or, with
 * one seed, its own interval. */
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

json_t *kn_course_json(KnWeb *web, const json_t *process)
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
    json_object_set_new(row, "courses", seeds);
    return row;
}

/* The row of a course by its name; NULL, with 404 written. */
static json_t *asked(KnWeb *web, const char *name, KnHttpReply *reply)
{
    json_t *process = kn_runs_show(web->runs, name), *row = process ? kn_course_json(web, process) : NULL;
    json_decref(process);
    if (!row)
        kn_reply_error(reply, 404, NULL,
                       "no course of the name %.60s was started here; /api/learn lists them", name);
    return row;
}

static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *spec = kn_http_argument(call->request, "game");
    KnShown *shown = NULL;
    KnError error;
    if (spec && kn_shelf_game(web->shelf, spec, &shown, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return;
    }
    json_t *learners = json_array(), *courses = json_array(), *processes = kn_runs_list(web->runs), *process;
    for (size_t i = 0; i < kn_registered(web->context, KN_KIND_LEARNER); i++)
        json_array_append_new(
            learners, learner_json((const KnLearner *)kn_registered_at(web->context, KN_KIND_LEARNER, i),
                                   shown ? shown->game : NULL));
    size_t i;
    json_array_foreach(processes, i, process)
    {
        json_t *row = kn_course_json(web, process);
        json_object_del(row, "courses");
        if (row) json_array_append_new(courses, row);
    }
    json_decref(processes);
    kn_shelf_return(web->shelf, shown);
    kn_reply_json(reply, 200, json_pack("{so so}", "learners", learners, "courses", courses));
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    json_t *row = asked(web, call->words[0], reply);
    if (row) kn_reply_json(reply, 200, row);
}

/* ---- starting and stopping ---- */

/* Opens the players that a course names once, so that what is wrong is told here and not in a log. */
static KnStatus check_players(KnWeb *web, KnShown *shown, const Chosen *chosen, KnError *error)
{
    KnStatus status = KN_OK;
    for (const KnOption *option = chosen->learner->head.options; option && option->name && status == KN_OK;
         option++) {
        const KnSpec *value = chosen->options.values[option - chosen->learner->head.options];
        if (!value || option->type != KN_OPTION_SPEC ||
            strcmp(option->choices, kn_kind_name(KN_KIND_PLAYER)) != 0)
            continue;
        KnSpec bare = *value;
        bare.key = NULL;
        KnText text = KN_TEXT_EMPTY;
        KnPlayer *player = NULL;
        kn_spec_print(&bare, &text);
        status = kn_shelf_lend(web->shelf, shown, text.data, &player, error);
        if (status == KN_OK && player->traits & KN_PLAYER_ASKS)
            status = kn_fail(error, KN_INPUT, "a person cannot play in a course");
        kn_shelf_back(web->shelf, shown, player);
        kn_text_free(&text);
    }
    return status;
}

static void add_word(json_t *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_word(json_t *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_array_append_new(words, json_vsprintf(format, args));
    va_end(args);
}

static json_t *command_of(const KnWeb *web, const Chosen *chosen, const KnGame *game, const char *name,
                          uint64_t seed, uint64_t seeds)
{
    json_t *words = json_array();
    KnText text = KN_TEXT_EMPTY;
    add_word(words, "train");
    add_word(words, "%s", chosen->learner->head.name);
    course_folder(web, name, "", &text);
    add_word(words, "--into=%s", text.data);
    add_word(words, "--seed=%llu", (unsigned long long)seed);
    add_word(words, "--seeds=%llu", (unsigned long long)seeds);
    for (const KnOption *option = chosen->learner->head.options; option && option->name; option++) {
        const KnSpec *value = chosen->options.values[option - chosen->learner->head.options];
        if (!value) continue;
        KnSpec bare = *value;
        bare.key = NULL;
        kn_text_clear(&text);
        kn_spec_print(&bare, &text);
        if (option->type != KN_OPTION_FLAG)
            add_word(words, "--%s=%s", option->name, text.data);
        else if (kn_option_flag(&chosen->options, option->name))
            add_word(words, "--%s", option->name);
    }
    add_word(words, "--data=%s", kn_context_data(web->context));
    add_word(words, "--progress=json");
    add_word(words, "--"); /* what follows are never options */
    add_word(words, "%s", game->spec);
    kn_text_free(&text);
    return words;
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
        kn_reply_error(reply, 400, "seed", "seed: a whole number from 0 to %u is wanted", UINT32_MAX);
        return false;
    }
    if (wanted->name && !kn_runs_name(wanted->name)) {
        kn_reply_error(reply, 422, "name",
                       "a course's name has letters, digits, . _ and -, and at most 60 of them");
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

static void begin(KnWeb *web, Wanted *wanted, KnShown *shown, const Chosen *chosen, KnHttpReply *reply)
{
    KnText canonical = KN_TEXT_EMPTY;
    KnError error;
    kn_spec_print(chosen->spec, &canonical);
    name_it(wanted, chosen->learner->head.name);
    json_t *words = command_of(web, chosen, shown->game, wanted->name, wanted->seed, (uint64_t)wanted->seeds);
    json_t *about = json_pack("{ss ss ss ss so sI}", "kind", "train", "learner", canonical.data, "game",
                              shown->spec, "opened", shown->game->spec, "seed",
                              kn_json_from_uint64(wanted->seed), "seeds", (json_int_t)wanted->seeds);
    if (kn_runs_start(web->runs, wanted->name, about, words, &error) == KN_OK) {
        json_t *row = asked(web, wanted->name, reply);
        if (row) kn_reply_json(reply, 201, row);
    } else {
        kn_reply_fail(reply, &error, error.status == KN_STOPPED ? NULL : "name");
        if (error.status == KN_STOPPED) reply->status = 429;
    }
    json_decref(about);
    json_decref(words);
    kn_text_free(&canonical);
}

static void start(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    Wanted wanted = {0};
    KnShown *shown = NULL;
    Chosen chosen = {0};
    KnError error;
    if (!read_wanted(call, &wanted, reply)) return;
    if (kn_shelf_game(web->shelf, wanted.game, &shown, &error) != KN_OK) {
        kn_reply_fail(reply, &error, "game");
        return;
    }
    KnStatus status = kn_guard_learner(web->context, shown->game, wanted.learner, &error);
    if (status == KN_OK) status = choose(web, wanted.learner, &chosen, &error);
    if (status == KN_OK && chosen.learner->suits &&
        (status = chosen.learner->suits(shown->game, &error)) != KN_OK)
        kn_fail_within(&error, "%s cannot be learned on %s", chosen.learner->head.name, shown->spec);
    if (status == KN_OK) status = check_players(web, shown, &chosen, &error);
    if (status == KN_OK)
        begin(web, &wanted, shown, &chosen, reply);
    else
        kn_reply_fail(reply, &error, "learner");
    put_back(&chosen);
    kn_shelf_return(web->shelf, shown);
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
    if (error.status == KN_STOPPED) reply->status = 429;
}

static void stop(KnWeb *web, const KnCall *call, KnHttpReply *reply) { act(web, call, kn_runs_stop, reply); }
static void resume(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    act(web, call, kn_runs_resume, reply);
}

/* ---- the player as it is now ---- */

/* Copies what has been learned to a file that stays as it is; `name` becomes what a spec calls it. */
static KnStatus keep_learned(const KnWeb *web, const char *course, const char *seed, const KnLearner *learner,
                             KnText *name, KnError *error)
{
    KnText folder = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY, bytes = KN_TEXT_EMPTY;
    course_folder(web, course, seed, &folder);
    kn_path_join(&path, folder.data, learner->file);
    KnStatus status = kn_file_exists(path.data)
                          ? kn_file_read(path.data, &bytes, LEARNED_MAX, error)
                          : kn_fail(error, KN_NO,
                                    "nothing is learned yet; wait for the first point of the curve");
    if (status == KN_OK) {
        char hex[KN_HEX128];
        const char *dot = strrchr(learner->file, '.');
        kn_hash128_hex(kn_hash128(bytes.data, bytes.length), hex);
        kn_text_printf(name, KN_DATA_FILE KN_GUARD_LEARNED "/%s-%.12s%s", course, hex, dot ? dot : "");
        kn_path_join(&folder, kn_context_data(web->context), KN_GUARD_LEARNED);
        kn_context_file(web->context, name->data, &path);
        status = kn_mkdirs(folder.data, error);
        if (status == KN_OK && !kn_file_exists(path.data))
            status = kn_file_write_atomic(path.data, bytes.data, bytes.length, error);
    }
    kn_text_free(&folder);
    kn_text_free(&path);
    kn_text_free(&bytes);
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
    Chosen chosen = {0};
    KnText file = KN_TEXT_EMPTY, spec = KN_TEXT_EMPTY;
    KnError error;
    if (kn_call_number(call, "seed", false, (double)first, last, (double)first, &number, reply)) {
        char seed[24];
        snprintf(seed, sizeof seed, "%.0f", floor(number));
        KnStatus status = choose(web, json_string_value(json_object_get(row, "learner")), &chosen, &error);
        if (status == KN_OK) status = keep_learned(web, call->words[0], seed, chosen.learner, &file, &error);
        if (status == KN_OK) {
            chosen.learner->player(&chosen.options, file.data, &spec);
            kn_reply_json(reply, 200,
                          json_pack("{ss sO sf}", "spec", spec.data, "game", json_object_get(row, "game"),
                                    "seed", floor(number)));
        } else
            kn_reply_fail(reply, &error, NULL);
        put_back(&chosen);
    }
    kn_text_free(&file);
    kn_text_free(&spec);
    json_decref(row);
}

const KnRoute kn_routes_learn[] = {
    {"GET", "learn", list, 0},
    {"POST", "learn", start, KN_WEB_BODY},
    {"GET", "learn/*", show, 0},
    {"POST", "learn/*/stop", stop, KN_WEB_BODY},
    {"POST", "learn/*/resume", resume, KN_WEB_BODY},
    {"POST", "learn/*/player", player, KN_WEB_BODY},
    {0},
};
