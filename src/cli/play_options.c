/* Options for how games are played, shared by match and tournament. */
#include "cli/play_options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "arena/export.h"
#include "base/file.h"
#include "cli/cli.h"
#include "formats/record.h"

enum {
    KEY_SEED = 0x200,
    KEY_OPENINGS,
    KEY_RANDOM,
    KEY_JUDGE,
    KEY_DEPTH,
    KEY_NODES,
    KEY_TIME,
    KEY_LIMIT,
    KEY_TABLES,
    KEY_RESUME,
    KEY_CLOCK,
    KEY_MARGIN,
    KEY_RESIGN,
    KEY_AGREED,
    KEY_DRAW,
    KEY_OPENING_PLIES,
    KEY_ORDER,
    KEY_ENGINES
};

static const struct argp_option options[] = {
    {"games", 'n', "N", 0, "Play N games for each pairing (default 100)", 1},
    {"jobs", 'j', "N", 0, "Use N threads (default: all cores); the result does not depend on N", 1},
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 1},
    {"openings", KEY_OPENINGS, "FILE", 0,
     "Read openings from FILE: a list with moves or a position on each line, or games in PDN, SGF or GGF; "
     "both "
     "players start from each",
     1},
    {"opening-plies", KEY_OPENING_PLIES, "N", 0,
     "Cut openings to N plies (default: 8 of a game record, all of a line)", 1},
    {"opening-order", KEY_ORDER, "ORDER", 0, "file (the default) or random, drawn from the seed", 1},
    {"random-plies", KEY_RANDOM, "N", 0, "Start with N random moves, the same for both sides", 1},
    {"plies", 'p', "N", 0, "End a game after N plies", 1},
    {"judge", KEY_JUDGE, "LEAD", 0, "At the limit of plies, a material lead of LEAD wins (default: a draw)",
     1},
    {"tables", KEY_TABLES, "DIR|on", 0,
     "End a game at its value in the endgame tables of DIR (on: those of the data folder)", 1},
    {"resume", KEY_RESUME, 0, 0,
     "Continue the last stored run although an engine's command does not show all that it runs", 1},
    {"engine-jobs", KEY_ENGINES, "N", 0,
     "Run at most N copies of a foreign engine at the same time (default: --jobs)", 1},
    {"tc", KEY_CLOCK, "TIME", 0,
     "Play with clocks: SECONDS+INCREMENT such as 60+0.6, MOVES/SECONDS+INCREMENT, MINUTES:SECONDS; the "
     "result is "
     "then nondeterministic",
     2},
    {"time-margin", KEY_MARGIN, "SECONDS", 0, "With --tc: how far a clock may be overdrawn (default 0)", 2},
    {"resign", KEY_RESIGN, "MOVES,LEAD", 0,
     "A player loses whose own scores put it LEAD men behind for MOVES moves; LEAD may be a winning chance, "
     "such as "
     "5%",
     2},
    {"resign-agreed", KEY_AGREED, 0, 0, "With --resign: only if the opponent's scores say the same", 2},
    {"draw", KEY_DRAW, "PLY,MOVES,LEAD", 0,
     "A game is drawn where, from PLY on, both players' scores stay within LEAD men for MOVES moves each", 2},
    {"depth", KEY_DEPTH, "N", 0, "Limit the depth of every move to N plies", 2},
    {"nodes", KEY_NODES, "N", 0, "Limit every move to N positions", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Limit every move to SECONDS; the result is then nondeterministic", 2},
    {"forfeit-after", KEY_LIMIT, "SECONDS", 0, "A move that takes longer than SECONDS loses the game", 2},
    {0}};

/* A number and the comma after it, if `more`; moves *text on. */
static bool read_field(const char **text, bool more, double *number, bool *percent)
{
    int used = 0;
    if (sscanf(*text, "%lf%n", number, &used) != 1 || !(*number >= 0 && *number <= 1e6)) return false;
    *text += used;
    if (percent) *percent = **text == '%';
    if (percent && *percent) (*text)++;
    if (more && **text != ',') return false;
    if (more) (*text)++;
    return more || !**text;
}

/* A lead of men as a distance from an even chance, in percent; chances are given as such. */
static double distance(double number, bool percent)
{
    return percent ? 50 - number : 50 * number / (number + 3);
}

static void parse_resign(KnAdjudication *rules, const char *text, struct argp_state *state)
{
    const char *at = text;
    double moves = 0, lead = 0;
    bool percent = false;
    if (!read_field(&at, true, &moves, NULL) || !read_field(&at, false, &lead, &percent) || moves < 1 ||
        moves > 1000 || (percent ? lead >= 50 : lead <= 0))
        argp_error(state, "--resign expects moves and a lead such as 4,5 or 4,5%%, not \"%s\"", text);
    rules->resign_moves = (int)moves;
    rules->resign_below = 50 - distance(lead, percent);
}

static void parse_draw(KnAdjudication *rules, const char *text, struct argp_state *state)
{
    const char *at = text;
    double ply = 0, moves = 0, lead = 0;
    if (!read_field(&at, true, &ply, NULL) || !read_field(&at, true, &moves, NULL) ||
        !read_field(&at, false, &lead, NULL) || moves < 1 || moves > 1000)
        argp_error(state, "--draw expects a ply, moves and a lead such as 60,8,0.2, not \"%s\"", text);
    rules->draw_from = (size_t)ply;
    rules->draw_moves = (int)moves;
    rules->draw_within = distance(lead, false);
}

static void parse_clock(KnTimeControl *clock, const char *text, struct argp_state *state)
{
    KnError error;
    if (kn_time_control_parse(text, clock, &error) != KN_OK) argp_error(state, "--tc: %s", error.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    KnMatchPlan *plan = state->input;
    switch (key) {
    case 'n':
        plan->games = cli_parse_count(state, "--games", arg, 1, UINT32_MAX);
        return 0;
    case 'j':
        plan->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_SEED:
        plan->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_OPENINGS:
        plan->openings = arg;
        return 0;
    case KEY_RANDOM:
        plan->random_plies = (int)cli_parse_count(state, "--random-plies", arg, 0, 1000);
        return 0;
    case 'p':
        plan->rules.ply_limit = cli_parse_count(state, "--plies", arg, 1, 1000000);
        return 0;
    case KEY_JUDGE:
        plan->rules.judge = cli_parse_real(state, "--judge", arg, 0, 1e9);
        return 0;
    case KEY_TABLES:
        plan->tables = arg;
        return 0;
    case KEY_RESUME:
        plan->resume = true;
        return 0;
    case KEY_DEPTH:
        plan->rules.budget.depth = (int)cli_parse_count(state, "--depth", arg, 1, 200);
        return 0;
    case KEY_NODES:
        plan->rules.budget.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX);
        return 0;
    case KEY_TIME:
        plan->rules.budget.seconds = cli_parse_real(state, "--time", arg, 1e-4, 1e6);
        return 0;
    case KEY_LIMIT:
        plan->rules.move_limit = cli_parse_real(state, "--forfeit-after", arg, 1e-4, 1e6);
        return 0;
    case KEY_CLOCK:
        parse_clock(&plan->rules.clock, arg, state);
        return 0;
    case KEY_MARGIN:
        plan->rules.clock.margin = cli_parse_real(state, "--time-margin", arg, 0, 1e6);
        return 0;
    case KEY_RESIGN:
        parse_resign(&plan->rules.adjudication, arg, state);
        return 0;
    case KEY_AGREED:
        plan->rules.adjudication.resign_agreed = true;
        return 0;
    case KEY_DRAW:
        parse_draw(&plan->rules.adjudication, arg, state);
        return 0;
    case KEY_OPENING_PLIES:
        plan->opening_plies = (int)cli_parse_count(state, "--opening-plies", arg, 1, 10000);
        return 0;
    case KEY_ORDER:
        if (strcmp(arg, "file") != 0 && strcmp(arg, "random") != 0)
            argp_error(state, "--opening-order is file or random, not \"%s\"", arg);
        plan->shuffle_openings = arg[0] == 'r';
        return 0;
    case KEY_ENGINES:
        plan->engine_jobs = (int)cli_parse_count(state, "--engine-jobs", arg, 1, 1024);
        return 0;
    case ARGP_KEY_END:
        if (plan->rules.adjudication.resign_agreed && !plan->rules.adjudication.resign_moves)
            argp_error(state, "--resign-agreed is for --resign");
        if (plan->rules.clock.margin > 0 &&
            !(plan->rules.clock.seconds > 0 || plan->rules.clock.increment > 0))
            argp_error(state, "--time-margin is for --tc");
        if ((plan->opening_plies || plan->shuffle_openings) && !plan->openings)
            argp_error(state, "--opening-plies and --opening-order are for --openings");
        return ARGP_ERR_UNKNOWN;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp_child cli_play_options[] = {{&argp, 0, NULL, 0}, {&cli_common_argp, 0, NULL, 0}, {0}};

/* ---- --export ---- */

static const char *format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot + 1, "csv") == 0 || kn_game_record_format(dot + 1)) ? dot + 1 : NULL;
}

void cli_check_export(struct argp_state *state, const char *path, bool store)
{
    if (!path) return;
    if (!store) argp_error(state, "--export takes the games from the results store; leave out --no-store");
    if (!format_of(path)) argp_error(state, "--export wants a file that ends in .csv, .pdn, .sgf or .ggf");
}

KnStatus cli_export_games(const KnContext *context, KnStore *store, const char *const *runs, size_t count,
                          const char *path, KnError *error)
{
    KnText all = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    const char *format = format_of(path);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnText one = KN_TEXT_EMPTY;
        status = kn_export_run(context, store, runs[i], format, &one, error);
        const char *rest = one.data;
        if (status == KN_OK && i && strcasecmp(format, "csv") == 0)
            rest += strcspn(rest, "\n") + 1; /* one head */
        if (status == KN_OK) kn_text_add(&all, rest);
        kn_text_free(&one);
    }
    if (status == KN_OK && !kn_text_ok(&all)) status = kn_fail_memory(error, "exporting games");
    if (status == KN_OK) status = kn_file_write_atomic(path, all.data, all.length, error);
    kn_text_free(&all);
    return status == KN_OK ? KN_OK : kn_fail_within(error, "%s", path);
}
