/* The built-in players: a row each, here and in registry.c. */
#ifndef KNACK_PLAYERS_REGISTRY_H
#define KNACK_PLAYERS_REGISTRY_H

#include "players/player.h"

extern const KnPlayerType kn_player_legal;
extern const KnPlayerType kn_player_random;
extern const KnPlayerType kn_player_minimax;
extern const KnPlayerType kn_player_alphabeta;
extern const KnPlayerType kn_player_breadth;
extern const KnPlayerType kn_player_uct, kn_player_tactical;
extern const KnPlayerType kn_player_general;
extern const KnPlayerType kn_player_perfect;
extern const KnPlayerType kn_player_puzzle;
extern const KnPlayerType kn_player_reasonable;
extern const KnPlayerType kn_player_satisfice;
extern const KnPlayerType kn_player_allocate;
extern const KnPlayerType kn_player_clock;
extern const KnPlayerType kn_player_experience, kn_player_hoyle, kn_player_noisy, kn_player_endgame;
extern const KnPlayerType kn_player_experience, kn_player_hoyle, kn_player_noisy, kn_player_endgame;
extern const KnPlayerType kn_player_prove;
extern const KnPlayerType kn_player_human;
extern const KnPlayerType kn_player_seqlearner;

#endif
