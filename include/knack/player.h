/* Players: they choose moves, and they can be wrapped in each other.
 *
 *     KnPlayer *player;
 *     kn_player_open(context, game, "alphabeta(depth=6)", &player, &error);
 *     KnArena *arena = kn_arena_new();
 *     KnAnswer answer = {0};
 *     KnAsk ask = {.seed = 1, .wants = KN_WANT_EXPLANATION, .arena = arena};
 *     kn_player_ask(player, state, kn_state_mover(state), &ask, &answer, &error);
 *
 * The life of a player: open; `prepare`, which may use a start clock; for each game `begin`, `observe` for
 * every joint move (its own included), `choose` when it has the move, and `end`. To take back a move, begin
 * again and replay. kn_player_ask does all of that for one question; kn_match_run (match.h) does it for whole
 * matches.
 *
 * A player does not learn unless its spec switches learning on. A player gives the same answers to the same
 * requests and generators after each `begin` (KN_PLAYER_REPEATABLE), so that a match can be replayed and
 * resumed.
 *
 * To add a player, register a KnPlayerType (KN_KIND_PLAYER) or export it from a plug-in (plugin.h).
 *
 * A player owns its inner players and closes them. The game must outlive it. A player serves one game at a
 * time; threads need players of their own. Explanations live in the arena of the request. */
#ifndef KNACK_PUBLIC_PLAYER_H
#define KNACK_PUBLIC_PLAYER_H

#include <knack/explain.h>
#include <knack/game.h>

KN_BEGIN

typedef struct KnPlayer KnPlayer;
typedef struct KnPlayerType KnPlayerType;

/* What is wanted besides the move. */
enum {
    KN_WANT_VALUES = 1,     /* the score of every allowed move, if the player has them */
    KN_WANT_EXPLANATION = 2 /* why; needs request.arena */
};

/* The clocks of a game that is played with a time control. */
typedef struct KnClocks {
    double remaining[KN_ROLES_MAX]; /* seconds, by role */
    double increment;               /* seconds added after a move */
    int moves_to_go[KN_ROLES_MAX];  /* moves until more time is added; 0: the time is for the whole game */
} KnClocks;

typedef struct KnRequest {
    const KnGame *game;
    const void *position;
    KnHistory history;
    int role;              /* who chooses */
    const KnMove *allowed; /* at least one, legal by position and history */
    int allowed_count;
    KnBudget budget;        /* zeros leave it to the player's spec; where both set a limit, the lower holds */
    KnRng *rng;             /* the only source of chance */
    const KnCancel *cancel; /* may be NULL */
    unsigned wants;         /* KN_WANT_... */
    KnArena *arena;         /* for the explanation; may be NULL if none is wanted */
    const KnClocks *clocks; /* NULL without a time control; budget.seconds is then this move's share */
    /* Called by deepening searches after each finished depth: the part of the budget's nodes and seconds, 0
     * to 1, that the whole search may use. May be NULL; other players ignore it. */
    double (*pace)(void *user, const KnDeepening *so_far);
    void *pace_user;
} KnRequest;

typedef struct KnCost {
    uint64_t nodes; /* positions played while thinking */
    double seconds; /* of processor time, that of child processes included */
} KnCost;

typedef struct KnAnswer {
    KnMove move;
    bool has_score;
    KnScore score; /* for the role that chooses */
    bool has_values;
    KnScore *values; /* room for one score per allowed move, given by the caller; NULL if not wanted */
    int depth;       /* reached, for searches */
    KnCost cost;
    KnExplanation *explanation; /* NULL unless wanted and given */
    bool payoffs; /* scores estimate payoffs, within +-KN_SCORE_PAYOFF (random games); else they count men */
    float log_odds; /* not 0: scores expect (1 + tanh(score / log_odds)) / 2 of the points (evaluation.h) */
} KnAnswer;

/* Traits of a player. */
enum {
    KN_PLAYER_REPEATABLE = 1, /* same request and generator, same answer */
    KN_PLAYER_RESTRICTS = 2,  /* honours `allowed`; foreign engines cannot */
    KN_PLAYER_ASKS = 4,       /* a person: only a front end that can ask one may use it */
    KN_PLAYER_PONDERS = 8 /* `prepare` may be called during a game too, to think ahead at the position that
                             it has observed last */
};

/* An instance. The type's `open` may change `traits` and sets `data`. */
struct KnPlayer {
    const KnPlayerType *type;
    const KnContext *context;
    const KnGame *game;
    char *spec;           /* canonical text */
    unsigned traits;      /* preset to REPEATABLE and RESTRICTS */
    char *note;           /* what it has to do without, and why; see kn_player_note */
    KnPlayer *inner;      /* the wrapped player, closed with the wrapper; NULL if none */
    void *data;           /* the type's own; its `close` releases it */
    double child_seconds; /* processor time that child processes (foreign engines) have used for it so far */
    unsigned quick;       /* decisions in a row that took next to no time; see kn_player_choose */
    /* Of the game that it plays, set before `begin` and until `end` returns: */
    const char *opponent; /* the spec of the one other player; NULL: there is none, or nobody said */
    uint64_t game_id;     /* the plan's */
};

/* All hooks but `choose` may be NULL. A wrapper's absent hook is answered by its inner player. */
struct KnPlayerType {
    KnThing head;
    const char *once; /* why this wrapper must not be wrapped in its own kind; NULL: it may */
    bool foreign;     /* it runs another program: requests over HTTP must not name it */
    /* Whether this kind of player can play a game; the error says what is missing. NULL: it plays any. */
    KnStatus (*suits)(const KnGame *game, KnError *error);
    KnStatus (*open)(KnPlayer *player, const KnOptions *options, KnError *error);
    void (*close)(KnPlayer *player); /* also follows an `open` that failed */
    KnStatus (*prepare)(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error);
    KnStatus (*begin)(KnPlayer *player, int role, const void *position, KnError *error);
    KnStatus (*observe)(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error);
    KnStatus (*choose)(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error);
    KnStatus (*end)(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error);
};

/* Opens a player for a game, for instance "alphabeta(depth=4)". Fails if it cannot play that game. */
KN_API KnStatus kn_player_open(const KnContext *context, const KnGame *game, const char *spec,
                               KnPlayer **player, KnError *error);
KN_API KnStatus kn_player_open_spec(const KnContext *context, const KnGame *game, const KnSpec *spec,
                                    KnPlayer **player, KnError *error);
KN_API void kn_player_close(KnPlayer *player);

/* For the `open` of a wrapper: opens the inner player, sets player->inner, and keeps only the traits that
 * both have. */
KN_API KnStatus kn_player_wrap(KnPlayer *player, const KnSpec *spec, KnError *error);

/* What the player has to do without (a damaged table, say), "" if nothing; and how a player adds to it. Of
 * `text` the first line is taken. */
KN_API const char *kn_player_note(const KnPlayer *player);
KN_API void kn_player_add_note(KnPlayer *player, const char *text);

/* The life of a player, hook by hook. `observe` gets the state after the joint move. `choose` checks that the
 * answer is an allowed move (KN_FORFEIT if it is not), and measures its processor time. A hook returns
 * KN_FORFEIT for misconduct that costs the game, `choose` KN_RESIGNS to give it up; every other failure ends
 * the run. */
KN_API KnStatus kn_player_prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error);
KN_API KnStatus kn_player_begin(KnPlayer *player, int role, const void *position, KnError *error);
KN_API KnStatus kn_player_observe(KnPlayer *player, const KnState *state, const KnMove *joint,
                                  KnError *error);
KN_API KnStatus kn_player_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer,
                                 KnError *error);
KN_API KnStatus kn_player_end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error);

/* Begins a game for `role` and lets the player observe all moves of the state. */
KN_API KnStatus kn_player_replay(KnPlayer *player, int role, const KnState *state, KnError *error);

/* How kn_player_ask asks; zeros are good defaults. */
typedef struct KnAsk {
    uint64_t seed; /* of the generator */
    KnBudget budget;
    const KnCancel *cancel;
    unsigned wants; /* KN_WANT_... */
    KnArena *arena; /* for the explanation and the values; required if any is wanted */
} KnAsk;

/* Replays the state and asks for a move of `role`, which is not played. KN_NO if that role has no move. */
KN_API KnStatus kn_player_ask(KnPlayer *player, const KnState *state, int role, const KnAsk *ask,
                              KnAnswer *answer, KnError *error);

/* A score for people: "wins in 7", "loses in 4", "even", or "+1.25" in men. */
KN_API char *kn_score_string(KnScore score);

KN_END

#endif
