#include "lab/tdleaf/shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/math.h"
#include "games/checkers/endgame_build.h"

const KnInterpretation kn_tdleaf_interpretations[] = {
    {"What do Chinook's features compute? Only their names and weights are printed.",
     "Our own interpretations under the same names (src/games/checkers/feature_set.c); the original weights "
     "are "
     "used as printed, with a man at 100 and a king at "
     "130.",
     "So chinook-original is hand-set for other definitions: what beats it here need not beat it there."},
    {"What is a prediction, and in which unit does alpha = .01 step?",
     "tanh(score / 100) at the leaf of the principal variation; steps in tenths of a man.",
     "Chosen on development seeds: in whole men weights never settle, in hundredths they hardly move."},
    {"\"The standard 144 checkers openings, each 3 ply long\"",
     "The 144 most balanced of the 216 positions after three plies (checkers-three-ply).", ""},
    {"\"All positions 8-ply into the games\" of Tinsley (393)",
     "400 positions of our own, 8 plies into games of varied players (checkers-held-out).", ""},
    {"Which pairs of moves are learned from?",
     "Successive searches of the same side, forced moves and lines ended by repetition left out.", ""},
    {0}};

KnTdleafTraining kn_tdleaf_training(const KnLabRun *run, bool taught, int depth)
{
    KnTdleafTraining training = {.depth = depth,
                                 .taught = taught,
                                 .by_side = true,
                                 .games = (uint64_t)kn_lab_parameter(run, "training")};
    snprintf(training.name, sizeof training.name, "%s-%d-%llu", taught ? "teacher" : "self", depth,
             (unsigned long long)training.games);
    return training;
}

KnStatus kn_tdleaf_open(KnLabRun *run, KnTdleafField *field, KnError *error)
{
    char name[64];
    *field = (KnTdleafField){KN_TEXT_EMPTY};
    int pieces = (int)kn_lab_parameter(run, "pieces");
    snprintf(name, sizeof name, "lab/tables-%d", pieces);
    kn_path_join(&field->tables, kn_context_data(kn_lab_context(run)), name);
    if (!kn_text_ok(&field->tables)) return kn_fail_memory(error, "naming endgame tables");
    KnEndgamePlan plan = {.folder = field->tables.data,
                          .pieces = pieces,
                          .kind = KN_ENDGAME_WLD,
                          .jobs = kn_lab_jobs(run),
                          .cancel = kn_lab_cancel(run),
                          .context = kn_lab_context(run)};
    KnEndgameBuilt built;
    return kn_endgame_build(&plan, &built, error);
}

void kn_tdleaf_close(KnTdleafField *field) { kn_text_free(&field->tables); }

static void player_text(const KnTdleafField *field, const char *weights, const char *set, int depth,
                        KnText *out)
{
    kn_text_printf(out, "alphabeta(depth=%d, memory=%d, tables=", depth, depth < 9 ? 1 : 16);
    kn_text_add_quoted(out, field->tables.data);
    kn_text_add(out, ", eval=features(weights=");
    kn_text_add_quoted(out, weights);
    if (set) kn_text_printf(out, ", set=%s", set);
    kn_text_add(out, "))");
}

static KnStatus name_file(KnLabRun *run, const char *training, KnText *path, KnError *error)
{
    char name[200];
    kn_path_join(path, kn_context_data(kn_lab_context(run)), "lab/weights");
    KnStatus status = kn_text_ok(path) ? kn_mkdirs(path->data, error)
                                       : kn_fail_memory(error, "naming weights");
    snprintf(name, sizeof name, "lab/weights/%.60s.%s.%llu.json", training, kn_scale_name(kn_lab_scale(run)),
             (unsigned long long)kn_lab_run_seed(run));
    kn_path_join(path, kn_context_data(kn_lab_context(run)), name);
    return status == KN_OK && !kn_text_ok(path) ? kn_fail_memory(error, "naming weights") : status;
}

static KnStatus copy_file(const char *from, const char *to, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(from, &text, 64 << 20, error);
    if (status == KN_OK) status = kn_file_write_atomic(to, text.data, text.length, error);
    kn_text_free(&text);
    return status;
}

/* Waits until no other process learns into this file: two that did would write over each other. The lock is
 * let go by closing `file`; without files that can be locked nothing is kept apart. */
static KnStatus lock_training(KnLabRun *run, const char *path, int *file, KnError *error)
{
    KnText name = KN_TEXT_EMPTY;
    const atomic_bool *cancel = kn_lab_cancel(run);
    kn_text_printf(&name, "%s.lock", path);
    *file = kn_text_ok(&name) ? open(name.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    KnStatus status = *file >= 0 ? KN_OK : kn_fail_errno(error, "%s.lock: cannot open", path);
    kn_text_free(&name);
    while (status == KN_OK && kn_file_lock(*file) == KN_LOCK_BUSY) {
        if (cancel && atomic_load(cancel)) status = kn_fail(error, KN_STOPPED, "stopped");
        usleep(20000);
    }
    return status;
}

KnStatus kn_tdleaf_train(KnLabRun *run, const KnTdleafField *field, const KnTdleafTraining *training,
                         KnText *path, KnError *error)
{
    KnText teacher = KN_TEXT_EMPTY;
    KnGame *game = NULL;
    KnWeights *weights = NULL;
    KnTdPlan plan = kn_td_plan();
    player_text(field, "chinook-original", NULL, training->depth, &teacher);
    plan.depths[0] = training->depth;
    plan.teacher = training->taught ? teacher.data : NULL;
    plan.by_side = training->by_side;
    plan.games = training->games;
    plan.counted = training->counted;
    plan.openings = "checkers-three-ply";
    plan.tables = field->tables.data;
    plan.ply_limit = 300;
    plan.table_mib = training->depth < 9 ? 1 : 16;
    const char *family = training->family ? training->family : training->name;
    plan.seed = kn_hash64(family, strlen(family), kn_lab_run_seed(run)) >> 11;
    plan.cancel = kn_lab_cancel(run);
    int lock = -1;
    KnStatus status = name_file(run, training->name, path, error);
    if (status == KN_OK) status = lock_training(run, path->data, &lock, error);
    if (status == KN_OK && training->from && !kn_file_exists(path->data))
        status = copy_file(training->from, path->data, error);
    if (status == KN_OK) status = kn_game_open(kn_lab_context(run), "checkers", &game, error);
    if (status == KN_OK)
        status = kn_td_train(kn_lab_context(run), game, &plan, path->data, kn_lab_progress(run), &weights,
                             error);
    if (status == KN_INPUT && unlink(path->data) == 0) /* left by another version: learned again */
        status = kn_td_train(kn_lab_context(run), game, &plan, path->data, kn_lab_progress(run), &weights,
                             error);
    if (lock >= 0) close(lock);
    kn_weights_free(weights);
    kn_game_close(game);
    kn_text_free(&teacher);
    return status;
}

KnStatus kn_tdleaf_match(KnLabRun *run, const KnTdleafField *field, const KnTdleafMatch *match,
                         KnStanding *standing, KnError *error)
{
    KnText first = KN_TEXT_EMPTY, second = KN_TEXT_EMPTY;
    player_text(field, match->weights, match->set, match->depth, &first);
    player_text(field, match->other ? match->other : "chinook-original", NULL, match->depth, &second);
    KnMatchPlan plan = {.game = "checkers",
                        .players = {first.data, second.data},
                        .games = match->games,
                        .openings = match->held_out ? "checkers-held-out" : "checkers-three-ply",
                        .tables = field->tables.data,
                        .rules = {.ply_limit = 300}};
    KnMatchResult result;
    KnStatus status = kn_text_ok(&first) && kn_text_ok(&second)
                          ? kn_lab_match(run, match->key, plan, &result, error)
                          : kn_fail_memory(error, "preparing a match");
    if (status == KN_OK) *standing = result.standing;
    kn_text_free(&first);
    kn_text_free(&second);
    return status;
}

KnMeasure kn_tdleaf_points(const KnStanding *s)
{
    KnInterval interval = kn_standing_interval(s);
    return kn_measure_estimate(kn_standing_score(s), interval.low, interval.high, s->games);
}

KnMeasure kn_tdleaf_margin(const KnStanding *s)
{
    KnMeasure points = kn_tdleaf_points(s);
    return kn_measure_estimate(2 * points.value - 1, 2 * points.low - 1, 2 * points.high - 1, points.n);
}

KnMeasure kn_tdleaf_contrast(const KnStanding *standings, const double *weights, int count)
{
    double value = 0, low = 0, high = 0;
    uint64_t games = 0;
    for (int i = 0; i < count; i++) {
        KnMeasure points = kn_tdleaf_points(&standings[i]);
        double below = points.value - points.low, above = points.high - points.value;
        value += weights[i] * points.value;
        low = kn_math_hypot(low, weights[i] * (weights[i] > 0 ? below : above));
        high = kn_math_hypot(high, weights[i] * (weights[i] > 0 ? above : below));
        games += standings[i].games;
    }
    return kn_measure_estimate(value, value - low, value + high, games);
}

KnStatus kn_tdleaf_cell(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                        const char *how, KnError *error)
{
    char note[80];
    switch (kn_lab_scale(run)) {
    case KN_SCALE_QUICK:
        return kn_lab_incomparable(run, row, column, measure, "needs --scale middle", error);
    case KN_SCALE_MIDDLE:
        snprintf(note, sizeof note, "Measured %s.", how);
        return kn_lab_cell(run, row, column, measure, note, error);
    default:
        return kn_lab_cell(run, row, column, measure, NULL, error);
    }
}
