/* knack train experience: a player with an experience base meets an opponent that does not learn, and its
 * curve is drawn as it plays. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/play.h"
#include "base/file.h"
#include "base/stats.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/train.h"
#include "games/turns.h"
#include "players/course.h"
#include "players/experience.h"
#include "players/experience/rule.h"

enum {
    KEY_GAMES = 0x100,
    KEY_OPPONENT,
    KEY_EPSILON,
    KEY_RULE,
    KEY_PLIES,
    PARTS = 20,
    LEAST = 10 /* games of a part */
};

static const size_t FILE_MOST = (size_t)1 << 32;

typedef struct Arguments {
    CliCommon common;
    CliShared shared;
    const char *rule;
    uint64_t games, depth, opponent, plies;
    double epsilon;
    const KnContext *context;
    KnGame *opened;
    const atomic_bool *cancel;
} Arguments;

static const struct argp_option options[] = {
    {"games", KEY_GAMES, "N", 0, "Games against the opponent (default 400)", 2},
    {"depth", 'd', "N", 0, "Depth of the learner's own search (default 2)", 2},
    {"opponent", KEY_OPPONENT, "N", 0, "Depth of the opponent's (default 5)", 2},
    {"epsilon", KEY_EPSILON, "E", 0, "Share of the opponent's moves that are random (default 0)", 2},
    {"rule", KEY_RULE, "NAME", 0, "Move rule: " KN_RULE_NAMES " (default gina)", 2},
    {"plies", KEY_PLIES, "N", 0, "A game of so many plies is a draw (default 200)", 2},
    {0}};

static const struct argp_child children[] = {CLI_SHARES(cli_game_argp),
                                             CLI_SHARES(cli_course_argp),
                                             CLI_SHARES(cli_seed_argp),
                                             CLI_SHARES(cli_common_argp),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case KEY_GAMES:
        a->games = cli_parse_count(state, "--games", arg, 1, 10000000);
        return 0;
    case 'd':
        a->depth = cli_parse_count(state, "--depth", arg, 1, 60);
        return 0;
    case KEY_OPPONENT:
        a->opponent = cli_parse_count(state, "--opponent", arg, 1, 60);
        return 0;
    case KEY_EPSILON:
        a->epsilon = cli_parse_real(state, "--epsilon", arg, 0, 1);
        return 0;
    case KEY_RULE:
        a->rule = arg;
        return 0;
    case KEY_PLIES:
        a->plies = cli_parse_count(state, "--plies", arg, 1, 100000);
        return 0;
    case ARGP_KEY_END:
        if (!a->shared.into) argp_error(state, "--into DIR is wanted");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Learns from every game against an opponent that does not learn, in an experience base (De Jong & "
    "Schultz 1988; docs/experience.md).\v"
    "A point of the curve is the share of points over the games since the point before; beside it stands how "
    "large the base is and how many decisions "
    "needed no search. After an interruption the same command goes on from the last point. Players use the "
    "base as "
    "experience(PLAYER, base=DIR/SEED/experience.mdb); the growth of the base is in curve.json.\nExamples:\n"
    "  knack train experience othello --games 400 --into course\n"
    "  knack train experience othello --epsilon .1 --rule expect --games 3000 --into shaky --seeds 4";

/* ---- one part of a course ---- */

typedef struct Table {
    KnPlayer *learner, *opponent;
    KnContest *contest;
} Table;

static void rise(Table *t)
{
    kn_player_close(t->learner);
    kn_player_close(t->opponent);
    kn_contest_free(t->contest);
}

static KnStatus seat(const Arguments *a, const char *base, Table *t, KnError *error)
{
    *t = (Table){.contest = kn_contest_new(a->opened)};
    if (!t->contest) return kn_fail_memory(error, "learning from games");
    KnText spec = KN_TEXT_EMPTY;
    kn_text_printf(&spec, "experience(alphabeta(depth=%d), base=", (int)a->depth);
    kn_text_add_quoted(&spec, base);
    kn_text_printf(&spec, ", learn, -sync, rule=%s%s)", a->rule,
                   strcmp(a->rule, "gina") == 0 ? ", recall" : "");
    KnStatus status = kn_player_open(a->context, a->opened, spec.data, &t->learner, error);
    kn_text_clear(&spec);
    kn_text_printf(&spec,
                   a->epsilon > 0 ? "noisy(alphabeta(depth=%d), epsilon=%.10g)" : "alphabeta(depth=%d)",
                   (int)a->opponent, a->epsilon);
    if (status == KN_OK) status = kn_player_open(a->context, a->opened, spec.data, &t->opponent, error);
    kn_text_free(&spec);
    return status;
}

static KnStatus play(const Arguments *a, const Table *t, uint64_t seed, uint64_t index, double *points,
                     KnError *error)
{
    int role = (int)(index % 2);
    KnPlayer *seats[2] = {role == 0 ? t->learner : t->opponent, role == 0 ? t->opponent : t->learner};
    KnRng rngs[2] = {kn_rng_stream(seed, 2 * index), kn_rng_stream(seed, 2 * index + 1)};
    KnPlayRules rules = {.ply_limit = a->plies, .cancel = a->cancel};
    KnPlayed played;
    kn_contest_reset(t->contest, NULL);
    KnStatus status = kn_play(t->contest, seats, rngs, &rules, &played, error);
    if (status != KN_OK) return status;
    if (played.culprit >= 0) status = kn_fail(error, KN_SYSTEM, "a player failed: %s", played.fault);
    double low = a->opened->payoff_low, high = a->opened->payoff_high;
    *points += (played.payoffs[role] - low) / (high - low);
    kn_played_free(&played);
    return status;
}

/* What one part came to. */
typedef struct Part {
    double points;
    uint64_t games, positions, decisions, from_base;
} Part;

static KnStatus play_part(const Arguments *a, const char *base, uint64_t seed, uint64_t from, uint64_t to,
                          KnProgress *progress, Part *part, KnError *error)
{
    Table table;
    KnStatus status = seat(a, base, &table, error);
    for (uint64_t i = from; i < to && status == KN_OK; i++) {
        status = play(a, &table, seed, i, &part->points, error);
        kn_progress_tick(progress, 1);
    }
    if (status == KN_OK) {
        const KnExperienceTally *tally = kn_experience_tally(table.learner);
        KnBaseStat size;
        status = kn_base_size(kn_experience_base(table.learner), &size, error);
        part->games = to - from;
        part->positions = size.positions;
        part->from_base = tally->from_base;
        part->decisions = tally->from_base + tally->ignored + tally->searched;
    }
    rise(&table);
    return status;
}

/* ---- courses ---- */

/* What counts is the file of the last point: a part that was cut short is played again from there, so that a
 * course is the same however often it was interrupted. File and curve cannot change in one step, so the file
 * of point N first lies beside the old one as next-N.mdb, then the curve gets its point, then the file takes
 * its place: whether next-N.mdb counts can be seen from the curve, whenever that was cut short. */
static void next_path(const KnCourse *course, size_t points, KnText *path)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "next-%zu.mdb", points);
    kn_course_path(course, name.data, path);
    kn_text_free(&name);
}

/* Removes what a part is played in. */
static void sweep(const KnCourse *course)
{
    KnText work = KN_TEXT_EMPTY;
    kn_course_path(course, "working.mdb", &work);
    unlink(work.data);
    kn_text_add(&work, "-lock");
    unlink(work.data);
    kn_text_free(&work);
}

/* Brings the file to the curve's last point; a killed process may have left its working file after the last
 * part of all. */
static KnStatus settle(const KnCourse *course, KnError *error)
{
    KnText kept = KN_TEXT_EMPTY, next = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    sweep(course);
    kn_course_path(course, "experience.mdb", &kept);
    next_path(course, kn_course_points(course), &next);
    if (kn_file_exists(next.data) && rename(next.data, kept.data) != 0)
        status = kn_fail_errno(error, "%s: cannot take the place of %s", next.data, kept.data);
    next_path(course, kn_course_points(course) + 1, &next); /* of a part that is played again */
    unlink(next.data);
    kn_text_free(&kept);
    kn_text_free(&next);
    return status;
}

static KnStatus copy_base(const char *from, const char *to, KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(from, &bytes, FILE_MOST, error);
    if (status == KN_OK) status = kn_file_write_atomic(to, bytes.data, bytes.length, error);
    kn_text_free(&bytes);
    return status;
}

static KnStatus run_part(const Arguments *a, KnCourse *course, uint64_t seed, uint64_t number, uint64_t parts,
                         KnProgress *progress, KnError *error)
{
    KnText kept = KN_TEXT_EMPTY, work = KN_TEXT_EMPTY, next = KN_TEXT_EMPTY;
    kn_course_path(course, "experience.mdb", &kept);
    next_path(course, number + 1, &next);
    kn_course_path(course, "working.mdb", &work);
    uint64_t from = a->games * number / parts, to = a->games * (number + 1) / parts;
    Part part = {0};
    KnStatus status = number ? copy_base(kept.data, work.data, error) : KN_OK;
    if (status == KN_OK) status = play_part(a, work.data, seed, from, to, progress, &part, error);
    if (status == KN_OK) status = kn_base_compact(work.data, error);
    if (status == KN_OK) status = copy_base(work.data, next.data, error);
    if (status == KN_OK) {
        KnInterval interval = kn_wilson(part.points, (double)part.games, KN_Z95);
        double without = part.decisions ? (double)part.from_base / (double)part.decisions : 0;
        status = kn_course_also(
            course, "growth", json_pack("[IIf]", (json_int_t)to, (json_int_t)part.positions, without), error);
        if (status == KN_OK)
            status = kn_course_add(course, (double)to, part.points / (double)part.games, interval.low,
                                   interval.high, error);
        if (status == KN_OK) status = settle(course, error);
    }
    sweep(course);
    kn_text_free(&kept);
    kn_text_free(&work);
    kn_text_free(&next);
    return status;
}

static KnStatus one_course(void *user, uint64_t seed, const char *folder, KnError *error)
{
    const Arguments *a = user;
    KnCourse *course;
    json_t *about = json_pack("{ss ss sI sI sI sf ss sI sI}", "learner", "experience", "game",
                              a->opened->spec, "games", (json_int_t)a->games, "depth", (json_int_t)a->depth,
                              "opponent", (json_int_t)a->opponent, "epsilon", a->epsilon, "rule", a->rule,
                              "plies", (json_int_t)a->plies, "seed", (json_int_t)seed);
    KnStatus status = kn_course_open(folder, about, &course, error);
    if (status != KN_OK) return status;
    status = settle(course, error);
    KnProgress *progress = cli_progress(&a->common, "games", a->games);
    uint64_t parts = a->games < LEAST ? 1 : a->games / LEAST < PARTS ? a->games / LEAST : PARTS;
    for (uint64_t part = kn_course_points(course); part < parts && status == KN_OK && !kn_course_done(course);
         part++)
        status = run_part(a, course, seed, part, parts, progress, error);
    kn_progress_free(progress);
    if (status == KN_OK) status = kn_course_finish(course, error);
    const json_t *growth = kn_course_last(course, "growth");
    if (status == KN_OK && growth)
        printf("%lld positions after %lld games; %.1f%% of the last decisions without a search\n",
               (long long)json_integer_value(json_array_get(growth, 1)),
               (long long)json_integer_value(json_array_get(growth, 0)),
               100 * json_number_value(json_array_get(growth, 2)));
    kn_course_close(course);
    return status;
}

int train_experience(int argc, char **argv)
{
    Arguments a = {.rule = "gina", .games = 400, .depth = 2, .opponent = 5, .plies = 200};
    const struct argp argp = {options, parse, "GAME", doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    a.context = context;
    a.cancel = cli_interrupt();
    KnStatus status = kn_game_open_turns(context, a.shared.game, &a.opened, &error);
    if (status == KN_OK) status = kn_base_suits(a.opened, &error);
    if (status == KN_OK)
        status = train_courses(context, a.shared.into, a.shared.seed, cli_seeds(&a.shared), one_course, &a,
                               &error);
    kn_game_close(a.opened);
    kn_context_free(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}
