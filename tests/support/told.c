#include "support/told.h"

#include <string.h>

#include "base/explanation.h"
#include "support/check.h"
#include "support/workbench.h"

/* Who has a choice: in descriptions of games the others move too, by doing nothing. */
static int chooser(const KnState *state)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    for (int role = 0; role < game->roles; role++)
        if (kn_state_movers(state) >> role & 1 && kn_state_moves(state, role, moves) > 1) return role;
    return kn_state_mover(state);
}

static void choose(Told *told, const char *spec, KnBudget budget)
{
    KnError error;
    KnPlayer *player;
    told->arena = kn_arena_new();
    told->role = chooser(told->state);
    check_ok(error, kn_player_open(workbench, told->game, spec, &player, &error));
    KnAsk how = {.seed = 3, .budget = budget, .wants = KN_WANT_EXPLANATION, .arena = told->arena};
    check_ok(error, kn_player_ask(player, told->state, told->role, &how, &told->answer, &error));
    assert_non_null(told->answer.explanation);
    told->document = kn_explanation_json(told->answer.explanation);
    assert_non_null(told->document);
    told->game->type->move_text(told->game, kn_state_position(told->state), told->answer.move, &told->move);
    kn_player_close(player);
}

Told told_ask(const char *game, int plies, const char *spec, KnBudget budget)
{
    KnError error;
    Told told = {.game = test_workbench_game(game), .move = KN_TEXT_EMPTY};
    told.state = kn_state_new(told.game);
    KnRng rng = kn_rng_seeded(11);
    KnMove moves[told.game->max_moves], joint[KN_ROLES_MAX];
    for (int i = 0; i < plies; i++) {
        unsigned movers = kn_state_movers(told.state);
        assert_true(movers != 0);
        for (int role = 0; role < told.game->roles; role++) {
            joint[role] = KN_MOVE_NONE;
            if (!(movers >> role & 1)) continue;
            int count = kn_state_moves(told.state, role, moves);
            joint[role] = moves[kn_rng_below(&rng, (uint32_t)count)];
        }
        check_ok(error, kn_state_play_joint(told.state, joint, &error));
    }
    choose(&told, spec, budget);
    return told;
}

Told told_at(const char *game, const char *position, const char *spec)
{
    KnError error;
    Told told = {.game = test_workbench_game(game), .move = KN_TEXT_EMPTY};
    _Alignas(16) unsigned char start[told.game->position_size];
    told.game->type->start(told.game, start);
    if (strcmp(position, "start") != 0)
        check_ok(error, told.game->type->parse_position(told.game, position, start, &error));
    told.state = kn_state_new(told.game);
    kn_state_reset(told.state, start);
    choose(&told, spec, (KnBudget){0});
    return told;
}

void told_free(Told *told)
{
    json_decref(told->document);
    kn_text_free(&told->move);
    kn_state_free(told->state);
    kn_game_close(told->game);
    kn_arena_free(told->arena);
}

const char *told_head(const Told *told) { return json_string_value(json_object_get(told->document, "text")); }

json_t *told_child(const json_t *row, const char *label)
{
    size_t i;
    json_t *child;
    json_array_foreach(json_object_get(row, "children"), i, child)
    {
        const char *own = json_string_value(json_object_get(child, "label"));
        if (own && strcmp(own, label) == 0) return child;
    }
    return NULL;
}

const char *told_text(const json_t *row, const char *label)
{
    const char *text = json_string_value(json_object_get(told_child(row, label), "text"));
    return text ? text : "";
}

double told_number(const json_t *row, const char *label)
{
    const json_t *number = json_object_get(told_child(row, label), "number");
    if (!json_is_number(number)) fail_msg("there is no number \"%s\"", label);
    return json_number_value(number);
}
