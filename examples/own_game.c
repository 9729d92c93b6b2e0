/* A complete small program: a new game in sixty lines, a player that learns it from its own games, and a
 * match that shows the gain.
 *
 *     cc own_game.c $(pkg-config --cflags --libs knack) -o own_game && ./own_game
 *
 * The game is Nim: three heaps of 3, 4 and 5; a move takes any number of stones from one heap; the player
 * that takes the last stone wins. */
#include <stdio.h>
#include <string.h>

#include <knack/knack.h>

/* ---- The game ---- */

enum { HEAPS = 3, MOST = 9 };

typedef struct Position {
    uint8_t heap[HEAPS], mover;
} Position;

static void start(const KnGame *game, void *position)
{
    (void)game, memcpy(position, &(Position){{3, 4, 5}, 0}, sizeof(Position));
}

static int mover(const KnGame *game, const void *position)
{
    return (void)game, ((const Position *)position)->mover;
}

static int moves(const KnGame *game, const void *position, KnMove *out) /* a move is heap * 16 + how many */
{
    int count = 0;
    (void)game;
    for (unsigned h = 0; h < HEAPS; h++)
        for (unsigned take = 1; take <= ((const Position *)position)->heap[h]; take++)
            out[count++] = h << 4 | take;
    return count;
}

static void play(const KnGame *game, void *position, KnMove move)
{
    Position *p = position;
    (void)game;
    p->heap[move >> 4] = (uint8_t)(p->heap[move >> 4] - (move & 15));
    p->mover ^= 1;
}

static void payoffs(const KnGame *game, const void *position,
                    double *out) /* nothing is left: the player that moved last has won */
{
    int loser = mover(game, position);
    out[loser] = -1, out[1 - loser] = 1;
}

static uint64_t hash(const KnGame *game, const void *position)
{
    return kn_hash64(position, game->position_size, 0);
}

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)game, (void)position;
    kn_text_printf(out, "%c%d", 'a' + (int)(move >> 4), (int)(move & 15));
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    const Position *p = position;
    (void)game;
    kn_text_printf(out, "%d-%d-%d %d", p->heap[0], p->heap[1], p->heap[2], p->mover + 1);
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    unsigned a, b, c, who;
    (void)game;
    if (sscanf(text, "%1u-%1u-%1u %1u", &a, &b, &c, &who) != 4 || a > MOST || b > MOST || c > MOST ||
        who < 1 || who > 2)
        return kn_fail(error, KN_INPUT,
                       "\"%.40s\": expected three heaps and the player to move, as in 3-4-5 1", text);
    memcpy(position, &(Position){{(uint8_t)a, (uint8_t)b, (uint8_t)c}, (uint8_t)(who - 1)}, sizeof(Position));
    return KN_OK;
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    (void)colour;
    position_text(game, position, out);
    kn_text_add_char(out, '\n');
}

static KnStatus open(KnGame *game, const KnOptions *options, KnError *error)
{
    static const char *const names[] = {"first", "second"};
    (void)options, (void)error;
    game->position_size = sizeof(Position);
    game->max_moves = HEAPS * MOST;
    game->roles = 2;
    game->role_names = names;
    game->traits = KN_GAME_ZERO_SUM;
    return KN_OK;
}

static const KnGameType nim = {
    .head = {"nim", "three heaps; the player that takes the last stone wins", NULL},
    .open = open,
    .start = start,
    .mover = mover,
    .moves = moves,
    .play = play,
    .payoffs = payoffs,
    .hash = hash,
    .move_text = move_text,
    .position_text = position_text,
    .parse_position = parse_position,
    .draw = draw};

/* ---- The program ---- */

static KnStatus match(const KnContext *context, const char *player, const char *other, uint64_t games,
                      uint64_t seed, KnError *error)
{
    KnMatchPlan plan = {.game = "nim", .players = {player, other}, .games = games, .seed = seed, .jobs = 1};
    KnMatchResult result;
    KnStatus status = kn_match_run(context, &plan, NULL, NULL, &result, error);
    if (status != KN_OK) return status;
    KnInterval interval = kn_wilson((double)result.standing.wins, (double)result.standing.games, KN_Z95);
    printf("%.3f [%.3f, %.3f]  %s against %s, %d games\n", kn_standing_score(&result.standing), interval.low,
           interval.high, player, other, (int)result.standing.games);
    return KN_OK;
}

int main(void)
{
    KnError error;
    KnContext *context;
    KnStatus status = kn_open(NULL, &context, &error);
    if (status != KN_OK) return fprintf(stderr, "own_game: %s\n", error.text), (int)status;
    remove("nim.mdb");
    status = kn_register(context, KN_KIND_GAME, &nim.head,
                         &error); /* from here on every player that suits the game plays it */
    if (status == KN_OK) status = match(context, "random", "alphabeta(depth=8)", 200, 1, &error);
    /* The spec switches learning on. With one thread the games are learned in order. */
    if (status == KN_OK)
        status = match(context, "experience(random, base=nim.mdb, learn, -sync)", "alphabeta(depth=8)", 400,
                       2, &error);
    if (status == KN_OK)
        status = match(context, "experience(random, base=nim.mdb)", "alphabeta(depth=8)", 200, 3, &error);
    kn_close(context);
    if (status != KN_OK) fprintf(stderr, "own_game: %s\n", error.text);
    return (int)status;
}
