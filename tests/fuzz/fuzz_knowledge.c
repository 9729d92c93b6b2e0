/* What Hoyle and SeqLearner have learned, as files: whatever the bytes, reading ends with a learner or a
 * message. One that was read writes itself down so that it reads back to the same, can be shown, and plays
 * legal moves with reasons. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "methods/hoyle/game_learner.h"

static const KnContext *context(void)
{
    static KnContext *kept;
    KnError error;
    if (!kept) fuzz_must((kept = kn_context_new()) && kn_games_register(kept, &error) == KN_OK);
    return kept;
}

/* Opened once: inputs are read for a small game, whose positions, symmetries and lines every reader needs. */
static const KnGame *game(void)
{
    static KnGame *kept;
    KnError error;
    if (!kept) fuzz_must(kn_game_open(context(), "tictactoe(lose)", &kept, &error) == KN_OK);
    return kept;
}

static void check_play(const KnGameLearner *learner)
{
    KnError error;
    KnPlayer *player;
    KnState *state = kn_state_new(game());
    KnMove moves[game()->max_moves];
    KnRng rng = kn_rng_seeded(3);
    fuzz_must(state && kn_game_learner_player(learner, &player, &error) == KN_OK);
    fuzz_must(kn_player_begin(player, 0, kn_state_position(state), &error) == KN_OK);
    for (int ply = 0; ply < 5; ply++) {
        const void *position = kn_state_position(state);
        KnArena *arena = kn_arena_new();
        int count = game()->type->moves(game(), position, moves),
            role = game()->type->mover(game(), position);
        KnRequest request = {.game = game(),
                             .position = position,
                             .role = role,
                             .allowed = moves,
                             .allowed_count = count,
                             .rng = &rng,
                             .wants = KN_WANT_EXPLANATION,
                             .arena = arena};
        KnAnswer answer = {0};
        if (!count) {
            kn_arena_free(arena);
            break;
        }
        fuzz_must(kn_player_choose(player, &request, &answer, &error) == KN_OK && answer.explanation);
        bool legal = false;
        for (int i = 0; i < count; i++) legal = legal || moves[i] == answer.move;
        fuzz_must(legal && kn_state_play(state, answer.move, &error) == KN_OK);
        KnMove joint[2] = {answer.move, answer.move};
        fuzz_must(kn_player_observe(player, state, joint, &error) == KN_OK);
        kn_arena_free(arena);
    }
    kn_player_close(player);
    kn_state_free(state);
}

static json_t *check_knowledge(const KnGameLearner *learner)
{
    KnText text = KN_TEXT_EMPTY;
    if (learner->type->explain) {
        KnArena *arena = kn_arena_new();
        KnExplanation *root = arena ? kn_explanation_new(arena, "learned") : NULL;
        if (root) learner->type->explain(learner, arena, root);
        if (root) kn_explanation_svg(root, NULL, NULL, &text);
        kn_arena_free(arena);
    }
    kn_text_free(&text);
    json_t *knowledge = learner->type->knowledge(learner);
    fuzz_must(knowledge);
    return knowledge;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnError error = {KN_OK, ""};
    json_t *root;
    KnGameLearner *learner, *again;
    if (kn_json_load_bytes(bytes, size, "file", &root, &error) != KN_OK) return 0; /* fuzz_json's business */
    KnStatus status = kn_game_learner_parse(context(), game(), NULL, root, "file", &learner, &error);
    fuzz_must((status == KN_OK) == (learner != NULL));
    if (status == KN_OK) {
        json_t *one = check_knowledge(learner);
        check_play(learner);
        json_object_set(root, "knowledge", one);
        fuzz_must(kn_game_learner_parse(context(), game(), NULL, root, "again", &again, &error) == KN_OK);
        json_t *two = check_knowledge(again);
        fuzz_must(json_equal(one, two));
        json_decref(one);
        json_decref(two);
        kn_game_learner_close(again);
    } else
        fuzz_must(*error.text);
    kn_game_learner_close(learner);
    json_decref(root);
    return 0;
}
