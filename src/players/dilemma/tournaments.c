/* Entries of Axelrod's two tournaments that leave nothing to chance. */
#include "players/dilemma/tables.h"

#include <math.h>

static bool is_among_last_two(const KnPast *past)
{
    return past->length > 0 && past->turn >= past->length - 2;
}

static double davis(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(past->turn >= 10 && kn_past_other_d(past));
}

/* v: defections still to come, length of the last retaliation. */
static double shubik(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn && (past->own & 1) == KN_C && kn_other_defected(past)) v[0] = ++v[1];
    if (v[0] <= 0) return 1;
    v[0]--;
    return 0;
}

static double nydegger(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    /* One bit for each sum of the last three turns after which it defects. */
    static const uint64_t defects = 1ull << 1 | 1ull << 6 | 1ull << 7 | 1ull << 17 | 1ull << 22 | 1ull << 23 |
                                    1ull << 26 | 1ull << 29 | 1ull << 30 | 1ull << 31 | 1ull << 33 |
                                    1ull << 38 | 1ull << 39 | 1ull << 45 | 1ull << 49 | 1ull << 54 |
                                    1ull << 55 | 1ull << 58 | 1ull << 61;
    if (past->turn < 2) return kn_copy(past);
    if (past->turn == 2) return kn_defect_if((past->other & 3) == 2 || past->other & 1);
    int sum = 0;
    for (int ago = 0; ago < 3; ago++) /* the latest turn weighs most */
        sum = sum * 4 + (int)(past->other >> ago & 1) * 2 + (int)(past->own >> ago & 1);
    return kn_defect_if(defects >> sum & 1);
}

/* v: the other's C after an own C and after an own D, a turn later. */
static double downing(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) return 0;
    if (past->turn == 1) {
        v[0] = !(past->other & 1); /* a C on the first turn counts as an answer to C */
        return 0;
    }
    if (!(past->other & 1)) v[past->own & 2 ? 1 : 0]++;
    const double *pays = past->stakes->own;
    double after_c = v[0] / ((double)kn_past_own_c(past) + 1),
           after_d = v[1] / fmax((double)kn_past_own_d(past), 2);
    double worth_c = after_c * pays[0] + (1 - after_c) * pays[1],
           worth_d = after_d * pays[2] + (1 - after_d) * pays[3];
    if (worth_c == worth_d) return kn_flip_own(past);
    return kn_defect_if(worth_d > worth_c);
}

/* v: the other's C after an own C two turns before and all that followed one; the same for D. */
static double revised_downing(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) return 1;
    if (past->turn >= 2) {
        int after = past->own & 2 ? 2 : 0;
        if (!(past->other & 1)) v[after]++;
        v[after + 1]++;
    }
    double good = v[1] > 0 ? v[0] / v[1] : 1, bad = v[3] > 0 ? v[2] / v[3] : 0;
    double c = 6 * good - 8 * bad - 2, alternate = 4 * good - 5 * bad - 1;
    if (c >= 0 && c >= alternate) return 1;
    if (c >= 0 || alternate >= 0) return kn_flip_own(past);
    return 0;
}

static double stein_and_rapoport(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (is_among_last_two(past)) return 0;
    if (past->turn < 4) return 1;
    if (past->turn >= 14 && (past->turn + 1) % 15 == 0) {
        double lead = (double)(kn_past_other_c(past) - kn_past_other_d(past));
        v[0] = lead * lead / (double)past->turn <= 3.841459; /* chi-square, p >= .05 */
    }
    return v[0] > 0 ? 0 : kn_copy(past);
}

enum { T_REMAINING, T_LENGTH, T_DEFECTIONS, T_STARTED, T_STARTING };

/* Whether the other deserves a fresh start now. */
static bool deserves(const KnPast *past, const double *v)
{
    double turn = (double)past->turn + 1;
    if (v[T_STARTED] > 0 && turn - v[T_STARTED] < 20) return false;
    if (past->earned[0] + past->earned[1] - past->other_earned < 10 || kn_other_defected(past)) return false;
    if (past->length > 0 && (double)past->length - turn < 10) return false;
    double n = (double)past->turn, spread = 3 * sqrt(n) / 2;
    return v[T_DEFECTIONS] <= n / 2 - spread || v[T_DEFECTIONS] >= n / 2 + spread;
}

static double tideman_and_chieruzzi(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) return kn_defect_if(is_among_last_two(past));
    if (kn_other_defected(past)) v[T_DEFECTIONS]++;
    double chance = 1;
    if (v[T_STARTING] > 0) { /* the second C of a fresh start */
        v[T_STARTING] = v[T_REMAINING] = v[T_LENGTH] = v[T_DEFECTIONS] = 0;
        v[T_STARTED] = (double)past->turn;
    } else if (deserves(past, v)) {
        v[T_STARTING] = 1;
    } else {
        if (v[T_REMAINING] <= 0 && kn_other_defected(past)) v[T_REMAINING] = ++v[T_LENGTH];
        if (v[T_REMAINING] > 0) {
            v[T_REMAINING]--;
            chance = 0;
        }
    }
    return is_among_last_two(past) ? 0 : chance;
}

static double tester(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) return 0;
    if (v[0] > 0) return kn_copy(past);
    if (kn_other_defected(past)) {
        v[0] = 1; /* caught: apologise, then TitForTat */
        return 1;
    }
    return past->turn < 3 ? 1 : kn_flip_own(past);
}

static double gladstein(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) return 0;
    if (v[0] > 0) return kn_copy(past);
    if (kn_other_defected(past)) {
        v[0] = 1;
        return 1;
    }
    return kn_defect_if(2 * kn_past_own_c(past) > past->turn);
}

static double second_grofman(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    if (past->turn < 2) return 1;
    if (past->turn < 7) return kn_copy(past);
    int defections = __builtin_popcountll(past->other >> 1 & 127);
    return kn_defect_if(defections > (past->own & 1 ? 1 : 2));
}

static double white(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent, (void)v;
    double turn = (double)past->turn + 1;
    if (turn <= 10 || !kn_other_defected(past)) return 1;
    return kn_defect_if(floor(log(turn)) * (double)kn_past_other_d(past) >= turn);
}

static double mikkelson(const KnAgent *agent, const KnPast *past, double *v)
{
    (void)agent;
    if (past->turn == 0) {
        v[0] = 7;
        return 1;
    }
    v[0] = kn_other_defected(past) ? fmax(-7, v[0] - 2) : fmin(8, v[0] + 1);
    double turn = (double)past->turn + 1;
    if (past->turn == 1 || v[0] > 0) return 1;
    if (turn <= 10) {
        v[0] = 4;
        return 0;
    }
    return kn_defect_if((double)kn_past_other_d(past) / turn >= 0.15);
}

static const KnOption length[] = {{"length", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
                                   "turns of the match, if it is to know; 0: unless it is told"},
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
    ENTRY("FirstByDavis", "cooperates ten times, then is a Grudger that forgets nothing", davis),
    ENTRY("FirstByShubik", "answers a D on its own C with one more D each time", shubik,
          .values = "remaining length"),
    ENTRY("FirstByNydegger", "decides by a weighted sum of the last three turns", nydegger),
    ENTRY("FirstByDowning", "estimates how the other answers C and D, and plays what should pay more",
          downing, .values = "c-after-c c-after-d"),
    ENTRY("RevisedDowning", "Downing as revised for the second tournament, beginning with trust",
          revised_downing, .values = "c-after-c after-c c-after-d after-d"),
    KNOWING("FirstBySteinAndRapoport", "TitForTat that defects on who seems random, tested every 15 turns",
            stein_and_rapoport, .values = "random"),
    KNOWING("FirstByTidemanAndChieruzzi",
            "answers each D with one more of them, and at times gives a fresh start", tideman_and_chieruzzi,
            .values = "remaining length defections started starting"),
    ENTRY("SecondByTester", "defects to see what happens; apologises to who hits back, else alternates",
          tester, .values = "caught"),
    ENTRY("SecondByGladstein", "defects as often as it can without being hit back, else is a TitForTat",
          gladstein, .values = "caught"),
    ENTRY("SecondByGrofman",
          "cooperates while the other's last eight moves, the latest left out, hold few defections",
          second_grofman),
    ENTRY("SecondByWhite", "answers a D with D once there have been many for the time", white),
    ENTRY("SecondByMikkelson", "keeps a credit that C raises and D lowers, and defects when it is used up",
          mikkelson, .values = "credit"),
    KN_STRATEGIES_END};
