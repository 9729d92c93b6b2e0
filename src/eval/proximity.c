/* Goal proximity by facts: how much a position has in common with desirable final positions.
 *
 * The final positions come from random playouts, when the evaluation is prepared. Those with the highest
 * payoff that a role got are desirable for it, unless that is the lowest payoff of the game. A fact is a true
 * fact of the GDL state, or that a certain cell of the board holds a certain symbol. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/gdl.h"
#include "eval/heuristics.h"
#include "eval/sampler.h"

enum { STATES_MAX = 64 };

typedef struct Ends {
    uint64_t *facts; /* Proximity.words of them for each end */
    int count;
    double payoff; /* the same for all */
} Ends;

typedef struct Proximity {
    KnWhose whose;
    int games, keep;
    uint64_t nodes, seed;
    size_t words;
    int symbols;          /* of a cell; 0: facts of GDL */
    uint64_t *mask;       /* facts that differ between ends */
    uint64_t *some, *all; /* facts of some, and of every, end seen */
    Ends ends[KN_ROLES_MAX];
    uint64_t played; /* games so far */
} Proximity;

bool kn_game_has_facts(const KnGame *game)
{
    return kn_game_gdl(game) || (game->cells && game->type->cell && game->cell_symbols);
}

static void facts_of(const KnGame *game, const Proximity *p, const void *position, uint64_t *facts)
{
    if (!p->symbols) {
        memcpy(facts, kn_gdl_facts(position), p->words * sizeof *facts);
        return;
    }
    memset(facts, 0, p->words * sizeof *facts);
    for (int cell = 0; cell < game->cells; cell++) {
        int symbol = game->type->cell(game, position, cell);
        KN_ASSERT(symbol >= 0 && symbol < p->symbols);
        size_t bit = (size_t)cell * (size_t)p->symbols + (size_t)symbol;
        facts[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

/* The largest share of the facts of one end that hold in the position. */
static double nearness(const Proximity *p, const uint64_t *facts, int role)
{
    KN_ASSERT(role >= 0 && role < KN_ROLES_MAX);
    double best = 0;
    const Ends *ends = &p->ends[role];
    for (int i = 0; i < ends->count; i++) {
        const uint64_t *end = ends->facts + (size_t)i * p->words;
        int shared = 0, of = 0;
        for (size_t w = 0; w < p->words; w++) {
            uint64_t wanted = end[w] & p->mask[w];
            of += __builtin_popcountll(wanted);
            shared += __builtin_popcountll(wanted & facts[w]);
        }
        if (of) best = fmax(best, 100.0 * shared / of);
    }
    return best;
}

static double value_for(const KnEvaluation *self, const void *position, int role, double *of_all)
{
    const Proximity *p = self->data;
    uint64_t facts[p->words];
    facts_of(self->game, p, position, facts);
    if (p->whose == KN_OWN && !of_all) return nearness(p, facts, role);
    double others = 0;
    int count = 0;
    for (int r = 0; r < self->game->roles; r++) {
        double value = nearness(p, facts, r);
        if (of_all) of_all[r] = value;
        if (r == role || r == self->game->nature) continue;
        others += value;
        count++;
    }
    if (!count) return nearness(p, facts, role);
    others /= count;
    return p->whose == KN_OTHERS ? others : 50 + (nearness(p, facts, role) - others) / 2;
}

static KnScore score_for(const KnEvaluation *self, const void *position, int role)
{
    return kn_score_of_percent(value_for(self, position, role, NULL));
}

static KnScore score(const KnEvaluation *self, const void *position)
{
    const KnGame *game = self->game;
    return score_for(self, position, game->type->mover ? game->type->mover(game, position) : 0);
}

static void explain(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                    KnExplanation *parent)
{
    const Proximity *p = self->data;
    double values[KN_ROLES_MAX];
    value_for(self, position, role, values);
    for (int r = 0; r < self->game->roles; r++) {
        if (r == self->game->nature || (p->whose == KN_OWN && r != role) ||
            (p->whose == KN_OTHERS && r == role))
            continue;
        kn_explanation_bar(arena, parent,
                           kn_arena_printf(arena, "facts shared by %s with the nearest of %d good ends",
                                           self->game->role_names ? self->game->role_names[r] : "the role",
                                           p->ends[r].count),
                           values[r], 0, 100, "%");
    }
}

/* ---- Collecting ends ---- */

static void keep_end(Proximity *p, Ends *ends, const uint64_t *facts, double payoff, double lowest)
{
    KN_ASSERT(ends->count <= p->keep && p->keep <= STATES_MAX);
    if (payoff <= lowest || payoff < ends->payoff) return;
    if (payoff > ends->payoff) ends->count = 0;
    ends->payoff = payoff;
    for (int i = 0; i < ends->count; i++)
        if (memcmp(ends->facts + (size_t)i * p->words, facts, p->words * sizeof *facts) == 0) return;
    if (ends->count < p->keep)
        memcpy(ends->facts + (size_t)ends->count++ * p->words, facts, p->words * sizeof *facts);
}

static void add_end(const KnGame *game, Proximity *p, const void *position, const double *payoffs)
{
    uint64_t facts[p->words];
    facts_of(game, p, position, facts);
    for (size_t w = 0; w < p->words; w++) {
        p->some[w] |= facts[w];
        p->all[w] &= facts[w];
    }
    for (int role = 0; role < game->roles; role++)
        keep_end(p, &p->ends[role], facts, payoffs[role], game->payoff_low);
    p->played++;
}

static KnStatus prepare(KnEvaluation *self, double seconds, KnError *error)
{
    Proximity *p = self->data;
    const KnGame *game = self->game;
    KnSampler *sampler = kn_sampler_new(game, p->seed + p->played, p->nodes, seconds, error);
    if (!sampler) return KN_SYSTEM;
    double payoffs[KN_ROLES_MAX];
    for (int i = 0; (seconds > 0 || i < p->games) && !kn_sampler_spent(sampler); i++) {
        while (kn_sampler_step(sampler)) continue;
        if (kn_sampler_over(sampler, payoffs)) add_end(game, p, kn_sampler_position(sampler), payoffs);
        kn_sampler_again(sampler);
    }
    kn_sampler_free(sampler);
    for (size_t w = 0; w < p->words; w++) p->mask[w] = p->some[w] & ~p->all[w];
    return KN_OK;
}

/* ---- Life ---- */

static void close(KnEvaluation *self)
{
    Proximity *p = self->data;
    if (!p) return;
    for (int role = 0; role < KN_ROLES_MAX; role++) free(p->ends[role].facts);
    free(p->mask);
    free(p->some);
    free(p->all);
    free(p);
}

static KnStatus open(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    const KnGame *game = evaluation->game;
    if (!kn_game_has_facts(game))
        return kn_fail(error, KN_INPUT, "%s has neither facts nor a board that proximity could compare",
                       game->spec);
    Proximity *p = evaluation->data = calloc(1, sizeof *p);
    evaluation->close = close;
    if (!p) return kn_fail_memory(error, "opening an evaluation");
    p->whose = (KnWhose)kn_option_choice(options, "who");
    p->games = (int)kn_option_integer(options, "games");
    p->keep = (int)kn_option_integer(options, "ends");
    p->nodes = (uint64_t)kn_option_integer(options, "nodes");
    p->seed = (uint64_t)kn_option_integer(options, "seed");
    KnGdlMachine *machine = kn_game_gdl(game);
    p->symbols = machine ? 0 : (int)strlen(game->cell_symbols);
    p->words = machine ? kn_gdl_machine_words(machine) : ((size_t)game->cells * (size_t)p->symbols + 63) / 64;
    p->mask = calloc(p->words, sizeof *p->mask);
    p->some = calloc(p->words, sizeof *p->some);
    p->all = malloc(p->words * sizeof *p->all);
    bool room = p->mask && p->some && p->all;
    for (int role = 0; role < game->roles && room; role++) {
        p->ends[role] = (Ends){malloc((size_t)p->keep * p->words * sizeof(uint64_t)), 0, -INFINITY};
        room = p->ends[role].facts;
    }
    if (!room) return kn_fail_memory(error, "opening an evaluation");
    memset(p->all, 0xff, p->words * sizeof *p->all);
    evaluation->score = score;
    evaluation->score_for = score_for;
    evaluation->explain = explain;
    evaluation->prepare = prepare;
    evaluation->payoffs = true;
    evaluation->one_sided = p->whose != KN_BOTH || game->roles != 2;
    return KN_OK;
}

static const KnOption options[] = {
    KN_WHOSE_OPTION,
    {"games", KN_OPTION_INTEGER, "100", 0, 1e6, NULL,
     "random games to collect ends from, unless there is a start clock"},
    {"ends", KN_OPTION_INTEGER, "16", 1, STATES_MAX, NULL, "desirable ends to keep"},
    {"nodes", KN_OPTION_INTEGER, "20000", 1, 1e12, NULL,
     "the largest number of positions in all these games"},
    {"seed", KN_OPTION_INTEGER, "1", 0, 1e15, NULL, "seed of these games"},
    {0}};

const KnEvaluationType kn_evaluation_proximity = {
    {"proximity", "facts in common with the nearest desirable end that was met", options}, open};
