#include "base/assert.h"
#include "search/mcts_simultaneous_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gdl/playouts.h"

/* What the evaluation says of a position for the first role, from 0 to 1; without one, nothing. */
static double judge(const KnMctsSimultaneous *m, const void *position)
{
    if (!m->evaluation) return 0.5;
    return (1 + (double)kn_evaluate_for(m->evaluation, position, 0) / KN_SCORE_PAYOFF) / 2;
}

/* A playout step by step, so that the time limit holds even if a single step is slow. An unfinished playout
 * is a draw. */
bool kn_smcts_playout_single(KnMctsSimultaneous *m, double *results)
{
    if (m->evaluation && kn_game_movers(m->game, m->playing)) {
        results[0] = judge(m, m->playing);
        results[1] = 1 - results[0];
        return true;
    }
    KnPlayoutEnd end = kn_playout_run(&m->playout, m->playing, results);
    for (int role = 0; role < m->game->roles; role++)
        results[role] = end == KN_PLAYOUT_OVER ? kn_smcts_result(m->game, results[role]) : 0.5;
    return end != KN_PLAYOUT_STOPPED;
}

bool kn_smcts_playout(KnMctsSimultaneous *m, uint32_t node, double *results)
{
    if (m->evaluation) {
        results[0] = judge(m, kn_smcts_position(m, node));
        results[1] = 1 - results[0];
        return true;
    }
    if (!m->machine) {
        memcpy(m->playing, kn_smcts_position(m, node), m->stride);
        return kn_smcts_playout_single(m, results);
    }
    KnGdlPlayouts out;
    KnError error;
    if (!kn_meter_count(&m->meter)) return false;
    const uint64_t *state = kn_gdl_facts(kn_smcts_position(m, node));
    uint32_t plies = (uint32_t)m->options.playout_plies;
    KnStatus status = kn_smcts_amaf(m)
                          ? kn_gdl_playout_recorded(m->machine, state, plies, m->playout.rng, &m->made, &out,
                                                    &error)
                          : kn_gdl_playouts_single(m->machine, state, 1, plies, m->playout.rng, &out, &error);
    if (status != KN_OK || !out.games) {
        for (int role = 0; role < m->game->roles; role++) results[role] = 0.5;
        return status == KN_OK;
    }
    KN_ASSERT(m->game->roles <= KN_ROLES_MAX);
    m->played++;
    kn_meter_charge(&m->meter, out.plies);
    for (int role = 0; role < m->game->roles; role++) results[role] = (double)out.totals[role] / 100;
    return true;
}

/* ---- Lanes: a leaf in each ----
 *
 * Bit-parallel playouts cost a few times one playout for 256 of them. Each runs from a leaf of its own: the
 * next leaf is selected as soon as a lane is free, while the other lanes play on. A path in work counts as
 * visited at once, so that selections spread, with the mean of its actions in place of the result that is not
 * known yet (Liu et al. 2020; a first visit counts as a loss, as with virtual loss, but for half where
 * several roles choose at once: what leads to ends is known at once there, and the rest must not look worse).
 */

enum { FIRST_LANES = 16, VISITS_A_LANE = 128, MOST_PROVED = 64 };

static KnStatus make_lanes(KnMctsSimultaneous *m, KnError *error)
{
    if (m->lanes) return KN_OK;
    unsigned char *paths = malloc(KN_GDL_LANES * (KN_SEARCH_PLIES + 1) * m->step_size);
    m->lanes = calloc(KN_GDL_LANES, sizeof *m->lanes);
    if (!paths || !m->lanes) {
        free(paths);
        return kn_fail_memory(error, "searching with bit-parallel playouts");
    }
    free(m->paths);
    m->path = m->paths = paths;
    return KN_OK;
}

static void use_lane(KnMctsSimultaneous *m, int lane)
{
    m->path = m->paths + (size_t)lane * (KN_SEARCH_PLIES + 1) * m->step_size;
}

/* Lanes in use: few while the tree is small, since each selects without the others' results. */
static int lanes_wanted(const KnMctsSimultaneous *m)
{
    uint64_t lanes = FIRST_LANES + m->nodes[m->origin].visits / VISITS_A_LANE;
    return lanes < (uint64_t)m->batch ? (int)lanes : m->batch;
}

/* The next leaf; leaves that are proved are backed up on the way. A move that is new is left to the first
 * step of the playout: stepping single states from all over the tree was most of the time of a search. */
static const uint64_t *begin_lane(void *user, int number, uint32_t *first)
{
    KnMctsSimultaneous *m = user;
    KnSmctsLane *lane = &m->lanes[number];
    if (m->full || m->flying >= lanes_wanted(m)) return NULL;
    use_lane(m, number);
    for (int tries = 0; tries < MOST_PROVED && kn_smcts_wanted(m); tries++) {
        bool fresh;
        if (!kn_smcts_descend(m, &lane->leaf, &lane->length, &fresh)) return NULL;
        m->begun++;
        kn_smcts_count(m, lane->leaf, lane->length, 1);
        if (fresh || !m->nodes[lane->leaf].proved) {
            lane->busy = true;
            lane->over = false;
            m->flying++;
            if (!fresh) {
                lane->judged = judge(m, kn_smcts_position(m, lane->leaf));
                return kn_gdl_facts(kn_smcts_position(m, lane->leaf));
            }
            const KnSmctsStep *step = kn_smcts_step(m, lane->length - 1);
            for (int role = 0; role < m->game->roles; role++)
                first[role] = kn_smcts_action_of(m, role, m->actions[step->chosen[role]].move);
            return kn_gdl_facts(kn_smcts_position(m, step->node));
        }
        m->playouts++;
        m->made.count = 0;
        kn_smcts_back_up(m, lane->length, kn_smcts_proof(m, lane->leaf), true);
    }
    return NULL;
}

/* The leaf to which a new move leads is known. */
static void meet_leaf(void *user, int number, const uint64_t *state, bool over)
{
    KnMctsSimultaneous *m = user;
    KnSmctsLane *lane = &m->lanes[number];
    KN_ASSERT(lane->busy && lane->length > 0);
    use_lane(m, number);
    kn_gdl_set_facts(m->game, m->playing, state);
    lane->leaf = kn_smcts_link(m, kn_smcts_step(m, lane->length - 1));
    lane->over = over;
    lane->judged = judge(m, m->playing);
    if (lane->leaf != KN_SMCTS_NONE) m->nodes[lane->leaf].visits++;
}

static void end_lane(void *user, int number, const int16_t *goals)
{
    KnMctsSimultaneous *m = user;
    KnSmctsLane *lane = &m->lanes[number];
    KN_ASSERT(lane->busy);
    double results[KN_ROLES_MAX];
    for (int role = 0; role < m->game->roles; role++)
        results[role] = goals[role] > 0 ? goals[role] / 100.0 : 0;
    if (m->evaluation && !lane->over) {
        results[0] = lane->judged;
        results[1] = 1 - lane->judged;
    }
    KnSmctsNode *leaf = lane->leaf == KN_SMCTS_NONE ? NULL : &m->nodes[lane->leaf];
    if (leaf && lane->over && !leaf->proved) {
        memcpy(kn_smcts_proof(m, lane->leaf), results, (size_t)m->game->roles * sizeof *results);
        leaf->proved = true;
        m->unopposed |= !kn_results_opposed(m->game, results, 1);
    }
    lane->busy = false;
    m->flying--;
    m->playouts++;
    use_lane(m, number);
    kn_smcts_back_up(m, lane->length, leaf && leaf->proved ? kn_smcts_proof(m, lane->leaf) : results,
                     leaf && leaf->proved);
}

static bool count_step(void *user, uint64_t plies)
{
    KnMctsSimultaneous *m = user;
    kn_meter_charge(&m->meter, plies);
    if (m->meter.stopped || (m->meter.nodes >= m->meter.next && !kn_meter_look(&m->meter))) return false;
    return !kn_smcts_halted(m) && !kn_smcts_decided(m, m->origin, m->viewpoint);
}

KnStatus kn_smcts_run_lanes(KnMctsSimultaneous *m, KnError *error)
{
    KnStatus status = make_lanes(m, error);
    if (status != KN_OK) return status;
    KnGdlLanes lanes = {.user = m,
                        .count = m->batch < KN_GDL_LANES ? m->batch : KN_GDL_LANES,
                        .begin = begin_lane,
                        .born = meet_leaf,
                        .end = end_lane,
                        .step = count_step,
                        .made = kn_smcts_amaf(m) ? &m->made : NULL};
    bool more = true;
    while (more && status == KN_OK) { /* again if only proved leaves were found */
        uint64_t before = m->begun;
        status = kn_gdl_playouts_lanes(m->machine, &lanes,
                                       m->evaluation ? 1 : (uint32_t)m->options.playout_plies, m->playout.rng,
                                       error);
        more = !m->meter.stopped && kn_smcts_wanted(m) && (m->begun > before || m->full);
        if (more && m->full) kn_smcts_prune(m, m->origin);
    }
    for (int i = 0; i < KN_GDL_LANES; i++) { /* playouts that the end of the time has cut off */
        if (!m->lanes[i].busy) continue;
        use_lane(m, i);
        kn_smcts_count(m, m->lanes[i].leaf, m->lanes[i].length, -1);
        m->lanes[i].busy = false;
    }
    m->flying = 0;
    m->path = m->paths;
    return status;
}

/* Seconds of a single playout: the first one tells whether there is time for more, and is slower than they
 * are. False: a batch could take all the time. */
static bool time_single(KnMctsSimultaneous *m, const void *position, double most)
{
    enum { MORE = 7 };
    const uint64_t games[] = {1, MORE};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        KnGdlPlayouts out;
        KnError error;
        double started = kn_clock_cpu();
        if (kn_gdl_playouts_single(m->machine, kn_gdl_facts(position), games[i],
                                   (uint32_t)m->options.playout_plies, m->playout.rng, &out, &error) != KN_OK)
            return false;
        m->single_seconds = (kn_clock_cpu() - started) / (double)games[i];
        if (m->single_seconds > most) return false;
    }
    return true;
}

/* A batch is worth its latency if the clock has time for many of them, and if it is faster than as many
 * single playouts. */
int kn_smcts_choose_batch(KnMctsSimultaneous *m, const void *position, double seconds)
{
    enum { LATENCY = 20, FASTER = 4 };
    if (!kn_gdl_has_lanes(m->machine)) return 1;
    if (m->evaluation) return KN_GDL_LANES; /* a step each, no playouts */
    if (m->batch_seconds <= 0) {
        KnGdlPlayouts out;
        KnError error;
        if (!time_single(m, position, seconds / LATENCY / FASTER)) return 1;
        double started = kn_clock_cpu();
        if (kn_gdl_playouts(m->machine, kn_gdl_facts(position), KN_GDL_LANES,
                            (uint32_t)m->options.playout_plies, m->playout.rng, &out, &error) != KN_OK)
            return 1;
        m->batch_seconds = kn_clock_cpu() - started;
    }
    bool soon = m->batch_seconds * LATENCY < seconds,
         faster = m->batch_seconds * FASTER < m->single_seconds * KN_GDL_LANES;
    return soon && faster ? KN_GDL_LANES : 1;
}
