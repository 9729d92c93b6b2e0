/* The exact solver for games of one role, as a player: solves once, then plays what it found. Where a budget
 * ends it before an end was met, it moves at random. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "players/registry.h"
#include "players/search_player.h"
#include "search/puzzle.h"

typedef struct Solver {
    KnPuzzle *puzzle;
    KnBudget budget;
    KnMove *line; /* the way found, and the position that it goes on from */
    int length, next;
    unsigned char *expected;
    bool proved, shortest;
    KnPuzzleSearch search;
    double payoff;
    uint64_t nodes, stored; /* it took */
    int depth;
} Solver;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Solver *s = player->data = calloc(1, sizeof *s);
    if (!s) return kn_fail_memory(error, "opening a player");
    s->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    s->budget.seconds = kn_option_real(options, "time");
    if (s->budget.seconds > 0) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    s->expected = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    if (!s->expected) return kn_fail_memory(error, "opening a player");
    s->puzzle = kn_puzzle_new(player->game, (size_t)kn_option_integer(options, "memory") << 20, error);
    if (!s->puzzle) return error ? error->status : KN_SYSTEM;
    return kn_puzzle_use(s->puzzle, (KnPuzzleSearch)kn_option_choice(options, "search"), error);
}

static void close(KnPlayer *player)
{
    Solver *s = player->data;
    if (!s) return;
    kn_puzzle_free(s->puzzle);
    free(s->line);
    free(s->expected);
    free(s);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role, (void)error;
    Solver *s = player->data;
    bool prepared = s->length && !s->next && memcmp(s->expected, position, player->game->position_size) == 0;
    if (!prepared) s->length = s->next = 0;
    return KN_OK;
}

static KnStatus solve(Solver *s, const KnGame *game, const void *position, const KnBudget *budget,
                      const atomic_bool *cancel, KnError *error)
{
    KN_ASSERT(s->expected);
    KnPuzzleResult found;
    KnStatus status = kn_puzzle_solve(s->puzzle, position, budget, cancel, &found, error);
    if (status != KN_OK) return status;
    s->length = s->next = 0;
    s->proved = found.proved;
    s->shortest = found.shortest;
    s->search = found.search;
    s->payoff = found.payoff;
    s->nodes = found.nodes;
    s->stored = found.stored;
    s->depth = found.depth;
    if (!found.found) return KN_OK;
    KnMove *line = realloc(s->line, ((size_t)found.length + 1) * sizeof *line);
    if (!line) return kn_fail_memory(error, "solving a puzzle");
    s->line = line;
    memcpy(line, found.moves, (size_t)found.length * sizeof *line);
    s->length = found.length;
    memcpy(s->expected, position, game->position_size);
    return KN_OK;
}

/* In the start clock, if there is one: the way found then stands for the whole game. */
static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    (void)role, (void)rng;
    Solver *s = player->data;
    const KnGame *game = player->game;
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    memset(start, 0, sizeof start);
    game->type->start(game, start);
    return seconds > 0 && !kn_game_over(game, start)
               ? solve(s, game, start, &(KnBudget){.seconds = seconds}, NULL, error)
               : KN_OK;
}

static void tell(const Solver *s, const KnRequest *request, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const KnGame *game = request->game;
    const char *move = kn_game_move_name(game, request->position, answer->move, arena);
    if (!answer->has_score) {
        answer->explanation =
            kn_explanation_new(arena, kn_arena_printf(arena, "%s, at random: no end was found", move));
    } else {
        KnText line = KN_TEXT_EMPTY, board = KN_TEXT_EMPTY;
        unsigned char at[game->position_size] __attribute__((aligned(16)));
        memcpy(at, request->position, game->position_size);
        for (int i = s->next; i < s->length; i++) {
            if (i > s->next) kn_text_add_char(&line, ' ');
            game->type->move_text(game, at, s->line[i], &line);
            kn_game_play_joint(game, at, &s->line[i]);
        }
        game->type->position_text(game, request->position, &board);
        answer->explanation = kn_explanation_new(
            arena, kn_arena_printf(arena, "%s leads to %g points in %d move%s; %s.", move, s->payoff,
                                   s->length - s->next, kn_s((uint64_t)(s->length - s->next)),
                                   s->proved ? "no way leads to more" : "that is the best found so far"));
        static const char *const searches[] = {"an earlier match", "breadth-first search", "A*",
                                               "greedy search with relaxed plans",
                                               "A* with pattern databases"};
        kn_explanation_text(
            arena, answer->explanation, "found by",
            kn_arena_printf(arena, "%s; %s", searches[s->search],
                            s->shortest ? "no way there is shorter" : "there may be a shorter way"));
        kn_explanation_line(arena, answer->explanation, "line", line.data, board.data);
        kn_text_free(&line);
        kn_text_free(&board);
    }
    kn_explanation_number(arena, answer->explanation, "searched", (double)s->nodes, "positions");
    kn_explanation_number(arena, answer->explanation, "in memory", (double)s->stored, "positions");
    kn_explanation_number(arena, answer->explanation, "all visited to depth", s->depth, "");
}

bool kn_puzzle_player_proved(const KnPlayer *player) { return ((const Solver *)player->data)->proved; }

const KnMove *kn_puzzle_player_line(const KnPlayer *player, int *length)
{
    const Solver *s = player->data;
    *length = s->length;
    return s->proved && s->length && !s->next ? s->line : NULL;
}

bool kn_puzzle_player_suggest(KnPlayer *player, const KnMove *moves, int length)
{
    Solver *s = player->data;
    const KnGame *game = player->game;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    KnMove legal[game->max_moves], *line;
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    double highest = kn_puzzle_highest(s->puzzle, at), payoff;
    for (int i = 0; i < length; i++) {
        int count = kn_game_moves_of(game, at, 0, legal), k = 0;
        while (k < count && legal[k] != moves[i]) k++;
        if (k == count) return false;
        kn_game_play_joint(game, at, &moves[i]);
    }
    game->type->payoffs(game, at, &payoff);
    if (!length || !kn_game_over(game, at) || payoff < highest ||
        !(line = realloc(s->line, (size_t)length * sizeof *line)))
        return false;
    memcpy(line, moves, (size_t)length * sizeof *line);
    *s = (Solver){.puzzle = s->puzzle,
                  .budget = s->budget,
                  .line = line,
                  .length = length,
                  .expected = s->expected,
                  .proved = true,
                  .payoff = payoff};
    memset(s->expected, 0, game->position_size);
    game->type->start(game, s->expected);
    return true;
}

static bool is_allowed(const KnRequest *request, KnMove move)
{
    for (int i = 0; i < request->allowed_count; i++)
        if (request->allowed[i] == move) return true;
    return false;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Solver *s = player->data;
    const KnGame *game = request->game;
    size_t size = game->position_size;
    if (s->next >= s->length || memcmp(s->expected, request->position, size) != 0 ||
        !is_allowed(request, s->line[s->next])) {
        KnBudget budget = kn_budget_narrow(s->budget, request->budget);
        KnStatus status = solve(s, game, request->position, &budget, request->cancel, error);
        if (status != KN_OK) return status;
        answer->cost.nodes = s->nodes;
    }
    answer->has_score = s->length > 0 && is_allowed(request, s->line[s->next]);
    if (answer->has_score) {
        answer->move = s->line[s->next];
        answer->score = kn_score_of_payoff(game, s->payoff, s->length - s->next);
        answer->depth = s->length - s->next;
    } else {
        answer->move = request->allowed[kn_rng_below(request->rng, (uint32_t)request->allowed_count)];
    }
    if (request->wants & KN_WANT_EXPLANATION) tell(s, request, answer);
    if (answer->has_score) {
        kn_game_play_joint(game, s->expected, &answer->move);
        s->next++;
    }
    return KN_OK;
}

static const KnOption options[] = {
    {"nodes", KN_OPTION_INTEGER, "0", 0, 1e15, NULL, "positions to solve with; 0: no limit"},
    {"time", KN_OPTION_REAL, "0", 0, 1e6, NULL, "seconds to solve with; 0: no limit"},
    {"memory", KN_OPTION_INTEGER, "64", 1, 1 << 20, NULL, "MiB of positions"},
    {"search", KN_OPTION_CHOICE, "auto", 0, 0, "auto|breadth|astar|greedy|patterns",
     "astar: shortest ways with a bound of what is left; patterns: the same with pattern databases; greedy: "
     "some way, led by relaxed plans; auto: breadth first with part of memory and time, then greedy"},
    {0}};

const KnPlayerType kn_player_puzzle = {
    .head = {"puzzle", "solves games of one role exactly, and plays the shortest way to the best end",
             options},
    .suits = kn_puzzle_suits,
    .open = open,
    .close = close,
    .prepare = prepare,
    .begin = begin,
    .choose = choose,
};
