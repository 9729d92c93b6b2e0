/* knack play: a person at the terminal, against any player, or two players to watch. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "arena/play.h"
#include "arena/review.h"
#include "arena/time_control.h"
#include "base/file.h"
#include "cli/advice.h"
#include "cli/board.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/kept_game.h"
#include "cli/levels.h"
#include "cli/read_line.h"
#include "cli/record_file.h"
#include "formats/record.h"
#include "players/player.h"

typedef struct Arguments {
    CliCommon common;
    const char *game;
    const char *seats[2];
    const char *from;
    const char *adviser;
    const char *resume;
    uint64_t seed;
    size_t ply_limit;
    bool no_store;
    const char *load, *level;
    KnTimeControl clock;
    bool review, coach, list;
} Arguments;

/* A game in progress at the terminal. */
typedef struct Table {
    const Arguments *arguments;
    KnContext *context;
    KnGame *game;
    KnState *state;
    KnPlayer *players[KN_ROLES_MAX]; /* by role; NULL for nature */
    KnPlayer people[KN_ROLES_MAX];   /* sit for the players that are people */
    KnRng rng;
    CliLooks looks;
    bool quit;    /* the person leaves */
    int undo;     /* role that takes back, or -1 */
    int resigned; /* role, or -1 */
    CliAdvice advice;
    CliKept kept;
    CliRecord loaded; /* of --load: game and state are the table's */
    KnText start;     /* of --load: where its game began */
    KnClocks clocks;  /* of --clock; they go on after a take-back */
} Table;

enum {
    KEY_SEED = 0x100,
    KEY_FROM,
    KEY_FIRST,
    KEY_SECOND,
    KEY_HINT,
    KEY_RESUME,
    KEY_NO_STORE,
    KEY_LOAD,
    KEY_LEVEL,
    KEY_CLOCK,
    KEY_REVIEW,
    KEY_COACH,
    KEY_LIST
};

static const struct argp_option options[] = {
    {"first", KEY_FIRST, "PLAYER", 0, "Who plays the first role (default: human)", 1},
    {"second", KEY_SECOND, "PLAYER", 0,
     "Who plays the second role (default: an opponent of middle strength that fits the game)", 1},
    {"level", KEY_LEVEL, "LEVEL", 0,
     "Play against a level of measured strength: its name, or its number from 1", 1},
    {"clock", KEY_CLOCK, "TIME", 0, "Play with clocks: SECONDS+INCREMENT such as 300+3, or MINUTES:SECONDS",
     1},
    {"load", KEY_LOAD, "FILE", 0, "Go on with a game from a file in PDN, SGF or GGF, or saved by `save`", 1},
    {"review", KEY_REVIEW, 0, 0, "At the end, show which moves cost something and where the game turned", 1},
    {"coach", KEY_COACH, 0, 0, "After each of your moves, say what it was worth, and what was better", 1},
    {"list", KEY_LIST, 0, 0, "List the games that you have played, and those that you left", 1},
    {"from", KEY_FROM, "POSITION", 0, "Start from a position in the game's notation", 1},
    {"hint", KEY_HINT, "PLAYER", 0, "Player that gives hints (default: the opponent)", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 1},
    {"plies", 'p', "N", 0, "Stop after N plies", 1},
    {"resume", KEY_RESUME, "RUN", 0, "Go on with an unfinished game; `knack runs` lists them", 1},
    {"no-store", KEY_NO_STORE, 0, 0, "Do not keep the game", 1},
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
    case KEY_RESUME:
        arguments->resume = arg;
        return 0;
    case KEY_LOAD:
        arguments->load = arg;
        return 0;
    case KEY_LEVEL:
        arguments->level = arg;
        return 0;
    case KEY_REVIEW:
        arguments->review = true;
        return 0;
    case KEY_COACH:
        arguments->coach = true;
        return 0;
    case KEY_LIST:
        arguments->list = true;
        return 0;
    case KEY_CLOCK: {
        KnError error;
        if (kn_time_control_parse(arg, &arguments->clock, &error) != KN_OK)
            argp_error(state, "--clock: %s", error.text);
        return 0;
    }
    case KEY_NO_STORE:
        arguments->no_store = true;
        return 0;
    case 'p':
        arguments->ply_limit = cli_parse_count(state, "--plies", arg, 1, 1000000);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->game) argp_error(state, "one argument too many: \"%s\"", arg);
        arguments->game = arg;
        return 0;
    case ARGP_KEY_END:
        if (arguments->resume && (arguments->game || arguments->seats[0] || arguments->seats[1]))
            argp_error(state, "--resume takes the game and the players from the game that it continues");
        if (arguments->level && (arguments->resume || (arguments->seats[0] && arguments->seats[1])))
            argp_error(state, "--level is an opponent: leave out --resume, --first or --second");
        if (arguments->load && (arguments->resume || strcmp(arguments->from, "start") != 0))
            argp_error(state, "--load brings its own position: leave out --from and --resume");
        if (arguments->common.json && !arguments->list)
            argp_error(state, "--json is for --list: a game is played in the terminal");
        if (!arguments->game && !arguments->resume && !arguments->load && !arguments->list)
            argp_error(state, "which game? `knack games` lists them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Play a game in the terminal.\v"
    "Type a move, or help for what else you can say: moves, hint, why, judge, undo, save FILE, resign, quit. "
    "Every game is kept: --list shows them, and --resume goes on with one that you left.\n"
    "Examples:\n"
    "  knack play checkers\n"
    "  knack play othello --first 'alphabeta(depth=3)' --second human\n"
    "  knack play 'tictactoe(lose)' --first perfect --second random\n"
    "  knack play othello --level easy --clock 300+3 --review\n"
    "  knack play checkers --coach\n"
    "  knack play --list\n"
    "  knack play --load game.pdn --first human --second human\n"
    "  knack play --resume play-1a2b3c4d";

static const char help_text[] =
    "  a move      in the game's notation, as `moves` lists them\n"
    "  moves       the legal moves\n"
    "  hint        what the adviser would play\n"
    "  why         the same, with reasons\n"
    "  judge       what your last move was worth\n"
    "  undo        take back your last move, and the reply\n"
    "  board       show the board again\n"
    "  position    the position as one line of text\n"
    "  save FILE   write the game: as PDN, SGF or GGF if FILE ends so, else as lines\n"
    "  resign      give up\n"
    "  quit        leave; `knack play --resume` goes on\n";

static void show_board(const Table *table)
{
    KnText text = KN_TEXT_EMPTY;
    size_t plies = kn_state_plies(table->state);
    cli_draw(table->game, kn_state_position(table->state),
             plies ? kn_state_position_at(table->state, plies - 1) : NULL, table->looks, &text);
    printf("\n%s", text.data);
    kn_text_free(&text);
}

static void show_moves(const Table *table, const KnMove *moves, int count)
{
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < count; i++) {
        kn_text_add(&text, i ? "  " : "  ");
        table->game->type->move_text(table->game, kn_state_position(table->state), moves[i], &text);
    }
    puts(text.data);
    kn_text_free(&text);
}

/* A player that fits the game is the judge, and gives hints where there is no opponent: one that nobody
 * named. */
static CliAdviser adviser_of(const Table *table, bool judge)
{
    CliAdviser adviser = {
        .context = table->context, .spec = table->arguments->adviser, .seed = table->arguments->seed};
    for (int r = 0; !judge && !adviser.spec && r < table->game->roles; r++)
        if (table->players[r] && !(table->players[r]->traits & KN_PLAYER_ASKS))
            adviser.spec = table->players[r]->spec;
    if (!adviser.spec) adviser.spec = kn_fitting_player(table->game);
    return adviser;
}

/* Prints what the adviser would play, with its explanation if wanted. */
static void advise(Table *table, const KnRequest *question, bool explain)
{
    KnError error;
    CliAdvice *advice = &table->advice;
    CliAdviser adviser = adviser_of(table, false);
    KnStatus status = advice->given && advice->plies == kn_state_plies(table->state)
                          ? KN_OK
                          : cli_advise(&adviser, table->state, question->role, advice, &error);
    if (status != KN_OK)
        printf("No advice: %s\n", error.text);
    else
        cli_say(explain && advice->reasons.length ? advice->reasons.data : advice->move.data);
}

/* Prints what a judge thinks of a person's last move. */
static void judge(const Table *table, int role)
{
    KnError error;
    KnText verdict = KN_TEXT_EMPTY;
    CliAdviser adviser = adviser_of(table, true);
    if (cli_judge(&adviser, table->state, role, &verdict, &error) == KN_OK)
        cli_say(verdict.data);
    else
        printf("No verdict: %s\n", error.text);
    kn_text_free(&verdict);
}

/* Writes the moves so far: as a game record if the name ends in .pdn, .sgf or .ggf, else as lines. */
static KnStatus write_game(const Table *table, const char *path, KnText *out, KnError *error)
{
    const char *dot = strrchr(path, '.');
    KnRecordWriter write = dot ? kn_game_record_format(dot + 1) : NULL;
    if (!write) {
        kn_lines_write(table->state, out);
        return KN_OK;
    }
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    double payoffs[KN_ROLES_MAX];
    bool over = kn_state_over(table->state, payoffs);
    KnGameRecord record = {.state = table->state,
                           .event = "knack play",
                           .round = "1",
                           .date = date,
                           .payoffs = over ? payoffs : NULL};
    for (int role = 0; role < 2; role++) record.players[role] = table->players[role]->spec;
    return write(&record, out, error);
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

/* Carries out a command; false if the line is none. *again: ask for another line. */
static bool obey(Table *table, const KnRequest *request, char *line, bool *again)
{
    char *rest = line + strcspn(line, " ");
    if (*rest) *rest++ = '\0';
    *again = true;
    if (strcasecmp(line, "help") == 0 || strcmp(line, "?") == 0)
        fputs(help_text, stdout);
    else if (strcasecmp(line, "moves") == 0)
        show_moves(table, request->allowed, request->allowed_count);
    else if (strcasecmp(line, "hint") == 0)
        advise(table, request, false);
    else if (strcasecmp(line, "why") == 0)
        advise(table, request, true);
    else if (strcasecmp(line, "judge") == 0)
        judge(table, request->role);
    else if (strcasecmp(line, "board") == 0)
        show_board(table);
    else if (strcasecmp(line, "save") == 0)
        save(table, rest);
    else if (strcasecmp(line, "position") == 0) {
        KnText text = KN_TEXT_EMPTY;
        table->game->type->position_text(table->game, request->position, &text);
        puts(text.data);
        kn_text_free(&text);
    } else if (strcasecmp(line, "undo") == 0) {
        if (kn_state_plies(table->state)) {
            table->undo = request->role;
            *again = false;
        } else
            puts("There is nothing to take back.");
    } else if (strcasecmp(line, "resign") == 0) {
        table->resigned = request->role;
        *again = false;
    } else if (strcasecmp(line, "quit") == 0 || strcasecmp(line, "exit") == 0) {
        table->quit = true;
        *again = false;
    } else {
        if (*rest) rest[-1] = ' ';
        return false;
    }
    return true;
}

/* Reads lines until one is a legal move, or a command that ends the game or takes back. */
static KnStatus ask_person(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Table *table = player->data;
    char line[1024];
    for (bool again = true; again;) {
        char prompt[160];
        int used = snprintf(prompt, sizeof prompt, "%.80s to move", table->game->role_names[request->role]);
        if (request->clocks)
            used += snprintf(prompt + used, sizeof prompt - (size_t)used, " (%.0f s)",
                             request->clocks->remaining[request->role]);
        snprintf(prompt + used, sizeof prompt - (size_t)used, "> ");
        if (!cli_read_line(prompt, line, sizeof line)) {
            puts("");
            table->quit = true;
            break;
        }
        line[strcspn(line, "\r\n")] = '\0';
        char *word = line + strspn(line, " \t");
        if (!*word || obey(table, request, word, &again)) continue;
        KnError why;
        if (kn_game_parse_move(table->game, request->position, request->role, word, &answer->move, &why) !=
            KN_OK) {
            printf("%s\n(type help for what you can say)\n", why.text);
            continue;
        }
        for (int i = 0; i < request->allowed_count; i++)
            if (request->allowed[i] == answer->move) return KN_OK;
        puts("The rules about repetition forbid that move here.");
    }
    return table->resigned >= 0 ? kn_fail(error, KN_FORFEIT, "resigns")
                                : kn_fail(error, KN_STOPPED, "stopped");
}

static const KnPlayerType person = {.head = {"person", "somebody at the terminal", NULL},
                                    .choose = ask_person};

/* Goes back to the last decision of the person who asked for it. */
static void take_back(Table *table)
{
    KnMove moves[table->game->max_moves];
    int role = table->undo;
    kn_state_undo(table->state);
    while (!kn_state_moves(table->state, role, moves) && kn_state_undo(table->state)) {
    }
    table->undo = -1;
    table->advice.given = false;
    cli_kept_save(&table->kept, table->state);
    show_board(table);
}

static KnStatus show_turn(void *user, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)error;
    Table *table = user;
    const KnGame *game = table->game;
    table->advice.given = false;
    cli_kept_save(&table->kept, state);
    KnArena *arena = kn_arena_new();
    const void *before = kn_state_position_at(state, kn_state_plies(state) - 1);
    for (int role = 0; role < game->roles; role++)
        if (joint[role] != KN_MOVE_NONE)
            printf("%s plays %s\n", game->role_names[role],
                   kn_game_move_name(game, before, joint[role], arena));
    kn_arena_free(arena);
    for (int role = 0; role < game->roles && table->arguments->coach; role++)
        if (joint[role] != KN_MOVE_NONE && table->people[role].type) judge(table, role);
    show_board(table);
    return KN_OK;
}

/* " by 12" where the game counts points or discs, else "". */
static const char *count_of(const Table *table, char count[64])
{
    const KnGame *game = table->game;
    count[0] = 0;
    if (!game->type->points || !kn_state_over(table->state, NULL)) return count;
    double margin = game->type->points(game, kn_state_position(table->state), 0);
    if (margin < 0) margin = -margin;
    if (margin > 0) snprintf(count, 64, " by %g", margin);
    return count;
}

static void announce(const Table *table, const double *payoffs)
{
    const KnGame *game = table->game;
    char count[64];
    if (game->traits & KN_GAME_ZERO_SUM) {
        double middle = (game->payoff_low + game->payoff_high) / 2;
        if (payoffs[0] == middle)
            puts("A draw.");
        else
            printf("%s wins%s.\n", game->role_names[payoffs[0] > middle ? 0 : 1], count_of(table, count));
        return;
    }
    for (int role = 0; role < game->roles; role++)
        if (role != game->nature) printf("%s gets %g.\n", game->role_names[role], payoffs[role]);
}

/* The judge's words about the moves that cost most. */
static void print_worst(const KnReview *found)
{
    enum { WORST = 3 };
    const KnReviewedMove *told[WORST];
    for (int n = 0; n < WORST; n++) {
        const KnReviewedMove *worst = NULL;
        for (size_t i = 0; i < found->count; i++) {
            const KnReviewedMove *move = &found->moves[i];
            bool known = !*move->words;
            for (int k = 0; k < n; k++) known |= told[k] == move;
            if (!known && (!worst || move->before - move->after > worst->before - worst->after)) worst = move;
        }
        if (!worst) return;
        told[n] = worst;
        KnText words = KN_TEXT_EMPTY;
        kn_text_printf(&words, "%s%4zu. %s: %s\n", n ? "" : "\n", worst->ply + 1, worst->text, worst->words);
        cli_say(words.data);
        kn_text_free(&words);
    }
}

/* What the game's own judge says about the moves of people, or of both where nobody sat at the terminal. */
static KnStatus review(const Table *table, KnError *error)
{
    int people = -1, count = 0;
    for (int role = 0; role < table->game->roles; role++)
        if (table->people[role].type) people = role, count++;
    KnReviewPlan plan = {.judge = table->arguments->adviser,
                         .seed = table->arguments->seed,
                         .cancel = cli_interrupt(),
                         .role = count == 1 ? people : -1};
    KnReview found;
    KnStatus status = kn_review(table->context, table->state, &plan, NULL, &found, error);
    if (status != KN_OK) return status;
    KnText text = KN_TEXT_EMPTY;
    kn_review_text(&found, table->game, &text);
    puts("");
    cli_say(text.data);
    print_worst(&found);
    kn_text_free(&text);
    kn_review_free(&found);
    return KN_OK;
}

static bool has_people(const Table *table)
{
    for (int role = 0; role < table->game->roles; role++)
        if (table->people[role].type) return true;
    return false;
}

/* Plays to the end; a take-back starts the game again from an earlier position. */
static KnStatus play_at_table(Table *table, KnError *error)
{
    KnPlayPlan plan = {.state = table->state,
                       .rules = {.ply_limit = table->arguments->ply_limit,
                                 .cancel = cli_interrupt(),
                                 .clock = table->arguments->clock},
                       .after = show_turn,
                       .user = table,
                       .clocks = &table->clocks};
    kn_clocks_start(&plan.rules.clock, table->game->roles, &table->clocks);
    for (int role = 0; role < table->game->roles; role++) {
        plan.players[role] = table->people[role].type ? &table->people[role] : table->players[role];
        plan.rngs[role] = &table->rng;
    }
    KnPlayed played;
    KnStatus status;
    show_board(table);
    while ((status = kn_play(&plan, &played, error)) == KN_STOPPED && table->undo >= 0) take_back(table);
    if (status == KN_STOPPED && table->kept.run)
        printf("The game is kept: knack play --resume %s\n", table->kept.name);
    if (status == KN_STOPPED && table->quit) return cli_kept_outcome(&table->kept, error);
    if (status != KN_OK) return status;
    cli_kept_finish(&table->kept, table->state, &played);
    if (table->resigned >= 0)
        printf("%s resigns.\n", table->game->role_names[table->resigned]);
    else if (played.ending == KN_ENDED_BY_FORFEIT)
        return kn_fail(error, KN_FORFEIT, "%s loses: %.900s", table->game->role_names[played.culprit],
                       played.fault);
    else if (played.ending == KN_ENDED_AT_LIMIT)
        puts("The ply limit is reached.");
    else
        announce(table, played.payoffs);
    if (has_people(table) && table->kept.run)
        printf("Kept as %s; knack play --list shows your games.\n", table->kept.name);
    if (table->arguments->review) status = review(table, error);
    return status == KN_OK ? cli_kept_outcome(&table->kept, error) : status;
}

/* Who plays a seat: as asked for, a person first, then a level or an opponent that fits the game. */
static KnStatus seat_spec(const Table *table, int seat, KnText *spec, KnError *error)
{
    const Arguments *arguments = table->arguments;
    const char *asked = arguments->seats[seat > 0];
    bool opposes = seat ? true : arguments->seats[1] != NULL && arguments->level != NULL;
    if (asked)
        kn_text_add(spec, asked);
    else if (opposes && arguments->level)
        return cli_level(table->game, arguments->level, spec, error);
    else if (seat)
        cli_fitting_opponent(table->game, spec);
    else
        kn_text_add(spec, "human");
    return KN_OK;
}

/* Opens one player per role. */
static KnStatus seat_players(Table *table, KnError *error)
{
    int seat = 0;
    for (int role = 0; role < table->game->roles; role++) {
        if (role == table->game->nature) continue;
        KnText spec = KN_TEXT_EMPTY;
        bool asked = table->arguments->seats[seat > 0] || table->arguments->level;
        KnStatus status = seat_spec(table, seat, &spec, error);
        if (status == KN_OK)
            status = kn_player_open(table->context, table->game, spec.data, &table->players[role], error);
        kn_text_free(&spec);
        if (status != KN_OK && !asked)
            status = kn_player_open(table->context, table->game, "random", &table->players[role], error);
        if (status != KN_OK) return status;
        if (table->players[role]->traits & KN_PLAYER_ASKS)
            table->people[role] = (KnPlayer){.type = &person,
                                             .context = table->context,
                                             .game = table->game,
                                             .spec = table->players[role]->spec,
                                             .data = table};
        seat++;
    }
    return KN_OK;
}

/* The game, its position, and what is kept of it: a new one, or one that goes on. */
static KnStatus set_up(Table *table, Arguments *arguments, KnError *error)
{
    CliKept *kept = &table->kept;
    KnStatus status = KN_OK;
    if (arguments->resume) {
        status = cli_kept_load(table->context, arguments->resume, kept, error);
        if (status != KN_OK) return status;
        arguments->game = kept->game;
        arguments->from = kept->from;
        arguments->seed = kept->seed;
        arguments->ply_limit = (size_t)kept->ply_limit;
        if (!arguments->adviser) arguments->adviser = kept->adviser;
        for (int seat = 0; seat < 2; seat++) arguments->seats[seat] = kept->players[seat];
    }
    if (arguments->load) {
        CliRecord *loaded = &table->loaded;
        status = cli_record_read(table->context, arguments->load, 1, arguments->game, loaded, error);
        if (status != KN_OK) return status;
        kn_game_record_text_free(&loaded->text);
        table->game = loaded->game;
        table->state = loaded->state;
        arguments->game = table->game->spec;
        /* The game begins where the file's game began; the moves since then are replayed by --resume. */
        char *origin = kn_game_position_text(table->game, kn_state_position_at(table->state, 0));
        kn_text_add(&table->start, origin ? origin : "start");
        kn_free(origin);
        arguments->from = table->start.data;
    } else {
        status = kn_game_open(table->context, arguments->game, &table->game, error);
        if (status == KN_OK) status = cli_state_from(table->game, arguments->from, &table->state, error);
    }
    if (status == KN_OK) status = seat_players(table, error);
    if (status != KN_OK) return status;
    if (arguments->resume) {
        status = kn_replay(table->state, kept->moves, error);
        table->rng = kn_rng_stream(arguments->seed, kn_state_plies(table->state));
        return status == KN_OK ? KN_OK : kn_fail_within(error, "%s", kept->path.data);
    }
    kept->game = arguments->game;
    kept->from = arguments->from;
    kept->adviser = arguments->adviser;
    kept->seed = arguments->seed;
    kept->ply_limit = arguments->ply_limit;
    kept->players[0] = kept->players[1] = "-";
    int seat = 0;
    for (int role = 0; role < table->game->roles && seat < 2; role++)
        if (table->players[role]) kept->players[seat++] = table->players[role]->spec;
    if (!arguments->no_store) cli_kept_start(table->context, kept);
    return KN_OK;
}

int command_play(int argc, char **argv)
{
    Arguments arguments = {.seed = 1, .from = "start"};
    const struct argp argp = {options, parse, "[GAME]", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    Table table = {.arguments = &arguments,
                   .undo = -1,
                   .resigned = -1,
                   .rng = kn_rng_seeded(arguments.seed),
                   .advice = CLI_ADVICE_NONE,
                   .kept.path = KN_TEXT_EMPTY,
                   .start = KN_TEXT_EMPTY,
                   .looks = cli_looks()};
    int code = cli_open(&arguments.common, &table.context);
    if (code) return code;
    KnError error;
    if (arguments.list) {
        KnStatus listed = cli_kept_list(table.context, arguments.common.json, &error);
        kn_close(table.context);
        return listed == KN_OK ? cli_finish() : cli_fail(&error);
    }
    KnStatus status = set_up(&table, &arguments, &error);
    if (status == KN_OK) status = play_at_table(&table, &error);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    for (int role = 0; role < KN_ROLES_MAX; role++) kn_player_close(table.players[role]);
    kn_state_free(table.state);
    code = cli_trouble(table.game, code);
    kn_game_close(table.game);
    cli_kept_free(&table.kept);
    kn_text_free(&table.start);
    cli_advice_free(&table.advice);
    kn_close(table.context);
    return code;
}
