/* The features that an allocation policy sees of a position before any search (Markovitch and Sella 1996,
 * 3.3): columns of numbers for the learners of src/learn.
 *
 * They come from the game's own features; from general ones that any game has (moves, material, phase,
 * evaluation, and the evaluation after each move); from one of the game's feature sets; from the cells of
 * the board; from learned board patterns (4.2); from the budget (moves made so far); and from the entry of
 * an experience base (methods/experience/entry_features.h). Nothing of this looks further than one ply ahead.
 * Beyond the paper they may come from the shallow search itself (search_signals.h). Everything is from the
 * view of the player to move.
 *
 * Ownership: kn_feature_view_open and kn_feature_view_from_json allocate, kn_feature_view_close frees; the
 * game must outlive it. Read-only in between: threads may share one. */
#ifndef KNACK_METHODS_ALLOCATION_FEATURES_H
#define KNACK_METHODS_ALLOCATION_FEATURES_H

#include "base/json.h"
#include "learn/patterns.h"
#include "learn/tree.h"
#include "players/player.h"
#include "eval/evaluation.h"

typedef enum KnColumnSource {
    KN_FROM_GAME,
    KN_FROM_GENERAL,
    KN_FROM_BUDGET,
    KN_FROM_CELLS,
    KN_FROM_PATTERN,
    KN_FROM_BASE,
    KN_FROM_TERMS,
    KN_FROM_SEARCH,
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

typedef struct KnFeatureColumn {
    KnColumnSource from;
    int index; /* there */
    int first; /* its place in what is known before any search: the game's features, the moves made, and what
                  is not known yet */
} KnFeatureColumn;

typedef struct KnFeatureView {
    const KnGame *game;
    int count;
    KnFeatureColumn *columns;
    char **names;
    bool needs[KN_COLUMN_SOURCES];
    KnEvaluation *evaluation; /* of the general columns; NULL if there are none */
    KnPatternLanguage *board; /* NULL if there are neither patterns nor cells */
    KnPattern patterns[KN_PATTERNS_MAX];
    int pattern_count;
    KnPatternMatcher *matcher;
    const KnFeatureTable *terms; /* NULL if there are no columns of terms */
} KnFeatureView;

/* What a view is to have. `eval` names the evaluation of the general columns (NULL: the game's default). */
typedef struct KnFeaturePlan {
    bool from[KN_COLUMN_SOURCES];
    const char *eval;
    const char *terms; /* a set of the game's terms, of which all become columns; NULL: none */
    const KnPattern *patterns;
    int pattern_count;
} KnFeaturePlan;

KnStatus kn_feature_view_open(const KnGame *game, const KnFeaturePlan *plan, KnFeatureView **view,
                              KnError *error);
void kn_feature_view_close(KnFeatureView *view);

/* Leaves only some columns, and forgets what only the others needed. */
void kn_feature_view_keep(KnFeatureView *view, const bool *keep);

/* A position that is looked at. `moves` are the legal ones; `made` is the number of moves made in this budget
 * before; `entry` are the columns of a base's entry, `signals` those of a shallow search (NULL: there is
 * none, and they are 0). */
typedef struct KnFeatureSource {
    const void *position;
    int role;
    const KnMove *moves;
    int count;
    int made;
    const double *entry;
    const double *signals;
} KnFeatureSource;

/* The values of all columns (feature_values.c, as the next). */
void kn_feature_view_fill(const KnFeatureView *view, const KnFeatureSource *of, double *values);

/* The leaf that a tree over the view's columns finds by them. Of what is dear only that is computed which the
 * way to the leaf asks for. */
int kn_feature_view_leaf(const KnFeatureView *view, const KnTree *tree, const KnFeatureSource *of);

/* [{"name": ..., "from": "game"}, ..., {"name": ..., "from": "pattern", "cells": [...], "region": ...}] and
 * back: fails where the game lacks a feature that the file names. */
json_t *kn_feature_view_json(const KnFeatureView *view);
KnStatus kn_feature_view_from_json(const KnJson *at, const char *key, const KnGame *game, const char *eval,
                                   KnFeatureView **view, KnError *error);

/* ---- boards ---- */

/* The windows of a game's board: 3x3 cells in all places that hold as many (5 of the dark squares in
 * draughts, all 9 elsewhere), with regions (baselines or edges, and the middle) and kinds (free, own, theirs;
 * of men and kings too). Fails where the board has no such windows. */
KnStatus kn_pattern_board_of_game(const KnGame *game, KnPatternLanguage *board, KnError *error);

/* The same without windows: enough for kn_pattern_board_fill. */
KnStatus kn_pattern_board_cells(const KnGame *game, KnPatternLanguage *board, KnError *error);

/* The cells of a position as the role sees them, a byte each. */
void kn_pattern_board_fill(const KnPatternLanguage *board, const KnGame *game, const void *position, int role,
                           uint8_t *cells);

#endif
