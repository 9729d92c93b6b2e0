#include "games/fives/goal.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"
#include "games/fives/fives.h"

enum { PLIES = 400, WORDS = 2 * KN_FIVES_WORDS + 1, FORCED_NODES = 600 };

typedef struct FivesGoal {
    KnGoal goal; /* first */
    const KnGame *game;
    const KnFives *f;
    int attacker, ply;
    uint64_t positions[PLIES][WORDS]; /* positions before each move, for undo */
} FivesGoal;

static FivesGoal *of(const KnGoal *goal) { return (FivesGoal *)(uintptr_t)goal; }
static uint64_t *now(const FivesGoal *g) { return ((FivesGoal *)(uintptr_t)g)->positions[g->ply]; }

KnMove kn_fives_goal_move(int move) { return (KnMove)(move - 1); }

static bool play(KnGoal *goal, int move)
{
    FivesGoal *g = of(goal);
    if (g->ply + 1 >= PLIES) return false;
    memcpy(g->positions[g->ply + 1], g->positions[g->ply], g->game->position_size);
    g->ply++;
    if (move == KN_GOAL_PASS)
        now(g)[2 * g->f->words] ^= KN_FIVES_MOVER;
    else
        g->game->type->play(g->game, now(g), kn_fives_goal_move(move));
    goal->attacking = !goal->attacking;
    return true;
}

static void undo(KnGoal *goal)
{
    of(goal)->ply--;
    goal->attacking = !goal->attacking;
}

static KnGoalStanding standing(const KnGoal *goal)
{
    const FivesGoal *g = of(goal);
    if (kn_fives_state(g->f, now(g)) & KN_FIVES_WON)
        return goal->attacking ? KN_GOAL_LOST : KN_GOAL_REACHED; /* the side that moved last has the line */
    return kn_fives_best_row(g->f, now(g), g->attacker) < 0 ? KN_GOAL_LOST : KN_GOAL_OPEN;
}

static int needs(const KnGoal *goal)
{
    const FivesGoal *g = of(goal);
    int lacking = g->f->line - kn_fives_best_row(g->f, now(g), g->attacker);
    return lacking < 1 ? 1 : lacking;
}

static uint64_t hash(const KnGoal *goal)
{
    const FivesGoal *g = of(goal);
    return g->game->type->hash(g->game, now(g)) ^
           kn_mix64((uint64_t)g->attacker << 1 | (uint64_t)goal->attacking);
}

/* ---- Move lists: each cell once, in order of first appearance ---- */

typedef struct List {
    const FivesGoal *g;
    int *moves, count;
    uint64_t seen[KN_FIVES_WORDS];
} List;

static void add_cells(List *list, const uint64_t *cells)
{
    for (int w = 0; w < list->g->f->words; w++) {
        uint64_t fresh = cells[w] & ~list->seen[w];
        list->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) list->moves[list->count++] = w * 64 + __builtin_ctzll(fresh) + 1;
    }
}

static void add_winning(List *list, int role)
{
    uint64_t cells[KN_FIVES_WORDS];
    kn_fives_winning(list->g->f, now(list->g), role, cells);
    add_cells(list, cells);
}

static void add_rows(List *list, int role, int least)
{
    uint64_t cells[KN_FIVES_WORDS];
    kn_fives_row_cells(list->g->f, now(list->g), role, least, cells);
    add_cells(list, cells);
}

/* Cells of rows that lack at most `lacking` men, fuller rows first; moves that complete or stop a line come
 * first. */
static int list_attacks(const FivesGoal *g, int lacking, int *moves)
{
    KN_ASSERT(lacking >= 1);
    List list = {.g = g, .moves = moves};
    add_winning(&list, g->attacker);
    if (list.count) return list.count;
    add_winning(&list, 1 - g->attacker);
    if (list.count) return list.count;
    for (int n = 1; n <= lacking; n++) add_rows(&list, g->attacker, g->f->line - n);
    return list.count;
}

static int attacks(KnGoal *goal, int within, int *moves) { return list_attacks(of(goal), within, moves); }

static int defences(KnGoal *goal, int within, int *moves)
{
    const FivesGoal *g = of(goal);
    List list = {.g = g, .moves = moves};
    add_winning(&list, 1 - g->attacker);
    add_winning(&list, g->attacker);
    for (int n = 1; n <= within; n++) {
        add_rows(&list, g->attacker, g->f->line - n);
        add_rows(&list, 1 - g->attacker, g->f->line - n);
    }
    return list.count;
}

static int legal(KnGoal *goal, int *moves)
{
    const FivesGoal *g = of(goal);
    List list = {.g = g, .moves = moves};
    uint64_t cells[KN_FIVES_WORDS];
    const uint64_t *x = kn_fives_men(g->f, now(g), 0), *o = kn_fives_men(g->f, now(g), 1);
    for (int w = 0; w < g->f->words; w++) cells[w] = g->f->board[w] & ~(x[w] | o[w]);
    add_cells(&list, cells);
    return list.count;
}

/* OR1: moves that leave a row one short; OR2: two short (Cazenave 2001). */
static int widen(KnGoal *goal, KnWidth width, int *moves)
{
    return width == KN_WIDTH_ALL ? legal(goal, moves)
                                 : list_attacks(of(goal), width == KN_WIDTH_NARROW ? 2 : 3, moves);
}

/* ---- Quiescence: continuous threats to win, read to the end ---- */

static bool by_threats(FivesGoal *g, uint64_t *nodes, uint64_t most);

/* After an attacking move: the attacker wins if a line cannot be stopped; if one cell stops it, that is the
 * reply. */
static bool unstoppable(FivesGoal *g, uint64_t *nodes, uint64_t most)
{
    int moves[KN_GOAL_MOVES_MAX];
    List theirs = {.g = g, .moves = moves};
    add_winning(&theirs, 1 - g->attacker);
    if (theirs.count) return false;
    List cells = {.g = g, .moves = moves};
    add_winning(&cells, g->attacker);
    if (cells.count != 1) return cells.count > 1;
    if (*nodes >= most || !play(&g->goal, moves[0])) return false;
    ++*nodes;
    bool wins = standing(&g->goal) == KN_GOAL_OPEN && by_threats(g, nodes, most);
    undo(&g->goal);
    return wins;
}

static bool by_threats(FivesGoal *g, uint64_t *nodes, uint64_t most)
{
    int moves[KN_GOAL_MOVES_MAX];
    if (*nodes >= most) return false;
    List own = {.g = g, .moves = moves};
    add_winning(&own, g->attacker);
    if (own.count) return true;
    int count = list_attacks(g, 2, moves);
    for (int i = 0; i < count && *nodes < most; i++) {
        if (!play(&g->goal, moves[i])) return false;
        ++*nodes;
        bool wins = standing(&g->goal) == KN_GOAL_OPEN && unstoppable(g, nodes, most);
        undo(&g->goal);
        if (wins) return true;
    }
    return false;
}

static bool forced(KnGoal *goal, KnGoalCount *played)
{
    FivesGoal *g = of(goal);
    uint64_t most = played->nodes + FORCED_NODES;
    if (played->most && most > played->most) most = played->most;
    return goal->attacking ? by_threats(g, &played->nodes, most) : unstoppable(g, &played->nodes, most);
}

static const KnGoalType fives_type = {.name = "line",
                                      .play = play,
                                      .undo = undo,
                                      .standing = standing,
                                      .needs = needs,
                                      .hash = hash,
                                      .attacks = attacks,
                                      .defences = defences,
                                      .widen = widen,
                                      .legal = legal,
                                      .forced = forced};

KnStatus kn_fives_goal_open(const KnGame *game, const void *position, int attacker, KnGoal **goal,
                            KnError *error)
{
    *goal = NULL;
    if (strcmp(game->type->head.name, "fives"))
        return kn_fail(error, KN_INPUT, "lines are of Fives, not of %s", game->spec);
    FivesGoal *g = calloc(1, sizeof *g);
    if (!g) return kn_fail_memory(error, "opening a goal");
    g->goal.type = &fives_type;
    g->game = game, g->f = kn_fives_of(game), g->attacker = attacker;
    memcpy(g->positions[0], position, game->position_size);
    g->goal.attacking = game->type->mover(game, position) == attacker;
    *goal = &g->goal;
    return KN_OK;
}

void kn_fives_goal_free(KnGoal *goal) { free(goal ? of(goal) : NULL); }

void kn_fives_goal_turn(KnGoal *goal, bool attacking)
{
    FivesGoal *g = of(goal);
    if (goal->attacking != attacking) now(g)[2 * g->f->words] ^= KN_FIVES_MOVER;
    goal->attacking = attacking;
}

static int steps(KnGoal *goal, int move, KnMove *moves)
{
    (void)goal;
    moves[0] = kn_fives_goal_move(move);
    return 1;
}

const KnGoalProvider kn_fives_goals = {
    .open = kn_fives_goal_open, .free = kn_fives_goal_free, .steps = steps};
