/* knack play: a person at the terminal, against any player, or two players to watch. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "arena/play.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "formats/sheet.h"
#include "players/player.h"

typedef struct Arguments {
    CliCommon common;
    const char *game;
    const char *seats[2];
    const char *from;
    const char *adviser;
    uint64_t seed;
    size_t ply_limit;
} Arguments;

/* A game in progress at the terminal. */
typedef struct Table {
    const Arguments *arguments;
    KnContext *context;
    KnGame *game;
    KnContest *contest;
    KnPlayer *players[KN_ROLES_MAX]; /* by role; NULL for nature */
    KnRng rng;
    bool colour;
    bool left;    /* the person quit */
    int resigned; /* role, or -1 */
} Table;

enum { KEY_SEED = 0x100, KEY_FROM, KEY_FIRST, KEY_SECOND, KEY_HINT };

static const struct argp_option options[] = {
    {"first", KEY_FIRST, "PLAYER", 0, "Who plays the first role (default: human)", 1},
    {"second", KEY_SECOND, "PLAYER", 0,
     "Who plays the second role (default: alphabeta(depth=4), random where it cannot play)", 1},
    {"from", KEY_FROM, "POSITION", 0, "Start from a position in the game's notation", 1},
    {"hint", KEY_HINT, "PLAYER", 0, "Who is asked for hints (default: the opponent)", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of all chance (default 1)", 1},
    {"plies", 'p', "N", 0, "Stop after N plies", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_SEED:
        arguments->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_FROM:
        arguments->from = arg;
        return 0;
    case KEY_FIRST:
        arguments->seats[0] = arg;
        return 0;
    case KEY_SECOND:
        arguments->seats[1] = arg;
        return 0;
    case KEY_HINT:
        arguments->adviser = arg;
        return 0;
    case 'p':
        arguments->ply_limit = cli_parse_count(state, "--plies", arg, 1, 1000000);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->game) argp_error(state, "one argument too many: \"%s\"", arg);
        arguments->game = arg;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->game) argp_error(state, "which game? `knack games` lists them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Plays a game in the terminal.\v"
    "Type a move, or help for what else you can say: moves, hint, why, undo, save FILE, resign, quit.\n"
    "Examples:\n"
    "  knack play checkers\n"
    "  knack play othello --first 'alphabeta(depth=3)' --second human\n"
    "  knack play 'tictactoe(lose)' --first perfect --second random";

static const char help_text[] =
    "  a move      in the game's notation, as `moves` lists them\n"
    "  moves       the legal moves\n"
    "  hint        what the adviser would play\n"
    "  why         the same, with reasons\n"
    "  undo        take back your last move, and the reply\n"
    "  board       show the board again\n"
    "  position    the position as one line of text\n"
    "  save FILE   write the game: as PDN, SGF or GGF if FILE ends so, else as plain moves\n"
    "  resign      give up\n"
    "  quit        leave\n";

static void show_board(const Table *table)
{
    KnText text = KN_TEXT_EMPTY;
    table->game->type->draw(table->game, kn_contest_position(table->contest), table->colour, &text);
    printf("\n%s", text.data);
    kn_text_free(&text);
}

static void show_moves(const Table *table, const KnMove *moves, int count)
{
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < count; i++) {
        kn_text_add(&text, i ? "  " : "  ");
        table->game->type->move_text(table->game, kn_contest_position(table->contest), moves[i], &text);
    }
    puts(text.data);
    kn_text_free(&text);
}

static KnRequest table_request(Table *table, int role, const KnMove *moves, int count)
{
    return (KnRequest){.game = table->game,
                       .position = kn_contest_position(table->contest),
                       .history = kn_contest_history(table->contest),
                       .role = role,
                       .allowed = moves,
                       .allowed_count = count,
                       .rng = &table->rng,
                       .cancel = cli_interrupt()};
}

/* What the adviser would play, with its reasons if wanted. */
static void advise(Table *table, int role, const KnMove *moves, int count, bool reasons)
{
    const char *spec = table->arguments->adviser;
    for (int r = 0; !spec && r < table->game->roles; r++)
        if (table->players[r] && !(table->players[r]->traits & KN_PLAYER_ASKS))
            spec = table->players[r]->spec;
    KnError error;
    KnPlayer *adviser = NULL;
    KnArena *arena = kn_arena_new();
    KnRequest request = table_request(table, role, moves, count);
    request.wants = reasons ? KN_WANT_REASON : 0;
    request.arena = arena;
    KnAnswer answer = {0};
    KnStatus status = kn_player_open(table->context, table->game, spec ? spec : "alphabeta(depth=4)",
                                     &adviser, &error);
    if (status == KN_OK) status = kn_player_begin(adviser, role, request.position, &error);
    if (status == KN_OK) status = kn_player_choose(adviser, &request, &answer, &error);
    if (status != KN_OK)
        printf("No advice: %s\n", error.text);
    else if (answer.reason) {
        KnText text = KN_TEXT_EMPTY;
        kn_reason_print(answer.reason, &text);
        fputs(text.data, stdout);
        kn_text_free(&text);
    } else
        printf("%s would play %s\n", adviser->spec,
               kn_game_move_name(table->game, request.position, answer.move, arena));
    kn_player_close(adviser);
    kn_arena_free(arena);
}

/* The moves so far: as a score sheet where the name ends in .pdn, .sgf or .ggf, else as plain moves. */
static KnStatus write_game(const Table *table, const char *path, KnText *out, KnError *error)
{
    const char *dot = strrchr(path, '.');
    KnSheetWriter write = dot ? kn_sheet_format(dot + 1) : NULL;
    if (!write) {
        kn_moves_text(table->contest, out);
        kn_text_add_char(out, '\n');
        return KN_OK;
    }
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    double payoffs[KN_ROLES_MAX];
    bool over = kn_contest_over(table->contest, payoffs);
    KnSheet sheet = {.contest = table->contest,
                     .event = "knack play",
                     .round = "1",
                     .date = date,
                     .payoffs = over ? payoffs : NULL};
    for (int role = 0; role < 2; role++) sheet.players[role] = table->players[role]->spec;
    return write(&sheet, out, error);
}

static void save(const Table *table, const char *path)
{
    if (!*path) {
        puts("save where? e.g. save game.txt");
        return;
    }
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    KnStatus status = write_game(table, path, &text, &error);
    if (status == KN_OK) status = kn_file_write_atomic(path, text.data, text.length, &error);
    if (status == KN_OK)
        printf("Saved to %s.\n", path);
    else
        printf("Not saved: %s\n", error.text);
    kn_text_free(&text);
}

static bool is_person(const Table *table, int role)
{
    return table->players[role] && table->players[role]->traits & KN_PLAYER_ASKS;
}

/* Tells everybody what has been played so far, after a take-back. */
static KnStatus retell(Table *table, KnError *error)
{
    KnStatus status = KN_OK;
    for (int role = 0; role < table->game->roles && status == KN_OK; role++)
        if (table->players[role])
            status = kn_player_begin(table->players[role], role, kn_contest_position(table->contest), error);
    return status;
}

/* Takes back to the last decision of this person. */
static void take_back(Table *table, int role)
{
    KnMove moves[table->game->max_moves];
    if (!kn_contest_undo(table->contest)) {
        puts("There is nothing to take back.");
        return;
    }
    while (!kn_contest_moves(table->contest, role, moves) && kn_contest_undo(table->contest)) {
    }
    KnError error;
    if (retell(table, &error) != KN_OK) printf("%s\n", error.text);
    show_board(table);
}

/* Does what a word other than a move asks for; false if it is none of ours. *again: ask for another line. */
static bool obey(Table *table, int role, char *line, const KnMove *moves, int count, bool *again)
{
    char *rest = line + strcspn(line, " ");
    if (*rest) *rest++ = '\0';
    *again = true;
    if (strcasecmp(line, "help") == 0 || strcmp(line, "?") == 0)
        fputs(help_text, stdout);
    else if (strcasecmp(line, "moves") == 0)
        show_moves(table, moves, count);
    else if (strcasecmp(line, "hint") == 0)
        advise(table, role, moves, count, false);
    else if (strcasecmp(line, "why") == 0)
        advise(table, role, moves, count, true);
    else if (strcasecmp(line, "board") == 0)
        show_board(table);
    else if (strcasecmp(line, "save") == 0)
        save(table, rest);
    else if (strcasecmp(line, "position") == 0) {
        KnText text = KN_TEXT_EMPTY;
        table->game->type->position_text(table->game, kn_contest_position(table->contest), &text);
        puts(text.data);
        kn_text_free(&text);
    } else if (strcasecmp(line, "undo") == 0) {
        take_back(table, role);
        *again = false;
    } else if (strcasecmp(line, "resign") == 0) {
        table->resigned = role;
        *again = false;
    } else if (strcasecmp(line, "quit") == 0 || strcasecmp(line, "exit") == 0) {
        table->left = true;
        *again = false;
    } else {
        if (*rest) rest[-1] = ' ';
        return false;
    }
    return true;
}

/* Asks the person; KN_MOVE_NONE if something else was asked for that changes the course of the game. */
static KnMove ask_person(Table *table, int role)
{
    KnMove moves[table->game->max_moves], move = KN_MOVE_NONE;
    int count = kn_contest_moves(table->contest, role, moves);
    char line[1024];
    for (bool again = true; again;) {
        printf("%s to move> ", table->game->role_names[role]);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) {
            puts("");
            table->left = true;
            return KN_MOVE_NONE;
        }
        line[strcspn(line, "\r\n")] = '\0';
        char *word = line + strspn(line, " \t");
        if (!*word || obey(table, role, word, moves, count, &again)) continue;
        KnError error;
        if (kn_game_parse_move(table->game, kn_contest_position(table->contest), role, word, &move, &error) !=
            KN_OK) {
            printf("%s\n(type help for what you can say)\n", error.text);
            continue;
        }
        for (int i = 0; i < count; i++)
            if (moves[i] == move) return move;
        puts("The rules about repetition forbid that move here.");
    }
    return KN_MOVE_NONE;
}

/* One role's move. */
static KnStatus decide(Table *table, int role, KnMove *move, KnError *error)
{
    KnMove moves[table->game->max_moves];
    int count = kn_contest_moves(table->contest, role, moves);
    *move = KN_MOVE_NONE;
    if (!count) return KN_OK;
    if (!table->players[role]) {
        *move = kn_nature_move(table->contest, &table->rng);
        return KN_OK;
    }
    if (is_person(table, role)) {
        *move = ask_person(table, role);
        return KN_OK;
    }
    KnRequest request = table_request(table, role, moves, count);
    KnAnswer answer = {0};
    KnStatus status = kn_player_choose(table->players[role], &request, &answer, error);
    *move = answer.move;
    return status;
}

/* One joint move, or whatever the person wanted instead. */
static KnStatus take_turn(Table *table, KnError *error)
{
    const KnGame *game = table->game;
    KnMove joint[KN_ROLES_MAX];
    KnArena *arena = kn_arena_new();
    KnStatus status = KN_OK;
    for (int role = 0; role < game->roles; role++) {
        size_t before = kn_contest_plies(table->contest);
        bool had_move = kn_contest_movers(table->contest) >> role & 1;
        status = decide(table, role, &joint[role], error);
        bool changed = table->left || table->resigned >= 0 || kn_contest_plies(table->contest) != before;
        if (status != KN_OK || changed || (had_move && joint[role] == KN_MOVE_NONE)) {
            kn_arena_free(arena);
            return status;
        }
    }
    for (int role = 0; role < game->roles; role++)
        if (joint[role] != KN_MOVE_NONE)
            printf("%s plays %s\n", game->role_names[role],
                   kn_game_move_name(game, kn_contest_position(table->contest), joint[role], arena));
    kn_arena_free(arena);
    status = kn_contest_play_joint(table->contest, joint, error);
    for (int role = 0; role < game->roles && status == KN_OK; role++)
        if (table->players[role])
            status = kn_player_observe(table->players[role], table->contest, joint, error);
    if (status == KN_OK) show_board(table);
    return status;
}

static void announce(const Table *table, const double *payoffs)
{
    const KnGame *game = table->game;
    if (game->traits & KN_GAME_ZERO_SUM) {
        double middle = (game->payoff_low + game->payoff_high) / 2;
        if (payoffs[0] == middle)
            puts("A draw.");
        else
            printf("%s wins.\n", game->role_names[payoffs[0] > middle ? 0 : 1]);
        return;
    }
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature) printf("%s gets %g.\n", game->role_names[role], payoffs[role]);
}

static KnStatus play_at_table(Table *table, KnError *error)
{
    KnStatus status = retell(table, error);
    if (status == KN_OK) show_board(table);
    double payoffs[KN_ROLES_MAX];
    while (status == KN_OK && !table->left && table->resigned < 0) {
        if (kn_contest_over(table->contest, payoffs)) {
            announce(table, payoffs);
            break;
        }
        if (table->arguments->ply_limit && kn_contest_plies(table->contest) >= table->arguments->ply_limit) {
            puts("The ply limit is reached.");
            break;
        }
        status = take_turn(table, error);
    }
    if (table->resigned >= 0) printf("%s resigns.\n", table->game->role_names[table->resigned]);
    return status;
}

/* Opens one player per role; the second seat's default gives way to random where the game cannot be searched.
 */
static KnStatus seat_players(Table *table, KnError *error)
{
    int seat = 0;
    for (int role = 0; role < table->game->roles; role++) {
        if (role == table->game->nature) continue;
        const char *spec = table->arguments->seats[seat > 0];
        KnStatus status;
        if (spec)
            status = kn_player_open(table->context, table->game, spec, &table->players[role], error);
        else {
            status = kn_player_open(table->context, table->game, seat ? "alphabeta(depth=4)" : "human",
                                    &table->players[role], error);
            if (status != KN_OK)
                status = kn_player_open(table->context, table->game, "random", &table->players[role], error);
        }
        if (status != KN_OK) return status;
        seat++;
    }
    return KN_OK;
}

int command_play(int argc, char **argv)
{
    Arguments arguments = {.seed = 1, .from = "start"};
    const struct argp argp = {options, parse, "GAME", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    Table table = {.arguments = &arguments,
                   .resigned = -1,
                   .rng = kn_rng_seeded(arguments.seed),
                   .colour = cli_colour()};
    int code = cli_open(&arguments.common, &table.context);
    if (code) return code;
    KnError error;
    KnStatus status = kn_game_open(table.context, arguments.game, &table.game, &error);
    if (status == KN_OK) status = cli_contest(table.game, arguments.from, &table.contest, &error);
    if (status == KN_OK) status = seat_players(&table, &error);
    if (status == KN_OK) status = play_at_table(&table, &error);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    for (int role = 0; role < KN_ROLES_MAX; role++) kn_player_close(table.players[role]);
    kn_contest_free(table.contest);
    code = cli_trouble(table.game, code);
    kn_game_close(table.game);
    kn_context_free(table.context);
    return code;
}
