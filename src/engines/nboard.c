/* Somebody's engine of Othello over the NBoard protocol (docs/nboard.md): Edax, NTest, Saio and their like.
 *
 * Each question carries the whole position as a GGF game without moves, so that an engine needs no memory of
 * ours. A ping before it makes sure that nothing said about an earlier position is taken for the answer. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engines/foreign.h"
#include "engines/registry.h"
#include "formats/sheet.h"
#include "games/othello/endgame.h"
#include "players/searching.h"

typedef struct NBoard {
    KnForeign foreign;
    int depth, pings;
    KnContest *contest; /* what is asked about */
    bool asked;         /* it may still be thinking about a question */
} NBoard;

static KnStatus suits(const KnGame *game, KnError *error)
{
    return kn_othello_is(game)
               ? KN_OK
               : kn_fail(error, KN_INPUT, "needs Othello: the protocol has no words for other games");
}

/* Reads over remarks up to a line that begins with `word`, and gives the rest of it. */
static KnStatus await(NBoard *nboard, const char *word, double seconds, const atomic_bool *cancel,
                      const char **rest, KnError *error)
{
    KnForeign *f = &nboard->foreign;
    size_t length = strlen(word);
    for (double until = kn_clock_now() + seconds, left = seconds; left > 0; left = until - kn_clock_now()) {
        KnStatus status = kn_child_read(f->child, left, cancel, &f->line, error);
        if (status != KN_OK) return status;
        const char *said = f->line.data;
        if (strncmp(said, "set myname ", 11) == 0) {
            kn_text_clear(&f->name);
            kn_text_add(&f->name, said + 11);
        }
        if (strncmp(said, word, length) != 0 || (said[length] && said[length] != ' ')) continue;
        *rest = said + length + strspn(said + length, " ");
        return KN_OK;
    }
    return kn_fail(error, KN_SYSTEM,
                   "\"%.200s\" has talked for %.1f s without the \"%s\" that it was asked for", f->command,
                   seconds, word);
}

/* Everything said so far has been heard and done with. */
static KnStatus settle(NBoard *nboard, KnError *error)
{
    char line[32];
    const char *rest = "";
    snprintf(line, sizeof line, "ping %d", ++nboard->pings);
    KnStatus status = kn_foreign_say(&nboard->foreign, line, error);
    while (status == KN_OK && strtol(rest, NULL, 10) != nboard->pings)
        status = await(nboard, "pong", nboard->foreign.patience, NULL, &rest, error);
    nboard->asked = false;
    return status;
}

static KnStatus meet(KnPlayer *player, KnError *error)
{
    NBoard *nboard = player->data;
    if (nboard->foreign.child) return KN_OK;
    KnStatus status = kn_foreign_start(&nboard->foreign, error);
    if (status == KN_OK) status = kn_foreign_say(&nboard->foreign, "nboard 2", error);
    if (status == KN_OK) status = settle(nboard, error);
    return status == KN_OK ? KN_OK : kn_foreign_part(&nboard->foreign, status);
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    NBoard *nboard = player->data = calloc(1, sizeof *nboard);
    if (!nboard) return kn_fail_memory(error, "opening a player");
    nboard->depth = (int)kn_option_integer(options, "depth");
    player->traits = 0; /* another program: it neither promises to repeat itself nor takes restrictions */
    KnStatus status = kn_foreign_open(&nboard->foreign, options, error);
    if (status == KN_OK && !(nboard->contest = kn_contest_new(player->game)))
        status = kn_fail_memory(error, "opening a player");
    return status;
}

static void close(KnPlayer *player)
{
    NBoard *nboard = player->data;
    if (!nboard) return;
    kn_foreign_close(&nboard->foreign, "quit");
    kn_contest_free(nboard->contest);
    free(nboard);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role, (void)position;
    return meet(player, error);
}

/* set depth and set game. */
static KnStatus describe(NBoard *nboard, const KnRequest *request, KnError *error)
{
    KnText line = KN_TEXT_EMPTY;
    int depth = kn_budget_narrow((KnBudget){.depth = nboard->depth}, request->budget).depth;
    kn_text_printf(&line, "set depth %d", depth > 0 ? depth : nboard->depth);
    KnStatus status = kn_foreign_say(&nboard->foreign, line.data, error);
    kn_text_clear(&line);
    kn_text_add(&line, "set game ");
    kn_contest_reset(nboard->contest, request->position);
    KnSheet sheet = {.contest = nboard->contest, .date = "", .players = {"black", "white"}};
    if (status == KN_OK) status = kn_ggf_write(&sheet, &line, error);
    line.data[strcspn(line.data, "\n")] = 0;
    if (status == KN_OK) status = kn_foreign_say(&nboard->foreign, line.data, error);
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
    KnStatus status = meet(player, error);
    if (status == KN_OK && nboard->asked) status = settle(nboard, error);
    if (status == KN_OK) status = describe(nboard, request, error);
    if (status == KN_OK) status = kn_foreign_say(&nboard->foreign, "go", error);
    nboard->asked = true;
    if (status == KN_OK)
        status = await(nboard, "===", request->budget.seconds + nboard->foreign.patience, request->cancel,
                       &rest, error);
    if (status == KN_STOPPED) return status; /* it is pinged before it is asked again */
    char text[16] = "";
    if (status == KN_OK) {
        memcpy(text, rest, strcspn(rest, "/ ") < sizeof text ? strcspn(rest, "/ ") : sizeof text - 1);
        status = kn_foreign_move(&nboard->foreign, request, text, &answer->move, error);
    }
    if (status != KN_OK) return kn_foreign_part(&nboard->foreign, status);
    nboard->asked = false;
    kn_foreign_tell(&nboard->foreign, request, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"command", KN_OPTION_STRING, NULL, 0, 0, NULL, "what sh is to run; it must speak the NBoard protocol"},
    {"depth", KN_OPTION_INTEGER, "8", 1, 60, NULL, "depth that it is told to look"},
    {"patience", KN_OPTION_REAL, "30", 0.01, 1e6, NULL, "seconds a move before it has lost"},
    KN_FOREIGN_LOG,
    {0}};

const KnPlayerType kn_player_nboard = {
    .head = {"nboard", "somebody else's engine of Othello, over the NBoard protocol", options},
    .foreign = true,
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .choose = choose,
};
