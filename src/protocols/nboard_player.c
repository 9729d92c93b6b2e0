/* An Othello engine over the NBoard protocol (docs/nboard.md): Edax, NTest, Saio. Each question carries the
 * position as a GGF game without moves. A ping before it makes sure that no late answer to an earlier
 * question is taken for the move. */
#include <stdlib.h>
#include <string.h>

#include "protocols/foreign.h"
#include "protocols/registry.h"
#include "formats/record.h"
#include "games/othello/endgame.h"
#include "players/search_player.h"

typedef struct NBoard {
    KnForeign foreign;
    int depth, pings;
    KnState *state; /* the position in question */
    bool asked;     /* the engine may still be thinking */
} NBoard;

static KnStatus suits(const KnGame *game, KnError *error)
{
    return kn_othello_is(game)
               ? KN_OK
               : kn_fail(error, KN_INPUT, "needs Othello, the only game of the NBoard protocol");
}

static const KnForeignWords words = {.name = "set myname"};

static KnStatus await(NBoard *nboard, const char *word, double seconds, const atomic_bool *cancel,
                      const char **rest, KnError *error)
{
    return kn_foreign_await(&nboard->foreign, &words, word, seconds, cancel, rest, error);
}

/* Waits until the engine has processed everything sent so far. */
static KnStatus synchronize(NBoard *nboard, KnError *error)
{
    char line[32];
    const char *rest = "";
    snprintf(line, sizeof line, "ping %d", ++nboard->pings);
    KnStatus status = kn_foreign_send(&nboard->foreign, line, error);
    while (status == KN_OK && strtol(rest, NULL, 10) != nboard->pings)
        status = await(nboard, "pong", nboard->foreign.patience, NULL, &rest, error);
    nboard->asked = false;
    return status;
}

static KnStatus connect_engine(KnPlayer *player, KnError *error)
{
    NBoard *nboard = player->data;
    if (nboard->foreign.child) return KN_OK;
    KnStatus status = kn_foreign_start(&nboard->foreign, error);
    if (status == KN_OK) status = kn_foreign_send(&nboard->foreign, "nboard 2", error);
    if (status == KN_OK) status = synchronize(nboard, error);
    return status == KN_OK ? KN_OK : kn_foreign_unusable(&nboard->foreign, status, error);
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    NBoard *nboard = player->data = calloc(1, sizeof *nboard);
    if (!nboard) return kn_fail_memory(error, "opening a player");
    nboard->depth = (int)kn_option_integer(options, "depth");
    player->traits = 0; /* neither repeatable nor restrictable */
    KnStatus status = kn_foreign_open(&nboard->foreign, options, error);
    if (status == KN_OK && !(nboard->state = kn_state_new(player->game)))
        status = kn_fail_memory(error, "opening a player");
    return status;
}

static void close(KnPlayer *player)
{
    NBoard *nboard = player->data;
    if (!nboard) return;
    kn_foreign_close(&nboard->foreign, "quit");
    kn_state_free(nboard->state);
    free(nboard);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role, (void)position;
    return connect_engine(player, error);
}

/* set depth and set game. */
static KnStatus describe(NBoard *nboard, const KnRequest *request, KnError *error)
{
    KnText line = KN_TEXT_EMPTY;
    int depth = kn_budget_narrow((KnBudget){.depth = nboard->depth}, request->budget).depth;
    kn_text_printf(&line, "set depth %d", depth > 0 ? depth : nboard->depth);
    KnStatus status = kn_foreign_send(&nboard->foreign, line.data, error);
    kn_text_clear(&line);
    kn_text_add(&line, "set game ");
    kn_state_reset(nboard->state, request->position);
    KnGameRecord record = {.state = nboard->state, .date = "", .players = {"black", "white"}};
    if (status == KN_OK) status = kn_ggf_write(&record, &line, error);
    line.data[strcspn(line.data, "\n")] = 0;
    if (status == KN_OK) status = kn_foreign_send(&nboard->foreign, line.data, error);
    kn_text_free(&line);
    return status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    NBoard *nboard = player->data;
    if (request->allowed_count == 1) { /* nothing to choose */
        answer->move = request->allowed[0];
        return KN_OK;
    }
    const char *rest;
    KnStatus status = connect_engine(player, error);
    if (status == KN_OK && nboard->asked) status = synchronize(nboard, error);
    if (status == KN_OK) status = describe(nboard, request, error);
    if (status == KN_OK) status = kn_foreign_send(&nboard->foreign, "go", error);
    nboard->asked = true;
    if (status == KN_OK)
        status = await(nboard, "===", request->budget.seconds + nboard->foreign.patience, request->cancel,
                       &rest, error);
    if (status == KN_STOPPED) return status; /* the next question begins with a ping */
    char text[16] = "";
    if (status == KN_OK) {
        memcpy(text, rest, strcspn(rest, "/ ") < sizeof text ? strcspn(rest, "/ ") : sizeof text - 1);
        status = kn_foreign_move(&nboard->foreign, request, text, &answer->move, error);
    }
    if (status != KN_OK) return kn_foreign_stop(&nboard->foreign, status);
    nboard->asked = false;
    kn_foreign_answered(&nboard->foreign, player, request, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"command", KN_OPTION_STRING, NULL, 0, 0, NULL,
     "shell command of an engine that speaks the NBoard protocol"},
    {"depth", KN_OPTION_INTEGER, "8", 1, 60, NULL, "search depth sent to the engine"},
    {"patience", KN_OPTION_REAL, "30", 0.01, 1e6, NULL, "seconds a move before it loses"},
    KN_FOREIGN_LOG,
    {0}};

const KnPlayerType kn_player_nboard = {
    .head = {"nboard", "another program's Othello engine, over the NBoard protocol", options},
    .foreign = true,
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .choose = choose,
};
