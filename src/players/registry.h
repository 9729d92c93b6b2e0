/* The plain players: a row each, here and in registry.c. The players of the seven methods are in
 * methods/registry.h. */
#ifndef KNACK_PLAYERS_REGISTRY_H
#define KNACK_PLAYERS_REGISTRY_H

#include "players/player.h"

extern const KnPlayerType kn_player_legal;
extern const KnPlayerType kn_player_random;
extern const KnPlayerType kn_player_minimax;
extern const KnPlayerType kn_player_alphabeta;
extern const KnPlayerType kn_player_breadth;
extern const KnPlayerType kn_player_mcts;
extern const KnPlayerType kn_player_perfect;
extern const KnPlayerType kn_player_puzzle;
extern const KnPlayerType kn_player_reasonable;
extern const KnPlayerType kn_player_noisy;
extern const KnPlayerType kn_player_mixed;
extern const KnPlayerType kn_player_endgame;
extern const KnPlayerType kn_player_human;

#endif
