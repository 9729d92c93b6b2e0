/* Somebody's engine over the Go Text Protocol, version 2: for Go, and for Othello as gtp-rhino and its like
 * speak it (docs/gtp.md).
 *
 * The engine keeps its own board. It gets every move with `play`, except those it generated. Before each
 * question the moves it knows are compared with the game; if they differ (a move taken back, another game),
 * it gets the whole game again. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "protocols/foreign.h"
#include "protocols/registry.h"
#include "games/go/go.h"

enum { ANSWER_MOST = 1 << 16 };

typedef struct Gtp {
    KnForeign foreign;
    double seconds; /* a move, as it is told */
    KnText answer;
    void *told; /* the position that its board shows */
    bool knows; /* its board shows it */
    bool timed; /* it was told that the game has clocks */
} Gtp;

static bool is_go(const KnGame *game) { return kn_go_is(game); }

static bool is_othello(const KnGame *game) { return strcmp(game->type->head.name, "othello") == 0; }

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (is_go(game) || is_othello(game)) return KN_OK;
    return kn_fail(error, KN_INPUT, "needs Go or Othello: the protocol has no words for other games");
}

/* ---- Asking ---- */

/* Sends a command and reads its answer, which ends with an empty line, into gtp->answer. An answer that
 * begins with ? is KN_FORFEIT. */
static KnStatus ask(Gtp *gtp, const char *command, double seconds, const atomic_bool *cancel, KnError *error)
{
    KnForeign *f = &gtp->foreign;
    double until = kn_clock_now() + seconds;
    KnStatus status = kn_foreign_send(f, command, error);
    kn_text_clear(&gtp->answer);
    for (bool begun = false; status == KN_OK;) {
        double left = until - kn_clock_now();
        status = kn_child_read(f->child, left > 0.001 ? left : 0.001, cancel, &f->line, error);
        if (status != KN_OK) break;
        const char *line = f->line.data;
        if (!begun && line[0] != '=' && line[0] != '?') continue; /* remarks before the answer */
        if (begun && !*line) break;
        if (gtp->answer.length + f->line.length > ANSWER_MOST)
            return kn_fail(error, KN_FORFEIT, "\"%.200s\" does not come to an end with its answer to %s",
                           f->command, command);
        if (begun) kn_text_add_char(&gtp->answer, '\n');
        kn_text_add(&gtp->answer, line);
        begun = true;
    }
    if (status != KN_OK) return status;
    return gtp->answer.data[0] == '=' ? KN_OK
                                      : kn_fail(error, KN_FORFEIT, "\"%.200s\" answers to %.60s: %.300s",
                                                f->command, command, gtp->answer.data);
}

static KnStatus tell(Gtp *gtp, KnError *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static KnStatus tell(Gtp *gtp, KnError *error, const char *format, ...)
{
    char command[256];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    return ask(gtp, command, gtp->foreign.patience, NULL, error);
}

static bool refused(const Gtp *gtp) { return gtp->answer.length && gtp->answer.data[0] == '?'; }

/* What follows the = of an answer. */
static const char *said(const Gtp *gtp)
{
    const char *text = gtp->answer.data + 1;
    return text + strspn(text, " \t");
}

static bool knows_command(Gtp *gtp, const char *command)
{
    KnError ignored;
    return tell(gtp, &ignored, "known_command %s", command) == KN_OK &&
           strncasecmp(said(gtp), "true", 4) == 0;
}

static KnStatus connect_engine(KnPlayer *player, KnError *error)
{
    Gtp *gtp = player->data;
    const KnGame *game = player->game;
    if (gtp->foreign.child) return KN_OK;
    gtp->knows = false;
    KnStatus status = kn_foreign_start(&gtp->foreign, error);
    if (status == KN_OK) status = tell(gtp, error, "protocol_version");
    if (status == KN_OK && strtol(said(gtp), NULL, 10) != 2)
        status = kn_fail(error, KN_FORFEIT, "\"%.200s\" speaks version %.20s of the protocol; 2 is wanted",
                         gtp->foreign.command, said(gtp));
    if (status == KN_OK && tell(gtp, error, "name") == KN_OK) {
        kn_text_clear(&gtp->foreign.name);
        kn_text_add(&gtp->foreign.name, said(gtp));
    }
    if (status == KN_OK && is_othello(game) && knows_command(gtp, "set_game"))
        status = tell(gtp, error, "set_game Othello");
    int size = is_go(game) ? kn_go_size(game) : game->cells == 64 ? 8 : game->cells == 36 ? 6 : 4;
    if (status == KN_OK) status = tell(gtp, error, "boardsize %d", size);
    if (status == KN_OK && gtp->seconds > 0)
        status = tell(gtp, error, "time_settings 0 %d 1", gtp->seconds < 1 ? 1 : (int)gtp->seconds);
    return status == KN_OK ? KN_OK : kn_foreign_unusable(&gtp->foreign, status, error);
}

/* ---- Its board ---- */

static const char *colour_of(int role) { return role == 0 ? "black" : "white"; }

static KnStatus tell_move(Gtp *gtp, const KnGame *game, const void *position, int role, KnMove move,
                          KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &text);
    bool pass = strcasecmp(text.data, "pass") == 0;
    KnStatus status = pass && is_othello(game) ? KN_OK /* an engine passes by itself */
                                               : tell(gtp, error, "play %s %s", colour_of(role), text.data);
    kn_text_free(&text);
    return status;
}

/* Go: stones one after the other. None is taken on the way, since every string of a legal position has a
 * liberty. */
static KnStatus set_up_go(Gtp *gtp, const KnGame *game, const void *position, KnError *error)
{
    KnStatus status = tell(gtp, error, "komi %g", kn_go_komi(game));
    for (int cell = 0; cell < game->cells && status == KN_OK; cell++) {
        int held = game->type->cell(game, position, cell);
        KnText name = KN_TEXT_EMPTY;
        game->type->cell_name(game, cell, &name);
        if (held) status = tell(gtp, error, "play %s %s", colour_of(held - 1), name.data);
        kn_text_free(&name);
    }
    return status;
}

static KnStatus set_up_othello(Gtp *gtp, const KnGame *game, const void *position, KnError *error)
{
    char board[65] = {0};
    _Alignas(16) unsigned char usual[game->position_size];
    game->type->start(game, usual);
    if (memcmp(usual, position, game->position_size) == 0) return KN_OK;
    if (!knows_command(gtp, "grhino-setup_board"))
        return kn_fail(error, KN_INPUT,
                       "\"%.200s\" can only begin at the usual start: choose openings without moves",
                       gtp->foreign.command);
    for (int cell = 0; cell < game->cells && cell < 64; cell++)
        board[cell] = ".XO"[game->type->cell(game, position, cell)];
    return tell(gtp, error, "grhino-setup_board %s %s", board,
                game->type->mover(game, position) == 0 ? "b" : "w");
}

static KnStatus set_up(KnPlayer *player, const void *position, KnError *error)
{
    Gtp *gtp = player->data;
    const KnGame *game = player->game;
    gtp->knows = false;
    KnStatus status = tell(gtp, error, "clear_board");
    if (status == KN_OK)
        status = is_go(game) ? set_up_go(gtp, game, position, error)
                             : set_up_othello(gtp, game, position, error);
    if (status != KN_OK) return status;
    memcpy(gtp->told, position, game->position_size);
    gtp->knows = true;
    return KN_OK;
}

/* ---- The player's life ---- */

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Gtp *gtp = player->data = calloc(1, sizeof *gtp);
    if (!gtp) return kn_fail_memory(error, "opening a player");
    gtp->answer = KN_TEXT_EMPTY;
    gtp->seconds = kn_option_real(options, "time");
    gtp->told = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    player->traits = 0; /* neither repeatable nor restrictable */
    KnStatus status = kn_foreign_open(&gtp->foreign, options, error);
    return status == KN_OK && !gtp->told ? kn_fail_memory(error, "opening a player") : status;
}

static void close(KnPlayer *player)
{
    Gtp *gtp = player->data;
    if (!gtp) return;
    kn_foreign_close(&gtp->foreign, "quit");
    kn_text_free(&gtp->answer);
    free(gtp->told);
    free(gtp);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role;
    Gtp *gtp = player->data;
    gtp->timed = false; /* each game has clocks of its own */
    KnStatus status = connect_engine(player, error);
    if (status == KN_OK) status = set_up(player, position, error);
    /* Nobody has moved: an engine that refuses this board or komi cannot play the game, and has not lost it.
     */
    if (status == KN_FORFEIT && refused(gtp)) return kn_foreign_unusable(&gtp->foreign, status, error);
    return status == KN_OK ? KN_OK : kn_foreign_stop(&gtp->foreign, status);
}

/* If its board shows the position before the move, it gets the move; its own moves are already on its board.
 */
static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Gtp *gtp = player->data;
    const KnGame *game = player->game;
    const void *now = kn_state_position(state),
               *before = kn_state_position_at(state, kn_state_plies(state) - 1);
    if (!gtp->foreign.child || (gtp->knows && memcmp(gtp->told, now, game->position_size) == 0)) return KN_OK;
    if (!gtp->knows || memcmp(gtp->told, before, game->position_size) != 0) {
        gtp->knows = false; /* it is set up when it is asked */
        return KN_OK;
    }
    int role = game->type->mover(game, before);
    KnStatus status = tell_move(gtp, game, before, role, joint[role], error);
    if (status != KN_OK) return kn_foreign_stop(&gtp->foreign, status);
    memcpy(gtp->told, now, game->position_size);
    return KN_OK;
}

/* Tells the engine its clock, in whole seconds as GTP has them. What it does not understand is no misconduct.
 */
static KnStatus tell_clock(Gtp *gtp, const KnRequest *request, KnError *error)
{
    const KnClocks *clocks = request->clocks;
    if (!clocks) return KN_OK;
    KnStatus status = KN_OK;
    int left = (int)clocks->remaining[request->role], stones = clocks->moves_to_go[request->role];
    if (!gtp->timed) {
        status = stones ? tell(gtp, error, "time_settings 0 %d %d", left > 0 ? left : 1, stones)
                        : tell(gtp, error, "time_settings %d 0 0", left > 0 ? left : 1);
        gtp->timed = true;
    }
    if (status == KN_OK)
        status = tell(gtp, error, "time_left %s %d %d", colour_of(request->role), left, stones);
    return status == KN_FORFEIT && refused(gtp) ? KN_OK : status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Gtp *gtp = player->data;
    const KnGame *game = request->game;
    KnStatus status = connect_engine(player, error);
    if (status == KN_OK && (!gtp->knows || memcmp(gtp->told, request->position, game->position_size) != 0))
        status = set_up(player, request->position, error);
    if (status == KN_OK) status = tell_clock(gtp, request, error);
    if (status != KN_OK) return kn_foreign_stop(&gtp->foreign, status);
    char command[32];
    snprintf(command, sizeof command, "genmove %s", colour_of(request->role));
    double seconds = request->budget.seconds > 0 &&
                             (gtp->seconds <= 0 || request->budget.seconds < gtp->seconds)
                         ? request->budget.seconds
                         : gtp->seconds;
    if (request->allowed_count == 1 &&
        is_othello(game)) { /* nothing to choose; engines differ in how they pass */
        answer->move = request->allowed[0];
        status = tell_move(gtp, game, request->position, request->role, answer->move, error);
    } else {
        status = ask(gtp, command, seconds + gtp->foreign.patience, request->cancel, error);
        if (status == KN_OK && strncasecmp(said(gtp), "resign", 6) == 0)
            return kn_fail(error, KN_RESIGNS, "\"%.200s\" resigns", gtp->foreign.command);
        if (status == KN_OK)
            status = kn_foreign_move(&gtp->foreign, request, said(gtp), &answer->move, error);
    }
    if (status != KN_OK) return kn_foreign_stop(&gtp->foreign, status);
    memcpy(gtp->told, request->position, game->position_size);
    game->type->play(game, gtp->told, answer->move);
    kn_foreign_answered(&gtp->foreign, player, request, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"command", KN_OPTION_STRING, NULL, 0, 0, NULL,
     "shell command of an engine that speaks GTP, such as gnugo --mode gtp"},
    {"time", KN_OPTION_REAL, "0", 0, 1e6, NULL,
     "time limit sent to the engine, in whole seconds a move; 0: none"},
    {"patience", KN_OPTION_REAL, "30", 0.01, 1e6, NULL, "seconds beyond that before it loses"},
    KN_FOREIGN_LOG,
    {0}};

const KnPlayerType kn_player_gtp = {
    .head = {"gtp", "another program's engine of Go or Othello, over the Go Text Protocol", options},
    .foreign = true,
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
