#include "lab/together/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena/learner.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "games/turns.h"

const KnTogetherGame kn_together_games[KN_TOGETHER_GAMES] = {
    {"Draughts", "checkers", 40},
    {"Othello 6x6", "othello(size=6)", 18},
    {"Five men's morris", "morris(men=5)", 40},
    {"Fives 8x8", "fives(8, 8, 4)", 20},
    {"Connect four (GDL)", "gdl:connectfour", 25},
};

const KnTogetherRow kn_together_rows[] = {
    {"td", KN_WITH_TD, false},
    {"allocation", KN_WITH_ALLOCATION, false},
    {"experience", KN_WITH_EXPERIENCE, false},
    {"proof", KN_WITH_PROOF, false},
    {"heuristics", KN_WITH_HEURISTICS, false},
    {"network", KN_WITH_NETWORK, false},
    {"signals", KN_WITH_SIGNALS, false},
    {"uct", KN_WITH_UCT, false},
    {"hoyle", KN_WITH_HOYLE, false},
    {"sequences", KN_WITH_SEQUENCES, false},
    {"td + allocation", KN_WITH_TD | KN_WITH_ALLOCATION, true},
    {"td + experience", KN_WITH_TD | KN_WITH_EXPERIENCE, true},
    {"td + proof", KN_WITH_TD | KN_WITH_PROOF, true},
    {"network + signals", KN_WITH_NETWORK | KN_WITH_SIGNALS, true},
    {"network + proof", KN_WITH_NETWORK | KN_WITH_PROOF, true},
    {"heuristics + evaluation", KN_WITH_HEURISTICS | KN_WITH_EVALUATION, true},
    {"hoyle + search", KN_WITH_HOYLE | KN_WITH_SEARCH, true},
    {"experience + trust", KN_WITH_EXPERIENCE | KN_WITH_TRUST, true},
    {"td + experience + trust", KN_WITH_TD | KN_WITH_EXPERIENCE | KN_WITH_TRUST, true},
    {"td + allocation + proof", KN_WITH_TD | KN_WITH_ALLOCATION | KN_WITH_PROOF, true},
    {"td + allocation + proof + experience",
     KN_WITH_TD | KN_WITH_ALLOCATION | KN_WITH_PROOF | KN_WITH_EXPERIENCE, true},
};
const int kn_together_row_count = sizeof kn_together_rows / sizeof *kn_together_rows;

const KnInterpretation kn_together_interpretations[] = {
    {"What is equal cost?",
     "Positions played while thinking, over a game: each side has a clock of `positions` times the moves of "
     "the game's length, and proofs are paid from it too. "
     "Positions a move stand beside every score, since experience answers without a search and Hoyle "
     "looks two plies ahead whatever is allowed.",
     "Processor time: weights cost more a position than a game's own evaluation, Hoyle far more."},
    {"What is the base?",
     "Alpha-beta with the game's own evaluation, deepening until its share is spent; where a game has none "
     "(game descriptions), 0 for every position.",
     "On game descriptions every evaluation at all is then a gain: that is what such a game leaves to "
     "learn."},
    {"What is a stack's training?",
     "Each part is learned on its own, by games of the same search with what was learned before it: weights "
     "first, by a search of two plies, then pacing and experience at the row's own cost, then trust in that "
     "experience.",
     ""},
    {"What is the error?",
     "Over training seeds, by Student's t: a training is one draw, however many games are played with it.",
     "Over games: too narrow, since all games of a training share its luck."},
    {"Who is compared in the end?",
     "The best stack and the best single method of the table, by their means there, of those that kept "
     "within a quarter of the base's cost; trained again with seeds of their own for the match between them.",
     ""},
    {0}};

enum { DEPTH = 2 }; /* of the search that learns weights */

/* ---- files ---- */

static uint64_t seed_of(KnLabRun *run, const KnTogetherGame *game, const char *what, uint64_t seed)
{
    char key[160];
    snprintf(key, sizeof key, "%s, %s, training %llu", game->spec, what, (unsigned long long)seed);
    return kn_hash64(key, strlen(key), kn_lab_run_seed(run)) >> 11;
}

/* A file name for people and for any file system. */
static KnStatus name_file(KnLabRun *run, const KnTogetherGame *game, const char *what, uint64_t seed,
                          const KnTogetherTraining *training, KnText *path, KnError *error)
{
    char name[240], spec[64];
    snprintf(spec, sizeof spec, "%.60s", game->spec);
    for (char *c = spec; *c; c++)
        if (strchr("():=, ", *c)) *c = '-';
    kn_path_join(path, kn_context_data(kn_lab_context(run)), "lab/together");
    KnStatus status = kn_text_ok(path) ? kn_mkdirs(path->data, error) : KN_SYSTEM;
    snprintf(name, sizeof name, "lab/together/%s.%llu.%s.%llu.%llu-%llu", kn_scale_name(kn_lab_scale(run)),
             (unsigned long long)kn_lab_run_seed(run), spec, (unsigned long long)seed,
             (unsigned long long)training->games, (unsigned long long)training->examples);
    kn_path_join(path, kn_context_data(kn_lab_context(run)), name);
    kn_text_printf(path, ".%s", what);
    return status == KN_OK && !kn_text_ok(path) ? kn_fail_memory(error, "naming what was learned") : status;
}

/* What is trained, a file each. The td ones are learned with the weights of the same seed. */
typedef enum Trainer {
    TRAIN_TD,
    TRAIN_EXPERIENCE,
    TRAIN_PACE,
    TRAIN_TRUST,
    TRAIN_HOYLE,
    TRAIN_SEQUENCES,
    TRAIN_NETWORK
} Trainer;

typedef struct TrainingStep {
    const char *file;
    Trainer trainer;
    const char *base; /* trust: the file of another training step */
    unsigned needs;   /* a row with all of these parts */
    unsigned without; /* and none of these */
    double share;     /* of the training games */
} TrainingStep;

static const TrainingStep training_steps[] = {
    {"weights.json", TRAIN_TD, NULL, KN_WITH_TD, 0, 1},
    {"base.mdb", TRAIN_EXPERIENCE, NULL, KN_WITH_EXPERIENCE, KN_WITH_TD, 0.5},
    {"base-td.mdb", TRAIN_EXPERIENCE, NULL, KN_WITH_EXPERIENCE | KN_WITH_TD, 0, 0.5},
    {"pace.json", TRAIN_PACE, NULL, KN_WITH_ALLOCATION, KN_WITH_TD, 0},
    {"pace-td.json", TRAIN_PACE, NULL, KN_WITH_ALLOCATION | KN_WITH_TD, 0, 0},
    {"trust.json", TRAIN_TRUST, "base.mdb", KN_WITH_TRUST, KN_WITH_TD, 0},
    {"trust-td.json", TRAIN_TRUST, "base-td.mdb", KN_WITH_TRUST | KN_WITH_TD, 0, 0},
    {"hoyle.json", TRAIN_HOYLE, NULL, KN_WITH_HOYLE, 0, 0.3},
    {"sequences.json", TRAIN_SEQUENCES, NULL, KN_WITH_SEQUENCES, 0, 0.3},
    {"network.ntuple", TRAIN_NETWORK, NULL, KN_WITH_NETWORK, 0, 20}, /* its games are far shorter to play */
};
enum { TRAINING_STEPS = sizeof training_steps / sizeof *training_steps };

static bool is_needed(const TrainingStep *step, unsigned parts)
{
    return (parts & step->needs) == step->needs && !(parts & step->without);
}

static void unit_key(const KnTogetherGame *game, const TrainingStep *step, uint64_t seed,
                     const KnTogetherTraining *training, char *key, size_t size)
{
    snprintf(key, size, "learned %s on %s, seed %llu, %llu games, %llu examples", step->file, game->spec,
             (unsigned long long)seed, (unsigned long long)training->games,
             (unsigned long long)training->examples);
}

/* "features(weights="...")" of this seed. */
static KnStatus weights_text(KnLabRun *run, const KnTogetherGame *game, uint64_t seed,
                             const KnTogetherTraining *training, KnText *out, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = name_file(run, game, "weights.json", seed, training, &path, error);
    kn_text_add(out, "features(weights=");
    kn_text_add_quoted(out, path.data);
    kn_text_add(out, ")");
    kn_text_free(&path);
    return status;
}

/* ---- learners, with all options that matter ---- */

/* One training: how much of it, with which search. */
typedef struct Training {
    const TrainingStep *step;
    const KnTogetherGame *game;
    uint64_t games, examples, positions;
    const char *eval; /* of the searches; NULL: hand */
    const char *base; /* path */
    bool has_features;
} Training;

static void add_eval(const Training *t, KnText *spec)
{
    kn_text_printf(spec, ", eval=%s)", t->eval ? t->eval : "hand");
}

/* Pacing and trust: examples of games that the search plays against itself. */
static void add_policy(const Training *t, KnText *spec)
{
    bool trust = t->step->trainer == TRAIN_TRUST;
    uint64_t quarter = t->positions / 4 ? t->positions / 4 : 1;
    kn_text_printf(spec, "%s(inner=alphabeta(memory=1", trust ? "trust" : "pace");
    add_eval(t, spec);
    kn_text_printf(spec,
                   ", units=%llu, moves=%d, random-plies=2, examples=%llu, relief=0, enrich=0, "
                   "features=\"%sgeneral\"",
                   (unsigned long long)t->positions, t->game->moves + 1, (unsigned long long)t->examples,
                   t->has_features ? "game," : "");
    if (trust) {
        kn_text_printf(spec, ", judging=%llu, explore=0.5, least=%llu, base=", (unsigned long long)quarter,
                       t->examples > 1000 ? 100ull : (unsigned long long)t->examples / 10 + 1);
        kn_text_add_quoted(spec, t->base);
    } else /* half of the budget is enough to have looked at every move once, where boards are small */
        kn_text_printf(spec, ", step=%llu, below=2, above=4, least=20", (unsigned long long)quarter);
    kn_text_add(spec, ")");
}

/* Games against the same search, which varies its moves now and then so that there is something to learn. */
static void add_experience(const Training *t, KnText *spec)
{
    enum { FEW_GAMES = 10 }; /* that begin apart would never meet again */
    KnText search = KN_TEXT_EMPTY;
    kn_text_printf(&search, "alphabeta(depth=0, width=full, memory=1, nodes=%llu",
                   (unsigned long long)t->positions);
    add_eval(t, &search);
    kn_text_printf(spec,
                   "experience(games=%llu, inner=%s, against=%s, epsilon=0.1, rule=expect, random-plies=%d, "
                   "plies=%d)",
                   (unsigned long long)t->games, search.data, search.data, t->games < FEW_GAMES ? 0 : 2,
                   2 * t->game->moves);
    kn_text_free(&search);
}

static void add_watching(const Training *t, KnText *spec)
{
    KnText expert = KN_TEXT_EMPTY, agents = KN_TEXT_EMPTY;
    kn_text_printf(&expert, "alphabeta(depth=%d, memory=1", DEPTH + 1);
    add_eval(t, &expert);
    kn_text_printf(&agents, "%s; reasonable(0.5, rest=%s)", expert.data, expert.data);
    kn_text_printf(spec, "%s, in=increasing, watch=%llu, plies=%d, agents=",
                   t->step->trainer == TRAIN_HOYLE ? "hoyle(sequences=none" : "sequences(method=sitact",
                   (unsigned long long)(t->games / 2 ? t->games / 2 : 1), 2 * t->game->moves);
    kn_text_add_quoted(spec, agents.data);
    kn_text_add(spec, ")");
    kn_text_free(&expert);
    kn_text_free(&agents);
}

static void add_learner(const Training *t, KnText *spec)
{
    switch (t->step->trainer) {
    case TRAIN_TD:
        kn_text_printf(spec, "td(depth=%d, games=%llu, alpha=0.03, random-plies=4, plies=%d)", DEPTH,
                       (unsigned long long)t->games, 2 * t->game->moves);
        return;
    case TRAIN_NETWORK:
        kn_text_printf(spec, "ntuple(games=%llu, plies=%d)", (unsigned long long)t->games,
                       2 * t->game->moves);
        return;
    case TRAIN_EXPERIENCE:
        add_experience(t, spec);
        return;
    case TRAIN_PACE:
    case TRAIN_TRUST:
        add_policy(t, spec);
        return;
    case TRAIN_HOYLE:
    case TRAIN_SEQUENCES:
        add_watching(t, spec);
    }
}

/* Games that a training plays, for the table. */
static uint64_t games_of(const Training *t, const KnTrainResult *result)
{
    switch (t->step->trainer) {
    case TRAIN_HOYLE:
    case TRAIN_SEQUENCES:
        return 2 * (t->games / 2 ? t->games / 2 : 1);
    case TRAIN_PACE:
    case TRAIN_TRUST: {
        json_t *also = kn_train_result_also(result);
        const json_t *list = json_object_get(also, "games");
        uint64_t games = (uint64_t)json_integer_value(json_array_get(list, json_array_size(list) - 1));
        json_decref(also);
        return games;
    }
    case TRAIN_TD:
    case TRAIN_NETWORK:
    case TRAIN_EXPERIENCE:
        break;
    }
    return t->games;
}

static KnStatus train_one(KnLabRun *run, const KnTogetherGame *game, const TrainingStep *step, uint64_t seed,
                          const KnTogetherTraining *training, KnError *error)
{
    char key[240];
    KnText path = KN_TEXT_EMPTY, eval = KN_TEXT_EMPTY, base = KN_TEXT_EMPTY, learner = KN_TEXT_EMPTY;
    KnGame *opened = NULL;
    unit_key(game, step, seed, training, key, sizeof key);
    KnStatus status = name_file(run, game, step->file, seed, training, &path, error);
    if (status == KN_OK && !(kn_lab_done(run, key) && kn_file_exists(path.data))) {
        bool with_td = step->needs & KN_WITH_TD && step->trainer != TRAIN_TD;
        double share = (double)training->games * step->share;
        if (with_td) status = weights_text(run, game, seed, training, &eval, error);
        if (status == KN_OK && step->base)
            status = name_file(run, game, step->base, seed, training, &base, error);
        if (status == KN_OK) status = kn_game_open_turns(kn_lab_context(run), game->spec, &opened, error);
        Training one = {.step = step,
                        .game = game,
                        .games = share < 2 ? 2 : (uint64_t)share,
                        .examples = training->examples,
                        .positions = (uint64_t)kn_lab_parameter(run, "positions"),
                        .eval = with_td ? eval.data : NULL,
                        .base = base.data,
                        .has_features = opened && opened->feature_count > 0};
        add_learner(&one, &learner);
        KnTrainPlan plan = {.learner = learner.data,
                            .game = game->spec,
                            .seed = seed_of(run, game, step->file, seed),
                            .jobs = 1,
                            .out = path.data,
                            .cancel = kn_lab_cancel(run)};
        KnTrainResult result = {0};
        double started = kn_clock_cpu();
        if (status == KN_OK) status = kn_train(kn_lab_context(run), &plan, &result, error);
        if (status == KN_OK)
            status = kn_lab_keep(run, key,
                                 json_pack("{sI sf}", "games", (json_int_t)games_of(&one, &result), "seconds",
                                           kn_clock_cpu() - started),
                                 error);
        kn_train_result_free(&result);
    }
    kn_game_close(opened);
    kn_text_free(&path);
    kn_text_free(&eval);
    kn_text_free(&base);
    kn_text_free(&learner);
    return status;
}

KnStatus kn_together_train(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                           const KnTogetherTraining *training, KnError *error)
{
    KnStatus status = KN_OK;
    for (int i = 0; i < TRAINING_STEPS && status == KN_OK; i++)
        if (is_needed(&training_steps[i], parts))
            status = train_one(run, game, &training_steps[i], seed, training, error);
    return status;
}

void kn_together_cost(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                      const KnTogetherTraining *training, double *games, double *seconds)
{
    *games = *seconds = 0;
    for (int i = 0; i < TRAINING_STEPS; i++) {
        char key[240];
        unit_key(game, &training_steps[i], seed, training, key, sizeof key);
        const json_t *unit = is_needed(&training_steps[i], parts) ? kn_lab_done(run, key) : NULL;
        *games += json_number_value(json_object_get(unit, "games"));
        *seconds += json_number_value(json_object_get(unit, "seconds"));
    }
}

/* ---- players ---- */

typedef struct Builder {
    KnLabRun *run;
    const KnTogetherGame *game;
    unsigned parts;
    uint64_t seed;
    const KnTogetherTraining *training;
    double positions, threshold;
    KnText *out;
} Builder;

static KnStatus add_file(const Builder *b, const char *file, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = name_file(b->run, b->game, file, b->seed, b->training, &path, error);
    kn_text_add_quoted(b->out, path.data);
    kn_text_free(&path);
    return status;
}

/* What comes behind the player inside of `experience`. */
static KnStatus add_base(const Builder *b, KnError *error)
{
    bool td = b->parts & KN_WITH_TD;
    kn_text_add(b->out, ", base=");
    KnStatus status = add_file(b, td ? "base-td.mdb" : "base.mdb", error);
    if (status == KN_OK && b->parts & KN_WITH_TRUST) {
        kn_text_add(b->out, ", rule=trust, file=");
        status = add_file(b, td ? "trust-td.json" : "trust.json", error);
        if (b->threshold > 0) kn_text_printf(b->out, ", doubt=%.10g", b->threshold);
        kn_text_add(b->out, ")");
    } else
        kn_text_add(b->out, ", rule=expect)");
    return status;
}

/* Trust that saves positions for other moves stands inside of the clock, which keeps the accounts. */
static bool is_inside(const Builder *b) { return b->parts & KN_WITH_TRUST && !(b->parts & KN_WITH_SAVING); }

/* The search under its clock, with proofs and pacing as the row has them. */
static KnStatus add_clock(const Builder *b, KnError *error)
{
    KnStatus status = KN_OK;
    bool td = b->parts & KN_WITH_TD;
    kn_text_printf(b->out, "clock(%s%salphabeta(memory=1", is_inside(b) ? "experience(" : "",
                   b->parts & KN_WITH_PROOF ? "prove(" : "");
    if (td) {
        kn_text_add(b->out, ", eval=");
        status = weights_text(b->run, b->game, b->seed, b->training, b->out, error);
    } else if (b->parts & KN_WITH_NETWORK) {
        kn_text_add(b->out, ", eval=ntuple(file=");
        status = add_file(b, "network.ntuple", error);
        kn_text_add(b->out, ")");
    } else if (b->parts & KN_WITH_HEURISTICS) /* with a start clock of as many positions as the game's */
        kn_text_printf(b->out, ", eval=blend(%sby=td, start=%.0f)",
                       b->parts & KN_WITH_EVALUATION ? "" : "mobility(who=both), focus, ",
                       b->positions * b->game->moves);
    else
        kn_text_add(b->out, ", eval=hand");
    kn_text_add(b->out, ")");
    if (b->parts & KN_WITH_PROOF) kn_text_printf(b->out, ", nodes=%.0f)", fmax(2, b->positions / 3));
    if (status == KN_OK && is_inside(b)) status = add_base(b, error);
    kn_text_printf(b->out, ", units=%.0f, moves=%d", b->positions * b->game->moves, b->game->moves);
    if (status == KN_OK && b->parts & KN_WITH_ALLOCATION) {
        kn_text_add(b->out, ", pace=learned, file=");
        status = add_file(b, td ? "pace-td.json" : "pace.json", error);
    }
    if (b->parts & KN_WITH_SIGNALS) kn_text_add(b->out, ", pace=engine");
    kn_text_add(b->out, ")");
    return status;
}

KnStatus kn_together_player(KnLabRun *run, const KnTogetherGame *game, unsigned parts, uint64_t seed,
                            const KnTogetherTraining *training, double positions, double threshold,
                            KnText *spec, KnError *error)
{
    Builder b = {run, game, parts, seed, training, positions, threshold, spec};
    KnStatus status = KN_OK;
    if (parts & KN_WITH_UCT) {
        kn_text_printf(spec, "uct(nodes=%.0f, playouts=1000000, memory=4)", positions);
        return KN_OK;
    }
    if (parts & (KN_WITH_HOYLE | KN_WITH_SEQUENCES)) {
        kn_text_add(spec, parts & KN_WITH_HOYLE ? "hoyle(" : "seqlearner(");
        status = add_file(&b, parts & KN_WITH_HOYLE ? "hoyle.json" : "sequences.json", error);
        if (status == KN_OK && parts & KN_WITH_SEARCH) {
            kn_text_add(spec, ", search=");
            status = add_clock(&b, error);
        }
        kn_text_add(spec, ")");
        return status;
    }
    bool outside = parts & KN_WITH_EXPERIENCE && !is_inside(&b);
    if (outside) kn_text_add(spec, "experience(");
    status = add_clock(&b, error);
    if (status == KN_OK && outside) status = add_base(&b, error);
    return status == KN_OK && !kn_text_ok(spec) ? kn_fail_memory(error, "naming a player") : status;
}

/* ---- matches ---- */

KnStatus kn_together_match(KnLabRun *run, const char *key, const KnTogetherMatch *m, KnStanding *standing,
                           KnError *error)
{
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    KnStatus status = kn_together_train(run, m->game, m->parts, m->seed, m->training, error);
    if (status == KN_OK) status = kn_together_train(run, m->game, m->other, m->seed, m->training, error);
    if (status == KN_OK)
        status = kn_together_player(run, m->game, m->parts, m->seed, m->training, m->positions, m->threshold,
                                    &first, error);
    if (status == KN_OK)
        status = kn_together_player(run, m->game, m->other, m->seed, m->training, m->other_positions, 0,
                                    &second, error);
    if (status == KN_OK) {
        KnMatchPlan plan = {.game = m->game->spec,
                            .players = {first.data, second.data},
                            .games = m->games,
                            .random_plies = 4,
                            .rules = {.ply_limit = 2 * (size_t)m->game->moves}};
        KnMatchResult result;
        status = kn_lab_match(run, key, plan, &result, error);
        if (status == KN_OK) *standing = result.standing;
    }
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

KnTogetherScore kn_together_score(const KnStanding *by_seed, int seeds)
{
    KnMoments moments = {0};
    uint64_t games = 0;
    for (int i = 0; i < seeds; i++) {
        kn_moments_add(&moments, kn_standing_score(&by_seed[i]));
        games += by_seed[i].games;
    }
    /* Trainings that happen to agree are not known to agree: the error is never less than what that number of
     * games leave open. */
    double mean = kn_moments_mean(&moments),
           least = 0.5 * sqrt((mean * (1 - mean) + 0.01) / (double)(games ? games : 1));
    double error = fmax(kn_moments_stderr(&moments), least);
    double degrees = seeds > 1 ? seeds - 1 : 1, reach = kn_student_t_quantile(0.975, degrees) * error;
    double t = fabs(mean - 0.5) / error;
    return (KnTogetherScore){kn_measure_estimate(mean, fmax(0, mean - reach), fmin(1, mean + reach), games),
                             2 * (1 - kn_student_t_cdf(t, degrees))};
}
