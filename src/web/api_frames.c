/* Positions along a line of moves, for boards of explanations, stepped lines and stored games. Nothing is
 * stored. */
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "web/state.h"

enum { PATH = 32 };

typedef struct Line {
    KnCachedGame *cached;
    const char *position; /* NULL or "": the game's start */
    KnText moves;
    json_t *frames;
    KnStatus status;
    KnError error;
    bool begun; /* the position is good: a later error is about the line */
} Line;

/* The moves in the form of kn_replay, from a text or from a list of texts and joint moves. */
static bool read_moves(const KnCall *call, KnText *out, KnHttpReply *reply)
{
    const json_t *moves = json_object_get(call->body, "moves");
    bool good = !moves || json_is_null(moves) || json_is_string(moves) || json_is_array(moves);
    if (json_is_string(moves)) kn_text_add(out, json_string_value(moves));
    for (size_t i = 0; good && i < json_array_size(moves); i++) {
        const json_t *move = json_array_get(moves, i);
        kn_text_add_char(out, ' ');
        if (json_is_string(move))
            kn_text_add(out, json_string_value(move));
        else
            good = json_is_array(move);
        for (size_t role = 0; good && role < json_array_size(move); role++) {
            const json_t *own = json_array_get(move, role);
            if (role) kn_text_add_char(out, '|');
            kn_text_add(out, json_is_string(own) ? json_string_value(own) : "-");
        }
    }
    if (!good)
        kn_reply_error(reply, 400, "moves",
                       "moves: expected a text such as \"9-13 22-18\", or a list of moves");
    return good;
}

static json_t *cells_json(const KnGame *game, const void *position)
{
    json_t *cells = json_array();
    for (int i = 0; game->type->cell && i < game->cells; i++)
        json_array_append_new(cells, json_integer(game->type->cell(game, position, i)));
    return cells;
}

/* A joint move in the usual form: a|b, with - for a role without a move. */
static void joint_text(const KnGame *game, const void *position, const KnMove *joint, KnText *out)
{
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    for (int role = 0; role < game->roles; role++) {
        if (!simultaneous && joint[role] == KN_MOVE_NONE) continue;
        if (simultaneous && role) kn_text_add_char(out, '|');
        if (joint[role] == KN_MOVE_NONE)
            kn_text_add_char(out, '-');
        else
            game->type->move_text(game, position, joint[role], out);
    }
}

static int only_move(const KnGame *game, const KnMove *joint, KnMove *move)
{
    int count = 0;
    for (int role = 0; role < game->roles; role++)
        if (joint[role] != KN_MOVE_NONE) *move = joint[role], count++;
    return count;
}

/* The position after `ply` moves, with the move that led there. */
static json_t *frame_json(const KnCachedGame *cached, const KnState *state, size_t ply)
{
    const KnGame *game = cached->game;
    bool last = ply == kn_state_plies(state);
    const void *position = last ? kn_state_position(state) : kn_state_position_at(state, ply);
    KnText text = KN_TEXT_EMPTY;
    if (game->type->position_text) game->type->position_text(game, position, &text);
    json_t *frame = json_pack("{ss so}", "position", text.data, "cells", cells_json(game, position));
    kn_text_clear(&text);
    if (game->type->draw) game->type->draw(game, position, false, &text);
    json_object_set_new(frame, "drawing", json_string(text.data));
    json_t *movers = json_array(), *path = json_array();
    uint32_t mask = last && kn_state_over(state, NULL) ? 0 : kn_game_movers(game, position);
    for (int role = 0; role < game->roles; role++)
        if (mask >> role & 1) json_array_append_new(movers, json_integer(role));
    kn_text_clear(&text);
    if (ply) {
        const void *before = kn_state_position_at(state, ply - 1);
        const KnMove *joint = kn_state_joint_at(state, ply - 1);
        KnMove move = KN_MOVE_NONE;
        int cells[PATH];
        joint_text(game, before, joint, &text);
        bool alone = !(game->traits & KN_GAME_SIMULTANEOUS) && only_move(game, joint, &move) == 1;
        int count = kn_move_path(cached, before, alone ? move : KN_MOVE_NONE, text.data, cells, PATH);
        for (int i = 0; i < count; i++) json_array_append_new(path, json_integer(cells[i]));
    }
    json_object_set_new(frame, "movers", movers);
    json_object_set_new(frame, "path", path);
    json_object_set_new(frame, "text", json_string(text.data));
    kn_text_free(&text);
    return frame;
}

static void follow(void *user)
{
    Line *line = user;
    const KnGame *game = line->cached->game;
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    bool given = line->position && *line->position;
    KnState *state = kn_state_new(game);
    line->status = state ? KN_OK : kn_fail_memory(&line->error, "following a line");
    if (line->status == KN_OK && given) {
        memset(start, 0, sizeof start);
        line->status = game->type->parse_position
                           ? game->type->parse_position(game, line->position, start, &line->error)
                           : kn_fail(&line->error, KN_INPUT, "positions of this game cannot be written down");
        if (line->status == KN_OK) kn_state_reset(state, start);
    }
    line->begun = line->status == KN_OK;
    if (line->begun) {
        line->status = kn_replay(state, line->moves.data, &line->error);
        for (size_t ply = 0; ply <= kn_state_plies(state); ply++)
            json_array_append_new(line->frames, frame_json(line->cached, state, ply));
    }
    kn_state_free(state);
}

static void frames(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *spec;
    Line line = {.moves = KN_TEXT_EMPTY, .frames = json_array()};
    KnError error;
    if (!kn_call_text(call, "game", true, KN_WEB_BODY, &spec, reply)) {
    } else if (!kn_call_text(call, "position", false, KN_WEB_BODY, &line.position, reply) ||
               !read_moves(call, &line.moves, reply)) {
    } else if (kn_player_cache_game(web->cache, spec, &line.cached, &error) != KN_OK)
        kn_reply_fail(reply, &error, "game");
    else if (kn_call_compute(web, call, follow, &line, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (!line.begun)
        kn_reply_fail(reply, &line.error, "position");
    else {
        json_t *document = json_pack("{ss sO sO}", "game", line.cached->spec, "board", line.cached->board,
                                     "frames", line.frames);
        if (document && line.status != KN_OK)
            json_object_set_new(document, "error", json_string(line.error.text));
        kn_reply_json(reply, 200, document);
    }
    kn_player_cache_release_game(web->cache, line.cached);
    kn_text_free(&line.moves);
    json_decref(line.frames);
}

const KnRoute kn_routes_frames[] = {{"POST", "frames", frames, KN_WEB_BODY}, {0}};
