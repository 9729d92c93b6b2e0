/* The two-ply lookahead: every move and every reply to it, examined once for all Advisors. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "methods/hoyle/hoyle.h"

KnStatus kn_decision_open(Decision *decision, const HoyleKnowledge *knowledge, KnError *error)
{
    size_t most = (size_t)knowledge->game->max_moves, cells = (size_t)knowledge->view->cells;
    *decision = (Decision){.knowledge = knowledge,
                           .capacity = (int)most,
                           .consequences = calloc(most, sizeof(Consequence)),
                           .moves = calloc(most, sizeof(KnMove)),
                           .actions = calloc(most, sizeof(KnAction)),
                           .cells = calloc(most + 1, cells),
                           .replies = calloc(most, sizeof(KnMove)),
                           .reply_actions = calloc(most, sizeof(KnAction)),
                           .strengths = calloc(most * SECOND_TIER, sizeof(int)),
                           .threat = calloc(cells, sizeof(uint16_t)),
                           .rope = calloc(cells, sizeof(uint16_t))};
    if (!decision->consequences || !decision->moves || !decision->actions || !decision->cells ||
        !decision->replies || !decision->reply_actions || !decision->strengths || !decision->threat ||
        !decision->rope)
        return kn_fail_memory(error, "laying out a decision");
    KnStatus status = kn_patsy_comments_open(decision, error);
    return status == KN_OK ? kn_seq_advisor_comments_open(decision, error) : status;
}

void kn_decision_close(Decision *decision)
{
    free(decision->consequences);
    free(decision->moves);
    free(decision->actions);
    free(decision->cells);
    free(decision->replies);
    free(decision->reply_actions);
    free(decision->strengths);
    free(decision->threat);
    free(decision->rope);
    kn_patsy_comments_close(decision);
    kn_seq_advisor_comments_close(decision);
    *decision = (Decision){0};
}

/* 1 won, -1 lost, 2 drawn, for a role in a position that is over. */
static int8_t end_for(const KnGame *game, const void *position, int role)
{
    double payoffs[KN_ROLES_MAX], middle = (game->payoff_low + game->payoff_high) / 2;
    game->type->payoffs(game, position, payoffs);
    return (int8_t)(payoffs[role] > middle ? 1 : payoffs[role] < middle ? -1 : 2);
}

static int men(const KnBoardView *view, const uint8_t *cells, int role)
{
    int count = 0;
    for (int i = 0; i < view->cells; i++) count += view->owner[cells[i]] == role;
    return count;
}

/* Own men after a reply; by the game's own count where it has one, which is quicker. */
static double men_after(const HoyleKnowledge *knowledge, const void *position, int role)
{
    if (knowledge->game->type->material)
        return knowledge->game->type->material(knowledge->game, position, role);
    uint8_t cells[KN_BOARD_CELLS];
    kn_board_view_cells(knowledge->view, position, cells);
    return men(knowledge->view, cells, role);
}

/* Where the other goes with a reply that decides; the action is only worked out then. */
static void mark(Decision *decision, const void *position, KnMove reply, uint16_t *where)
{
    KnAction action = kn_board_view_action(decision->knowledge->view, position, reply);
    if (action.to != KN_NO_CELL) where[action.to]++;
}

static void look_at_replies(Decision *decision, Consequence *consequence, const void *position)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    const KnGame *game = knowledge->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    KnMove further[game->max_moves];
    int count = game->type->moves(game, position, decision->replies);
    double before = knowledge->lines->takes ? men_after(knowledge, position, decision->role) : 0;
    consequence->replies = count;
    for (int i = 0; i < count; i++) {
        memcpy(next, position, game->position_size);
        game->type->play(game, next, decision->replies[i]);
        if (knowledge->lines->takes && men_after(knowledge, next, decision->role) < before - 1e-9)
            consequence->taking++;
        if (game->type->moves(game, next, further)) continue;
        int8_t end = end_for(game, next, decision->role);
        if (end == -1)
            consequence->winning++, mark(decision, position, decision->replies[i], decision->threat);
        if (end == 1) consequence->losing++, mark(decision, position, decision->replies[i], decision->rope);
    }
}

static void look_up(const HoyleKnowledge *knowledge, Consequence *consequence, const void *position, int role)
{
    const KnGame *game = knowledge->game;
    if (!knowledge->states.count) return;
    unsigned char normal[game->position_size] __attribute__((aligned(16)));
    kn_board_view_normalise(knowledge->view, position, normal);
    int number = kn_state_table_find(&knowledge->states, normal);
    if (number < 0) return;
    const StateKnowledge *known_state = &knowledge->known_state[number];
    consequence->certain = (int8_t)(game->type->mover(game, position) == role ? known_state->certain
                                                                              : -known_state->certain);
    consequence->leery = known_state->lost_from && !known_state->certain;
}

void kn_decision_look_ahead(Decision *decision, const void *position, const KnMove *moves, int count)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    const KnGame *game = knowledge->game;
    const KnBoardView *view = knowledge->view;
    size_t cells = (size_t)view->cells;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    KN_ASSERT(count >= 0 && count <= decision->capacity);
    decision->position = position;
    decision->role = game->type->mover(game, position);
    decision->stage = kn_board_view_stage(view, position);
    decision->count = count;
    memset(decision->threat, 0, cells * sizeof *decision->threat);
    memset(decision->rope, 0, cells * sizeof *decision->rope);
    kn_board_view_cells(view, position, decision->cells);
    kn_board_view_actions(view, position, moves, count, decision->actions);
    for (int i = 0; i < count; i++) {
        Consequence *consequence = &decision->consequences[i];
        uint8_t *after = decision->cells + (size_t)(i + 1) * cells;
        *consequence = (Consequence){.move = moves[i], .action = decision->actions[i]};
        decision->moves[i] = moves[i];
        memcpy(next, position, game->position_size);
        game->type->play(game, next, moves[i]);
        kn_board_view_cells(view, next, after);
        consequence->own = men(view, after, decision->role);
        consequence->other = men(view, after, 1 - decision->role);
        if (!game->type->moves(game, next, decision->replies)) {
            consequence->end = end_for(game, next, decision->role);
            continue;
        }
        consequence->again = game->type->mover(game, next) == decision->role;
        look_up(knowledge, consequence, next, decision->role);
        if (!consequence->again) look_at_replies(decision, consequence, next);
    }
}
