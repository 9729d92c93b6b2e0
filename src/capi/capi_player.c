/* Players whose moves come from a callback: programs of another language in matches, tournaments and
 * training. */
#include <stdlib.h>
#include <string.h>

#include "capi/capi_inside.h"
#include "players/player.h"

/* The registry row of one callback player. Rows live as long as the KnCapi. */
struct KnCapiPlayer {
    KnPlayerType type;
    KnCapiChoose choose;
    KnCapiEnd end;
    void *user;
    struct KnCapiPlayer *next;
};

static const struct KnCapiPlayer *row_of(const KnPlayer *player)
{
    return (const struct KnCapiPlayer *)(const void *)player->type; /* the type is its first member */
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE; /* nobody knows what the callback does */
    player->data = calloc(1, sizeof(int));             /* the role of the game in progress */
    return player->data ? KN_OK : kn_fail_memory(error, "opening a player");
}

static void close(KnPlayer *player) { free(player->data); }

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)position, (void)error;
    *(int *)player->data = role;
    return KN_OK;
}

static char *request_text(const KnRequest *request)
{
    const KnGame *game = request->game;
    json_t *moves = json_array();
    for (int i = 0; i < request->allowed_count; i++) {
        char *text = kn_game_move_text(game, request->position, request->allowed[i]);
        json_array_append_new(moves, json_string(text ? text : ""));
        kn_free(text);
    }
    char *position = kn_game_position_text(game, request->position);
    json_t *document = json_pack("{ss ss ss si so}", "game", game->spec, "position", position ? position : "",
                                 "role", game->role_names[request->role], "number", request->role, "moves",
                                 moves);
    kn_free(position);
    char *text = document ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    return text;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const struct KnCapiPlayer *row = row_of(player);
    char *text = request_text(request);
    if (!text) return kn_fail_memory(error, "asking a player");
    int chosen = row->choose(row->user, text);
    free(text);
    if (chosen < 0) return kn_fail(error, KN_INPUT, "the player %s failed to choose", row->type.head.name);
    if (chosen >= request->allowed_count)
        return kn_fail(error, KN_FORFEIT, "the player %s chose move %d of %d", row->type.head.name, chosen,
                       request->allowed_count);
    answer->move = request->allowed[chosen];
    if (request->wants & KN_WANT_EXPLANATION)
        answer->explanation = kn_explanation_new(request->arena, "a program of your own chose it");
    return KN_OK;
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    (void)error;
    const struct KnCapiPlayer *row = row_of(player);
    if (row->end) row->end(row->user, *(int *)player->data, payoffs, kn_state_game(state)->roles);
    return KN_OK;
}

int kn_capi_player(KnCapi *capi, const char *name, KnCapiChoose choose_move, KnCapiEnd end_game, void *user)
{
    KnError *error = &capi->error;
    if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ||
        strchr("0123456789_", *name))
        return (int)kn_fail(error, KN_INPUT,
                            "a player's name has letters, digits and _, and begins with a letter: \"%.40s\"",
                            name);
    struct KnCapiPlayer *row = calloc(1, sizeof *row);
    char *copy = strdup(name);
    if (!row || !copy) {
        free(row);
        free(copy);
        return (int)kn_fail_memory(error, "adding a player");
    }
    *row = (struct KnCapiPlayer){.type = {.head = {copy, "a program of your own", NULL},
                                          .foreign = false,
                                          .open = open,
                                          .close = close,
                                          .begin = begin,
                                          .choose = choose,
                                          .end = end},
                                 .choose = choose_move,
                                 .end = end_game,
                                 .user = user};
    KnStatus status = kn_register(capi->context, KN_KIND_PLAYER, &row->type.head, error);
    if (status != KN_OK) {
        free(copy);
        free(row);
        return (int)status;
    }
    row->next = capi->players;
    capi->players = row;
    return KN_OK;
}

void kn_capi_players_free(KnCapi *capi)
{
    while (capi->players) {
        struct KnCapiPlayer *row = capi->players;
        capi->players = row->next;
        free((char *)(uintptr_t)row->type.head.name);
        free(row);
    }
}
