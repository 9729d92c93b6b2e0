/* knack tour: Knack on one screen. What it is, one value of each paper measured again, a learner whose curve
 * grows while you look, and where to go next. It measures at the quick scale and takes about a minute; what
 * was measured before is shown at once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/train.h"
#include "lab/journal.h"
#include "lab/shipped.h"
#include "methods/registry.h"

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

/* Measures the experiments behind the headlines, those that have no result yet. */
static KnStatus measure(const KnContext *context, const Arguments *a, const json_t *journal, KnError *error)
{
    KnStatus status = KN_OK;
    size_t i;
    json_t *paper;
    json_array_foreach(journal, i, paper)
    {
        const json_t *headline = json_object_get(paper, "headline");
        if (!headline || json_is_object(json_object_get(headline, "cell")) || status != KN_OK) continue;
        const KnThing *thing = kn_find(context, KN_KIND_EXPERIMENT, text_of(headline, "experiment"));
        KnLabPlan plan = {.scale = KN_SCALE_QUICK, .seed = KN_LAB_SEED, .cancel = cli_interrupt()};
        KnProgress *progress = cli_progress(&a->common, thing->name, 0);
        json_t *result = NULL;
        status = kn_lab_run(context, (const KnExperiment *)thing, &plan, progress, &result, error);
        kn_progress_free(progress);
        json_decref(result);
    }
    return status;
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

/* "5 of 8 claims reproduced". */
static void print_claims(const json_t *paper)
{
    const json_t *claims = json_object_get(paper, "claims");
    size_t i, reproduced = 0, tested = 0;
    json_t *claim;
    json_array_foreach(claims, i, claim)
    {
        reproduced += strcmp(text_of(claim, "verdict"), kn_claim_verdict_name(KN_CLAIM_REPRODUCED)) == 0;
        tested += strcmp(text_of(claim, "verdict"), kn_claim_verdict_name(KN_CLAIM_NOT_TESTED)) != 0;
    }
    if (tested)
        printf("  Claims tested so far: %zu of %zu, reproduced: %zu.\n", tested, json_array_size(claims),
               reproduced);
}

static void print_headline(const json_t *paper)
{
    const json_t *headline = json_object_get(paper, "headline"), *cell = json_object_get(headline, "cell");
    if (!headline) return;
    int decimals = (int)json_integer_value(json_object_get(headline, "decimals"));
    const char *relation = text_of(headline, "relation"), *verdict = text_of(cell, "verdict");
    printf("%s (%s): %s\n", text_of(paper, "name"), text_of(paper, "cite"), text_of(headline, "text"));
    printf("  published %s%.*f",
           *relation == '='   ? ""
           : *relation == '>' ? "more than "
                              : "less than ",
           decimals, json_number_value(json_object_get(headline, "published")));
    if (json_is_object(cell)) {
        printf(", measured %.*f", decimals, json_number_value(json_object_get(cell, "measured")));
        if (json_is_number(json_object_get(cell, "low")) && json_is_number(json_object_get(cell, "high")))
            printf(" [%.*f, %.*f]", decimals, json_number_value(json_object_get(cell, "low")), decimals,
                   json_number_value(json_object_get(cell, "high")));
        printf(", n = %lld: %s\n", (long long)json_integer_value(json_object_get(cell, "n")),
               strcmp(verdict, "not comparable") == 0 ? "too few to decide" : verdict);
    } else
        puts(", not measured");
    print_claims(paper);
}

/* ---- the learner ---- */

static KnStatus learn(const KnContext *context, const Arguments *a, KnError *error)
{
    char spec[80];
    TrainArguments training = {.common = a->common};
    KnTrainResult result;
    snprintf(spec, sizeof spec, "experience(games=%llu)", (unsigned long long)a->games);
    for (const KnLearnerType *const *row = kn_learners; *row; row++)
        if (strcmp((*row)->head.name, "experience") == 0) training.type = *row;
    KnTrainingObserver observer = train_observer(&training);
    KnTrainPlan plan = {.learner = spec,
                        .game = "othello",
                        .seed = 1,
                        .points = TOUR_POINTS,
                        .cancel = cli_interrupt(),
                        .observer = &observer};
    KnStatus status = kn_train(context, &plan, &result, error);
    if (status == KN_OK && result.has_point)
        printf("It began with nothing. In its last games it took %.0f %% of the points (95 %% interval %.0f "
               "to %.0f).\n",
               100 * result.y, 100 * result.low, 100 * result.high);
    kn_train_result_free(&result);
    return status;
}

/* ---- the command ---- */

static const char introduction[] =
    "Knack is a workbench for programs that learn games: seven published methods that run on any game,\n"
    "stack on each other, explain their moves, and are measured beside what their papers printed.\n";

static const char next_steps[] =
    "\nWhere to go next:\n"
    "  knack serve                       the page: play, watch a player learn, read the papers' verdicts\n"
    "  knack play othello                a game in the terminal\n"
    "  knack explain checkers start alphabeta   a move and the reasons for it\n"
    "  knack lab report                  all claims, tables and figures as pages\n"
    "  knack help                        every command\n";

static const char doc[] =
    "Shows Knack on one screen: what it is, one value of each paper measured again, and a player that learns "
    "Othello while you look. The first time it takes about a minute.\v"
    "Examples:\n"
    "  knack tour\n"
    "  knack tour --games 50 --quiet";

static KnStatus tour(const KnContext *context, const Arguments *a, json_t **journal, KnError *error)
{
    KnStatus status = read_journal(context, journal, error);
    if (!a->common.json) printf("%s\n", introduction);
    fflush(stdout);
    if (status == KN_OK) status = measure(context, a, *journal, error);
    json_decref(*journal);
    *journal = NULL;
    if (status == KN_OK) status = read_journal(context, journal, error);
    if (status != KN_OK || a->common.json) return status;
    size_t i;
    json_t *paper;
    json_array_foreach(*journal, i, paper) print_headline(paper);
    printf("\nA player that searches 2 plies and remembers its games, learning Othello against a deeper "
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
