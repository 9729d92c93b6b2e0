/* An engine over the pipe protocol (docs/pipe.md) as a player of any game. Each question carries the whole
 * game, so that an engine needs no memory. */
#include <stdlib.h>
#include <string.h>

#include "protocols/foreign.h"
#include "protocols/registry.h"
#include "games/replay.h"
#include "players/search_player.h"

static const double STOPPING = 2; /* seconds to answer after `stop` */

typedef struct Pipe {
    KnForeign foreign;
    KnBudget budget;
    KnText start, moves; /* of the game, as they are sent */
    void *here;          /* the position after them */
    bool legal, outcome; /* the engine wants to be told legal moves, outcomes */
} Pipe;

/* ---- The dialogue ---- */

static const KnForeignWords words = {.name = "id", .error = "error", .info = "info"};

static KnStatus await(Pipe *pipe, const char *word, double seconds, const atomic_bool *cancel,
                      const char **rest, KnError *error)
{
    return kn_foreign_await(&pipe->foreign, &words, word, seconds, cancel, rest, error);
}

/* Whether a word is among those of a line. */
static bool wants(const char *line, const char *word)
{
    for (size_t length; *line; line += length, line += strspn(line, " ")) {
        length = strcspn(line, " ");
        if (length == strlen(word) && strncmp(line, word, length) == 0) return true;
    }
    return false;
}

static KnStatus connect_engine(KnPlayer *player, KnError *error)
{
    Pipe *pipe = player->data;
    if (pipe->foreign.child) return KN_OK;
    const char *rest;
    KnText hello = KN_TEXT_EMPTY;
    kn_text_printf(&hello, "pipe 1 %s", player->game->spec);
    KnStatus status = kn_foreign_start(&pipe->foreign, error);
    if (status == KN_OK) status = kn_foreign_send(&pipe->foreign, hello.data, error);
    if (status == KN_OK) status = await(pipe, "pipeok", pipe->foreign.patience, NULL, &rest, error);
    if (status == KN_OK) {
        pipe->legal = wants(rest, "legal");
        pipe->outcome = wants(rest, "outcome");
    }
    kn_text_free(&hello);
    return status == KN_OK ? KN_OK : kn_foreign_unusable(&pipe->foreign, status, error);
}

/* ---- Life cycle ---- */

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Pipe *pipe = player->data = calloc(1, sizeof *pipe);
    if (!pipe) return kn_fail_memory(error, "opening a player");
    pipe->start = pipe->moves = KN_TEXT_EMPTY;
    pipe->here = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    KnStatus status = kn_foreign_open(&pipe->foreign, options, error);
    if (status != KN_OK || !pipe->here)
        return status != KN_OK ? status : kn_fail_memory(error, "opening a player");
    pipe->budget.depth = (int)kn_option_integer(options, "depth");
    pipe->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    pipe->budget.seconds = kn_option_real(options, "time");
    player->traits = 0; /* neither repeatable nor restrictable */
    return KN_OK;
}

static void close(KnPlayer *player)
{
    Pipe *pipe = player->data;
    if (!pipe) return;
    kn_foreign_close(&pipe->foreign, "quit");
    kn_text_free(&pipe->start);
    kn_text_free(&pipe->moves);
    free(pipe->here);
    free(pipe);
}

/* A game that begins here. */
static void set_start(KnPlayer *player, const void *position)
{
    Pipe *pipe = player->data;
    const KnGame *game = player->game;
    _Alignas(16) unsigned char usual[game->position_size];
    game->type->start(game, usual);
    kn_text_clear(&pipe->start);
    kn_text_clear(&pipe->moves);
    kn_text_add(&pipe->start, "position ");
    if (memcmp(usual, position, game->position_size) == 0)
        kn_text_add(&pipe->start, "start");
    else
        game->type->position_text(game, position, &pipe->start);
    memcpy(pipe->here, position, game->position_size);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role;
    Pipe *pipe = player->data;
    KnStatus status = connect_engine(player, error);
    if (status == KN_OK) status = kn_foreign_send(&pipe->foreign, "newgame", error);
    if (status != KN_OK) return kn_foreign_stop(&pipe->foreign, status);
    set_start(player, position);
    return KN_OK;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)error;
    Pipe *pipe = player->data;
    kn_joint_text(player->game, kn_state_position_at(state, kn_state_plies(state) - 1), joint, &pipe->moves);
    memcpy(pipe->here, kn_state_position(state), player->game->position_size);
    return KN_OK;
}

/* ---- Choosing ---- */

/* The moves that it may choose from, for an engine that asked to be told. */
static KnStatus tell_legal(Pipe *pipe, const KnRequest *request, KnError *error)
{
    if (!pipe->legal) return KN_OK;
    KnText line = KN_TEXT_EMPTY;
    kn_text_add(&line, "legal");
    for (int i = 0; i < request->allowed_count; i++) {
        kn_text_add_char(&line, ' ');
        request->game->type->move_text(request->game, request->position, request->allowed[i], &line);
    }
    KnStatus status = kn_foreign_send(&pipe->foreign, line.data, error);
    kn_text_free(&line);
    return status;
}

static void write_number(KnText *line, const char *word, double number)
{
    kn_text_printf(line, " %s %.3f", word, number > 0 ? number : 0);
}

/* Its clock, and that of an opponent if there is one. */
static void write_clocks(const KnRequest *request, KnText *line)
{
    const KnClocks *clocks = request->clocks;
    if (!clocks) return;
    write_number(line, "clock", clocks->remaining[request->role]);
    if (request->game->roles == 2) write_number(line, "against", clocks->remaining[1 - request->role]);
    if (clocks->increment > 0) write_number(line, "increment", clocks->increment);
    if (clocks->moves_to_go[request->role])
        kn_text_printf(line, " togo %d", clocks->moves_to_go[request->role]);
}

static void write_go(const Pipe *pipe, const KnRequest *request, double *seconds, KnText *line)
{
    KnBudget budget = kn_budget_narrow(pipe->budget, request->budget);
    *seconds = budget.seconds;
    kn_text_printf(line, "go role %d", request->role);
    if (budget.depth > 0) kn_text_printf(line, " depth %d", budget.depth);
    if (budget.nodes > 0) kn_text_printf(line, " nodes %llu", (unsigned long long)budget.nodes);
    if (*seconds > 0) {
        kn_text_add(line, " time ");
        kn_text_add_real(line, *seconds);
    }
    write_clocks(request, line);
}

/* Sends the game so far. A position that is not the game's current one is sent without moves. */
static KnStatus describe(KnPlayer *player, const KnRequest *request, KnError *error)
{
    Pipe *pipe = player->data;
    if (!pipe->start.length || memcmp(pipe->here, request->position, player->game->position_size) != 0)
        set_start(player, request->position);
    KnStatus status = kn_foreign_send(&pipe->foreign, pipe->start.data, error);
    if (status != KN_OK || !pipe->moves.length) return status;
    KnText line = KN_TEXT_EMPTY;
    kn_text_printf(&line, "moves %s", pipe->moves.data);
    status = kn_foreign_send(&pipe->foreign, line.data, error);
    kn_text_free(&line);
    return status;
}

/* An engine that had answered when it was told to stop may answer a second time, and that would be taken for
 * the answer to the next question. One that cannot be asked whether it is there is started again. */
static void forget_answers(Pipe *pipe)
{
    const char *rest;
    KnError ignored;
    KnStatus status = kn_foreign_send(&pipe->foreign, "isready", &ignored);
    if (status == KN_OK) status = await(pipe, "readyok", STOPPING, NULL, &rest, &ignored);
    if (status != KN_OK) kn_foreign_stop(&pipe->foreign, status);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Pipe *pipe = player->data;
    KnStatus status = connect_engine(player, error);
    if (status != KN_OK) return status;
    double seconds;
    const char *rest;
    KnText go = KN_TEXT_EMPTY;
    write_go(pipe, request, &seconds, &go);
    pipe->foreign.has_score = false;
    status = describe(player, request, error);
    if (status == KN_OK) status = tell_legal(pipe, request, error);
    if (status == KN_OK) status = kn_foreign_send(&pipe->foreign, go.data, error);
    if (status == KN_OK)
        status = await(pipe, "bestmove", seconds + pipe->foreign.patience, request->cancel, &rest, error);
    bool stopped = status == KN_STOPPED;
    if (stopped) { /* ask for the best move so far */
        status = kn_foreign_send(&pipe->foreign, "stop", error);
        if (status == KN_OK) status = await(pipe, "bestmove", STOPPING, NULL, &rest, error);
    }
    if (status == KN_OK) status = kn_foreign_move(&pipe->foreign, request, rest, &answer->move, error);
    kn_text_free(&go);
    if (status != KN_OK) return kn_foreign_stop(&pipe->foreign, status);
    answer->has_score = pipe->foreign.has_score;
    answer->score = pipe->foreign.score;
    kn_foreign_answered(&pipe->foreign, player, request, answer);
    if (stopped) forget_answers(pipe);
    return KN_OK;
}

/* The whole game and what each role got, for an engine that asked to be told: it can learn from that. */
static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    Pipe *pipe = player->data;
    if (!pipe->outcome || !pipe->foreign.child) return KN_OK;
    KnText line = KN_TEXT_EMPTY;
    KnStatus status = kn_foreign_send(&pipe->foreign, pipe->start.data, error);
    kn_text_add(&line, "moves ");
    kn_moves_text(state, &line);
    if (status == KN_OK && kn_state_plies(state)) status = kn_foreign_send(&pipe->foreign, line.data, error);
    kn_text_clear(&line);
    kn_text_add(&line, "outcome");
    for (int role = 0; role < player->game->roles; role++) {
        kn_text_add_char(&line, ' ');
        kn_text_add_real(&line, payoffs[role] + 0.0);
    }
    if (status == KN_OK) status = kn_foreign_send(&pipe->foreign, line.data, error);
    kn_text_free(&line);
    return status == KN_OK ? KN_OK : kn_foreign_stop(&pipe->foreign, status);
}

static const KnOption options[] = {
    {"command", KN_OPTION_STRING, NULL, 0, 0, NULL,
     "shell command of an engine that speaks the pipe protocol"},
    {"depth", KN_OPTION_INTEGER, "0", 0, 1000, NULL, "depth limit sent to the engine; 0: none"},
    {"nodes", KN_OPTION_INTEGER, "0", 0, 1e15, NULL, "node limit sent to the engine; 0: none"},
    {"time", KN_OPTION_REAL, "0", 0, 1e6, NULL, "time limit sent to the engine, in seconds a move; 0: none"},
    {"patience", KN_OPTION_REAL, "30", 0.01, 1e6, NULL, "seconds beyond that before it loses"},
    KN_FOREIGN_LOG,
    {0}};

const KnPlayerType kn_player_pipe = {
    .head = {"pipe", "another program's engine, over the pipe protocol", options},
    .foreign = true,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};
