/* Inside Hoyle: what it knows, what it sees of a decision, and its Advisors. Private to src/players/hoyle.
 *
 * FORR (Epstein 1994): Advisors of the first tier are asked in a fixed order, decide outright or take moves
 * away; if several moves are left, those of the second tier comment on them with strengths from 0 (strong
 * opposition) to 10 (heavy support), and a vote with learned weights decides. Advisors do not learn; the
 * useful knowledge they look things up in does (knowledge.c), and so do the weights (weights.c). Nothing
 * looks further than two plies ahead.
 *
 * Ownership: a Mind belongs to its watcher and is shared, read-only, by its players; a Desk is one user's
 * working memory. */
#ifndef KNACK_PLAYERS_HOYLE_MIND_H
#define KNACK_PLAYERS_HOYLE_MIND_H

#include "learn/hoyle/album.h"
#include "learn/hoyle/lines.h"
#include "learn/hoyle/rote.h"
#include "players/hoyle/patsy.h"
#include "players/hoyle/seqadvisor.h"
#include "players/watcher.h"

enum { FIRST_TIER = 7, SECOND_TIER = 13, SILENT = -1, NEUTRAL = 5, HEAVY = 10, WEIGHT_UNIT = 1000 };

/* What is remembered of a move that was made in a state. */
typedef enum NoteKind { NOTE_EXPERT, NOTE_OWN_WON, NOTE_OWN_DRAWN, NOTE_OWN_LOST, NOTE_KINDS } NoteKind;

typedef struct Note {
    KnAction action; /* in the frame of the normal state */
    uint8_t kind;
    uint32_t count;
    int next; /* -1: the last */
} Note;

/* What is remembered of a state, by its number in the album. */
typedef struct Memory {
    int8_t certain; /* 1: who has the move there wins for certain, -1: loses; 0: not known */
    bool lost_from; /* whoever moved to it once lost that contest */
    int first;      /* note; -1 */
} Memory;

typedef enum Sequences { SEQUENCES_NONE, SEQUENCES_ROTE, SEQUENCES_IMITATE } Sequences;

typedef struct Settings {
    Sequences sequences;
    KnRoteSettings rote;
    double step, start; /* of the weights */
    bool weigh_all;     /* also where the first tier decides */
    bool benchmark;     /* Advisors below the weight of one that comments at random are not heard */
    bool patterns;      /* learns spatial patterns and concepts: patsy.h */
    int view;           /* its field of view */
    double draw;        /* what a draw is worth there */
    SeqPlace seq;       /* where Seq-Advisor stands: seqadvisor.h */
} Settings;

typedef struct Mind {
    const KnGame *game;
    const KnScene *scene;
    KnLines *lines;
    Settings settings;
    KnAlbum album;
    Memory *memory;
    int memory_capacity;
    Note *notes;
    int note_count, note_capacity;
    int weights[KN_SCENE_STAGES][SECOND_TIER]; /* of WEIGHT_UNIT */
    int judged[KN_SCENE_STAGES][SECOND_TIER];  /* how often a weight was moved */
    int random_weight[KN_SCENE_STAGES];        /* of the benchmark */
    KnRote *rote;                              /* NULL if it does not learn sequences */
    KnImitate *imitate;                        /* NULL until trees are built, or if they are used as trees */
    Patsy *patsy;                              /* NULL if it does not learn patterns */
    SeqAdvisor *seq;                           /* NULL if it learns no Sitact Advisors */
} Mind;

/* What one move leads to: itself, and the replies to it. */
typedef struct Sight {
    KnMove move;
    KnAction action;
    int8_t end;     /* the contest is over: 1 won, -1 lost; 2 drawn; 0: it goes on */
    int8_t certain; /* what the album knows of the state it leads to, for the mover: 1, -1, 0 */
    bool leery;
    bool again;                           /* the mover has the move again (passes, chains) */
    int replies, winning, losing, taking; /* replies of the other: all, those that win, lose, take a man */
    int own, other;                       /* men after the move */
    bool out;                             /* taken away by the first tier */
} Sight;

/* A decision on somebody's desk. */
typedef struct Desk {
    const Mind *mind;
    const void *position;
    int role, stage, count;
    Sight *sights;
    KnMove *moves;     /* the same as in sights */
    KnAction *actions; /* likewise */
    uint8_t *cells;    /* before; then, for each move, after */
    KnMove *replies;   /* scratch */
    KnAction *reply_actions;
    int *strengths; /* [SECOND_TIER][max_moves] */
    uint16_t *threat,
        *rope; /* by cell: after how many of one's moves the other wins, or loses, by going there */
    int capacity;
    SpatialComments *spatial; /* NULL if patterns are not learned */
    SeqComments *seq;         /* NULL without Seq-Advisor */
} Desk;

/* What the first tier came to. */
typedef struct Ruling {
    int chosen;              /* index of the move; -1: the second tier decides */
    const char *advisor;     /* who decided */
    int removed[FIRST_TIER]; /* how many moves each took away */
    bool resigns;            /* Sadder's view */
} Ruling;

/* mind.c */
KnStatus kn_mind_open(const KnScene *scene, const Settings *settings, Mind *mind, KnError *error);
void kn_mind_close(Mind *mind);
Memory *kn_mind_memory(Mind *mind, const void *normal, KnError *error); /* adds it; NULL if memory runs out */
KnStatus kn_mind_remark(Mind *mind, const void *normal, KnAction action, NoteKind kind, uint32_t count,
                        KnError *error);
const char *kn_mind_voice(int voice); /* an Advisor of the second tier by number */

/* look.c */
KnStatus kn_desk_open(Desk *desk, const Mind *mind, KnError *error);
void kn_desk_close(Desk *desk);
void kn_desk_lay(Desk *desk, const void *position, const KnMove *moves,
                 int count); /* looks two plies ahead */
static inline const uint8_t *kn_desk_after(const Desk *desk, int move)
{
    return desk->cells + (size_t)(move + 1) * (size_t)desk->mind->scene->cells;
}

/* first.c */
extern const char *const kn_first_tier_names[FIRST_TIER];
void kn_first_tier(Desk *desk, bool victory_first, Ruling *ruling);
int kn_first_tier_victory(const Desk *desk);         /* a move that wins at once; -1 */
int kn_first_tier_left(const Desk *desk, int *last); /* how many moves are left, and one of them */

/* Appends "c3 10, b2 4": what an Advisor says of the moves. */
void kn_desk_comments(const Desk *desk, const KnRequest *request, const int *strengths,
                      KnText *out); /* player.c */

/* second.c: fills desk->strengths for moves that are left; SILENT where an Advisor has no comment */
void kn_second_tier(Desk *desk);
static inline int *kn_desk_strengths(const Desk *desk, int voice)
{
    return desk->strengths + (size_t)voice * (size_t)desk->capacity;
}
/* The vote: sums of weight times (strength - 5); and who won, -1 entries are out. Returns the best sum. */
long kn_second_tier_vote(const Desk *desk, long *votes);
bool kn_second_tier_heard(const Mind *mind, int stage, int voice);

/* Maps values of the moves that are left onto 0..10, linearly; silent where they are all equal. */
void kn_strengths_scale(const Desk *desk, const int *values, int *strengths);

/* plans.c: what lines say */
void kn_advise_lines(const Desk *desk, int *challenge, int *coverage, int *greedy, int *candide, int *worried,
                     int *pitchfork);

/* knowledge.c */
KnStatus kn_mind_learn(Mind *mind, Desk *desk, const KnWatched *contest, KnError *error);

/* weights.c */
void kn_mind_weigh(Mind *mind, Desk *desk, const KnWatched *contest, KnRng *rng);
bool kn_weigh_voice(const Desk *desk, const int *strengths, int expert, double step,
                    int *weight); /* false: there was nothing to judge */

/* file.c */
json_t *kn_mind_json(const Mind *mind);
KnStatus kn_mind_parse(Mind *mind, const KnJson *at, KnError *error);
void kn_mind_show(const Mind *mind, KnText *out);

extern const KnPlayerType kn_hoyle_learned; /* player.c: plays by the mind of a watcher */
KnStatus kn_hoyle_attach(const KnWatcher *watcher, KnPlayer *player, KnError *error);
json_t *kn_hoyle_tally(const KnPlayer *player);
const Mind *kn_hoyle_mind(const KnWatcher *watcher);

#endif
