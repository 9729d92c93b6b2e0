/* How useful knowledge is learned (Lock 2003, 1.4): after every game, from its last state to its first.
 *
 * - Certain wins and losses. A state is a certain win if a move ends the game, won, or leads to a certain
 *   loss of the opponent; a certain loss if every move leads to the reverse. One ply below each state of
 *   the game is examined.
 * - Moves of experts who won or drew (Anthropomorph).
 * - Own moves in games won, drawn or lost (Cyber, Not Again).
 * - States that a player moved to in a game that he lost (Leery). */
#include "methods/hoyle/hoyle.h"

#include <string.h>

static KnStatus learn_certainty(HoyleKnowledge *knowledge, const Decision *decision, const void *position,
                                KnError *error)
{
    const KnGame *game = knowledge->game;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    int won = 0, lost = 0;
    for (int i = 0; i < decision->count; i++) {
        const Consequence *s = &decision->consequences[i];
        won += s->end == 1 || s->certain == 1;
        lost += s->end == -1 || s->certain == -1;
    }
    if (!won && lost < decision->count) return KN_OK;
    kn_board_view_normalise(knowledge->view, position, normal);
    StateKnowledge *known_state = kn_hoyle_knowledge_of_state(knowledge, normal, error);
    if (!known_state) return KN_SYSTEM;
    known_state->certain = won ? 1 : -1;
    return KN_OK;
}

static KnStatus learn_moves(HoyleKnowledge *knowledge, const KnPlayedGame *played, size_t ply, KnError *error)
{
    const KnGame *game = knowledge->game;
    const void *position = kn_played_game_position(played, ply);
    int mover = game->type->mover(game, position), outcome = kn_played_game_outcome(played, mover);
    bool expert = played->experts >> mover & 1, own = played->own >> mover & 1;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    if (outcome < 0) {
        kn_board_view_normalise(knowledge->view, kn_played_game_position(played, ply + 1), normal);
        StateKnowledge *known_state = kn_hoyle_knowledge_of_state(knowledge, normal, error);
        if (!known_state) return KN_SYSTEM;
        known_state->lost_from = true;
    }
    if (!own && !(expert && outcome >= 0)) return KN_OK;
    int symmetries[KN_BOARD_SYMMETRIES],
        count = kn_board_view_normalise_all(knowledge->view, position, normal, symmetries);
    KnAction action = kn_board_view_action(knowledge->view, position, played->moves[ply]), least = {0};
    for (int t = 0; t < count; t++) {
        KnAction transformed = kn_board_view_transform_action(knowledge->view, symmetries[t], action);
        if (!t || kn_action_key(transformed) < kn_action_key(least)) least = transformed;
    }
    NoteKind kind = !own           ? NOTE_EXPERT
                    : outcome > 0  ? NOTE_OWN_WON
                    : outcome == 0 ? NOTE_OWN_DRAWN
                                   : NOTE_OWN_LOST;
    return kn_hoyle_knowledge_note_move(knowledge, normal, least, kind, 1, error);
}

/* Thesis 1.4: useful knowledge. */
KnStatus kn_hoyle_learn_knowledge(HoyleKnowledge *knowledge, Decision *decision, const KnPlayedGame *played,
                                  KnError *error)
{
    const KnGame *game = knowledge->game;
    KnMove moves[game->max_moves];
    KnStatus status = KN_OK;
    for (size_t ply = played->plies; ply-- > 0 && status == KN_OK;) {
        const void *position = kn_played_game_position(played, ply);
        int count = game->type->moves(game, position, moves);
        kn_decision_look_ahead(decision, position, moves, count);
        status = learn_certainty(knowledge, decision, position, error);
        if (status == KN_OK) status = learn_moves(knowledge, played, ply, error);
    }
    if (status == KN_OK && knowledge->rote) status = kn_tp_rote_gather(knowledge->rote, played, error);
    if (status == KN_OK) status = kn_patsy_learn(knowledge->patsy, played, error);
    return status == KN_OK ? kn_seq_advisor_learn(knowledge->seq, played, error) : status;
}
