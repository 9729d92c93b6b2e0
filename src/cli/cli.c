#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arena/store.h"
#include "base/file.h"
#include "base/wrap.h"
#include "cli/describe.h"
#include "cli/run.h"
#include "games/trouble.h"
#include <knack/plugin.h>
#include <knack/base.h>

enum { KEY_JSON = 0x4a01, KEY_QUIET, KEY_DATA, KEY_PROGRESS, KEY_PLUGIN, KEY_DESCRIBE };

static const struct argp_option common_options[] = {
    {0, 0, 0, 0, "Common options:", 50},
    {"json", KEY_JSON, 0, 0, "Print JSON for programs instead of text", 50},
    {"quiet", KEY_QUIET, 0, 0, "Show no progress", 50},
    {"progress", KEY_PROGRESS, "json|text", 0,
     "Progress as lines of JSON on stderr, for programs (default: text)", 50},
    {"data", KEY_DATA, "DIR", 0,
     "Keep results and solved tables in DIR (default: $KNACK_DATA, else the user's data folder)", 50},
    {"plugin", KEY_PLUGIN, "FILE", 0,
     "Load games, players and evaluations from a shared object (docs/own-game.md); may be given several "
     "times, and $KNACK_PLUGINS "
     "names more, with colons between",
     50},
    {"describe", KEY_DESCRIBE, "FORM", OPTION_HIDDEN, NULL, 50}, /* describe.h */
    {0}};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
    CliCommon *common = state->input;
    switch (key) {
    case KEY_JSON:
        common->json = true;
        return 0;
    case KEY_QUIET:
        common->quiet = true;
        return 0;
    case KEY_PROGRESS:
        common->progress = strcmp(arg, "json") == 0;
        if (!common->progress && strcmp(arg, "text") != 0)
            argp_error(state, "--progress expects json or text, not \"%s\"", arg);
        return 0;
    case KEY_DATA:
        common->data = arg;
        return 0;
    case KEY_DESCRIBE:
        if (!cli_describe(state->root_argp, state->name, arg))
            argp_error(state, "--describe expects man, bash, fish, zsh or nothing, not \"%s\"", arg);
        exit(cli_finish());
    case KEY_PLUGIN:
        if (common->plugin_count == CLI_PLUGINS)
            argp_error(state, "--plugin can be given %d times", CLI_PLUGINS);
        common->plugins[common->plugin_count++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cli_common_argp = {common_options, parse_common, NULL, NULL, NULL, NULL, NULL};
const struct argp_child cli_common[] = {{&cli_common_argp, 0, NULL, 0}, {0}};

uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text, uint64_t low,
                         uint64_t high)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || value < low || value > high)
        argp_error(state, "%s expects a whole number from %llu to %llu, not \"%s\"", option,
                   (unsigned long long)low, (unsigned long long)high, text);
    return value;
}

double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low, double high)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "%s expects a number from %g to %g, not \"%s\"", option, low, high, text);
    return value;
}

int cli_fail(const KnError *error)
{
    fflush(stdout);
    fprintf(stderr, "knack: %s\n", error->text);
    return error->status == KN_STOPPED ? 130 : error->status >= KN_FORFEIT ? KN_SYSTEM : (int)error->status;
}

int cli_trouble(const KnGame *game, int code)
{
    KnError error;
    return code || !game || kn_game_trouble(game, &error) == KN_OK ? code : cli_fail(&error);
}

/* Loads a plug-in unless `loaded`, a list of real paths separated by colons, names it already. */
static KnStatus load_plugin(KnContext *context, const char *path, KnText *loaded, KnError *error)
{
    char *real = realpath(path, NULL);
    KnText known = KN_TEXT_EMPTY, sought = KN_TEXT_EMPTY;
    kn_text_printf(&known, ":%s:", loaded->data);
    kn_text_printf(&sought, ":%s:", real ? real : "");
    KnStatus status = KN_OK;
    if (!real || !strstr(known.data, sought.data)) {
        status = kn_plugin_load(context, path, error);
        if (status == KN_OK) kn_text_printf(loaded, "%s%s", loaded->length ? ":" : "", real ? real : path);
    }
    kn_text_free(&known);
    kn_text_free(&sought);
    free(real);
    return status;
}

/* Loads the plug-ins of the command line, then those of the environment, and stores all of them there for
 * worker processes of `knack serve`. */
static KnStatus load_plugins(const CliCommon *common, KnContext *context, KnError *error)
{
    const char *named = getenv("KNACK_PLUGINS");
    char *list = strdup(named ? named : ""), *at = list;
    KnText loaded = KN_TEXT_EMPTY;
    KnStatus status = list ? KN_OK : kn_fail_memory(error, "loading plug-ins");
    for (int i = 0; i < common->plugin_count && status == KN_OK; i++)
        status = load_plugin(context, common->plugins[i], &loaded, error);
    for (char *path; status == KN_OK && (path = strsep(&at, ":"));) {
        if (!*path) continue;
        status = load_plugin(context, path, &loaded, error);
        if (status != KN_OK) kn_fail_within(error, "$KNACK_PLUGINS");
    }
    if (status == KN_OK && loaded.length) setenv("KNACK_PLUGINS", loaded.data, 1);
    kn_text_free(&loaded);
    free(list);
    return status;
}

/* Set once, before anything runs. */
static KnWorkers *helpers;

void cli_set_workers(KnWorkers *workers) { helpers = workers; }

int cli_open(const CliCommon *common, KnContext **context)
{
    KnError error;
    KnStatus status = kn_open(common->data, context, &error);
    if (status == KN_OK) {
        status = load_plugins(common, *context, &error);
        if (status != KN_OK) kn_close(*context);
    }
    if (status != KN_OK) return cli_fail(&error);
    kn_context_set_workers(*context, helpers);
    return 0;
}

int cli_finish(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fprintf(stderr, "knack: the output could not be written: %s\n", strerror(errno));
    return KN_SYSTEM;
}

int cli_print_json(json_t *document)
{
    json_dumpf(document, stdout, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(document);
    return cli_finish();
}

static void report_json(void *user, const KnProgressState *state)
{
    (void)user;
    json_t *line = json_pack("{ss sI sI sf sf sf}", "label", state->label, "done", (json_int_t)state->done,
                             "total", (json_int_t)state->total, "elapsed", state->elapsed, "rate",
                             state->rate, "remaining", state->remaining);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text) fprintf(stderr, "%s\n", text); /* one call, one line */
    free(text);
    json_decref(line);
}

KnProgress *cli_progress(const CliCommon *common, const char *label, uint64_t total)
{
    if (common->progress && !common->quiet)
        return kn_progress_open(
            &(KnProgressOptions){.label = label, .total = total, .report = report_json, .interval = 0.4});
    return kn_progress_new(common->quiet ? NULL : stderr, label, total);
}

KnStatus cli_store_open(const CliCommon *common, const KnContext *context, KnStore **store, KnError *error)
{
    KnStatus status = kn_store_open(context, store, error);
    if (status == KN_OK && !common->quiet && kn_file_is_remote(kn_context_data(context)))
        fprintf(stderr,
                "knack: %s lies on a network file system: the results store works there with locks, slowly. "
                "Give jobs on several machines a folder each (--data), and bring them together with "
                "`knack runs export`\n",
                kn_context_data(context));
    return status;
}

void cli_say(const char *text)
{
    struct winsize size;
    bool terminal = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    KnText out = KN_TEXT_EMPTY;
    kn_wrap(text, terminal && size.ws_col >= 20 ? size.ws_col : 0, &out);
    fputs(out.data, stdout);
    kn_text_free(&out);
}

bool cli_colour(void)
{
    const char *plain = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(plain && *plain) && !(term && strcmp(term, "dumb") == 0);
}

KnStatus cli_state_from(const KnGame *game, const char *words, KnState **out, KnError *error)
{
    KnState *game_state = *out = kn_state_new(game);
    if (!game_state) return kn_fail_memory(error, "setting up a position");
    if (strcmp(words, "start") == 0) return KN_OK;
    void *position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
    if (!position) return kn_fail_memory(error, "setting up a position");
    KnStatus status = game->type->parse_position(game, words, position, error);
    if (status == KN_OK) kn_state_reset(game_state, position);
    free(position);
    return status;
}

/* A mutable global: a signal handler can reach nothing else. */
static atomic_bool interrupted;

static void on_interrupt(int signal_number)
{
    if (atomic_exchange(&interrupted, true)) _exit(128 + signal_number);
}

const atomic_bool *cli_interrupt(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

void cli_wait(const atomic_bool *flag)
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    while (!atomic_load(flag)) sigsuspend(&before); /* waits without polling the flag */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
