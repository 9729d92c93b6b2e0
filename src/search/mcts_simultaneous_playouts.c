#include "base/assert.h"
#include "search/mcts_simultaneous_tree.h"

#include <string.h>

#include "base/clock.h"
#include "games/gdl/playouts.h"

enum { BATCH = 256 };

/* A playout step by step, so that the time limit holds even if a single step is slow. An unfinished playout
 * is a draw. */
bool kn_smcts_playout_single(KnMctsSimultaneous *m, double *results)
{
    KnPlayoutEnd end = kn_playout_run(&m->playout, m->playing, results);
    for (int role = 0; role < m->game->roles; role++)
        results[role] = end == KN_PLAYOUT_OVER ? kn_smcts_result(m->game, results[role]) : 0.5;
    return end != KN_PLAYOUT_STOPPED;
}

bool kn_smcts_playout(KnMctsSimultaneous *m, uint32_t node, double *results)
{
    if (!m->machine) {
        memcpy(m->playing, kn_smcts_position(m, node), m->stride);
        return kn_smcts_playout_single(m, results);
    }
    KnGdlPlayouts out;
    KnError error;
    if (!kn_meter_count(&m->meter)) return false;
    const uint64_t *facts = kn_gdl_facts(kn_smcts_position(m, node));
    double started = m->batch > 1 ? kn_clock_now() : 0;
    if (m->batch > 1 && started + 1.5 * m->batch_seconds > m->meter.deadline) {
        m->meter.stopped = true; /* another batch would end too late */
        m->meter.why = KN_STOP_TIME;
        return false;
    }
    KnStatus status = m->batch > 1
                          ? kn_gdl_playouts(m->machine, facts, (uint64_t)m->batch,
                                            (uint32_t)m->options.playout_plies, m->playout.rng, &out, &error)
                          : kn_gdl_playouts_single(m->machine, facts, 1, (uint32_t)m->options.playout_plies,
                                                   m->playout.rng, &out, &error);
    if (m->batch > 1) { /* keep the least time: a busy machine must not raise the estimate */
        double took = kn_clock_now() - started;
        if (m->batch_seconds <= 0 || took < m->batch_seconds) m->batch_seconds = took;
    }
    if (status != KN_OK || !out.games) {
        for (int role = 0; role < m->game->roles; role++) results[role] = 0.5;
        return status == KN_OK;
    }
    KN_ASSERT(m->game->roles <= KN_ROLES_MAX);
    kn_meter_charge(&m->meter, out.plies);
    for (int role = 0; role < m->game->roles; role++)
        results[role] = (double)out.totals[role] / (double)out.games / 100;
    return true;
}

/* Batches of bit-parallel playouts give better values, but the tree must grow first: they pay off if there is
 * time for thousands of them. */
int kn_smcts_choose_batch(KnMctsSimultaneous *m, const void *position, double seconds)
{
    enum { ENOUGH = 2000 };
    static const double WORTH_MEASURING = 0.5;
    KnGdlPlayouts out;
    KnError error;
    if (m->batch_seconds <= 0 && seconds >= WORTH_MEASURING) {
        double started =
            kn_clock_now(); /* one single playout first: in a large game a batch could take all the time */
        if (kn_gdl_playouts_single(m->machine, kn_gdl_facts(position), 1, (uint32_t)m->options.playout_plies,
                                   m->playout.rng, &out, &error) != KN_OK)
            return 1;
        if ((kn_clock_now() - started) * 200 > seconds) return 1;
        started = kn_clock_now();
        if (kn_gdl_playouts(m->machine, kn_gdl_facts(position), BATCH, (uint32_t)m->options.playout_plies,
                            m->playout.rng, &out, &error) != KN_OK)
            return 1;
        m->batch_seconds = kn_clock_now() - started;
    }
    return m->batch_seconds > 0 && seconds > ENOUGH * m->batch_seconds ? BATCH : 1;
}
