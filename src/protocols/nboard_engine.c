#include "protocols/nboard_engine.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "formats/parser.h"
#include "games/othello/endgame.h"
#include "games/replay.h"
#include "players/search_words.h"
#include "protocols/line_reader.h"
#include "protocols/engine_session.h"

enum { DEPTH_MOST = 60, HINTS_MOST = 60 };

static const double SHORTEST = 0.01; /* seconds for a move when the clock has run out */

typedef struct Server {
    const KnContext *context;
    const char *player_spec;
    FILE *out;
    KnLineReader reader;
    KnEngineSession session;
    KnRng rng;
    int depth;      /* as set; 0: the player's own */
    double clock;   /* seconds of each side for the game; 0: none */
    double used[2]; /* of it */
    bool quits;
} Server;

typedef KnStatus (*Obey)(Server *server, char *rest, KnError *error);

static void say(Server *server, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Server *server, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(server->out, format, args);
    va_end(args);
    fputc('\n', server->out);
    fflush(server->out);
}

/* ---- Games ---- */

static KnStatus open_game(Server *server, const char *spec, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(server->context, spec, &game, error);
    return status == KN_OK
               ? kn_engine_session_open(&server->session, server->context, game, server->player_spec, error)
               : status;
}

/* Seconds of 15:00 or 1:02:03, up to what is not part of it. */
static double read_time(const char *text)
{
    double seconds = 0;
    for (char *end;; text = end + 1) {
        double part = strtod(text, &end);
        if (end == text || !(part >= 0 && part < 1e6)) return seconds;
        seconds = seconds * 60 + part;
        if (*end != ':') return seconds;
    }
}

/* The time behind a move: F5/1.23/12.5. */
static double read_used(const char *move)
{
    for (int slash = 0; slash < 2; slash++) {
        move = strchr(move, '/');
        if (!move) return 0;
        move++;
    }
    double seconds = strtod(move, NULL);
    return seconds > 0 && seconds < 1e6 ? seconds : 0;
}

/* GGF's clocks: TI[...] and the times behind the moves. The parser of records has no use for them. */
static void read_clock(Server *server, const char *ggf)
{
    server->clock = server->used[0] = server->used[1] = 0;
    for (const char *at = ggf; *at;) {
        size_t name = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (at[name] != '[') {
            at += name ? name : 1;
            continue;
        }
        char value[64] = "";
        size_t length = strcspn(at + name + 1, "]");
        memcpy(value, at + name + 1, length < sizeof value ? length : sizeof value - 1);
        if (name == 2 && memcmp(at, "TI", 2) == 0)
            server->clock = read_time(value);
        else if (name == 1 && (*at == 'B' || *at == 'W'))
            server->used[*at == 'W'] += read_used(value);
        at += name + 1 + length;
    }
}

/* Everything is read and replayed before anything is changed. */
static KnStatus replay_record(Server *server, const KnRecordText *record, KnError *error)
{
    if (strcmp(record->format, "ggf") != 0) return kn_fail(error, KN_INPUT, "the game is no game of Othello");
    if (strcmp(server->session.game->spec, record->game.data) != 0) {
        KnStatus opened = open_game(server, record->game.data, error);
        if (opened != KN_OK) return opened;
    }
    const KnGame *game = server->session.game;
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "reading a game");
    _Alignas(16) unsigned char position[game->position_size];
    KnStatus status = record->start.length
                          ? game->type->parse_position(game, record->start.data, position, error)
                          : KN_OK;
    if (status == KN_OK && record->start.length) kn_state_reset(state, position);
    if (status == KN_OK) status = kn_replay(state, record->moves.data, error);
    KnState *gone = status == KN_OK ? server->session.state : state;
    if (status == KN_OK) server->session.state = state;
    kn_state_free(gone);
    return status;
}

static KnStatus set_game(Server *server, char *rest, KnError *error)
{
    KnRecordText record = KN_RECORD_TEXT;
    KnStatus status = kn_sgf_read(rest, &record, error);
    if (status == KN_OK) status = replay_record(server, &record, error);
    if (status == KN_OK) read_clock(server, rest);
    kn_game_record_text_free(&record);
    return status;
}

static KnStatus move(Server *server, char *rest, KnError *error)
{
    double seconds = read_used(rest);
    rest[strcspn(rest, "/ ")] = 0;
    uint32_t movers = kn_state_movers(server->session.state);
    if (!movers) return kn_fail(error, KN_INPUT, "the game is over");
    int role = __builtin_ctz(movers);
    KnMove played;
    KnStatus status = kn_game_parse_move(server->session.game, kn_state_position(server->session.state), role,
                                         rest, &played, error);
    if (status == KN_OK) status = kn_state_play(server->session.state, played, error);
    if (status == KN_OK) server->used[role] += seconds;
    return status;
}

/* ---- Thinking ---- */

/* What a score is in discs, and how deep it was looked for, in the protocol's words. The scores of networks
 * and of random games expect a result, which no number of discs stands for: they are told as one, from -1
 * (lost) to +1 (won), and `status` says so. */
static void tell_value(const KnGame *game, KnScore score, const KnAnswer *answer, KnText *value,
                       KnText *reach)
{
    double discs = score / 100.0, chance;
    int depth = answer->depth;
    bool known = game->payoff_high > 1 && !answer->payoffs &&
                 (score > KN_SCORE_HEURISTIC || score < -KN_SCORE_HEURISTIC);
    if (known)
        discs = game->payoff_high * score / KN_SCORE_PAYOFF;
    else if (score >= KN_SCORE_PROVEN || score <= -KN_SCORE_PROVEN) {
        discs = score > 0 ? 1 : -1; /* only the sign is known */
        kn_text_add(reach, "100%W");
    } else if (kn_score_chance(score, answer->payoffs, answer->log_odds, &chance))
        discs = 2 * chance - 1;
    kn_text_printf(value, "%.2f", discs);
    if (!reach->length) kn_text_printf(reach, known ? "100%%" : "%d", depth);
}

static void name_move(const KnGame *game, const void *position, KnMove played, KnText *out)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, played, &text);
    if (strcmp(text.data, "pass") == 0)
        kn_text_add(out, "PA");
    else
        for (const char *c = text.data; *c; c++) kn_text_add_char(out, (char)toupper((unsigned char)*c));
    kn_text_free(&text);
}

/* The line below the board, once the thinking is done: what the numbers are where they are no discs. */
static void say_done(Server *server, const KnAnswer *answer)
{
    bool expects = answer->has_score && (answer->payoffs || answer->log_odds != 0);
    say(server, expects ? "status Scores: the expected result, from -1 (lost) to +1 (won)" : "status");
}

static void say_search(Server *server, KnMove played, KnScore score, const KnAnswer *answer)
{
    KnText name = KN_TEXT_EMPTY, value = KN_TEXT_EMPTY, reach = KN_TEXT_EMPTY;
    name_move(server->session.game, kn_state_position(server->session.state), played, &name);
    tell_value(server->session.game, score, answer, &value, &reach);
    say(server, "search %s %s 0 %s", name.data, value.data, reach.data);
    kn_text_free(&name);
    kn_text_free(&value);
    kn_text_free(&reach);
}

/* With a clock: a share of what is left, so that it lasts to the end. */
static KnBudget budget_for(const Server *server, int role, bool timed)
{
    KnBudget budget = {.depth = server->depth};
    if (!timed || server->clock <= 0) return budget;
    double moves = kn_othello_empties(server->session.game, kn_state_position(server->session.state)) / 2.0 +
                   2;
    double share = (server->clock - server->used[role]) / moves;
    budget.seconds = share > SHORTEST ? share : SHORTEST;
    return budget;
}

/* Asks about a game; says how much was looked at. `moves` and `values` have room for the game's max_moves.
 */
static KnStatus think(Server *server, const KnState *state, bool timed, KnMove *moves, KnScore *values,
                      KnAnswer *answer, double *seconds, KnError *error)
{
    uint32_t movers = kn_state_movers(state);
    if (!movers) return kn_fail(error, KN_INPUT, "the game is over");
    int role = __builtin_ctz(movers);
    KnBudget budget = budget_for(server, role, timed);
    double started = kn_clock_now();
    KnStatus status = kn_engine_session_weigh(&server->session, state, role, budget, &server->rng,
                                              &server->reader.stop, moves, values, answer, error);
    *seconds = kn_clock_now() - started;
    if (status == KN_OK) say(server, "nodestats %llu %.2f", (unsigned long long)answer->cost.nodes, *seconds);
    return status;
}

static KnStatus go(Server *server, char *rest, KnError *error)
{
    (void)rest;
    KnMove moves[server->session.game->max_moves];
    KnAnswer answer;
    double seconds;
    say(server, "status Knack is thinking");
    KnStatus status = think(server, server->session.state, true, moves, NULL, &answer, &seconds, error);
    if (status != KN_OK) return status;
    KnText text = KN_TEXT_EMPTY, depth = KN_TEXT_EMPTY;
    name_move(server->session.game, kn_state_position(server->session.state), answer.move, &text);
    if (answer.has_score) {
        say_search(server, answer.move, answer.score, &answer);
        kn_text_add_char(&text, '/');
        tell_value(server->session.game, answer.score, &answer, &text, &depth);
        kn_text_printf(&text, "/%.2f", seconds);
    } else
        kn_text_printf(&text, "//%.2f", seconds);
    say(server, "=== %s", text.data);
    say_done(server, &answer);
    kn_text_free(&text);
    kn_text_free(&depth);
    return KN_OK;
}

static KnStatus hint(Server *server, char *rest, KnError *error)
{
    long wanted = strtol(rest, NULL, 10);
    wanted = wanted < 1 ? 1 : wanted > HINTS_MOST ? HINTS_MOST : wanted;
    KnMove moves[server->session.game->max_moves];
    KnScore values[server->session.game->max_moves];
    KnAnswer answer;
    double seconds;
    say(server, "status Knack is analyzing");
    KnStatus status = think(server, server->session.state, false, moves, wanted > 1 ? values : NULL, &answer,
                            &seconds, error);
    if (status != KN_OK) return status;
    if (!answer.has_values) {
        if (answer.has_score) say_search(server, answer.move, answer.score, &answer);
    } else {
        int count = kn_state_moves(server->session.state, server->session.role, moves);
        for (long told = 0; told < wanted && told < count;
             told++) { /* the best of the rest; the chosen one leads its equals */
            int best = -1;
            for (int i = 0; i < count; i++)
                if (moves[i] != KN_MOVE_NONE && (best < 0 || values[i] > values[best] ||
                                                 (values[i] == values[best] && moves[i] == answer.move)))
                    best = i;
            say_search(server, moves[best], values[best], &answer);
            moves[best] = KN_MOVE_NONE;
        }
    }
    say_done(server, &answer);
    return KN_OK;
}

/* From the last position back to the first. The value of a finished one is its margin. */
static KnStatus analyze(Server *server, char *rest, KnError *error)
{
    (void)rest;
    const KnGame *game = server->session.game;
    KnMove moves[game->max_moves];
    KnState *state = kn_state_new(game);
    KnAnswer answer = {0};
    if (!state) return kn_fail_memory(error, "analysing a game");
    KnStatus status = KN_OK;
    say(server, "status Knack is analyzing");
    for (size_t made = kn_state_plies(server->session.state) + 1; made-- > 0 && status == KN_OK;) {
        kn_state_reset(state, kn_state_position_at(server->session.state, 0));
        for (size_t ply = 0; ply < made && status == KN_OK; ply++)
            status = kn_state_play_joint(state, kn_state_joint_at(server->session.state, ply), error);
        if (status != KN_OK) break;
        const void *position = kn_state_position(state);
        KnText value = KN_TEXT_EMPTY, depth = KN_TEXT_EMPTY;
        if (!kn_state_movers(state))
            kn_text_printf(&value, "%.2f",
                           game->type->points(game, position, game->type->mover(game, position)));
        else {
            double seconds;
            status = think(server, state, false, moves, NULL, &answer, &seconds, error);
            if (status == KN_OK && answer.has_score) tell_value(game, answer.score, &answer, &value, &depth);
        }
        if (value.length) say(server, "analysis %zu %s", made, value.data);
        kn_text_free(&value);
        kn_text_free(&depth);
        if (atomic_load(&server->reader.stop)) break;
    }
    kn_state_free(state);
    if (status == KN_OK) say_done(server, &answer);
    return status;
}

/* Tells the player how the game ended; whether it learns from that is for its spec to say. */
static KnStatus learn(Server *server, char *rest, KnError *error)
{
    (void)rest;
    double payoffs[2];
    if (!kn_state_over(server->session.state, payoffs)) {
        say(server, "learned");
        return kn_fail(error, KN_NO, "nothing is learned from a game before its end");
    }
    KnStatus status = kn_engine_session_tell(&server->session, server->session.state,
                                             server->session.role < 0 ? 0 : server->session.role, error);
    if (status == KN_OK)
        status = kn_player_end(server->session.player, server->session.state, payoffs, error);
    kn_engine_session_forget(&server->session);
    say(server, "learned");
    return status;
}

/* ---- Lines ---- */

static KnStatus greet(Server *server, char *rest, KnError *error)
{
    if (strtol(rest, NULL, 10) < 1)
        return kn_fail(error, KN_INPUT, "versions 1 and 2 of the protocol are known");
    say(server, "set myname Knack %s", server->session.player->spec);
    return KN_OK;
}

static KnStatus set_depth(Server *server, char *rest, KnError *error)
{
    long depth = strtol(rest, NULL, 10);
    if (depth < 1) return kn_fail(error, KN_INPUT, "a depth is a number from 1 on");
    server->depth = depth > DEPTH_MOST ? DEPTH_MOST : (int)depth;
    return KN_OK;
}

static KnStatus set_contempt(Server *server, char *rest, KnError *error)
{
    (void)server;
    return strtol(rest, NULL, 10) == 0
               ? KN_OK
               : kn_fail(error, KN_NO, "draws are worth 0 here, whatever the contempt");
}

static KnStatus ping(Server *server, char *rest, KnError *error)
{
    (void)error;
    say(server, "pong %ld", strtol(rest, NULL, 10));
    return KN_OK;
}

static KnStatus quit(Server *server, char *rest, KnError *error)
{
    (void)rest, (void)error;
    server->quits = true;
    return KN_OK;
}

static const struct {
    const char *words;
    Obey obey;
    bool asks;
} commands[] = {{"nboard", greet, false},
                {"set depth", set_depth, false},
                {"set game", set_game, false},
                {"set contempt", set_contempt, false},
                {"move", move, false},
                {"hint", hint, true},
                {"go", go, true},
                {"ping", ping, false},
                {"learn", learn, false},
                {"analyze", analyze, true},
                {"quit", quit, false}};

/* The command that a line begins with, or -1; *rest gets what follows. */
static int find(const char *line, size_t *rest)
{
    for (int i = 0; i < (int)(sizeof commands / sizeof *commands); i++) {
        size_t length = strlen(commands[i].words);
        if (strncmp(line, commands[i].words, length) != 0 || (line[length] && line[length] != ' ')) continue;
        *rest = length + strspn(line + length, " ");
        return i;
    }
    return -1;
}

static bool asks(const char *line)
{
    size_t rest;
    int command = find(line, &rest);
    return command >= 0 && commands[command].asks;
}

static bool stops(const char *line) { return strncmp(line, "ping", 4) == 0 && (!line[4] || line[4] == ' '); }

static const KnLineReaderCallbacks callbacks = {asks, stops, true};

/* Version 1 sends a bare square for a move. */
static bool is_bare_move(const char *line)
{
    size_t length = strcspn(line, "/ ");
    return length == 2 && ((isalpha((unsigned char)line[0]) && isdigit((unsigned char)line[1])) ||
                           strncmp(line, "PA", 2) == 0);
}

static void obey(Server *server, char *line)
{
    size_t rest = 0;
    int command = find(line, &rest);
    KnError error;
    KnStatus status = KN_OK;
    if (command >= 0) {
        bool thinks = commands[command].asks;
        if (thinks) kn_line_reader_think(&server->reader, true, server->depth || server->clock > 0);
        status = commands[command].obey(server, line + rest, &error);
        if (thinks) kn_line_reader_think(&server->reader, false, false);
    } else if (is_bare_move(line))
        status = move(server, line, &error);
    if (status == KN_OK) return;
    for (char *c = error.text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    say(server, "status %s", error.text);
}

KnStatus kn_nboard_serve(const KnContext *context, const char *player, uint64_t seed, int in, FILE *out,
                         KnError *error)
{
    Server server = {.context = context, .player_spec = player, .out = out, .rng = kn_rng_seeded(seed)};
    KnStatus status = open_game(&server, "othello", error);
    if (status == KN_OK) status = kn_line_reader_open(&server.reader, &callbacks, in, error);
    if (status != KN_OK) {
        kn_engine_session_close(&server.session);
        return status;
    }
    while (!server.quits) {
        char *line = kn_line_reader_next(&server.reader);
        if (!line) break;
        obey(&server, line + strspn(line, " \t"));
        free(line);
    }
    kn_line_reader_close(&server.reader);
    kn_engine_session_close(&server.session);
    return KN_OK;
}
