#include "arena/td.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/identity.h"
#include "arena/openings.h"
#include "base/file.h"
#include "base/json.h"
#include "base/team.h"
#include "games/turns.h"
#include "learn/fit.h"
#include "players/player.h"
#include "search/alphabeta.h"
#include "search/endgame.h"
#include "search/linear.h"

enum { BLOCK = 50, CLASSES_MAX = 32, PROBER_BYTES = 8 << 20 };

KnTdPlan kn_td_plan(void)
{
    return (KnTdPlan){.depths = {5},
                      .depth_count = 1,
                      .rule = kn_td_rule(),
                      .learner_role = -1,
                      .games = 4000,
                      .batch = 1,
                      .ply_limit = 400,
                      .table_mib = 1,
                      .seed = 1,
                      .jobs = 1};
}

/* One game of a batch: what each side predicted, and how it came out. */
typedef struct Slot {
    KnTd *td[2];
    int set[2];
    bool learns[2];
    double payoff[2]; /* -1 to 1 */
} Slot;

/* A thread's own. Both roles use the first search where they have the same weights. */
typedef struct Worker {
    KnContest *contest;
    KnPlayer *teacher;
    KnEvaluation *evaluation[2];
    KnSearch *search[2];
    KnEndgameProber *prober; /* NULL without tables */
} Worker;

typedef struct Trainer {
    const KnContext *context;
    const KnGame *sheet; /* what the weights are for */
    const KnGame *game;  /* what is played: the same, or a rule sheet's view in which roles take turns */
    KnGame *view;        /* such a view; NULL: none */
    const KnTdPlan *plan;
    const KnTermSet *terms;
    KnWeights *weights;
    KnOpenings *openings;
    KnEndgame *tables;
    char *classes[CLASSES_MAX];
    int class_count;
    Worker *workers;
    int jobs;
    Slot *slots;
    double *change;   /* of every set */
    uint64_t done;    /* games learned from */
    KnErrand *errand; /* games that others play; NULL: none */
    double block[4];  /* wins, draws, losses of the learner (or the first role), and surprise, in the block
                         under way */
    uint64_t results[3], updates;
    json_t *curve;
} Trainer;

/* ---- what is trained ---- */

/* The first move of the opening that was played, for classes. */
static void class_text(const KnContest *contest, KnText *out)
{
    const KnGame *game = kn_contest_game(contest);
    kn_text_clear(out);
    if (!kn_contest_plies(contest)) {
        kn_text_add(out, "start");
        return;
    }
    const void *position = kn_contest_position_at(contest, 0);
    int mover = game->type->mover(game, position);
    game->type->move_text(game, position, kn_contest_joint_at(contest, 0)[mover], out);
}

static int find_class(const Trainer *t, const char *name)
{
    for (int i = 0; i < t->class_count; i++)
        if (strcmp(t->classes[i], name) == 0) return i;
    return -1;
}

static KnStatus add_class(Trainer *t, const char *name, KnError *error)
{
    if (find_class(t, name) >= 0) return KN_OK;
    if (t->class_count == CLASSES_MAX)
        return kn_fail(error, KN_INPUT, "the openings begin in more than %d ways: too many classes",
                       CLASSES_MAX);
    t->classes[t->class_count] = strdup(name);
    return t->classes[t->class_count++] ? KN_OK : kn_fail_memory(error, "preparing to train");
}

static KnStatus find_classes(Trainer *t, KnError *error)
{
    if (!t->plan->by_opening) return add_class(t, "", error);
    KnContest *contest = kn_contest_new(t->game);
    KnText name = KN_TEXT_EMPTY;
    KnStatus status = contest ? KN_OK : kn_fail_memory(error, "preparing to train");
    size_t count = kn_openings_count(t->openings);
    if (!count && status == KN_OK)
        status = kn_fail(error, KN_USAGE, "weights by opening need a file of openings");
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        status = kn_openings_play(t->openings, i, contest, error);
        if (status == KN_OK) class_text(contest, &name);
        if (status == KN_OK) status = add_class(t, name.data, error);
    }
    kn_text_free(&name);
    kn_contest_free(contest);
    return status;
}

/* "black 5 9-14", by what is kept apart; "shared" if nothing is. */
static void set_name(const Trainer *t, int role, int depth, int class, char name[KN_WEIGHT_NAME])
{
    const KnTdPlan *plan = t->plan;
    KnText text = KN_TEXT_EMPTY;
    if (plan->by_side) kn_text_printf(&text, "%s", t->game->role_names[role]);
    if (plan->by_depth) kn_text_printf(&text, "%s%d", text.length ? " " : "", depth);
    if (plan->by_opening) kn_text_printf(&text, "%s%s", text.length ? " " : "", t->classes[class]);
    snprintf(name, KN_WEIGHT_NAME, "%s", text.length ? text.data : "shared");
    kn_text_free(&text);
}

static KnStatus make_sets(Trainer *t, KnError *error)
{
    char(*made)[KN_WEIGHT_NAME] = calloc(KN_WEIGHT_SETS_MAX, sizeof *made);
    const char *list[KN_WEIGHT_SETS_MAX];
    int count = 0;
    KnStatus status = made ? KN_OK : kn_fail_memory(error, "preparing to train");
    for (int role = 0; role < 2 && status == KN_OK; role++)
        for (int d = 0; d < t->plan->depth_count; d++)
            for (int c = 0; c < t->class_count && status == KN_OK; c++) {
                char name[KN_WEIGHT_NAME];
                set_name(t, role, t->plan->depths[d], c, name);
                bool known = false;
                for (int i = 0; i < count; i++) known |= strcmp(made[i], name) == 0;
                if (known) continue;
                if (count == KN_WEIGHT_SETS_MAX)
                    status = kn_fail(error, KN_INPUT, "more than %d sets of weights", KN_WEIGHT_SETS_MAX);
                else {
                    memcpy(made[count], name, sizeof name);
                    list[count] = made[count];
                    count++;
                }
            }
    if (status == KN_OK) status = kn_weights_new(t->sheet, t->plan->terms, list, count, &t->weights, error);
    free(made);
    return status;
}

static KnStatus copy_start(Trainer *t, KnError *error)
{
    if (!t->plan->start) return KN_OK;
    KnWeights *start;
    KnStatus status = kn_weights_open(t->sheet, t->plan->start, &start, error);
    if (status != KN_OK) return status;
    if (strcmp(start->terms->name, t->weights->terms->name) != 0)
        status = kn_fail(error, KN_INPUT, "the weights %s are for the terms %s, not %s", t->plan->start,
                         start->terms->name, t->weights->terms->name);
    for (int i = 0; i < t->weights->count && status == KN_OK; i++) {
        int from = kn_weights_find(start, t->weights->sets[i].name);
        memcpy(t->weights->sets[i].weights, start->sets[from < 0 ? 0 : from].weights,
               kn_weights_size(start->terms) * sizeof(double));
    }
    kn_weights_free(start);
    return status;
}

/* ---- what makes it this training and no other ---- */

static KnStatus plan_json(const Trainer *t, json_t **out, KnError *error)
{
    const KnTdPlan *p = t->plan;
    KnDigest digest;
    char hex[KN_HEX128];
    kn_digest_start(&digest);
    kn_openings_fingerprint(t->openings, &digest);
    KnStatus status = p->teacher ? kn_identity_spec(t->context, &digest, p->teacher, error) : KN_OK;
    if (status != KN_OK) return status;
    if (t->tables) kn_endgame_fingerprint(t->tables, &digest);
    for (int s = 0; s < t->weights->count; s++)
        kn_digest_add(&digest, t->weights->sets[s].weights,
                      kn_weights_size(t->weights->terms) * sizeof(double));
    kn_digest_hex(&digest, hex);
    json_t *depths = json_array();
    for (int i = 0; i < p->depth_count; i++) json_array_append_new(depths, json_integer(p->depths[i]));
    *out = json_pack("{ss ss ss* ss* ss* ss* so sf sf sf sb si si sI so si ss}", "by", "knack train td",
                     "game", t->game->spec, "teacher", p->teacher, "start", p->start, "openings", p->openings,
                     "tables", p->tables, "depths", depths, "alpha", p->rule.alpha, "lambda", p->rule.lambda,
                     "scale", p->rule.scale, "root", p->root, "batch", p->batch, "random_plies",
                     p->random_plies, "ply_limit", (json_int_t)p->ply_limit, "seed",
                     kn_json_from_uint64(p->seed), "learner_role", p->learner_role, "identity", hex);
    return *out ? KN_OK : kn_fail_memory(error, "preparing to train");
}

static json_t *state_json(const Trainer *t)
{
    return json_pack("{sI s[I,I,I] sI s[f,f,f,f] sO}", "games", (json_int_t)t->done, "results",
                     (json_int_t)t->results[0], (json_int_t)t->results[1], (json_int_t)t->results[2],
                     "predictions", (json_int_t)t->updates, "block", t->block[0], t->block[1], t->block[2],
                     t->block[3], "curve", t->curve);
}

static KnStatus read_state(Trainer *t, const char *file, KnError *error)
{
    KnJson root = kn_json_root(t->weights->state, file), list;
    int64_t value;
    KnStatus status = kn_json_integer(&root, "games", 0, INT64_MAX, &value, error);
    if (status == KN_OK) t->done = (uint64_t)value;
    if (status == KN_OK) status = kn_json_integer(&root, "predictions", 0, INT64_MAX, &value, error);
    if (status == KN_OK) t->updates = (uint64_t)value;
    if (status == KN_OK) status = kn_json_array(&root, "results", &list, error);
    for (size_t i = 0; i < 3 && status == KN_OK; i++) {
        if (kn_json_size(&list) != 3) return kn_json_fail(&list, NULL, error, "three counts are wanted");
        KnJson item = kn_json_item(&list, i);
        status = kn_json_integer(&item, NULL, 0, INT64_MAX, &value, error);
        t->results[i] = (uint64_t)value;
    }
    if (status == KN_OK) status = kn_json_array(&root, "block", &list, error);
    for (size_t i = 0; i < 4 && status == KN_OK; i++) {
        if (kn_json_size(&list) != 4) return kn_json_fail(&list, NULL, error, "four numbers are wanted");
        KnJson item = kn_json_item(&list, i);
        status = kn_json_real(&item, NULL, &t->block[i], error);
    }
    if (status == KN_OK) status = kn_json_array(&root, "curve", &list, error);
    if (status != KN_OK) return status;
    json_decref(t->curve);
    t->curve = json_incref(list.value);
    return KN_OK;
}

/* Goes on from a file, if it is of this training. */
static KnStatus take_up(Trainer *t, const char *file, KnError *error)
{
    KnWeights *kept;
    KnStatus status = kn_weights_open(t->sheet, file, &kept, error);
    if (status != KN_OK) return status;
    if (!kept->state || !kept->made || !json_equal(kept->made, t->weights->made)) {
        kn_weights_free(kept);
        return kn_fail(error, KN_INPUT,
                       "%s holds other weights, or was trained in another way; name another file to write to",
                       file);
    }
    kn_weights_free(t->weights);
    t->weights = kept;
    return read_state(t, file, error);
}

/* ---- playing ---- */

static KnStatus open_worker(Trainer *t, Worker *w, KnError *error)
{
    KnSearchOptions how = kn_search_options();
    how.table_bytes = (size_t)(t->plan->table_mib * (1 << 20));
    how.endgame = t->tables;
    w->contest = kn_contest_new(t->game);
    if (t->tables && !(w->prober = kn_endgame_prober(t->tables, PROBER_BYTES)))
        return kn_fail_memory(error, "preparing to train");
    if (!w->contest) return kn_fail_memory(error, "preparing to train");
    KnStatus status = t->plan->teacher
                          ? kn_player_open(t->context, t->game, t->plan->teacher, &w->teacher, error)
                          : KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++) {
        status = kn_linear_open(t->terms, t->weights->sets[0].weights, &w->evaluation[role], error);
        if (status == KN_OK && !(w->search[role] = kn_search_new(t->game, w->evaluation[role], &how, error)))
            status = error->status;
    }
    return status;
}

static void close_worker(Worker *w)
{
    for (int role = 0; role < 2; role++) {
        kn_search_free(w->search[role]);
        kn_evaluation_close(w->evaluation[role]);
    }
    kn_endgame_prober_free(w->prober);
    kn_player_close(w->teacher);
    kn_contest_free(w->contest);
}

/* Adds the prediction of a search at its leaf, if that can be had. */
static bool predict_leaf(const Trainer *t, const KnSearchResult *found, int role, const double *weights,
                         KnTd *td)
{
    if (labs(found->score) >= KN_SCORE_GUESS) {
        double payoff = (double)found->score / KN_SCORE_PAYOFF;
        return kn_td_add_known(td, payoff > 1 ? 1 : payoff < -1 ? -1 : payoff);
    }
    if (!found->leaf) return true;
    double values[t->terms->count], sum = 0;
    int phase = t->terms->values(t->terms, found->leaf, values);
    double sign = t->game->type->mover(t->game, found->leaf) == role ? 1 : -1;
    for (int i = 0; i < t->terms->count; i++) values[i] *= sign;
    for (int i = 0; i < t->terms->count; i++)
        sum += values[i] * weights[(size_t)phase * (size_t)t->terms->count + (size_t)i];
    if (fabs(sum - found->score) > 0.501) return true; /* the line was not recovered to its leaf */
    return kn_td_add(td, sum, phase, values);
}

static bool predict_root(const Trainer *t, const void *position, const double *weights, KnTd *td)
{
    double values[t->terms->count], sum = 0;
    int phase = t->terms->values(t->terms, position, values);
    for (int i = 0; i < t->terms->count; i++)
        sum += values[i] * weights[(size_t)phase * (size_t)t->terms->count + (size_t)i];
    return kn_td_add(td, sum, phase, values);
}

static KnStatus learner_move(const Trainer *t, Worker *w, Slot *slot, int role, const KnMove *moves,
                             int count, int depth, KnRng *rng, KnMove *move, KnError *error)
{
    const void *position = kn_contest_position(w->contest);
    KnHistory history = kn_contest_history(w->contest);
    const double *weights = t->weights->sets[slot->set[role]].weights;
    KnSearchRequest ask = {.allowed = moves,
                           .allowed_count = count,
                           .budget.depth = depth,
                           .rng = rng,
                           .cancel = t->plan->cancel};
    KnSearchResult found;
    KnStatus status = kn_search_run(w->search[slot->set[0] == slot->set[1] ? 0 : role], position, &history,
                                    &ask, &found, error);
    if (status != KN_OK) return status;
    if (found.stop == KN_STOP_CANCEL) return kn_fail(error, KN_STOPPED, "stopped");
    *move = found.move;
    if (!slot->learns[role]) return KN_OK;
    bool kept = t->plan->root ? predict_root(t, position, weights, slot->td[role])
                              : predict_leaf(t, &found, role, weights, slot->td[role]);
    return kept ? KN_OK : kn_fail_memory(error, "learning from a game");
}

static KnStatus teacher_move(Worker *w, const KnGame *game, int role, const KnMove *moves, int count,
                             const KnTdPlan *plan, KnRng *rng, KnMove *move, KnError *error)
{
    KnRequest ask = {.game = game,
                     .position = kn_contest_position(w->contest),
                     .history = kn_contest_history(w->contest),
                     .role = role,
                     .allowed = moves,
                     .allowed_count = count,
                     .rng = rng,
                     .cancel = plan->cancel};
    KnAnswer answer = {0};
    KnStatus status = kn_player_choose(w->teacher, &ask, &answer, error);
    *move = answer.move;
    return status;
}

/* Who learns in game i, with which weights. */
static KnStatus seat(const Trainer *t, Worker *w, Slot *slot, uint64_t i, int depth, int *taught,
                     KnError *error)
{
    const KnTdPlan *plan = t->plan;
    int learner = plan->learner_role >= 0 ? plan->learner_role : (int)(i & 1);
    KnText name = KN_TEXT_EMPTY;
    if (plan->by_opening) class_text(w->contest, &name);
    int class = plan->by_opening ? find_class(t, name.data) : 0;
    kn_text_free(&name);
    *taught = plan->teacher ? 1 - learner : -1;
    for (int role = 0; role < 2; role++) {
        char set[KN_WEIGHT_NAME];
        set_name(t, role, depth, class < 0 ? 0 : class, set);
        slot->set[role] = kn_weights_find(t->weights, set);
        slot->learns[role] = plan->teacher ? role == learner : plan->learner_role < 0 || role == learner;
        kn_td_clear(slot->td[role]);
        kn_linear_point(w->evaluation[role], t->weights->sets[slot->set[role]].weights);
        kn_search_clear(w->search[role]);
    }
    return plan->teacher ? kn_player_begin(w->teacher, *taught, kn_contest_position(w->contest), error)
                         : KN_OK;
}

/* Over, by the rules or because the tables know how it ends. */
static bool is_over(const Worker *w, const KnGame *game, double *payoffs)
{
    KnEndgameAnswer answer;
    if (kn_contest_over(w->contest, payoffs)) return true;
    if (!w->prober || !kn_endgame_ask(w->prober, kn_contest_position(w->contest), &answer)) return false;
    int mover = game->type->mover(game, kn_contest_position(w->contest));
    double reach = (game->payoff_high - game->payoff_low) / 2;
    payoffs[mover] = game->payoff_low + reach * (1 + answer.value);
    payoffs[1 - mover] = game->payoff_low + reach * (1 - answer.value);
    return true;
}

static KnStatus play(void *user, int worker, uint64_t place, KnError *error)
{
    Trainer *t = user;
    const KnTdPlan *plan = t->plan;
    const KnGame *game = t->game;
    uint64_t i = t->done + place;
    Worker *w = &t->workers[worker];
    Slot *slot = &t->slots[place];
    KnRng rng = kn_rng_stream(plan->seed, i);
    int depth = plan->depths[i % (uint64_t)plan->depth_count], taught = -1;
    KnMove moves[game->max_moves];
    double payoffs[KN_ROLES_MAX] = {0};
    KnStatus status = kn_openings_play(t->openings, i / 2, w->contest, error);
    if (status == KN_OK) status = seat(t, w, slot, i, depth, &taught, error);
    bool over = false;
    while (status == KN_OK && !(over = is_over(w, game, payoffs)) &&
           kn_contest_plies(w->contest) < plan->ply_limit) {
        int role = game->type->mover(game, kn_contest_position(w->contest));
        int count = kn_contest_moves(w->contest, role, moves);
        KnMove move = moves[0];
        if (role == taught)
            status = teacher_move(w, game, role, moves, count, plan, &rng, &move, error);
        else if (count > 1)
            status = learner_move(t, w, slot, role, moves, count, depth, &rng, &move, error);
        if (status == KN_OK) status = kn_contest_play(w->contest, move, error);
    }
    double middle = (game->payoff_low + game->payoff_high) / 2,
           half = (game->payoff_high - game->payoff_low) / 2;
    for (int role = 0; role < 2; role++) slot->payoff[role] = over ? (payoffs[role] - middle) / half : 0;
    return status;
}

/* ---- learning ---- */

static void count_result(Trainer *t, const Slot *slot, double surprise)
{
    int seen_by = slot->learns[0] ? 0 : 1;
    int result = slot->payoff[seen_by] > 0 ? 0 : slot->payoff[seen_by] < 0 ? 2 : 1;
    t->results[result]++;
    t->block[result]++;
    t->block[3] += surprise;
    t->done++;
    if (t->done % BLOCK) return;
    double games = t->block[0] + t->block[1] + t->block[2];
    json_array_append_new(t->curve, json_pack("[I,f,f]", (json_int_t)t->done,
                                              (t->block[0] + t->block[1] / 2) / games, t->block[3] / games));
    memset(t->block, 0, sizeof t->block);
    if (t->plan->block) t->plan->block(t->plan->user, t->curve);
}

static KnStatus learn_batch(Trainer *t, uint64_t count, KnError *error)
{
    size_t size = kn_weights_size(t->terms);
    memset(t->change, 0, size * (size_t)t->weights->count * sizeof *t->change);
    for (uint64_t place = 0; place < count; place++) {
        Slot *slot = &t->slots[place];
        double surprise = 0, learners = 0;
        for (int role = 0; role < 2; role++) {
            if (!slot->learns[role]) continue;
            double one;
            KnStatus status = t->plan->sample ? t->plan->sample(t->plan->sample_user, slot->td[role],
                                                                slot->payoff[role], error)
                                              : KN_OK;
            if (status != KN_OK) return status;
            KnWeightSet *set = &t->weights->sets[slot->set[role]];
            kn_td_learn(slot->td[role], &t->plan->rule, slot->payoff[role], t->terms->fixed,
                        t->change + size * (size_t)slot->set[role], set->updates, &one);
            t->updates += kn_td_steps(slot->td[role]);
            surprise += one;
            learners++;
        }
        count_result(t, slot, learners > 0 ? surprise / learners : 0);
    }
    for (int s = 0; s < t->weights->count; s++)
        for (size_t i = 0; i < size; i++) t->weights->sets[s].weights[i] += t->change[size * (size_t)s + i];
    return KN_OK;
}

static KnStatus save(Trainer *t, const char *file, KnError *error)
{
    json_decref(t->weights->state);
    t->weights->state = state_json(t);
    if (!t->weights->state) return kn_fail_memory(error, "saving weights");
    return file ? kn_weights_save(t->weights, file, error) : KN_OK;
}

static KnStatus prepare(Trainer *t, const char *file, KnError *error)
{
    KnStatus status = kn_game_turns(t->sheet, &t->view, error);
    t->game = t->view ? t->view : t->sheet;
    if (status == KN_OK)
        status = kn_openings_new(t->game, t->plan->openings, t->plan->random_plies, t->plan->seed,
                                 &t->openings, error);
    if (status == KN_OK && t->plan->tables)
        status = kn_endgame_open(t->game, t->plan->tables, &t->tables, error);
    if (status == KN_OK) status = find_classes(t, error);
    if (status == KN_OK) status = make_sets(t, error);
    if (status == KN_OK) status = copy_start(t, error);
    if (status == KN_OK) status = plan_json(t, &t->weights->made, error);
    if (status == KN_OK && file && kn_file_exists(file)) status = take_up(t, file, error);
    if (status != KN_OK) return status;
    t->terms = t->weights->terms;
    if (!t->jobs) t->jobs = kn_jobs(t->plan->jobs) < t->plan->batch ? kn_jobs(t->plan->jobs) : t->plan->batch;
    t->workers = calloc((size_t)t->jobs, sizeof *t->workers);
    t->slots = calloc((size_t)t->plan->batch, sizeof *t->slots);
    t->change = calloc(kn_weights_size(t->terms) * (size_t)t->weights->count, sizeof *t->change);
    if (!t->workers || !t->slots || !t->change) return kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < t->plan->batch; i++)
        for (int role = 0; role < 2; role++)
            if (!(t->slots[i].td[role] = kn_td_open(t->terms->count, t->terms->phases)))
                return kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < t->jobs && status == KN_OK; i++) status = open_worker(t, &t->workers[i], error);
    return status;
}

static void clean_up(Trainer *t)
{
    for (int i = 0; i < t->jobs && t->workers; i++) close_worker(&t->workers[i]);
    for (int i = 0; i < t->plan->batch && t->slots; i++)
        for (int role = 0; role < 2; role++) kn_td_close(t->slots[i].td[role]);
    for (int i = 0; i < t->class_count; i++) free(t->classes[i]);
    kn_openings_free(t->openings);
    kn_endgame_close(t->tables);
    kn_game_close(t->view);
    json_decref(t->curve);
    free(t->workers);
    free(t->slots);
    free(t->change);
}

/* ---- games that are played elsewhere ---- */

typedef struct Away {
    Trainer trainer;
    KnTdPlan plan;
    KnGame *game;
} Away;
_Static_assert(offsetof(Away, trainer) == 0, "a task takes an Away for its Trainer");

static void write_brief(const Trainer *t, KnText *brief)
{
    const KnTdPlan *p = t->plan;
    const char *const strings[] = {t->sheet->spec, p->teacher, p->start, p->terms, p->openings, p->tables};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) kn_pack_string(brief, strings[i]);
    kn_pack_bytes(brief, p, sizeof *p); /* its numbers; what it points to is elsewhere */
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "preparing to train");
    KnTdPlan *p = &away->plan;
    const char *strings[6];
    for (int i = 0; i < 6; i++) strings[i] = kn_unpack_string(&post->brief);
    kn_unpack_into(&post->brief, p, sizeof *p);
    p->teacher = strings[1];
    p->start = strings[2];
    p->terms = strings[3];
    p->openings = strings[4];
    p->tables = strings[5];
    p->jobs = post->jobs;
    p->cancel = post->cancel;
    p->block = NULL;
    p->sample = NULL;
    away->trainer = (Trainer){.context = post->context, .plan = p, .jobs = post->jobs, .curve = json_array()};
    if (!kn_unpack_ok(&post->brief) || !strings[0])
        return kn_fail(error, KN_SYSTEM, "a training came over in parts");
    KnStatus status = kn_game_open(post->context, strings[0], &away->game, error);
    away->trainer.sheet = away->game;
    return status == KN_OK ? prepare(&away->trainer, NULL, error) : status;
}

static void close_away(void *user)
{
    Away *away = user;
    clean_up(&away->trainer);
    kn_weights_free(away->trainer.weights);
    kn_game_close(away->game);
    free(away);
}

/* The news of a batch: which games, and the weights they are played with. */
static KnStatus hear_batch(void *user, KnUnpack *in, KnError *error)
{
    Trainer *t = user;
    t->done = kn_unpack_u64(in);
    for (int s = 0; s < t->weights->count; s++)
        kn_unpack_into(in, t->weights->sets[s].weights, kn_weights_size(t->terms) * sizeof(double));
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "weights came over in parts");
}

static void pack_game(void *user, int worker, uint64_t place, KnText *out)
{
    (void)worker;
    const Slot *slot = &((Trainer *)user)->slots[place];
    kn_pack_bytes(out, slot, sizeof *slot);
    for (int role = 0; role < 2; role++) kn_td_pack(slot->td[role], out);
}

static KnStatus unpack_game(void *user, int worker, uint64_t place, KnUnpack *in, KnError *error)
{
    (void)worker;
    const Trainer *t = user;
    Slot *slot = &t->slots[place], came;
    kn_unpack_into(in, &came, sizeof came);
    bool good = true;
    for (int role = 0; role < 2; role++) {
        good &= kn_td_unpack(slot->td[role], in) && came.set[role] >= 0 && came.set[role] < t->weights->count;
        came.td[role] = slot->td[role];
    }
    *slot = came;
    return good && kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a game came over in parts");
}

const KnDuty kn_td_duty = {"td",       "games of a batch that weights are learned from",
                           open_away,  close_away,
                           hear_batch, play,
                           pack_game,  unpack_game};

/* ---- the whole ---- */

static KnStatus play_batch(Trainer *t, uint64_t count, KnError *error)
{
    KnText news = KN_TEXT_EMPTY;
    if (t->errand) {
        kn_pack_u64(&news, t->done);
        for (int s = 0; s < t->weights->count; s++)
            kn_pack_bytes(&news, t->weights->sets[s].weights, kn_weights_size(t->terms) * sizeof(double));
    }
    /* Tasks look at the cancel flag themselves; helpers are given up by it. */
    KnStatus status = kn_errand_run(t->errand, &kn_td_duty, &news, t->jobs, count, 0, NULL, t,
                                    t->errand ? t->plan->cancel : NULL, error);
    kn_text_free(&news);
    return status;
}

static KnStatus run(Trainer *t, const char *file, KnProgress *progress, KnError *error)
{
    KnStatus status = KN_OK;
    while (t->done < t->plan->games && status == KN_OK) {
        if (t->plan->cancel && atomic_load(t->plan->cancel))
            return kn_fail(error, KN_STOPPED, "stopped after %llu games", (unsigned long long)t->done);
        uint64_t left = t->plan->games - t->done,
                 count = left < (uint64_t)t->plan->batch ? left : (uint64_t)t->plan->batch;
        status = play_batch(t, count, error);
        if (status == KN_OK) status = learn_batch(t, count, error);
        if (status == KN_OK) status = save(t, file, error);
        if (status != KN_OK) break;
        kn_progress_tick(progress, count);
    }
    return status;
}

KnStatus kn_td_train(const KnContext *context, const KnGame *game, const KnTdPlan *plan, const char *file,
                     KnProgress *progress, KnWeights **weights, KnError *error)
{
    *weights = NULL;
    Trainer t = {.context = context, .sheet = game, .plan = plan, .curve = json_array()};
    KnStatus status = prepare(&t, file, error);
    if (status == KN_OK) kn_progress_tick(progress, t.done < plan->games ? t.done : plan->games);
    KnText brief = KN_TEXT_EMPTY;
    write_brief(&t, &brief);
    if (status == KN_OK && plan->batch > 1)
        status = kn_errand_open(context, &kn_td_duty, plan->jobs, 0, &brief, &t.errand, error);
    kn_text_free(&brief);
    if (status == KN_OK) status = run(&t, file, progress, error);
    kn_errand_close(t.errand);
    clean_up(&t);
    if (status == KN_OK || (status == KN_STOPPED && t.weights))
        *weights = t.weights;
    else
        kn_weights_free(t.weights);
    return status;
}

static KnStatus add_samples(void *user, const KnTd *td, double outcome, KnError *error)
{
    for (size_t i = 0; i < kn_td_steps(td); i++) {
        int phase;
        const double *values = kn_td_terms(td, i, &phase);
        if (values && !kn_fit_add(user, phase, values, outcome))
            return kn_fail_memory(error, "collecting positions");
    }
    return KN_OK;
}

KnStatus kn_td_regress(const KnContext *context, const KnGame *game, const KnTdPlan *plan, double ridge,
                       KnProgress *progress, KnWeights **weights, double loss[2], KnError *error)
{
    *weights = NULL;
    KnTermSet *terms;
    KnStatus status = kn_termset_open(game, plan->terms, &terms, error);
    if (status != KN_OK) return status;
    KnFit *fit = kn_fit_open(terms->count, terms->phases);
    KnTdPlan still = *plan;
    still.rule.alpha = 0;
    still.by_side = still.by_depth = still.by_opening = false;
    still.sample = add_samples;
    still.sample_user = fit;
    still.block = NULL;
    status = fit ? kn_td_train(context, game, &still, NULL, progress, weights, error)
                 : kn_fail_memory(error, "collecting positions");
    if (status == KN_OK)
        status = kn_fit_solve(fit, plan->rule.scale, ridge, terms->fixed, (*weights)->sets[0].weights,
                              &loss[0], &loss[1], error);
    if (status == KN_OK) {
        json_object_set_new((*weights)->made, "by", json_string("knack train regress"));
        json_object_set_new((*weights)->made, "games", json_integer((json_int_t)plan->games));
        json_object_set_new((*weights)->made, "ridge", json_real(ridge));
        json_object_set_new((*weights)->made, "error", json_pack("[f,f]", loss[0], loss[1]));
        json_object_del((*weights)->made, "alpha");
        json_object_del((*weights)->made, "lambda");
        json_decref((*weights)->state); /* nothing to go on from */
        (*weights)->state = NULL;
    } else {
        kn_weights_free(*weights);
        *weights = NULL;
    }
    kn_fit_close(fit);
    kn_termset_close(terms);
    return status;
}

uint64_t kn_td_games(const KnWeights *weights)
{
    return (uint64_t)json_integer_value(json_object_get(weights->state, "games"));
}

void kn_weights_show(const KnWeights *weights, KnText *out)
{
    const KnTermSet *terms = weights->terms;
    for (int s = 0; s < weights->count; s++) {
        const KnWeightSet *set = &weights->sets[s];
        kn_text_printf(out, "%s, %s, set %s: weights by phase, and how often each was updated\n",
                       terms->game->spec, terms->name, set->name);
        for (int i = 0; i < terms->count; i++) {
            kn_text_printf(out, "  %-22s", terms->features[i].name);
            for (int phase = 0; phase < terms->phases; phase++)
                kn_text_printf(out, " %9.2f", set->weights[phase * terms->count + i]);
            for (int phase = 0; phase < terms->phases; phase++)
                kn_text_printf(out, " %9llu", (unsigned long long)set->updates[phase * terms->count + i]);
            kn_text_add(out, i < terms->fixed ? "  fixed\n" : "\n");
        }
    }
}
