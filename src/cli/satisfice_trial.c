/* knack satisfice trial: one trial round by round, with sampled parameters or on any matrix game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/satisfice.h"
#include "games/matrix/matrix.h"
#include "methods/satisficing/outcome.h"
#include "methods/registry.h"

const char satisfice_trial_doc[] =
    "Play one trial and prove its outcome: a joint action forever, or a cycle.\v"
    "WORDs are those of `knack satisfice outcomes`; other parameters are sampled (trial --index of --seed, "
    "so you "
    "can look at a trial named by `outcomes`). Or give a matrix GAME and a satisfice(...) spec for each "
    "role, "
    "without trembles and with search=next.\nExamples:\n"
    "  knack satisfice trial sigma=.8 delta=.5 lambda=.5 alpha=1.5 beta=1.2 start=DD\n"
    "  knack satisfice trial --seed 1 --index 7\n"
    "  knack satisfice trial 'publicgoods(players=2, actions=3, factor=1.5)' 'satisfice(aspiration=3)' "
    "'satisfice(.8, 2.5)'";

/* A trial, ready to play. */
typedef struct Setup {
    KnStageGame stage;
    KnAspirationAgent agents[KN_STAGE_AGENTS];
    double *payoffs;
    const KnMatrix *matrix; /* NULL: actions are C and D */
    KnText title;
} Setup;

static const char *action_name(const Setup *setup, int agent, int action)
{
    return setup->matrix ? setup->matrix->names[agent][action] : action ? "D" : "C";
}

/* "DC", or "up,left" where names are longer than a letter. */
static void cell_name(const Setup *setup, int cell, KnText *out)
{
    bool long_names = false;
    for (int i = 0; i < setup->stage.agents; i++)
        for (int a = 0; a < setup->stage.actions[i]; a++) long_names |= strlen(action_name(setup, i, a)) > 1;
    for (int i = 0; i < setup->stage.agents; i++)
        kn_text_printf(out, "%s%s", i && long_names ? "," : "",
                       action_name(setup, i, kn_cell_action(&setup->stage, cell, i)));
}

/* An agent from satisfice(lambda=..., aspiration=..., action=...). */
static KnStatus read_agent(const Setup *setup, const char *text, int role, KnAspirationAgent *agent,
                           KnError *error)
{
    KnArena *arena = kn_arena_new();
    if (!arena) return kn_fail_memory(error, "reading an agent");
    const KnSpec *spec;
    KnOptions options;
    KnStatus status = kn_spec_parse(text, arena, &spec, error);
    const KnThing *type = &kn_player_satisfice.head;
    if (status == KN_OK && strcasecmp(spec->text, type->name) != 0)
        status = kn_fail(error, KN_INPUT,
                         "\"%.60s\": only satisfice(...) agents have outcomes that can be proved", text);
    if (status == KN_OK) status = kn_options_bind(type->options, spec, arena, &options, error);
    if (status == KN_OK &&
        (kn_option_real(&options, "tremble") > 0 || kn_option_choice(&options, "search") != KN_SEARCH_NEXT))
        status = kn_fail(error, KN_INPUT,
                         "\"%.60s\": an outcome can be proved only without trembles and with search=next",
                         text);
    if (status == KN_OK) {
        const char *action = kn_option_string(&options, "action");
        *agent = (KnAspirationAgent){kn_option_real(&options, "lambda"),
                                     kn_option_real(&options, "aspiration"), action ? -1 : 0};
        for (int a = 0; action && a < setup->matrix->actions[role]; a++)
            if (strcasecmp(setup->matrix->names[role][a], action) == 0) agent->action = a;
        if (agent->action < 0)
            status = kn_fail(error, KN_INPUT, "\"%.60s\": role %d has no such action", text, role + 1);
    }
    kn_arena_free(arena);
    return status;
}

static KnStatus set_up_game(const SatisficeArguments *a, const KnGame *game, Setup *setup, KnError *error)
{
    const KnMatrix *matrix = setup->matrix = kn_game_matrix(game);
    if (!matrix) return kn_fail(error, KN_INPUT, "%s is not a matrix game", game->spec);
    if (matrix->later || matrix->go_on < 1)
        return kn_fail(error, KN_INPUT,
                       "%s: outcomes can be proved only for constant payoffs and unlimited play", game->spec);
    if (a->word_count != (size_t)matrix->players + 1)
        return kn_fail(error, KN_INPUT, "%s needs %d agents, not %zu", game->spec, matrix->players,
                       a->word_count - 1);
    int count = matrix->cells * matrix->players;
    setup->payoffs = malloc((size_t)count * sizeof *setup->payoffs);
    if (!setup->payoffs) return kn_fail_memory(error, "reading a game");
    for (int i = 0; i < count; i++)
        setup->payoffs[i] = kn_matrix_payoff(matrix, 0, i / matrix->players, i % matrix->players);
    setup->stage = (KnStageGame){.agents = matrix->players, .payoffs = setup->payoffs};
    memcpy(setup->stage.actions, matrix->actions, sizeof setup->stage.actions);
    kn_text_printf(&setup->title, "%s:", game->spec);
    KnStatus status = KN_OK;
    for (int i = 0; i < matrix->players && status == KN_OK; i++) {
        status = read_agent(setup, a->words[i + 1], i, &setup->agents[i], error);
        kn_text_printf(&setup->title, " %s", a->words[i + 1]);
    }
    return status;
}

static KnStatus set_up_words(const SatisficeArguments *a, Setup *setup, KnError *error)
{
    KnTrial trial;
    KnStatus status = kn_trial_distribution_check(&a->plan.trial, error);
    if (status != KN_OK) return status;
    if (!kn_trial_draw(&a->plan.trial, a->plan.seed, a->index, &trial))
        return kn_fail(error, KN_INPUT,
                       "the conditions rejected a million samples in a row; they may contradict each other");
    setup->payoffs = malloc(8 * sizeof *setup->payoffs);
    if (!setup->payoffs) return kn_fail_memory(error, "sampling a trial");
    setup->stage = kn_trial_stage(&trial, setup->payoffs, setup->agents);
    kn_trial_text(&trial, &setup->title);
    return KN_OK;
}

/* ---- printing ---- */

/* Plays `rounds` rounds and prints each. */
static void play_rounds(const Setup *setup, uint32_t rounds, bool csv, json_t *rows)
{
    const KnStageGame *stage = &setup->stage;
    KnSatisficer agents[KN_STAGE_AGENTS];
    KnText name = KN_TEXT_EMPTY;
    for (int i = 0; i < stage->agents; i++)
        agents[i] = kn_satisficer(setup->agents[i].lambda, setup->agents[i].aspiration,
                                  setup->agents[i].action, stage->actions[i]);
    for (uint32_t round = 0; round < rounds; round++) {
        int cell = 0;
        for (int i = 0; i < stage->agents; i++)
            cell = cell * stage->actions[i] + kn_satisficer_choose(&agents[i], NULL);
        const double *pay = stage->payoffs + cell * stage->agents;
        kn_text_clear(&name);
        cell_name(setup, cell, &name);
        json_t *paid = rows ? json_array() : NULL, *aspired = rows ? json_array() : NULL;
        if (!rows) printf(csv ? "%u,\"%s\"" : "%6u  %-8s", round, name.data);
        for (int i = 0; i < stage->agents; i++) {
            if (csv)
                printf(",%.10g,%.10g", pay[i], agents[i].aspiration);
            else if (!rows)
                printf("  %8.5g of %-8.5g%c", pay[i], agents[i].aspiration,
                       kn_satisfied(agents[i].aspiration, pay[i]) ? ' ' : '!');
            json_array_append_new(paid, json_real(pay[i]));
            json_array_append_new(aspired, json_real(agents[i].aspiration));
            kn_satisficer_earn(&agents[i], agents[i].action, pay[i]);
        }
        if (!rows)
            puts("");
        else
            json_array_append_new(
                rows, json_pack("{ss so so}", "actions", name.data, "payoffs", paid, "aspirations", aspired));
    }
    kn_text_free(&name);
}

static void word_text(const Setup *setup, const KnOutcome *outcome, KnText *out)
{
    for (uint32_t k = 0; k < outcome->period; k++) {
        if (k) kn_text_add_char(out, '-');
        cell_name(setup, outcome->word[k], out);
    }
}

static void print_outcome(const KnOutcome *outcome, const char *word)
{
    if (outcome->kind == KN_SETTLED_FIXED)
        printf("outcome  %s forever, from round %u on: all agents are satisfied\n", word, outcome->start);
    else if (outcome->kind == KN_SETTLED_CYCLE)
        printf("outcome  a cycle of %u rounds forever, from round %u on: %s\n", outcome->period,
               outcome->start, word);
    else if (outcome->doubtful)
        printf("outcome  unsettled: a choice in round %u depends on rounding\n", outcome->start);
    else
        printf("outcome  unsettled after %u rounds; raise the limit with --rounds\n", outcome->start);
}

static int show(const SatisficeArguments *a, const Setup *setup)
{
    static const char *const kinds[] = {"fixed", "cycle", "unsettled"};
    KnError error;
    KnSettler *settler = kn_settler_new(a->plan.rounds ? a->plan.rounds : KN_SETTLER_ROUNDS);
    if (!settler) {
        kn_fail_memory(&error, "settling a trial");
        return cli_fail(&error);
    }
    KnOutcome outcome = kn_settle(settler, &setup->stage, setup->agents);
    KnText word = KN_TEXT_EMPTY;
    word_text(setup, &outcome, &word);
    json_t *document = NULL;
    if (a->common.json) {
        json_t *rows = json_array();
        play_rounds(setup, a->show, false, rows);
        document = json_pack("{ss ss sI sI ss sb so}", "trial", setup->title.data, "kind",
                             kinds[outcome.kind], "start", (json_int_t)outcome.start, "period",
                             (json_int_t)outcome.period, "word", word.data, "doubtful", outcome.doubtful,
                             "rounds", rows);
    } else if (a->csv) {
        fputs("round,actions", stdout);
        for (int i = 1; i <= setup->stage.agents; i++) printf(",payoff%d,aspiration%d", i, i);
        puts("");
        play_rounds(setup, a->show, true, NULL);
    } else {
        puts(setup->title.data);
        if (a->show) puts(" round  actions   payoff of aspiration (! not satisfied)");
        play_rounds(setup, a->show, false, NULL);
        print_outcome(&outcome, word.data);
    }
    kn_text_free(&word);
    kn_settler_free(settler);
    return document ? cli_print_json(document) : cli_finish();
}

/* A game's spec starts with a name; no = and number follows. */
static bool is_game(const KnContext *context, const char *word)
{
    char name[40];
    size_t length = strcspn(word, "(:=<>");
    if (length >= sizeof name || word[length] == '=' || word[length] == '<' || word[length] == '>')
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return kn_find(context, KN_KIND_GAME, name) != NULL;
}

int satisfice_trial(SatisficeArguments *a)
{
    KnContext *context;
    int code = cli_open(&a->common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    Setup setup = {.title = KN_TEXT_EMPTY};
    KnStatus status;
    if (a->word_count && is_game(context, a->words[0])) {
        status = kn_game_open(context, a->words[0], &game, &error);
        if (status == KN_OK) status = set_up_game(a, game, &setup, &error);
    } else {
        code = satisfice_deal(a);
        status = code ? KN_INPUT : set_up_words(a, &setup, &error);
    }
    if (!code) code = status == KN_OK ? show(a, &setup) : cli_fail(&error);
    free(setup.payoffs);
    kn_text_free(&setup.title);
    kn_game_close(game);
    kn_close(context);
    return code;
}
