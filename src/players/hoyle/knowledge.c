/* Useful knowledge and when it is acquired: after every contest, from its end to its beginning.
 *
 * - certain wins and losses: a state is a certain win if a move leads to the end of the contest, won, or to a
 * certain loss of the other's; a certain loss if every move leads to the reverse. Looked at one ply below
 * each state of the contest, from last to first;
 * - moves of experts who won or drew (Anthropomorph);
 * - own moves in contests won, drawn or lost (Cyber, Not Again);
 * - states that somebody moved to in a contest that he lost (Leery). */
#include "players/hoyle/mind.h"

#include <string.h>

static KnStatus learn_certainty(Mind *mind, const Desk *desk, const void *position, KnError *error)
{
    const KnGame *game = mind->game;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    int won = 0, lost = 0;
    for (int i = 0; i < desk->count; i++) {
        const Sight *s = &desk->sights[i];
        won += s->end == 1 || s->certain == 1;
        lost += s->end == -1 || s->certain == -1;
    }
    if (!won && lost < desk->count) return KN_OK;
    kn_scene_normalise(mind->scene, position, normal);
    Memory *memory = kn_mind_memory(mind, normal, error);
    if (!memory) return KN_SYSTEM;
    memory->certain = won ? 1 : -1;
    return KN_OK;
}

static KnStatus learn_moves(Mind *mind, const KnWatched *contest, size_t ply, KnError *error)
{
    const KnGame *game = mind->game;
    const void *position = kn_watched_position(contest, ply);
    int mover = game->type->mover(game, position), outcome = kn_watched_outcome(contest, mover);
    bool expert = contest->experts >> mover & 1, own = contest->own >> mover & 1;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    if (outcome < 0) {
        kn_scene_normalise(mind->scene, kn_watched_position(contest, ply + 1), normal);
        Memory *memory = kn_mind_memory(mind, normal, error);
        if (!memory) return KN_SYSTEM;
        memory->lost_from = true;
    }
    if (!own && !(expert && outcome >= 0)) return KN_OK;
    int turns[KN_SCENE_TURNS], count = kn_scene_frames(mind->scene, position, normal, turns);
    KnAction action = kn_scene_action(mind->scene, position, contest->moves[ply]), least = {0};
    for (int t = 0; t < count; t++) {
        KnAction turned = kn_scene_turn_action(mind->scene, turns[t], action);
        if (!t || kn_action_key(turned) < kn_action_key(least)) least = turned;
    }
    NoteKind kind = !own           ? NOTE_EXPERT
                    : outcome > 0  ? NOTE_OWN_WON
                    : outcome == 0 ? NOTE_OWN_DRAWN
                                   : NOTE_OWN_LOST;
    return kn_mind_remark(mind, normal, least, kind, 1, error);
}

KnStatus kn_mind_learn(Mind *mind, Desk *desk, const KnWatched *contest, KnError *error)
{
    const KnGame *game = mind->game;
    KnMove moves[game->max_moves];
    KnStatus status = KN_OK;
    for (size_t ply = contest->plies; ply-- > 0 && status == KN_OK;) {
        const void *position = kn_watched_position(contest, ply);
        int count = game->type->moves(game, position, moves);
        kn_desk_lay(desk, position, moves, count);
        status = learn_certainty(mind, desk, position, error);
        if (status == KN_OK) status = learn_moves(mind, contest, ply, error);
    }
    if (status == KN_OK && mind->rote) status = kn_rote_gather(mind->rote, contest, error);
    if (status == KN_OK) status = kn_patsy_learn(mind->patsy, contest, error);
    return status == KN_OK ? kn_seq_learn(mind->seq, contest, error) : status;
}
