/* Commands of GTP that only Go has: handicaps, game records, the end of the game, tactics. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/parser.h"
#include "games/go/final_status.h"
#include "methods/widening/capture_solver.h"
#include "protocols/gtp_server.h"

enum { TACTICS_NODES = 30000, FILE_MOST = 4 << 20, FIXED_MOST = 9 };

int kn_gtp_cell(const KnGtpServer *server, const char *word)
{
    int size = kn_go_size(server->session.game), column = toupper((unsigned char)word[0]) - 'A';
    if (!isalpha((unsigned char)word[0]) || column == 'I' - 'A' || !isdigit((unsigned char)word[1]) ||
        strspn(word + 1, "0123456789") != strlen(word + 1) || strlen(word) > 3)
        return -1;
    column -= column > 'I' - 'A';
    int row = atoi(word + 1);
    return column < size && row >= 1 && row <= size ? (size - row) * size + column : -1;
}

void kn_gtp_add_vertex(KnGtpServer *server, int cell)
{
    if (server->answer.length && server->answer.data[server->answer.length - 1] != '\n')
        kn_text_add_char(&server->answer, ' ');
    server->session.game->type->cell_name(server->session.game, cell, &server->answer);
}

/* ---- Handicaps ---- */

/* The usual points, in the order of the protocol's specification: corners, the centre, sides. Returns how
 * many a board has room for. */
static int fixed_points(int size, int stones, int cells[FIXED_MOST])
{
    int far = size >= 13 ? 3 : 2, near = size - 1 - far, middle = size / 2, count = 0;
    int most = size < 7 ? 0 : size % 2 == 0 || size == 7 ? 4 : FIXED_MOST;
    const int points[8][2] = {{far, near},   {near, far},    {far, far},     {near, near},
                              {far, middle}, {near, middle}, {middle, near}, {middle, far}};
    if (stones > most) return most;
    for (; count < (stones < 5 || stones % 2 == 0 ? stones : stones - 1); count++)
        cells[count] = points[count][1] * size + points[count][0];
    if (count < stones) cells[count++] = middle * size + middle;
    return most;
}

static bool board_is_empty(const KnGtpServer *server)
{
    for (int i = 0; i < server->session.game->cells; i++)
        if (server->session.game->type->cell(server->session.game, kn_state_position(server->session.state),
                                             i))
            return false;
    return true;
}

/* Black stones on an empty board; White moves first. */
static KnStatus set_handicap(KnGtpServer *server, const int *cells, int count, KnError *error)
{
    const KnGame *game = server->session.game;
    uint8_t held[KN_GO_CELLS_MAX] = {0};
    _Alignas(16) unsigned char position[game->position_size];
    for (int i = 0; i < count; i++) {
        if (held[cells[i]]) return kn_fail(error, KN_INPUT, "bad vertex list");
        held[cells[i]] = 1;
    }
    KnStatus status = kn_go_set_up(game, held, KN_GO_WHITE, KN_GO_PASS, position, error);
    if (status != KN_OK) return kn_fail(error, KN_INPUT, "bad vertex list");
    return kn_gtp_begin(server, position, error);
}

static KnStatus place_handicap(KnGtpServer *server, char **words, int count, bool fewer, KnError *error)
{
    int cells[FIXED_MOST];
    char *end;
    long stones = count == 2 ? strtol(words[1], &end, 10) : 0;
    if (count != 2 || *end) return kn_gtp_syntax_error(error);
    if (!board_is_empty(server)) return kn_fail(error, KN_INPUT, "board not empty");
    int most = fixed_points(kn_go_size(server->session.game), 0, cells);
    if (fewer && stones > most && most >= 2 && stones < server->session.game->cells) stones = most;
    if (stones < 2 || stones > most) return kn_fail(error, KN_INPUT, "invalid number of stones");
    fixed_points(kn_go_size(server->session.game), (int)stones, cells);
    KnStatus status = set_handicap(server, cells, (int)stones, error);
    for (int i = 0; i < stones && status == KN_OK; i++) kn_gtp_add_vertex(server, cells[i]);
    return status;
}

static KnStatus fixed_handicap(KnGtpServer *server, char **words, int count, KnError *error)
{
    return place_handicap(server, words, count, false, error);
}
static KnStatus place_free_handicap(KnGtpServer *server, char **words, int count, KnError *error)
{
    return place_handicap(server, words, count, true, error);
}

static KnStatus set_free_handicap(KnGtpServer *server, char **words, int count, KnError *error)
{
    int cells[KN_GO_CELLS_MAX], stones = 0;
    if (!board_is_empty(server)) return kn_fail(error, KN_INPUT, "board not empty");
    if (count < 3 || count > server->session.game->cells) return kn_fail(error, KN_INPUT, "bad vertex list");
    for (int i = 1; i < count; i++) {
        int cell = kn_gtp_cell(server, words[i]);
        if (cell < 0) return kn_fail(error, KN_INPUT, "bad vertex list");
        cells[stones++] = cell;
    }
    return set_handicap(server, cells, stones, error);
}

/* ---- Game records ---- */

/* The position of a record before a move (from 1; 0: after the last). */
static KnStatus follow(KnGtpServer *server, const KnRecordText *record, long before, KnError *error)
{
    char *moves = strdup(record->moves.data), *rest = moves;
    int role = server->session.game->type->mover(server->session.game,
                                                 kn_state_position(server->session.state));
    KnStatus status = moves ? KN_OK : kn_fail_memory(error, "loading a game");
    for (long number = 1; status == KN_OK && (!before || number < before); number++, role = 1 - role) {
        const char *word = strtok_r(rest, " ", &rest);
        if (!word) break;
        int cell = kn_gtp_cell(server, word), size = kn_go_size(server->session.game);
        bool legal = false;
        KnMove move = cell < 0 ? KN_GO_PASS : kn_go_move(server->session.game, cell % size, cell / size);
        if (kn_state_movers(server->session.state)) status = kn_gtp_play(server, role, move, &legal, error);
        if (status == KN_OK && !legal) status = kn_fail(error, KN_INPUT, "move %ld is not legal", number);
        if (status == KN_OK) kn_gtp_played(server, 1);
    }
    free(moves);
    return status;
}

/* A file that cannot be read leaves the board as it was; one with an illegal move stops before it. */
static KnStatus load(KnGtpServer *server, const KnRecordText *record, long before, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(server->context, record->game.data, &game, error);
    if (status != KN_OK) return status;
    int size = kn_go_is(game) ? kn_go_size(game) : 0;
    double komi = size ? kn_go_komi(game) : 0;
    _Alignas(16) unsigned char start[game->position_size];
    if (!size)
        status = kn_fail(error, KN_INPUT, "it is not a game of Go");
    else if (record->start.length)
        status = game->type->parse_position(game, record->start.data, start, error);
    else
        game->type->start(game, start);
    if (status == KN_OK) status = kn_gtp_open_go(server, size, komi, error);
    if (status == KN_OK) status = kn_gtp_begin(server, start, error);
    kn_game_close(game);
    return status == KN_OK ? follow(server, record, before, error) : status;
}

static KnStatus loadsgf(KnGtpServer *server, char **words, int count, KnError *error)
{
    char *end = NULL;
    long before = count == 3 ? strtol(words[2], &end, 10) : 0;
    if (count < 2 || count > 3 || (end && *end) || before < 0) return kn_gtp_syntax_error(error);
    KnText text = KN_TEXT_EMPTY;
    KnRecordText record = KN_RECORD_TEXT;
    KnError why;
    KnStatus status = kn_file_read_text(words[1], &text, FILE_MOST, &why);
    if (status == KN_OK) status = kn_sgf_read(text.data, &record, &why);
    if (status == KN_OK) status = load(server, &record, before, &why);
    kn_text_free(&text);
    kn_game_record_text_free(&record);
    return status == KN_OK ? KN_OK : kn_fail(error, status, "cannot load file: %s", why.text);
}

/* ---- The end of the game ---- */

/* Adds the string of a cell. */
static void add_string(KnGtpServer *server, int first, bool *seen)
{
    const KnGame *game = server->session.game;
    const void *position = kn_state_position(server->session.state);
    int stack[KN_GO_CELLS_MAX], top = 0, held = game->type->cell(game, position, first),
                                size = kn_go_size(game);
    stack[top++] = first, seen[first] = true;
    while (top > 0) {
        int cell = stack[--top], x = cell % size;
        kn_gtp_add_vertex(server, cell);
        const int next[4] = {cell - size, x > 0 ? cell - 1 : -1, x < size - 1 ? cell + 1 : -1, cell + size};
        for (int n = 0; n < 4; n++)
            if (next[n] >= 0 && next[n] < game->cells && !seen[next[n]] &&
                game->type->cell(game, position, next[n]) == held)
                seen[next[n]] = true, stack[top++] = next[n];
    }
}

/* Stones by status, a line for each string; territory and neutral points (dame) in one line. */
static KnStatus final_status_list(KnGtpServer *server, char **words, int count, KnError *error)
{
    static const char *const names[] = {"alive",           "dead",           "seki", "dame",
                                        "black_territory", "white_territory"};
    enum { STATUSES = 3, NAMES = 6 };
    const KnGame *game = server->session.game;
    const void *position = kn_state_position(server->session.state);
    int wanted = 0;
    while (wanted < NAMES && (count != 2 || strcmp(words[1], names[wanted]) != 0)) wanted++;
    if (wanted == NAMES) return kn_gtp_syntax_error(error);
    KnGoFinal final;
    bool seen[KN_GO_CELLS_MAX] = {0}, any = false;
    kn_go_final(game, position, &final);
    for (int i = 0; i < game->cells; i++) {
        if (wanted >= STATUSES) {
            bool open = final.status[i] == KN_GO_EMPTY || final.status[i] == KN_GO_DEAD;
            if (open && final.owner[i] == wanted - STATUSES) kn_gtp_add_vertex(server, i);
        } else if (final.status[i] == KN_GO_ALIVE + wanted && !seen[i]) {
            if (any) kn_text_add_char(&server->answer, '\n');
            any = true;
            add_string(server, i, seen);
        }
    }
    return KN_OK;
}

/* ---- Tactics: 1 and the move if it can be done, 0 if not; also 0 where nothing was proved ---- */

static KnStatus tactics(KnGtpServer *server, char **words, int count, bool attack, KnError *error)
{
    const KnGame *game = server->session.game;
    uint8_t cells[KN_GO_CELLS_MAX];
    if (count != 2) return kn_gtp_syntax_error(error);
    int cell = kn_gtp_cell(server, words[1]);
    if (cell < 0) return kn_fail(error, KN_INPUT, "invalid vertex");
    kn_game_board(game, kn_state_position(server->session.state), cells);
    if (!cells[cell]) return kn_fail(error, KN_INPUT, "vertex must not be empty");
    int owner = cells[cell] - 1;
    _Alignas(16) unsigned char position[game->position_size];
    KnCaptureProblem problem = {
        .id = "gtp", .game = game, .position = position, .target = cell, .attack = attack};
    KnProofOptions options = {.nodes = TACTICS_NODES, .strict = true};
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

static KnStatus attack(KnGtpServer *server, char **words, int count, KnError *error)
{
    return tactics(server, words, count, true, error);
}
static KnStatus defend(KnGtpServer *server, char **words, int count, KnError *error)
{
    return tactics(server, words, count, false, error);
}

const KnGtpRow kn_gtp_go_commands[] = {{"fixed_handicap", fixed_handicap},
                                       {"place_free_handicap", place_free_handicap},
                                       {"set_free_handicap", set_free_handicap},
                                       {"loadsgf", loadsgf},
                                       {"final_status_list", final_status_list},
                                       {"attack", attack},
                                       {"defend", defend},
                                       {NULL, NULL}};
