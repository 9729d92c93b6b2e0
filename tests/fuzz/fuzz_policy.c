/* Learned allocation policies: whatever the bytes, reading ends with a policy or a message that names the
 * place. A policy decides about any position within its bounds, and can be shown. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "methods/allocation/learned_policy.h"

static void check_policy(const KnLearnedPolicy *learned, const KnGame *game)
{
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnMove moves[game->max_moves];
    game->type->start(game, position);
    for (int ply = 0; ply < 6; ply++) {
        int count = game->type->moves(game, position, moves), role = game->type->mover(game, position);
        KnDeepBudget left = {
            .k = 1, .n = 1, .deep = 1, .moves = learned->plan ? learned->plan->steps : 40, .deep_left = 1};
        left.moves_left = left.moves > ply ? left.moves - ply : 1;
        KnAllocationChoice choice = {0};
        KnFeatureSource of = {.position = position,
                              .role = role,
                              .moves = moves,
                              .count = count,
                              .made = kn_deep_budget_index(&left)};
        kn_learned_policy_decide(learned, kn_feature_view_leaf(learned->view, learned->tree, &of), &left,
                                 &choice);
        fuzz_must(choice.leaf >= 1 && choice.leaf <= learned->tree->leaf_count);
        if (!count) break;
        game->type->play(game, position, moves[ply % count]);
    }
    KnText text = KN_TEXT_EMPTY;
    kn_learned_policy_show(learned, &text);
    kn_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnContext *context = kn_context_new();
    KnError error = {KN_OK, ""};
    KnGame *game = NULL;
    bool ready = context && kn_games_register(context, &error) == KN_OK &&
                 kn_evaluations_register(context, &error) == KN_OK &&
                 kn_game_open(context, "checkers", &game, &error) == KN_OK;
    KnLearnedPolicy *learned = NULL;
    KnStatus status = ready ? kn_learned_policy_parse(bytes, size, "policy", game, &learned, &error)
                            : KN_SYSTEM;
    fuzz_must((status == KN_OK) == (learned != NULL));
    if (status == KN_OK)
        check_policy(learned, game);
    else
        fuzz_must(error.text[0]);
    kn_learned_policy_free(learned);
    kn_game_close(game);
    kn_close(context);
    return 0;
}
