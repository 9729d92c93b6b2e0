#include "methods/widening/capture_certified.h"

#include <stdio.h>

#include "base/assert.h"
#include "games/go/capture.h"
#include "methods/widening/capture_self_play.h"
#include "methods/widening/capture_volumes.h"

enum {
    SIZE = 9,
    MOVES_LEAST = 2, /* of the attacker: the first volume; one more in each */
    MOVES_MOST = MOVES_LEAST + KN_CAPTURE_VOLUMES - 1,
    NODES = 400000, /* of one question; where they do not suffice the string is left out */
    GAMES_MOST = 100000
};

/* ---- exhaustive search ---- */

static bool spent(const KnGoalCount *played) { return played->most && played->nodes >= played->most; }

/* Whether the attacker captures within k more moves whatever the defender, to move, does. */
static bool whatever(KnGoal *goal, int k, KnGoalCount *played)
{
    int moves[KN_GOAL_MOVES_MAX + 1], count = goal->type->legal(goal, moves + 1);
    moves[0] = KN_GOAL_PASS; /* first: it mostly refutes */
    for (int i = 0; i <= count; i++) {
        if (spent(played) || !goal->type->play(goal, moves[i])) return false;
        played->nodes++;
        bool captured = kn_capture_exhaustively(goal, k, played);
        goal->type->undo(goal);
        if (!captured) return false;
    }
    return true;
}

/* A move of the attacker takes one liberty at most, and the defender may pass: a string with more liberties
 * than moves are left is not captured. That is all that is left out. */
static bool captures(KnGoal *goal, int move, int k, KnGoalCount *played)
{
    if (spent(played) || !goal->type->play(goal, move)) return false;
    played->nodes++;
    bool captured = goal->type->standing(goal) == KN_GOAL_REACHED ||
                    (goal->type->needs(goal) < k && whatever(goal, k - 1, played));
    goal->type->undo(goal);
    return captured;
}

bool kn_capture_exhaustively(KnGoal *goal, int k, KnGoalCount *played)
{
    KN_ASSERT(goal->attacking);
    if (goal->type->standing(goal) != KN_GOAL_OPEN || goal->type->needs(goal) > k) return false;
    int moves[KN_GOAL_MOVES_MAX], count = goal->type->legal(goal, moves);
    for (int i = 0; i < count; i++)
        if (captures(goal, moves[i], k, played)) return true;
    return false;
}

/* ---- the set ---- */

typedef struct Set {
    KnGame *game;
    KnCaptureVolumes volumes;
    int counts[KN_CAPTURE_VOLUMES];
    uint64_t seed;
} Set;

/* The least number of moves that capture, exactly; 0: more than MOVES_MOST, or not known. */
static int least_moves(KnCapture *c, uint64_t *nodes)
{
    KnGoalCount played = {0, NODES};
    for (int k = 1; k <= MOVES_MOST && !spent(&played); k++)
        if (kn_capture_exhaustively(&c->goal, k, &played)) {
            *nodes = played.nodes;
            return k;
        }
    return 0;
}

/* All first moves that capture within k; false: that is not known of each. */
static bool list_moves(KnCapture *c, int k, KnCaptureProblem *problem)
{
    int moves[KN_GOAL_MOVES_MAX], count = c->goal.type->legal(&c->goal, moves);
    for (int i = 0; i < count; i++) {
        KnGoalCount played = {0, NODES};
        bool captured = captures(&c->goal, moves[i], k, &played);
        if (spent(&played) || (captured && problem->count == KN_PROBLEM_MOVES)) return false;
        if (captured) problem->moves[problem->count++] = kn_strings_move(c->strings, problem->game, moves[i]);
    }
    return true;
}

/* A string as a problem, if it is one of those that are wanted. */
static KnStatus take(Set *set, uint64_t index, int cell, const void *position, KnError *error)
{
    KnCapture *c;
    KnStatus status = kn_capture_open(set->game, position, cell, &c, error);
    if (status != KN_OK) return status;
    KnCaptureProblem problem = {.game = set->game,
                                .position = (void *)(uintptr_t)position,
                                .target = cell,
                                .attack = true,
                                .first = true,
                                .answer = 1};
    c->kind = KN_CAPTURE_FIRST;
    int k = least_moves(c, &problem.nodes), volume = k - MOVES_LEAST;
    if (volume >= 0 && set->counts[volume] < set->volumes.quota[volume] && list_moves(c, k, &problem)) {
        char id[64];
        KnText vertex = KN_TEXT_EMPTY;
        set->game->type->cell_name(set->game, cell, &vertex);
        snprintf(id, sizeof id, "x%llu-%llu-%.4s", (unsigned long long)set->seed, (unsigned long long)index,
                 vertex.data);
        kn_text_free(&vertex);
        problem.id = id, problem.plies = 2 * k - 1, problem.volume = volume + 1;
        kn_problem_write(&problem, &set->volumes.lines[volume]);
        kn_text_add_char(&set->volumes.lines[volume], '\n');
        set->counts[volume]++, set->volumes.made++;
    }
    kn_capture_free(c);
    return KN_OK;
}

/* At most one problem of each game. */
static KnStatus from_game(void *user, uint64_t index, KnError *error)
{
    Set *set = user;
    KnRng rng = kn_rng_stream(set->seed, index);
    KnStrings *s = kn_capture_self_play(SIZE, &rng);
    _Alignas(16) unsigned char position[set->game->position_size];
    if (!s) return kn_fail_memory(error, "making problems");
    KnStatus status = KN_OK;
    int from = (int)kn_rng_below(&rng, SIZE * SIZE), made = set->volumes.made;
    for (int i = 0; i < SIZE * SIZE && status == KN_OK && set->volumes.made == made; i++) {
        int cell = (from + i) % (SIZE * SIZE), point = kn_strings_point(s, cell % SIZE, cell / SIZE);
        if (s->colour[point] == KN_STONE_NONE || s->head[point] != point) continue;
        if (s->string[point].liberties < 2 || s->string[point].liberties > MOVES_MOST) continue;
        status = kn_capture_position(s, set->game, KN_STONE_OTHER(s->colour[point]) - 1, position, error);
        if (status == KN_OK) status = take(set, index, cell, position, error);
    }
    kn_strings_free(s);
    return status;
}

KnStatus kn_capture_certify(const KnContext *context, const KnCaptureMaking *making, KnText *out,
                            KnError *error)
{
    Set set = {.seed = making->seed, .volumes = kn_capture_volumes(making)};
    KnStatus status = kn_game_open(context, "go(size=9, superko=none)", &set.game, error);
    if (status == KN_OK)
        status = kn_capture_fill(making, &set.volumes, GAMES_MOST, from_game, &set, out, error);
    kn_game_close(set.game);
    return status;
}
