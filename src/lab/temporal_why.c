/* Lock 2003: why some of its orderings do not come out here. Learners are taught as for the tables, and each
 * of their decisions in contests is held against the solved game: did it give away a win or a draw, who took
 * it, and what would others have done with the same board and the same chance? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/training.h"
#include "base/parallel.h"
#include "games/turns.h"
#include "lab/registry.h"
#include "lab/temporal_trained.h"
#include "search/solved.h"

static const KnParameter parameters[] = {
    {"runs", 2, 10, "Runs on either game; the thesis had 20 and 10."},
    {"lose watch", 10, 20,
     "Contests of each of eight watching tournaments, lose tic-tac-toe; the thesis had 20."},
    {"morris watch", 10, 40, "The same for five men's morris; the thesis had 40."},
    {"contests", 20, 50, "Contests of a run against an agent, as in the thesis's tests."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnReading readings[] = {
    {"Games, agents, learners and training.", "As temporal.table11 and temporal.table16 read them.", ""},
    {"What is an error?",
     "A move after which the solved game is worth less to who made it than before; only boards that are not "
     "lost already are counted. Against the perfect agent every "
     "contest that is lost has exactly one.",
     ""},
    {"What would others have done?",
     "They are asked about the same board, with the same chance, and without memory of plans; what they say "
     "is not played.",
     ""},
    {0}};

/* ---- Decisions ---- */

enum {
    ENFORCER,
    CHANCE = KN_TRAINED_AGENTS + 1,
    DECIDERS,
    OTHERS = 2,
    MOST_RUNS = 64
}; /* between the two: the planners, heaviest first */

/* Of one decider in one run. */
typedef struct Sums {
    double decisions, open, errors; /* all; where there was something to lose; and it was lost */
    double by_others[OTHERS];       /* errors that others would have made there */
    double changed, errors_changed, others_changed; /* where the first of the others would have moved
                                                       otherwise, and there was something to lose */
} Sums;

/* One learner against one agent, beside others; `others` end with NULL. */
typedef struct Inquiry {
    const KnLabRun *run;
    const KnTrainedGame *game;
    const char *learner, *others[OTHERS];
    int agent;
    Sums sums[MOST_RUNS][DECIDERS];
    int runs;
} Inquiry;

/* What a run has at hand. */
typedef struct Bench {
    const KnGame *game;
    KnSolved *solved;
    KnWatcher *taught[1 + OTHERS];
    KnPlayer *players[1 + OTHERS], *agent;
    KnContest *contest;
} Bench;

static long counted(const Bench *b, const char *name)
{
    json_t *tally = b->taught[0]->type->tally(b->players[0]);
    long count = (long)json_integer_value(json_object_get(tally, name));
    json_decref(tally);
    return count;
}

/* Who decided, as the player's own counts tell: enforced and level 1, 2, ... of a SeqLearner. */
static void count_all(const Bench *b, long counts[DECIDERS])
{
    counts[ENFORCER] = counted(b, "enforced");
    for (int level = 1; level < CHANCE; level++) {
        char name[20];
        snprintf(name, sizeof name, "level %d", level);
        counts[level] = counted(b, name);
    }
}

static int decider(const long before[DECIDERS], const long after[DECIDERS])
{
    for (int d = 0; d < CHANCE; d++)
        if (after[d] > before[d]) return d;
    return CHANCE;
}

static KnStatus ask(const Bench *b, KnPlayer *player, KnRng *rng, KnMove *move, KnError *error)
{
    const KnGame *game = b->game;
    KnMove moves[game->max_moves];
    const void *position = kn_contest_position(b->contest);
    int role = game->type->mover(game, position);
    KnRequest request = {.game = game,
                         .position = position,
                         .history = kn_contest_history(b->contest),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_contest_moves(b->contest, role, moves),
                         .rng = rng};
    KnAnswer answer = {0};
    KnStatus status = kn_player_choose(player, &request, &answer, error);
    *move = answer.move;
    return status;
}

/* Whether a move gives something away that the position still holds; and whether it holds anything. */
static bool errs(const Bench *b, KnMove move, bool *open)
{
    int before, after, plies;
    const void *position = kn_contest_position(b->contest);
    *open = kn_solved_probe(b->solved, b->game, position, &before, &plies) && before >= 0;
    return *open && kn_solved_probe_move(b->solved, b->game, position, move, &after, &plies) &&
           after < before;
}

static KnStatus decide(const Bench *b, KnRng *rng, Sums *sums, KnMove *move, KnError *error)
{
    const void *position = kn_contest_position(b->contest);
    int role = b->game->type->mover(b->game, position);
    KnMove theirs[OTHERS] = {0};
    KnStatus status = KN_OK;
    for (int o = 0; o < OTHERS && status == KN_OK; o++) {
        KnRng same = *rng;
        if (!b->players[1 + o]) continue;
        status = kn_player_begin(b->players[1 + o], role, position, error);
        if (status == KN_OK) status = ask(b, b->players[1 + o], &same, &theirs[o], error);
    }
    long before[DECIDERS], after[DECIDERS];
    count_all(b, before);
    if (status == KN_OK) status = ask(b, b->players[0], rng, move, error);
    if (status != KN_OK) return status;
    count_all(b, after);
    Sums *s = &sums[decider(before, after)];
    bool open, error_made = errs(b, *move, &open);
    s->decisions++;
    s->open += open;
    s->errors += error_made;
    for (int o = 0; o < OTHERS; o++)
        if (b->players[1 + o]) s->by_others[o] += errs(b, theirs[o], &open);
    if (b->players[1] && open && theirs[0] != *move) {
        s->changed++;
        s->errors_changed += error_made;
        s->others_changed += errs(b, theirs[0], &open);
    }
    return KN_OK;
}

static KnStatus play(const Inquiry *q, const Bench *b, uint64_t seed, uint64_t index, Sums *sums,
                     KnError *error)
{
    int seat = (int)(index & 1);
    KnRng whole = kn_rng_stream(seed, index), own = kn_rng_seeded(kn_rng_next(&whole)),
          other = kn_rng_seeded(kn_rng_next(&whole));
    double payoffs[KN_ROLES_MAX];
    kn_contest_reset(b->contest, NULL);
    KnStatus status = kn_player_begin(b->players[0], seat, kn_contest_position(b->contest), error);
    if (status == KN_OK) status = kn_player_begin(b->agent, 1 - seat, kn_contest_position(b->contest), error);
    while (status == KN_OK && !kn_contest_over(b->contest, payoffs) &&
           (!q->game->ply_limit || kn_contest_plies(b->contest) < q->game->ply_limit)) {
        int mover = b->game->type->mover(b->game, kn_contest_position(b->contest));
        KnMove joint[KN_ROLES_MAX] = {KN_MOVE_NONE, KN_MOVE_NONE};
        status = mover == seat ? decide(b, &own, sums, &joint[mover], error)
                               : ask(b, b->agent, &other, &joint[mover], error);
        if (status == KN_OK) status = kn_contest_play_joint(b->contest, joint, error);
        if (status == KN_OK) status = kn_player_observe(b->players[0], b->contest, joint, error);
        if (status == KN_OK) status = kn_player_observe(b->agent, b->contest, joint, error);
    }
    return status;
}

/* ---- Runs ---- */

static KnStatus set_up(const Inquiry *q, uint64_t seed, Bench *b, KnError *error)
{
    KnTrainingPlan plan = {.game = q->game->spec,
                           .environment = KN_TRAIN_DOUBLE,
                           .watch = (uint64_t)kn_lab_parameter(
                               q->run, q->game == &kn_trained_games[0] ? "lose watch" : "morris watch"),
                           .runs = 1,
                           .seed = seed,
                           .ply_limit = q->game->ply_limit,
                           .cancel = kn_lab_cancel(q->run)};
    const char *learners[1 + OTHERS] = {q->learner, q->others[0], q->others[1]};
    KnStatus status = kn_solved_open(b->game, NULL, &b->solved, error);
    for (int i = 0; i <= OTHERS && status == KN_OK; i++) {
        if (!learners[i]) continue;
        bool itself = i && strcmp(learners[i], q->learner) ==
                               0; /* the same knowledge, without the memory of plans */
        plan.learner = learners[i];
        if (!itself) status = kn_training_teach(kn_lab_context(q->run), &plan, b->game, &b->taught[i], error);
        if (status == KN_OK) status = kn_watcher_player(b->taught[itself ? 0 : i], &b->players[i], error);
    }
    if (status == KN_OK)
        status = kn_player_open(kn_lab_context(q->run), b->game, kn_training_agents[q->agent], &b->agent,
                                error);
    if (status == KN_OK && !(b->contest = kn_contest_new(b->game)))
        status = kn_fail_memory(error, "making contests");
    return status;
}

static void clean_up(Bench *b)
{
    for (int i = 0; i <= OTHERS; i++) kn_player_close(b->players[i]);
    for (int i = 0; i <= OTHERS; i++) kn_watcher_close(b->taught[i]);
    kn_player_close(b->agent);
    kn_contest_free(b->contest);
    kn_solved_free(b->solved);
}

static KnStatus one_run(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Inquiry *q = user;
    uint64_t seed = kn_mix64(kn_lab_seed(q->run, q->game->spec) + index),
             contests = (uint64_t)kn_lab_parameter(q->run, "contests");
    KnGame *game;
    KnStatus status = kn_game_open_turns(kn_lab_context(q->run), q->game->spec, &game, error);
    if (status != KN_OK) return status;
    Bench b = {.game = game};
    status = set_up(q, seed, &b, error);
    for (uint64_t i = 0; i < contests && status == KN_OK; i++) {
        status = play(q, &b, kn_mix64(seed + 1), i, q->sums[index], error);
        kn_progress_tick(kn_lab_progress(q->run), 1);
    }
    clean_up(&b);
    kn_game_close(game);
    return status;
}

static KnStatus inquire(Inquiry *q, KnError *error)
{
    memset(q->sums, 0, sizeof q->sums);
    q->runs = (int)kn_lab_parameter(q->run, "runs");
    return kn_parallel(kn_lab_jobs(q->run), (uint64_t)q->runs, one_run, q, kn_lab_cancel(q->run), error);
}

/* ---- Numbers ---- */

typedef double (*Number)(const Sums *sums);
static double decisions_of(const Sums *s) { return s->decisions; }
static double open_of(const Sums *s) { return s->open; }
static double errors_of(const Sums *s) { return s->errors; }
static double first_of(const Sums *s) { return s->by_others[0]; }
static double second_of(const Sums *s) { return s->by_others[1]; }
static double changed_of(const Sums *s) { return s->changed; }
static double errors_changed_of(const Sums *s) { return s->errors_changed; }
static double others_changed_of(const Sums *s) { return s->others_changed; }

static double total(const Inquiry *q, int run, int from, int to, Number number)
{
    double sum = 0;
    for (int d = from; d <= to; d++) sum += number(&q->sums[run][d]);
    return sum;
}

/* Percent over runs: of `upper` among `lower`, by the deciders from..to; with `all` the lower ones of
 * everybody. Runs where there are none are left out. */
static KnMeasure percent(const Inquiry *q, int from, int to, Number upper, Number lower, bool all)
{
    KnMoments moments = {0};
    for (int r = 0; r < q->runs; r++) {
        double below = all ? total(q, r, 0, DECIDERS - 1, lower) : total(q, r, from, to, lower);
        if (below > 0) kn_moments_add(&moments, 100 * total(q, r, from, to, upper) / below);
    }
    return kn_measure_mean(&moments);
}

static KnMeasure a_contest(const Inquiry *q, int from, int to, Number number)
{
    KnMoments moments = {0};
    for (int r = 0; r < q->runs; r++)
        kn_moments_add(&moments, 100 * total(q, r, from, to, number) / kn_lab_parameter(q->run, "contests"));
    return kn_measure_mean(&moments);
}

/* ---- Tables ---- */

static const char *const learners[] = {"seqlearner(version=1)", "seqlearner(version=2)",
                                       "seqlearner(sitact)"};
static const char *const learner_names[] = {"version 1", "version 2", "TP-Sitact"};
enum { LEARNERS = 3, VERSION2 = 1 };

static const char *decider_name(int learner, int d)
{
    static const char *const names[DECIDERS] = {"Enforcer", "from .9",  "from .8",
                                                "from .7",  "from .55", "chance"};
    return learner == 0 && d == 1 ? "from .55" : names[d];
}

static KnStatus give_deciders(KnLabRun *run, const Inquiry *q, int learner, KnError *error)
{
    KnStatus status = KN_OK;
    for (int d = 0; d < DECIDERS && status == KN_OK; d++) {
        double decisions = 0;
        char row[100];
        for (int r = 0; r < q->runs; r++) decisions += q->sums[r][d].decisions;
        if (decisions <= 0) continue;
        snprintf(row, sizeof row, "%s, %s: %s", q->game->name, learner_names[learner],
                 decider_name(learner, d));
        status = kn_lab_measured(run, row, "Decisions", percent(q, d, d, decisions_of, decisions_of, true),
                                 "Of all decisions.", error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "Errors", percent(q, d, d, errors_of, open_of, false),
                                     "Of its decisions where something was to be lost.", error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "Contests lost by it", a_contest(q, d, d, errors_of),
                                     "Of all contests.", error);
    }
    return status;
}

static KnStatus give_anew(KnLabRun *run, const Inquiry *q, KnError *error)
{
    static const char *const rows[2] = {"Enforcer's decisions", "the planners' decisions"};
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        int from = i ? 1 : ENFORCER, to = i ? CHANCE - 1 : ENFORCER;
        char row[100];
        snprintf(row, sizeof row, "%s: %s", q->game->name, rows[i]);
        status = kn_lab_measured(run, row, "Errors as decided",
                                 percent(q, from, to, errors_of, open_of, false), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "Errors of the planners, asked anew",
                                     percent(q, from, to, first_of, open_of, false), NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "Errors of all from .55 at once",
                                     percent(q, from, to, second_of, open_of, false), NULL, error);
    }
    return status;
}

static KnStatus give_seq(KnLabRun *run, const Inquiry *q, KnError *error)
{
    char row[100];
    int last = DECIDERS - 1;
    snprintf(row, sizeof row, "%s against the %s agent", q->game->name,
             (const char *[]){"perfect", "expert", "novice", "random"}[q->agent]);
    KnStatus status = kn_lab_measured(run, row, "Decisions changed",
                                      percent(q, 0, last, changed_of, open_of, false),
                                      "Of those where something was to be lost.", error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "Errors there, with",
                                 percent(q, 0, last, errors_changed_of, changed_of, false),
                                 "Of the changed ones.", error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "Errors there, without",
                                 percent(q, 0, last, others_changed_of, changed_of, false),
                                 "Of the changed ones.", error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "Errors, with", percent(q, 0, last, errors_of, open_of, false),
                                 "Of all where something was to be lost.", error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row, "Errors, without", percent(q, 0, last, first_of, open_of, false),
                                 "On the same boards.", error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    static const int met[] = {0, 2};
    kn_lab_expect(run, (uint64_t)(kn_lab_parameter(run, "runs") * kn_lab_parameter(run, "contests")) *
                           (KN_TRAINED_GAMES * LEARNERS + 2));
    Inquiry *asked = calloc(KN_TRAINED_GAMES * LEARNERS + 2, sizeof *asked);
    if (!asked) return kn_fail_memory(error, "looking at decisions");
    KnStatus status = KN_OK;
    int count = 0;
    for (int g = 0; g < KN_TRAINED_GAMES; g++)
        for (int l = 0; l < LEARNERS && status == KN_OK; l++) {
            Inquiry *q = &asked[count++];
            *q = (Inquiry){.run = run, .game = &kn_trained_games[g], .learner = learners[l]};
            if (l == VERSION2) q->others[0] = learners[VERSION2], q->others[1] = learners[0];
            status = inquire(q, error);
        }
    for (int i = 0; i < 2 && status == KN_OK; i++) {
        Inquiry *q = &asked[count++];
        *q = (Inquiry){.run = run,
                       .game = &kn_trained_games[1],
                       .learner = "hoyle(seq-advisor=second)",
                       .others = {"hoyle"},
                       .agent = met[i]};
        status = inquire(q, error);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "deciders", "Who loses contests against the perfect agent", "%", 1,
                                  error);
    for (int i = 0; i < KN_TRAINED_GAMES * LEARNERS && status == KN_OK; i++)
        status = give_deciders(run, &asked[i], i % LEARNERS, error);
    if (status == KN_OK)
        status = kn_lab_own_table(
            run, "anew", "Version 2's decisions, and what others say of the same boards", "%", 1, error);
    for (int g = 0; g < KN_TRAINED_GAMES && status == KN_OK; g++)
        status = give_anew(run, &asked[g * LEARNERS + VERSION2], error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "seq-advisor", "Decisions of Hoyle's that Seq-Advisor changes", "%", 1,
                                  error);
    for (int i = 0; i < 2 && status == KN_OK; i++)
        status = give_seq(run, &asked[KN_TRAINED_GAMES * LEARNERS + i], error);
    free(asked);
    return status;
}

const KnExperiment kn_temporal_why = {
    .head = {"temporal.why",
             "whose decisions lose contests, by the solved games: why version 2 and Seq-Advisor gain nothing",
             NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .readings = readings,
    .tolerances = tolerances,
    .run = measure,
};
