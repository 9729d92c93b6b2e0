/* One question to a player, and small services around players (<knack/player.h>). */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "players/player.h"
#include "players/search_explanation.h"

const char *kn_player_note(const KnPlayer *player) { return player->note ? player->note : ""; }

/* A note is a courtesy: where memory runs out, it is lost. */
void kn_player_add_note(KnPlayer *player, const char *text)
{
    size_t before = strlen(kn_player_note(player)), more = strcspn(text, "\n"), gap = before ? 2 : 0;
    if (before && memmem(player->note, before, text, more)) return; /* an inner player has said so */
    char *note = more ? realloc(player->note, before + gap + more + 1) : NULL;
    if (!note) return;
    memcpy(note + before, "; ", gap);
    memcpy(note + before + gap, text, more);
    note[before + gap + more] = '\0';
    player->note = note;
}

char *kn_score_string(KnScore score)
{
    KnText text = KN_TEXT_EMPTY;
    kn_score_text(score, &text);
    return kn_text_take(&text);
}

KnStatus kn_player_replay(KnPlayer *player, int role, const KnState *state, KnError *error)
{
    KN_ASSERT(kn_state_game(state) == player->game && role >= 0 && role < player->game->roles);
    KnState *again = kn_state_new(player->game);
    if (!again) return kn_fail_memory(error, "replaying a game");
    const void *start = kn_state_position_at(state, 0);
    kn_state_reset(again, start);
    KnStatus status = kn_player_begin(player, role, start, error);
    for (size_t ply = 0; ply < kn_state_plies(state) && status == KN_OK; ply++) {
        const KnMove *joint = kn_state_joint_at(state, ply);
        status = kn_state_play_joint(again, joint, error);
        if (status == KN_OK) status = kn_player_observe(player, again, joint, error);
    }
    kn_state_free(again);
    return status;
}

static KnStatus ask_among(KnPlayer *player, const KnState *state, int role, const KnAsk *ask,
                          const KnMove *moves, int count, KnAnswer *answer, KnError *error)
{
    KnRng rng = kn_rng_seeded(ask->seed);
    KnRequest request = {.game = player->game,
                         .position = kn_state_position(state),
                         .history = kn_state_history(state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget = ask->budget,
                         .rng = &rng,
                         .cancel = ask->cancel,
                         .wants = ask->wants,
                         .arena = ask->arena};
    *answer = (KnAnswer){.move = KN_MOVE_NONE};
    if (ask->wants & KN_WANT_VALUES) {
        answer->values = KN_ARENA_NEW(ask->arena, KnScore, count);
        if (!answer->values) return kn_fail_memory(error, "asking a player");
    }
    KnStatus status = kn_player_replay(player, role, state, error);
    return status == KN_OK ? kn_player_choose(player, &request, answer, error) : status;
}

KnStatus kn_player_ask(KnPlayer *player, const KnState *state, int role, const KnAsk *ask, KnAnswer *answer,
                       KnError *error)
{
    static const KnAsk plain = {0};
    if (!ask) ask = &plain;
    if (ask->wants && !ask->arena)
        return kn_fail(error, KN_USAGE, "an explanation and the values of moves need an arena");
    uint32_t movers = kn_state_movers(state);
    if (role < 0 || role >= player->game->roles || !(movers >> role & 1))
        return kn_fail(error, KN_NO,
                       movers ? "this role does not have the move"
                              : "the game is over: there is no move to make");
    KnMove *moves = malloc(sizeof *moves * (size_t)player->game->max_moves);
    if (!moves) return kn_fail_memory(error, "asking a player");
    int count = kn_state_moves(state, role, moves);
    KnStatus status = ask_among(player, state, role, ask, moves, count, answer, error);
    free(moves);
    return status;
}
