/* Iterative widening in other games (Cazenave 2001, section 6): Phutball, for which the paper has one number,
 * and Fives. */
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/clock.h"
#include "jobs/parallel.h"
#include <knack/base.h>
#include "games/playout.h"
#include "games/fives/goal.h"
#include "games/phutball/goal.h"
#include "lab/registry.h"
#include "lab/widening/shared.h"

enum { TRIED = 3 };
static const int strategies[TRIED] = {1, 3, 9};

typedef struct Field {
    const char *spec;
    KnStatus (*open)(const KnGame *game, const void *position, int attacker, KnGoal **goal, KnError *error);
    void (*free)(KnGoal *goal);
    uint32_t least, most; /* random plies from the start to a position */
} Field;

enum { PHUTBALL, FIVES, FIELDS };
static const Field fields[FIELDS] = {
    [PHUTBALL] = {"phutball(width=11, height=13)", kn_phut_goal_open, kn_phut_goal_free, 20, 60},
    [FIVES] = {"fives", kn_fives_goal_open, kn_fives_goal_free, 16, 40}};

/* A random position between two turns of a game that is not over. False if the playout ended the game. */
static bool random_position(const KnGame *game, const Field *field, KnRng *rng, void *position)
{
    uint32_t plies = field->least + kn_rng_below(rng, field->most - field->least);
    KnMove moves[game->max_moves];
    double payoffs[KN_ROLES_MAX];
    KnPlayout walk = {.game = game, .rng = rng, .plies = (int)plies, .moves = moves};
    game->type->start(game, position);
    if (kn_playout_run(&walk, position, payoffs) != KN_PLAYOUT_CUT) return false;
    for (int chain = 0; chain < 40; chain++) { /* finish a chain of jumps with its last move */
        int mover = game->type->mover(game, position), count = game->type->moves(game, position, moves);
        if (!count) return false;
        if (!(game->traits & KN_GAME_CHAINS) || count > 9) return true;
        game->type->play(game, position, moves[count - 1]);
        if (game->type->mover(game, position) != mover) return game->type->moves(game, position, moves) > 0;
    }
    return false;
}

/* What each strategy needed for one position that the side to move wins. */
typedef struct Taken {
    double seconds[TRIED], nodes[TRIED], solved[TRIED];
} Taken;

static KnStatus try_position(const KnGame *game, const Field *field, const void *position,
                             KnProofSearch **searches, Taken *taken, bool *won, KnError *error)
{
    *won = false;
    for (int i = 0; i < TRIED; i++) {
        KnGoal *goal;
        KnProofAnswer answer;
        KnStatus status = field->open(game, position, game->type->mover(game, position), &goal, error);
        if (status != KN_OK) return status;
        double started = kn_clock_cpu();
        kn_proof_run(searches[i], goal, &answer);
        taken->seconds[i] = kn_clock_cpu() - started;
        taken->nodes[i] = (double)answer.nodes, taken->solved[i] = answer.verdict == KN_PROVED;
        *won |= answer.verdict == KN_PROVED && answer.length > 1; /* a win in one move does not count */
        field->free(goal);
        if (i == 1 && !*won) break; /* neither strategy wins: skip brute force */
    }
    return KN_OK;
}

/* ---- positions, shared out among threads and ranks ---- */

typedef struct Slot {
    Taken taken;
    bool won;
} Slot;

typedef struct Hunt {
    KnLabRun *run;
    const Field *field;
    KnGame *game;
    KnProofSearch *(*searches)[TRIED]; /* by worker */
    int workers;
    uint64_t seed, window;
    Slot *slots;
    Taken *all; /* the positions that count, in order */
    size_t found, wanted;
} Hunt;

static KnStatus open_hunt(Hunt *hunt, uint64_t window, KnError *error)
{
    KnProofOptions options = {.nodes = (uint64_t)kn_lab_parameter(hunt->run, "nodes"),
                              .table_bits = KN_WIDENING_TABLE};
    hunt->workers = kn_jobs(kn_lab_jobs(hunt->run));
    hunt->window = window;
    hunt->seed = kn_lab_seed(hunt->run, "positions");
    hunt->searches = calloc((size_t)hunt->workers, sizeof *hunt->searches);
    hunt->slots = calloc(window, sizeof *hunt->slots);
    KnStatus status = hunt->searches && hunt->slots
                          ? kn_game_open(kn_lab_context(hunt->run), hunt->field->spec, &hunt->game, error)
                          : kn_fail_memory(error, "measuring");
    for (int i = 0; i < TRIED * hunt->workers && status == KN_OK; i++) {
        options.strategy = strategies[i % TRIED];
        status = kn_proof_new(&options, &hunt->searches[i / TRIED][i % TRIED], error);
    }
    return status;
}

static void close_hunt(Hunt *hunt)
{
    for (int i = 0; hunt->searches && i < TRIED * hunt->workers; i++)
        kn_proof_free(hunt->searches[i / TRIED][i % TRIED]);
    free(hunt->searches);
    free(hunt->slots);
    kn_game_close(hunt->game);
}

static KnStatus try_one(void *user, int worker, uint64_t index, KnError *error)
{
    Hunt *hunt = user;
    KN_ASSERT(worker >= 0 && worker < hunt->workers && hunt->window > 0);
    Slot *slot = &hunt->slots[index % hunt->window];
    KnRng rng = kn_rng_stream(hunt->seed, index);
    _Alignas(16) unsigned char position[hunt->game->position_size];
    *slot = (Slot){.won = false};
    if (!random_position(hunt->game, hunt->field, &rng, position)) return KN_OK;
    return try_position(hunt->game, hunt->field, position, hunt->searches[worker], &slot->taken, &slot->won,
                        error);
}

/* Called in order of the index. When enough positions are found, all later ones are ignored, so the result
 * does not depend on the number of workers. */
static KnStatus count_one(void *user, uint64_t index, KnError *error)
{
    Hunt *hunt = user;
    const Slot *slot = &hunt->slots[index % hunt->window];
    if (!slot->won) return KN_OK;
    KN_ASSERT(hunt->found < hunt->wanted);
    hunt->all[hunt->found++] = slot->taken;
    kn_progress_tick(kn_lab_progress(hunt->run), 1);
    return hunt->found < hunt->wanted ? KN_OK : kn_fail(error, KN_STOPPED, "enough");
}

/* ---- the job ---- */

typedef struct Payload {
    KnLabOrigin origin;
    unsigned field;
} Payload;

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    const Payload *sent = payload;
    Hunt *hunt = *user = calloc(1, sizeof *hunt);
    if (!hunt) return kn_fail_memory(error, "measuring");
    KnStatus status = kn_lab_visit(site, &sent->origin, &hunt->run, error);
    if (status != KN_OK) return status;
    if (sent->field >= FIELDS) return kn_fail(error, KN_SYSTEM, "a malformed search for positions");
    hunt->field = &fields[sent->field];
    return open_hunt(hunt, site->window, error);
}

static void close_job(void *user)
{
    Hunt *hunt = user;
    close_hunt(hunt);
    kn_lab_leave(hunt->run);
    free(hunt);
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    const Hunt *hunt = user;
    return &hunt->slots[index % hunt->window];
}

const KnJobType kn_goals_job_type = {
    .name = "goals",
    .summary = "positions that are won by force",
    .payload = KN_LAYOUT(Payload, KN_LAB_ORIGIN(Payload), KN_PLAIN(Payload, field)),
    .open = open_job,
    .close = close_job,
    .run = try_one,
    .result = KN_LAYOUT_PLAIN(Slot),
    .slot = result_slot};

static KnStatus measure(KnLabRun *run, int field, Taken *all, size_t wanted, KnError *error)
{
    Hunt hunt = {.run = run, .field = &fields[field], .all = all, .wanted = wanted};
    Payload payload = {.field = (unsigned)field};
    KnStatus status = open_hunt(&hunt, kn_lab_window(run), error);
    if (status == KN_OK)
        status = kn_lab_share(run, &kn_goals_job_type, 1000 * wanted, hunt.window, &payload.origin, count_one,
                              &hunt, error);
    if (status == KN_OK && hunt.found < wanted)
        status = kn_fail(error, KN_NO, "%s: too few positions are won by force", hunt.field->spec);
    close_hunt(&hunt);
    return status;
}

/* ---- results ---- */

static KnStatus report(KnLabRun *run, const Taken *all, size_t count, KnError *error)
{
    double *columns = calloc(3 * TRIED * count, sizeof *columns), *at[3][TRIED];
    if (!columns) return kn_fail_memory(error, "measuring");
    for (int q = 0; q < 3; q++)
        for (int i = 0; i < TRIED; i++) {
            at[q][i] = columns + (size_t)(q * TRIED + i) * count;
            for (size_t n = 0; n < count; n++)
                at[q][i][n] = q == 0 ? all[n].seconds[i] : q == 1 ? all[n].nodes[i] : all[n].solved[i];
        }
    KnStatus status = kn_lab_measured(run, "OR2-2AND1-2", "nodes of 1 / nodes of 3",
                                      kn_widening_ratio(at[1][0], at[1][1], count), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "OR2-2AND1-2", "time of 1 / time of 3",
                                 kn_widening_ratio(at[0][0], at[0][1], count), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "OR2-2AND1-2", "time of 9 / time of 3",
                                 kn_widening_ratio(at[0][2], at[0][1], count), NULL, error);
    for (int i = 0; i < TRIED && status == KN_OK; i++) {
        char row[64];
        snprintf(row, sizeof row, "%d %s", strategies[i], kn_proof_strategy_name(strategies[i]));
        status = kn_lab_measured(run, row, "time", kn_measure_single(kn_widening_sum(at[0][i], count)), NULL,
                                 error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "nodes", kn_measure_exact(kn_widening_sum(at[1][i], count)),
                                     NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, row, "solved",
                                     kn_measure_share(kn_widening_sum(at[2][i], count), count, 100), NULL,
                                     error);
    }
    free(columns);
    return status;
}

static KnStatus run_field(KnLabRun *run, int field, KnError *error)
{
    size_t count = (size_t)kn_lab_parameter(run, "positions");
    Taken *all = calloc(count, sizeof *all);
    if (!all) return kn_fail_memory(error, "measuring");
    kn_lab_clocked(run);
    kn_lab_expect(run, count);
    KnStatus status = measure(run, field, all, count, error);
    if (status == KN_OK && field == PHUTBALL) {
        double *both = calloc(2 * count, sizeof *both);
        for (size_t i = 0; both && i < count; i++)
            both[i] = all[i].seconds[0], both[count + i] = all[i].seconds[1];
        status = both ? kn_lab_table(run, "phutball", error) : kn_fail_memory(error, "measuring");
        if (status == KN_OK)
            status = kn_lab_cell(run, "OR2-2AND1-2", "speed-up", kn_widening_ratio(both, both + count, count),
                                 NULL, error);
        free(both);
    } else if (status == KN_OK)
        status = kn_lab_own_table(run, "fives", "Fives: forced lines, by three strategies", "", 2, error);
    if (status == KN_OK) status = report(run, all, count, error);
    free(all);
    return status;
}

static const KnParameter parameters[] = {{"positions", 8, 200,
                                          "That the side to move wins by force within the bound, as strategy "
                                          "1 or 3 proves; wins in one move do not count."},
                                         {"nodes", 3000, 20000, "Positions played that bound each search."},
                                         {0}};

static const KnSize middle[] = {{"positions", 100}, {0}};

static const KnTolerance tolerances[] = {{"*", 0.1, 0, "Only claims are published."}, {0}};

static const KnInterpretation phutball_interpretations[] = {
    {"Which positions?", "From 20 to 60 random moves on 11x13 points, the side to move attacking.",
     "The paper says nothing of its positions."},
    {"A speed-up over what?", "Over the search without widening (strategy 1), in processor time.", ""},
    {"Which sets?",
     "OR2: all chains of jumps and men that one's own chains could use; AND1 and AND2: defences to a goal "
     "within two and three turns.",
     ""},
    {0}};

static KnStatus run_phutball(KnLabRun *run, KnError *error) { return run_field(run, PHUTBALL, error); }

const KnExperiment kn_widening_phutball = {
    .head = {"widening.phutball", "iterative widening in Phutball: forced goals", NULL},
    .paper = "cazenave-2001",
    .source = "phutball",
    .parameters = parameters,
    .middle = middle,
    .interpretations = phutball_interpretations,
    .tolerances = tolerances,
    .run = run_phutball,
};

static const KnInterpretation fives_interpretations[] = {
    {"Which positions?", "From 16 to 40 random moves on 10x10 cells, the side to move attacking.",
     "The paper names Gomoku among the games that should benefit, without a measurement."},
    {0}};

static KnStatus run_fives(KnLabRun *run, KnError *error) { return run_field(run, FIVES, error); }

const KnExperiment kn_widening_fives = {
    .head = {"widening.fives", "iterative widening in Fives: forced lines", NULL},
    .paper = "cazenave-2001",
    .parameters = parameters,
    .middle = middle,
    .interpretations = fives_interpretations,
    .tolerances = tolerances,
    .run = run_fives,
};
