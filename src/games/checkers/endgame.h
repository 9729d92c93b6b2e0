/* Endgame tables: the value of every position with few pieces under best play (draughts only).
 *
 *     KnEndgame *tables;
 *     kn_endgame_open(game, NULL, &tables, &error)            the files of a folder (NULL: the data folder's)
 *     KnEndgameProber *prober = kn_endgame_prober(tables, 64 << 20);
 *     kn_endgame_ask(prober, position, &answer)
 *
 * Values are for the role that has the move. Tables of wins, losses and draws know no distance; where tables
 * with distances are there too, they answer. Counters of quiet moves and repetitions are ignored: a won
 * position stays won.
 *
 * A file that is cut short, damaged or of another version is left out when tables are opened
 * (kn_endgame_notes). A block that fails its checksum later is an error: the prober no longer answers from
 * that file, and kn_endgame_prober_status says so. Check it wherever "not known" would change a result.
 *
 * Ownership: kn_endgame_open / kn_endgame_close; read-only in between, and may be shared by threads. A prober
 * has a cache of its own and serves one thread; the tables must outlive it. */
#ifndef KNACK_GAMES_CHECKERS_ENDGAME_H
#define KNACK_GAMES_CHECKERS_ENDGAME_H

#include "base/hash.h"
#include "games/game.h"
#include "games/checkers/endgame_file.h"

typedef struct KnEndgame KnEndgame;
typedef struct KnEndgameProber KnEndgameProber;

typedef struct KnEndgameAnswer {
    int value; /* +1 won, 0 drawn, -1 lost */
    int plies; /* to the end, the winner hurrying and the loser holding out; -1 if not known, 0 for draws */
} KnEndgameAnswer;

/* Whether there can be tables for this game; says for which there can. */
KnStatus kn_endgame_suits(const KnGame *game, KnError *error);

/* Where the tables of a context lie: `name` itself, or for NULL, "" and "on" tables/checkers in its data
 * folder. */
void kn_endgame_folder(const KnContext *context, const char *name, KnText *folder);

/* Fails if the folder is not there or holds no table at all. */
KnStatus kn_endgame_open(const KnGame *game, const char *name, KnEndgame **tables, KnError *error);
void kn_endgame_close(KnEndgame *tables);

/* The same by folder, and only tables of one kind (KN_ENDGAME_KINDS: whatever is there); an empty folder will
 * do. */
KnStatus kn_endgame_open_folder(const char *folder, KnEndgameKind kind, KnEndgame **tables, KnError *error);

/* Takes in a slice that was written meanwhile; no prober may be at work. */
KnStatus kn_endgame_add(KnEndgame *tables, KnMaterial m, KnEndgameKind kind, KnError *error);

/* Adds the identity of these tables to a digest. */
void kn_endgame_fingerprint(const KnEndgame *tables, KnDigest *digest);

int kn_endgame_pieces(
    const KnEndgame *tables); /* every position with up to this many pieces is known; 1: none */

/* What was left out and why, a line each; "" if nothing. */
const char *kn_endgame_notes(const KnEndgame *tables);

const char *kn_endgame_place(const KnEndgame *tables); /* the folder */
const KnRanks *kn_endgame_ranks(const KnEndgame *tables);
const KnEndgameFile *kn_endgame_slice(const KnEndgame *tables, KnMaterial m); /* NULL if it is not there */

/* `bytes` is the most that its cache takes. NULL if memory runs out. */
KnEndgameProber *kn_endgame_prober(const KnEndgame *tables, size_t bytes);
void kn_endgame_prober_free(KnEndgameProber *prober);

/* False if the tables do not know the position. */
bool kn_endgame_ask(KnEndgameProber *prober, const void *position, KnEndgameAnswer *answer);

/* After a move, seen by the role that makes it and with the move counted. */
bool kn_endgame_ask_move(KnEndgameProber *prober, const void *position, KnMove move, KnEndgameAnswer *answer);

/* A number for the material of a position, the same for both sides; -1 if it has too many pieces. Moves that
 * change it (captures, promotions) cannot be undone. */
int kn_endgame_stage(const void *position);

uint64_t kn_endgame_asked(const KnEndgameProber *prober);           /* questions so far */
const char *kn_endgame_prober_fault(const KnEndgameProber *prober); /* "" if nothing was wrong */

/* KN_SYSTEM with the fault if a block was damaged or memory ran out: then "not known" means nothing. */
KnStatus kn_endgame_prober_status(const KnEndgameProber *prober, KnError *error);

/* "won in 13 plies", "drawn", "lost". */
void kn_endgame_answer_text(KnEndgameAnswer answer, KnText *out);

#endif
