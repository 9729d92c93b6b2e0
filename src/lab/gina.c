#include "lab/gina.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/play.h"
#include "base/file.h"
#include "base/json.h"
#include "base/team.h"
#include "players/experience.h"

/* ---- one repetition ---- */

/* The files of a repetition; scratch, and gone when it is over. */
typedef struct Scratch {
    KnText mine, frozen, other;
} Scratch;

static void name_scratch(KnText *path, const char *folder, uint64_t seed, const char *what)
{
    char name[80];
    snprintf(name, sizeof name, "gina-%016llx-%s.mdb", (unsigned long long)seed, what);
    kn_path_join(path, folder, name);
}

static void remove_base(const KnText *path)
{
    if (!path->length) return;
    KnText lock = KN_TEXT_EMPTY;
    kn_text_printf(&lock, "%s-lock", path->data);
    unlink(path->data);
    unlink(lock.data);
    kn_text_free(&lock);
}

/* A spec with {frozen} and {other} filled in. */
static void fill_spec(const char *form, const Scratch *scratch, KnText *spec)
{
    kn_text_clear(spec);
    for (const char *c = form; *c;) {
        bool frozen = strncmp(c, "{frozen}", 8) == 0, other = strncmp(c, "{other}", 7) == 0;
        if (frozen || other) {
            kn_text_add_quoted(spec, frozen ? scratch->frozen.data : scratch->other.data);
            c += frozen ? 8 : 7;
        } else
            kn_text_add_char(spec, *c++);
    }
}

typedef struct Table {
    const KnContext *context;
    const KnGinaCourse *course;
    KnGame *game;
    KnContest *contest;
    KnPlayer *learner, *opponents[KN_GINA_OPPONENTS];
    int opponent_count;
} Table;

static KnStatus seat(Table *t, const Scratch *scratch, const KnText *base, KnError *error)
{
    const KnGinaCourse *course = t->course;
    KnText spec = KN_TEXT_EMPTY, quoted = KN_TEXT_EMPTY;
    kn_text_add_quoted(&quoted, base->data);
    kn_text_printf(&spec, "experience(%s, base=%s, learn, -sync, %s)", course->inner, quoted.data,
                   course->how);
    KnStatus status = kn_game_open(t->context, course->game ? course->game : "othello", &t->game, error);
    if (status == KN_OK) status = kn_player_open(t->context, t->game, spec.data, &t->learner, error);
    for (int i = 0; i < KN_GINA_OPPONENTS && course->opponents[i] && status == KN_OK; i++) {
        fill_spec(course->opponents[i], scratch, &spec);
        status = kn_player_open(t->context, t->game, spec.data, &t->opponents[i], error);
        t->opponent_count++;
    }
    if (status == KN_OK && !(t->contest = kn_contest_new(t->game)))
        status = kn_fail_memory(error, "playing a course");
    kn_text_free(&spec);
    kn_text_free(&quoted);
    return status;
}

static void rise(Table *t)
{
    kn_player_close(t->learner);
    for (int i = 0; i < KN_GINA_OPPONENTS; i++) kn_player_close(t->opponents[i]);
    kn_contest_free(t->contest);
    kn_game_close(t->game);
}

static KnStatus play_game(Table *t, uint64_t seed, uint64_t index, const atomic_bool *cancel,
                          KnGinaGame *game, KnError *error)
{
    int role = (int)(index % 2), opponent = (int)(index / 2 % (uint64_t)t->opponent_count);
    KnPlayer *seats[2] = {role == 0 ? t->learner : t->opponents[opponent],
                          role == 0 ? t->opponents[opponent] : t->learner};
    KnRng rngs[2] = {kn_rng_stream(seed, 2 * index), kn_rng_stream(seed, 2 * index + 1)};
    KnPlayRules rules = {.ply_limit = t->course->ply_limit, .judge = t->course->judge, .cancel = cancel};
    KnExperienceTally before = *kn_experience_tally(t->learner);
    KnPlayed played;
    kn_contest_reset(t->contest, NULL);
    KnStatus status = kn_play(t->contest, seats, rngs, &rules, &played, error);
    if (status != KN_OK) return status;
    if (played.culprit >= 0) status = kn_fail(error, KN_SYSTEM, "a player failed: %s", played.fault);
    KnBaseStat size = {0};
    if (status == KN_OK) status = kn_base_size(kn_experience_base(t->learner), &size, error);
    const KnExperienceTally *after = kn_experience_tally(t->learner);
    double margin = kn_base_outcome(t->contest, played.payoffs);
    *game = (KnGinaGame){.margin = role == 0 ? margin : -margin,
                         .opponent = opponent,
                         .from_base = (int)(after->from_base - before.from_base),
                         .ignored = (int)(after->ignored - before.ignored),
                         .searched = (int)(after->searched - before.searched),
                         .forced = (int)(after->forced - before.forced),
                         .positions = (double)size.positions,
                         .seconds = played.cost[role].seconds};
    kn_played_free(&played);
    return status;
}

typedef struct Job {
    KnLabRun *run;
    const KnGinaCourse *course;
    KnGinaResult *result;
    uint64_t seed, first; /* first: repetitions before it were kept by an earlier run */
    char folder[512];
} Job;

static KnStatus play_course(const Job *job, const KnGinaCourse *course, uint64_t seed, const Scratch *scratch,
                            const KnText *base, KnGinaGame *games, KnError *error)
{
    Table table = {.context = kn_lab_context(job->run), .course = course};
    KnStatus status = seat(&table, scratch, base, error);
    for (uint64_t i = 0; i < course->games && status == KN_OK; i++) {
        KnGinaGame dropped;
        status = play_game(&table, seed, i, kn_lab_cancel(job->run), games ? &games[i] : &dropped, error);
        kn_progress_tick(kn_lab_progress(job->run), 1);
    }
    rise(&table);
    return status;
}

static KnGinaGame *games_of(const Job *job, uint64_t repetition)
{
    return job->result->all + repetition * job->course->games;
}

static KnStatus play_repetition(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Job *job = user;
    uint64_t repetition = job->first + index, seed = kn_mix64(job->seed + repetition);
    Scratch scratch = {KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    name_scratch(&scratch.mine, job->folder, seed, "mine");
    name_scratch(&scratch.frozen, job->folder, seed, "frozen");
    name_scratch(&scratch.other, job->folder, seed, "other");
    KnText *files[] = {&scratch.mine, &scratch.frozen, &scratch.other};
    for (int i = 0; i < 3; i++) remove_base(files[i]); /* what an interrupted run left */
    KnStatus status = KN_OK;
    if (job->course->before)
        status = play_course(job, job->course->before, ~seed, &scratch, &scratch.frozen, NULL, error);
    if (status == KN_OK)
        status = play_course(job, job->course, seed, &scratch, &scratch.mine, games_of(job, repetition),
                             error);
    for (int i = 0; i < 3; i++) {
        remove_base(files[i]);
        kn_text_free(files[i]);
    }
    return status;
}

/* ---- keeping ---- */

static json_t *games_json(const KnGinaGame *games, uint64_t count)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < count && list; i++) {
        const KnGinaGame *g = &games[i];
        json_t *row = json_pack("[f i i i i i f f]", g->margin, g->opponent, g->from_base, g->ignored,
                                g->searched, g->forced, g->positions, g->seconds);
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool games_from_json(const json_t *list, uint64_t count, KnGinaGame *games)
{
    if (json_array_size(list) != count) return false;
    for (uint64_t i = 0; i < count; i++) {
        KnGinaGame *g = &games[i];
        if (json_unpack(json_array_get(list, i), "[F i i i i i F F]", &g->margin, &g->opponent, &g->from_base,
                        &g->ignored, &g->searched, &g->forced, &g->positions, &g->seconds) != 0)
            return false;
    }
    return true;
}

static void name_unit(const Job *job, uint64_t repetition, char key[200])
{
    snprintf(key, 200, "%s.%llu", job->course->key, (unsigned long long)repetition);
}

/* What an earlier run has kept: since units are kept in order, the first repetitions. */
static KnStatus take_kept(Job *job, KnError *error)
{
    for (; job->first < job->result->repetitions; job->first++) {
        char key[200];
        name_unit(job, job->first, key);
        const json_t *done = kn_lab_done(job->run, key);
        if (!done) return KN_OK;
        if (!games_from_json(done, job->course->games, games_of(job, job->first)))
            return kn_fail(error, KN_INPUT, "%s: a stored course cannot be read; run it with --fresh", key);
    }
    return KN_OK;
}

static KnStatus keep_repetition(void *user, uint64_t index, KnError *error)
{
    Job *job = user;
    char key[200];
    name_unit(job, job->first + index, key);
    return kn_lab_keep(job->run, key, games_json(games_of(job, job->first + index), job->course->games),
                       error);
}

/* ---- repetitions elsewhere ---- */

/* A helper's things. Texts of the course stay in the brief. */
typedef struct Away {
    Job job;
    KnGinaCourse course, before;
    KnGinaResult result;
} Away;
_Static_assert(offsetof(Away, job) == 0, "a task takes an Away for its Job");

static void pack_course(const KnGinaCourse *course, KnText *out)
{
    kn_pack_string(out, course->key);
    kn_pack_string(out, course->game);
    kn_pack_string(out, course->inner);
    kn_pack_string(out, course->how);
    for (int i = 0; i < KN_GINA_OPPONENTS; i++) kn_pack_string(out, course->opponents[i]);
    kn_pack_u64(out, course->games);
    kn_pack_u64(out, course->ply_limit);
    kn_pack_real(out, course->judge);
}

static void unpack_course(KnUnpack *in, KnGinaCourse *course)
{
    course->key = kn_unpack_string(in);
    course->game = kn_unpack_string(in);
    course->inner = kn_unpack_string(in);
    course->how = kn_unpack_string(in);
    for (int i = 0; i < KN_GINA_OPPONENTS; i++) course->opponents[i] = kn_unpack_string(in);
    course->games = kn_unpack_u64(in);
    course->ply_limit = kn_unpack_u64(in);
    course->judge = kn_unpack_real(in);
}

static void write_brief(const Job *job, KnText *brief)
{
    kn_pack_u64(brief, job->seed);
    kn_pack_u64(brief, job->first);
    kn_pack_u64(brief, job->result->repetitions);
    pack_course(job->course, brief);
    kn_pack_int(brief, job->course->before != NULL);
    if (job->course->before) pack_course(job->course->before, brief);
}

static KnStatus prepare(Job *job, KnError *error)
{
    KnGinaResult *result = job->result;
    result->all = calloc(result->games * result->repetitions, sizeof *result->all);
    if (!result->all) return kn_fail_memory(error, "playing a course");
    snprintf(job->folder, sizeof job->folder, "%s/lab", kn_context_data(kn_lab_context(job->run)));
    return kn_mkdirs(job->folder, error);
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "playing a course");
    KnStatus status = kn_lab_visit(post, &away->job.run, error);
    if (status != KN_OK) return status;
    KnUnpack *in = &post->brief;
    away->job.seed = kn_unpack_u64(in);
    away->job.first = kn_unpack_u64(in);
    away->result.repetitions = kn_unpack_u64(in);
    unpack_course(in, &away->course);
    if (kn_unpack_int(in)) {
        unpack_course(in, &away->before);
        away->course.before = &away->before;
    }
    if (!kn_unpack_ok(in)) return kn_fail(error, KN_SYSTEM, "a course came over in parts");
    away->job.course = &away->course;
    away->job.result = &away->result;
    away->result.games = away->course.games;
    return prepare(&away->job, error);
}

static void close_away(void *user)
{
    Away *away = user;
    kn_lab_leave(away->job.run);
    kn_gina_free(&away->result);
    free(away);
}

static void pack_repetition(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const Job *job = user;
    kn_pack_bytes(out, games_of(job, job->first + index), job->course->games * sizeof(KnGinaGame));
}

static KnStatus unpack_repetition(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    (void)worker;
    const Job *job = user;
    kn_unpack_into(in, games_of(job, job->first + index), job->course->games * sizeof(KnGinaGame));
    if (!kn_unpack_ok(in)) return kn_fail(error, KN_SYSTEM, "games of a course came back in parts");
    kn_progress_tick(kn_lab_progress(job->run),
                     job->course->games + (job->course->before ? job->course->before->games : 0));
    return KN_OK;
}

const KnDuty kn_gina_duty = {"gina",
                             "courses of a learner with an experience base",
                             open_away,
                             close_away,
                             NULL,
                             play_repetition,
                             pack_repetition,
                             unpack_repetition};

KnStatus kn_gina_run(KnLabRun *run, const KnGinaCourse *course, uint64_t repetitions, KnGinaResult *result,
                     KnError *error)
{
    *result = (KnGinaResult){.games = course->games, .repetitions = repetitions};
    Job job = {.run = run, .course = course, .result = result, .seed = kn_lab_seed(run, course->key)};
    KnText brief = KN_TEXT_EMPTY;
    KnStatus status = prepare(&job, error);
    if (status == KN_OK) status = take_kept(&job, error);
    write_brief(&job, &brief);
    if (status == KN_OK)
        status = kn_lab_share(run, &kn_gina_duty, repetitions - job.first, kn_lab_window(run), &brief,
                              keep_repetition, &job, error);
    kn_text_free(&brief);
    if (status != KN_OK) kn_gina_free(result);
    return status;
}

void kn_gina_free(KnGinaResult *result)
{
    free(result->all);
    result->all = NULL;
}

/* ---- reading off ---- */

double kn_gina_margin(const KnGinaGame *game) { return game->margin; }
double kn_gina_points(const KnGinaGame *game) { return game->margin > 0 ? 100 : game->margin < 0 ? 0 : 50; }
double kn_gina_positions(const KnGinaGame *game) { return game->positions; }

typedef double (*Summary)(const KnGinaGame *games, uint64_t from, uint64_t to, void *user);

static KnMeasure over_repetitions(const KnGinaResult *result, uint64_t from, uint64_t to, Summary summary,
                                  void *user)
{
    KnMoments moments = {0};
    for (uint64_t r = 0; r < result->repetitions; r++)
        kn_moments_add(&moments, summary(result->all + r * result->games, from, to, user));
    return kn_measure_mean(&moments);
}

typedef struct Wanted {
    KnGinaQuantity quantity;
    int opponent;
} Wanted;

static double mean_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    const Wanted *wanted = user;
    KnMoments moments = {0};
    for (uint64_t i = from; i < to; i++)
        if (wanted->opponent < 0 || games[i].opponent == wanted->opponent)
            kn_moments_add(&moments, wanted->quantity(&games[i]));
    return kn_moments_mean(&moments);
}

KnMeasure kn_gina_mean(const KnGinaResult *result, KnGinaQuantity quantity, uint64_t from, uint64_t to,
                       int opponent)
{
    return over_repetitions(result, from, to, mean_of, &(Wanted){quantity, opponent});
}

static double share_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    bool ignored = *(const bool *)user;
    double some = 0, all = 0;
    for (uint64_t i = from; i < to; i++) {
        some += ignored ? games[i].ignored : games[i].from_base;
        all += games[i].from_base + games[i].ignored + games[i].searched;
    }
    return all > 0 ? 100 * some / all : 0;
}

KnMeasure kn_gina_without_search(const KnGinaResult *result, uint64_t from, uint64_t to)
{
    return over_repetitions(result, from, to, share_of, &(bool){false});
}

KnMeasure kn_gina_ignored(const KnGinaResult *result, uint64_t from, uint64_t to)
{
    return over_repetitions(result, from, to, share_of, &(bool){true});
}

static double growth_of(const KnGinaGame *games, uint64_t from, uint64_t to, void *user)
{
    (void)user;
    uint64_t middle = (from + to) / 2;
    return log(games[to - 1].positions / games[middle - 1].positions) / log((double)to / (double)middle);
}

KnMeasure kn_gina_growth(const KnGinaResult *result)
{
    return over_repetitions(result, 0, result->games, growth_of, NULL);
}

static KnSeries curve(const KnGinaResult *result, const char *name, Summary summary, void *user,
                      KnPoint *points)
{
    size_t count = result->games < KN_GINA_CURVE ? (size_t)result->games : KN_GINA_CURVE;
    for (size_t i = 0; i < count; i++) {
        uint64_t from = result->games * i / count, to = result->games * (i + 1) / count;
        KnMeasure m = over_repetitions(result, from, to, summary, user);
        points[i] = (KnPoint){(double)to, m.value, isfinite(m.low) ? m.low : m.value,
                              isfinite(m.high) ? m.high : m.value};
    }
    return (KnSeries){name, points, count};
}

KnSeries kn_gina_curve(const KnGinaResult *result, const char *name, KnGinaQuantity quantity, int opponent,
                       KnPoint *points)
{
    return curve(result, name, mean_of, &(Wanted){quantity, opponent}, points);
}

KnSeries kn_gina_search_curve(const KnGinaResult *result, const char *name, KnPoint *points)
{
    return curve(result, name, share_of, &(bool){false}, points);
}
