#include "games/gdl/playouts.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#include "games/gdl/propnet_reasoner.h"

static void add_goal(KnGdlPlayouts *out, int role, int value)
{
    uint64_t goal = value > 0 ? (uint64_t)value : 0;
    out->totals[role] += goal;
    out->squares[role] += goal * goal;
}

/* ---- On a propositional network ---- */

/* A uniformly random legal move; UINT32_MAX: there is none. */
static uint32_t pick(const uint64_t *legal, uint32_t words, KnRng *rng)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(legal[w]);
    if (!count) return UINT32_MAX;
    uint32_t skip = count > 1 ? kn_rng_below(rng, count) : 0;
    for (uint32_t w = 0;; w++) {
        uint32_t here = (uint32_t)__builtin_popcountll(legal[w]);
        if (skip >= here) {
            skip -= here;
            continue;
        }
        uint64_t bits = legal[w];
        while (skip--) bits &= bits - 1;
        KN_ASSERT(bits);
        return w * 64 + (uint32_t)__builtin_ctzll(bits);
    }
}

/* One step; false at the end. */
static bool play_step(const KnPropnet *net, const KnGdlAnswers *answers, KnGdlRun *run, KnRng *rng)
{
    uint32_t actions[KN_GDL_ROLES];
    if (run->answers[answers->terminal] & 1) return false;
    for (int r = 0; r < net->roles; r++) {
        actions[r] = pick(run->answers + answers->legal[r], answers->legal_words[r], rng);
        if (actions[r] == UINT32_MAX) return false;
        actions[r] += net->first_action[r];
    }
    kn_gdl_run_moves(run, actions);
    kn_gdl_run_advance(run);
    return true;
}

static void play_run(const KnPropnet *net, const KnGdlAnswers *answers, KnGdlRun *run, const uint64_t *state,
                     uint64_t games, uint32_t plies, KnRng *rng, KnGdlPlayouts *out)
{
    for (; out->games < games; out->games++) {
        uint32_t played = 0;
        kn_gdl_run_state(run, state);
        while ((!plies || played < plies) && play_step(net, answers, run, rng)) played++;
        out->plies += played;
        out->cut += plies && played == plies && !(run->answers[answers->terminal] & 1);
        for (int r = 0; r < net->roles; r++) add_goal(out, r, kn_gdl_run_goal(net, answers, run, r));
    }
}

/* One playout; `seen` is scratch, a bit for each action, all clear. */
static void play_recorded(const KnPropnet *net, const KnGdlAnswers *answers, KnGdlRun *run,
                          const uint64_t *state, uint32_t plies, KnRng *rng, uint64_t *seen, KnGdlMade *made,
                          KnGdlPlayouts *out)
{
    kn_gdl_run_state(run, state);
    while ((!plies || out->plies < plies) && play_step(net, answers, run, rng)) {
        out->plies++;
        for (int r = 0; r < net->roles; r++) seen[run->joint[r] / 64] |= UINT64_C(1) << run->joint[r] % 64;
    }
    out->games = 1;
    out->cut = plies && out->plies == plies && !(run->answers[answers->terminal] & 1);
    for (int r = 0; r < net->roles; r++) add_goal(out, r, kn_gdl_run_goal(net, answers, run, r));
    made->count = 0;
    for (uint32_t w = 0; w < (net->action_count + 63) / 64; w++)
        for (uint64_t bits = seen[w]; bits; bits &= bits - 1)
            made->actions[made->count++] = w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* ---- With a reasoner that answers queries ---- */

typedef struct Player {
    KnGdlMachine *machine;
    int roles;
    uint64_t *state, *moves;
    KnRng *rng;
} Player;

/* Plays a step; false at the end. */
static bool query_step(const Player *p)
{
    uint64_t joint[KN_GDL_ROLES];
    bool open = false;
    if (kn_gdl_is_open(p->machine, p->state, &open, NULL) != KN_OK || !open) return false;
    for (int r = 0; r < p->roles; r++) {
        int count;
        if (kn_gdl_legal(p->machine, p->state, r, p->moves, &count, NULL) != KN_OK || !count) return false;
        joint[r] = p->moves[count > 1 ? kn_rng_below(p->rng, (uint32_t)count) : 0];
    }
    return kn_gdl_next(p->machine, p->state, joint, p->state, NULL) == KN_OK;
}

static KnStatus play_queries(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                             KnRng *rng, KnGdlPlayouts *out, KnError *error)
{
    size_t words = kn_gdl_machine_words(machine);
    Player player = {machine, kn_gdl_machine_description(machine)->role_count,
                     malloc(words * sizeof(uint64_t)),
                     malloc((size_t)kn_gdl_machine_moves(machine) * sizeof(uint64_t)), rng};
    for (; player.state && player.moves && out->games < games; out->games++) {
        uint32_t played = 0;
        memcpy(player.state, state, words * sizeof *state);
        while ((!plies || played < plies) && query_step(&player)) played++;
        out->plies += played;
        bool open = false;
        out->cut += plies && played == plies && kn_gdl_is_open(machine, player.state, &open, NULL) == KN_OK &&
                    open;
        for (int r = 0; r < player.roles; r++) {
            int value;
            if (kn_gdl_goal(machine, player.state, r, &value, NULL) == KN_OK) add_goal(out, r, value);
        }
    }
    bool ok = player.state && player.moves;
    free(player.state);
    free(player.moves);
    return ok ? KN_OK : kn_fail_memory(error, "playing random games");
}

KnStatus kn_gdl_playouts_single(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                                KnRng *rng, KnGdlPlayouts *out, KnError *error)
{
    *out = (KnGdlPlayouts){0};
    KnPropnetReasoner *fast = kn_gdl_machine_propnet(machine);
    if (!fast) return play_queries(machine, state, games, plies, rng, out, error);
    const KnPropnetDifferential *flow = kn_propnet_reasoner_flow(fast);
    KnGdlRun *run;
    KnStatus status = kn_propnet_reasoner_take(fast, &run, error);
    if (status != KN_OK) return status;
    play_run(kn_propnet_reasoner_net(fast), kn_propnet_differential_answers(flow), run, state, games, plies,
             rng, out);
    kn_propnet_reasoner_give_back(fast, run);
    return KN_OK;
}

KnStatus kn_gdl_playout_recorded(KnGdlMachine *machine, const uint64_t *state, uint32_t plies, KnRng *rng,
                                 KnGdlMade *made, KnGdlPlayouts *out, KnError *error)
{
    *out = (KnGdlPlayouts){0};
    KnPropnetReasoner *fast = kn_gdl_machine_propnet(machine);
    KN_ASSERT(fast);
    const KnPropnet *net = kn_propnet_reasoner_net(fast);
    uint64_t *seen = calloc(net->action_count / 64 + 1, sizeof *seen);
    KnGdlRun *run;
    KnStatus status = seen ? kn_propnet_reasoner_take(fast, &run, error)
                           : kn_fail_memory(error, "playing random games");
    if (status == KN_OK) {
        play_recorded(net, kn_propnet_differential_answers(kn_propnet_reasoner_flow(fast)), run, state, plies,
                      rng, seen, made, out);
        kn_propnet_reasoner_give_back(fast, run);
    }
    free(seen);
    return status;
}

static const KnGdlBatch *batch_of(KnGdlMachine *machine)
{
    KnPropnetReasoner *fast = kn_gdl_machine_propnet(machine);
    return fast ? kn_propnet_reasoner_batch(fast) : NULL;
}

KnStatus kn_gdl_playouts(KnGdlMachine *machine, const uint64_t *state, uint64_t games, uint32_t plies,
                         KnRng *rng, KnGdlPlayouts *out, KnError *error)
{
    const KnGdlBatch *batch = batch_of(machine);
    if (batch) return kn_gdl_batch_play(batch, state, games, plies, rng, out, error);
    return kn_gdl_playouts_single(machine, state, games, plies, rng, out, error);
}

bool kn_gdl_has_lanes(KnGdlMachine *machine) { return batch_of(machine) != NULL; }

KnStatus kn_gdl_playouts_lanes(KnGdlMachine *machine, const KnGdlLanes *lanes, uint32_t plies, KnRng *rng,
                               KnError *error)
{
    const KnGdlBatch *batch = batch_of(machine);
    KN_ASSERT(batch);
    return kn_gdl_batch_lanes(batch, lanes, plies, rng, error);
}
