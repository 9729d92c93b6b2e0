/* Deterministic strategies from later papers: machines by Ashlock and co-authors (2006-2015), rules of the
 * PRISON project (Beaufils, Delahaye & Mathieu 1998), and others named in their rows. */
#include "players/dilemma/tables.h"

#include "base/assert.h"

static double once_bitten(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (v[0] > 0) {
        v[0]--;
        return 0;
    }
    if (history->turn < 2 || (history->opponent & 3) != 3) return 1;
    v[0] = 10;
    return 0;
}

static double doubler(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    return kn_defect_if(kn_opponent_defected(history) &&
                        kn_opponent_cooperations(history) <= 2 * kn_opponent_defections(history));
}

static double short_mem(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent, (void)v;
    if (history->turn <= 10) return 1;
    int lead = 10 - 2 * __builtin_popcountll(history->opponent & 1023); /* C minus D among the last ten */
    if (lead >= 3) return 1;
    return lead <= -3 ? 0 : kn_copy(history);
}

enum { P_PROVOKED, P_UNPROVOKED, P_DEFECTOR };

/* The opening is written as bits, the first move lowest, 1 for D: CCDCDDDCCDCDCCDCDDCD. The count ends with
 * the move that answers the opening's last but one. */
static double prober4(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    enum { OPENING = 20, PEACE = 5 };
    static const uint32_t opening = 0xb4a74;
    if (history->turn && history->turn < OPENING && kn_opponent_defected(history))
        v[history->own & 1 ? P_PROVOKED : P_UNPROVOKED]++;
    if (history->turn < OPENING) return kn_defect_if(opening >> history->turn & 1);
    if (history->turn == OPENING) {
        double difference = v[P_PROVOKED] - v[P_UNPROVOKED];
        v[P_DEFECTOR] = difference <= 2 && difference >= -2;
    }
    if (v[P_DEFECTOR] > 0) return 0;
    return history->turn < OPENING + PEACE ? 1 : kn_copy(history);
}

/* Adaptive Pavlov sorts its opponent by every sixth turn's last six moves; 0 before the first look. */
enum { A_UNKNOWN, A_COOPERATIVE, A_DEFECTOR, A_SUSPICIOUS, A_PAVLOV, A_RANDOM };

/* The six last moves are read with the latest in bit 0. */
static int sort_2006(unsigned last_six)
{
    switch (last_six) {
    case 0:
        return A_COOPERATIVE;
    case 077:
        return A_DEFECTOR;
    case 052:
        return A_SUSPICIOUS; /* D C D C D C */
    case 066:
        return A_PAVLOV; /* D D C D D C */
    default:
        return A_UNKNOWN;
    }
}

static int sort_2011(unsigned last_six)
{
    int defections = __builtin_popcount(last_six);
    if (defections == 0) return A_COOPERATIVE;
    if (defections >= 4) return A_DEFECTOR;
    return defections == 3 ? A_SUSPICIOUS : A_UNKNOWN;
}

/* A look that recognises nothing keeps the kind found before. */
static void adapt(double *kind, const KnMatchHistory *history, int (*sort)(unsigned))
{
    KN_ASSERT(history->turn >= 6);
    if (history->turn % 6 != 0) return;
    int found = sort((unsigned)history->opponent & 077);
    if (found != A_UNKNOWN)
        *kind = found;
    else if (*kind == A_UNKNOWN)
        *kind = A_RANDOM;
}

static double adaptive_pavlov_2006(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn < 6) return kn_copy(history);
    adapt(v, history, sort_2006);
    switch ((int)v[0]) {
    case A_COOPERATIVE:
        return kn_copy(history);
    case A_SUSPICIOUS:
        return history->turn % 6 < 2 ? 1 : kn_copy(history);
    case A_PAVLOV:
        return kn_defect_if(history->turn % 6 == 0);
    default:
        return 0;
    }
}

static double adaptive_pavlov_2011(const KnAgent *agent, const KnMatchHistory *history, double *v)
{
    (void)agent;
    if (history->turn < 6) return kn_copy(history);
    adapt(v, history, sort_2011);
    switch ((int)v[0]) {
    case A_COOPERATIVE:
        return kn_copy(history);
    case A_SUSPICIOUS:
        return kn_defect_if((history->opponent & 3) == 3);
    default:
        return 0;
    }
}

#define FSM(name, rule, text)                                                                                \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .fsm = text     \
    }
#define RULE(name, rule, how, ...)                                                                           \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .decide = how,  \
        __VA_ARGS__                                                                                          \
    }

const KnStrategy kn_strategies_literature[] = {
    FSM("Predator", "an evolved machine of nine states (Ashlock & Ashlock 2006)",
        "C; 1C-1D 1D-2D 2C-3D 2D-4D 3C-5C 3D-4D 4C-6D 4D-5C 5C-3C 5D-7D 6C-8D 6D-4D 7C-8C 7D-8D 8C-9D 8D-8D "
        "9C-9D 9D-7D"),
    FSM("Raider", "an evolved machine of four states (Ashlock et al. 2014)",
        "D; 1.-3D 2C-2C 2D-2D 3C-1D 3D-4C 4C-1D 4D-2C"),
    FSM("SolutionB1", "an evolved machine of three states (Ashlock et al. 2015)",
        "D; 1C-2D 1D-1D 2C-2C 2D-3C 3.-3C"),
    FSM("SolutionB5", "an evolved machine of six states (Ashlock et al. 2015)",
        "D; 1C-2C 1D-6D 2C-2C 2D-3D 3C-6C 3D-1D 4C-3C 4D-6D 5C-5D 5D-4D 6C-3C 6D-5D"),
    FSM("Thumper", "defects twice after a defection, whatever the opponent does (Ashlock & Kim 2008)",
        "C; 1C-1C 1D-2D 2.-1D"),
    FSM("UsuallyCooperates", "cooperates, but defects after the opponent's D and C (Ashlock et al. 2009)",
        "C; 1C-1C 1D-2C 2C-1D 2D-1C"),
    FSM("UsuallyDefects", "defects, but cooperates after the opponent's C and D (Ashlock et al. 2009)",
        "D; 1C-2D 1D-1D 2C-1D 2D-1C"),
    FSM("GrudgerAlternator", "cooperates until the opponent defects, then alternates D and C (PRISON 1998)",
        "C; 1C-1C 1D-2D 2.-3C 3.-2D"),
    FSM("SpitefulCC", "cooperates twice, then plays Grudger (Mathieu & Delahaye 2015)",
        "C; 1C-2C 1D-3C 2C-2C 2D-4D 3.-4D 4.-4D"),
    FSM("FoolMeOnce", "forgives one defection and defects forever after the second", /* M. Harper */
        "C; 1C-1C 1D-2C 2C-2C 2D-3D 3.-3D"),
    FSM("GradualKiller",
        "five D and two C; defects forever if the opponent answered these two C with D D (PRISON 1998)",
        "D; 1.-2D 2.-3D 3.-4D 4.-5D 5.-6C 6C-7C 6D-8C 7.-9C 8C-9C 8D-10D 9.-9C 10.-10D"),
    FSM("CollectiveStrategy",
        "begins with C D; cooperates with players who do the same, until they defect again (Li & Kendall "
        "2009)",
        "C; 1C-2D 1D-4D 2C-4D 2D-3C 3C-3C 3D-4D 4.-4D"),
    FSM("Detective", "begins with C D C C; defects while the opponent never does, else copies (Case 2017)",
        "C; 1C-2D 1D-5D 2C-3C 2D-6C 3C-4C 3D-7C 4C-4D 4D-8D 5.-6C 6.-7C 7C-8C 7D-8D 8C-8C 8D-8D"),
    RULE("OnceBitten", "answers two defections in a row with eleven, then watches again", /* H. Marissa */
         once_bitten, .values = "remaining"),
    RULE("Doubler",
         "answers a D with D unless the opponent cooperated more than twice as often (PRISON 1998)", doubler),
    RULE("ShortMem",
         "cooperates 11 times; then goes by a clear majority of the last ten moves, else copies (Andre et "
         "al. 2013)",
         short_mem),
    RULE("Prober4",
         "plays 20 fixed moves; defects forever if the opponent defected about as often against C as "
         "against D, else copies (PRISON 1998)",
         prober4, .values = "provoked unprovoked defector"),
    RULE("APavlov2006", "Adaptive Pavlov: sorts the opponent into five kinds every six turns (Li 2007)",
         adaptive_pavlov_2006, .values = "kind"),
    RULE("APavlov2011",
         "Adaptive Pavlov: sorts the opponent into four kinds every six turns (Li et al. 2011)",
         adaptive_pavlov_2011, .values = "kind"),
    KN_STRATEGIES_END};
