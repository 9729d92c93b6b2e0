#include <knack/capi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/capi_inside.h"
#include <knack/plugin.h>
#include "games/replay.h"
#include <knack/base.h>
#include "players/player.h"
#include "players/search_explanation.h"

int kn_capi_interface(void) { return KN_CAPI_INTERFACE; }

KnCapi *kn_capi_open(const char *data, char *message, size_t size)
{
    KnCapi *capi = calloc(1, sizeof *capi);
    if (capi && kn_open(data, &capi->context, &capi->error) == KN_OK) return capi;
    if (size) snprintf(message, size, "%s", capi ? capi->error.text : "out of memory while opening knack");
    free(capi);
    return NULL;
}

void kn_capi_close(KnCapi *capi)
{
    if (!capi) return;
    kn_close(capi->context);
    kn_capi_players_free(capi);
    free(capi);
}

void kn_capi_free(char *text) { free(text); }

const char *kn_capi_error(const KnCapi *capi) { return capi->error.text; }

int kn_capi_status(const KnCapi *capi) { return (int)capi->error.status; }

void kn_capi_cancel(KnCapi *capi) { atomic_store(&capi->cancel, true); }

int kn_capi_plugin(KnCapi *capi, const char *path)
{
    return (int)kn_plugin_load(capi->context, path, &capi->error);
}

/* ---- Shared with the other files of this folder ---- */

char *kn_capi_answer(KnCapi *capi, KnStatus status, json_t *document)
{
    char *text = status == KN_OK && document ? json_dumps(document, JSON_SORT_KEYS | JSON_REAL_PRECISION(17))
                                             : NULL;
    if (status == KN_OK && !text) kn_fail_memory(&capi->error, "writing an answer");
    json_decref(document);
    return text;
}

void kn_capi_begin(KnCapi *capi) { atomic_fetch_add(&capi->running, 1); }

char *kn_capi_end(KnCapi *capi, KnStatus status, json_t *document)
{
    if (atomic_fetch_sub(&capi->running, 1) == 1) atomic_store(&capi->cancel, false);
    return kn_capi_answer(capi, status, document);
}

KnStatus kn_capi_plan(KnCapi *capi, const char *text, const char *name, const char *const *known,
                      json_t **plan)
{
    *plan = NULL;
    KnStatus status = kn_json_load_bytes(text, strlen(text), name, plan, &capi->error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(*plan, name);
    return json_is_object(*plan) ? kn_json_only(&root, known, &capi->error)
                                 : kn_fail(&capi->error, KN_INPUT, "%s: expected an object", name);
}

KnStatus kn_capi_string(const KnJson *at, const char *key, const char **value, KnError *error)
{
    return kn_json_has(at, key) ? kn_json_string(at, key, value, error) : KN_OK;
}

KnStatus kn_capi_integer(const KnJson *at, const char *key, int64_t low, int64_t high, int64_t *value,
                         KnError *error)
{
    return kn_json_has(at, key) ? kn_json_integer(at, key, low, high, value, error) : KN_OK;
}

KnStatus kn_capi_seed(const KnJson *at, const char *key, uint64_t *value, KnError *error)
{
    return kn_json_has(at, key) ? kn_json_uint64(at, key, value, error) : KN_OK;
}

/* ---- Listings ---- */

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

char *kn_capi_list(KnCapi *capi, const char *kind)
{
    int found = 0;
    while (found < KN_KINDS && strcmp(kn_kind_name((KnKind)found), kind) != 0) found++;
    if (found == KN_KINDS)
        return kn_capi_answer(
            capi,
            kn_fail(&capi->error, KN_INPUT,
                    "there is nothing of the kind \"%.40s\"; try game, player, evaluation or learner", kind),
            NULL);
    json_t *rows = json_array();
    for (size_t i = 0; i < kn_registered(capi->context, (KnKind)found); i++) {
        const KnThing *thing = kn_registered_at(capi->context, (KnKind)found, i);
        json_t *options = json_array();
        for (const KnOption *option = thing->options; option && option->name; option++)
            json_array_append_new(options, option_json(option));
        json_array_append_new(rows, json_pack("{ss ss so}", "name", thing->name, "summary", thing->summary,
                                              "options", options));
    }
    return kn_capi_answer(capi, KN_OK, rows);
}

/* ---- A game in progress ---- */

/* The player of the last question stays open, since the next question usually goes to it too. */
static void close_player(KnCapiGame *board)
{
    kn_player_close(board->player);
    free(board->spec);
    board->player = NULL;
    board->spec = NULL;
}

void kn_capi_game_close(KnCapiGame *board)
{
    if (!board) return;
    close_player(board);
    kn_state_free(board->state);
    kn_game_close(board->game);
    free(board);
}

KnCapiGame *kn_capi_game(KnCapi *capi, const char *game, const char *position)
{
    KnCapiGame *board = calloc(1, sizeof *board);
    KnStatus status = board ? KN_OK : kn_fail_memory(&capi->error, "opening a game");
    if (status == KN_OK) {
        board->capi = capi;
        status = kn_game_open(capi->context, game, &board->game, &capi->error);
    }
    if (status == KN_OK && !(board->state = kn_state_new(board->game)))
        status = kn_fail_memory(&capi->error, "opening a game");
    if (status == KN_OK && position && strcmp(position, "start") != 0)
        status = kn_state_set(board->state, position, &capi->error);
    if (status == KN_OK) return board;
    kn_capi_game_close(board);
    return NULL;
}

static json_t *moves_json(const KnCapiGame *board, int role)
{
    const void *position = kn_state_position(board->state);
    KnMove *moves = malloc(sizeof *moves * (size_t)board->game->max_moves);
    json_t *list = moves ? json_array() : NULL;
    int count = list ? kn_state_moves(board->state, role, moves) : 0;
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

static json_t *played_json(const KnCapiGame *board)
{
    json_t *list = json_array();
    KnText text = KN_TEXT_EMPTY;
    for (size_t ply = 0; ply < kn_state_plies(board->state); ply++) {
        kn_text_clear(&text);
        kn_joint_text(board->game, kn_state_position_at(board->state, ply),
                      kn_state_joint_at(board->state, ply), &text);
        json_array_append_new(list, json_string(text.data));
    }
    kn_text_free(&text);
    return list;
}

char *kn_capi_state(KnCapiGame *board)
{
    const KnGame *game = board->game;
    char *position = kn_state_text(board->state), *drawing = kn_state_drawing(board->state);
    uint32_t movers = kn_state_movers(board->state);
    json_t *roles = json_array(), *having = json_array(), *moves = json_object(), *payoffs = json_null();
    for (int role = 0; role < game->roles; role++) {
        json_array_append_new(roles, json_string(game->role_names[role]));
        if (!(movers >> role & 1)) continue;
        json_array_append_new(having, json_string(game->role_names[role]));
        json_object_set_new(moves, game->role_names[role], moves_json(board, role));
    }
    double values[KN_ROLES_MAX];
    bool over = kn_state_over(board->state, values);
    if (over) {
        payoffs = json_array();
        for (int role = 0; role < game->roles; role++)
            json_array_append_new(payoffs, json_real(values[role]));
    }
    json_t *state = json_pack("{ss ss ss so so so so sb so}", "game", game->spec, "position",
                              position ? position : "", "drawing", drawing ? drawing : "", "roles", roles,
                              "movers", having, "moves", moves, "played", played_json(board), "over", over,
                              "payoffs", payoffs);
    kn_free(position);
    kn_free(drawing);
    return kn_capi_answer(board->capi, KN_OK, state);
}

int kn_capi_play(KnCapiGame *board, const char *moves)
{
    return (int)kn_state_play_text(board->state, moves, &board->capi->error);
}

int kn_capi_undo(KnCapiGame *board)
{
    return (int)(kn_state_undo(board->state)
                     ? KN_OK
                     : kn_fail(&board->capi->error, KN_NO,
                               "there is nothing to take back: no move has been played"));
}

/* ---- Questions to players ---- */

typedef struct Question {
    uint64_t seed;
    int64_t role, depth, nodes;
    double seconds;
} Question;

static KnStatus read_question(KnCapi *capi, const char *how, Question *question)
{
    static const char *const known[] = {"seed", "role", "depth", "nodes", "seconds", NULL};
    *question = (Question){.seed = 1, .role = -1};
    if (!how || !*how) return KN_OK;
    json_t *plan;
    KnStatus status = kn_capi_plan(capi, how, "how", known, &plan);
    KnJson at = kn_json_root(plan, "how");
    if (status == KN_OK) status = kn_capi_seed(&at, "seed", &question->seed, &capi->error);
    if (status == KN_OK)
        status = kn_capi_integer(&at, "role", 0, KN_ROLES_MAX - 1, &question->role, &capi->error);
    if (status == KN_OK) status = kn_capi_integer(&at, "depth", 1, 200, &question->depth, &capi->error);
    if (status == KN_OK) status = kn_capi_integer(&at, "nodes", 1, INT64_MAX, &question->nodes, &capi->error);
    if (status == KN_OK && kn_json_has(&at, "seconds"))
        status = kn_json_real(&at, "seconds", &question->seconds, &capi->error);
    if (status == KN_OK && question->seconds < 0)
        status = kn_json_fail(&at, "seconds", &capi->error, "expected a positive number");
    json_decref(plan);
    return status;
}

static KnStatus open_player(KnCapiGame *board, const char *spec, KnError *error)
{
    if (board->player && strcmp(board->spec, spec) == 0) return KN_OK;
    close_player(board);
    KnStatus status = kn_player_open(board->capi->context, board->game, spec, &board->player, error);
    if (status == KN_OK && board->player->traits & KN_PLAYER_ASKS)
        status = kn_fail(error, KN_INPUT, "%s is a person; only a front end can ask one", spec);
    if (status == KN_OK && !(board->spec = strdup(spec))) status = kn_fail_memory(error, "opening a player");
    if (status != KN_OK) close_player(board);
    return status;
}

static json_t *answer_json(const KnCapiGame *board, int role, const KnMove *moves, int count,
                           const KnAnswer *answer, KnArena *arena)
{
    const KnGame *game = board->game;
    const void *position = kn_state_position(board->state);
    KnText text = KN_TEXT_EMPTY;
    json_t *document = json_pack("{ss ss si sI sf}", "move",
                                 kn_game_move_name(game, position, answer->move, arena), "role",
                                 game->role_names[role], "depth", answer->depth, "nodes",
                                 (json_int_t)answer->cost.nodes, "seconds", answer->cost.seconds);
    if (answer->has_score) {
        kn_score_text(answer->score, &text);
        json_object_set_new(document, "score", json_integer(answer->score));
        json_object_set_new(document, "score_text", json_string(text.data));
    }
    json_t *values = answer->has_values ? json_object() : NULL;
    for (int i = 0; values && i < count; i++)
        json_object_set_new(values, kn_game_move_name(game, position, moves[i], arena),
                            json_integer(answer->values[i]));
    if (values) json_object_set_new(document, "values", values);
    if (answer->explanation) {
        kn_text_clear(&text);
        kn_explanation_print(answer->explanation, &text);
        json_object_set_new(document, "text", json_string(text.data));
        json_object_set_new(document, "reason", kn_explanation_json(answer->explanation));
    }
    kn_text_free(&text);
    return document;
}

/* The document has the values of all legal moves, so they are listed again here. */
static KnStatus ask(KnCapiGame *board, const Question *question, int role, KnArena *arena, json_t **document)
{
    KnError *error = &board->capi->error;
    KnAsk how = {.seed = question->seed,
                 .budget = {.depth = (int)question->depth,
                            .nodes = (uint64_t)question->nodes,
                            .seconds = question->seconds},
                 .cancel = &board->capi->cancel,
                 .wants = KN_WANT_EXPLANATION | KN_WANT_VALUES,
                 .arena = arena};
    KnAnswer answer;
    KnStatus status = kn_player_ask(board->player, board->state, role, &how, &answer, error);
    if (status != KN_OK) return status;
    KnMove *moves = KN_ARENA_NEW(arena, KnMove, board->game->max_moves);
    if (!moves) return kn_fail_memory(error, "asking a player");
    int count = kn_state_moves(board->state, role, moves);
    *document = answer_json(board, role, moves, count, &answer, arena);
    return KN_OK;
}

char *kn_capi_ask(KnCapiGame *board, const char *player, const char *how)
{
    KnCapi *capi = board->capi;
    Question question;
    json_t *document = NULL;
    kn_capi_begin(capi);
    KnStatus status = read_question(capi, how, &question);
    int role = question.role >= 0 ? (int)question.role : kn_state_mover(board->state);
    if (status == KN_OK && kn_state_over(board->state, NULL))
        status = kn_fail(&capi->error, KN_NO, "the game is over: there is no move to make");
    if (status == KN_OK) status = open_player(board, player, &capi->error);
    KnArena *arena = kn_arena_new();
    if (status == KN_OK && !arena) status = kn_fail_memory(&capi->error, "asking a player");
    if (status == KN_OK) status = ask(board, &question, role, arena, &document);
    kn_arena_free(arena);
    return kn_capi_end(capi, status, document);
}
