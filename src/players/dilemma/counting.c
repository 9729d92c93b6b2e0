/* Classical strategies that count, which small machines cannot do. */
#include "players/dilemma/tables.h"

#include <math.h>

static double go_by(const KnMatchHistory *history, double window, bool hard)
{
    long turns = history->turn, defections = kn_opponent_defections(history);
    if (window > 0 && window < (double)turns) {
        turns = (long)window;
        defections = __builtin_popcountll(history->opponent & ((1ull << turns) - 1));
    }
    long cooperations = turns - defections;
    return kn_defect_if(hard ? defections >= cooperations : defections > cooperations);
}

static double majority(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)v;
    return go_by(history, agent->parameters[0], false);
}

static double hard_majority(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)v;
    return go_by(history, agent->parameters[0], true);
}

#define GO_BY(k)                                                                                             \
    static double majority_##k(const KnAgent *agent, const KnMatchHistory *history, double *v)               \
    {                                                                                                        \
        (void)agent, (void)v;                                                                                \
        return go_by(history, k, false);                                                                     \
    }                                                                                                        \
    static double hard_majority_##k(const KnAgent *agent, const KnMatchHistory *history, double *v)          \
    {                                                                                                        \
        (void)agent, (void)v;                                                                                \
        return go_by(history, k, true);                                                                      \
    }
GO_BY(5)
GO_BY(10)
GO_BY(20)
GO_BY(40)

static double n_tits_for_m_tats(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    long m = (long)agent->parameters[1];
    uint64_t recent = m < 64 ? (1ull << m) - 1 : ~0ull;
    if (history->turn >= m && (history->opponent & recent) == recent) v[0] = agent->parameters[0];
    if (v[0] <= 0) return 1;
    v[0]--;
    return 0;
}

/* Cooperates on turn t if t - 1 has an odd number of one bits. */
static double thue_morse(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(__builtin_popcountl((unsigned long)history->turn) % 2 == 0);
}

static double sneaky(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn < 2) return 1;
    if (!kn_opponent_defections(history)) return 0;
    if (history->opponent & 1 && history->own & 2) return 1;
    return kn_copy(history);
}

static bool often_defects(const KnMatchHistory *history)
{
    return 10 * kn_opponent_defections(history) > history->turn;
}

static double forgiver(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(often_defects(history));
}

static double forgiving_tft(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return often_defects(history) ? kn_copy(history) : 1;
}

/* The CRISTAL-SMAC variant: a D during punishment or calm only makes the next punishment longer. */
static double gradual(const KnAgent *agent, const KnMatchHistory *history, double *v)
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
    if (!kn_opponent_defected(history)) return 1;
    *punish = (double)kn_opponent_defections(history) - 1;
    *calm = 2;
    return 0;
}

/* v: whether it punishes, turns of that so far, their number. */
static double punish(const KnMatchHistory *history, double *v, bool inverse)
{
    if (history->turn == 0) v[2] = 1;
    if (v[1] >= v[2]) v[0] = v[1] = 0;
    if (v[0] > 0) {
        v[1]++;
        return 0;
    }
    if (!kn_opponent_defected(history)) return 1;
    long counted = inverse ? kn_opponent_cooperations(history) : kn_opponent_defections(history);
    v[2] = (double)(20 * counted / history->turn);
    if (inverse && v[2] < 1) v[2] = 1;
    v[0] = 1;
    return 0;
}

static double punisher(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    return punish(history, v, false);
}

static double inverse_punisher(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    return punish(history, v, true);
}

static bool is_cheated(const KnAgent *agent, const KnMatchHistory *history)
{
    return (double)history->count[1] > agent->parameters[0] * (double)history->count[2];
}

static double retaliate(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)v;
    return kn_defect_if(is_cheated(agent, history));
}

static double limited_retaliate(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    if (is_cheated(agent, history) && v[0] < agent->parameters[1]) {
        v[0]++;
        return 0;
    }
    v[0] = 0;
    return 1;
}

static double grumpy(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    long lead = kn_opponent_defections(history) - kn_opponent_cooperations(history);
    v[0] = v[0] > 0 ? lead >= -10 : lead > 10;
    return kn_defect_if(v[0] > 0);
}

static double resurrection(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn >= 5 && (history->own & 31) == 31) return 0;
    return kn_copy(history);
}

static double double_resurrection(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn >= 5 && (history->own & 31) == 31) return 1;
    if (history->turn >= 5 && (history->own & 31) == 0) return 0;
    return kn_copy(history);
}

static double omega_tft(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    double *deadlock = &v[0], *randomness = &v[1];
    if (history->turn < 2) return kn_copy(history);
    if (*deadlock >= 3) {
        *deadlock = *deadlock < 4 ? 4 : 0;
        return 1;
    }
    bool changed = (history->opponent ^ history->opponent >> 1) & 1;
    if ((history->opponent & 3) == 0) --*randomness;
    if (changed) ++*randomness;
    if ((history->own ^ history->opponent) & 1) ++*randomness;
    if (*randomness >= 8) return 0;
    *deadlock = changed ? *deadlock + 1 : 0;
    return kn_copy(history);
}

static double adaptive(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn < 6) return 1;
    if (history->turn < 11) return 0;
    return kn_defect_if(!(history->earned[KN_C] > history->earned[KN_D]));
}

static double adaptive_tft(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    if (history->turn == 0)
        v[0] = 0.5;
    else
        v[0] += agent->parameters[0] * ((double)!(history->opponent & 1) - v[0]);
    return kn_defect_if(history->turn && v[0] < 0.5);
}

static double defector_hunter(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(history->turn >= 4 && !kn_opponent_cooperations(history));
}

static double cooperator_hunter(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(history->turn >= 4 && !kn_opponent_defections(history));
}

static double alternator_hunter(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 6) v[0] = ((history->opponent ^ history->opponent >> 1) & 31) == 31;
    return kn_defect_if(v[0] > 0);
}

static double tricky_cooperator(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(history->turn >= 3 && !(history->opponent & 1023));
}

static double tricky_defector(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_opponent_cooperations(history) > 0 && history->turn >= 3 && (history->opponent & 7) == 7;
}

/* The strategies below defect at the end of a match if they know its length. */
static bool is_among_last(const KnMatchHistory *history, long turns)
{
    return history->length > 0 && history->turn >= history->length - turns;
}

static double back_stabber(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(is_among_last(history, 2) || kn_opponent_defections(history) >= 4);
}

static double double_crosser(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (is_among_last(history, 2)) return 0;
    if (history->turn == 7) v[0] = !kn_opponent_defections(history); /* "trusting" */
    if (v[0] > 0 && history->turn < 180) return kn_defect_if((history->opponent & 3) == 3);
    return kn_defect_if(kn_opponent_defections(history) >= 4);
}

static double eugine_nier(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (is_among_last(history, 1) || kn_opponent_defections(history) >= 5) return 0;
    return kn_copy(history);
}

static const KnOption window[] = {
    {"window", KN_OPTION_INTEGER, "0", 0, 63, NULL, "number of the opponent's last moves that count; 0: all"},
    {0}};
static const KnOption tits[] = {
    {"n", KN_OPTION_INTEGER, "3", 0, 1000, NULL, "defections in answer"},
    {"m", KN_OPTION_INTEGER, "2", 1, 64, NULL, "defections in a row that trigger them"},
    {0}};
static const KnOption threshold[] = {{"threshold", KN_OPTION_REAL, "0.1", 0, 1000, NULL,
                                      "accepted number of own C against D for each own D against C"},
                                     {0}};
static const KnOption limited[] = {
    {"threshold", KN_OPTION_REAL, "0.1", 0, 1000, NULL,
     "accepted number of own C against D for each own D against C"},
    {"limit", KN_OPTION_INTEGER, "20", 0, 1000000, NULL, "defections in a row before one C"},
    {0}};
static const KnOption rate[] = {{"rate", KN_OPTION_REAL, "0.5", 0, 1, NULL, "weight of the latest move"},
                                {0}};
static const KnOption length[] = {{"length", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
                                   "turns of the match, if the strategy knows them; 0: what the match says"},
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
    TUNED("GoByMajority", "plays the opponent's more frequent move, C in a tie", window, majority,
          .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_SUFFIX),
    COUNTS("GoByMajority5", "plays the more frequent of the opponent's last 5 moves, C in a tie", majority_5),
    COUNTS("GoByMajority10", "plays the more frequent of the opponent's last 10 moves, C in a tie",
           majority_10),
    COUNTS("GoByMajority20", "plays the more frequent of the opponent's last 20 moves, C in a tie",
           majority_20),
    COUNTS("GoByMajority40", "plays the more frequent of the opponent's last 40 moves, C in a tie",
           majority_40),
    TUNED("HardGoByMajority", "plays the opponent's more frequent move, D in a tie", window, hard_majority,
          .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_SUFFIX),
    COUNTS("HardGoByMajority5", "plays the more frequent of the opponent's last 5 moves, D in a tie",
           hard_majority_5),
    COUNTS("HardGoByMajority10", "plays the more frequent of the opponent's last 10 moves, D in a tie",
           hard_majority_10),
    COUNTS("HardGoByMajority20", "plays the more frequent of the opponent's last 20 moves, D in a tie",
           hard_majority_20),
    COUNTS("HardGoByMajority40", "plays the more frequent of the opponent's last 40 moves, D in a tie",
           hard_majority_40),
    COUNTS("ThueMorse", "plays the Thue-Morse sequence, D C C D C D D C ...", thue_morse),
    COUNTS("SneakyTitForTat", "defects on opponents that never do, else copies without retaliating twice",
           sneaky),
    COUNTS("Forgiver", "defects while more than a tenth of the opponent's moves are D", forgiver),
    COUNTS("ForgivingTitForTat",
           "copies while more than a tenth of the opponent's moves are D, else cooperates", forgiving_tft),
    COUNTS("Gradual", "answers the n-th D with n defections, then C C", gradual, .values = "punish calm"),
    COUNTS("Punisher", "answers a D with more defections the more often the opponent defects", punisher,
           .values = "grudge punished length"),
    COUNTS("InversePunisher", "answers a D with more defections the more often the opponent cooperates",
           inverse_punisher, .values = "grudge punished length"),
    TUNED("Retaliate", "defects while C met D more than a tenth as often as D met C", threshold, retaliate,
          .traits = KN_STRATEGY_DETERMINISTIC),
    TUNED("LimitedRetaliate", "Retaliate, with one C after 20 defections in a row", limited,
          limited_retaliate, .traits = KN_STRATEGY_DETERMINISTIC, .values = "retaliated"),
    COUNTS("Grumpy",
           "cooperates until the opponent's defections lead by more than 10, then defects until its "
           "cooperations do",
           grumpy, .values = "grumpy"),
    COUNTS("Resurrection", "TitForTat that defects forever after five own defections in a row", resurrection),
    COUNTS("DoubleResurrection", "TitForTat that changes its move after five of the same",
           double_resurrection),
    COUNTS("OmegaTFT",
           "TitForTat that breaks out of mutual retaliation and defects on opponents that seem random",
           omega_tft, .values = "deadlock randomness"),
    COUNTS("Adaptive", "six C, five D, then the move that has earned more points", adaptive),
    TUNED("AdaptiveTitForTat",
          "cooperates while a running mean of the opponent's cooperation is at least a half", rate,
          adaptive_tft, .traits = KN_STRATEGY_DETERMINISTIC, .values = "trust"),
    COUNTS("DefectorHunter", "defects from turn 5 on if the opponent never cooperated", defector_hunter),
    COUNTS("CooperatorHunter", "defects from turn 5 on while the opponent never defected", cooperator_hunter),
    COUNTS("AlternatorHunter", "defects from turn 7 on if the opponent's first six moves alternate",
           alternator_hunter, .values = "hunting"),
    COUNTS("TrickyCooperator", "defects from turn 4 on unless the opponent defected in its last ten moves",
           tricky_cooperator),
    COUNTS("TrickyDefector",
           "defects, but cooperates after three defections of an opponent that once cooperated",
           tricky_defector),
    TUNED("BackStabber",
          "forgives three defections, then defects forever; defects on the last two turns if it knows the "
          "length",
          length, back_stabber, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH),
    TUNED("DoubleCrosser",
          "BackStabber that trusts, until turn 180, opponents that began with seven C, unless they defect "
          "twice in a row",
          length, double_crosser, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH,
          .values = "trusting"),
    TUNED("EugineNier",
          "TitForTat until the opponent has defected five times, then defects; defects on the last turn if "
          "it knows the length",
          length, eugine_nier, .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH),
    KN_STRATEGIES_END};
