/* Phutball against a slow copy of its rules on a board of letters, and on drawn boards. */
#include "support/check.h"
#include "support/instances.h"

#include <stdio.h>
#include <string.h>

#include <knack/base.h>
#include "games/game.h"

static KnContext *context;

static KnGame *open_phutball(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    return game;
}

/* --- The reference works on the text of a position and on the texts of moves. --- */

typedef struct Pitch {
    int width, height;
    char points[40][40]; /* [line from the top + 1][column + 1], with a margin of '#' at the sides and '=' at
                            the ends */
    char mover, chain;   /* n or s; j or - */
    int x, y;            /* the ball */
} Pitch;

static const struct {
    const char *name;
    int dx, dy;
} compass[8] = {{"N", 0, -1}, {"NE", 1, -1}, {"E", 1, 0},  {"SE", 1, 1},
                {"S", 0, 1},  {"SW", -1, 1}, {"W", -1, 0}, {"NW", -1, -1}};

static Pitch read_pitch(const KnGame *game, const void *position, int width, int height)
{
    Pitch p = {.width = width, .height = height};
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    const char *t = text.data;
    memset(p.points, '#', sizeof p.points);
    for (int x = 1; x <= width; x++) p.points[0][x] = p.points[height + 1][x] = '=';
    for (int y = 1; y <= height; y++, t++)
        for (int x = 1; x <= width; x++, t++) {
            p.points[y][x] = *t;
            if (*t == '*') p.x = x, p.y = y;
        }
    p.mover = *t;
    p.chain = t[2];
    if (!p.x) {
        int line;
        char column;
        assert_int_equal(sscanf(t + 3, " %c%d", &column, &line), 2);
        p.x = column - 'a' + 1;
        p.y = line ? 0 : height + 1;
        assert_true(line == 0 || line == height + 1);
    }
    kn_text_free(&text);
    return p;
}

static void write_pitch(const Pitch *p, char *out)
{
    for (int y = 1; y <= p->height; y++) {
        for (int x = 1; x <= p->width; x++)
            *out++ = x == p->x && y == p->y ? '*' : p->points[y][x] == '*' ? '.' : p->points[y][x];
        *out++ = y < p->height ? '/' : ' ';
    }
    out += sprintf(out, "%c %c", p->mover, p->chain);
    if (p->y == 0 || p->y > p->height) sprintf(out, " %c%d", 'a' + p->x - 1, p->y ? 0 : p->height + 1);
}

static bool pitch_over(const Pitch *p) { return p->chain == '-' && (p->y <= 1 || p->y >= p->height); }

/* Jumps in a direction; false if that cannot be. */
static bool leap(Pitch *p, int d)
{
    int x = p->x + compass[d].dx, y = p->y + compass[d].dy, men = 0;
    while (p->points[y][x] == 'o') {
        p->points[y][x] = '.';
        x += compass[d].dx, y += compass[d].dy, men++;
    }
    if (!men || p->points[y][x] == '#') return false;
    p->points[p->y][p->x] = '.';
    p->x = x, p->y = y;
    bool out = p->points[y][x] == '=', scored = p->mover == 'n' ? y <= 1 : y >= p->height;
    if (out || scored)
        p->chain = '-', p->mover = p->mover == 'n' ? 's' : 'n';
    else
        p->chain = 'j';
    return true;
}

/* All legal moves by name, with the text of what they lead to. */
typedef struct Way {
    char move[32], result[512];
} Way;

static int ways_of(const Pitch *p, Way *ways)
{
    int count = 0;
    if (pitch_over(p)) return 0;
    for (int d = 0; d < 8; d++) {
        Pitch next = *p;
        if (!leap(&next, d)) continue;
        strcpy(ways[count].move, compass[d].name);
        write_pitch(&next, ways[count++].result);
    }
    Pitch next = *p;
    next.chain = '-';
    next.mover = p->mover == 'n' ? 's' : 'n';
    if (p->chain == 'j') {
        strcpy(ways[count].move, "stop");
        write_pitch(&next, ways[count++].result);
        return count;
    }
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++) {
            if (p->points[y][x] != '.') continue;
            Pitch other = next;
            other.points[y][x] = 'o';
            sprintf(ways[count].move, "%c%d", 'a' + x - 1, p->height + 1 - y);
            write_pitch(&other, ways[count++].result);
        }
    return count;
}

/* Random play that likes to jump, compared at every step. Returns the number of jumps made. */
static int follow(const KnGame *game, KnRng *rng, int width, int height, int plies)
{
    static Way ways[400];
    _Alignas(16) unsigned char position[128], next[128];
    int jumps = 0;
    game->type->start(game, position);
    for (int ply = 0; ply < plies; ply++) {
        Pitch pitch = read_pitch(game, position, width, height);
        KnMove moves[400], chosen = KN_MOVE_NONE;
        int count = game->type->moves(game, position, moves), wanted = ways_of(&pitch, ways);
        assert_int_equal(count, wanted);
        if (!count) {
            double payoffs[2];
            game->type->payoffs(game, position, payoffs);
            assert_true(payoffs[0] == (pitch.y <= 1 ? 1 : -1) && payoffs[1] == -payoffs[0]);
            break;
        }
        uint32_t pick = kn_rng_below(rng, (uint32_t)count);
        if (kn_rng_below(rng, 3)) pick %= 9; /* jumps come first */
        for (int i = 0; i < count; i++) {
            KnText name = KN_TEXT_EMPTY, after = KN_TEXT_EMPTY;
            game->type->move_text(game, position, moves[i], &name);
            int k = 0;
            while (k < wanted && strcmp(ways[k].move, name.data) != 0) k++;
            if (k == wanted) fail_msg("%s: %s is no move", game->spec, name.data);
            memcpy(next, position, game->position_size);
            game->type->play(game, next, moves[i]);
            game->type->position_text(game, next, &after);
            assert_string_equal(after.data, ways[k].result);
            if ((uint32_t)i == pick) chosen = moves[i], jumps += ways[k].move[0] < 'a';
            kn_text_free(&name);
            kn_text_free(&after);
        }
        game->type->play(game, position, chosen);
    }
    return jumps;
}

static void test_reference(void **state)
{
    (void)state;
    static const struct {
        int width, height, games, plies;
    } rows[] = {{3, 3, 300, 60}, {3, 5, 200, 80},  {4, 6, 100, 100},
                {7, 9, 30, 150}, {15, 19, 4, 400}, {15, 3, 30, 100}};
    int jumps = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char spec[64];
        snprintf(spec, sizeof spec, "phutball(%d, %d)", rows[i].width, rows[i].height);
        KnGame *game = open_phutball(spec);
        KnRng rng = kn_rng_seeded(i);
        for (long k = check_scaled(rows[i].games); k > 0; k--)
            jumps += follow(game, &rng, rows[i].width, rows[i].height, rows[i].plies);
        kn_game_close(game);
    }
    assert_true(jumps > check_scaled(500));
}

/* --- Drawn boards. --- */

typedef struct Scene {
    KnGame *game;
    _Alignas(16) unsigned char position[128];
} Scene;

static Scene scene(const char *spec, const char *text)
{
    Scene s = {.game = open_phutball(spec)};
    KnError error;
    check_ok(error, s.game->type->parse_position(s.game, text, s.position, &error));
    return s;
}

/* Plays moves separated by spaces. */
static void play(Scene *s, const char *line)
{
    char text[16];
    for (int used; sscanf(line, "%15s%n", text, &used) == 1; line += used) {
        KnError error;
        KnMove move;
        check_ok(error, s->game->type->parse_move(s->game, s->position, text, &move, &error));
        s->game->type->play(s->game, s->position, move);
    }
}

static void looks(const Scene *s, const char *wanted)
{
    KnText text = KN_TEXT_EMPTY;
    s->game->type->position_text(s->game, s->position, &text);
    assert_string_equal(text.data, wanted);
    kn_text_free(&text);
}

static void refuses(const Scene *s, const char *move_text, const char *why)
{
    KnError error = {.text = ""};
    KnMove move;
    check_fails(error, KN_INPUT, why,
                s->game->type->parse_move(s->game, s->position, move_text, &move, &error));
}

static void won_by(const Scene *s, int role)
{
    double payoffs[2];
    assert_true(kn_game_over(s->game, s->position));
    s->game->type->payoffs(s->game, s->position, payoffs);
    assert_true(payoffs[role] == 1 && payoffs[1 - role] == -1);
    refuses(s, "a1", "over");
}

static void test_chains(void **state)
{
    (void)state;
    Scene s = scene("phutball(5, 7)", "...../...o./...../.*o../.o.../.o.../..... s");
    refuses(&s, "stop", "none has begun");
    refuses(&s, "N", "no man");
    play(&s, "E"); /* over one man, sideways */
    looks(&s, "...../...o./...../...*./.o.../.o.../..... s j");
    refuses(&s, "a1", "jump on or stop");
    refuses(&s, "W", "no man"); /* it is gone */
    play(&s, "stop");
    looks(&s, "...../...o./...../...*./.o.../.o.../..... n -");
    play(&s, "c4 W S"); /* north's man; south's chain over it, and on to the goal */
    looks(&s, "...../...o./...../...../...../...../.*... n -");
    won_by(&s, 1);
    kn_game_close(s.game);
}

static void test_long_chain(void **state)
{
    (void)state;
    Scene s = scene("phutball(5, 7)", "...../..o../...../.oo../*.o../o.o../..... n");
    play(&s, "NE");
    looks(&s, "...../..o../..*../..o../..o../o.o../..... n j");
    play(&s, "S"); /* three at once, onto one's own goal line, from which the chain may go on */
    looks(&s, "...../..o../...../...../...../o..../..*.. n j");
    kn_game_close(s.game);
}

static void test_goals(void **state)
{
    (void)state;
    Scene s = scene("phutball(3, 5)", ".../.o./.*./.o./... n");
    play(&s, "N"); /* onto the line: no stop is needed */
    looks(&s, ".*./.../.../.o./... s -");
    won_by(&s, 0);
    kn_game_close(s.game);
    s = scene("phutball(3, 5)", ".o./.o./.*./.../... n");
    play(&s, "N"); /* beyond it */
    looks(&s, ".../.../.../.../... s - b6");
    won_by(&s, 0);
    kn_game_close(s.game);
    s = scene("phutball(3, 5)", ".../.../.*./.o./.o. n");
    play(&s, "S"); /* beyond one's own line */
    looks(&s, ".../.../.../.../... s - b0");
    won_by(&s, 1);
    kn_game_close(s.game);
    s = scene("phutball(3, 5)", ".../.../.*./.o./..o n");
    play(&s, "S"); /* on one's own line: it can go on or stop */
    looks(&s, ".../.../.../.../.*o n j");
    refuses(&s, "E", "side");
    play(&s, "stop");
    looks(&s, ".../.../.../.../.*o s -");
    won_by(&s, 1);
    kn_game_close(s.game);
    s = scene("phutball(3, 5)",
              ".../.*./o../.../... n"); /* the corner: over a side, even if a line is crossed too */
    play(&s, "a4");
    refuses(&s, "W", "side");
    refuses(&s, "SW", "side");
    kn_game_close(s.game);
    s = scene("phutball(3, 5)", "..o/.*./.../.../... n");
    refuses(&s, "NE", "side");
    kn_game_close(s.game);
}

/* A chain may use one's own goal line on its way. */
static void test_bounce(void **state)
{
    (void)state;
    Scene s = scene("phutball(5, 5)", "...../...o./.*..o/..oo./..... n");
    play(&s, "SE");
    looks(&s, "...../...o./....o/...o./...*. n j");
    play(&s, "N");
    looks(&s, "...../...o./...*o/...../..... n j");
    play(&s, "N");
    looks(&s, "...*./...../....o/...../..... s -");
    won_by(&s, 0);
    kn_game_close(s.game);
}

static double feature(const Scene *s, int role, const char *name)
{
    double values[32];
    s->game->type->feature_values(s->game, s->position, role, values);
    for (int i = 0; i < s->game->feature_count; i++)
        if (strcmp(s->game->features[i].name, name) == 0) return values[i];
    fail_msg("no feature %s", name);
    return 0;
}

static void test_knowledge(void **state)
{
    (void)state;
    Scene s = scene("phutball(5, 9)", "...../...../...o./...../.oo../.*.../.o.../...../o.... n");
    assert_true(feature(&s, 0, "distance") == 5 && feature(&s, 1, "distance") == 3);
    assert_true(feature(&s, 0, "their distance") == 3);
    assert_true(feature(&s, 0, "jumps") == 3 && feature(&s, 0, "forward jumps") == 2 &&
                feature(&s, 0, "backward jumps") == 1);
    assert_true(feature(&s, 0, "reach") == 1 &&
                feature(&s, 0, "their reach") == 1); /* NE and N to d8; S to b2 */
    assert_true(feature(&s, 0, "men") == 5 && feature(&s, 0, "men ahead") == 3 &&
                feature(&s, 1, "men ahead") == 2);
    kn_game_close(s.game);
}

static void test_tactical(void **state)
{
    (void)state;
    Scene s = scene("phutball(3, 5)", ".o./.*./.o./.o./... n");
    KnMove moves[32], wanted;
    bool may_stand = false;
    KnError error;
    check_ok(error, s.game->type->parse_move(s.game, s.position, "N", &wanted, &error));
    assert_int_equal(s.game->type->tactical(s.game, s.position, moves, &may_stand), 1);
    assert_true(moves[0] == wanted && may_stand);
    kn_game_close(s.game);
}

static void test_drawing(void **state)
{
    (void)state;
    Scene s = scene("phutball(3, 4)", ".../.*./.o./... n");
    KnText text = KN_TEXT_EMPTY;
    s.game->type->draw(s.game, s.position, false, &text);
    assert_string_equal(text.data, " 4 - - -\n 3 . * .\n 2 . o .\n 1 - - -\n   a b c\n");
    kn_text_free(&text);
    kn_game_close(s.game);
}

static void test_bad_input(void **state)
{
    (void)state;
    KnError error;
    KnGame *game;
    check_fails(error, KN_INPUT, "width", kn_game_open(context, "phutball(width=16)", &game, &error));
    check_fails(error, KN_INPUT, "height", kn_game_open(context, "phutball(height=2)", &game, &error));
    game = open_phutball("phutball(3, 4)");
    _Alignas(16) unsigned char position[128];
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "column 1"},
        {"..x/.../.../... n", "column 3"},
        {"..*/..*/.../... n", "column 7"},
        {"..*./.../.../... n", "column 4"},
        {"..*/.../.../...", "column 16"},
        {"..*/.../.../... x", "column 17"},
        {"..*/.../.../... n x", "column 19"},
        {"..*/.../.../... n j", "goal"},
        {".../.../.../... n -", "column 20"},
        {".../.../.../... n - b2", "column 21"},
        {".../.../.../... n - b6", "column 21"},
        {".../.../.../... n j b5", "goal"},
        {"..*/.../.../... n - b5", "column 21"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_fails(error, KN_INPUT, rows[i].message,
                    game->type->parse_position(game, rows[i].text, position, &error));
    game->type->start(game, position);
    KnMove move;
    static const char *const moves[] = {"", "a", "a0", "a5", "d1", "b03", "b1x", "NNE", "h999999999999"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        check_fails(error, KN_INPUT, "a1 to c4",
                    game->type->parse_move(game, position, moves[i], &move, &error));
    check_fails(error, KN_INPUT, "the ball", game->type->parse_move(game, position, "b3", &move, &error));
    memset(position, 0xff, sizeof position);
    check_fails(error, KN_INPUT, "no position", game->type->check(game, position, &error));
    kn_game_close(game);
}

static int set_up(void **state)
{
    (void)state;
    context = test_context();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    kn_close(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_chains),  cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_goals),     cmocka_unit_test(test_bounce),  cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_tactical),  cmocka_unit_test(test_drawing), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
