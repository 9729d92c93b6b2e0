/* The player interface: something that chooses moves, made from a spec for a game, and that can be wrapped in
 * another.
 *
 * A player's life: kn_player_open; `prepare` may use a start clock; then for each contest `begin`, `observe`
 * for every joint move by anyone (its own included; taking back is a new `begin` and replaying), `choose`
 * when it has the move, and `end`. A wrapper answers from what it knows, or changes the request and passes it
 * on; it passes the rest on unchanged.
 *
 * Players stand still unless told to learn: learning happens on what a player observes, and only where its
 * spec switches it on. A player that is fresh after `begin` gives the same answers to the same requests and
 * generator (KN_PLAYER_REPEATABLE), so that a match can be replayed and resumed.
 *
 * Ownership: kn_player_open allocates, kn_player_close frees, inner players with their wrapper. The game
 * outlives the player. A player serves one contest at a time and one thread at a time; threads have players
 * of their own. Explanations live in the request's arena. */
#ifndef KNACK_PLAYERS_PLAYER_H
#define KNACK_PLAYERS_PLAYER_H

#include <stdatomic.h>

#include "base/reason.h"
#include "base/rng.h"
#include "games/contest.h"
#include "search/budget.h"

typedef struct KnPlayer KnPlayer;
typedef struct KnPlayerType KnPlayerType;

/* What is wanted besides the move. */
enum {
    KN_WANT_VALUES = 1, /* the value of every allowed move, if the player can tell */
    KN_WANT_REASON = 2  /* why; needs request.arena */
};

typedef struct KnRequest {
    const KnGame *game;
    const void *position;
    KnHistory history;
    int role;              /* who chooses */
    const KnMove *allowed; /* at least one, legal by position and history */
    int allowed_count;
    KnBudget budget; /* zeros leave it to the player's own spec; where both set a limit, the lower holds */
    KnRng *rng;      /* the only source of chance */
    const atomic_bool *cancel; /* may be NULL */
    unsigned wants;
    KnArena *arena; /* for the reason; may be NULL if none is wanted */
} KnRequest;

/* Cost is counted alike for everyone. */
typedef struct KnCost {
    uint64_t nodes; /* positions played while thinking */
    double seconds; /* of processor time */
} KnCost;

typedef struct KnAnswer {
    KnMove move;
    bool has_score;
    KnScore score; /* for the role that chooses */
    bool has_values;
    KnScore
        *values; /* room for allowed_count given by the asker (NULL if not wanted); by place of `allowed` */
    int depth;   /* reached, where that means something */
    KnCost cost;
    KnReason *reason; /* NULL unless wanted and told */
} KnAnswer;

enum {
    KN_PLAYER_REPEATABLE = 1, /* same request and generator, same answer */
    KN_PLAYER_RESTRICTS = 2,  /* honours `allowed`; foreign engines cannot */
    KN_PLAYER_ASKS = 4        /* a person: only a front end that can ask one may seat it */
};

/* An instance. `data` is the type's own. */
struct KnPlayer {
    const KnPlayerType *type;
    const KnContext *context;
    const KnGame *game;
    char *spec;      /* canonical text */
    unsigned traits; /* preset to REPEATABLE and RESTRICTS */
    KnText note;     /* what it does without, and why (a damaged table); "" if nothing */
    KnPlayer *inner; /* a wrapper's: told all that the wrapper's own hooks do not take, and closed with it;
                        NULL if none */
    void *data;
};

/* Vtable; all but choose may be NULL. `suits` tells quickly whether this kind of player can play a game at
 * all, and what is missing if not (NULL: it plays any); `knack methods` asks it of everybody. `close` is
 * called also after an `open` that failed. */
struct KnPlayerType {
    KnThing head;
    const char *once; /* why one inside of another of its kind makes no sense; NULL: it may */
    bool foreign;     /* it runs a program of somebody else's: never on a stranger's word (web/guard.c) */
    KnStatus (*suits)(const KnGame *game, KnError *error);
    KnStatus (*open)(KnPlayer *player, const KnOptions *options, KnError *error);
    void (*close)(KnPlayer *player);
    KnStatus (*prepare)(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error);
    KnStatus (*begin)(KnPlayer *player, int role, const void *position, KnError *error);
    KnStatus (*observe)(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error);
    KnStatus (*choose)(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error);
    KnStatus (*end)(KnPlayer *player, const KnContest *contest, const double *payoffs, KnError *error);
};

/* A player from its spec, e.g. "alphabeta(depth=4)", for a game that it can play; says what is missing if it
 * cannot. */
KnStatus kn_player_open(const KnContext *context, const KnGame *game, const char *spec, KnPlayer **player,
                        KnError *error);
KnStatus kn_player_open_spec(const KnContext *context, const KnGame *game, const KnSpec *spec,
                             KnPlayer **player, KnError *error);
void kn_player_close(KnPlayer *player);

/* Opens the player that a wrapper is around, from its own spec: sets player->inner, and keeps only the traits
 * that both have. */
KnStatus kn_player_wrap(KnPlayer *player, const KnSpec *spec, KnError *error);

/* The life of a player; an absent hook is skipped, or the inner player's taken. `observe` gets the contest
 * after the joint move. */
KnStatus kn_player_prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error);
KnStatus kn_player_begin(KnPlayer *player, int role, const void *position, KnError *error);
KnStatus kn_player_observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error);
KnStatus kn_player_end(KnPlayer *player, const KnContest *contest, const double *payoffs, KnError *error);

/* Asks for a move and checks that it is among the allowed ones; measures the cost's seconds. */
KnStatus kn_player_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error);

/* Registers the built-in players. */
KnStatus kn_players_register(KnContext *context, KnError *error);

#endif
