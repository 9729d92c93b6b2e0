/* Options that subcommands share, each a small child parser, so that --help, the manual pages and shell
 * completion agree everywhere.
 *
 *     static const struct argp_child children[] = {CLI_SHARES(cli_game_argp), CLI_SHARES(cli_seed_argp),
 *                                                  CLI_SHARES(cli_common_argp), {0}};
 *     case ARGP_KEY_INIT: cli_share(state, children, &mine->shared, &mine->common); return 0;
 *
 * The values are complete when the command's own ARGP_KEY_END comes. */
#ifndef KNACK_CLI_SHARED_OPTIONS_H
#define KNACK_CLI_SHARED_OPTIONS_H

#include "cli/cli.h"

typedef struct CliShared {
    const char *game;       /* GAME, required */
    const char *out, *load; /* --out FILE, --load FILE */
    bool show;              /* --show */
    const char *into;       /* --into DIR */
    uint64_t seeds;         /* --seeds N, with --into; 0: not given (one) */
    uint64_t seed;          /* --seed S; preset to 1 */
    int jobs;               /* --jobs N; 0: not given (all cores) */
} CliShared;

extern const struct argp cli_game_argp, cli_out_argp, cli_seed_argp, cli_jobs_argp;

#define CLI_SHARES(argp)                                                                                     \
    {                                                                                                        \
        &(argp), 0, NULL, 0                                                                                  \
    }

/* Sets the defaults and passes `shared` to the children, and `common` to cli_common_argp. */
void cli_share(struct argp_state *state, const struct argp_child *children, CliShared *shared,
               CliCommon *common);

static inline uint64_t cli_seeds(const CliShared *shared) { return shared->seeds ? shared->seeds : 1; }

#endif
