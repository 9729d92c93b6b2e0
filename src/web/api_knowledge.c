/* Knowledge about a position without search: from the server's endgame tables and from the experience bases
 * of its players. */
#include <stdlib.h>
#include <string.h>

#include "methods/experience/player.h"
#include "players/search_explanation.h"
#include "games/checkers/endgame.h"
#include "web/decision.h"

enum { CACHE_BYTES = 1 << 20 };

typedef struct Asking {
    KnDecision decision; /* the game state at the asked ply */
    char *seats[KN_ROLES_MAX];
    KnMove *moves;
    int count, mover;
    json_t *tables, *experience;
    KnStatus status;
    KnError error;
} Asking;

static const char *move_name(Asking *asking, KnMove move)
{
    return kn_game_move_name(asking->decision.cached->game, kn_state_position(asking->decision.state), move,
                             asking->decision.arena);
}

/* ---- tables ---- */

/* Opened on first use once they exist; tables that are built later are found later. NULL: there are none. */
static const KnEndgame *server_tables(KnWeb *web, const KnGame *game)
{
    KnError error; /* missing tables are no error */
    if (kn_endgame_suits(game, &error) != KN_OK) return NULL;
    pthread_mutex_lock(&web->lock);
    if (!web->endgame && kn_endgame_open(game, "on", &web->endgame, &error) != KN_OK) web->endgame = NULL;
    const KnEndgame *tables = web->endgame;
    pthread_mutex_unlock(&web->lock);
    return tables;
}

static json_t *verdict_json(KnEndgameAnswer answer)
{
    KnText text = KN_TEXT_EMPTY;
    kn_endgame_answer_text(answer, &text);
    json_t *row = json_pack("{si ss}", "value", answer.value, "text", text.data);
    if (answer.plies >= 0) json_object_set_new(row, "plies", json_integer(answer.plies));
    kn_text_free(&text);
    return row;
}

/* A damaged block is an error: "not known" would be a claim about the tables. */
static void ask_tables(Asking *asking)
{
    const KnEndgame *tables = server_tables(asking->decision.web, asking->decision.cached->game);
    KnEndgameProber *prober = tables ? kn_endgame_prober(tables, CACHE_BYTES) : NULL;
    if (!prober) return;
    const void *position = kn_state_position(asking->decision.state);
    KnEndgameAnswer answer;
    asking->tables = json_pack("{si}", "pieces", kn_endgame_pieces(tables));
    if (kn_endgame_ask(prober, position, &answer)) {
        json_t *rows = json_array();
        for (int i = 0; i < asking->count; i++) {
            KnEndgameAnswer after;
            if (!kn_endgame_ask_move(prober, position, asking->moves[i], &after)) continue;
            json_t *row = verdict_json(after);
            json_object_set_new(row, "move", json_string(move_name(asking, asking->moves[i])));
            json_array_append_new(rows, row);
        }
        json_object_set_new(asking->tables, "position", verdict_json(answer));
        json_object_set_new(asking->tables, "moves", rows);
    }
    asking->status = kn_endgame_prober_status(prober, &asking->error);
    kn_endgame_prober_free(prober);
}

/* ---- experience ---- */

static json_t *moves_json(Asking *asking, const KnBaseMove *rows, double sign)
{
    json_t *list = json_array();
    for (int i = 0; i < asking->count; i++) {
        json_t *row = json_pack("{ss sb}", "move", move_name(asking, rows[i].move), "explored",
                                rows[i].explored);
        if (rows[i].explored) {
            json_object_set_new(row, "value", json_real(sign * rows[i].value + 0.0));
            json_object_set_new(row, "mean", json_real(sign * rows[i].mean + 0.0));
            json_object_set_new(row, "games", json_integer((json_int_t)rows[i].games));
            json_object_set_new(row, "distinct", json_integer((json_int_t)rows[i].distinct));
            json_object_set_new(row, "paths", json_integer((json_int_t)rows[i].paths));
        }
        json_array_append_new(list, row);
    }
    return list;
}

/* Values are points for the mover. */
static json_t *view_json(Asking *asking, int role, const KnBaseView *view, const KnBaseMove *rows,
                         const KnBaseStat *size)
{
    double sign = asking->mover == 0 ? 1 : -1;
    json_t *row = json_pack("{si ss sb s{sI sI sI sI}}", "role", role, "player", asking->seats[role], "known",
                            view->known, "size", "positions", (json_int_t)size->positions, "moves",
                            (json_int_t)size->edges, "games", (json_int_t)size->plays, "distinct",
                            (json_int_t)size->games);
    if (view->known) {
        json_object_set_new(row, "value", json_real(sign * view->value + 0.0));
        json_object_set_new(row, "mean", json_real(sign * view->mean + 0.0));
        json_object_set_new(row, "games", json_integer((json_int_t)view->games));
        json_object_set_new(row, "distinct", json_integer((json_int_t)view->distinct));
        json_object_set_new(row, "paths", json_integer((json_int_t)view->paths));
    }
    json_object_set_new(row, "moves", moves_json(asking, rows, sign));
    if (view->leaf != KN_MOVE_NONE) {
        json_t *leaf = kn_score_json(view->leaf_score, false, 0);
        json_object_set_new(leaf, "move", json_string(move_name(asking, view->leaf)));
        json_object_set_new(leaf, "depth", json_integer(view->leaf_depth));
        json_object_set_new(row, "best_unexplored", leaf);
    }
    return row;
}

static KnStatus ask_base(Asking *asking, int role, KnBase *base)
{
    KnBaseMove rows[asking->count ? asking->count : 1];
    KnBaseView view;
    KnBaseStat size;
    KnStatus status = kn_base_size(base, &size, &asking->error);
    if (status == KN_OK)
        status = kn_base_look(base, kn_state_position(asking->decision.state), asking->moves, asking->count,
                              rows, &view, &asking->error);
    if (status == KN_OK)
        json_array_append_new(asking->experience, view_json(asking, role, &view, rows, &size));
    return status;
}

static void ask_bases(Asking *asking)
{
    KnPlayerCache *cache = asking->decision.web->cache;
    for (int role = 0; role < KN_ROLES_MAX && asking->status == KN_OK; role++) {
        KnPlayer *player = NULL;
        if (!asking->seats[role] || strncmp(asking->seats[role], "experience(", 11) != 0) continue;
        asking->status = kn_player_cache_acquire(cache, asking->decision.cached, asking->seats[role], &player,
                                                 &asking->error);
        KnBase *base = asking->status == KN_OK ? kn_experience_base(player) : NULL;
        if (base) asking->status = ask_base(asking, role, base);
        kn_player_cache_release(cache, asking->decision.cached, player);
    }
}

/* ---- both ---- */

static void ask(void *user)
{
    Asking *asking = user;
    const KnGame *game = asking->decision.cached->game;
    const KnState *state = asking->decision.state;
    asking->moves = malloc(sizeof *asking->moves * (size_t)game->max_moves);
    if (!asking->moves) {
        asking->status = kn_fail_memory(&asking->error, "asking what is known");
        return;
    }
    uint32_t movers = kn_state_over(state, NULL) ? 0 : kn_state_movers(state);
    while (asking->mover < game->roles && !(movers >> asking->mover & 1)) asking->mover++;
    bool turns = asking->mover < game->roles && movers == 1u << asking->mover &&
                 asking->mover != game->nature;
    if (!turns) return; /* the game is over or simultaneous */
    asking->count = kn_state_moves(state, asking->mover, asking->moves);
    ask_tables(asking);
    ask_bases(asking);
}

static KnStatus copy_seats(const KnSession *session, Asking *asking)
{
    for (int role = 0; role < session->cached->game->roles; role++)
        if (session->seats[role] && !(asking->seats[role] = strdup(session->seats[role])))
            return kn_fail_memory(&asking->error, "asking what is known");
    return KN_OK;
}

static void known(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply;
    KnSession *session = NULL;
    Asking asking = {.experience = json_array()};
    if (kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply) &&
        (session = kn_call_session(web, call, reply))) {
        pthread_mutex_lock(&session->lock);
        size_t plies = session->plies, at = ply < 0 ? kn_state_plies(session->state) : (size_t)ply;
        KnStatus status = at <= plies
                              ? kn_decision_copy(&asking.decision, session, at, 0, "", &asking.error)
                              : kn_fail(&asking.error, KN_INPUT,
                                        "ply %2$zu does not exist; the game has %1$zu plies", plies, at);
        if (status == KN_OK) status = copy_seats(session, &asking);
        pthread_mutex_unlock(&session->lock);
        if (status != KN_OK)
            kn_reply_fail(reply, &asking.error, "ply");
        else if (kn_call_compute(web, call, ask, &asking, &asking.error) != KN_OK || asking.status != KN_OK)
            kn_reply_fail(reply, &asking.error, NULL);
        else
            kn_reply_json(reply, 200,
                          json_pack("{sI sO? sO}", "ply", (json_int_t)at, "tables", asking.tables,
                                    "experience", asking.experience));
    }
    for (int role = 0; role < KN_ROLES_MAX; role++) free(asking.seats[role]);
    free(asking.moves);
    json_decref(asking.tables);
    json_decref(asking.experience);
    kn_decision_free(&asking.decision);
    kn_session_release(session);
}

const KnRoute kn_routes_knowledge[] = {{"GET", "sessions/*/known", known, 0}, {0}};
