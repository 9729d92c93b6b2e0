/* What a decision costs, beside the shallow search that it comes before: by the processor's time, so that the
 * result depends on the machine. */
#include "lab/allocation/shared.h"
#include "lab/registry.h"

#include "base/clock.h"

typedef struct Costing {
    const KnGame *game;
    const KnExamples *set;
    KnPlayer *player;
    int k;
} Costing;

static int ask_moves(const Costing *c, size_t i, KnMove *moves)
{
    return c->game->type->moves(c->game, kn_example_position(c->set, i), moves);
}

enum {
    TIMES = 5,
    DECISION_TIMES = 60
}; /* the minimum of this many timings: other load on the machine only adds time
    */

/* Seconds that a shallow search takes. */
static KnStatus time_searches(const Costing *c, double *seconds, KnError *error)
{
    KnRng rng = kn_rng_seeded(1);
    KnMove moves[c->game->max_moves];
    double start = kn_clock_cpu();
    for (size_t i = 0; i < c->set->count; i++) {
        const void *position = kn_example_position(c->set, i);
        KnRequest request = {.game = c->game,
                             .position = position,
                             .role = c->game->type->mover(c->game, position),
                             .allowed = moves,
                             .allowed_count = ask_moves(c, i, moves),
                             .rng = &rng};
        KnAnswer answer;
        KnStatus status = kn_allocation_ask(c->player, &request, c->k, NULL, &answer, error);
        if (status != KN_OK) return status;
    }
    *seconds = (kn_clock_cpu() - start) / (double)c->set->count;
    return KN_OK;
}

static KnStatus time_search(const Costing *c, double *seconds, KnError *error)
{
    KnStatus status = KN_OK;
    for (int time = 0; time < TIMES && status == KN_OK; time++) {
        double once = 0;
        status = time_searches(c, &once, error);
        if (!time || once < *seconds) *seconds = once;
    }
    return status;
}

/* Seconds that a decision takes beyond listing the moves, which the search needs anyway. */
static double time_decision(const Costing *c, const KnLearnedPolicy *learned, int *deep)
{
    KnMove moves[c->game->max_moves];
    double listing = 0, deciding = 0;
    int listed = 0;
    for (int time = 0; time < DECISION_TIMES; time++) {
        double start = kn_clock_cpu();
        for (size_t i = 0; i < c->set->count; i++) listed += ask_moves(c, i, moves);
        double between = kn_clock_cpu();
        for (size_t i = 0; i < c->set->count; i++) {
            const void *position = kn_example_position(c->set, i);
            KnDeepBudget left = {.k = 4, .n = 2, .deep = 8, .moves = 40, .deep_left = 4, .moves_left = 20};
            KnAllocationChoice choice = {0};
            int count = ask_moves(c, i, moves);
            KnFeatureSource of = {.position = position,
                                  .role = c->game->type->mover(c->game, position),
                                  .moves = moves,
                                  .count = count,
                                  .made = 20};
            kn_learned_policy_decide(learned, kn_feature_view_leaf(learned->view, learned->tree, &of), &left,
                                     &choice);
            *deep += choice.deep;
            listed -= count;
        }
        double end = kn_clock_cpu();
        if (!time || between - start < listing) listing = between - start;
        if (!time || end - between < deciding) deciding = end - between;
    }
    *deep += listed; /* none: so that the first loop is not left out */
    return (deciding - listing) / (double)c->set->count;
}

static KnStatus measure_row(KnLabRun *run, KnAllocationMaterial *material, const Costing *c,
                            const KnAllocationRow *row, double search, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    KnLearnedPolicy *learned = NULL;
    KnStatus status = kn_allocation_learned(run, material, row->learner, &path, error);
    if (status == KN_OK) status = kn_learned_policy_load(path.data, c->game, &learned, error);
    kn_text_free(&path);
    if (status != KN_OK) return status;
    int deep = 0;
    double seconds = time_decision(c, learned, &deep);
    kn_learned_policy_free(learned);
    status = kn_lab_measured(run, row->name, "nanoseconds", kn_measure_single(1e9 * seconds), NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, row->name, "% of a shallow search",
                                 kn_measure_single(100 * seconds / search), NULL, error);
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    static const KnAllocationRow rows[] = {
        {"Context-sensitive classifier", NULL, &kn_allocation_paper[KN_LEARN_CONTEXT], false},
        {"DC + self-generated features", NULL, &kn_allocation_paper[KN_LEARN_PATTERNS], false},
        {"ours", NULL, &kn_allocation_ours, false},
    };
    const KnAllocationField *field = &kn_allocation_checkers;
    KnAllocationMaterial material = {.field = field};
    KnText inner = KN_TEXT_EMPTY;
    kn_text_printf(&inner, "%s)", field->inner);
    kn_lab_clocked(run);
    KnStatus status = kn_game_open(kn_lab_context(run), field->game, &material.game, error);
    KnExamplesPlan plan = {.inner = inner.data,
                           .k = field->k,
                           .n = field->n,
                           .moves = field->moves,
                           .judge = field->judge,
                           .count = (uint64_t)kn_lab_parameter(run, "positions"),
                           .seed = kn_lab_seed(run, "positions"),
                           .jobs = kn_lab_jobs(run),
                           .cancel = kn_lab_cancel(run)};
    KnExamples set = {0};
    Costing c = {.game = material.game, .set = &set, .k = field->k};
    if (status == KN_OK)
        status = kn_examples_make(kn_lab_context(run), material.game, &plan, NULL, &set, error);
    if (status == KN_OK)
        status = kn_allocation_open_inner(kn_lab_context(run), material.game, inner.data, field->k + field->n,
                                          &c.player, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "cost", "What a decision costs, in processor time", "as named", 2,
                                  error);
    double search = 0;
    if (status == KN_OK) status = time_search(&c, &search, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, "a search of 4 plies", "nanoseconds", kn_measure_single(1e9 * search),
                                 NULL, error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == KN_OK; i++)
        status = measure_row(run, &material, &c, &rows[i], search, error);
    kn_player_close(c.player);
    kn_examples_free(&set);
    kn_text_free(&inner);
    kn_allocation_material_free(&material);
    return status;
}

static const KnParameter parameters[] = {{"positions", 400, 20000,
                                          "Positions of self-play to decide about, sixty times each, and to "
                                          "search, five times; the least time counts."},
                                         KN_ALLOCATION_SETS(2000, 400, 2000),
                                         {0}};

static const KnInterpretation interpretations[] = {
    {"\"A scheme that controls resource allocation must be efficient\" (1): what does a decision cost?",
     "Features and tree, without the list of moves, which the search needs anyway; beside a search of k = 4 "
     "plies of the same player.",
     ""},
    {0}};

static const KnTolerance tolerances[] = {{"*", 0, 0, "Nothing is published."}, {0}};

const KnExperiment kn_allocation_cost = {
    .head = {"allocation.cost", "what a learned decision costs beside a shallow search", NULL},
    .paper = "markovitch-sella-1996",
    .parameters = parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure,
};
