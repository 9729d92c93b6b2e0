/* The built-in games: a row each, here and in registry.c. */
#ifndef KNACK_GAMES_REGISTRY_H
#define KNACK_GAMES_REGISTRY_H

#include "games/game.h"

extern const KnGameType kn_checkers;
extern const KnGameType kn_fives;
extern const KnGameType kn_morris;
extern const KnGameType kn_othello;
extern const KnGameType kn_tictactoe;
extern const KnGameType kn_go;
extern const KnGameType kn_gdl, kn_pipe;
extern const KnGameType kn_matrix, kn_dilemma, kn_publicgoods;
extern const KnGameType kn_phutball;

#endif
