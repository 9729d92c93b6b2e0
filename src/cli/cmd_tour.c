/* knack tour: Knack on one screen. What it is, one value of each paper beside what was measured, a learner
 * whose curve grows while you look, and where to go next. The measured values are those that `knack lab
 * report` shows: shipped, or measured here at a larger scale. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "arena/learner.h"
#include "lab/journal.h"
#include "lab/shipped.h"

enum { KEY_GAMES = 0x100, TOUR_GAMES = 200, TOUR_POINTS = 10 };

typedef struct Arguments {
    CliCommon common;
    uint64_t games;
} Arguments;

static const struct argp_option options[] = {
    {"games", KEY_GAMES, "N", 0, "Games that the learner plays (default 200)", 1}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case KEY_GAMES:
        a->games = cli_parse_count(state, "--games", arg, 10, 100000);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "the tour takes no arguments");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the papers ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static KnStatus read_journal(const KnContext *context, json_t **journal, KnError *error)
{
    json_t *results;
    KnStatus status = kn_lab_shown(context, NULL, NULL, &results, error);
    if (status != KN_OK) return status;
    status = kn_lab_journal(context, results, journal, error);
    json_decref(results);
    return status;
}

static const char *verdict_word(const json_t *cell)
{
    const char *verdict = text_of(cell, "verdict");
    return strcmp(verdict, "not comparable") == 0 ? "undecided" : verdict;
}

/* A line of at most 80 characters: paper, claim, published, measured, verdict. */
static const char line_format[] = "%-11s %-29s %6s %-21s %s\n";

static void print_headline(const json_t *paper)
{
    const json_t *headline = json_object_get(paper, "headline"), *cell = json_object_get(headline, "cell");
    if (!headline) return;
    int decimals = (int)json_integer_value(json_object_get(headline, "decimals"));
    char published[32], measured[64] = "-";
    const char *relation = text_of(headline, "relation");
    double printed = json_number_value(json_object_get(headline, "published"));
    snprintf(published, sizeof published, "%s%.*f", *relation == '=' ? "" : relation,
             printed == 0 ? 0 : decimals, printed);
    if (json_is_object(cell)) {
        int length = snprintf(measured, sizeof measured, "%.*f", decimals,
                              json_number_value(json_object_get(cell, "measured")));
        if (json_is_number(json_object_get(cell, "low")) && json_is_number(json_object_get(cell, "high")))
            snprintf(measured + length, sizeof measured - (size_t)length, " [%.*f, %.*f]", decimals,
                     json_number_value(json_object_get(cell, "low")), decimals,
                     json_number_value(json_object_get(cell, "high")));
    }
    printf(line_format, text_of(paper, "system"), text_of(headline, "text"), published, measured,
           json_is_object(cell) ? verdict_word(cell) : "unknown");
}

/* "Of 46 claims 5 are not reproduced, 15 partly, 20 wholly; 2 are undecided, 4 need a larger scale." */
static void print_claims(const json_t *journal)
{
    size_t totals[KN_CLAIM_VERDICTS] = {0}, claims = 0, i, k;
    json_t *paper, *claim;
    json_array_foreach(journal, i, paper)
    {
        if (!json_object_get(paper, "headline")) continue;
        json_array_foreach(json_object_get(paper, "claims"), k, claim)
        {
            claims++;
            for (int v = 0; v < KN_CLAIM_VERDICTS; v++)
                totals[v] += strcmp(text_of(claim, "verdict"), kn_claim_verdict_name((KnClaimVerdict)v)) == 0;
        }
    }
    printf("Of %zu claims %zu %s not reproduced, %zu partly, %zu wholly; %zu %s undecided,\n"
           "%zu need a larger scale. Intervals are at 95 %%.\n",
           claims, totals[KN_CLAIM_NOT_REPRODUCED], totals[KN_CLAIM_NOT_REPRODUCED] == 1 ? "is" : "are",
           totals[KN_CLAIM_PARTLY], totals[KN_CLAIM_REPRODUCED], totals[KN_CLAIM_UNDECIDED],
           totals[KN_CLAIM_UNDECIDED] == 1 ? "is" : "are", totals[KN_CLAIM_NOT_TESTED]);
}

/* ---- the learner ---- */

/* One more line of the curve, which grows downwards. */
static void print_point(void *user, double x, double y, double low, double high)
{
    enum { WIDTH = 36 };
    (void)user;
    int length = (int)(WIDTH * fmin(fmax(y, 0), 1) + 0.5);
    printf("%5.0f games |", x);
    for (int i = 0; i < WIDTH; i++) putchar(i < length ? '#' : i == WIDTH / 2 ? ':' : ' ');
    printf("| %3.0f %% of the points [%.0f, %.0f]\n", 100 * y, 100 * low, 100 * high);
    fflush(stdout);
}

static KnStatus learn(const KnContext *context, const Arguments *a, KnError *error)
{
    char spec[80];
    KnTrainResult result;
    snprintf(spec, sizeof spec, "experience(games=%llu)", (unsigned long long)a->games);
    const KnTrainingObserver observer = {.point = print_point};
    KnTrainPlan plan = {.learner = spec,
                        .game = "othello",
                        .seed = 1,
                        .points = TOUR_POINTS,
                        .cancel = cli_interrupt(),
                        .observer = &observer};
    KnStatus status = kn_train(context, &plan, &result, error);
    kn_train_result_free(&result);
    return status;
}

/* ---- the command ---- */

static const char introduction[] =
    "Knack is a workbench for programs that learn games: seven published methods that\n"
    "run on any game, explain their moves, and are measured beside their papers.\n";

static const char next_steps[] =
    "\nWhere to go next:\n"
    "  knack serve --open        the page: play, watch a player learn, read papers\n"
    "  knack play othello        a game in the terminal\n"
    "  knack explain checkers start alphabeta    a move and the reasons for it\n"
    "  knack lab report          all claims, tables and figures as pages\n"
    "  knack help                every command\n";

static const char doc[] = "Show Knack on one screen: what it is, one value of each paper beside what was "
                          "measured, and a player that "
                          "learns Othello while you look. It takes less than a minute.\v"
                          "Examples:\n"
                          "  knack tour\n"
                          "  knack tour --games 50 --quiet";

static KnStatus tour(const KnContext *context, const Arguments *a, json_t **journal, KnError *error)
{
    KnStatus status = read_journal(context, journal, error);
    if (status != KN_OK || a->common.json) return status;
    size_t i;
    json_t *paper;
    printf("%s\n", introduction);
    printf(line_format, "method", "in one number", "paper", "measured", "verdict");
    json_array_foreach(*journal, i, paper) print_headline(paper);
    print_claims(*journal);
    printf("\nA player that searches 2 plies and remembers its games learns Othello, against a\ndeeper "
           "search:\n");
    fflush(stdout);
    status = learn(context, a, error);
    if (status == KN_OK) fputs(next_steps, stdout);
    return status;
}

int command_tour(int argc, char **argv)
{
    Arguments a = {.games = TOUR_GAMES};
    const struct argp argp = {options, parse, NULL, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    KnContext *context;
    int code = cli_open(&a.common, &context);
    if (code) return code;
    KnError error;
    json_t *journal = NULL;
    KnStatus status = tour(context, &a, &journal, &error);
    kn_close(context);
    if (status != KN_OK) {
        json_decref(journal);
        return cli_fail(&error);
    }
    if (a.common.json) return cli_print_json(journal);
    json_decref(journal);
    return cli_finish();
}
