/* Pattern databases are chosen by the positions of random games, and built in a part of the time. Step
 * counters are in none of them. */
#include "search/puzzle_inside.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "games/gdl/propnet_reasoner.h"

enum { SAMPLES = 64, LONGEST = 60 };
#define MOST_WORK UINT64_C(100000000) /* some seconds */
static const double PART = 0.3;       /* of the time */

/* Positions on the way of random games, the first one the position itself. */
static void draw_samples(KnPuzzle *p, const void *position, uint64_t *samples, size_t words)
{
    unsigned char at[p->stride] __attribute__((aligned(16)));
    KnRng rng = kn_rng_seeded(1);
    for (int i = 0; i < SAMPLES; i++) {
        memset(at, 0, sizeof at);
        memcpy(at, position, p->game->position_size);
        for (int ply = i ? 1 + (int)kn_rng_below(&rng, LONGEST) : 0; ply > 0; ply--) {
            int count = kn_game_moves_of(p->game, at, 0, p->moves);
            if (!count) break;
            kn_game_play_joint(p->game, at, &p->moves[kn_rng_below(&rng, (uint32_t)count)]);
        }
        memcpy(samples + (size_t)i * words, kn_gdl_facts(at), words * sizeof *samples);
    }
}

static bool time_left(void *user)
{
    const KnPuzzle *p = user;
    if (p->meter.cancel && atomic_load_explicit(p->meter.cancel, memory_order_relaxed)) return false;
    return p->meter.budget.seconds <= 0 || kn_meter_seconds(&p->meter) < PART * p->meter.budget.seconds;
}

KnStatus kn_puzzle_build_patterns(KnPuzzle *p, const void *position, double wanted, KnError *error)
{
    KnGdlMachine *machine = kn_game_gdl(p->game);
    size_t words = kn_gdl_machine_words(machine);
    if (!p->patterns) p->patterns = kn_gdl_patterns_new(machine, kn_game_analysis(p->game), error);
    uint64_t *samples = malloc(SAMPLES * words * sizeof *samples);
    KnStatus status = p->patterns && samples ? KN_OK : kn_fail_memory(error, "solving a puzzle");
    if (status == KN_OK) {
        draw_samples(p, position, samples, words);
        KnGdlPatternPlan plan = {.value = (int)wanted,
                                 .start = samples,
                                 .without = kn_gdl_facts(p->blank),
                                 .samples = samples,
                                 .sample_count = SAMPLES,
                                 .work = MOST_WORK,
                                 .go_on = time_left,
                                 .user = p};
        status = kn_gdl_patterns_build(p->patterns, &plan, error);
    }
    free(samples);
    return status;
}
