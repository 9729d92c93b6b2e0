/* What the subcommands share. A subcommand is one file and one row in main.c: it parses its arguments with
 * argp (common options come as a child parser), opens a context, calls the library, prints, and returns the
 * exit code. Only this folder prints and exits. */
#ifndef KNACK_CLI_CLI_H
#define KNACK_CLI_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arena/store.h"
#include "base/context.h"
#include "base/progress.h"
#include "games/game.h"

typedef struct Command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is "knack NAME" */
} Command;

/* Ends with a row without a name. */
extern const Command cli_commands[];

/* The subcommands of commands that have them. */
extern const Command cli_lab_parts[], cli_satisfice_parts[];
const Command *cli_train_parts(void); /* from the rows of learners */

enum { CLI_PLUGINS = 16 };

/* Options that every subcommand takes. */
typedef struct CliCommon {
    bool json;                        /* --json: one JSON document on stdout instead of text */
    bool quiet;                       /* --quiet: no progress */
    bool progress;                    /* --progress=json: progress as lines of JSON on stderr, for programs */
    const char *data;                 /* --data DIR */
    const char *plugins[CLI_PLUGINS]; /* --plugin FILE */
    int plugin_count;
} CliCommon;

/* Their child parser; give it a CliCommon as input in ARGP_KEY_INIT:
 *     state->child_inputs[0] = &mine->common; */
extern const struct argp_child cli_common[];
extern const struct argp cli_common_argp;

/* Parses a number of an option. On failure argp_error prints a message that names the option and exits
 * with 2. */
uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text, uint64_t low,
                         uint64_t high);
double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low,
                      double high);

/* Opens the library with the data folder and the plug-ins of the options. On failure it prints the error and
 * returns the exit code. */
int cli_open(const CliCommon *common, KnContext **context);

/* "knack: message" on stderr; returns the exit code of the status. */
int cli_fail(const KnError *error);

/* Reports a game description that failed during play (endless or too costly): returns the exit code for it,
 * or `code` if there was no failure or `code` is one already. */
int cli_trouble(const KnGame *game, int code);

/* Prints a JSON document (sorted keys, indented) and releases it. Returns 0, or 4 with a message if stdout is
 * gone. */
int cli_print_json(json_t *document);

/* Flushes stdout; 0, or 4 with a message (a full disk must not look like success). */
int cli_finish(void);

/* Progress on stderr, silent with --quiet. */
KnProgress *cli_progress(const CliCommon *common, const char *label, uint64_t total);

/* The results store, with a warning where its folder is shared with other machines. */
KnStatus cli_store_open(const CliCommon *common, const KnContext *context, KnStore **store, KnError *error);

/* Prints text for a person: on a terminal its lines break at words (base/wrap.h), elsewhere they stay whole.
 */
void cli_say(const char *text);

/* Whether to print in colour: stdout is a terminal, NO_COLOR is not set and TERM is not dumb. */
bool cli_colour(void);

/* A game state at a position: "start" or the game's notation. The caller frees it. */
KnStatus cli_state_from(const KnGame *game, const char *words, KnState **game_state, KnError *error);

/* A flag that Ctrl-C sets; the second Ctrl-C ends the program at once. */
const atomic_bool *cli_interrupt(void);
void cli_wait(const atomic_bool *interrupted); /* until it is set */

#endif
