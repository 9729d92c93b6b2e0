/* A board game as a learner of Lock's thesis (2003) sees it: cells with contents, a stage, the board's
 * symmetries, and moves as actions on cells ("X to 5", "4 to 8, taking 10"), which stay meaningful when the
 * rest of the board differs.
 *
 *     KnScene *scene;
 *     kn_scene_open(game, &scene, &error)                       any game of two players in turn whose board
 * has cells kn_scene_cells(scene, position, cells)                    what stands where: 0 empty, else a
 * symbol with an owner int turn = kn_scene_normalise(scene, position, normal)    the least image: the key
 * that tables are made with KnAction in_normal = kn_scene_turn_action(scene, turn, action); KnAction back =
 * kn_scene_turn_action(scene, scene->inverse[turn], in_normal); KnMove move = kn_scene_move(scene, position,
 * back, allowed, count)
 *
 * Symmetries that exchange the roles are left out, and so are those of which sample games do not show where
 * each cell goes. Owners are read off sample games too: a symbol that only one role's moves bring about is
 * that role's. Everything is deterministic.
 *
 * A state that is symmetric in itself has several least frames (the empty board: all of them).
 * kn_scene_frames lists them, for those who count sequences and must not count one sequence as eight.
 *
 * Ownership: kn_scene_open / kn_scene_close; the game must outlive it. Read-only in between, may be shared by
 * threads. */
#ifndef KNACK_LEARN_HOYLE_SCENE_H
#define KNACK_LEARN_HOYLE_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"

enum {
    KN_SCENE_CELLS = 400,
    KN_SCENE_TURNS = 16,
    KN_SCENE_SYMBOLS = 8,
    KN_SCENE_STAGES = 4,
    KN_NO_CELL = -1,
    KN_SCENE_ANY = 255
};

typedef struct KnScene {
    const KnGame *game;
    int cells;
    int symbols;                                    /* what a cell can hold, 0 (empty) included */
    int stages;                                     /* the game's phases, 1 at least */
    int turns;                                      /* symmetries in use; 0 is the identity */
    int number[KN_SCENE_TURNS];                     /* the game's own number of each */
    int inverse[KN_SCENE_TURNS];                    /* which turn undoes it */
    uint16_t image[KN_SCENE_TURNS][KN_SCENE_CELLS]; /* where a cell goes */
    int8_t owner[KN_SCENE_SYMBOLS];                 /* role of a symbol; -1: nobody's */
    bool slides;                                    /* some stage has moves from cell to cell */
    char identity[17]; /* tells rules apart by how sample games go: goes into what is saved */
} KnScene;

/* What a move does to the board: numbers of cells from 0, KN_NO_CELL where it does not apply; all three for a
 * pass. `taken` is the first man of the other's that leaves the board; men that change sides are not listed.
 */
typedef struct KnAction {
    int16_t from, to, taken;
} KnAction;

/* Whether a game can be seen this way; what is missing if not. Quick. */
KnStatus kn_scene_suits(const KnGame *game, KnError *error);

KnStatus kn_scene_open(const KnGame *game, KnScene **scene, KnError *error);
void kn_scene_close(KnScene *scene);

void kn_scene_cells(const KnScene *scene, const void *position, uint8_t *cells);
int kn_scene_stage(const KnScene *scene, const void *position); /* below scene->stages */

/* The image of a position; and of cells. */
void kn_scene_turn(const KnScene *scene, int turn, const void *position, void *image);
void kn_scene_turn_cells(const KnScene *scene, int turn, const uint8_t *cells, uint8_t *image);
KnAction kn_scene_turn_action(const KnScene *scene, int turn, KnAction action);

/* The least image by bytes; `normal` has room for a position. Returns the turn that gives it. */
int kn_scene_normalise(const KnScene *scene, const void *position, void *normal);
/* The same, and every turn that gives it, ascending; returns how many. */
int kn_scene_frames(const KnScene *scene, const void *position, void *normal, int turns[KN_SCENE_TURNS]);

/* What the mover's move does here. */
KnAction kn_scene_action(const KnScene *scene, const void *position, KnMove move);
void kn_scene_actions(const KnScene *scene, const void *position, const KnMove *moves, int count,
                      KnAction *actions);

/* The first of the moves that does this; KN_MOVE_NONE if none does. */
KnMove kn_scene_move(const KnScene *scene, const void *position, KnAction action, const KnMove *moves,
                     int count);

static inline bool kn_action_equal(KnAction a, KnAction b)
{
    return a.from == b.from && a.to == b.to && a.taken == b.taken;
}
/* An order of actions, and one to one: for keys. */
static inline uint64_t kn_action_key(KnAction a)
{
    return (uint64_t)(uint16_t)a.from << 32 | (uint64_t)(uint16_t)a.to << 16 | (uint16_t)a.taken;
}

/* "5", "4-8", "4-8x10", "pass", with the game's own names of cells; and back. */
void kn_action_text(const KnScene *scene, KnAction action, KnText *out);
KnStatus kn_action_parse(const KnScene *scene, const char *text, KnAction *action, KnError *error);

/* Cells as letters, row by row with '/' between rows: "x.o/.x./..o"; KN_SCENE_ANY is '#'. And back. */
void kn_cells_text(const KnScene *scene, const uint8_t *cells, KnText *out);
KnStatus kn_cells_parse(const KnScene *scene, const char *text, uint8_t *cells, KnError *error);
/* The same as a drawing with the board's own spacing, a line a row, for a terminal; `indent` spaces before
 * each. */
void kn_cells_draw(const KnScene *scene, const uint8_t *cells, int indent, KnText *out);

#endif
