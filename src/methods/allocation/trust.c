/* Training examples of trust: what a search gains where a base already knows a move. The base's move plays
 * the part of the shallow search, the search that of the deep one. The results of games played on from both
 * moves decide, since a search as judge would favour searches. */
#include "methods/allocation/trust.h"

#include "base/assert.h"
#include "methods/allocation/policy.h"

KnStatus kn_trust_check(const KnTrust *trust, KnError *error)
{
    if (trust->nodes < 1 || trust->judging < 1)
        return kn_fail(error, KN_INPUT,
                       "a search of %llu positions, judged by games of %llu positions a move: at least 1 is "
                       "wanted of both",
                       (unsigned long long)trust->nodes, (unsigned long long)trust->judging);
    return KN_OK;
}

/* Points of role 0, from 0 to 1: by the rules, or by the judge where the game was broken off. */
double kn_judged_points(const KnState *state, double judge)
{
    const KnGame *game = kn_state_game(state);
    double payoffs[KN_ROLES_MAX];
    if (kn_state_over(state, payoffs))
        return (payoffs[0] - game->payoff_low) / (game->payoff_high - game->payoff_low);
    if (judge <= 0 || !game->type->material) return 0.5;
    const void *position = kn_state_position(state);
    double lead = game->type->material(game, position, 0) - game->type->material(game, position, 1);
    return lead >= judge ? 1 : lead <= -judge ? 0 : 0.5;
}

/* Plays a move and goes on with the player on both sides: what the mover gets. */
static KnStatus play_on(const KnTrust *trust, KnState *state, KnPlayer *player, const KnRequest *request,
                        KnMove move, double *points, KnError *error)
{
    KN_ASSERT(trust->judging > 0);
    const KnGame *game = request->game;
    kn_state_reset(state, request->position);
    KnStatus status = kn_state_play(state, move, error);
    for (int ply = 1; ply < trust->plies && status == KN_OK && !kn_state_over(state, NULL); ply++) {
        KnMove moves[game->max_moves], next = KN_MOVE_NONE;
        const void *position = kn_state_position(state);
        int role = game->type->mover(game, position), count = kn_state_moves(state, role, moves);
        if (request->cancel && atomic_load(request->cancel)) return kn_fail(error, KN_STOPPED, "stopped");
        if (count == 1)
            next = moves[0];
        else {
            KnRequest ask = {.game = game,
                             .position = position,
                             .history = kn_state_history(state),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = count,
                             .rng = request->rng,
                             .cancel = request->cancel};
            KnAnswer answer;
            status = kn_allocation_ask_nodes(player, &ask, trust->judging, NULL, &answer, error);
            next = answer.move;
        }
        if (status == KN_OK) status = kn_state_play(state, next, error);
    }
    double first = status == KN_OK ? kn_judged_points(state, trust->lead) : 0.5;
    *points = request->role == 0 ? first : 1 - first;
    return status;
}

KnStatus kn_trust_tag(const KnTrust *trust, KnBase *base, KnState *state, KnPlayer *player,
                      const KnRequest *request, KnTrustTag *tag, KnError *error)
{
    int count = request->allowed_count;
    KN_ASSERT(count > 0);
    KnBaseMove rows[count];
    KnBaseView view;
    KnAnswer searched;
    *tag = (KnTrustTag){.known = KN_MOVE_NONE};
    KnStatus status = kn_base_look(base, request->position, request->allowed, count, rows, &view, error);
    if (status == KN_OK)
        status = kn_allocation_ask_nodes(player, request, trust->nodes, NULL, &searched, error);
    if (status != KN_OK) return status;
    tag->searched = searched.move;
    if (!view.explored) return KN_OK;
    KnExpect expect = kn_entry_expect(base, request->game, request->role);
    KnEntry entry;
    status = kn_entry_read(&expect, request->position, rows, &view, &entry, error);
    if (status != KN_OK) return status;
    KN_ASSERT(entry.best >= 0 && entry.best < count);
    tag->known = rows[entry.best].move;
    for (int i = 0; i < KN_ENTRIES; i++) tag->entry[i] = entry.columns[i];
    if (tag->known == tag->searched) return KN_OK; /* nothing to gain */
    double by_search, by_base;
    status = play_on(trust, state, player, request, tag->searched, &by_search, error);
    if (status == KN_OK) status = play_on(trust, state, player, request, tag->known, &by_base, error);
    if (status == KN_OK) tag->gain = by_search - by_base;
    return status;
}
