#include "support/instances.h"

#include <string.h>

#include "support/check.h"

#define DESCRIPTIONS KNACK_SOURCE_DIR "/data/gdl/"

/* Variants by game; a game without a row here is opened by its name alone. GDL descriptions are found below
 * the source. */
static const struct {
    const char *name;
    const char *specs[8];
} variants[] = {
    {"checkers",
     {"checkers", "checkers(draw=3)", "checkers(draw=0, repetition=2)", "checkers(draw=0, repetition=0)"}},
    {"fives",
     {"fives", "fives(3, 3, 3)", "fives(width=5, height=4, line=4, overline=ignored)", "fives(9, 13)"}},
    {"othello", {"othello", "othello(size=6)", "othello(size=4, empties=nobody, payoff=discs)"}},
    {"morris", {"morris", "morris(men=4, flying=on)", "morris(men=9)"}},
    {"tictactoe", {"tictactoe", "tictactoe(lose)"}},
    {"go",
     {"go", "go(size=2)", "go(5, komi=3, superko=none)", "go(size=6)", "go(size=13, komi=0.5)",
      "go(size=19)"}},
    {"matrix",
     {"matrix", "matrix(\"2,1 0,0 7,-.5; 0,0 1,2 0,0\", actions=\"a,b/x,y,z\", turns=9)",
      "matrix(\"0,0,0 1,2,3 4,5,6 7,8,9; 10,11,12 13,14,15 16,17,18 19,20,21\", turns=12, continue=0.9)",
      "matrix(\"3,3 0,5; 5,0 1,1\", actions=\"C,D\", turns=20, later=\"1.5,1 2,2; 0,-3 1,1\", change=7)"}},
    {"dilemma", {"dilemma", "dilemma(turns=50, continue=0.95)"}},
    {"publicgoods",
     {"publicgoods(turns=20)", "publicgoods(players=3, actions=5, factor=2, turns=10, continue=0.8)"}},
    {"gdl",
     {"gdl:" DESCRIPTIONS "dice.kif", "gdl:" DESCRIPTIONS "frogs.kif", "gdl:" DESCRIPTIONS "nim3.kif",
      "gdl:" DESCRIPTIONS "roshambo.kif", "gdl:" DESCRIPTIONS "tictactoe.kif", "gdl:" DESCRIPTIONS "hex5.kif",
      "gdl(\"" DESCRIPTIONS "riders.kif\", reasoner=prover)"}},
    {"pipe", {"pipe(\"python3 " KNACK_SOURCE_DIR "/examples/clobber.py\")"}},
    {"phutball",
     {"phutball", "phutball(width=3, height=3)", "phutball(width=5, height=9)", "phutball(4, 6)"}},
};

KnContext *test_context(void)
{
    KnError error;
    KnContext *context = kn_context_new();
    assert_non_null(context);
    check_ok(error, kn_games_register(context, &error));
    return context;
}

static void visit_spec(const KnContext *context, const char *spec, void (*visit)(const KnGame *game))
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(context, spec, &game, &error));
    visit(game);
    kn_game_close(game);
}

void test_each_instance(const KnContext *context, void (*visit)(const KnGame *game))
{
    for (size_t i = 0; i < kn_registered(context, KN_KIND_GAME); i++) {
        const char *name = kn_registered_at(context, KN_KIND_GAME, i)->name;
        int listed = 0;
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            if (strcmp(variants[v].name, name) != 0) continue;
            for (; variants[v].specs[listed]; listed++) visit_spec(context, variants[v].specs[listed], visit);
        }
        if (!listed) visit_spec(context, name, visit);
    }
}
