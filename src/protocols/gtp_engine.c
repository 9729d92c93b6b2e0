#include "protocols/gtp_engine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "games/go/final_status.h"
#include "protocols/gtp_server.h"

enum { LINE_MOST = 1 << 16, WORD = 64, WORDS = 400 /* set_free_handicap may name many points */ };

typedef KnGtpServer Server;

static bool is_go(const Server *server) { return kn_go_is(server->session.game); }

static void forget_moves(Server *server)
{
    server->count = 0;
    kn_text_clear(&server->added);
    kn_engine_session_forget(&server->session);
}

static KnStatus open_game(Server *server, const char *spec, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(server->context, spec, &game, error);
    if (status != KN_OK) return status;
    if (!kn_go_is(game) && strcmp(game->type->head.name, "othello") != 0) {
        kn_game_close(game);
        return kn_fail(error, KN_USAGE, "GTP is for Go and Othello; `knack pipe` serves every game");
    }
    status = kn_engine_session_open(&server->session, server->context, game, server->player_spec, error);
    if (status != KN_OK) return status;
    free(server->start);
    server->start = NULL;
    forget_moves(server);
    return KN_OK;
}

KnStatus kn_gtp_begin(Server *server, const void *start, KnError *error)
{
    void *copy = NULL;
    if (start && !(copy = malloc(server->session.game->position_size)))
        return kn_fail_memory(error, "setting up a board");
    if (copy) memcpy(copy, start, server->session.game->position_size);
    free(server->start);
    server->start = copy;
    kn_state_reset(server->session.state, copy);
    forget_moves(server);
    return KN_OK;
}

/* ---- Moving ---- */

int kn_gtp_role(const char *word)
{
    if (!word) return -1;
    if (strcasecmp(word, "b") == 0 || strcasecmp(word, "black") == 0) return 0;
    return strcasecmp(word, "w") == 0 || strcasecmp(word, "white") == 0 ? 1 : -1;
}

KnStatus kn_gtp_syntax_error(KnError *error) { return kn_fail(error, KN_INPUT, "syntax error"); }

/* Gives a role the turn. In Go the stones stay, and nobody has passed; a ko is over. In Othello the other
 * side must be unable to move. *done is false if that cannot be. */
static KnStatus turn_to(Server *server, int role, bool *done, KnError *error)
{
    const KnGame *game = server->session.game;
    uint32_t movers = kn_state_movers(server->session.state);
    *done = movers >> role & 1;
    if (*done) return KN_OK;
    if (!is_go(server)) {
        KnMove pass;
        KnError ignored;
        *done = movers &&
                kn_game_parse_move(game, kn_state_position(server->session.state), 1 - role, "pass", &pass,
                                   &ignored) == KN_OK &&
                kn_state_play(server->session.state, pass, &ignored) == KN_OK;
        return KN_OK;
    }
    uint8_t cells[KN_GO_CELLS_MAX];
    _Alignas(16) unsigned char position[game->position_size];
    kn_game_board(game, kn_state_position(server->session.state), cells);
    KnStatus status = kn_go_set_up(game, cells, role, KN_GO_PASS, position, error);
    if (status != KN_OK) return status;
    kn_state_reset(server->session.state, position);
    kn_engine_session_forget(&server->session);
    *done = true;
    return KN_OK;
}

/* Plays all moves again from the start. */
static KnStatus replay(Server *server, KnError *error)
{
    bool done = true;
    KnStatus status = KN_OK;
    kn_state_reset(server->session.state, server->start);
    for (size_t i = 0; i < server->count && status == KN_OK; i++) {
        status = turn_to(server, server->moves[i].role, &done, error);
        KN_ASSERT(done || status != KN_OK); /* it was to be had before */
        if (status == KN_OK) status = kn_state_play(server->session.state, server->moves[i].move, error);
    }
    return status;
}

/* By position and history; a state itself takes any move that it is given. */
static bool may_play(const Server *server, int role, KnMove move)
{
    KnMove moves[server->session.game->max_moves];
    int count = kn_state_moves(server->session.state, role, moves);
    while (count > 0 && moves[count - 1] != move) count--;
    return count > 0;
}

KnStatus kn_gtp_play(Server *server, int role, KnMove move, bool *legal, KnError *error)
{
    if (server->count == server->room) {
        size_t room = server->room ? 2 * server->room : 256;
        KnGtpMove *more = realloc(server->moves, room * sizeof *more);
        if (!more) return kn_fail_memory(error, "playing a move");
        server->moves = more, server->room = room;
    }
    KnStatus status = turn_to(server, role, legal, error);
    if (status != KN_OK) return status;
    *legal = *legal && may_play(server, role, move);
    if (!*legal) return replay(server, error);
    status = kn_state_play(server->session.state, move, error);
    if (status == KN_OK) server->moves[server->count++] = (KnGtpMove){role, move};
    return status;
}

void kn_gtp_played(Server *server, int moves)
{
    KN_ASSERT(moves >= 0 && moves < 60);
    kn_text_add_char(&server->added, (char)('0' + moves));
}

/* What a move's name means to a role; whether it is legal is asked when it is to be played. */
static bool parse_move(Server *server, int role, const char *word, KnMove *move)
{
    KnError error;
    const KnGame *game = server->session.game;
    if (!is_go(server))
        return kn_game_parse_move(game, kn_state_position(server->session.state), role, word, move, &error) ==
               KN_OK;
    int cell = kn_gtp_cell(server, word), size = kn_go_size(game);
    bool pass = strcasecmp(word, "pass") == 0;
    *move = pass ? KN_GO_PASS : cell >= 0 ? kn_go_move(game, cell % size, cell / size) : KN_MOVE_NONE;
    return pass || (cell >= 0 && !game->type->cell(game, kn_state_position(server->session.state), cell));
}

static KnStatus play(Server *server, char **words, int count, KnError *error)
{
    int role = count == 3 ? kn_gtp_role(words[1]) : -1;
    KnMove move = KN_MOVE_NONE;
    bool legal = false;
    if (role < 0) return kn_gtp_syntax_error(error);
    bool pass = strcasecmp(words[2], "pass") == 0, turn = kn_state_movers(server->session.state) >> role & 1;
    if (pass && !turn && (!is_go(server) || !kn_state_movers(server->session.state))) {
        kn_gtp_played(server, 0); /* over, or forced and taken as read */
        return KN_OK;
    }
    KnStatus status = is_go(server) ? KN_OK : turn_to(server, role, &legal, error);
    if (status == KN_OK && parse_move(server, role, words[2], &move))
        status = kn_gtp_play(server, role, move, &legal, error);
    else if (status == KN_OK)
        legal = false, status = replay(server, error);
    if (status != KN_OK) return status;
    if (!legal) return kn_fail(error, KN_INPUT, "illegal move");
    kn_gtp_played(server, 1);
    return KN_OK;
}

static KnStatus choose(Server *server, char **words, int count, bool keep, KnError *error)
{
    int role = count == 2 ? kn_gtp_role(words[1]) : -1;
    bool turn = false;
    if (role < 0) return kn_gtp_syntax_error(error);
    KnAnswer answer;
    KnStatus status = kn_state_movers(server->session.state) ? turn_to(server, role, &turn, error) : KN_OK;
    if (status != KN_OK) return status;
    if (!turn) { /* the game is over, or the role cannot move */
        kn_text_add(&server->answer, "pass");
        if (keep) kn_gtp_played(server, 0);
        return KN_OK;
    }
    status = kn_engine_session_ask(&server->session, server->session.state, role, server->budget,
                                   &server->rng, NULL, &answer, error);
    if (status == KN_OK)
        server->session.game->type->move_text(server->session.game, kn_state_position(server->session.state),
                                              answer.move, &server->answer);
    if (status != KN_OK || !keep) {
        KnError ignored;
        KnStatus back = replay(server, status == KN_OK ? error : &ignored);
        return status == KN_OK ? back : status;
    }
    status = kn_gtp_play(server, role, answer.move, &turn, error);
    if (status == KN_OK && !turn) status = kn_fail(error, KN_INPUT, "the player answers an illegal move");
    if (status == KN_OK) kn_gtp_played(server, 1);
    return status;
}

static KnStatus genmove(Server *server, char **words, int count, KnError *error)
{
    return choose(server, words, count, true, error);
}
static KnStatus reg_genmove(Server *server, char **words, int count, KnError *error)
{
    return choose(server, words, count, false, error);
}

static KnStatus undo(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count;
    if (!server->added.length) return kn_fail(error, KN_INPUT, "cannot undo");
    server->count -= (size_t)(server->added.data[--server->added.length] - '0');
    server->added.data[server->added.length] = 0;
    return replay(server, error);
}

/* ---- The board ---- */

static KnStatus clear_board(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count;
    return kn_gtp_begin(server, NULL, error);
}

KnStatus kn_gtp_open_go(Server *server, int size, double komi, KnError *error)
{
    char spec[128];
    snprintf(spec, sizeof spec, "go(size=%d, komi=%.10g)", size, komi);
    return open_game(server, spec, error);
}

static KnStatus boardsize(Server *server, char **words, int count, KnError *error)
{
    char *end;
    long size = count == 2 ? strtol(words[1], &end, 10) : 0;
    if (count != 2 || *end) return kn_gtp_syntax_error(error);
    int now = is_go(server)                       ? kn_go_size(server->session.game)
              : server->session.game->cells == 64 ? 8
              : server->session.game->cells == 36 ? 6
                                                  : 4;
    if (size == now) return clear_board(server, words, count, error);
    if (!is_go(server) || size < KN_GO_SIZE_MIN || size > KN_GO_SIZE_MAX)
        return kn_fail(error, KN_INPUT, "unacceptable size");
    return kn_gtp_open_go(server, (int)size, kn_go_komi(server->session.game), error);
}

/* The stones stay: the game is replayed under the new komi. */
static KnStatus komi(Server *server, char **words, int count, KnError *error)
{
    char *end;
    double value = count == 2 ? strtod(words[1], &end) : 0;
    if (count != 2 || *end || !(value >= -1000 && value <= 1000)) return kn_gtp_syntax_error(error);
    if (!is_go(server) || value == kn_go_komi(server->session.game)) return KN_OK;
    KnText added = KN_TEXT_EMPTY;
    kn_text_add(&added, server->added.data);
    size_t moves = server->count;
    void *start = server->start;
    server->start = NULL; /* a position of Go does not depend on the komi */
    KnStatus status = kn_gtp_open_go(server, kn_go_size(server->session.game), value, error);
    server->start = start;
    if (status == KN_OK) {
        server->count = moves;
        kn_text_add(&server->added, added.data);
        status = replay(server, error);
    }
    kn_text_free(&added);
    return status;
}

static KnStatus get_komi(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count;
    if (!is_go(server)) return kn_fail(error, KN_INPUT, "unknown command");
    kn_text_printf(&server->answer, "%g", kn_go_komi(server->session.game));
    return KN_OK;
}

/* grhino-setup_board CELLS [COLOUR], for Othello: how engines of that game are set up. */
static KnStatus setup_board(Server *server, char **words, int count, KnError *error)
{
    const KnGame *game = server->session.game;
    if (is_go(server)) return kn_fail(error, KN_INPUT, "unknown command");
    int role = count == 3 ? kn_gtp_role(words[2]) : 0;
    if (count < 2 || count > 3 || role < 0 || strlen(words[1]) != (size_t)game->cells)
        return kn_gtp_syntax_error(error);
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s %s", words[1], role ? "O" : "X");
    _Alignas(16) unsigned char position[game->position_size];
    KnStatus status = game->type->parse_position(game, text.data, position, error);
    kn_text_free(&text);
    return status == KN_OK ? kn_gtp_begin(server, position, error) : status;
}

static KnStatus showboard(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    KnText board = KN_TEXT_EMPTY;
    server->session.game->type->draw(server->session.game, kn_state_position(server->session.state), false,
                                     &board);
    while (board.length && board.data[board.length - 1] == '\n') board.data[--board.length] = 0;
    kn_text_add_char(&server->answer, '\n');
    kn_text_add(&server->answer, board.data);
    kn_text_free(&board);
    return KN_OK;
}

static KnStatus final_score(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    const void *position = kn_state_position(server->session.state);
    KnGoFinal final;
    if (is_go(server)) kn_go_final(server->session.game, position, &final);
    double points = is_go(server) ? final.points
                                  : server->session.game->type->points(server->session.game, position, 0);
    if (points == 0)
        kn_text_add(&server->answer, "0");
    else
        kn_text_printf(&server->answer, "%c+%g", points > 0 ? 'B' : 'W', points > 0 ? points : -points);
    return KN_OK;
}

/* ---- Time ---- */

/* A share of what is left: the more points are empty, the more moves are to come. Overtime: the whole of a
 * stone's time. */
static double time_for_move(const Server *server, double left, double stones)
{
    if (stones > 0) return left / stones * 0.9;
    const KnGame *game = server->session.game;
    int empty = 0;
    for (int i = 0; i < game->cells; i++)
        empty += !game->type->cell(game, kn_state_position(server->session.state), i);
    double seconds = left / (10 + 0.3 * empty);
    return seconds < 0.01 ? 0.01 : seconds;
}

static KnStatus time_settings(Server *server, char **words, int count, KnError *error)
{
    if (count != 4) return kn_gtp_syntax_error(error);
    double main_time = strtod(words[1], NULL), period = strtod(words[2], NULL),
           stones = strtod(words[3], NULL);
    server->budget.seconds = stones > 0      ? time_for_move(server, period, stones)
                             : main_time > 0 ? time_for_move(server, main_time, 0)
                                             : 0;
    return KN_OK;
}

static KnStatus time_left(Server *server, char **words, int count, KnError *error)
{
    if (count != 4 || kn_gtp_role(words[1]) < 0) return kn_gtp_syntax_error(error);
    server->budget.seconds = time_for_move(server, strtod(words[2], NULL), strtod(words[3], NULL));
    return KN_OK;
}

/* ---- About itself ---- */

static KnStatus say(Server *server, const char *text)
{
    kn_text_add(&server->answer, text);
    return KN_OK;
}

static KnStatus protocol_version(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    return say(server, "2");
}

static KnStatus name(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    kn_text_printf(&server->answer, "Knack %s", server->session.player->spec);
    return KN_OK;
}

static KnStatus version(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    return say(server, KNACK_VERSION);
}

static KnStatus list_games(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    return say(server, is_go(server) ? "Go" : "Othello");
}

static KnStatus set_game(Server *server, char **words, int count, KnError *error)
{
    bool same = count == 2 && strcasecmp(words[1], is_go(server) ? "Go" : "Othello") == 0;
    return same ? KN_OK : kn_fail(error, KN_INPUT, "unsupported game");
}

static KnStatus quit(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    server->quits = true;
    return KN_OK;
}

static KnStatus known_command(Server *server, char **words, int count, KnError *error);
static KnStatus list_commands(Server *server, char **words, int count, KnError *error);

static const KnGtpRow commands[] = {{"protocol_version", protocol_version},
                                    {"name", name},
                                    {"version", version},
                                    {"known_command", known_command},
                                    {"list_commands", list_commands},
                                    {"quit", quit},
                                    {"boardsize", boardsize},
                                    {"clear_board", clear_board},
                                    {"komi", komi},
                                    {"get_komi", get_komi},
                                    {"play", play},
                                    {"genmove", genmove},
                                    {"reg_genmove", reg_genmove},
                                    {"undo", undo},
                                    {"time_settings", time_settings},
                                    {"time_left", time_left},
                                    {"showboard", showboard},
                                    {"final_score", final_score},
                                    {"list_games", list_games},
                                    {"set_game", set_game},
                                    {"grhino-setup_board", setup_board}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static KnGtpCommand find(const Server *server, const char *word)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, word) == 0) return commands[i].command;
    for (const KnGtpRow *row = kn_gtp_go_commands; is_go(server) && row->name; row++)
        if (strcmp(row->name, word) == 0) return row->command;
    return NULL;
}

static KnStatus known_command(Server *server, char **words, int count, KnError *error)
{
    (void)error;
    return say(server, count == 2 && find(server, words[1]) ? "true" : "false");
}

static KnStatus list_commands(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    for (int i = 0; i < COMMANDS; i++)
        kn_text_printf(&server->answer, "%s%s", i ? "\n" : "", commands[i].name);
    for (const KnGtpRow *row = kn_gtp_go_commands; is_go(server) && row->name; row++)
        kn_text_printf(&server->answer, "\n%s", row->name);
    return KN_OK;
}

/* ---- Lines ---- */

/* Control characters go, tabs become blanks, a comment ends the line. */
static void clean(char *line)
{
    char *to = line;
    for (const char *from = line; *from && *from != '#'; from++) {
        unsigned char c = (unsigned char)*from;
        if (c == '\t')
            *to++ = ' ';
        else if (c >= 32 && c != 127)
            *to++ = (char)c;
    }
    *to = 0;
}

/* Cuts a line into words; returns how many. */
static int cut(char *line, char **words, int most)
{
    int count = 0;
    for (char *rest = line, *word; count < most && (word = strtok_r(rest, " ", &rest));)
        words[count++] = word;
    return count;
}

static void obey(Server *server, char *line, FILE *out)
{
    char *all[WORDS], **words = all, id[WORD] = "";
    clean(line);
    int count = cut(line, all, WORDS);
    if (!count) return;
    if (strspn(words[0], "0123456789") == strlen(words[0])) {
        snprintf(id, sizeof id, "%.20s", words[0]);
        words++, count--;
    }
    KnError error;
    KnGtpCommand command = count ? find(server, words[0]) : NULL;
    kn_text_clear(&server->answer);
    KnStatus status = command ? command(server, words, count, &error)
                              : kn_fail(&error, KN_INPUT, "unknown command");
    if (status == KN_OK && !kn_text_ok(&server->answer)) status = kn_fail_memory(&error, "answering");
    if (status == KN_OK)
        fprintf(out, "=%s%s%s\n\n", id, server->answer.length ? " " : "", server->answer.data);
    else
        fprintf(out, "?%s %s\n\n", id, error.text);
    fflush(out);
}

KnStatus kn_gtp_serve(const KnContext *context, const char *game, const char *player, uint64_t seed, FILE *in,
                      FILE *out, KnError *error)
{
    Server server = {.context = context,
                     .player_spec = player,
                     .added = KN_TEXT_EMPTY,
                     .answer = KN_TEXT_EMPTY,
                     .rng = kn_rng_seeded(seed)};
    char *line = malloc(LINE_MOST);
    KnStatus status = line ? open_game(&server, game, error) : kn_fail_memory(error, "listening");
    while (status == KN_OK && !server.quits && fgets(line, LINE_MOST, in)) obey(&server, line, out);
    kn_engine_session_close(&server.session);
    free(server.start);
    free(server.moves);
    kn_text_free(&server.added);
    kn_text_free(&server.answer);
    free(line);
    return status;
}
