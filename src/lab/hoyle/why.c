/* Lock 2003: why some of its orderings do not come out here. Learners are taught as for the tables, and each
 * of their decisions in games is held against the solved game: did it give away a win or a draw, who took
 * it, and what would others have done with the same board and the same chance? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "methods/hoyle/environment.h"
#include "jobs/parallel.h"
#include "games/turns.h"
#include "lab/registry.h"
#include "lab/hoyle/trained.h"
#include "search/solved.h"

static const KnParameter parameters[] = {
    {"runs", 2, 10, "Runs on either game; the thesis had 20 and 10."},
    {"lose watch", 10, 20,
     "Games of each of eight watching tournaments, lose tic-tac-toe; the thesis had 20."},
    {"morris watch", 10, 40, "The same for five men's morris; the thesis had 40."},
    {"games", 20, 50, "Games of a run against an agent, as in the thesis's tests."},
    {0}};

static const KnTolerance tolerances[] = {{"*", 5, 0, "Nothing is published to compare with."}, {0}};

static const KnInterpretation interpretations[] = {
    {"Games, agents, learners and training.", "As temporal.table11 and temporal.table16 read them.", ""},
    {"What is an error?",
     "A move after which the solved game is worth less to who made it than before; only boards that are not "
     "lost already are counted. Against the perfect agent every "
     "game that is lost has exactly one.",
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
    KnGameLearner *taught[1 + OTHERS];
    KnPlayer *players[1 + OTHERS], *agent;
    KnState *state;
} Bench;

static long counted(const Bench *b, const char *name)
{
    json_t *tally = b->taught[0]->type->tally(b->players[0]);
    long count = (long)json_integer_value(json_object_get(tally, name));
    json_decref(tally);
    return count;
}

/* Who decided, by the player's own counts: enforced and level 1, 2, ... of a SeqLearner. */
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
    const void *position = kn_state_position(b->state);
    int role = game->type->mover(game, position);
    KnRequest request = {.game = game,
                         .position = position,
                         .history = kn_state_history(b->state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = kn_state_moves(b->state, role, moves),
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
    const void *position = kn_state_position(b->state);
    *open = kn_solved_probe(b->solved, b->game, position, &before, &plies) && before >= 0;
    return *open && kn_solved_probe_move(b->solved, b->game, position, move, &after, &plies) &&
           after < before;
}

/* A game of the learner against the agent, with what was found out about the decision in progress. */
typedef struct Watch {
    const Bench *bench;
    Sums *sums;
    KnRng *own;
    int role;              /* of the learner */
    KnMove theirs[OTHERS]; /* what the others would play */
    long counts[DECIDERS]; /* before the decision */
} Watch;

/* Before a decision of the learner: asks the others about the same board, with the same chance. */
static KnStatus ask_others(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    (void)joint;
    Watch *w = user;
    const Bench *b = w->bench;
    const void *position = kn_state_position(state);
    if (b->game->type->mover(b->game, position) != w->role) return KN_OK;
    KnStatus status = KN_OK;
    for (int o = 0; o < OTHERS && status == KN_OK; o++) {
        KnRng same = *w->own;
        if (!b->players[1 + o]) continue;
        status = kn_player_begin(b->players[1 + o], w->role, position, error);
        if (status == KN_OK) status = ask(b, b->players[1 + o], &same, &w->theirs[o], error);
    }
    count_all(b, w->counts);
    return status;
}

static KnStatus judge_decision(void *user, const KnState *state, const KnRequest *request, KnAnswer *answer,
                               KnError *error)
{
    (void)state, (void)error;
    Watch *w = user;
    const Bench *b = w->bench;
    long after[DECIDERS];
    if (request->role != w->role) return KN_OK;
    count_all(b, after);
    Sums *s = &w->sums[decider(w->counts, after)];
    bool open, error_made = errs(b, answer->move, &open);
    s->decisions++;
    s->open += open;
    s->errors += error_made;
    for (int o = 0; o < OTHERS; o++)
        if (b->players[1 + o]) s->by_others[o] += errs(b, w->theirs[o], &open);
    if (b->players[1] && open && w->theirs[0] != answer->move) {
        s->changed++;
        s->errors_changed += error_made;
        s->others_changed += errs(b, w->theirs[0], &open);
    }
    return KN_OK;
}

static KnStatus play(const Inquiry *q, const Bench *b, uint64_t seed, uint64_t index, Sums *sums,
                     KnError *error)
{
    int role = (int)(index & 1);
    KnRng game = kn_rng_stream(seed, index), own = kn_rng_seeded(kn_rng_next(&game)),
          other = kn_rng_seeded(kn_rng_next(&game));
    Watch watch = {.bench = b, .sums = sums, .own = &own, .role = role};
    KnPlayPlan plan = {.state = b->state,
                       .rules.ply_limit = q->game->ply_limit,
                       .strict = true,
                       .before = ask_others,
                       .move = judge_decision,
                       .user = &watch};
    KnPlayed played;
    plan.players[role] = b->players[0], plan.rngs[role] = &own;
    plan.players[1 - role] = b->agent, plan.rngs[1 - role] = &other;
    kn_state_reset(b->state, NULL);
    return kn_play(&plan, &played, error);
}

/* ---- Runs ---- */

static KnStatus set_up(const Inquiry *q, uint64_t seed, Bench *b, KnError *error)
{
    KnEnvironmentPlan plan = {.game = q->game->spec,
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
        if (!itself)
            status = kn_environment_teach(kn_lab_context(q->run), &plan, b->game, &b->taught[i], error);
        if (status == KN_OK)
            status = kn_game_learner_player(b->taught[itself ? 0 : i], &b->players[i], error);
    }
    if (status == KN_OK)
        status = kn_player_open(kn_lab_context(q->run), b->game, kn_environment_agents[q->agent], &b->agent,
                                error);
    if (status == KN_OK && !(b->state = kn_state_new(b->game)))
        status = kn_fail_memory(error, "making games");
    return status;
}

static void clean_up(Bench *b)
{
    for (int i = 0; i <= OTHERS; i++) kn_player_close(b->players[i]);
    for (int i = 0; i <= OTHERS; i++) kn_game_learner_close(b->taught[i]);
    kn_player_close(b->agent);
    kn_state_free(b->state);
    kn_solved_free(b->solved);
}

static KnStatus one_run(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker;
    Inquiry *q = user;
    uint64_t seed = kn_mix64(kn_lab_seed(q->run, q->game->spec) + index),
             games = (uint64_t)kn_lab_parameter(q->run, "games");
    KnGame *game;
    KnStatus status = kn_game_open_turns(kn_lab_context(q->run), q->game->spec, &game, error);
    if (status != KN_OK) return status;
    Bench b = {.game = game};
    status = set_up(q, seed, &b, error);
    for (uint64_t i = 0; i < games && status == KN_OK; i++) {
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

static KnMeasure per_game(const Inquiry *q, int from, int to, Number number)
{
    KnMoments moments = {0};
    for (int r = 0; r < q->runs; r++)
        kn_moments_add(&moments, 100 * total(q, r, from, to, number) / kn_lab_parameter(q->run, "games"));
    return kn_measure_mean(&moments);
}

/* ---- Tables ---- */

static const char *const learners[] = {"seqlearner(version=1, weights=walk)",
                                       "seqlearner(version=2, weights=walk)",
                                       "seqlearner(sitact, weights=walk)"};
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
            status = kn_lab_measured(run, row, "Games lost by it", per_game(q, d, d, errors_of),
                                     "Of all games.", error);
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
            status = kn_lab_measured(run, row, "Errors of the planners, asked again",
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
    kn_lab_expect(run, (uint64_t)(kn_lab_parameter(run, "runs") * kn_lab_parameter(run, "games")) *
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
                       .learner = "hoyle(seq-advisor=second, weights=walk)",
                       .others = {"hoyle(weights=walk)"},
                       .agent = met[i]};
        status = inquire(q, error);
    }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "deciders", "Who loses games against the perfect agent", "%", 1,
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
    .head =
        {"temporal.why",
         "whose decisions lose games, judged by the solved game: why version 2 and Seq-Advisor gain nothing",
         NULL},
    .paper = "lock-2003",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
