#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/embedded.h"

/* What people call a game that has another name here; NULL if nobody thought of it. */
static const char *name_here(const char *name)
{
    static const char *const others[][2] = {
        {"draughts", "checkers"},  {"reversi", "othello"}, {"connect4", "gdl:connectfour"},
        {"gomoku", "fives"},       {"weiqi", "go"},        {"baduk", "go"},
        {"mill", "morris(men=9)"}, {"nim", "gdl:nim3"},    {"hex", "gdl:hex5"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(name, others[i][0]) == 0) return others[i][1];
    return NULL;
}

static KnStatus find_type(const KnContext *context, const KnSpec *spec, const KnThing **thing, KnError *error)
{
    KnStatus status = kn_lookup(context, KN_KIND_GAME, spec, thing, error);
    if (status == KN_OK) return KN_OK;
    char description[120], path[130];
    const char *here = name_here(spec->text);
    snprintf(description, sizeof description, "gdl:%.100s", spec->text);
    snprintf(path, sizeof path, "gdl/%.100s.kif", spec->text);
    if (!here && kn_embedded_find(path)) here = description;
    if (!here) return status;
    return kn_fail(error, KN_INPUT, "column %d: unknown game \"%.100s\"; it is here as %s", spec->column,
                   spec->text, here);
}

static KnStatus open_bound(const KnContext *context, const KnSpec *spec, KnArena *arena, KnGame *game,
                           KnError *error)
{
    const KnThing *thing;
    KnOptions options;
    KnStatus status = find_type(context, spec, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, spec, arena, &options, error);
    if (status != KN_OK) return status;
    game->type = (const KnGameType *)thing;
    game->context = context;
    game->nature = -1;
    game->symmetries = 1;
    game->phases = 1;
    game->payoff_low = -1;
    game->payoff_high = 1;
    KnText canonical = KN_TEXT_EMPTY;
    kn_spec_print(spec, &canonical);
    game->spec = kn_text_ok(&canonical) ? strdup(canonical.data) : NULL;
    kn_text_free(&canonical);
    if (!game->spec) return kn_fail_memory(error, "opening a game");
    return game->type->open(game, &options, error);
}

KnStatus kn_game_open(const KnContext *context, const char *text, KnGame **out, KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    KnGame *game = calloc(1, sizeof *game);
    const KnSpec *spec;
    KnStatus status = arena && game ? kn_spec_parse(text, arena, &spec, error)
                                    : kn_fail_memory(error, "opening a game");
    if (status == KN_OK) status = open_bound(context, spec, arena, game, error);
    kn_arena_free(arena);
    if (status == KN_OK)
        *out = game;
    else
        kn_game_close(game);
    return status;
}

void kn_game_close(KnGame *game)
{
    if (!game) return;
    if (game->type && game->type->close) game->type->close(game);
    free(game->spec);
    free(game);
}

bool kn_game_over(const KnGame *game, const void *position) { return kn_game_movers(game, position) == 0; }

uint32_t kn_game_movers(const KnGame *game, const void *position)
{
    if (game->type->movers) return game->type->movers(game, position);
    KnMove moves[game->max_moves];
    return game->type->moves(game, position, moves) ? 1u << game->type->mover(game, position) : 0;
}

void kn_game_board(const KnGame *game, const void *position, uint8_t *cells)
{
    if (game->type->board)
        game->type->board(game, position, cells);
    else
        for (int i = 0; i < game->cells; i++) cells[i] = (uint8_t)game->type->cell(game, position, i);
}

int kn_game_moves_of(const KnGame *game, const void *position, int role, KnMove *moves)
{
    if (game->type->moves_of) return game->type->moves_of(game, position, role, moves);
    return game->type->mover(game, position) == role ? game->type->moves(game, position, moves) : 0;
}

void kn_game_play_joint(const KnGame *game, void *position, const KnMove *joint)
{
    if (game->type->play_joint)
        game->type->play_joint(game, position, joint);
    else
        game->type->play(game, position, joint[game->type->mover(game, position)]);
}

/* Says what the legal moves would have been, as far as they fit in a message. */
static KnStatus no_such_move(const KnGame *game, const void *position, const KnMove *moves, int count,
                             const char *text, KnError *error)
{
    enum { SHOWN = 24 };
    KnText known = KN_TEXT_EMPTY;
    for (int i = 0; i < count && i < SHOWN; i++) {
        if (i) kn_text_add_char(&known, ' ');
        game->type->move_text(game, position, moves[i], &known);
    }
    kn_fail(error, KN_INPUT, "\"%.60s\" is no legal move here; legal: %s%s", text,
            count ? known.data : "none", count > SHOWN ? " ..." : "");
    kn_text_free(&known);
    return KN_INPUT;
}

KnStatus kn_game_parse_move(const KnGame *game, const void *position, int role, const char *text,
                            KnMove *move, KnError *error)
{
    if (game->type->parse_move) return game->type->parse_move(game, position, text, move, error);
    KnMove moves[game->max_moves];
    int count = kn_game_moves_of(game, position, role, moves);
    KnText name = KN_TEXT_EMPTY;
    int found = -1;
    for (int i = 0; i < count; i++) { /* where names differ by case only, the exact one is meant */
        kn_text_clear(&name);
        game->type->move_text(game, position, moves[i], &name);
        if (strcasecmp(name.data, text) != 0) continue;
        bool exact = strcmp(name.data, text) == 0;
        if (found < 0 || exact) found = i;
        if (exact) break;
    }
    kn_text_free(&name);
    if (found < 0) return no_such_move(game, position, moves, count, text, error);
    *move = moves[found];
    return KN_OK;
}

const char *kn_game_move_name(const KnGame *game, const void *position, KnMove move, KnArena *arena)
{
    KnText name = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &name);
    const char *kept = kn_arena_string(arena, name.data);
    kn_text_free(&name);
    return kept ? kept : "";
}

char *kn_game_move_text(const KnGame *game, const void *position, KnMove move)
{
    KN_ASSERT(move != KN_MOVE_NONE);
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &text);
    return kn_text_take(&text);
}

char *kn_game_position_text(const KnGame *game, const void *position)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    return kn_text_take(&text);
}

char *kn_game_drawing(const KnGame *game, const void *position)
{
    KnText text = KN_TEXT_EMPTY;
    if (game->type->draw) game->type->draw(game, position, false, &text);
    return kn_text_take(&text);
}

KnStatus kn_game_parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    return game->type->parse_position(game, text, position, error);
}

int kn_game_role(const KnGame *game, const char *name)
{
    for (int role = 0; role < game->roles; role++)
        if (strcasecmp(game->role_names[role], name) == 0) return role;
    return -1;
}

int kn_game_normalise(const KnGame *game, const void *position, void *normal, void *scratch)
{
    int best = 0;
    memcpy(normal, position, game->position_size);
    for (int s = 1; s < game->symmetries; s++) {
        game->type->transform(game, s, position, scratch);
        if (memcmp(scratch, normal, game->position_size) < 0) {
            memcpy(normal, scratch, game->position_size);
            best = s;
        }
    }
    return best;
}

KnScore kn_score_of_payoff(const KnGame *game, double payoff, int ply)
{
    if (payoff >= game->payoff_high) return KN_SCORE_WIN - ply;
    if (payoff <= game->payoff_low) return -KN_SCORE_WIN + ply;
    double middle = (game->payoff_high + game->payoff_low) / 2,
           half = (game->payoff_high - game->payoff_low) / 2;
    return (KnScore)((payoff - middle) / half * KN_SCORE_PAYOFF);
}

const KnGameEvaluation *kn_game_evaluation(const KnGame *game, const char *name)
{
    if (!game->evaluations) return NULL;
    if (!name) return game->evaluations;
    for (const KnGameEvaluation *row = game->evaluations; row->name; row++)
        if (strcasecmp(row->name, name) == 0) return row;
    return NULL;
}
