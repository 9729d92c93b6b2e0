/* Stochastic strategies. Those of memory one are machines of five states; the others return the probability
 * of cooperation each turn. Where the original draws a hidden random number, this code averages over it,
 * which has the same distribution of play. */
#include "players/dilemma/tables.h"

#include <math.h>

static KnStatus memory_one(KnAgent *agent, const KnGame *game, const KnOptions *options, KnError *error)
{
    (void)game, (void)options;
    return kn_machine_memory_one(agent->parameters, agent->parameters[4], &agent->machine, error);
}

/* Zero-determinant strategies (Press & Dyson 2012): in the long run, own score - baseline = slope *
 * (opponent's score - baseline), or the inverse. */
static KnStatus zero_determinant(KnAgent *agent, const KnGame *game, const KnOptions *options, KnError *error)
{
    (void)options;
    static const char *const after[4] = {"CC", "CD", "DC", "DD"};
    KnRoundPayoffs payoffs = kn_round_payoffs(kn_game_matrix(game), 0, 0);
    double r = payoffs.own[0], s = payoffs.own[1], t = payoffs.own[2], p = payoffs.own[3];
    double l = agent->parameters[0], slope = agent->parameters[1], f = agent->parameters[2];
    double chances[4] = {1 - f * (1 - slope) * (r - l), 1 - f * (slope * (l - s) + (t - l)),
                         f * ((l - s) + slope * (t - l)), f * (1 - slope) * (l - p)};
    for (int i = 0; i < 4; i++) {
        if (fabs(chances[i]) < 1e-12) chances[i] = 0;
        if (fabs(chances[i] - 1) < 1e-12) chances[i] = 1;
        if (!(chances[i] >= 0 && chances[i] <= 1))
            return kn_fail(error, KN_INPUT,
                           "zerodeterminant: the chance of C after %s would be %g; choose another baseline, "
                           "slope or scale (a smaller scale helps where the others allow any)",
                           after[i], chances[i]);
    }
    return kn_machine_memory_one(chances, agent->parameters[3], &agent->machine, error);
}

/* Share of D among the opponent's moves. */
static double defection(const KnMatchHistory *history)
{
    return history->turn ? (double)kn_opponent_defections(history) / (double)history->turn : 0;
}

static double coin(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)history, (void)v;
    return agent->parameters[0];
}

static double tullock(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn < 11) return 1;
    return fmax(0, (10 - __builtin_popcountll(history->opponent & 1023)) / 10.0 - 0.1);
}

static double feld(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (kn_opponent_defected(history)) return 0;
    return fmax(1 - 0.5 * (double)history->turn / 200, 0.5);
}

enum { G_RANDOM, G_COPIES, G_TWIN, G_SINCE };

/* v: the opponent seems random; has copied every move; has played the same moves; turns since the last probe,
 * counting the probe's. */
static double graaskamp(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn == 0) {
        v[G_COPIES] = v[G_TWIN] = 1;
        return 1;
    }
    if ((history->own ^ history->opponent) & 1) v[G_TWIN] = 0;
    if (history->turn > 1 && (history->own >> 1 ^ history->opponent) & 1) v[G_COPIES] = 0;
    if (history->turn < 56) return history->turn == 50 ? 0 : kn_copy(history);
    double lead = (double)(kn_opponent_cooperations(history) - kn_opponent_defections(history));
    if (lead * lead / (double)history->turn <= 3.841459) v[G_RANDOM] = 1;
    if (v[G_RANDOM] > 0) return 0;
    if (v[G_COPIES] > 0 || v[G_TWIN] > 0) return kn_copy(history);
    /* The next probe comes 5 to 15 turns after the last, uniformly: the hazard rate of this turn. */
    v[G_SINCE] = history->own & 1 && v[G_SINCE] > 5 ? 2 : v[G_SINCE] + 1;
    double gap = v[G_SINCE] - 1;
    return gap < 5 ? 1 : 1 - 1 / fmax(1, 16 - gap);
}

static double champion(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn < 10) return 1;
    if (history->turn < 25) return kn_copy(history);
    if (!kn_opponent_defected(history) || defection(history) < 0.4) return 1;
    return 1 - defection(history);
}

static double eatherley(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_opponent_defected(history) ? 1 - defection(history) : 1;
}

static double cave(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    double turn = (double)history->turn + 1, share = (double)kn_opponent_defections(history) / turn;
    if ((turn > 39 && share > 0.39) || (turn > 29 && share > 0.65) || (turn > 19 && share > 0.79)) return 0;
    if (!kn_opponent_defected(history)) return 1;
    return kn_opponent_defections(history) > 17 ? 0 : 0.5;
}

#define CHANCE(name, from, help)                                                                             \
    {                                                                                                        \
        name, KN_OPTION_REAL, from, 0, 1, NULL, help                                                         \
    }
#define VECTOR(cc, cd, dc, dd)                                                                               \
    CHANCE("cc", cc, "chance of C after both cooperated"),                                                   \
        CHANCE("cd", cd, "after an own C and the opponent's D"),                                             \
        CHANCE("dc", dc, "after an own D and the opponent's C"), CHANCE("dd", dd, "after both defected"),    \
        CHANCE("first", "1", "on the first turn")

/* The options of a named strategy are its vector; users may change them. */
#define OPTIONS(id, cc, cd, dc, dd) static const KnOption id[] = {VECTOR(cc, cd, dc, dd), {0}};
OPTIONS(any, NULL, NULL, NULL, NULL)
OPTIONS(extortion, "0.64", "0.18", "0.28", "0")
OPTIONS(extort2, "0.88888888888888888889", "0.5", "0.33333333333333333333", "0")
OPTIONS(extort2v2, "0.875", "0.4375", "0.375", "0")
OPTIONS(extort3, "0.84615384615384615385", "0.5", "0.26923076923076923077", "0")
OPTIONS(extort4, "0.64705882352941176471", "0", "0.47058823529411764706", "0")
OPTIONS(zdgtft2, "1", "0.125", "1", "0.25")
OPTIONS(gen2, "1", "0.5625", "0.5", "0.125")
OPTIONS(set2, "0.75", "0.25", "0.5", "0.25")
OPTIONS(mischief, "0.8", "0.6", "0.1", "0")
OPTIONS(gtft, "1", "0.33333333333333333333", "1", "0.33333333333333333333")
OPTIONS(joss, "0.9", "0", "0.9", "0")
OPTIONS(soft_joss, "1", "0.1", "1", "0.1")
OPTIONS(wsls, "0.95", "0.05", "0.05", "0.95")
OPTIONS(cooperator, "0.935", "0.229", "0.266", "0.42")
OPTIONS(firm, "1", "0", "1", "0.66666666666666666667")
static const KnOption anonymous[] = {CHANCE("mean", "0.5", "of the weight"), {0}};
OPTIONS(first_grofman, "1", "0.28571428571428571429", "0.28571428571428571429", "1")

static const KnOption zero[] = {
    {"baseline", KN_OPTION_REAL, "1", -1e6, 1e6, NULL, "the score that both measure from"},
    {"slope", KN_OPTION_REAL, "0.5", -1, 1, NULL,
     "own gain over the baseline for each point of the opponent's"},
    {"scale", KN_OPTION_REAL, "0.1", 0, 1e6, NULL, "how fast it answers"},
    CHANCE("first", "1", "chance of C on the first turn"),
    {0}};

#define VECTORED(name, rule, options)                                                                        \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, options), .build = memory_one                               \
    }
#define DRAWS(name, rule, how, ...)                                                                          \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .decide = how, __VA_ARGS__                           \
    }

const KnStrategy kn_strategies_chance[] = {
    {.player = KN_STRATEGY_PLAYER("memory1", "cooperates with a chance that depends on the last round alone",
                                  any),
     .traits = KN_STRATEGY_FAMILY,
     .build = memory_one},
    {.player = KN_STRATEGY_PLAYER(
         "zerodeterminant",
         "enforces a linear relation between its own score and the opponent's (Press & Dyson 2012)", zero),
     .traits = KN_STRATEGY_FAMILY,
     .build = zero_determinant},
    VECTORED("ZDExtortion", "an extortionate zero-determinant strategy", extortion),
    VECTORED("ZDExtort2", "takes twice the opponent's gain over mutual defection", extort2),
    VECTORED("ZDExtort2v2", "extorts by a factor of two, with another scale", extort2v2),
    VECTORED("ZDExtort3", "takes three times the opponent's gain", extort3),
    VECTORED("ZDExtort4", "takes four times the opponent's gain", extort4),
    VECTORED("ZDGTFT2", "generous: takes twice the opponent's loss compared with mutual cooperation",
             zdgtft2),
    VECTORED("ZDGen2", "generous by a factor of two, with another scale", gen2),
    VECTORED("ZDSet2", "fixes the opponent's score at 2 in the long run", set2),
    VECTORED("ZDMischief", "a zero-determinant strategy with a negative slope", mischief),
    VECTORED("GTFT", "generous TitForTat: forgives a D a third of the time", gtft),
    VECTORED("SoftJoss", "TitForTat that forgives a D a tenth of the time", soft_joss),
    VECTORED("StochasticWSLS", "Pavlov with occasional mistakes", wsls),
    VECTORED("StochasticCooperator", "an evolved vector that mostly cooperates", cooperator),
    VECTORED("FirmButFair", "TitForTat that leaves mutual defection two times in three", firm),
    VECTORED("FirstByJoss", "TitForTat that answers a C with D a tenth of the time", joss),
    {.player = KN_STRATEGY_PLAYER("FirstByAnonymous", "cooperates with a probability drawn again each turn",
                                  anonymous),
     .decide = coin},
    VECTORED("FirstByGrofman", "cooperates if both moved alike, else two times in seven", first_grofman),
    DRAWS("FirstByTullock",
          "cooperates 11 times, then a tenth less often than the opponent did in its last ten moves",
          tullock),
    DRAWS("FirstByFeld", "TitForTat that answers C with C less often as the match goes on", feld),
    DRAWS("FirstByGraaskamp",
          "TitForTat with a probe on turn 51; then tests for random players, TitForTat and its own copies",
          graaskamp, .values = "random copies twin since"),
    DRAWS("SecondByChampion", "cooperates, copies, then defects at random on opponents that defect often",
          champion),
    DRAWS("SecondByEatherley", "answers a D with D as often as the opponent defects", eatherley),
    DRAWS("SecondByCave",
          "defects on opponents that defect often or seem random, else forgives half of the defections",
          cave),
    KN_STRATEGIES_END};
