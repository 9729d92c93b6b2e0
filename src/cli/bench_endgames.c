#include "cli/bench_endgames.h"

#include "base/assert.h"
#include "base/hash.h"
#include "games/othello/endgame.h"

/* Numbers 40 to 44 of the endgame tests of the French Othello Federation, with 20 to 23 empty squares, and
 * their published margins. */
static const struct {
    const char *position;
    int margin;
} tests[] = {
    {"O--OOOOX/-OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/---OOOOX/----O--X/-------- X", 38},
    {"-OOOOO--/--OOOOX-/-OOOOOO-/XXXXXOO-/-XXOOX--/OOXOXX--/--OXXO--/-OOO--O- X", 0},
    {"--OOO---/----XX-O/OOOOOXOO/-OOOOXOO/X-OOOXXO/---OOXOO/---OOOXO/--OOOO-- X", 6},
    {"--XXXXX-/--XXXX--/-OOOXX--/-OOXXXX-/-OOXXXO-/OOOOXOO-/---XOX--/--XXXXX- O", -12},
    {"--O-X-O-/--O-XO-O/-OOXXXOO/OOOOXXXO/OOOOXX--/XXOOXO--/--XXXX--/---XXX-- O", -14},
};

static KnStatus solve(KnOthelloSolver *solver, const KnGame *game, int test, KnOthelloSolving *solving,
                      KnError *error)
{
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    KnStatus status = kn_game_parse_position(game, tests[test].position, position, error);
    if (status != KN_OK) return status;
    *solving = (KnOthelloSolving){.moves = moves, .count = game->type->moves(game, position, moves)};
    status = kn_othello_solve(solver, position, solving);
    KN_ASSERT(status == KN_OK);
    if (solving->margin == tests[test].margin) return KN_OK;
    return kn_fail(error, KN_SYSTEM, "endgame test %d: %+d instead of the published %+d", 40 + test,
                   solving->margin, tests[test].margin);
}

KnStatus bench_endgames(const KnGame *game, int count, uint64_t *units, KnDigest *digest, KnError *error)
{
    KN_ASSERT(count <= (int)(sizeof tests / sizeof *tests));
    KnOthelloSolver *solver = kn_othello_solver_new(game, 0, error);
    KnStatus status = solver ? KN_OK : KN_SYSTEM;
    for (int i = 0; i < count && status == KN_OK; i++) {
        KnOthelloSolving solving;
        status = solve(solver, game, i, &solving, error);
        *units += solving.nodes;
        kn_digest_u64(digest, solving.nodes);
        kn_digest_u64(digest, (uint64_t)(int64_t)solving.margin);
    }
    kn_othello_solver_free(solver);
    return status;
}
