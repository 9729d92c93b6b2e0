#include "eval/heuristics.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/gdl.h"

int kn_feasible(const KnGame *game, int role)
{
    KnGdlMachine *machine = kn_game_gdl(game);
    int count = machine ? (int)kn_gdl_feasible(machine, role) : game->max_moves;
    return count > 0 ? count : 1;
}

/* Combines the values of all roles into one for `role`. Nature is not an opponent. */
static double combine(const KnGame *game, const double *values, int role, KnWhose whose)
{
    KN_ASSERT(role >= 0 && role < game->roles && game->roles <= KN_ROLES_MAX);
    if (whose == KN_OWN) return values[role];
    double total = 0;
    int count = 0;
    for (int r = 0; r < game->roles; r++) {
        if (r == role || r == game->nature) continue;
        total += values[r];
        count++;
    }
    if (!count) return values[role];
    double others = total / count;
    return whose == KN_OTHERS ? others : 50 + (values[role] - others) / 2;
}

/* In a two-player zero-sum game a value against the other's is antisymmetric. */
static void finish_open(KnEvaluation *evaluation, KnWhose whose)
{
    evaluation->payoffs = true;
    evaluation->one_sided = whose != KN_BOTH || evaluation->game->roles != 2;
}

static KnScore score_as_mover(const KnEvaluation *self, const void *position)
{
    const KnGame *game = self->game;
    return self->score_for(self, position, game->type->mover ? game->type->mover(game, position) : 0);
}

static void close_data(KnEvaluation *self) { free(self->data); }

/* ---- Mobility and focus ---- */

enum { STEPS_MAX = 4 };

typedef struct Mobility {
    KnWhose whose;
    bool states, focus;
    int steps;
    uint32_t plays; /* the largest number of positions */
} Mobility;

/* A depth-first walk over all lines from a position. */
typedef struct Walk {
    const KnGame *game;
    uint32_t plays, limit;
    double actions[KN_ROLES_MAX]; /* sums over the positions at the ends of the lines */
    uint32_t ends;
    uint64_t *seen; /* hashes of visited states, open addressing, 0 for none; NULL: not counted */
    uint32_t mask, distinct;
} Walk;

static void remember(Walk *walk, uint64_t hash)
{
    hash += hash == 0;
    KN_ASSERT(walk->distinct <= walk->mask / 2 + 1);
    uint32_t i = (uint32_t)(hash >> 32) & walk->mask;
    while (walk->seen[i] && walk->seen[i] != hash) i = (i + 1) & walk->mask;
    if (walk->seen[i]) return;
    walk->seen[i] = hash;
    walk->distinct++;
}

static void count_actions(Walk *walk, const void *position)
{
    KnMove moves[walk->game->max_moves];
    for (int role = 0; role < walk->game->roles; role++)
        walk->actions[role] += kn_game_moves_of(walk->game, position, role, moves);
    walk->ends++;
}

/* Depth first, with one position in memory for each step. It stops at the limit of positions. */
static void walk_on(Walk *walk, const void *position, int steps)
{
    const KnGame *game = walk->game;
    KN_ASSERT(steps >= 0 && steps <= STEPS_MAX);
    uint32_t movers = steps ? kn_game_movers(game, position) : 0;
    if (!movers) {
        if (!walk->seen) count_actions(walk, position);
        return;
    }
    int count[KN_ROLES_MAX], at[KN_ROLES_MAX] = {0};
    KnMove moves[(size_t)game->roles * (size_t)game->max_moves];
    for (int role = 0; role < game->roles; role++)
        count[role] = movers >> role & 1
                          ? kn_game_moves_of(game, position, role, moves + role * game->max_moves)
                          : 0;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    for (int role = 0; role < game->roles && walk->plays < walk->limit;) {
        KnMove joint[KN_ROLES_MAX];
        for (int r = 0; r < game->roles; r++)
            joint[r] = count[r] ? moves[r * game->max_moves + at[r]] : KN_MOVE_NONE;
        memcpy(next, position, game->position_size);
        kn_game_play_joint(game, next, joint);
        walk->plays++;
        if (walk->seen) remember(walk, game->type->hash(game, next));
        walk_on(walk, next, steps - 1);
        for (role = 0; role < game->roles && (!count[role] || ++at[role] == count[role]); role++)
            at[role] = 0;
    }
}

static void mobility_of_all(const KnEvaluation *self, const void *position, double *values, uint64_t *plays)
{
    const Mobility *m = self->data;
    const KnGame *game = self->game;
    uint32_t slots = 1;
    while (m->states && slots < 2 * m->plays) slots *= 2;
    uint64_t seen[slots];
    Walk walk = {.game = game, .limit = m->plays, .seen = m->states ? seen : NULL, .mask = slots - 1};
    if (m->states) memset(seen, 0, sizeof seen);
    walk_on(&walk, position, m->steps);
    *plays += walk.plays;
    for (int role = 0; role < game->roles; role++) {
        double share = m->states   ? (double)walk.distinct / m->plays
                       : walk.ends ? walk.actions[role] / walk.ends / kn_feasible(game, role)
                                   : 0;
        values[role] = m->focus ? 100 - 100 * share : 100 * share;
    }
}

static KnScore score_mobility(const KnEvaluation *self, const void *position, int role, uint64_t *plays)
{
    const Mobility *m = self->data;
    if (m->steps == 0 && m->whose == KN_OWN) { /* the common case needs no other role */
        KnMove moves[self->game->max_moves];
        double share = (double)kn_game_moves_of(self->game, position, role, moves) /
                       kn_feasible(self->game, role);
        return kn_score_of_percent(m->focus ? 100 - 100 * share : 100 * share);
    }
    double values[KN_ROLES_MAX];
    mobility_of_all(self, position, values, plays);
    return kn_score_of_percent(combine(self->game, values, role, m->whose));
}

static KnScore score_mobility_for(const KnEvaluation *self, const void *position, int role)
{
    uint64_t plays = 0;
    return score_mobility(self, position, role, &plays);
}

static void explain_mobility(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                             KnExplanation *parent)
{
    const Mobility *m = self->data;
    const KnGame *game = self->game;
    double values[KN_ROLES_MAX];
    uint64_t plays = 0;
    mobility_of_all(self, position, values, &plays);
    for (int r = 0; r < game->roles; r++) {
        if (r == game->nature || (m->whose == KN_OWN && r != role) || (m->whose == KN_OTHERS && r == role))
            continue;
        kn_explanation_bar(arena, parent,
                           kn_arena_printf(arena, "%s of %s", m->focus ? "focus" : "mobility",
                                           game->role_names ? game->role_names[r] : "the role"),
                           values[r], 0, 100, "%");
    }
}

static KnStatus open_either(KnEvaluation *evaluation, const KnOptions *options, bool focus, KnError *error)
{
    Mobility *m = evaluation->data = calloc(1, sizeof *m);
    evaluation->close = close_data;
    if (!m) return kn_fail_memory(error, "opening an evaluation");
    *m = (Mobility){.whose = (KnWhose)kn_option_choice(options, "who"),
                    .states = kn_option_choice(options, "basis") == 1,
                    .focus = focus,
                    .steps = (int)kn_option_integer(options, "steps"),
                    .plays = (uint32_t)kn_option_integer(options, "plays")};
    if (m->states && m->steps == 0)
        return kn_fail(error, KN_INPUT, "mobility by states that can be reached needs steps of at least 1");
    if (m->states && m->whose != KN_OWN)
        return kn_fail(error, KN_INPUT,
                       "reachable states are the same for all roles: who=%s makes no difference",
                       m->whose == KN_OTHERS ? "others" : "both");
    evaluation->score = score_as_mover;
    evaluation->score_for = score_mobility_for;
    evaluation->score_counted = score_mobility;
    evaluation->explain = explain_mobility;
    finish_open(evaluation, m->whose);
    return KN_OK;
}

static KnStatus open_mobility(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    return open_either(evaluation, options, false, error);
}

static KnStatus open_focus(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    return open_either(evaluation, options, true, error);
}

static const KnOption mobility_options[] = {
    KN_WHOSE_OPTION,
    {"steps", KN_OPTION_INTEGER, "0", 0, STEPS_MAX, NULL, "how many joint moves to look ahead"},
    {"basis", KN_OPTION_CHOICE, "actions", 0, 0, "actions|states",
     "count legal actions as a share of the feasible ones, or reachable states"},
    {"plays", KN_OPTION_INTEGER, "1000", 1, 20000, NULL,
     "the largest number of positions to play; states count as a share of it"},
    {0}};

const KnEvaluationType kn_evaluation_mobility = {
    {"mobility", "legal actions of a role as a share of its feasible ones", mobility_options}, open_mobility};
const KnEvaluationType kn_evaluation_focus = {
    {"focus", "how few choices a role has: 100 less mobility", mobility_options}, open_focus};

/* ---- The goal relation before the end ---- */

bool kn_game_has_goals(const KnGame *game) { return kn_game_gdl(game) != NULL; }

static double goal_of(const KnGame *game, const void *position, int role)
{
    int value = 0;
    KnError error;
    if (kn_gdl_goal(kn_game_gdl(game), kn_gdl_facts(position), role, &value, &error) != KN_OK) value = 0;
    return value < 0 ? 0 : value;
}

static KnScore score_goal_for(const KnEvaluation *self, const void *position, int role)
{
    KnWhose whose = *(const KnWhose *)self->data;
    double values[KN_ROLES_MAX];
    for (int r = 0; r < self->game->roles; r++) values[r] = goal_of(self->game, position, r);
    return kn_score_of_percent(combine(self->game, values, role, whose));
}

static void explain_goal(const KnEvaluation *self, const void *position, int role, KnArena *arena,
                         KnExplanation *parent)
{
    (void)role;
    for (int r = 0; r < self->game->roles; r++)
        if (r != self->game->nature)
            kn_explanation_bar(arena, parent, kn_arena_printf(arena, "goal of %s", self->game->role_names[r]),
                               goal_of(self->game, position, r), 0, 100, "");
}

static KnStatus open_goal(KnEvaluation *evaluation, const KnOptions *options, KnError *error)
{
    if (!kn_game_has_goals(evaluation->game))
        return kn_fail(error, KN_INPUT, "%s has no goal value before its end: goal needs a game in GDL",
                       evaluation->game->spec);
    KnWhose *whose = evaluation->data = malloc(sizeof *whose);
    evaluation->close = close_data;
    if (!whose) return kn_fail_memory(error, "opening an evaluation");
    *whose = (KnWhose)kn_option_choice(options, "who");
    evaluation->score = score_as_mover;
    evaluation->score_for = score_goal_for;
    evaluation->explain = explain_goal;
    finish_open(evaluation, *whose);
    return KN_OK;
}

static const KnOption goal_options[] = {KN_WHOSE_OPTION, {0}};

const KnEvaluationType kn_evaluation_goal = {
    {"goal", "the goal value that the rules give before the end", goal_options}, open_goal};
