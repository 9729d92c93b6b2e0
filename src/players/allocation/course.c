/* A course of allocation: the examples in equal parts, a policy after each, tested on examples that no policy
 * learns from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/stats.h"
#include "players/allocation/train.h"
#include "players/course.h"
#include "players/learner.h"

enum { PART = 1000, LEAST_PARTS = 5, MOST_PARTS = 25, TEST_LEAST = 500, TEST_MOST = 4000 };

/* The share of positions that the player `allocate` searches deep if nothing else is said: deep=8, moves=40.
 */
static const double DEEP_SHARE = 0.2;

/* What a set is for is part of its seed. */
enum { FOR_RELIEF = 1, FOR_TREE, FOR_ENRICHMENT, FOR_TEST };
static const char *const purposes[] = {"", "relief", "tree", "enrich", "test"};

typedef struct Course {
    const KnContext *context;
    const KnGame *game;
    const KnTraining *training;
    KnCourse *course;
    KnProgress *progress;
    uint64_t parts;
} Course;

/* One part of a set, from its file or made now. */
static KnStatus make_part(const Course *c, int purpose, uint64_t part, uint64_t count, KnExamples *out,
                          KnError *error)
{
    KnExamplesPlan plan = c->training->play;
    plan.count = count;
    plan.seed = kn_mix64(plan.seed ^ kn_mix64((uint64_t)purpose << 32 | part));
    KnText name = KN_TEXT_EMPTY, path = KN_TEXT_EMPTY;
    kn_text_printf(&name, "%s-%02llu.tsv", purposes[purpose], (unsigned long long)part);
    kn_course_path(c->course, name.data, &path);
    KnStatus status;
    if (kn_file_exists(path.data)) {
        status = kn_examples_load(c->game, &plan, path.data, out, error);
        kn_progress_tick(c->progress, count);
    } else {
        status = kn_examples_make(c->context, c->game, &plan, c->progress, out, error);
        if (status == KN_OK) status = kn_examples_save(out, &plan, path.data, error);
    }
    kn_text_free(&name);
    kn_text_free(&path);
    return status;
}

/* Adds a part to a set that has room for it. */
static KnStatus add_part(const Course *c, int purpose, uint64_t part, uint64_t count, KnExamples *set,
                         KnError *error)
{
    KnExamples more = {0};
    if (!count) return KN_OK;
    KnStatus status = make_part(c, purpose, part, count, &more, error);
    if (status == KN_OK) {
        memcpy(set->positions + set->count * set->stride, more.positions, more.count * more.stride);
        memcpy(set->tags + set->count, more.tags, more.count * sizeof *more.tags);
        for (size_t i = 0; i < more.count; i++) set->tags[set->count + i].game += (uint32_t)set->games;
        set->count += more.count;
        set->games += more.games;
        set->decisions += more.decisions;
        set->forced += more.forced;
    }
    kn_examples_free(&more);
    return status;
}

typedef struct Scored {
    double score;
    bool positive;
} Scored;

static int by_score(const void *a, const void *b)
{
    const Scored *one = a, *two = b;
    return one->score < two->score ? 1 : one->score > two->score ? -1 : 0;
}

/* How many of the positive ones are among the best `room`; where a leaf's examples fit in only in part, the
 * share of that part. */
static double found_among(const Scored *list, size_t count, double room)
{
    double found = 0;
    for (size_t i = 0, next; i < count && room > 0; i = next) {
        size_t positives = 0;
        for (next = i; next < count && list[next].score == list[i].score; next++)
            positives += list[next].positive;
        double size = (double)(next - i), share = size <= room ? 1 : room / size;
        found += share * (double)positives;
        room -= size;
    }
    return found;
}

static KnStatus test_policy(const KnLearned *learned, const KnExamples *test, double *y, KnInterval *interval,
                            KnError *error)
{
    Scored *list = malloc(test->count * sizeof *list);
    if (!list) return kn_fail_memory(error, "testing a policy");
    double values[learned->view->count], positives = 0;
    for (size_t i = 0; i < test->count; i++) {
        KnAllocationChoice choice = {0};
        kn_training_values(learned->view, test, i, values);
        kn_learned_decide(learned, kn_tree_leaf(learned->tree, values),
                          &(KnAllotment){.moves = 5, .deep_left = 1, .moves_left = 5}, &choice);
        list[i] = (Scored){choice.known->score, test->tags[i].worth.positive};
        positives += list[i].positive;
    }
    qsort(list, test->count, sizeof *list, by_score);
    double found = found_among(list, test->count, DEEP_SHARE * (double)test->count);
    *y = positives > 0 ? found / positives : 0;
    *interval = kn_wilson(found, positives, KN_Z95);
    free(list);
    return KN_OK;
}

/* A policy by the examples so far: saved, tested, a point of the curve. */
static KnStatus take_stock(const Course *c, KnTrainer *trainer, const KnTrainingSets *sets,
                           const KnExamples *test, KnError *error)
{
    KnLearned *learned = NULL;
    KnText path = KN_TEXT_EMPTY;
    double y = 0;
    KnInterval interval = {0, 1};
    kn_course_path(c->course, KN_TRAINING_FILE, &path);
    KnStatus status = kn_trainer_learn(trainer, sets, &learned, error);
    if (status == KN_OK) status = test_policy(learned, test, &y, &interval, error);
    if (status == KN_OK) status = kn_learned_save(learned, path.data, error);
    if (status == KN_OK)
        status = kn_course_add(c->course, (double)(sets->tree.count + sets->enrich.count), y, interval.low,
                               interval.high, error);
    kn_learned_free(learned);
    kn_text_free(&path);
    return status;
}

static KnStatus run(const Course *c, KnTrainingSets *sets, KnExamples *test, KnError *error)
{
    const KnTraining *t = c->training;
    uint64_t tests = (t->tree + t->enrich) / 4;
    tests = tests < TEST_LEAST ? TEST_LEAST : tests > TEST_MOST ? TEST_MOST : tests;
    kn_progress_set_total(c->progress, tests + t->relief + t->tree + t->enrich);
    KnStatus status = make_part(c, FOR_TEST, 0, tests, test, error);
    if (status == KN_OK && t->relief) status = make_part(c, FOR_RELIEF, 0, t->relief, &sets->relief, error);
    if (status == KN_OK) status = kn_examples_reserve(&sets->tree, c->game, t->tree, error);
    if (status == KN_OK) status = kn_examples_reserve(&sets->enrich, c->game, t->enrich + 1, error);
    sets->tree.explore = sets->enrich.explore = t->play.explore;
    KnTrainer *trainer = NULL;
    for (uint64_t part = 0; part < c->parts && status == KN_OK; part++) {
        status = add_part(c, FOR_TREE, part, t->tree * (part + 1) / c->parts - t->tree * part / c->parts,
                          &sets->tree, error);
        if (status == KN_OK)
            status = add_part(c, FOR_ENRICHMENT, part,
                              t->enrich * (part + 1) / c->parts - t->enrich * part / c->parts, &sets->enrich,
                              error);
        if (status != KN_OK || part < kn_course_points(c->course)) continue;
        if (!trainer) status = kn_trainer_open(c->game, t, sets, &trainer, error);
        if (status == KN_OK) status = take_stock(c, trainer, sets, test, error);
    }
    kn_trainer_close(trainer);
    return status == KN_OK ? kn_course_finish(c->course, error) : status;
}

static json_t *about_course(const KnGame *game, const KnTraining *t)
{
    json_t *about = json_pack(
        "{ss ss ss ss* si si si sf sf si sI sI sI sb sb sb sb si si si sb si sb sb si sI sf si sf}",
        "learner", "allocation", "game", game->spec, "inner", t->play.inner, "eval", t->eval, "k", t->play.k,
        "n", t->play.n, "moves", t->play.moves, "judge", t->play.judge, "keep", t->keep, "random_plies",
        t->play.random_plies, "tree", (json_int_t)t->tree, "relief", (json_int_t)t->relief, "enrich",
        (json_int_t)t->enrich, "game_features", t->game_features, "general_features", t->general_features,
        "budget_features", t->budget_features, "cell_features", t->cell_features, "patterns", t->patterns,
        "expansions", t->expansions, "decide", (int)t->decide, "points", t->points, "boost", t->boost,
        "worth", t->by_worth, "cuts", t->plan.cuts, "depth", t->plan.depth, "least",
        (json_int_t)t->plan.least, "confidence", t->plan.confidence, "measure", (int)t->plan.measure, "seed",
        (double)t->play.seed);
    const KnClasses *c = &t->play.classes;
    if (t->play.explore > 0) json_object_set_new(about, "explore", json_real(t->play.explore));
    if (c->units)
        json_object_set_new(about, "classes",
                            json_pack("[ffii]", (double)c->units, (double)c->step, c->below, c->above));
    const KnTrust *trust = &t->play.trust;
    if (trust->base)
        json_object_set_new(about, "trust",
                            json_pack("[sff]", trust->base, (double)trust->nodes, (double)trust->judging));
    return about;
}

KnStatus kn_training_course(const KnContext *context, const KnGame *game, const KnTraining *training,
                            const char *folder, KnProgress *progress, KnError *error)
{
    Course c = {.context = context, .game = game, .training = training, .progress = progress};
    c.parts = (training->tree + training->enrich) / PART;
    c.parts = c.parts < LEAST_PARTS ? LEAST_PARTS : c.parts > MOST_PARTS ? MOST_PARTS : c.parts;
    if (c.parts > training->tree) c.parts = training->tree;
    KnTrainingSets sets = {0};
    KnExamples test = {0};
    KnStatus status = kn_course_open(folder, about_course(game, training), &c.course, error);
    if (status == KN_OK && !kn_course_done(c.course)) status = run(&c, &sets, &test, error);
    kn_course_close(c.course);
    kn_training_sets_free(&sets);
    kn_examples_free(&test);
    return status;
}

/* ---- the learner ---- */

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (!(game->traits & KN_GAME_SIMULTANEOUS) && game->roles == 2) return KN_OK;
    return kn_fail(error, KN_INPUT, "needs a game of two players who take turns");
}

static void player(const KnOptions *options, const char *file, KnText *spec)
{
    kn_text_add(spec, "allocate(");
    kn_spec_print(kn_option_spec(options, "inner"), spec);
    kn_text_printf(spec, ", k=%ld, n=%ld, policy=learned(", kn_option_integer(options, "shallow"),
                   kn_option_integer(options, "extra"));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, "alphabeta", 0, 0, "player", "the player that searches; its depth is set"},
    {"shallow", KN_OPTION_INTEGER, "4", 1, 8, NULL, "depth of a shallow search"},
    {"extra", KN_OPTION_INTEGER, "2", 1, 4, NULL, "how many plies deeper a deep search goes"},
    {"examples", KN_OPTION_INTEGER, "5000", 100, 1000000, NULL, "positions from which the tree grows"},
    {"enrich", KN_OPTION_INTEGER, "10000", 0, 1000000, NULL, "further positions that count in its leaves"},
    {"relief", KN_OPTION_INTEGER, "1000", 0, 100000, NULL,
     "positions by which RELIEF drops features; 0: keep all"},
    {"patterns", KN_OPTION_INTEGER, "0", 0, 20, NULL, "board patterns to learn as further features"},
    {"learner", KN_OPTION_CHOICE, "cuts", 0, 0, "cuts|id3|regression",
     "the tree: by cuts of ranges in two, ID3, or one of the worth"},
    {0}};

const KnLearner kn_learner_allocation = {
    .head = {"allocation", "when a deep search is worth it (Markovitch & Sella 1996)", options},
    .x = "examples",
    .y = "share found",
    .measures = "Of the positions in which a deep search is worth it, the share that it finds if a fifth of "
                "all may be searched deep.",
    .low = 0,
    .high = 1,
    .chance = 0.2,
    .file = KN_TRAINING_FILE,
    .suits = suits,
    .player = player,
};
