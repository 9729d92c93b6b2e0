/* What the subcommands share. A subcommand is one file with one row in main.c: it parses its words with argp
 * (options common to all come as a child parser), opens a context, does its work through the library, prints,
 * and returns the exit code. Only this room prints and exits. */
#ifndef KNACK_CLI_CLI_H
#define KNACK_CLI_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "base/progress.h"
#include "games/contest.h"

typedef struct Command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is "knack NAME" */
} Command;

/* Ends with a row without a name. */
extern const Command cli_commands[];

/* Those whose first word names a part with options of its own have a table of parts, likewise. */
extern const Command cli_train_parts[], cli_lab_parts[], cli_satisfice_parts[];

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

/* The child parser for them; give it a CliCommon as input:
 *     state->child_inputs[0] = &mine->common;    (in ARGP_KEY_INIT) */
extern const struct argp_child cli_common[];
extern const struct argp cli_common_argp;

/* Numbers in options, with a message that names the option: exits with 2 through argp_error. */
uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text, uint64_t low,
                         uint64_t high);
double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low,
                      double high);

/* Opens the library with the data folder and the plug-ins asked for. Reports failure itself: a non-zero
 * return is the exit code. */
int cli_open(const CliCommon *common, KnContext **context);

/* "knack: message" on stderr; returns the exit code of the status. */
int cli_fail(const KnError *error);

/* Where the rules of a game failed on the way (a rule sheet that is endless or too costly), says so: the exit
 * code, or `code` if all went well or that tells of something else already. */
int cli_trouble(const KnGame *game, int code);

/* Prints a JSON document (sorted keys, indented) and releases it. Returns 0, or 4 with a message if stdout is
 * gone. */
int cli_print_json(json_t *document);

/* Flushes stdout; 0, or 4 with a message (a full disk must not look like success). */
int cli_finish(void);

/* Progress on stderr, silent with --quiet. */
KnProgress *cli_progress(const CliCommon *common, const char *label, uint64_t total);

/* Whether to print in colour: stdout is a terminal, and neither NO_COLOR nor TERM=dumb speaks against it. */
bool cli_colour(void);

/* A contest at a position given in words: "start", or the game's notation. The caller frees it. */
KnStatus cli_contest(const KnGame *game, const char *words, KnContest **contest, KnError *error);

/* A flag that Ctrl-C sets (the second one ends the program at once). */
const atomic_bool *cli_interrupt(void);
void cli_wait(const atomic_bool *interrupted); /* until it is set */

#endif
