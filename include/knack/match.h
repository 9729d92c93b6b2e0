/* Matches and tournaments between players, and the store that keeps their results.
 *
 *     KnMatchPlan plan = {.game = "othello", .players = {"alphabeta(depth=4)", "uct"}, .games = 100};
 *     KnMatchResult result;
 *     kn_match_run(context, &plan, NULL, NULL, &result, &error);
 *     KnInterval interval = kn_standing_interval(&result.standing);
 *
 * Same seed, same games: game i draws all its chance from (seed, i). Games 2j and 2j+1 share opening j with
 * sides exchanged. Each thread has players of its own. Results are counted and stored in index order. So the
 * outcome is the same for any number of threads, and for a run that was killed and started again. Results
 * that depend on clocks or on other programs are marked `nondeterministic`.
 *
 * A player that plays illegally or runs out of time loses that game; the result says so. */
#ifndef KNACK_PUBLIC_MATCH_H
#define KNACK_PUBLIC_MATCH_H

#include <knack/player.h>
#include <knack/stats.h>

KN_BEGIN

/* ---- The results store: runs and their games in one SQLite file, DATA/results.db ---- */

/* A run is known by its identity, a hash of everything that decides its games: canonical specs, seed,
 * contents of files, version. A match with a store continues where it was stopped. */
typedef struct KnStore KnStore;
KN_API KnStatus kn_store_open(const KnContext *context, KnStore **store, KnError *error);
KN_API void kn_store_close(KnStore *store);

/* The runs, newest first, as a JSON array of {"id", "name", "kind", "identity", "created", "games",
 * "settings", "summary"}. NULL with the error on failure. */
KN_API char *kn_store_json_string(KnStore *store, KnError *error);

/* One run by name or number, with all its games: as csv, json, latex, or in the format of its field, pdn
 * (draughts), sgf (Go) or ggf (Othello). NULL with the error on failure. */
KN_API char *kn_store_export(const KnContext *context, KnStore *store, const char *run, const char *format,
                             KnError *error);

/* ---- One game ---- */

/* A time control: `seconds` for the whole game, or for every `moves` moves, and `increment` after each move.
 * A player whose clock falls below -`margin` loses. Zeros: no clocks. */
typedef struct KnTimeControl {
    int moves; /* 0: the whole game */
    double seconds, increment;
    double margin;
} KnTimeControl;

/* "60+0.6", "40/60", "40/1:30+1". Each player needs some time: 0+0 is refused. */
KN_API KnStatus kn_time_control_parse(const char *text, KnTimeControl *control, KnError *error);

/* Ends games that the players' own scores have decided. A score counts as a winning chance in percent: a lead
 * of M men is 50 + 50 M / (M + 3). Zeros: no adjudication. */
typedef struct KnAdjudication {
    int resign_moves; /* a player whose chance was at most `resign_below` for this many of its moves loses */
    double resign_below;
    bool resign_agreed; /* only if the opponent's scores said the same meanwhile */
    size_t draw_from;   /* from this ply on, */
    int draw_moves;     /* after this many moves of each side with chances within 50 +- draw_within: a draw */
    double draw_within;
} KnAdjudication;

/* The rules of a match that are not rules of the game. */
typedef struct KnPlayRules {
    size_t ply_limit;               /* counted from the start position, opening included; 0: none */
    double judge;                   /* at the limit, a lead of this much material wins; 0: a draw */
    KnBudget budget;                /* part of every request */
    const struct KnEndgame *tables; /* a position that they know ends the game with its value; kn_match_run
                                       opens them from plan.tables; NULL: none */
    double move_limit;              /* seconds of wall time for a move; a slower player forfeits; 0: none */
    const KnCancel *cancel;         /* may be NULL */
    KnTimeControl clock;
    KnAdjudication adjudication;
} KnPlayRules;

/* The play loop: asks players for moves until the game is over. Every player gets `begin`, then `observe`
 * after each joint move, then `end` with the outcome. A player that holds several roles (self-play) gets each
 * of them once.
 *
 *     KnPlayPlan plan = {.state = state, .players = {white, black}, .rngs = {&rng, &rng}};
 *     KnPlayed played;
 *     status = kn_play(&plan, &played, &error);
 *
 * Two kinds of failure are kept apart. A player's own misconduct (KN_FORFEIT: an illegal move, too much time,
 * a dead engine) costs it the game and is recorded. Every other error (disk, memory, a damaged file) says
 * nothing about the players: it ends kn_play, the game has no outcome, and no player gets `end`.
 *
 * Callbacks let a caller record positions, force or replace moves, and break a game off. Each of them may be
 * NULL. KN_OK goes on; KN_NO ends the game here, adjudicated as at the ply limit (KN_ENDED_BY_CALLER); every
 * other status ends kn_play with that error. The moves are in the game state. */
typedef struct KnPlayPlan {
    KnState *state;                  /* the game starts from here; earlier moves are its opening */
    KnPlayer *players[KN_ROLES_MAX]; /* by role; NULL for nature, which moves by its chances */
    KnRng *rngs[KN_ROLES_MAX];       /* by role; roles may share one */
    KnPlayRules rules;
    bool strict;      /* a forfeit is an error too: the game is of no use without its players */
    bool skip_forced; /* do not ask a player that has a single legal move */
    bool untimed;     /* do not measure processor time: for players that answer faster than a clock is read */
    /* At every position, before players are asked. A move stored in joint[role] is played without asking. */
    KnStatus (*before)(void *user, const KnState *state, KnMove *joint, KnError *error);
    /* After each player's answer. It may replace answer->move by another of request->allowed. */
    KnStatus (*move)(void *user, const KnState *state, const KnRequest *request, KnAnswer *answer,
                     KnError *error);
    /* After each joint move, when all players have observed it. */
    KnStatus (*after)(void *user, const KnState *state, const KnMove *joint, KnError *error);
    void *user;
    KnClocks *clocks; /* with rules.clock: kept here, so that a game can go on later; NULL: they start anew */
    uint64_t game_id; /* tells this game from all others, for players that keep games; 0: nothing does */
} KnPlayPlan;

typedef enum KnEnding {
    KN_ENDED_BY_RULES,
    KN_ENDED_BY_HISTORY,     /* repetition and similar rules */
    KN_ENDED_AT_LIMIT,       /* ply limit, nobody ahead */
    KN_ENDED_BY_JUDGE,       /* ply limit or caller, by material */
    KN_ENDED_BY_TABLES,      /* by the value in the endgame tables */
    KN_ENDED_BY_FORFEIT,     /* misconduct: `culprit`, `fault` */
    KN_ENDED_BY_CALLER,      /* a callback broke it off, nobody ahead */
    KN_ENDED_BY_RESIGNATION, /* a player resigned, or was hopeless by its own scores (adjudication) */
    KN_ENDED_BY_AGREEMENT    /* adjudication: a draw by both sides' scores */
} KnEnding;

KN_API const char *kn_ending_name(KnEnding ending); /* "rules", "history", ... */

/* The outcome of a game. */
typedef struct KnPlayed {
    KnEnding ending;
    double payoffs[KN_ROLES_MAX];
    int culprit; /* role that forfeited, or -1 */
    char fault[KN_ERROR_TEXT];
    size_t plies;
    KnCost cost[KN_ROLES_MAX];
    uint64_t decisions[KN_ROLES_MAX]; /* requests answered */
} KnPlayed;

/* Plays a game to its end. KN_OK if it has an outcome, a forfeit included (unless plan->strict); KN_STOPPED
 * when cancelled; other errors as described above. */
KN_API KnStatus kn_play(const KnPlayPlan *plan, KnPlayed *played, KnError *error);

/* ---- Matches ---- */

typedef struct KnMatchPlan {
    const char *game;       /* spec */
    const char *players[2]; /* specs */
    uint64_t games;
    uint64_t seed;
    int jobs;              /* threads; 0: one per core */
    int engine_jobs;       /* copies of a foreign engine at the same time, at most; 0: as many as threads */
    const char *openings;  /* a list with an opening a line, game records (PDN, SGF, GGF), or a built-in set;
                              NULL: none */
    int opening_plies;     /* cut openings to this many plies; 0: 8 of a record, all of a line */
    bool shuffle_openings; /* in an order drawn from the seed, instead of that of the file */
    int random_plies;      /* random moves before the players take over */
    KnPlayRules rules;
    /* Endgame tables that end games: a folder, or "on" for the data folder's. NULL: none. */
    const char *tables;
    bool sprt; /* stop when a hypothesis is accepted (kn_sprt) */
    KnSprtPlan test;
    const char *name; /* of the run in the store; NULL: one is made up */
    bool resume;      /* continue the last run of this match where an engine's identity is incomplete */
} KnMatchPlan;

/* What the games of a match add up to, seen by the first player. */
typedef struct KnStanding {
    uint64_t games;
    uint64_t wins, draws, losses;
    uint64_t by_seat[2][3]; /* with the first player in the first or second role: wins, draws, losses */
    uint64_t pairs[5];      /* complete pairs by score 0, 1/2, 1, 3/2, 2 */
    uint64_t forfeits[2];   /* by player */
    KnMoments payoffs[2];   /* by player */
    double range[2];        /* of the game's payoffs; both 0: not known, and the mean has no interval */
    KnMoments plies;
    KnCost cost[2];        /* by player */
    uint64_t decisions[2]; /* moves asked for, by player */
    KnDigest digest;       /* over all moves: equal matches have equal digests (kn_digest_hex) */
    int half;              /* result of the unfinished pair's first game */
} KnStanding;

typedef struct KnMatchResult {
    KnStanding standing;
    KnSprt sprt; /* if the plan asks for it */
    bool nondeterministic;
    uint64_t resumed; /* games that were already stored */
    char identity[KN_HEX128];
    char doubt[KN_ERROR_TEXT];       /* why an engine's identity is incomplete; "" if it is complete */
    char run_name[128];              /* "" without a store */
    char first_fault[KN_ERROR_TEXT]; /* of the first forfeited game; "" if there is none */
    char repeats[KN_ERROR_TEXT];     /* where most games are copies of others: how many; else "" */
    char note[KN_ERROR_TEXT];        /* what a player or the adjudication has to do without; "" if nothing */
    double seconds;
    bool zero_sum; /* what one player gets the other loses, so that the mean payoffs tell nothing new */
} KnMatchResult;

/* Plays a match. `store` NULL: nothing is kept. `progress` may be NULL. On KN_STOPPED (plan->rules.cancel)
 * the games played so far are stored and in the result.
 *
 * A foreign engine is identified by the contents of its program and of every file that its command names.
 * Where that may not be all (an interpreter, the shell, a network client), result->doubt says why, and stored
 * games are used again only under the same plan->name, or with plan->resume. */
KN_API KnStatus kn_match_run(const KnContext *context, const KnMatchPlan *plan, KnStore *store,
                             KnProgress *progress, KnMatchResult *result, KnError *error);

/* The document of `knack match --json`. NULL if memory runs out. */
KN_API char *kn_match_json_string(const KnMatchPlan *plan, const KnMatchResult *result);

/* The first player's share of points (0.5 of no games), and its 95% interval, from pairs if possible. */
KN_API double kn_standing_score(const KnStanding *standing);
KN_API KnInterval kn_standing_interval(const KnStanding *standing);

/* The same on the Elo scale, and the likelihood that the first player is better. */
KN_API KnElo kn_standing_elo(const KnStanding *standing);
KN_API double kn_standing_los(const KnStanding *standing);

/* ---- Tournaments with a cross table and ratings ---- */

/* Who meets whom. */
typedef enum KnTournamentSystem {
    KN_ROUND_ROBIN, /* everybody meets everybody */
    KN_GAUNTLET,    /* each of the first `challengers` meets all the others */
    KN_SWISS        /* `rounds` rounds; each pairs players of nearly equal scores who have not met */
} KnTournamentSystem;

/* Each pairing is a match of its own, stored under its own identity. A tournament resumes where it was, and
 * one with more players reuses the pairings that it shares with an earlier one. */
typedef struct KnTournamentPlan {
    KnMatchPlan match; /* players, sprt and name are not used; games is per pairing */
    const char *const *players;
    size_t player_count;
    KnTournamentSystem system;
    size_t challengers; /* of a gauntlet; 0: one */
    size_t rounds;      /* of a Swiss tournament; 0: enough to find a winner, log2 of the players */
} KnTournamentPlan;

/* One match of a tournament. */
typedef struct KnTournamentMatch {
    size_t players[2];
    size_t round;  /* from 1; all 1 but in a Swiss tournament */
    char run[128]; /* its name in the store; "" without a store */
} KnTournamentMatch;

typedef struct KnTournament {
    size_t count;
    double *points; /* count x count: row's points against column */
    double *games;
    uint64_t (*wdl)[3]; /* count x count: row's wins, draws, losses against column */
    KnRating *ratings;
    size_t *order; /* players by rating, best first */
    bool nondeterministic;
    uint64_t forfeits;
    /* As in KnMatchResult, of the first match that has one; "" if none. */
    char doubt[KN_ERROR_TEXT], repeats[KN_ERROR_TEXT], note[KN_ERROR_TEXT];
    char digest[KN_HEX128];      /* over the digests of all pairings */
    KnTournamentMatch *pairings; /* in the order played */
    size_t pairing_count;
    double seconds;
} KnTournament;

/* Plays a tournament; `store`, `progress` and KN_STOPPED as in kn_match_run. Release the result, also after a
 * failure. */
KN_API KnStatus kn_tournament_run(const KnContext *context, const KnTournamentPlan *plan, KnStore *store,
                                  KnProgress *progress, KnTournament *result, KnError *error);
KN_API void kn_tournament_free(KnTournament *result);

/* The document of `knack tournament --json`. NULL if memory runs out. */
KN_API char *kn_tournament_json_string(const KnTournamentPlan *plan, const KnTournament *result);

KN_END

#endif
