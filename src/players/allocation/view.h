/* What an allocation policy sees of a position before anything is searched: columns of numbers for the
 * learners of src/learn.
 *
 * They come from the game's own features; from general ones that any game has (moves, material, phase,
 * evaluation, and what one move does to it); from a set of the game's terms; from the board's cells (what
 * each holds); from patterns that were learned, where the board has windows; from the budget (how many moves
 * were made); and from the entry of an experience base, where there is one (players/experience/entry.h).
 * Nothing looks further than one ply ahead. Everything is seen from the side of who has the move.
 *
 * Ownership: kn_view_open and kn_view_from_json allocate, kn_view_close frees; the game must outlive it.
 * Read-only, so that threads may share one. */
#ifndef KNACK_PLAYERS_ALLOCATION_VIEW_H
#define KNACK_PLAYERS_ALLOCATION_VIEW_H

#include "base/json.h"
#include "learn/patterns.h"
#include "learn/tree.h"
#include "players/player.h"
#include "search/evaluate.h"

typedef enum KnColumnSource {
    KN_FROM_GAME,
    KN_FROM_GENERAL,
    KN_FROM_BUDGET,
    KN_FROM_CELLS,
    KN_FROM_PATTERN,
    KN_FROM_BASE,
    KN_FROM_TERMS,
    KN_COLUMN_SOURCES
} KnColumnSource;

/* The general columns. */
enum {
    KN_GENERAL_MOVES,
    KN_GENERAL_LEAD,
    KN_GENERAL_MATERIAL,
    KN_GENERAL_PHASE,
    KN_GENERAL_EVALUATION,
    KN_GENERAL_BEST,
    KN_GENERAL_SPREAD,
    KN_GENERAL_TIES,
    KN_GENERAL_COLUMNS
};

typedef struct KnViewColumn {
    KnColumnSource from;
    int index; /* there */
    int first; /* its place in what is known at first sight: the game's features, the moves made, and what is
                  not known yet */
} KnViewColumn;

typedef struct KnView {
    const KnGame *game;
    int count;
    KnViewColumn *columns;
    char **names;
    bool needs[KN_COLUMN_SOURCES];
    KnEvaluation *evaluation; /* of the general columns; NULL if there are none */
    KnPatternGround *ground;  /* NULL if there are neither patterns nor cells */
    KnPattern patterns[KN_PATTERNS_MAX];
    int pattern_count;
    KnPatternMatcher *matcher;
    const KnTermTable *terms; /* NULL if there are no columns of terms */
} KnView;

/* What a view is to have. `eval` names the evaluation of the general columns (NULL: the game's default). */
typedef struct KnViewPlan {
    bool from[KN_COLUMN_SOURCES];
    const char *eval;
    const char *terms; /* a set of the game's terms, of which all become columns; NULL: none */
    const KnPattern *patterns;
    int pattern_count;
} KnViewPlan;

KnStatus kn_view_open(const KnGame *game, const KnViewPlan *plan, KnView **view, KnError *error);
void kn_view_close(KnView *view);

/* Leaves only some columns, and forgets what only the others needed. */
void kn_view_keep(KnView *view, const bool *keep);

/* A position that is looked at. `moves` are the legal ones; `made` is the number of moves made in this budget
 * before; `entry` are the columns of a base's entry (NULL: there is none, and they are 0). */
typedef struct KnViewOf {
    const void *position;
    int role;
    const KnMove *moves;
    int count;
    int made;
    const double *entry;
} KnViewOf;

/* The values, a place a column. (sight.c, as the next) */
void kn_view_fill(const KnView *view, const KnViewOf *of, double *values);

/* The leaf that a tree over the view's columns finds by them. Of what is dear only that is computed which the
 * way to the leaf asks for. */
int kn_view_leaf(const KnView *view, const KnTree *tree, const KnViewOf *of);

/* [{"name": ..., "from": "game"}, ..., {"name": ..., "from": "pattern", "cells": [...], "region": ...}] and
 * back: fails where the game lacks a feature that the file names. */
json_t *kn_view_json(const KnView *view);
KnStatus kn_view_from_json(const KnJson *at, const char *key, const KnGame *game, const char *eval,
                           KnView **view, KnError *error);

/* ---- boards ---- */

/* The windows of a game's board: 3x3 cells in all places that hold as many (5 of the dark squares in
 * draughts, all 9 elsewhere), with regions (baselines or edges, and the middle) and kinds (free, own, theirs;
 * of each what is told apart). Fails where the board has no such windows. */
KnStatus kn_ground_of_game(const KnGame *game, KnPatternGround *ground, KnError *error);

/* The same without windows: enough for kn_ground_board. */
KnStatus kn_ground_cells(const KnGame *game, KnPatternGround *ground, KnError *error);

/* The cells of a position as the role sees them, a byte each. */
void kn_ground_board(const KnPatternGround *ground, const KnGame *game, const void *position, int role,
                     uint8_t *cells);

#endif
