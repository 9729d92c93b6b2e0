/* Classical strategies that count, and so are no small machines. */
#include "players/dilemma/tables.h"

#include <math.h>

static double go_by(const KnPast *past, double window, bool hard)
{
    long turns = past->turn, defections = kn_past_other_d(past);
    if (window > 0 && window < (double)turns) {
        turns = (long)window;
        defections = __builtin_popcountll(past->other & ((1ull << turns) - 1));
    }
    long cooperations = turns - defections;
    return kn_defect_if(hard ? defections >= cooperations : defections > cooperations);
}

static double majority(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)v;
    return go_by(past, agent->parameters[0], false);
}

static double hard_majority(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)v;
    return go_by(past, agent->parameters[0], true);
}

#define GO_BY(k)                                                                                             \
    static double majority_##k(const KnAgent *agent, const KnPast *past, double *v)                          \
    {                                                                                                        \
        (void)agent, (void)v;                                                                                \
        return go_by(past, k, false);                                                                        \
    }                                                                                                        \
    static double hard_majority_##k(const KnAgent *agent, const KnPast *past, double *v)                     \
    {                                                                                                        \
        (void)agent, (void)v;                                                                                \
        return go_by(past, k, true);                                                                         \
    }
GO_BY(5)
GO_BY(10)
GO_BY(20)
GO_BY(40)

static double n_tits_for_m_tats(const KnAgent *agent, const KnPast *past, double *v)
{
    long m = (long)agent->parameters[1];
    uint64_t recent = m < 64 ? (1ull << m) - 1 : ~0ull;
    if (past->turn >= m && (past->other & recent) == recent) v[0] = agent->parameters[0];
    if (v[0] <= 0) return 1;
    v[0]--;
    return 0;
}

/* Turn t cooperates if t - 1 has an odd number of one bits. */
static double thue_morse(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(__builtin_popcountl((unsigned long)past->turn) % 2 == 0);
}

static double sneaky(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (past->turn < 2) return 1;
    if (!kn_past_other_d(past)) return 0;
    if (past->other & 1 && past->own & 2) return 1;
    return kn_copy(past);
}

static bool often_defects(const KnPast *past) { return 10 * kn_past_other_d(past) > past->turn; }

static double forgiver(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(often_defects(past));
}

static double forgiving_tft(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return often_defects(past) ? kn_copy(past) : 1;
}

/* The variant of CRISTAL-SMAC: a D during punishment or calm only makes the next punishment longer. */
static double gradual(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    double *punish = &v[0], *calm = &v[1];
    if (*punish > 0) {
        --*punish;
        return 0;
    }
    if (*calm > 0) {
        --*calm;
        return 1;
    }
    if (!kn_other_defected(past)) return 1;
    *punish = (double)kn_past_other_d(past) - 1;
    *calm = 2;
    return 0;
}

/* v: grudge, turns of it so far, its length. */
static double punish(const KnPast *past, double *v, bool inverse)
{
    if (past->turn == 0) v[2] = 1;
    if (v[1] >= v[2]) v[0] = v[1] = 0;
    if (v[0] > 0) {
        v[1]++;
        return 0;
    }
    if (!kn_other_defected(past)) return 1;
    long counted = inverse ? kn_past_other_c(past) : kn_past_other_d(past);
    v[2] = (double)(20 * counted / past->turn);
    if (inverse && v[2] < 1) v[2] = 1;
    v[0] = 1;
    return 0;
}

static double punisher(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    return punish(past, v, false);
}

static double inverse_punisher(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    return punish(past, v, true);
}

static bool is_cheated(const KnAgent *agent, const KnPast *past)
{
    return (double)past->count[1] > agent->parameters[0] * (double)past->count[2];
}

static double retaliate(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)v;
    return kn_defect_if(is_cheated(agent, past));
}

static double limited_retaliate(const KnAgent *agent, const KnPast *past, double *v)
{
    if (is_cheated(agent, past) && v[0] < agent->parameters[1]) {
        v[0]++;
        return 0;
    }
    v[0] = 0;
    return 1;
}

static double grumpy(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    long lead = kn_past_other_d(past) - kn_past_other_c(past);
    v[0] = v[0] > 0 ? lead >= -10 : lead > 10;
    return kn_defect_if(v[0] > 0);
}

static double resurrection(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (past->turn >= 5 && (past->own & 31) == 31) return 0;
    return kn_copy(past);
}

static double double_resurrection(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (past->turn >= 5 && (past->own & 31) == 31) return 1;
    if (past->turn >= 5 && (past->own & 31) == 0) return 0;
    return kn_copy(past);
}

static double omega_tft(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    double *deadlock = &v[0], *randomness = &v[1];
    if (past->turn < 2) return kn_copy(past);
    if (*deadlock >= 3) {
        *deadlock = *deadlock < 4 ? 4 : 0;
        return 1;
    }
    bool changed = (past->other ^ past->other >> 1) & 1;
    if ((past->other & 3) == 0) --*randomness;
    if (changed) ++*randomness;
    if ((past->own ^ past->other) & 1) ++*randomness;
    if (*randomness >= 8) return 0;
    *deadlock = changed ? *deadlock + 1 : 0;
    return kn_copy(past);
}

static double adaptive(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (past->turn < 6) return 1;
    if (past->turn < 11) return 0;
    return kn_defect_if(!(past->earned[KN_C] > past->earned[KN_D]));
}

static double adaptive_tft(const KnAgent *agent, const KnPast *past, double *v)
{
    if (past->turn == 0)
        v[0] = 0.5;
    else
        v[0] += agent->parameters[0] * ((double)!(past->other & 1) - v[0]);
    return kn_defect_if(past->turn && v[0] < 0.5);
}

static double defector_hunter(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(past->turn >= 4 && !kn_past_other_c(past));
}

static double cooperator_hunter(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(past->turn >= 4 && !kn_past_other_d(past));
}

static double alternator_hunter(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 6) v[0] = ((past->other ^ past->other >> 1) & 31) == 31;
    return kn_defect_if(v[0] > 0);
}

static double tricky_cooperator(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(past->turn >= 3 && !(past->other & 1023));
}

static double tricky_defector(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_past_other_c(past) > 0 && past->turn >= 3 && (past->other & 7) == 7;
}

/* Those below defect at the end of a match whose length they are told. */
static bool is_among_last(const KnPast *past, long turns)
{
    return past->length > 0 && past->turn >= past->length - turns;
}

static double back_stabber(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(is_among_last(past, 2) || kn_past_other_d(past) >= 4);
}

static double double_crosser(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (is_among_last(past, 2)) return 0;
    if (past->turn == 7) v[0] = !kn_past_other_d(past); /* "trusting" */
    if (v[0] > 0 && past->turn < 180) return kn_defect_if((past->other & 3) == 3);
    return kn_defect_if(kn_past_other_d(past) >= 4);
}

static double eugine_nier(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (is_among_last(past, 1) || kn_past_other_d(past) >= 5) return 0;
    return kn_copy(past);
}

static const KnOption window[] = {
    {"window", KN_OPTION_INTEGER, "0", 0, 63, NULL, "how many of the other's last moves count; 0: all"}, {0}};
static const KnOption tits[] = {
    {"n", KN_OPTION_INTEGER, "3", 0, 1000, NULL, "defections in answer"},
    {"m", KN_OPTION_INTEGER, "2", 1, 64, NULL, "the other's defections in a row that call for them"},
    {0}};
static const KnOption threshold[] = {{"threshold", KN_OPTION_REAL, "0.1", 0, 1000, NULL,
                                      "times it was cheated, for each time it cheated, that it puts up with"},
                                     {0}};
static const KnOption limited[] = {
    {"threshold", KN_OPTION_REAL, "0.1", 0, 1000, NULL,
     "times it was cheated, for each time it cheated, that it puts up with"},
    {"limit", KN_OPTION_INTEGER, "20", 0, 1000000, NULL, "defections in a row before one C"},
    {0}};
static const KnOption rate[] = {{"rate", KN_OPTION_REAL, "0.5", 0, 1, NULL, "weight of the latest move"},
                                {0}};
static const KnOption length[] = {{"length", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
                                   "turns of the match, if it is to know; 0: unless it is told"},
                                  {0}};

#define COUNTS(name, rule, how, ...)                                                                         \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .decide = how,  \
        __VA_ARGS__                                                                                          \
    }
#define TUNED(name, rule, options, how, ...)                                                                 \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, options), .decide = how, __VA_ARGS__                        \
    }

const KnStrategy kn_strategies_counting[] = {
    TUNED("NTitsForMTats", "after M defections in a row defects N times", tits, n_tits_for_m_tats,
          .traits = KN_STRATEGY_DETERMINISTIC, .values = "punish"),
    TUNED("GoByMajority", "does what the other did more often, C if even", window, majority,
          .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_SUFFIX),
    COUNTS("GoByMajority5", "does what the other did more often in its last 5 moves, C if even", majority_5),
    COUNTS("GoByMajority10", "does what the other did more often in its last 10 moves, C if even",
           majority_10),
    COUNTS("GoByMajority20", "does what the other did more often in its last 20 moves, C if even",
           majority_20),
    COUNTS("GoByMajority40", "does what the other did more often in its last 40 moves, C if even",
           majority_40),
    TUNED("HardGoByMajority", "does what the other did more often, D if even", window, hard_majority,
          .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_SUFFIX),
    COUNTS("HardGoByMajority5", "does what the other did more often in its last 5 moves, D if even",
           hard_majority_5),
    COUNTS("HardGoByMajority10", "does what the other did more often in its last 10 moves, D if even",
           hard_majority_10),
    COUNTS("HardGoByMajority20", "does what the other did more often in its last 20 moves, D if even",
           hard_majority_20),
    COUNTS("HardGoByMajority40", "does what the other did more often in its last 40 moves, D if even",
           hard_majority_40),
    COUNTS("ThueMorse", "plays the Thue-Morse sequence, D C C D C D D C ...", thue_morse),
    COUNTS("SneakyTitForTat", "defects on who never does; else copies, but not twice in revenge", sneaky),
    COUNTS("Forgiver", "defects while the other has in more than a tenth of its moves", forgiver),
    COUNTS("ForgivingTitForTat",
           "copies while the other has defected in more than a tenth of its moves, else cooperates",
           forgiving_tft),
    COUNTS("Gradual", "answers a D with as many as there have been, then C C", gradual,
           .values = "punish calm"),
    COUNTS("Punisher", "answers a D with more of them the more often the other defects", punisher,
           .values = "grudge punished length"),
    COUNTS("InversePunisher", "answers a D with more of them the more often the other cooperates",
           inverse_punisher, .values = "grudge punished length"),
    TUNED("Retaliate", "defects while it was cheated more than a tenth as often as it cheated", threshold,
          retaliate, .traits = KN_STRATEGY_DETERMINISTIC),
    TUNED("LimitedRetaliate", "Retaliate, with one C after 20 defections in a row", limited,
          limited_retaliate, .traits = KN_STRATEGY_DETERMINISTIC, .values = "retaliated"),
    COUNTS("Grumpy",
           "nice until the other's defections lead by more than 10, then defects until its cooperations do",
           grumpy, .values = "grumpy"),
    COUNTS("Resurrection", "TitForTat that five own defections in a row turn into a Defector", resurrection),
    COUNTS("DoubleResurrection", "TitForTat that changes its move after five of the same",
           double_resurrection),
    COUNTS("OmegaTFT", "TitForTat that breaks out of mutual revenge and gives up on who seems random",
           omega_tft, .values = "deadlock randomness"),
    COUNTS("Adaptive", "six C, five D, then whichever has brought more points", adaptive),
    TUNED("AdaptiveTitForTat",
          "cooperates while a running mean of the other's cooperation is at least a half", rate, adaptive_tft,
          .traits = KN_STRATEGY_DETERMINISTIC, .values = "trust"),
    COUNTS("DefectorHunter", "defects from turn 5 on if the other never cooperated", defector_hunter),
    COUNTS("CooperatorHunter", "defects from turn 5 on while the other never defected", cooperator_hunter),
    COUNTS("AlternatorHunter", "defects from turn 7 on if the other's first six moves alternate",
           alternator_hunter, .values = "hunting"),
    COUNTS("TrickyCooperator", "defects from turn 4 on unless the other did in its last ten moves",
           tricky_cooperator),
    COUNTS("TrickyDefector", "defects, but cooperates with who once did and now defected three times",
           tricky_defector),
    TUNED("BackStabber",
          "forgives three defections, then defects for ever; defects on the last two turns if it knows them",
          length, back_stabber, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH),
    TUNED("DoubleCrosser",
          "BackStabber that trusts who began with seven C until turn 180, two defections in a row apart",
          length, double_crosser, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH,
          .values = "trusting"),
    TUNED("EugineNier",
          "TitForTat until the other has defected five times, then defects; defects on the last turn if it "
          "knows it",
          length, eugine_nier, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH),
    KN_STRATEGIES_END};
