#include "protocols/gtp_engine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "games/go/go.h"
#include "methods/widening/capture_solver.h"
#include "protocols/engine_session.h"

enum { LINE_MOST = 1 << 16, WORD = 64, TACTICS_NODES = 30000 };

typedef struct Server {
    const KnContext *context;
    const char *player_spec;
    KnGame *game;
    KnEngineSession session;
    KnState *state;
    KnText added; /* a letter for each command that moved: how many plies it added */
    KnRng rng;
    KnBudget budget;
    KnText answer;
    bool quits;
} Server;

typedef KnStatus (*Obey)(Server *server, char **words, int count, KnError *error);

static bool is_go(const Server *server) { return kn_go_is(server->game); }

static KnStatus open_game(Server *server, const char *spec, KnError *error)
{
    KnGame *game;
    KnEngineSession session;
    KnState *state = NULL;
    KnStatus status = kn_game_open(server->context, spec, &game, error);
    if (status != KN_OK) return status;
    if (!kn_go_is(game) && strcmp(game->type->head.name, "othello") != 0)
        status = kn_fail(error, KN_USAGE, "GTP is for Go and Othello; `knack pipe` serves every game");
    if (status == KN_OK)
        status = kn_engine_session_open(&session, server->context, game, server->player_spec, error);
    if (status == KN_OK && !(state = kn_state_new(game))) {
        kn_engine_session_close(&session);
        status = kn_fail_memory(error, "opening a game");
    }
    if (status != KN_OK) {
        kn_game_close(game);
        return status;
    }
    kn_engine_session_close(&server->session);
    kn_state_free(server->state);
    kn_game_close(server->game);
    server->game = game, server->session = session, server->state = state;
    kn_text_clear(&server->added);
    return KN_OK;
}

/* ---- Moving ---- */

static int role_of(const char *word)
{
    if (!word) return -1;
    if (strcasecmp(word, "b") == 0 || strcasecmp(word, "black") == 0) return 0;
    return strcasecmp(word, "w") == 0 || strcasecmp(word, "white") == 0 ? 1 : -1;
}

static KnStatus syntax_error(KnError *error) { return kn_fail(error, KN_INPUT, "syntax error"); }

/* The other side passes if it has the move, where it may. */
static KnStatus pass_for_other(Server *server, int role, int *plies, KnError *error)
{
    uint32_t movers = kn_state_movers(server->state);
    if (!movers || movers >> role & 1) return KN_OK;
    KnMove pass;
    KnStatus status = kn_game_parse_move(server->game, kn_state_position(server->state), 1 - role, "pass",
                                         &pass, error);
    if (status == KN_OK) status = kn_state_play(server->state, pass, error);
    if (status != KN_OK)
        return kn_fail(error, KN_INPUT, "illegal move: it is not %s's turn", role ? "white" : "black");
    ++*plies;
    return KN_OK;
}

static void take_back(Server *server, int plies)
{
    while (plies-- > 0) kn_state_undo(server->state);
}

static KnStatus play(Server *server, char **words, int count, KnError *error)
{
    int role = count == 3 ? role_of(words[1]) : -1, plies = 0;
    KnMove move;
    if (role < 0) return syntax_error(error);
    bool pass = strcasecmp(words[2], "pass") == 0;
    if (pass && (kn_state_movers(server->state) >> role & 1) == 0) { /* over, or forced and taken as read */
        kn_text_add_char(&server->added, '0');
        return KN_OK;
    }
    KnStatus status = pass_for_other(server, role, &plies, error);
    if (status == KN_OK)
        status = kn_game_parse_move(server->game, kn_state_position(server->state), role, words[2], &move,
                                    error);
    if (status == KN_OK) status = kn_state_play(server->state, move, error);
    if (status != KN_OK) {
        take_back(server, plies);
        return kn_fail(error, KN_INPUT, "illegal move");
    }
    kn_text_add_char(&server->added, (char)('1' + plies));
    return KN_OK;
}

static KnStatus choose(Server *server, char **words, int count, bool keep, KnError *error)
{
    int role = count == 2 ? role_of(words[1]) : -1, plies = 0;
    if (role < 0) return syntax_error(error);
    KnAnswer answer;
    if (!kn_state_movers(server->state) || pass_for_other(server, role, &plies, error) != KN_OK) {
        kn_text_add(&server->answer, "pass");
        if (keep) kn_text_add_char(&server->added, '0');
        return KN_OK;
    }
    KnStatus status = kn_engine_session_ask(&server->session, server->state, role, server->budget,
                                            &server->rng, NULL, &answer, error);
    if (status == KN_OK)
        server->game->type->move_text(server->game, kn_state_position(server->state), answer.move,
                                      &server->answer);
    if (status == KN_OK && keep) {
        status = kn_state_play(server->state, answer.move, error);
        if (status == KN_OK) kn_text_add_char(&server->added, (char)('1' + plies));
        return status;
    }
    take_back(server, plies);
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
    take_back(server, server->added.data[--server->added.length] - '0');
    server->added.data[server->added.length] = 0;
    return KN_OK;
}

/* ---- The board ---- */

static KnStatus clear_board(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    kn_state_reset(server->state, NULL);
    kn_engine_session_forget(&server->session);
    kn_text_clear(&server->added);
    return KN_OK;
}

static KnStatus reopen_go(Server *server, int size, double komi, KnError *error)
{
    char spec[128];
    snprintf(spec, sizeof spec, "go(size=%d, komi=%.10g)", size, komi);
    return open_game(server, spec, error);
}

static KnStatus boardsize(Server *server, char **words, int count, KnError *error)
{
    char *end;
    long size = count == 2 ? strtol(words[1], &end, 10) : 0;
    if (count != 2 || *end) return syntax_error(error);
    int now = is_go(server)               ? kn_go_size(server->game)
              : server->game->cells == 64 ? 8
              : server->game->cells == 36 ? 6
                                          : 4;
    if (size == now) return clear_board(server, words, count, error);
    if (!is_go(server) || size < KN_GO_SIZE_MIN || size > KN_GO_SIZE_MAX)
        return kn_fail(error, KN_INPUT, "unacceptable size");
    return reopen_go(server, (int)size, kn_go_komi(server->game), error);
}

/* The stones stay: the contest is replayed under the new komi. */
static KnStatus komi(Server *server, char **words, int count, KnError *error)
{
    char *end;
    double value = count == 2 ? strtod(words[1], &end) : 0;
    if (count != 2 || *end || !(value >= -1000 && value <= 1000)) return syntax_error(error);
    if (!is_go(server) || value == kn_go_komi(server->game)) return KN_OK;
    size_t plies = kn_state_plies(server->state);
    KnMove *moves = calloc(plies + 1, 2 * sizeof *moves);
    if (!moves) return kn_fail_memory(error, "changing the komi");
    for (size_t i = 0; i < plies; i++)
        memcpy(&moves[2 * i], kn_state_joint_at(server->state, i), 2 * sizeof *moves);
    KnText added = KN_TEXT_EMPTY;
    kn_text_add(&added, server->added.data);
    KnStatus status = reopen_go(server, kn_go_size(server->game), value, error);
    for (size_t i = 0; i < plies && status == KN_OK; i++)
        status = kn_state_play_joint(server->state, &moves[2 * i], error);
    if (status == KN_OK) kn_text_add(&server->added, added.data);
    kn_text_free(&added);
    free(moves);
    return status;
}

/* grhino-setup_board CELLS [COLOUR], for Othello: how engines of that game are set up. */
static KnStatus setup_board(Server *server, char **words, int count, KnError *error)
{
    const KnGame *game = server->game;
    if (is_go(server)) return kn_fail(error, KN_INPUT, "unknown command");
    int role = count == 3 ? role_of(words[2]) : 0;
    if (count < 2 || count > 3 || role < 0 || strlen(words[1]) != (size_t)game->cells)
        return syntax_error(error);
    KnText text = KN_TEXT_EMPTY;
    kn_text_printf(&text, "%s %s", words[1], role ? "O" : "X");
    _Alignas(16) unsigned char position[game->position_size];
    KnStatus status = game->type->parse_position(game, text.data, position, error);
    kn_text_free(&text);
    if (status != KN_OK) return status;
    kn_state_reset(server->state, position);
    kn_engine_session_forget(&server->session);
    kn_text_clear(&server->added);
    return KN_OK;
}

static KnStatus showboard(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    KnText board = KN_TEXT_EMPTY;
    server->game->type->draw(server->game, kn_state_position(server->state), false, &board);
    while (board.length && board.data[board.length - 1] == '\n') board.data[--board.length] = 0;
    kn_text_add_char(&server->answer, '\n');
    kn_text_add(&server->answer, board.data);
    kn_text_free(&board);
    return KN_OK;
}

static KnStatus final_score(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    double points = server->game->type->points(server->game, kn_state_position(server->state), 0);
    if (points == 0)
        kn_text_add(&server->answer, "0");
    else
        kn_text_printf(&server->answer, "%c+%g", points > 0 ? 'B' : 'W', points > 0 ? points : -points);
    return KN_OK;
}

/* ---- Tactics (Go): 1 and the move if it can be done, 0 if not; also 0 where nothing was proved ---- */

static KnStatus tactics(Server *server, char **words, int count, bool attack, KnError *error)
{
    const KnGame *game = server->game;
    const void *now = kn_state_position(server->state);
    KnMove point;
    int x, y;
    if (!is_go(server)) return kn_fail(error, KN_INPUT, "unknown command");
    if (count != 2) return syntax_error(error);
    uint8_t cells[KN_GO_CELLS_MAX];
    int size = kn_go_size(game);
    kn_game_board(game, now, cells);
    if (game->type->parse_move(game, now, words[1], &point, NULL) == KN_OK)
        return kn_fail(error, KN_INPUT, "vertex must not be empty");
    x = toupper((unsigned char)words[1][0]) - 'A', x -= x > 8;
    y = size - (int)strtol(words[1] + 1, NULL, 10);
    if (x < 0 || x >= size || y < 0 || y >= size || !cells[y * size + x])
        return kn_fail(error, KN_INPUT, "invalid vertex");
    int owner = cells[y * size + x] - 1;
    _Alignas(16) unsigned char position[game->position_size];
    KnCaptureProblem problem = {
        .id = "gtp", .game = game, .position = position, .target = y * size + x, .attack = attack};
    KnProofOptions options = {.nodes = TACTICS_NODES};
    KnProofSearch *search;
    KnCaptureSolution captured = {0};
    KnStatus status = kn_go_set_up(game, cells, attack ? 1 - owner : owner, KN_GO_PASS, position, error);
    if (status == KN_OK) status = kn_proof_new(&options, &search, error);
    if (status != KN_OK) return status;
    status = kn_capture_solve(search, &problem, &captured, error);
    kn_proof_free(search);
    if (status != KN_OK) return status;
    if (captured.answer <= 0) {
        kn_text_add(&server->answer, "0");
        return KN_OK;
    }
    kn_text_add(&server->answer, "1 ");
    game->type->move_text(game, position, captured.move, &server->answer);
    return KN_OK;
}

static KnStatus attack(Server *server, char **words, int count, KnError *error)
{
    return tactics(server, words, count, true, error);
}
static KnStatus defend(Server *server, char **words, int count, KnError *error)
{
    return tactics(server, words, count, false, error);
}

/* ---- Time: a share of what is left, or the whole of an overtime's stone ---- */

static KnStatus time_settings(Server *server, char **words, int count, KnError *error)
{
    if (count != 4) return syntax_error(error);
    double main_time = strtod(words[1], NULL), period = strtod(words[2], NULL),
           stones = strtod(words[3], NULL);
    server->budget.seconds = stones > 0 ? period / stones * 0.9 : main_time > 0 ? main_time / 40 : 0;
    return KN_OK;
}

static KnStatus time_left(Server *server, char **words, int count, KnError *error)
{
    if (count != 4 || role_of(words[1]) < 0) return syntax_error(error);
    double left = strtod(words[2], NULL), stones = strtod(words[3], NULL);
    server->budget.seconds = stones > 0 ? left / stones * 0.9 : left / 30;
    if (server->budget.seconds < 0.01) server->budget.seconds = 0.01;
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

static const struct {
    const char *name;
    Obey obey;
} commands[] = {{"protocol_version", protocol_version},
                {"name", name},
                {"version", version},
                {"known_command", known_command},
                {"list_commands", list_commands},
                {"quit", quit},
                {"boardsize", boardsize},
                {"clear_board", clear_board},
                {"komi", komi},
                {"play", play},
                {"genmove", genmove},
                {"reg_genmove", reg_genmove},
                {"undo", undo},
                {"time_settings", time_settings},
                {"time_left", time_left},
                {"showboard", showboard},
                {"final_score", final_score},
                {"attack", attack},
                {"defend", defend},
                {"list_games", list_games},
                {"set_game", set_game},
                {"grhino-setup_board", setup_board}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static Obey find(const char *word)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, word) == 0) return commands[i].obey;
    return NULL;
}

static KnStatus known_command(Server *server, char **words, int count, KnError *error)
{
    (void)error;
    return say(server, count == 2 && find(words[1]) ? "true" : "false");
}

static KnStatus list_commands(Server *server, char **words, int count, KnError *error)
{
    (void)words, (void)count, (void)error;
    for (int i = 0; i < COMMANDS; i++)
        kn_text_printf(&server->answer, "%s%s", i ? "\n" : "", commands[i].name);
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
    char *all[10], **words = all, id[WORD] = "";
    clean(line);
    int count = cut(line, all, 10);
    if (!count) return;
    if (strspn(words[0], "0123456789") == strlen(words[0])) {
        snprintf(id, sizeof id, "%.20s", words[0]);
        words++, count--;
    }
    KnError error;
    Obey command = count ? find(words[0]) : NULL;
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
    kn_state_free(server.state);
    kn_game_close(server.game);
    kn_text_free(&server.added);
    kn_text_free(&server.answer);
    free(line);
    return status;
}
