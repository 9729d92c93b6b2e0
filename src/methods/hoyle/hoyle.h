/* Hoyle (Epstein 1994; Lock 2003): a player that combines Advisors, after the architecture FORR.
 *
 * Advisors of the first tier (tier1.c) are asked in a fixed order; each decides outright or removes moves.
 * If several moves are left, the Advisors of the second tier (tier2.c, line_advisors.c, patsy.c,
 * seq_advisor.c) comment on them with strengths from 0 (strong opposition) to 10 (heavy support), and a
 * vote with learned weights decides. Advisors do not learn. They read useful knowledge
 * (useful_knowledge.c), which is learned after every game (learn_knowledge.c), as are their weights
 * (learn_weights.c). Nothing looks further than two plies ahead (lookahead.c).
 *
 * The files of this folder, by chapter of the thesis:
 *   1.4       hoyle.h, tier1.c, tier2.c, line_advisors.c
 *             patterns and concepts: templates.c, spatial.c, concepts.c, patsy.c
 *   2         tp_rote.c (learning), tp_rote_trees.c (use, Imitate, file)
 *   3 and 4   temporal/: SeqLearner with TP-Context and TP-Sitact
 *   5.2       seq_advisor.c
 *   player.c plays; game_learner.h and environment.h train; board_view.h shows any game as a board of cells.
 *
 * Ours: the lines of a board are found from sample games (lines.h), so that any game on a board has the
 * Advisors; the search Advisor of the player's option `search`; the places of Seq-Advisor other than the
 * second tier.
 *
 * This header is private to the folder. Ownership: a HoyleKnowledge belongs to its learner and is shared,
 * read-only, by its players; a Decision is the working memory of one user. */
#ifndef KNACK_METHODS_HOYLE_HOYLE_H
#define KNACK_METHODS_HOYLE_HOYLE_H

#include "methods/hoyle/state_table.h"
#include "methods/hoyle/lines.h"
#include "methods/hoyle/tp_rote.h"
#include "methods/hoyle/patsy.h"
#include "methods/hoyle/seq_advisor.h"
#include "methods/hoyle/game_learner.h"

enum { FIRST_TIER = 7, SECOND_TIER = 13, SILENT = -1, NEUTRAL = 5, HEAVY = 10, WEIGHT_UNIT = 1000 };

/* Useful knowledge about a move in a state: who made it, and how the game ended. */
typedef enum NoteKind { NOTE_EXPERT, NOTE_OWN_WON, NOTE_OWN_DRAWN, NOTE_OWN_LOST, NOTE_KINDS } NoteKind;

typedef struct Note {
    KnAction action; /* on the board of the normal state */
    uint8_t kind;
    uint32_t count;
    int next; /* -1: the last */
} Note;

/* Useful knowledge about a state, by its number in the state table. */
typedef struct StateKnowledge {
    int8_t certain; /* 1: a certain win for the player to move, -1: a certain loss; 0: not known */
    bool lost_from; /* somebody moved to it and lost that game */
    int first;      /* note; -1 */
} StateKnowledge;

typedef enum Sequences { SEQUENCES_NONE, SEQUENCES_ROTE, SEQUENCES_IMITATE } Sequences;

/* How the second tier's weights are learned: learn_weights.c. */
typedef enum WeightRule { WEIGHTS_LOGISTIC, WEIGHTS_WALK } WeightRule;

typedef struct Settings {
    Sequences sequences;
    WeightRule rule;
    KnTpRoteSettings rote;
    double step, start; /* of the weights */
    bool weigh_all;     /* also where the first tier decides */
    bool benchmark;     /* Advisors that weigh less than one that comments at random have no vote */
    bool patterns;      /* learns spatial patterns and concepts: patsy.h */
    int field_of_view;  /* its field of view */
    double draw;        /* the value of a draw there */
    SeqPlace seq;       /* where Seq-Advisor stands: seqadvisor.h */
} Settings;

/* A decision of an expert's, and what an Advisor said of it. */
typedef struct Example {
    double telling;             /* 1 less the share of the moves that it backed */
    char *start, *moves, *said; /* where the game began, its moves up to the expert's; "b2 10, a1 3" */
} Example;

/* Why an Advisor weighs what it does: reasons.c. By 1: it foresaw the expert's move, 0: it did not. */
typedef struct Reasons {
    uint64_t count[2];
    Example examples[2];
} Reasons;

typedef struct HoyleKnowledge {
    const KnGame *game;
    const KnBoardView *view;
    KnLines *lines;
    Settings settings;
    KnStateTable states;
    StateKnowledge *known_state;
    int known_state_capacity;
    Note *notes;
    int note_count, note_capacity;
    int weights[KN_BOARD_STAGES][SECOND_TIER]; /* of WEIGHT_UNIT */
    int judged[KN_BOARD_STAGES][SECOND_TIER];  /* how often a weight was moved */
    /* Of the logistic rule: coefficients, and the sums of the squares of their gradients. A file keeps the
     * weights only. */
    double coefficients[KN_BOARD_STAGES][SECOND_TIER], squares[KN_BOARD_STAGES][SECOND_TIER];
    int random_weight[KN_BOARD_STAGES]; /* of the benchmark */
    Reasons reasons[KN_BOARD_STAGES][SECOND_TIER];
    uint64_t foreseen_decisions; /* of experts, in games that it did not learn from: see kn_hoyle_judge */
    double foreseen_bits, chance_bits;
    KnTpRote *rote;     /* NULL if it does not learn sequences */
    KnImitate *imitate; /* NULL until trees are built, or if they are used as trees */
    Patsy *patsy;       /* NULL if it does not learn patterns */
    SeqAdvisor *seq;    /* NULL if it learns no Sitact Advisors */
} HoyleKnowledge;

/* The consequences of one move, two plies deep. */
typedef struct Consequence {
    KnMove move;
    KnAction action;
    int8_t end;     /* the game is over: 1 won, -1 lost, 2 drawn; 0: it goes on */
    int8_t certain; /* useful knowledge about the state it leads to, for the mover: 1, -1, 0 */
    bool leery;
    bool again;                           /* the mover has the move again (passes, chains) */
    int replies, winning, losing, taking; /* replies of the other: all, those that win, lose, take a man */
    int own, other;                       /* men after the move */
    bool out;                             /* removed by the first tier */
} Consequence;

/* One decision: the legal moves with their consequences, and the comments on them. */
typedef struct Decision {
    const HoyleKnowledge *knowledge;
    const void *position;
    int role, stage, count;
    Consequence *consequences;
    KnMove *moves;     /* the same as in `consequences` */
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
} Decision;

/* What the first tier decided. */
typedef struct FirstTierResult {
    int chosen;              /* index of the move; -1: the second tier decides */
    const char *advisor;     /* who decided */
    int removed[FIRST_TIER]; /* how many moves each removed */
    bool resigns;            /* Sadder's view */
} FirstTierResult;

/* useful_knowledge.c */
KnStatus kn_hoyle_knowledge_open(const KnBoardView *view, const Settings *settings, HoyleKnowledge *knowledge,
                                 KnError *error);
void kn_hoyle_knowledge_close(HoyleKnowledge *knowledge);
StateKnowledge *kn_hoyle_knowledge_of_state(HoyleKnowledge *knowledge, const void *normal,
                                            KnError *error); /* adds it; NULL if memory runs out */
KnStatus kn_hoyle_knowledge_note_move(HoyleKnowledge *knowledge, const void *normal, KnAction action,
                                      NoteKind kind, uint32_t count, KnError *error);
const char *kn_second_tier_name(int advisor); /* an Advisor of the second tier by number */
const char *kn_second_tier_says(int advisor); /* what it looks for: the end of a sentence with its name */

/* lookahead.c */
KnStatus kn_decision_open(Decision *decision, const HoyleKnowledge *knowledge, KnError *error);
void kn_decision_close(Decision *decision);
void kn_decision_look_ahead(Decision *decision, const void *position, const KnMove *moves,
                            int count); /* looks two plies ahead */
static inline const uint8_t *kn_decision_cells_after(const Decision *decision, int move)
{
    return decision->cells + (size_t)(move + 1) * (size_t)decision->knowledge->view->cells;
}

/* tier1.c */
extern const char *const kn_first_tier_names[FIRST_TIER];
void kn_first_tier(Decision *decision, bool victory_first, FirstTierResult *result);
int kn_first_tier_victory(const Decision *decision);         /* a move that wins immediately; -1: none */
int kn_first_tier_left(const Decision *decision, int *last); /* how many moves are left, and one of them */

/* Appends "c3 10, b2 4": what an Advisor says of the moves. */
void kn_decision_comments(const Decision *decision, const KnRequest *request, const int *strengths,
                          KnText *out); /* player.c */

/* tier2.c: fills desk->strengths for moves that are left; SILENT where an Advisor has no comment */
void kn_second_tier(Decision *decision);
static inline int *kn_decision_strengths(const Decision *decision, int advisor)
{
    return decision->strengths + (size_t)advisor * (size_t)decision->capacity;
}
/* The vote: sums of weight times (strength - 5); and who won, -1 entries are out. Returns the best sum. */
long kn_second_tier_vote(const Decision *decision, long *votes);
bool kn_second_tier_heard(const HoyleKnowledge *knowledge, int stage, int advisor);

/* Maps values of the moves that are left onto 0..10, linearly; silent where they are all equal. */
void kn_strengths_scale(const Decision *decision, const int *values, int *strengths);

/* line_advisors.c */
void kn_advise_lines(const Decision *decision, int *challenge, int *coverage, int *greedy, int *candide,
                     int *worried, int *pitchfork);

/* learn_knowledge.c */
KnStatus kn_hoyle_learn_knowledge(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
                                  KnError *error);

/* learn_weights.c */
void kn_hoyle_learn_weights(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
                            KnRng *rng);
/* How well the second tier foresees an expert's decisions in a game that it does not learn from: bits a
 * decision, the fewer the better, beside those of a guess. */
void kn_hoyle_judge(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played);
bool kn_hoyle_update_weight(const Decision *decision, const int *strengths, int expert, double step,
                            int *weight); /* false: there was nothing to judge */

/* reasons.c */
void kn_reasons_note(HoyleKnowledge *knowledge, const Decision *decision, int advisor,
                     const KnPlayedGame *played, size_t ply,
                     double verdict); /* of judge in learn_weights.c */
json_t *kn_reasons_json(const HoyleKnowledge *knowledge);
KnStatus kn_reasons_parse(HoyleKnowledge *knowledge, const KnJson *at, KnError *error);
void kn_reasons_explain(const HoyleKnowledge *knowledge, int stage, int advisor, KnArena *arena,
                        KnExplanation *weight);
void kn_reasons_free(HoyleKnowledge *knowledge);

/* knowledge_file.c */
json_t *kn_hoyle_knowledge_json(const HoyleKnowledge *knowledge);
KnStatus kn_hoyle_knowledge_parse(HoyleKnowledge *knowledge, const KnJson *at, KnError *error);
void kn_hoyle_knowledge_explain(const HoyleKnowledge *knowledge, KnArena *arena, KnExplanation *root);

extern const KnPlayerType kn_hoyle_learner_player; /* player.c: plays by the mind of a game learner */
KnStatus kn_hoyle_attach(const KnGameLearner *learner, KnPlayer *player, KnError *error);
json_t *kn_hoyle_tally(const KnPlayer *player);
const HoyleKnowledge *kn_hoyle_knowledge(const KnGameLearner *learner);

#endif
