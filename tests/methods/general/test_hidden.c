/* Games in which roles do not see everything (GDL-II): what is read of `sees`, and positions that agree with
 * what a role has seen. */
#include "support/check.h"
#include "support/instances.h"
#include "support/workbench.h"
#include "support/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "games/gdl/gdl.h"
#include "methods/general/hidden.h"

enum { MOST = 32 };

static bool hides(const char *rules)
{
    KnError error;
    KnGdlDescription *description;
    check_ok(error, kn_gdl_read("test", rules, strlen(rules), false, &description, &error));
    bool percepts = description->percepts != 0;
    kn_gdl_free(description);
    return percepts;
}

#define GAME                                                                                                 \
    "(role a) (role b) (init on) (<= (legal ?r go) (role ?r)) (<= terminal (not (true on)))"                 \
    "(<= (goal ?r 50) (role ?r))"

/* `sees` is a percept unless a rule asks for it, or it has other arguments: then it is a name like others. */
static void percepts_are_recognised(void **state)
{
    (void)state;
    assert_false(hides(GAME));
    assert_true(hides(GAME "(<= (sees ?r started) (does ?r go))"));
    assert_true(hides(GAME "(sees a sun)"));
    assert_false(hides(GAME "(<= (sees ?r started) (does ?r go)) (<= (next on) (sees a started))"));
    assert_false(hides(
        GAME "(<= (sees ?r started) (does ?r go)) (<= (next on) (or (true off) (not (sees a started))))"));
    /* a term of that name is none of its relation */
    assert_true(hides(GAME "(<= (sees ?r started) (does ?r go)) (<= (next (word sees)) (true (word sees)))"));
    assert_false(hides(GAME "(<= (sees ?r) (does ?r go))"));
    assert_false(hides(GAME "(<= (next (sees ?r started)) (does ?r go))"));
}

/* The facts of a position that a player of this game knows: its marks, what it met, whose turn it is. */
static void known_facts(const World *world, const void *position, const char *name, KnText *out)
{
    KnText text = KN_TEXT_EMPTY;
    kn_gdl_state_text(kn_game_gdl(world->game), kn_gdl_facts(position), "\n", &text);
    kn_text_clear(out);
    for (char *save = NULL, *line = strtok_r(text.data, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char mark[20], met[20];
        snprintf(mark, sizeof mark, " %s)", name);
        snprintf(met, sizeof met, "(met %s ", name);
        bool mine = strncmp(line, "(marked", 7) == 0 && strcmp(line + strlen(line) - strlen(mark), mark) == 0;
        if (mine || strncmp(line, met, strlen(met)) == 0 || strncmp(line, "(control", 8) == 0)
            kn_text_printf(out, "%s\n", line);
    }
    kn_text_free(&text);
}

/* Random games: whatever is sampled agrees with what the role knows, and is not always the truth. */
static void samples_agree(void **state)
{
    (void)state;
    World world = world_open("gdl:darktictactoe");
    const KnGame *game = world.game;
    KnError error;
    KnText known[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    long others = 0, sampled = 0;
    assert_true(kn_hidden_suits(game));
    for (uint64_t g = 0; g < (uint64_t)check_scaled(20); g++) {
        KnRng rng = kn_rng_stream(3, g);
        int role = (int)(g % 2);
        KnHidden *hidden = kn_hidden_new(game, &error);
        assert_non_null(hidden);
        game->type->start(game, world.position);
        kn_hidden_begin(hidden, role, world.position);
        while (kn_game_movers(game, world.position)) {
            const void *positions[MOST];
            KnMove joint[2] = {KN_MOVE_NONE, KN_MOVE_NONE}, moves[16];
            int count = kn_game_moves_of(game, world.position, role, moves);
            int found = count > 1 ? kn_hidden_sample(hidden, role, world.position, MOST, &rng, positions) : 0;
            assert_true(count == 1 || found > 0);
            for (int i = 0; i < found; i++) {
                known_facts(&world, world.position, role ? "o" : "x", &known[0]);
                known_facts(&world, positions[i], role ? "o" : "x", &known[1]);
                assert_string_equal(known[0].data, known[1].data);
                sampled++;
                others += memcmp(positions[i], world.position, game->position_size) != 0;
            }
            for (int r = 0; r < 2; r++) {
                count = kn_game_moves_of(game, world.position, r, moves);
                joint[r] = moves[kn_rng_below(&rng, (uint32_t)count)];
            }
            kn_game_play_joint(game, world.position, joint);
            check_ok(error, kn_hidden_observe(hidden, joint, world.position, &error));
        }
        kn_hidden_free(hidden);
    }
    assert_true(sampled > 0 && others > sampled / 2);
    for (int i = 0; i < 2; i++) kn_text_free(&known[i]);
    world_close(&world);
}

/* It plays with what it sees: about .8 of the points against random moves (five deviations are .14). */
static void general_plays(void **state)
{
    (void)state;
    KnError error;
    KnContext *context = test_workbench("hidden");
    KnMatchPlan plan = {.game = "gdl:darktictactoe",
                        .players = {"general(playouts=60)", "random"},
                        .games = 200,
                        .seed = 3,
                        .jobs = 1};
    KnMatchResult result;
    check_ok(error, kn_match_run(context, &plan, NULL, NULL, &result, &error));
    const KnStanding *s = &result.standing;
    assert_int_equal(s->wins + s->draws + s->losses, 200);
    double score = ((double)s->wins + (double)s->draws / 2) / 200;
    if (score < 0.66) fail_msg("%g of the points", score);
    kn_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(percepts_are_recognised),
                                       cmocka_unit_test(samples_agree), cmocka_unit_test(general_plays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
