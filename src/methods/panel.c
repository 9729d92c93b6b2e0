#include "methods/panel.h"

#include "search/statespace.h"

/* Perfect play is at hand: exact codes, and a board so small that its states, at three contents a cell some
 * tens of millions at most, are solved in seconds (five men's morris has sixteen cells). */
static bool solvable(const KnGame *game)
{
    enum { CELLS = 16 };
    KnError none;
    return game->cells > 0 && game->cells <= CELLS && kn_statespace_solvable(game, &none) == KN_OK;
}

/* A search with an evaluation made by hand, by name: what a search evaluates by if nobody says changes. */
#define SEARCH(depth) "alphabeta(depth=" depth ", eval=hand, memory=1)"

static const char deep[] = SEARCH("4");

int kn_panel(const KnGame *game, KnArena *arena, KnPanelMember members[KN_PANEL_MOST])
{
    static const char *const perfect[] = {"perfect", "perfect(draw=narrow)", "perfect(draw=wide)"};
    bool solved = solvable(game);
    int count = 0;
    for (int i = 0; i < 3 && solved; i++) members[count++] = (KnPanelMember){perfect[i], perfect[i]};
    members[count++] = (KnPanelMember){
        "expert", solved ? "reasonable(0.1)" : kn_arena_printf(arena, "reasonable(0.1, rest=%s)", deep)};
    members[count++] = (KnPanelMember){
        "novice", solved ? "reasonable(0.7)" : kn_arena_printf(arena, "reasonable(0.7, rest=%s)", deep)};
    members[count++] = (KnPanelMember){"random", "random"};
    members[count++] = (KnPanelMember){"alphabeta(depth=2, eval=hand)", SEARCH("2")};
    members[count++] = (KnPanelMember){"alphabeta(depth=4, eval=hand)", deep};
    members[count++] = (KnPanelMember){"uct(playouts=100)", "uct(playouts=100, memory=4)"};
    return count;
}

const char *kn_panel_teacher(const KnGame *game)
{
    return solvable(game) ? "mixed(perfect, perfect(draw=wide), reasonable(0.1))" : deep;
}
