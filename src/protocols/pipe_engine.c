#include "protocols/pipe_engine.h"

#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "arena/time_control.h"
#include <knack/base.h>
#include "protocols/line_reader.h"
#include "protocols/engine_session.h"

enum { WORD = 64 };

/* ---- Lines ---- */

static bool asks(const char *line) { return strncmp(line, "go", 2) == 0; }
static bool stops(const char *line) { return strcmp(line, "stop") == 0; }
static const KnLineReaderCallbacks callbacks = {asks, stops, false};

/* ---- The engine ---- */

typedef struct Server {
    const KnContext *context;
    const char *game_spec, *player_spec;
    FILE *out;
    KnLineReader reader;
    KnEngineSession session;
    KnRng rng;
    bool quits;
} Server;

static void answer(Server *server, const char *line)
{
    fprintf(server->out, "%s\n", line);
    fflush(server->out);
}

static void complain(Server *server, const KnError *error)
{
    fprintf(server->out, "error %s\n", error->text);
    fflush(server->out);
}

/* A failure leaves no game open. */
static KnStatus open_game(Server *server, const char *spec, KnError *error)
{
    KnGame *game;
    kn_engine_session_close(&server->session);
    KnStatus status = kn_game_open(server->context, spec, &game, error);
    return status == KN_OK
               ? kn_engine_session_open(&server->session, server->context, game, server->player_spec, error)
               : status;
}

/* pipe VERSION GAME */
static KnStatus greet(Server *server, const char *words, KnError *error)
{
    if (strncmp(words, "1", 1) != 0 || (words[1] && words[1] != ' '))
        return kn_fail(error, KN_INPUT, "this engine speaks version 1 of the protocol: pipe 1 GAME");
    const char *spec = words + 1 + strspn(words + 1, " ");
    if (!*spec) spec = server->game_spec;
    if (!spec) return kn_fail(error, KN_INPUT, "which game? pipe 1 GAME");
    KnStatus status = KN_OK;
    if (!server->session.game || strcmp(server->session.game->spec, spec) != 0) {
        if (server->game_spec) { /* other spellings of the one game are fine, other games are not */
            KnGame *asked = NULL;
            status = kn_game_open(server->context, spec, &asked, error);
            bool same = status == KN_OK && server->session.game && asked->type == server->session.game->type;
            kn_game_close(asked);
            if (status == KN_OK && !same)
                status = kn_fail(error, KN_INPUT, "this engine plays %s", server->game_spec);
        }
        if (status == KN_OK) status = open_game(server, spec, error);
    }
    if (status != KN_OK) return status;
    fprintf(server->out, "id knack %s %s\n", KNACK_VERSION, server->session.player->spec);
    answer(server, "pipeok");
    return KN_OK;
}

static KnStatus set_position(Server *server, const char *text, KnError *error)
{
    if (strcmp(text, "start") == 0) {
        kn_state_reset(server->session.state, NULL);
        return KN_OK;
    }
    const KnGame *game = server->session.game;
    _Alignas(16) unsigned char position[game->position_size];
    KnStatus status = game->type->parse_position(game, text, position, error);
    if (status == KN_OK) kn_state_reset(server->session.state, position);
    return status;
}

/* go [role N] [depth N] [nodes N] [time SECONDS] [clock SECONDS] [against SECONDS] [increment SECONDS] [togo
 * N]
 */
static KnStatus read_go(const char *words, int *role, KnBudget *budget, KnError *error)
{
    KnClocks clocks = {0};
    bool timed = false;
    while (*words) {
        char name[WORD];
        double value;
        int used = 0;
        if (sscanf(words, " %63s %lf%n", name, &value, &used) != 2 || !(value >= 0 && value <= 1e15))
            return kn_fail(error, KN_INPUT, "go wants pairs such as depth 6, not \"%.60s\"", words);
        if (strcmp(name, "depth") == 0)
            budget->depth = value > 1000 ? 1000 : (int)value;
        else if (strcmp(name, "nodes") == 0)
            budget->nodes = (uint64_t)value;
        else if (strcmp(name, "time") == 0)
            budget->seconds = value;
        else if (strcmp(name, "role") == 0 && value < KN_ROLES_MAX)
            *role = (int)value;
        else if (strcmp(name, "clock") == 0) {
            clocks.remaining[0] = value;
            timed = true;
        } else if (strcmp(name, "increment") == 0)
            clocks.increment = value;
        else if (strcmp(name, "togo") == 0)
            clocks.moves_to_go[0] = value > 1000 ? 1000 : (int)value;
        else if (strcmp(name, "against") != 0) /* the opponent's clock does not matter here */
            return kn_fail(
                error, KN_INPUT,
                "go knows role, depth, nodes, time, clock, against, increment and togo, not \"%s\"", name);
        words += used;
        words += strspn(words, " ");
    }
    if (timed && budget->seconds <= 0) budget->seconds = kn_clocks_share(&clocks, 0);
    return KN_OK;
}

static KnStatus think(Server *server, const char *words, KnError *error)
{
    const KnGame *game = server->session.game;
    KnBudget budget = {0};
    KnAnswer found;
    int role = -1;
    KnStatus status = read_go(words, &role, &budget, error);
    if (status != KN_OK) return status;
    uint32_t movers = kn_state_movers(server->session.state);
    if (role < 0 && movers) role = __builtin_ctz(movers);
    kn_line_reader_think(&server->reader, true, budget.depth || budget.nodes || budget.seconds > 0);
    status = kn_engine_session_ask(&server->session, server->session.state, role, budget, &server->rng,
                                   &server->reader.stop, &found, error);
    kn_line_reader_think(&server->reader, false, false);
    if (status != KN_OK) return status;
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, kn_state_position(server->session.state), found.move, &text);
    fprintf(server->out, "info depth %d nodes %llu", found.depth, (unsigned long long)found.cost.nodes);
    if (found.has_score) fprintf(server->out, " score %d", (int)found.score);
    fprintf(server->out, "\nbestmove %s\n", text.data);
    fflush(server->out);
    kn_text_free(&text);
    return KN_OK;
}

static KnStatus obey(Server *server, const char *line, KnError *error)
{
    static const char *const words[] = {"pipe", "isready", "newgame", "position", "moves",
                                        "go",   "quit",    "legal",   "outcome"};
    enum { PIPE, ISREADY, NEWGAME, POSITION, MOVES, GO, QUIT, LEGAL, OUTCOME, COUNT };
    int word = 0;
    const char *rest = NULL;
    for (; word < COUNT; word++) {
        size_t length = strlen(words[word]);
        if (strncmp(line, words[word], length) != 0 || (line[length] && line[length] != ' ')) continue;
        rest = line + length + strspn(line + length, " ");
        break;
    }
    if (word == POSITION || word == MOVES || word == GO || word == NEWGAME)
        if (!server->session.game)
            return kn_fail(error, KN_INPUT, "no game is open yet: pipe 1 GAME comes first");
    switch (word) {
    case PIPE:
        return greet(server, rest, error);
    case ISREADY:
        answer(server, "readyok");
        return KN_OK;
    case NEWGAME:
        kn_state_reset(server->session.state, NULL);
        kn_engine_session_forget(&server->session);
        return KN_OK;
    case POSITION:
        return set_position(server, rest, error);
    case MOVES:
        return kn_replay(server->session.state, rest, error);
    case GO:
        return think(server, rest, error);
    case LEGAL: /* it knows the rules, and learns elsewhere */
    case OUTCOME:
        return KN_OK;
    case QUIT:
        server->quits = true;
        return KN_OK;
    default:
        return kn_fail(error, KN_INPUT,
                       "\"%.40s\" is not understood; known: pipe isready newgame position moves legal go "
                       "stop outcome quit",
                       line);
    }
}

KnStatus kn_pipe_serve(const KnContext *context, const char *game, const char *player, uint64_t seed, int in,
                       FILE *out, KnError *error)
{
    Server server = {
        .context = context, .game_spec = game, .player_spec = player, .out = out, .rng = kn_rng_seeded(seed)};
    /* What cannot work at all is known before anybody is greeted. */
    KnStatus status = game ? open_game(&server, game, error) : KN_OK;
    if (status == KN_OK) status = kn_line_reader_open(&server.reader, &callbacks, in, error);
    if (status != KN_OK) {
        kn_engine_session_close(&server.session);
        return status;
    }
    while (!server.quits) {
        KnError complaint;
        char *line = kn_line_reader_next(&server.reader);
        if (!line) break;
        if (line[strspn(line, " \t")] && obey(&server, line, &complaint) != KN_OK)
            complain(&server, &complaint);
        free(line);
    }
    kn_line_reader_close(&server.reader);
    kn_engine_session_close(&server.session);
    return KN_OK;
}
