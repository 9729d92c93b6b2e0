/* What Stimpson, Goodrich and Walters 2001 call for and leave to others: more actions and players, an
 * environment that changes, aspirations that tremble, decisions in sequence. Nothing is published beside it;
 * the questions are the paper's. */
#include "lab/satisficing/shared.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/parallel.h"
#include "methods/satisficing/sequential.h"

enum {
    CHUNK = 64,
    BOUND = 20000,
    EPISODES = 5000,
    TAIL = 500,
    MOST_LEVELS = 5,
    MOST_PLAYERS = 6,
    MOST_CELLS = 625
};

static const KnParameter parameters[] = {
    {"trials", 500, 50000, "A row of each table."},
    {"rounds", 2000, 2000, "Of the trials with trembles; the last 500 are counted."},
    {0}};

static const KnInterpretation interpretations[] = {
    {"Which dilemma has many players and actions?",
     "The public goods game: everybody keeps or gives steps of one endowment; what is given is multiplied by "
     "a factor between 1 and the number "
     "of players, drawn again for each trial, and shared. Payoffs are divided by the highest, so that "
     "aspirations from 0.5 to 2 mean what "
     "they do in Table 1; lambda from 0.1 to 0.9, first actions by chance.",
     ""},
    {"What does a dissatisfied agent with many actions try?",
     "The next action in order; any other by chance; or one that it remembers to have paid "
     "enough. With two actions all are the paper's.",
     ""},
    {"What changes when payoffs change?",
     "Agents that have settled in one dilemma of Table 1 go on in another, drawn again, with the actions and "
     "aspirations they have; or the two actions change places.",
     ""},
    {"What is a tremble?", "With a probability in each round, the aspiration moves by up to 0.5 up or down.",
     ""},
    {"What is satisficing in sequence?",
     "Each state of a corridor has an agent of its own, paid by what the episode earns from there on. All "
     "must go on "
     "for the large reward (1); stopping pays 0.3 at once. First aspirations from 0 to 2, lambda 0.9.",
     ""},
    {0}};

/* ---- trials side by side ---- */

/* The result of one trial; NaN: no number. */
typedef struct Measured {
    bool first, second;
    double number;
} Measured;

typedef enum Play { GOODS, CHANGE, TREMBLES, CORRIDOR } Play;

typedef struct Work {
    KnLabOrigin origin;
    Play play;
    int players, actions;
    KnSatisficingSearch search;
    double number;
    uint64_t seed, trials;
    /* The rest is each process's own. */
    Measured *measured;
    KnSettler **settlers; /* by worker */
    int jobs;
    KnLabRun *run;
} Work;

typedef void (*PlayTrial)(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured);
static void play_goods(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured);
static void play_change(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured);
static void play_trembles(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured);
static void play_corridor(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured);
static const PlayTrial plays[] = {
    [GOODS] = play_goods, [CHANGE] = play_change, [TREMBLES] = play_trembles, [CORRIDOR] = play_corridor};

static uint64_t chunk_size(const Work *work, uint64_t chunk)
{
    return (chunk + 1) * CHUNK < work->trials ? CHUNK : work->trials - chunk * CHUNK;
}

static KnStatus run_chunk(void *user, int worker, uint64_t chunk, KnError *error)
{
    (void)error;
    const Work *work = user;
    uint64_t size = chunk_size(work, chunk);
    for (uint64_t i = chunk * CHUNK; i < chunk * CHUNK + size; i++) {
        KnRng rng = kn_rng_stream(work->seed, i);
        plays[work->play](work, &rng, work->settlers[worker], &work->measured[i]);
    }
    kn_progress_tick(kn_lab_progress(work->run), size);
    return KN_OK;
}

static KnStatus open_work(Work *work, KnLabRun *run, KnError *error)
{
    work->run = run;
    work->jobs = kn_jobs(kn_lab_jobs(run));
    work->measured = calloc(work->trials, sizeof *work->measured);
    work->settlers = calloc((size_t)work->jobs, sizeof *work->settlers);
    bool ready = work->measured && work->settlers;
    for (int i = 0; ready && i < work->jobs; i++) ready = (work->settlers[i] = kn_settler_new(BOUND)) != NULL;
    return ready ? KN_OK : kn_fail_memory(error, "preparing trials");
}

static void close_work(Work *work)
{
    for (int i = 0; work->settlers && i < work->jobs; i++) kn_settler_free(work->settlers[i]);
    free(work->settlers);
    free(work->measured);
}

/* ---- the job ---- */

/* The payload is the head of a Work. */
static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    KnLabRun *run;
    Work *work = *user = payload;
    KnStatus status = kn_lab_visit(site, &work->origin, &run, error);
    work->run = run;
    if (status != KN_OK) return status;
    if ((unsigned)work->play > CORRIDOR) return kn_fail(error, KN_SYSTEM, "a malformed plan of trials");
    return open_work(work, run, error);
}

static void close_job(void *user)
{
    Work *work = user;
    close_work(work);
    kn_lab_leave(work->run);
}

static void *result_slot(void *user, uint64_t chunk, uint64_t *count)
{
    const Work *work = user;
    *count = chunk_size(work, chunk);
    return &work->measured[chunk * CHUNK];
}

static KnStatus received_chunk(void *user, uint64_t chunk, KnError *error)
{
    (void)error;
    const Work *work = user;
    kn_progress_tick(kn_lab_progress(work->run), chunk_size(work, chunk));
    return KN_OK;
}

const KnJobType kn_extensions_job_type = {
    .name = "extensions",
    .summary = "trials of the paper's open questions",
    .payload = KN_LAYOUT(Work, KN_LAB_ORIGIN(Work), KN_PLAIN(Work, play), KN_PLAIN(Work, players),
                         KN_PLAIN(Work, actions), KN_PLAIN(Work, search), KN_PLAIN(Work, number),
                         KN_PLAIN(Work, seed), KN_PLAIN(Work, trials)),
    .open = open_job,
    .close = close_job,
    .run = run_chunk,
    .result = KN_LAYOUT_PLAIN(Measured),
    .slot = result_slot,
    .received = received_chunk};

/* Runs the trials of a row; the shares of `first` and `second` and the mean of `number`. */
static KnStatus run_row(KnLabRun *run, const char *key, Work work, KnMeasure *first, KnMeasure *second,
                        KnMeasure *number, KnError *error)
{
    work.seed = kn_lab_seed(run, key);
    work.trials = (uint64_t)kn_lab_parameter(run, "trials");
    KnStatus status = open_work(&work, run, error);
    if (status == KN_OK)
        status = kn_lab_share(run, &kn_extensions_job_type, (work.trials + CHUNK - 1) / CHUNK, 0,
                              &work.origin, NULL, &work, error);
    uint64_t firsts = 0, seconds = 0;
    KnMoments moments = {0};
    for (uint64_t i = 0; status == KN_OK && i < work.trials; i++) {
        firsts += work.measured[i].first;
        seconds += work.measured[i].second;
        if (!isnan(work.measured[i].number)) kn_moments_add(&moments, work.measured[i].number);
    }
    *first = kn_measure_share((double)firsts, work.trials, 100);
    *second = kn_measure_share((double)seconds, work.trials, 100);
    *number = kn_measure_mean(&moments);
    close_work(&work);
    return status;
}

/* ---- more actions, more players ---- */

/* The public goods game of a trial, scaled to a highest payoff of 1. */
static void fill_goods(int players, int actions, double factor, double *payoffs)
{
    int cells = 1;
    for (int i = 0; i < players; i++) cells *= actions;
    double highest = 1 + factor * (players - 1) / players;
    for (int cell = 0; cell < cells; cell++) {
        double given[MOST_PLAYERS], all = 0;
        for (int i = players - 1, rest = cell; i >= 0; i--, rest /= actions)
            all += given[i] = 1 - (double)(rest % actions) / (actions - 1);
        for (int i = 0; i < players; i++)
            payoffs[cell * players + i] = (1 - given[i] + factor * all / players) / highest;
    }
}

static double given_in(const KnStageGame *stage, int cell)
{
    double all = 0;
    for (int i = 0; i < stage->agents; i++)
        all += 1 - (double)kn_cell_action(stage, cell, i) / (stage->actions[i] - 1);
    return all / stage->agents;
}

/* first: everybody gives everything, forever; second: settled on one joint action; number: what is given, in
 * percent. */
static void play_goods(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured)
{
    double payoffs[MOST_CELLS * MOST_PLAYERS],
        factor = 1 + (work->players - 1) * (.1 + .8 * kn_rng_real(rng)), lambda = .1 + .8 * kn_rng_real(rng);
    KnStageGame stage = {.agents = work->players, .payoffs = payoffs};
    KnAspirationAgent agents[MOST_PLAYERS];
    KnSatisficer living[MOST_PLAYERS];
    fill_goods(work->players, work->actions, factor, payoffs);
    for (int i = 0; i < work->players; i++) {
        stage.actions[i] = work->actions;
        double aspiration =
            .5 + 1.5 * kn_rng_real(rng); /* drawn first: compilers order what stands in braces as they like */
        agents[i] = (KnAspirationAgent){lambda, aspiration, (int)kn_rng_below(rng, (uint32_t)work->actions)};
        living[i] = kn_satisficer(lambda, agents[i].aspiration, agents[i].action, work->actions);
        living[i].search = work->search;
    }
    *measured = (Measured){0};
    if (work->search == KN_SEARCH_NEXT) {
        KnOutcome outcome = kn_settle(settler, &stage, agents);
        for (uint32_t k = 0; k < outcome.period; k++)
            measured->number += 100 * given_in(&stage, outcome.word[k]) / outcome.period;
        measured->second = outcome.kind == KN_SETTLED_FIXED;
        measured->first = measured->second && outcome.word[0] == 0;
        return;
    }
    for (int round = 0, cell = 0; round < BOUND && !measured->second; round++) {
        cell = 0;
        for (int i = 0; i < work->players; i++)
            cell = cell * work->actions + kn_satisficer_choose(&living[i], rng);
        measured->second = true;
        for (int i = 0; i < work->players; i++) {
            kn_satisficer_earn(&living[i], living[i].action, payoffs[cell * work->players + i]);
            measured->second &= living[i].satisfied;
        }
        measured->first = measured->second && cell == 0;
        measured->number = 100 * given_in(&stage, cell);
    }
}

static KnStatus goods_row(KnLabRun *run, int players, int actions, KnSatisficingSearch search,
                          const char *name, KnError *error)
{
    KnMeasure everything, settled, given;
    KnStatus status = run_row(run, name,
                              (Work){.play = GOODS, .players = players, .actions = actions, .search = search},
                              &everything, &settled, &given, error);
    if (status == KN_OK) status = kn_lab_measured(run, name, "all give everything", everything, NULL, error);
    if (status == KN_OK) status = kn_lab_measured(run, name, "given in the mean", given, NULL, error);
    if (status == KN_OK)
        status = kn_lab_measured(run, name, "settled on one joint action", settled, NULL, error);
    return status;
}

static KnStatus measure_goods(KnLabRun *run, KnError *error)
{
    static const char *const searches[] = {"next", "random", "remember"};
    KnStatus status = kn_lab_own_table(run, "actions", "More actions: the public goods game of two players",
                                       "%", 1, error);
    for (int actions = 2; actions <= MOST_LEVELS; actions++)
        for (int search = 0; search < 3 && status == KN_OK; search++) {
            char name[60];
            snprintf(name, sizeof name, "%d actions, search %s", actions, searches[search]);
            if (actions > 2 || search == 0)
                status = goods_row(run, 2, actions, (KnSatisficingSearch)search, name, error);
        }
    if (status == KN_OK)
        status = kn_lab_own_table(run, "players", "More players: the public goods game of two actions", "%",
                                  1, error);
    for (int players = 2; players <= MOST_PLAYERS && status == KN_OK; players++) {
        char name[60];
        snprintf(name, sizeof name, "%d players", players);
        status = goods_row(run, players, 2, KN_SEARCH_NEXT, name, error);
    }
    return status == KN_OK
               ? goods_row(run, 4, 5, KN_SEARCH_RANDOM, "4 players, 5 actions, search random", error)
               : status;
}

/* ---- payoffs that change ---- */

/* Lets the agents of a trial live for some rounds. */
static void live(const KnStageGame *stage, KnAspirationAgent agents[2], int rounds)
{
    for (int round = 0; round < rounds; round++) {
        const double *pay = stage->payoffs + 2 * (agents[0].action << 1 | agents[1].action);
        for (int i = 0; i < 2; i++) {
            bool satisfied = kn_satisfied(agents[i].aspiration, pay[i]);
            agents[i].aspiration = kn_update_aspiration(agents[i].aspiration, agents[i].lambda, pay[i]);
            if (!satisfied) agents[i].action ^= 1;
        }
    }
}

static bool cooperates(KnSettler *settler, const KnStageGame *stage, const KnAspirationAgent *agents,
                       int cell)
{
    KnOutcome outcome = kn_settle(settler, stage, agents);
    return outcome.kind == KN_SETTLED_FIXED && outcome.word[0] == cell;
}

/* first: mutual cooperation before the change; second: after it. Work.number: 0 fresh agents instead, 1 other
 * payoffs, 2 actions exchanged. */
static void play_change(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured)
{
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnTrial before, after;
    double payoffs[2][8];
    KnAspirationAgent agents[2], fresh[2];
    kn_trial_draw(&distribution, kn_rng_next(rng), 0, &before);
    kn_trial_draw(&distribution, kn_rng_next(rng), 0, &after);
    KnStageGame first = kn_trial_stage(&before, payoffs[0], agents),
                second = kn_trial_stage(work->number == 2 ? &before : &after, payoffs[1], fresh);
    if (work->number == 2) /* C is what D was: cells in reverse order */
        for (int cell = 0; cell < 4; cell++)
            memcpy(&payoffs[1][2 * cell], &payoffs[0][2 * (3 - cell)], 2 * sizeof **payoffs);
    measured->first = cooperates(settler, &first, agents, KN_CC);
    live(&first, agents, 300);
    measured->second = cooperates(settler, &second, work->number == 0 ? fresh : agents,
                                  work->number == 2 ? KN_DD : KN_CC);
    measured->number = measured->first
                           ? 100.0 * measured->second
                           : 0; /* of those that cooperated before; divided by their share below */
}

static KnStatus measure_changes(KnLabRun *run, KnError *error)
{
    static const char *const rows[] = {"fresh agents", "settled agents, other payoffs",
                                       "settled agents, actions exchanged"};
    KnStatus status = kn_lab_own_table(
        run, "change", "Payoffs that change: mutual cooperation before and after", "%", 1, error);
    for (int i = 0; i < 3 && status == KN_OK; i++) {
        KnMeasure before, after, both;
        status = run_row(run, rows[i], (Work){.play = CHANGE, .number = i}, &before, &after, &both, error);
        /* Shares of the same trials, back to counts. */
        double trials = (double)before.n, first = round(before.value / 100 * trials),
               again = round(both.value / 100 * trials);
        if (status == KN_OK && i) status = kn_lab_measured(run, rows[i], "before", before, NULL, error);
        if (status == KN_OK) status = kn_lab_measured(run, rows[i], "after", after, NULL, error);
        if (status == KN_OK && i && first >= 1)
            status = kn_lab_measured(run, rows[i], "after, of those that cooperated before",
                                     kn_measure_share(again, (uint64_t)first, 100), NULL, error);
    }
    return status;
}

/* ---- trembles ---- */

/* number: rounds of mutual cooperation among the last, in percent. */
static void play_trembles(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured)
{
    (void)settler;
    KnTrialDistribution distribution = kn_trial_distribution_paper();
    KnTrial trial;
    double payoffs[8];
    KnAspirationAgent begin[2];
    KnSatisficer agents[2];
    kn_trial_draw(&distribution, kn_rng_next(rng), 0, &trial);
    kn_trial_stage(&trial, payoffs, begin);
    for (int i = 0; i < 2; i++) {
        agents[i] = kn_satisficer(begin[i].lambda, begin[i].aspiration, begin[i].action, 2);
        agents[i].tremble = work->number;
        agents[i].shift = .5;
    }
    int rounds = work->players, counted = 0;
    for (int round = 0; round < rounds; round++) {
        int a = kn_satisficer_choose(&agents[0], rng), b = kn_satisficer_choose(&agents[1], rng),
            cell = a << 1 | b;
        kn_satisficer_earn(&agents[0], a, payoffs[2 * cell]);
        kn_satisficer_earn(&agents[1], b, payoffs[2 * cell + 1]);
        counted += round >= rounds - TAIL && cell == KN_CC;
    }
    measured->number = 100.0 * counted / TAIL;
}

static KnStatus measure_trembles(KnLabRun *run, KnError *error)
{
    static const double trembles[] = {0, .001, .01, .05, .2};
    KnStatus status = kn_lab_own_table(
        run, "trembles", "Aspirations that tremble: rounds of mutual cooperation in the long run", "%", 1,
        error);
    for (size_t i = 0; i < sizeof trembles / sizeof *trembles && status == KN_OK; i++) {
        char name[60];
        snprintf(name, sizeof name, "tremble %g", trembles[i]);
        KnMeasure none, unused, share;
        Work work = {
            .play = TREMBLES, .number = trembles[i], .players = (int)kn_lab_parameter(run, "rounds")};
        status = run_row(run, name, work, &none, &unused, &share, error);
        if (status == KN_OK) status = kn_lab_measured(run, name, "rounds of CC", share, NULL, error);
    }
    return status;
}

/* ---- decisions in sequence ---- */

/* first: the best return, forever; second: settled; number: episodes before that. Where an early agent wants
 * more than a content later one lets it have, nothing settles. */
static void play_corridor(const Work *work, KnRng *rng, KnSettler *settler, Measured *measured)
{
    (void)settler;
    KnDecisionChain problem = kn_problem_chain(work->players, .3, 1);
    KnSatisficer agents[KN_PROBLEM_STATES];
    for (int s = 0; s < problem.states; s++) {
        int action = (int)kn_rng_below(rng, 2); /* drawn first: compilers order arguments as they like */
        agents[s] = kn_satisficer(.9, 2 * kn_rng_real(rng), action, 2);
    }
    double got = 0;
    int episode = 0;
    for (; episode < EPISODES && !measured->second; episode++)
        got = kn_problem_episode(&problem, agents, rng, &measured->second);
    measured->number = measured->second ? (double)(episode - 1) : (double)NAN;
    measured->first = measured->second && got >= kn_problem_best(&problem);
}

static KnStatus measure_corridor(KnLabRun *run, KnError *error)
{
    KnStatus status = kn_lab_own_table(
        run, "sequence", "Decisions in sequence: an agent in each state of a corridor", "", 1, error);
    for (int states = 1; states <= 8 && status == KN_OK; states++) {
        char name[60];
        snprintf(name, sizeof name, "%d state%s", states, states > 1 ? "s" : "");
        KnMeasure best, settled, episodes;
        status = run_row(run, name, (Work){.play = CORRIDOR, .players = states}, &best, &settled, &episodes,
                         error);
        if (status == KN_OK) status = kn_lab_measured(run, name, "best return, %", best, NULL, error);
        if (status == KN_OK) status = kn_lab_measured(run, name, "settled, %", settled, NULL, error);
        if (status == KN_OK)
            status = kn_lab_measured(run, name, "episodes before that", episodes, NULL, error);
    }
    return status;
}

static KnStatus measure(KnLabRun *run, KnError *error)
{
    enum { ROWS = 10 + 6 + 3 + 5 + 8 };
    kn_lab_expect(run, ROWS * (uint64_t)kn_lab_parameter(run, "trials"));
    KnStatus status = measure_goods(run, error);
    if (status == KN_OK) status = measure_changes(run, error);
    if (status == KN_OK) status = measure_trembles(run, error);
    return status == KN_OK ? measure_corridor(run, error) : status;
}

const KnExperiment kn_satisficing_extensions = {
    .head = {"satisficing.extensions",
             "more actions, more players, payoffs that change, trembles, decisions in sequence", NULL},
    .paper = "stimpson-2001",
    .parameters = parameters,
    .interpretations = interpretations,
    .run = measure,
};
