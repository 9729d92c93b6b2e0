/* knack ggp-server: manages matches of general game playing between players on the network or in this
 * process. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "games/gdl/description.h"
#include "protocols/ggp_manager.h"

typedef struct Arguments {
    CliCommon common;
    KnGgpPlan plan;
    const char *file, *players[KN_GDL_ROLES];
    const char *log; /* folder for records */
    json_t *matches; /* for --json */
} Arguments;

enum { KEY_START = 0x100, KEY_PLAY, KEY_ROTATE, KEY_SCRAMBLE, KEY_PLIES, KEY_MARGIN, KEY_SEED, KEY_LOG };

static const struct argp_option options[] = {
    {"start", KEY_START, "SECONDS", 0, "Start clock (default 10)", 1},
    {"play", KEY_PLAY, "SECONDS", 0, "Play clock (default 5)", 1},
    {"matches", 'n', "N", 0, "Play N matches (default 1)", 1},
    {"rotate", KEY_ROTATE, 0, 0, "Rotate the roles between matches", 1},
    {"scramble", KEY_SCRAMBLE, 0, 0, "Obfuscate the names in the description, differently in every match", 1},
    {"plies", KEY_PLIES, "N", 0, "Abort a match that is not over after N steps", 1},
    {"margin", KEY_MARGIN, "SECONDS", 0,
     "For players given as specs: answer SECONDS before the end of a clock (see `knack ggp --help`)", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of the random role and of replacement moves (default 1)", 1},
    {"log", KEY_LOG, "DIR", 0, "Write the record of each match to DIR/ID.json", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    KnGgpPlan *plan = &arguments->plan;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_START:
        plan->start_clock = cli_parse_real(state, "--start", arg, 0, 1e6);
        return 0;
    case KEY_PLAY:
        plan->play_clock = cli_parse_real(state, "--play", arg, 0, 1e6);
        return 0;
    case 'n':
        plan->matches = (int)cli_parse_count(state, "--matches", arg, 1, 1000000);
        return 0;
    case KEY_ROTATE:
        plan->rotate = true;
        return 0;
    case KEY_SCRAMBLE:
        plan->obfuscation = true;
        return 0;
    case KEY_PLIES:
        plan->plies = cli_parse_count(state, "--plies", arg, 1, 1000000);
        return 0;
    case KEY_MARGIN:
        plan->margin = cli_parse_real(state, "--margin", arg, 0.001, 1000);
        return 0;
    case KEY_SEED:
        plan->seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_LOG:
        arguments->log = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            arguments->file = arg;
        else if (state->arg_num <= KN_GDL_ROLES)
            arguments->players[plan->player_count++] = arg;
        else
            argp_error(state, "at most %d players can play", KN_GDL_ROLES);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->file || !plan->player_count)
            argp_error(state, "give a game description and its players");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Manage matches of general game playing: send the description, ask for moves by the clock, and write "
    "the record.\v"
    "FILE is a game description (.kif) or the name of a built-in one. Give one PLAYER for each role, in the "
    "order of the description: an address (host:port), or a spec, which then plays in this process. The "
    "manager plays a role called random. It replaces late, illegal, malformed or lost answers by random "
    "moves and counts them; the exit code is 1 if there are any.\n"
    "Examples:\n"
    "  knack ggp-server connectfour 127.0.0.1:9147 127.0.0.1:9148 --start 30 --play 15\n"
    "  knack ggp-server ./rules.kif 127.0.0.1:9147 general --matches 10 --rotate --scramble --log records\n"
    "  knack ggp-server tictactoe random random --play 1";

/* ---- While it runs ---- */

static KnStatus write_record(const Arguments *arguments, const KnGgpManaged *match, KnError *error)
{
    KnText path = KN_TEXT_EMPTY, name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s.json", match->id);
    kn_path_join(&path, arguments->log, name.data);
    char *bytes = json_dumps(match->record, JSON_INDENT(1));
    KnStatus status = bytes && kn_text_ok(&path) ? kn_mkdirs(arguments->log, error)
                                                 : kn_fail_memory(error, "writing a record");
    if (status == KN_OK) status = kn_file_write_atomic(path.data, bytes, strlen(bytes), error);
    free(bytes);
    kn_text_free(&path);
    kn_text_free(&name);
    return status;
}

static void print_match(const Arguments *arguments, const KnGgpManaged *match)
{
    printf("match %d  ", match->number + 1);
    if (!match->completed) printf("aborted after %zu steps: %s", match->plies, match->why);
    for (int role = 0, first = 1; role < match->roles && match->completed; role++) {
        if (match->seats[role] < 0) continue;
        printf("%s%s %d", first ? "" : ", ", arguments->players[match->seats[role]], match->goals[role]);
        first = 0;
    }
    if (match->completed) printf(", after %zu steps", match->plies);
    printf("  (%s)\n", match->id);
    fflush(stdout);
}

static KnStatus report(void *user, const KnGgpManaged *match, KnError *error)
{
    Arguments *arguments = user;
    if (!arguments->common.json)
        print_match(arguments, match);
    else
        json_array_append(arguments->matches, (json_t *)(uintptr_t)match->record);
    return arguments->log ? write_record(arguments, match, error) : KN_OK;
}

/* ---- At the end ---- */

static uint64_t faults_of(const KnGgpTally *tally)
{
    uint64_t sum = 0;
    for (int fault = KN_GGP_FINE + 1; fault < KN_GGP_FAULTS; fault++) sum += tally->faults[fault];
    return sum;
}

/* Goals lie within 0 and 100; those of few or equal matches too have an interval that stays there. */
static KnInterval goal_interval(const KnGgpTally *tally)
{
    return kn_moments_interval_within(&tally->goals, 0, 100);
}

static void describe_goal(const KnGgpTally *tally, size_t size, char *text)
{
    KnInterval interval = goal_interval(tally);
    if (tally->goals.count == 0)
        text[0] = '\0';
    else if (tally->goals.count == 1)
        snprintf(text, size, "%.1f", kn_moments_mean(&tally->goals));
    else
        snprintf(text, size, "%.1f [%.0f, %.0f]", kn_moments_mean(&tally->goals), interval.low,
                 interval.high);
}

static void print_players(const Arguments *arguments, const KnGgpTally *tallies)
{
    printf("\n%-32s %8s %16s %8s %6s %8s %10s %5s %8s %6s %9s %9s\n", "player", "matches", "goal (95%)",
           "answers", "late", "illegal", "malformed", "lost", "unready", "over", "slowest s", "START s");
    for (int i = 0; i < arguments->plan.player_count; i++) {
        const KnGgpTally *t = &tallies[i];
        char goal[32];
        describe_goal(t, sizeof goal, goal);
        printf("%-32s %8llu %16s %8llu %6llu %8llu %10llu %5llu %8llu %6llu %9.3f %9.3f\n",
               arguments->players[i], (unsigned long long)t->matches, goal, (unsigned long long)t->answers,
               (unsigned long long)t->faults[KN_GGP_LATE], (unsigned long long)t->faults[KN_GGP_ILLEGAL],
               (unsigned long long)t->faults[KN_GGP_MALFORMED], (unsigned long long)t->faults[KN_GGP_LOST],
               (unsigned long long)t->faults[KN_GGP_UNREADY], (unsigned long long)t->over, t->slowest,
               t->readied);
    }
}

static json_t *players_json(const Arguments *arguments, const KnGgpTally *tallies)
{
    json_t *players = json_array();
    for (int i = 0; i < arguments->plan.player_count; i++) {
        const KnGgpTally *t = &tallies[i];
        json_t *player = json_pack("{ss sI sI so sI sI sf sf}", "player", arguments->players[i], "matches",
                                   (json_int_t)t->matches, "finished", (json_int_t)t->goals.count, "goal",
                                   t->goals.count ? json_real(kn_moments_mean(&t->goals)) : json_null(),
                                   "answers", (json_int_t)t->answers, "over", (json_int_t)t->over, "slowest",
                                   t->slowest, "start", t->readied);
        if (t->goals.count > 1) {
            KnInterval interval = goal_interval(t);
            json_object_set_new(player, "goal_95", json_pack("[ff]", interval.low, interval.high));
        }
        for (int fault = KN_GGP_FINE + 1; fault < KN_GGP_FAULTS; fault++)
            json_object_set_new(player, kn_ggp_fault_name((KnGgpFault)fault),
                                json_integer((json_int_t)t->faults[fault]));
        json_array_append_new(players, player);
    }
    return players;
}

int command_ggp_server(int argc, char **argv)
{
    Arguments arguments = {.plan = {.start_clock = 10, .play_clock = 5, .matches = 1, .seed = 1}};
    const struct argp argp = {options, parse, "FILE PLAYER...", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    signal(SIGPIPE, SIG_IGN);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnGgpPlan *plan = &arguments.plan;
    KnGgpTally tallies[KN_GDL_ROLES] = {0};
    KnText rules = KN_TEXT_EMPTY;
    KnError error;
    KnStatus status = kn_gdl_load(arguments.file, &rules, &error);
    if (status == KN_OK) {
        plan->context = context;
        plan->name = arguments.file;
        plan->rules = rules.data;
        plan->players = arguments.players;
        plan->log = (KnLog){stderr, arguments.common.quiet ? KN_LOG_ERROR : KN_LOG_WARNING, "knack"};
        plan->cancel = cli_interrupt();
        arguments.matches = json_array();
        status = kn_ggp_manage(plan, report, &arguments, tallies, &error);
    }
    kn_text_free(&rules);
    kn_close(context);
    uint64_t faults = 0;
    for (int i = 0; i < plan->player_count; i++) faults += faults_of(&tallies[i]);
    if (status == KN_OK && arguments.common.json)
        code = cli_print_json(json_pack("{ss so so}", "game", arguments.file, "matches",
                                        json_incref(arguments.matches), "players",
                                        players_json(&arguments, tallies)));
    else if (status == KN_OK) {
        print_players(&arguments, tallies);
        code = cli_finish();
    }
    json_decref(arguments.matches);
    if (status != KN_OK) return cli_fail(&error);
    return code ? code : faults ? KN_NO : 0;
}
