/* Deterministic entries of Axelrod's two tournaments (1980). */
#include "players/dilemma/tables.h"

#include <math.h>

#include "base/math.h"

static bool is_among_last_two(const KnMatchHistory *history)
{
    return history->length > 0 && history->turn >= history->length - 2;
}

static double davis(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(history->turn >= 10 && kn_opponent_defections(history));
}

/* v: defections still to play, length of the last retaliation. */
static double shubik(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn && (history->own & 1) == KN_C && kn_opponent_defected(history)) v[0] = ++v[1];
    if (v[0] <= 0) return 1;
    v[0]--;
    return 0;
}

static double nydegger(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    /* One bit for each weighted sum of the last three turns after which it defects. */
    static const uint64_t defects = 1ull << 1 | 1ull << 6 | 1ull << 7 | 1ull << 17 | 1ull << 22 | 1ull << 23 |
                                    1ull << 26 | 1ull << 29 | 1ull << 30 | 1ull << 31 | 1ull << 33 |
                                    1ull << 38 | 1ull << 39 | 1ull << 45 | 1ull << 49 | 1ull << 54 |
                                    1ull << 55 | 1ull << 58 | 1ull << 61;
    if (history->turn < 2) return kn_copy(history);
    if (history->turn == 2) return kn_defect_if((history->opponent & 3) == 2 || history->opponent & 1);
    int sum = 0;
    for (int ago = 0; ago < 3; ago++) /* the latest turn weighs most */
        sum = sum * 4 + (int)(history->opponent >> ago & 1) * 2 + (int)(history->own >> ago & 1);
    return kn_defect_if(defects >> sum & 1);
}

/* v: number of the opponent's C one turn after an own C, and after an own D. */
static double downing(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) return 0;
    if (history->turn == 1) {
        v[0] = !(history->opponent & 1); /* a C on the first turn counts as an answer to C */
        return 0;
    }
    if (!(history->opponent & 1)) v[history->own & 2 ? 1 : 0]++;
    const double *pays = history->payoffs->own;
    double after_c = v[0] / ((double)kn_own_cooperations(history) + 1),
           after_d = v[1] / fmax((double)kn_own_defections(history), 2);
    double value_c = after_c * pays[0] + (1 - after_c) * pays[1],
           value_d = after_d * pays[2] + (1 - after_d) * pays[3];
    if (value_c == value_d) return kn_flip_own(history);
    return kn_defect_if(value_d > value_c);
}

/* v: number of the opponent's C one turn after an own C, and of all such turns; the same for an own D. */
static double revised_downing(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) return 1;
    if (history->turn >= 2) {
        int after = history->own & 2 ? 2 : 0;
        if (!(history->opponent & 1)) v[after]++;
        v[after + 1]++;
    }
    double good = v[1] > 0 ? v[0] / v[1] : 1, bad = v[3] > 0 ? v[2] / v[3] : 0;
    double c = 6 * good - 8 * bad - 2, alternate = 4 * good - 5 * bad - 1;
    if (c >= 0 && c >= alternate) return 1;
    return alternate >= 0 ? kn_flip_own(history) : 0;
}

static double stein_and_rapoport(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (is_among_last_two(history)) return 0;
    if (history->turn < 4) return 1;
    if (history->turn >= 14 && (history->turn + 1) % 15 == 0) {
        double lead = (double)(kn_opponent_cooperations(history) - kn_opponent_defections(history));
        v[0] = lead * lead / (double)history->turn <= 3.841459; /* chi-square, p >= .05 */
    }
    return v[0] > 0 ? 0 : kn_copy(history);
}

enum { T_REMAINING, T_LENGTH, T_DEFECTIONS, T_STARTED, T_STARTING };

/* Whether to give the opponent a fresh start now. */
static bool deserves(const KnMatchHistory *history, const double *v)
{
    double turn = (double)history->turn + 1;
    if (v[T_STARTED] > 0 && turn - v[T_STARTED] < 20) return false;
    if (history->earned[0] + history->earned[1] - history->opponent_earned < 10 ||
        kn_opponent_defected(history))
        return false;
    if (history->length > 0 && (double)history->length - turn < 10) return false;
    double n = (double)history->turn, spread = 3 * sqrt(n) / 2;
    return v[T_DEFECTIONS] <= n / 2 - spread || v[T_DEFECTIONS] >= n / 2 + spread;
}

static double tideman_and_chieruzzi(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) return kn_defect_if(is_among_last_two(history));
    if (kn_opponent_defected(history)) v[T_DEFECTIONS]++;
    double chance = 1;
    if (v[T_STARTING] > 0) { /* the second C of a fresh start */
        v[T_STARTING] = 0;
    } else if (deserves(history, v)) { /* the first C: defections count again from here */
        v[T_REMAINING] = v[T_LENGTH] = v[T_DEFECTIONS] = 0;
        v[T_STARTED] = (double)history->turn + 1;
        v[T_STARTING] = 1;
    } else {
        if (v[T_REMAINING] <= 0 && kn_opponent_defected(history)) v[T_REMAINING] = ++v[T_LENGTH];
        if (v[T_REMAINING] > 0) {
            v[T_REMAINING]--;
            chance = 0;
        }
    }
    return is_among_last_two(history) ? 0 : chance;
}

static double tester(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) return 0;
    if (v[0] > 0) return kn_copy(history);
    if (kn_opponent_defected(history)) {
        v[0] = 1; /* retaliation: apologise, then play TitForTat */
        return 1;
    }
    return history->turn < 3 ? 1 : kn_flip_own(history);
}

static double gladstein(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) return 0;
    if (v[0] > 0) return kn_copy(history);
    if (kn_opponent_defected(history)) {
        v[0] = 1;
        return 1;
    }
    return kn_defect_if(2 * kn_own_cooperations(history) > history->turn);
}

static double second_grofman(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn < 2) return 1;
    if (history->turn < 7) return kn_copy(history);
    int defections = __builtin_popcountll(history->opponent >> 1 & 127);
    return kn_defect_if(defections > (history->own & 1 ? 1 : 2));
}

static double white(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    double turn = (double)history->turn + 1;
    if (turn <= 10 || !kn_opponent_defected(history)) return 1;
    return kn_defect_if(floor(kn_math_log(turn)) * (double)kn_opponent_defections(history) >= turn);
}

static double mikkelson(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) {
        v[0] = 7;
        return 1;
    }
    v[0] = kn_opponent_defected(history) ? fmax(-7, v[0] - 2) : fmin(8, v[0] + 1);
    double turn = (double)history->turn + 1;
    if (history->turn == 1 || v[0] > 0) return 1;
    if (turn <= 10) {
        v[0] = 4;
        return 0;
    }
    return kn_defect_if((double)kn_opponent_defections(history) / turn >= 0.15);
}

static const KnOption length[] = {{"length", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
                                   "turns of the match, if the strategy knows them; 0: what the match says"},
                                  {0}};

#define ENTRY(name, rule, how, ...)                                                                          \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .decide = how,  \
        __VA_ARGS__                                                                                          \
    }
#define KNOWING(name, rule, how, ...)                                                                        \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, length),                                                    \
        .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_LENGTH, .decide = how, __VA_ARGS__                 \
    }

const KnStrategy kn_strategies_tournaments[] = {
    ENTRY("FirstByDavis", "cooperates ten times, then plays Grudger; the first turns count", davis),
    ENTRY("FirstByShubik", "answers the n-th D against its own C with n defections", shubik,
          .values = "remaining length"),
    ENTRY("FirstByNydegger", "decides by a weighted sum of the last three turns", nydegger),
    ENTRY("FirstByDowning",
          "estimates how the opponent answers C and D, and plays the move with the higher expected payoff",
          downing, .values = "c-after-c c-after-d"),
    ENTRY("RevisedDowning", "Downing as revised for the second tournament, beginning with trust",
          revised_downing, .values = "c-after-c after-c c-after-d after-d"),
    KNOWING("FirstBySteinAndRapoport",
            "TitForTat that defects on opponents that seem random, tested every 15 turns", stein_and_rapoport,
            .values = "random"),
    KNOWING("FirstByTidemanAndChieruzzi",
            "answers each run of D with one defection more, and at times gives a fresh start",
            tideman_and_chieruzzi, .values = "remaining length defections started starting"),
    ENTRY("SecondByTester", "defects first; apologises to opponents that retaliate, else alternates", tester,
          .values = "caught"),
    ENTRY("SecondByGladstein",
          "defects as often as it can until the opponent retaliates, then plays TitForTat", gladstein,
          .values = "caught"),
    ENTRY("SecondByGrofman",
          "cooperates while the opponent's last eight moves, the latest left out, hold few defections",
          second_grofman),
    ENTRY("SecondByWhite", "answers a D with D once the opponent has defected often for the length played",
          white),
    ENTRY("SecondByMikkelson", "keeps a credit that C raises and D lowers, and defects when it runs out",
          mikkelson, .values = "credit"),
    KN_STRATEGIES_END};
