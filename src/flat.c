#include "flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flat_inside.h"
#include "games/plugin.h"
#include "games/replay.h"
#include "knack.h"
#include "players/player.h"
#include "players/telling.h"

int kn_flat_interface(void) { return KN_FLAT_INTERFACE; }

KnFlat *kn_flat_open(const char *data, char *message, size_t size)
{
    KnFlat *flat = calloc(1, sizeof *flat);
    if (flat && kn_open(data, &flat->context, &flat->error) == KN_OK) return flat;
    if (size) snprintf(message, size, "%s", flat ? flat->error.text : "out of memory while opening knack");
    free(flat);
    return NULL;
}

void kn_flat_close(KnFlat *flat)
{
    if (!flat) return;
    kn_context_free(flat->context);
    free(flat);
}

void kn_flat_free(char *text) { free(text); }

const char *kn_flat_error(const KnFlat *flat) { return flat->error.text; }

int kn_flat_status(const KnFlat *flat) { return (int)flat->error.status; }

void kn_flat_cancel(KnFlat *flat) { atomic_store(&flat->cancel, true); }

int kn_flat_plugin(KnFlat *flat, const char *path)
{
    return (int)kn_plugin_load(flat->context, path, &flat->error);
}

/* ---- what the other files use too ---- */

char *kn_flat_answer(KnFlat *flat, KnStatus status, json_t *document)
{
    atomic_store(&flat->cancel, false); /* it was meant for this call */
    char *text = status == KN_OK && document ? json_dumps(document, JSON_SORT_KEYS | JSON_REAL_PRECISION(17))
                                             : NULL;
    if (status == KN_OK && !text) kn_fail_memory(&flat->error, "writing an answer");
    json_decref(document);
    return text;
}

KnStatus kn_flat_plan(KnFlat *flat, const char *text, const char *name, const char *const *known,
                      json_t **plan)
{
    *plan = NULL;
    KnStatus status = kn_json_load_bytes(text, strlen(text), name, plan, &flat->error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(*plan, name);
    return json_is_object(*plan) ? kn_json_only(&root, known, &flat->error)
                                 : kn_fail(&flat->error, KN_INPUT, "%s: an object is wanted", name);
}

KnStatus kn_flat_string(const KnJson *at, const char *key, const char **value, KnError *error)
{
    return kn_json_has(at, key) ? kn_json_string(at, key, value, error) : KN_OK;
}

KnStatus kn_flat_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *value,
                         KnError *error)
{
    return kn_json_has(at, key) ? kn_json_integer(at, key, low, high, value, error) : KN_OK;
}

KnStatus kn_flat_seed(const KnJson *at, const char *key, uint64_t *value, KnError *error)
{
    return kn_json_has(at, key) ? kn_json_uint64(at, key, value, error) : KN_OK;
}

/* ---- listings ---- */

static json_t *option_json(const KnOption *option)
{
    static const char *const types[] = {"integer", "real", "flag", "choice", "string", "spec"};
    json_t *row = json_pack("{ss ss ss*}", "name", option->name, "type", types[option->type], "help",
                            option->help);
    if (option->fallback) json_object_set_new(row, "default", json_string(option->fallback));
    if (option->choices) json_object_set_new(row, "choices", json_string(option->choices));
    if (option->low < option->high)
        json_object_set_new(row, "range", json_pack("[ff]", option->low, option->high));
    return row;
}

char *kn_flat_list(KnFlat *flat, const char *kind)
{
    int found = 0;
    while (found < KN_KINDS && strcmp(kn_kind_name((KnKind)found), kind) != 0) found++;
    if (found == KN_KINDS)
        return kn_flat_answer(
            flat,
            kn_fail(&flat->error, KN_INPUT,
                    "there is nothing of the kind \"%.40s\"; try game, player, evaluation or learner", kind),
            NULL);
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(flat->context, (KnKind)found); i++) {
        const KnThing *thing = kn_registered_at(flat->context, (KnKind)found, i);
        json_t *options = json_array();
        for (const KnOption *option = thing->options; option && option->name; option++)
            json_array_append_new(options, option_json(option));
        json_array_append_new(rows, json_pack("{ss ss so}", "name", thing->name, "summary", thing->summary,
                                              "options", options));
    }
    return kn_flat_answer(flat, KN_OK, rows);
}

/* ---- a contest ---- */

/* The player that was asked last is kept: asking it again is the usual thing. */
struct KnFlatBoard {
    KnFlat *flat;
    KnGame *game;
    KnContest *contest;
    KnPlayer *player;
    char *spec;
};

static void forget_player(KnFlatBoard *board)
{
    kn_player_close(board->player);
    free(board->spec);
    board->player = NULL;
    board->spec = NULL;
}

void kn_flat_board_close(KnFlatBoard *board)
{
    if (!board) return;
    forget_player(board);
    kn_contest_free(board->contest);
    kn_game_close(board->game);
    free(board);
}

static KnStatus set_up(KnFlatBoard *board, const char *text, KnError *error)
{
    const KnGame *game = board->game;
    void *position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    if (!position) return kn_fail_memory(error, "setting up a position");
    KnStatus status = game->type->parse_position(game, text, position, error);
    if (status == KN_OK) kn_contest_reset(board->contest, position);
    free(position);
    return status;
}

KnFlatBoard *kn_flat_board(KnFlat *flat, const char *game, const char *position)
{
    KnFlatBoard *board = calloc(1, sizeof *board);
    KnStatus status = board ? KN_OK : kn_fail_memory(&flat->error, "setting up a board");
    if (status == KN_OK) {
        board->flat = flat;
        status = kn_game_open(flat->context, game, &board->game, &flat->error);
    }
    if (status == KN_OK && !(board->contest = kn_contest_new(board->game)))
        status = kn_fail_memory(&flat->error, "setting up a board");
    if (status == KN_OK && position && strcmp(position, "start") != 0)
        status = set_up(board, position, &flat->error);
    if (status == KN_OK) return board;
    kn_flat_board_close(board);
    return NULL;
}

static json_t *moves_json(const KnFlatBoard *board, int role)
{
    const void *position = kn_contest_position(board->contest);
    KnMove *moves = malloc(sizeof *moves * (size_t)board->game->max_moves);
    json_t *list = moves ? json_array() : NULL;
    int count = list ? kn_contest_moves(board->contest, role, moves) : 0;
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < count; i++) {
        kn_text_clear(&text);
        board->game->type->move_text(board->game, position, moves[i], &text);
        json_array_append_new(list, json_string(text.data));
    }
    kn_text_free(&text);
    free(moves);
    return list;
}

static json_t *played_json(const KnFlatBoard *board)
{
    json_t *list = json_array();
    KnText text = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_contest_plies(board->contest); ply++) {
        kn_text_clear(&text);
        kn_joint_text(board->game, kn_contest_position_at(board->contest, ply),
                      kn_contest_joint_at(board->contest, ply), &text);
        json_array_append_new(list, json_string(text.data));
    }
    kn_text_free(&text);
    return list;
}

char *kn_flat_state(KnFlatBoard *board)
{
    const KnGame *game = board->game;
    const void *position = kn_contest_position(board->contest);
    KnText text = KN_TEXT_EMPTY, drawing = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    if (game->type->draw) game->type->draw(game, position, false, &drawing);
    uint32_t movers = kn_contest_movers(board->contest);
    json_t *roles = json_array(), *having = json_array(), *moves = json_object(), *payoffs = json_null();
    for (int role = 0; role < game->roles; role++) {
        json_array_append_new(roles, json_string(game->role_names[role]));
        if (!(movers >> role & 1)) continue;
        json_array_append_new(having, json_string(game->role_names[role]));
        json_object_set_new(moves, game->role_names[role], moves_json(board, role));
    }
    double values[KN_ROLES_MAX];
    bool over = kn_contest_over(board->contest, values);
    if (over) {
        payoffs = json_array();
        for (int role = 0; role < game->roles; role++)
            json_array_append_new(payoffs, json_real(values[role]));
    }
    json_t *state = json_pack("{ss ss ss so so so so sb so}", "game", game->spec, "position", text.data,
                              "drawing", drawing.data, "roles", roles, "movers", having, "moves", moves,
                              "played", played_json(board), "over", over, "payoffs", payoffs);
    kn_text_free(&text);
    kn_text_free(&drawing);
    return kn_flat_answer(board->flat, KN_OK, state);
}

int kn_flat_play(KnFlatBoard *board, const char *moves)
{
    size_t before = kn_contest_plies(board->contest);
    KnStatus status = kn_replay(board->contest, moves, &board->flat->error);
    while (status != KN_OK && kn_contest_plies(board->contest) > before) kn_contest_undo(board->contest);
    return (int)status;
}

int kn_flat_undo(KnFlatBoard *board)
{
    return (int)(kn_contest_undo(board->contest)
                     ? KN_OK
                     : kn_fail(&board->flat->error, KN_NO, "there is nothing to take back"));
}

/* ---- asking ---- */

typedef struct Asked {
    uint64_t seed;
    int64_t role, depth, nodes;
    double seconds;
} Asked;

static KnStatus read_asked(KnFlat *flat, const char *how, Asked *asked)
{
    static const char *const known[] = {"seed", "role", "depth", "nodes", "seconds", NULL};
    *asked = (Asked){.seed = 1, .role = -1};
    if (!how || !*how) return KN_OK;
    json_t *plan;
    KnStatus status = kn_flat_plan(flat, how, "how", known, &plan);
    KnJson at = kn_json_root(plan, "how");
    if (status == KN_OK) status = kn_flat_seed(&at, "seed", &asked->seed, &flat->error);
    if (status == KN_OK)
        status = kn_flat_integer(&at, "role", 0, KN_ROLES_MAX - 1, &asked->role, &flat->error);
    if (status == KN_OK) status = kn_flat_integer(&at, "depth", 1, 200, &asked->depth, &flat->error);
    if (status == KN_OK) status = kn_flat_integer(&at, "nodes", 1, INT64_MAX, &asked->nodes, &flat->error);
    if (status == KN_OK && kn_json_has(&at, "seconds"))
        status = kn_json_real(&at, "seconds", &asked->seconds, &flat->error);
    if (status == KN_OK && asked->seconds < 0)
        status = kn_json_fail(&at, "seconds", &flat->error, "wants a positive number");
    json_decref(plan);
    return status;
}

static KnStatus seat(KnFlatBoard *board, const char *spec, KnError *error)
{
    if (board->player && strcmp(board->spec, spec) == 0) return KN_OK;
    forget_player(board);
    KnStatus status = kn_player_open(board->flat->context, board->game, spec, &board->player, error);
    if (status == KN_OK && board->player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_INPUT, "%s is a person; only a front end can ask one", spec);
    if (status == KN_OK && !(board->spec = strdup(spec))) status = kn_fail_memory(error, "seating a player");
    if (status != KN_OK) forget_player(board);
    return status;
}

/* Tells the player what has been played: to it every question is a contest of its own. */
static KnStatus retell(const KnFlatBoard *board, int role, KnError *error)
{
    const KnContest *contest = board->contest;
    KnStatus status = kn_player_begin(board->player, role, kn_contest_position_at(contest, 0), error);
    KnContest *again = kn_contest_new(board->game);
    if (!again) return kn_fail_memory(error, "telling a player the moves");
    kn_contest_reset(again, kn_contest_position_at(contest, 0));
    for (size_t ply = 0; ply < kn_contest_plies(contest) && status == KN_OK; ply++) {
        const KnMove *joint = kn_contest_joint_at(contest, ply);
        status = kn_contest_play_joint(again, joint, error);
        if (status == KN_OK) status = kn_player_observe(board->player, again, joint, error);
    }
    kn_contest_free(again);
    return status;
}

static json_t *answer_json(const KnFlatBoard *board, const KnRequest *request, const KnAnswer *answer)
{
    const KnGame *game = board->game;
    KnText text = KN_TEXT_EMPTY;
    json_t *document = json_pack("{ss ss si sI sf}", "move",
                                 kn_game_move_name(game, request->position, answer->move, request->arena),
                                 "role", game->role_names[request->role], "depth", answer->depth, "nodes",
                                 (json_int_t)answer->cost.nodes, "seconds", answer->cost.seconds);
    if (answer->has_score) {
        kn_score_text(answer->score, &text);
        json_object_set_new(document, "score", json_integer(answer->score));
        json_object_set_new(document, "score_text", json_string(text.data));
    }
    json_t *values = answer->has_values ? json_object() : NULL;
    for (int i = 0; values && i < request->allowed_count; i++)
        json_object_set_new(values,
                            kn_game_move_name(game, request->position, request->allowed[i], request->arena),
                            json_integer(answer->values[i]));
    if (values) json_object_set_new(document, "values", values);
    if (answer->reason) {
        kn_text_clear(&text);
        kn_reason_print(answer->reason, &text);
        json_object_set_new(document, "text", json_string(text.data));
        json_object_set_new(document, "reason", kn_reason_json(answer->reason));
    }
    kn_text_free(&text);
    return document;
}

static KnStatus choose(KnFlatBoard *board, const Asked *asked, int role, KnMove *moves, KnScore *values,
                       KnArena *arena, json_t **document)
{
    KnError *error = &board->flat->error;
    KnRng rng = kn_rng_seeded(asked->seed);
    KnRequest request = {
        .game = board->game,
        .position = kn_contest_position(board->contest),
        .history = kn_contest_history(board->contest),
        .role = role,
        .allowed = moves,
        .allowed_count = kn_contest_moves(board->contest, role, moves),
        .budget = {.depth = (int)asked->depth, .nodes = (uint64_t)asked->nodes, .seconds = asked->seconds},
        .rng = &rng,
        .cancel = &board->flat->cancel,
        .wants = KN_WANT_REASON | KN_WANT_VALUES,
        .arena = arena};
    KnAnswer answer = {.values = values};
    KnStatus status = retell(board, role, error);
    if (status == KN_OK) status = kn_player_choose(board->player, &request, &answer, error);
    if (status == KN_OK) *document = answer_json(board, &request, &answer);
    return status;
}

char *kn_flat_ask(KnFlatBoard *board, const char *player, const char *how)
{
    KnFlat *flat = board->flat;
    Asked asked;
    json_t *document = NULL;
    KnStatus status = read_asked(flat, how, &asked);
    uint32_t movers = kn_contest_movers(board->contest);
    int role = asked.role >= 0 ? (int)asked.role : __builtin_ffs((int)movers) - 1;
    if (status == KN_OK && (role < 0 || !(movers >> role & 1)))
        status = kn_fail(&flat->error, KN_NO,
                         movers ? "this role does not have the move"
                                : "the game is over: there is no move to make");
    if (status == KN_OK) status = seat(board, player, &flat->error);
    size_t most = (size_t)board->game->max_moves;
    KnMove *moves = malloc(most * sizeof *moves);
    KnScore *values = malloc(most * sizeof *values);
    KnArena *arena = kn_arena_new();
    if (status == KN_OK && !(moves && values && arena))
        status = kn_fail_memory(&flat->error, "asking a player");
    if (status == KN_OK) status = choose(board, &asked, role, moves, values, arena, &document);
    kn_arena_free(arena);
    free(values);
    free(moves);
    return kn_flat_answer(flat, status, document);
}
