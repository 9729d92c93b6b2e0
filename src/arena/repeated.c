#include "arena/repeated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/identity.h"
#include "arena/repeated_match.h"
#include "base/clock.h"
#include "base/json.h"
#include "jobs/parallel.h"

/* Repetitions are played in blocks, every pairing a block of them at a time: what a player earns in one
 * repetition against everybody is known once the block is done, and only one block's sums are kept. */
enum { BLOCK = 256 };

typedef struct Earned {
    double score, cooperations, turns;
} Earned;

typedef struct Tournament {
    const KnRepeatedPlan *plan;
    KnField field;
    KnPairTable *tables; /* a worker each */
    int table_count;
    KnBout (*slots)[BLOCK];
    uint64_t window;
    uint64_t pairs;
    Earned *block;                    /* BLOCK x count */
    KnMoments *moments, *cooperation; /* by player */
    KnProgress *progress;
    KnRepeated *result;
} Tournament;

bool kn_repeated_suits(const KnGame *game)
{
    const KnMatrix *matrix = kn_game_matrix(game);
    return matrix && matrix->players == 2 && matrix->symmetric;
}

/* The pairing of an index: (0,0), (0,1), .., (1,1), (1,2), .. */
static void pairing_of(const Tournament *t, uint64_t index, size_t *first, size_t *second)
{
    size_t n = t->field.count;
    *first = 0;
    for (uint64_t row = n; index >= row; row--) {
        index -= row;
        ++*first;
    }
    *second = *first + (size_t)index;
}

static uint64_t pairing_seed(const Tournament *t, size_t first, size_t second)
{
    const char *a = t->result->names[first], *b = t->result->names[second];
    return kn_hash64(a, strlen(a) + 1, kn_hash64(b, strlen(b) + 1, t->plan->seed));
}

uint64_t kn_repeated_work(const KnRepeatedPlan *plan)
{
    return (uint64_t)plan->player_count * (plan->player_count + 1) / 2 *
           ((plan->repetitions + BLOCK - 1) / BLOCK + !plan->repetitions);
}

static uint64_t block_size(const Tournament *t, uint64_t block)
{
    uint64_t left = t->result->repetitions - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

static KnStatus play_block(void *user, int worker, uint64_t index, KnError *error)
{
    Tournament *t = user;
    size_t first, second;
    uint64_t block = index / t->pairs, seed;
    pairing_of(t, index % t->pairs, &first, &second);
    seed = pairing_seed(t, first, second);
    KnBout *bouts = t->slots[index % t->window];
    bool certain = kn_field_certain(&t->field, first, second);
    for (uint64_t r = 0; r < block_size(t, block); r++) {
        if (t->plan->cancel && atomic_load(t->plan->cancel)) return kn_fail(error, KN_STOPPED, "stopped");
        if (certain && r) {
            bouts[r] = bouts[0];
            continue;
        }
        KnStatus status = kn_table_play(&t->tables[worker], first, second,
                                        kn_rng_stream(seed, block * BLOCK + r), &bouts[r], error);
        if (status != KN_OK)
            return kn_fail_within(error, "%s against %s", t->result->names[first], t->result->names[second]);
    }
    return KN_OK;
}

static void add_bout(KnPairing *pairing, const KnBout *bout, bool mirrored, bool twin, double scale)
{
    pairing->turns += bout->turns;
    double turns = (double)bout->turns,
           earned = (twin ? (double)(bout->scores[0] + bout->scores[1]) / 2
                          : (double)bout->scores[mirrored]) /
                    scale,
           cooperated = twin ? (double)(bout->cooperations[0] + bout->cooperations[1]) / 2
                             : (double)bout->cooperations[mirrored];
    kn_moments_add(&pairing->payoff, earned / turns);
    pairing->earned_squares += earned * earned;
    pairing->earned_turns += earned * turns;
    pairing->cooperated_squares += cooperated * cooperated;
    pairing->cooperated_turns += cooperated * turns;
    pairing->turns_squares += turns * turns;
    for (int side = 0; side < 2; side++) {
        pairing->scores[side] += bout->scores[side ^ mirrored];
        pairing->cooperations[side] += bout->cooperations[side ^ mirrored];
    }
}

/* A twin weighs as much as any other opponent: half a match for each side. */
static void add_earned(Earned *earned, const KnBout *bout, int side, double weight)
{
    earned->score += weight * (double)bout->scores[side];
    earned->cooperations += weight * (double)bout->cooperations[side];
    earned->turns += weight * (double)bout->turns;
}

static KnStatus count_block(void *user, uint64_t index, KnError *error)
{
    (void)error;
    Tournament *t = user;
    size_t n = t->field.count, first, second;
    uint64_t block = index / t->pairs;
    pairing_of(t, index % t->pairs, &first, &second);
    const KnBout *bouts = t->slots[index % t->window];
    for (uint64_t r = 0; r < block_size(t, block); r++) {
        add_bout(&t->result->pairings[first * n + second], &bouts[r], false, first == second,
                 t->result->scale);
        add_earned(&t->block[r * n + first], &bouts[r], 0, first == second ? 0.5 : 1);
        add_earned(&t->block[r * n + second], &bouts[r], 1, first == second ? 0.5 : 1);
        if (first != second)
            add_bout(&t->result->pairings[second * n + first], &bouts[r], true, false, t->result->scale);
    }
    kn_progress_tick(t->progress, 1);
    if ((index + 1) % t->pairs) return KN_OK;
    for (uint64_t r = 0; r < block_size(t, block); r++)
        for (size_t i = 0; i < n; i++) {
            const Earned *earned = &t->block[r * n + i];
            kn_moments_add(&t->moments[i], earned->score / t->result->scale / earned->turns);
            kn_moments_add(&t->cooperation[i], earned->cooperations / earned->turns);
        }
    memset(t->block, 0, BLOCK * n * sizeof *t->block);
    return KN_OK;
}

/* ---- setting up ---- */

static bool is_overridden(const KnRepeatedPlan *plan, const KnSpec *arg)
{
    return arg->key && ((plan->turns > 0 && strcasecmp(arg->key, "turns") == 0) ||
                        (plan->go_on > 0 && strcasecmp(arg->key, "continue") == 0));
}

/* The game's spec with the plan's turns and chance to go on in it. */
static KnStatus game_spec(const KnRepeatedPlan *plan, KnText *out, KnError *error)
{
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(plan->game, arena, &spec, error)
                            : kn_fail_memory(error, "preparing a tournament");
    if (status == KN_OK && !plan->turns && !(plan->go_on > 0))
        kn_spec_print(spec, out);
    else if (status == KN_OK) {
        kn_text_add(out, spec->text);
        const char *between = "(";
        for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
            if (is_overridden(plan, arg)) continue;
            kn_text_add(out, between);
            kn_spec_print(arg, out);
            between = ", ";
        }
        if (plan->turns) kn_text_printf(out, "%sturns=%ld", between, plan->turns), between = ", ";
        if (plan->go_on > 0) {
            kn_text_printf(out, "%scontinue=", between);
            kn_text_add_real(out, plan->go_on);
        }
        kn_text_add_char(out, ')');
    }
    kn_arena_free(arena);
    return status;
}

static KnStatus open_game(Tournament *t, KnError *error)
{
    const KnRepeatedPlan *plan = t->plan;
    KnText spec = KN_TEXT_EMPTY;
    KnStatus status = game_spec(plan, &spec, error);
    if (status == KN_OK) status = kn_game_open(t->field.context, spec.data, &t->field.game, error);
    if (status == KN_OK && !kn_repeated_suits(t->field.game))
        status = kn_fail(error, KN_INPUT, "%s is no matrix game of two players who could change places",
                         spec.data);
    if (status == KN_OK && !(t->result->game = strdup(spec.data)))
        status = kn_fail_memory(error, "preparing a tournament");
    kn_text_free(&spec);
    if (status != KN_OK) return status;
    const KnMatrix *matrix = kn_game_matrix(t->field.game);
    t->result->scale = (double)matrix->scale;
    t->field.rules = (KnDuelRules){.matrix = matrix,
                                   .noise = plan->noise,
                                   .known_length = plan->known && matrix->go_on >= 1 ? matrix->turns : 0};
    return KN_OK;
}

static KnStatus open_players(Tournament *t, KnError *error)
{
    size_t n = t->field.count;
    for (size_t i = 0; i < n; i++) {
        KnStatus status = kn_player_open(t->field.context, t->field.game, t->field.specs[i],
                                         &t->field.players[i], error);
        if (status != KN_OK) return status;
        const KnPlayer *player = t->field.players[i];
        if (player->traits & KN_PLAYER_ASKS)
            return kn_fail(error, KN_USAGE, "%s cannot play a tournament: try `knack play`", player->spec);
        if (!(player->traits & KN_PLAYER_REPEATABLE)) t->result->nondeterministic = true;
        KnText title = KN_TEXT_EMPTY;
        kn_player_title(player, &title);
        t->result->names[i] = kn_text_ok(&title) ? strdup(title.data) : NULL;
        kn_text_free(&title);
        if (!t->result->names[i]) return kn_fail_memory(error, "preparing a tournament");
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(t->result->names[i], t->result->names[j]) == 0)
                return kn_fail(error, KN_USAGE, "\"%s\" is entered twice", t->result->names[i]);
    }
    for (size_t i = 0; i < n && !t->result->chance; i++)
        t->result->chance = !kn_field_certain(&t->field, i, i);
    return KN_OK;
}

static KnStatus open_tables(Tournament *t, KnError *error)
{
    size_t n = t->field.count;
    t->table_count = kn_jobs(t->plan->jobs);
    t->window = kn_parallel_window(t->plan->jobs);
    t->tables = calloc((size_t)t->table_count, sizeof *t->tables);
    t->slots = calloc(t->window, sizeof *t->slots);
    t->block = calloc(BLOCK * n, sizeof *t->block);
    t->moments = calloc(n, sizeof *t->moments);
    t->cooperation = calloc(n, sizeof *t->cooperation);
    if (!t->tables || !t->slots || !t->block || !t->moments || !t->cooperation)
        return kn_fail_memory(error, "preparing a tournament");
    for (int w = 0; w < t->table_count; w++) {
        KnStatus status = kn_table_open(&t->tables[w], &t->field, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static KnStatus check_plan(const KnRepeatedPlan *plan, KnError *error)
{
    if (plan->player_count < 2) return kn_fail(error, KN_USAGE, "a tournament needs at least two players");
    if (plan->player_count > KN_REPEATED_PLAYERS)
        return kn_fail(error, KN_USAGE, "at most %d players", KN_REPEATED_PLAYERS);
    if (!(plan->noise >= 0 && plan->noise <= 1))
        return kn_fail(error, KN_USAGE, "noise lies between 0 and 1, not at %g", plan->noise);
    return KN_OK;
}

static KnStatus set_up(Tournament *t, KnError *error)
{
    KnStatus status = check_plan(t->plan, error);
    if (status != KN_OK) return status;
    size_t n = t->field.count = t->result->count = t->plan->player_count;
    KnRepeated *result = t->result;
    t->field.specs = t->plan->players;
    t->field.players = calloc(n, sizeof *t->field.players);
    result->names = calloc(n, sizeof *result->names);
    result->pairings = calloc(n * n, sizeof *result->pairings);
    result->ranked = calloc(n, sizeof *result->ranked);
    result->order = calloc(n, sizeof *result->order);
    if (!t->field.players || !result->names || !result->pairings || !result->ranked || !result->order)
        return kn_fail_memory(error, "preparing a tournament");
    status = open_game(t, error);
    if (status == KN_OK) status = open_players(t, error);
    if (status == KN_OK) status = open_tables(t, error);
    if (status != KN_OK) return status;
    result->repetitions = t->plan->repetitions ? t->plan->repetitions : result->chance ? 10 : 1;
    t->pairs = (uint64_t)n * (n + 1) / 2;
    return KN_OK;
}

static void close_tournament(Tournament *t)
{
    for (int w = 0; t->tables && w < t->table_count; w++) kn_table_close(&t->tables[w]);
    for (size_t i = 0; t->field.players && i < t->field.count; i++) kn_player_close(t->field.players[i]);
    free(t->tables);
    free(t->slots);
    free(t->block);
    free(t->moments);
    free(t->cooperation);
    free(t->field.players);
    kn_game_close(t->field.game);
}

/* ---- the outcome ---- */

double kn_repeated_payoff(const KnRepeated *result, size_t row, size_t column)
{
    const KnPairing *pairing = &result->pairings[row * result->count + column];
    int64_t score = row == column ? pairing->scores[0] + pairing->scores[1] : pairing->scores[0];
    return (double)score / result->scale / (double)pairing->turns / (row == column ? 2 : 1);
}

double kn_repeated_cooperation(const KnRepeated *result, size_t row, size_t column)
{
    const KnPairing *pairing = &result->pairings[row * result->count + column];
    uint64_t cooperations = row == column ? pairing->cooperations[0] + pairing->cooperations[1]
                                          : pairing->cooperations[0];
    return (double)cooperations / (double)pairing->turns / (row == column ? 2 : 1);
}

/* 95% over the repetitions, of values that lie in [least, most]; a point where nothing is left to chance. */
static KnInterval interval_of(const KnRepeated *result, const KnMoments *moments, double least, double most)
{
    double mean = kn_moments_mean(moments);
    return result->chance && least < most ? kn_moments_interval_within(moments, least, most)
                                          : (KnInterval){mean, mean};
}

static void digest_row(const KnRepeated *result, size_t row, KnDigest *digest)
{
    kn_digest_string(digest, result->names[row]);
    for (size_t j = 0; j < result->count; j++) {
        const KnPairing *pairing = &result->pairings[row * result->count + j];
        kn_digest_u64(digest, pairing->turns);
        kn_digest_u64(digest, (uint64_t)pairing->scores[0]);
        kn_digest_u64(digest, pairing->cooperations[0]);
    }
}

static void place(KnRepeated *result)
{
    for (size_t at = 0; at < result->count; at++) {
        KnRanked *ranked = &result->ranked[result->order[at]];
        ranked->place = at + 1;
        ranked->place_best = 1;
        ranked->place_worst = result->count;
        for (size_t j = 0; j < result->count; j++) {
            if (result->ranked[j].interval.low > ranked->interval.high) ranked->place_best++;
            if (result->ranked[j].interval.high < ranked->interval.low) ranked->place_worst--;
        }
    }
}

/* The sum of squared deviations of a ratio, by repetition: of earned - ratio x turns, a mean number of turns
 * the unit (the delta method). */
static double ratio_squares(double squares, double products, double turns_squares, double ratio, double turns)
{
    double sum = squares - 2 * ratio * products + ratio * ratio * turns_squares;
    return sum > 0 ? sum / (turns * turns) : 0;
}

/* Where chance decides how long matches are, a player is worth the mean of its row all the same: a long match
 * weighs no more than a short one. Matches against different opponents are independent. */
static void weigh_opponents(Tournament *t, size_t row)
{
    const KnRepeated *result = t->result;
    size_t n = result->count;
    KnMoments score = {.count = result->repetitions}, cooperation = score;
    for (size_t j = 0; j < n; j++) {
        const KnPairing *p = &result->pairings[row * n + j];
        double turns = (double)p->turns / (double)result->repetitions,
               earned = kn_repeated_payoff(result, row, j), rate = kn_repeated_cooperation(result, row, j);
        score.mean += earned / (double)n;
        cooperation.mean += rate / (double)n;
        score.m2 += ratio_squares(p->earned_squares, p->earned_turns, p->turns_squares, earned, turns) /
                    (double)(n * n);
        cooperation.m2 += ratio_squares(p->cooperated_squares, p->cooperated_turns, p->turns_squares, rate,
                                        turns) /
                          (double)(n * n);
    }
    t->moments[row] = score;
    t->cooperation[row] = cooperation;
}

static void rank(Tournament *t)
{
    KnRepeated *result = t->result;
    const KnMatrix *matrix = t->field.rules.matrix;
    size_t n = result->count;
    KnDigest digest;
    kn_digest_start(&digest);
    for (size_t i = 0; i < n; i++) {
        KnRanked *ranked = &result->ranked[i];
        if (matrix->go_on < 1) weigh_opponents(t, i);
        ranked->score = kn_moments_mean(&t->moments[i]);
        ranked->interval = interval_of(result, &t->moments[i], (double)matrix->least / result->scale,
                                       (double)matrix->most / result->scale);
        ranked->cooperation = kn_moments_mean(&t->cooperation[i]);
        ranked->cooperation_interval = interval_of(result, &t->cooperation[i], 0, 1);
        for (size_t j = 0; j < n; j++) {
            const KnPairing *pairing = &result->pairings[i * n + j];
            ranked->wins += i != j && pairing->scores[0] > pairing->scores[1];
        }
        digest_row(result, i, &digest);
        size_t at = i;
        for (; at && result->ranked[result->order[at - 1]].score < ranked->score; at--)
            result->order[at] = result->order[at - 1];
        result->order[at] = i;
    }
    place(result);
    kn_digest_hex(&digest, result->digest);
}

static KnStatus identify(const Tournament *t, char identity[KN_HEX128], KnError *error)
{
    const KnRepeatedPlan *plan = t->plan;
    KnDigest digest;
    kn_digest_start(&digest);
    kn_digest_string(&digest, KNACK_VERSION);
    kn_digest_string(&digest, "repeated");
    KnStatus status = kn_identity_spec(t->field.context, &digest, t->result->game, NULL, error);
    for (size_t i = 0; i < plan->player_count && status == KN_OK; i++)
        status = kn_identity_spec(t->field.context, &digest, plan->players[i], NULL, error);
    kn_digest_u64(&digest, plan->seed);
    kn_digest_u64(&digest, t->result->repetitions);
    kn_digest_add(&digest, &plan->noise, sizeof plan->noise);
    kn_digest_u64(&digest, plan->known);
    kn_digest_hex(&digest, identity);
    return status;
}

static KnStatus note_name(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    KnRepeated *result = user;
    snprintf(result->run_name, sizeof result->run_name, "%s", run->name);
    return KN_OK;
}

static KnStatus keep(Tournament *t, KnStore *store, KnError *error)
{
    char identity[KN_HEX128], number[32];
    KnText settings = KN_TEXT_EMPTY, summary = KN_TEXT_EMPTY;
    int64_t run = 0;
    KnStatus status = identify(t, identity, error);
    json_t *document = kn_repeated_settings(t->plan, t->result);
    kn_json_canonical(document, &settings);
    json_decref(document);
    if (status == KN_OK)
        status = kn_store_run(store, "tournament", NULL, identity, settings.data, &run, error);
    snprintf(number, sizeof number, "%lld", (long long)run);
    if (status == KN_OK) status = kn_store_find(store, number, note_name, t->result, error);
    document = kn_repeated_json(t->plan, t->result);
    kn_json_canonical(document, &summary);
    json_decref(document);
    if (status == KN_OK) status = kn_store_finish(store, run, summary.data, error);
    kn_text_free(&settings);
    kn_text_free(&summary);
    return status;
}

KnStatus kn_repeated_run(const KnContext *context, const KnRepeatedPlan *plan, KnStore *store,
                         KnProgress *progress, KnRepeated *result, KnError *error)
{
    *result = (KnRepeated){0};
    Tournament t = {.plan = plan, .field = {.context = context}, .progress = progress, .result = result};
    double started = kn_clock_now();
    KnStatus status = set_up(&t, error);
    uint64_t blocks = (result->repetitions + BLOCK - 1) / BLOCK;
    if (status == KN_OK)
        status = kn_parallel_ordered(plan->jobs, t.pairs * blocks, t.window, play_block, count_block, &t,
                                     plan->cancel, error);
    if (status == KN_OK) rank(&t);
    result->seconds = kn_clock_now() - started;
    if (status == KN_OK && store) status = keep(&t, store, error);
    close_tournament(&t);
    if (status != KN_OK) kn_repeated_free(result);
    return status;
}

void kn_repeated_free(KnRepeated *result)
{
    for (size_t i = 0; result->names && i < result->count; i++) free(result->names[i]);
    free(result->names);
    free(result->game);
    free(result->pairings);
    free(result->ranked);
    free(result->order);
    *result = (KnRepeated){0};
}
