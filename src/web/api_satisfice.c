/* Maps of outcomes of satisficing agents: `knack satisfice map` over HTTP, within limits. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "methods/satisficing/outcome_map.h"
#include "web/state.h"

enum { SIZE_MAX_POINTS = 101, TRIALS_MAX = 200000, ROUNDS = 2000, WORDS_MAX = 16, WORD_LENGTH = 80 };

typedef struct Drawing {
    KnTrialPlan plan;
    KnOutcomeMapAxis x, y;
    json_t *document;
    KnStatus status;
    KnError error;
} Drawing;

static void draw(void *user)
{
    Drawing *drawing = user;
    KnOutcomeMapPoint *points = calloc((size_t)drawing->x.points * (size_t)drawing->y.points, sizeof *points);
    drawing->status = points
                          ? kn_trials_map(&drawing->plan, &drawing->x, &drawing->y, points, &drawing->error)
                          : kn_fail_memory(&drawing->error, "drawing a map");
    if (drawing->status == KN_OK)
        drawing->document = kn_outcome_map_json(
            &(KnOutcomeMap){drawing->x, drawing->y, drawing->plan.trials, points}, &drawing->plan);
    free(points);
}

/* Conditions can reject samples without end, so only the command line takes them. */
static bool read_words(const KnCall *call, KnTrialDistribution *trial, KnHttpReply *reply)
{
    const json_t *words = json_object_get(call->body, "words"), *item;
    KnError error;
    size_t i;
    if (words && (!json_is_array(words) || json_array_size(words) > WORDS_MAX)) {
        kn_reply_error(reply, 400, "words",
                       "words: expected a list of at most %d texts such as \"lambda=.9\"", WORDS_MAX);
        return false;
    }
    json_array_foreach(words, i, item)
    {
        const char *word = json_string_value(item);
        if (!word || strlen(word) > WORD_LENGTH || strpbrk(word, "<>")) {
            kn_reply_error(
                reply, word ? 422 : 400, "words",
                "words[%zu]: expected a text such as \"lambda=.9\", \"delta=.1..sigma\" or \"start=DD\"", i);
            return false;
        }
        if (kn_trial_distribution_word(trial, word, &error) != KN_OK) {
            kn_reply_fail(reply, &error, "words");
            return false;
        }
    }
    return true;
}

static bool read_axis(const KnCall *call, const char *key, int points, KnOutcomeMapAxis *axis,
                      KnHttpReply *reply)
{
    const char *word;
    KnError error;
    KnRange range;
    axis->points = points;
    if (!kn_call_text(call, key, false, WORD_LENGTH, &word, reply)) return false;
    if (!word) return true;
    KnStatus status = kn_range_word(word, &axis->number, &range, &error);
    if (status == KN_OK && (range.above >= 0 || range.below >= 0))
        status = kn_fail(&error, KN_INPUT, "%s: an axis begins and ends at numbers", key);
    if (status != KN_OK) {
        kn_reply_fail(reply, &error, key);
        return false;
    }
    axis->low = range.low;
    axis->high = range.high;
    return true;
}

static void map(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double size, trials, seed;
    if (!kn_call_number(call, "size", false, 2, SIZE_MAX_POINTS, 41, &size, reply) ||
        !kn_call_number(call, "trials", false, 1, TRIALS_MAX, 1, &trials, reply) ||
        !kn_call_number(call, "seed", false, 0, UINT32_MAX, 1, &seed, reply))
        return;
    if ((double)(int)size * (int)size * trials > TRIALS_MAX) {
        kn_reply_error(
            reply, 422, "trials",
            "size * size * trials may be %d at most over HTTP; `knack satisfice map` draws larger maps",
            TRIALS_MAX);
        return;
    }
    Drawing drawing = {.plan = {.trials = (uint64_t)trials,
                                .seed = (uint64_t)seed,
                                .jobs = 1,
                                .rounds = ROUNDS,
                                .trial = kn_trial_distribution_paper()},
                       .x = {KN_TRIAL_ALPHA, 0, 2, 0},
                       .y = {KN_TRIAL_BETA, 0, 2, 0}};
    if (!read_words(call, &drawing.plan.trial, reply) ||
        !read_axis(call, "x", (int)size, &drawing.x, reply) ||
        !read_axis(call, "y", (int)size, &drawing.y, reply))
        return;
    KnError error;
    if (kn_call_compute(web, call, draw, &drawing, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (drawing.status != KN_OK)
        kn_reply_fail(reply, &drawing.error, "words");
    else
        kn_reply_json(reply, 200, drawing.document);
}

const KnRoute kn_routes_satisfice[] = {{"POST", "satisfice/map", map, KN_WEB_BODY}, {0}};
