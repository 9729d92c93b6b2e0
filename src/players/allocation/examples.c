#include "players/allocation/examples.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "players/allocation/policy.h"

enum { STRAY = 3, BARREN = 2000 /* games in a row without an example, after which none is expected */ };

/* A game's examples, until its turn comes. */
typedef struct Slot {
    KnExampleTag *tags;
    unsigned char *positions;
    size_t count;
    uint64_t decisions, forced;
} Slot;

typedef struct Worker {
    KnPlayer *player;
    KnBase *base;     /* NULL unless the plan has one */
    KnContest *after; /* to play on in, then */
    KnContest *contest;
} Worker;

typedef struct Making {
    const KnExamplesPlan *plan;
    const KnGame *game;
    Worker *workers;
    int worker_count;
    Slot *slots;
    uint64_t window;
    size_t most;   /* examples of one game */
    size_t stride; /* of their positions */
    int barren;    /* games in a row without an example */
    KnProgress *progress;
    KnExamples *out;
} Making;

/* ---- one game ---- */

static int place_of(const KnMove *moves, int count, KnMove move)
{
    int i = 0;
    while (i < count - 1 && moves[i] != move) i++;
    return i;
}

/* What a search brings where the base knows a move; *counts: it does. */
static KnStatus tag_known(const Making *making, Worker *worker, const KnRequest *request, KnExampleTag *tag,
                          KnMove *move, bool *counts, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    KnTrust how = plan->trust;
    KnTrustTag trust;
    how.plies = 2 * plan->moves;
    how.lead = plan->judge;
    KnStatus status = kn_trust_tag(&how, worker->base, worker->after, worker->player, request, &trust, error);
    if (status != KN_OK) return status;
    *counts = trust.known != KN_MOVE_NONE;
    *move = trust.searched;
    if (!*counts) return KN_OK;
    if (kn_rng_real(request->rng) >= plan->explore) *move = trust.known;
    tag->worth = (KnDeepWorth){.positive = trust.gain > 0, .utility = trust.gain};
    for (int i = 0; i < KN_ENTRIES; i++) tag->entry[i] = (float)trust.entry[i];
    return KN_OK;
}

/* Searches the position both ways; *move is the shallow search's. *counts is false if it is no example after
 * all. */
static KnStatus tag_position(const Making *making, Worker *worker, const KnRequest *request,
                             KnExampleTag *tag, KnMove *move, bool *counts, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    int count = request->allowed_count;
    *counts = true;
    if (worker->base) return tag_known(making, worker, request, tag, move, counts, error);
    if (plan->classes.units) {
        int class = 0;
        KnStatus tagged = kn_classes_tag(&plan->classes, worker->player, request, &class, move, error);
        tag->worth = (KnDeepWorth){.positive = class > plan->classes.below,
                                   .utility = (double)kn_class_units(&plan->classes, class)};
        return tagged;
    }
    KnScore shallow[count], deep[count];
    KnAnswer shallow_answer, deep_answer;
    KnStatus status = kn_allocation_ask(worker->player, request, plan->k, shallow, &shallow_answer, error);
    if (status == KN_OK)
        status = kn_allocation_ask(worker->player, request, plan->k + plan->n, deep, &deep_answer, error);
    if (status != KN_OK) return status;
    *move = plan->explore > 0 && kn_rng_real(request->rng) < plan->explore ? deep_answer.move
                                                                           : shallow_answer.move;
    tag->worth = kn_deep_worth(shallow, deep, count, place_of(request->allowed, count, *move),
                               place_of(request->allowed, count, deep_answer.move));
    tag->shallow = shallow_answer.score;
    tag->deep = deep_answer.score;
    for (int i = 0; i < count && tag->choice_count < KN_EXAMPLE_CHOICES; i++)
        if (shallow[i] == shallow_answer.score) tag->choices[tag->choice_count++] = deep[i];
    return KN_OK;
}

/* What is known only when the game is over. */
static void finish(const Making *making, const KnContest *contest, const uint8_t *roles, Slot *slot)
{
    double points = kn_judged_points(contest, making->plan->judge);
    uint16_t left[2] = {0, 0};
    for (size_t i = slot->count; i-- > 0;) {
        slot->tags[i].points = (float)(roles[i] ? 1 - points : points);
        slot->tags[i].left = left[roles[i]]++;
    }
}

static KnStatus play_random(KnContest *contest, int plies, KnRng *rng, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    KnStatus status = KN_OK;
    for (int ply = 0; ply < plies && status == KN_OK && !kn_contest_over(contest, NULL); ply++) {
        KnMove moves[game->max_moves];
        int count = kn_contest_moves(contest, game->type->mover(game, kn_contest_position(contest)), moves);
        status = kn_contest_play(contest, moves[kn_rng_below(rng, (uint32_t)count)], error);
    }
    return status;
}

/* Slots take memory when they are used first: helpers use few of them. */
static KnStatus clear_slot(const Making *making, Slot *slot, KnError *error)
{
    if (!slot->tags) slot->tags = malloc(making->most * sizeof(KnExampleTag));
    if (!slot->positions) slot->positions = calloc(making->most, making->stride);
    *slot = (Slot){.tags = slot->tags, .positions = slot->positions};
    return slot->tags && slot->positions ? KN_OK : kn_fail_memory(error, "making examples");
}

static KnStatus play_game(void *user, int worker_index, uint64_t index, KnError *error)
{
    Making *making = user;
    Worker *worker = &making->workers[worker_index];
    Slot *slot = &making->slots[index % making->window];
    const KnGame *game = making->game;
    KnContest *contest = worker->contest;
    KnRng rng = kn_rng_stream(making->plan->seed, index);
    uint8_t roles[making->most];
    uint16_t made[2] = {0, 0};
    int strayed = 0; /* positions in a row that no base knows, where one is asked */
    kn_contest_reset(contest, NULL);
    KnStatus status = clear_slot(making, slot, error);
    int random_plies = making->plan->random_plies; /* with a base: from none to so many, since the book is
                                                      thin behind random moves */
    if (worker->base) random_plies = (int)(index % ((uint64_t)random_plies + 1));
    if (status == KN_OK) status = play_random(contest, random_plies, &rng, error);
    if (status == KN_OK) status = kn_player_begin(worker->player, 0, kn_contest_position(contest), error);
    while (status == KN_OK && !kn_contest_over(contest, NULL)) {
        const void *position = kn_contest_position(contest);
        int role = game->type->mover(game, position);
        if (made[role] >= making->plan->moves || strayed > STRAY) break;
        KnMove moves[game->max_moves], move = KN_MOVE_NONE;
        KnRequest request = {.game = game,
                             .position = position,
                             .history = kn_contest_history(contest),
                             .role = role,
                             .allowed = moves,
                             .allowed_count = kn_contest_moves(contest, role, moves),
                             .rng = &rng,
                             .cancel = making->plan->cancel};
        slot->decisions++;
        if (request.allowed_count == 1) {
            slot->forced++;
            move = moves[0];
        } else {
            KnExampleTag *tag = &slot->tags[slot->count];
            bool counts = true;
            *tag = (KnExampleTag){.game = (uint32_t)index, .index = made[role]};
            status = tag_position(making, worker, &request, tag, &move, &counts, error);
            memcpy(slot->positions + slot->count * making->stride, position, game->position_size);
            roles[slot->count] = (uint8_t)role;
            slot->count += counts;
            strayed = counts ? 0 : strayed + 1;
        }
        made[role]++;
        if (making->plan->cancel && atomic_load(making->plan->cancel))
            return kn_fail(error, KN_STOPPED, "stopped");
        if (status == KN_OK) status = kn_contest_play(contest, move, error);
    }
    if (status == KN_OK) finish(making, contest, roles, slot);
    return status;
}

/* ---- the set ---- */

/* Appends a game's examples; KN_STOPPED when there are enough. A game that is cut off counts in full among
 * the games. */
static KnStatus commit_game(void *user, uint64_t index, KnError *error)
{
    Making *making = user;
    KnExamples *out = making->out;
    const Slot *slot = &making->slots[index % making->window];
    size_t room = making->plan->count - out->count, taken = slot->count < room ? slot->count : room;
    memcpy(out->positions + out->count * out->stride, slot->positions, taken * out->stride);
    memcpy(out->tags + out->count, slot->tags, taken * sizeof *out->tags);
    out->count += taken;
    out->games++;
    out->decisions += slot->decisions;
    out->forced += slot->forced;
    kn_progress_tick(making->progress, taken);
    making->barren = slot->count ? 0 : making->barren + 1;
    if (making->barren == BARREN)
        return kn_fail(error, KN_INPUT,
                       "%d games in a row met no position with two moves or more that could be an example%s",
                       BARREN, making->plan->trust.base ? "; the base knows too little of this game" : "");
    return out->count == making->plan->count ? KN_STOPPED : KN_OK;
}

KnStatus kn_examples_reserve(KnExamples *out, const KnGame *game, size_t count, KnError *error)
{
    *out = (KnExamples){.game = game, .capacity = count, .stride = (game->position_size + 15) & ~(size_t)15};
    void *positions = NULL;
    out->tags = malloc(count * sizeof *out->tags);
    if (posix_memalign(&positions, 16, count * out->stride + 16) == 0) {
        out->positions = positions;
        memset(positions, 0, count * out->stride);
    }
    return out->tags && out->positions ? KN_OK : kn_fail_memory(error, "making examples");
}

void kn_examples_free(KnExamples *examples)
{
    free(examples->tags);
    free(examples->positions);
    *examples = (KnExamples){0};
}

static KnStatus open_workers(Making *making, const KnContext *context, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    making->worker_count = kn_jobs(plan->jobs);
    if (!making->window) making->window = kn_team_window(kn_context_team(context), plan->jobs);
    making->stride = (making->game->position_size + 15) & ~(size_t)15;
    making->most = 2 * (size_t)plan->moves;
    making->workers = calloc((size_t)making->worker_count, sizeof *making->workers);
    making->slots = calloc(making->window, sizeof *making->slots);
    if (!making->workers || !making->slots) return kn_fail_memory(error, "making examples");
    KnStatus status = KN_OK;
    for (int w = 0; w < making->worker_count && status == KN_OK; w++) {
        making->workers[w].contest = kn_contest_new(making->game);
        if (!making->workers[w].contest) return kn_fail_memory(error, "making examples");
        int depth = plan->classes.units || plan->trust.base ? KN_CLOCK_DEPTH : plan->k + plan->n;
        status = kn_allocation_open_inner(context, making->game, plan->inner, depth,
                                          &making->workers[w].player, error);
        if (status != KN_OK || !plan->trust.base) continue;
        making->workers[w].after = kn_contest_new(making->game);
        if (!making->workers[w].after) return kn_fail_memory(error, "making examples");
        status = kn_base_open(context, making->game, plan->trust.base, 0, NULL, &making->workers[w].base,
                              error);
    }
    return status;
}

static void close_workers(Making *making)
{
    for (int w = 0; making->workers && w < making->worker_count; w++) {
        kn_player_close(making->workers[w].player);
        kn_base_close(making->workers[w].base);
        kn_contest_free(making->workers[w].after);
        kn_contest_free(making->workers[w].contest);
    }
    for (uint64_t i = 0; making->slots && i < making->window; i++) {
        free(making->slots[i].tags);
        free(making->slots[i].positions);
    }
    free(making->workers);
    free(making->slots);
}

/* ---- games that are played elsewhere ---- */

typedef struct Away {
    Making making;
    KnExamplesPlan plan;
    KnGame *game;
} Away;
_Static_assert(offsetof(Away, making) == 0, "a task takes an Away for its Making");

static void write_brief(const Making *making, KnText *brief)
{
    const KnExamplesPlan *plan = making->plan;
    kn_pack_string(brief, making->game->spec);
    kn_pack_string(brief, plan->inner);
    kn_pack_int(brief, plan->k);
    kn_pack_int(brief, plan->n);
    kn_pack_int(brief, plan->moves);
    kn_pack_real(brief, plan->judge);
    kn_pack_int(brief, plan->random_plies);
    kn_pack_real(brief, plan->explore);
    kn_pack_bytes(brief, &plan->classes, sizeof plan->classes);
    kn_pack_string(brief, plan->trust.base ? plan->trust.base : "");
    kn_pack_u64(brief, plan->trust.nodes);
    kn_pack_u64(brief, plan->trust.judging);
    kn_pack_u64(brief, plan->seed);
}

static KnStatus open_away(KnPost *post, void **user, KnError *error)
{
    Away *away = *user = calloc(1, sizeof *away);
    if (!away) return kn_fail_memory(error, "making examples");
    KnExamplesPlan *plan = &away->plan;
    KnUnpack *in = &post->brief;
    const char *game = kn_unpack_string(in);
    plan->inner = kn_unpack_string(in);
    plan->k = kn_unpack_int(in);
    plan->n = kn_unpack_int(in);
    plan->moves = kn_unpack_int(in);
    plan->judge = kn_unpack_real(in);
    plan->random_plies = kn_unpack_int(in);
    plan->explore = kn_unpack_real(in);
    kn_unpack_into(in, &plan->classes, sizeof plan->classes);
    plan->trust.base = kn_unpack_string(in);
    plan->trust.nodes = kn_unpack_u64(in);
    plan->trust.judging = kn_unpack_u64(in);
    if (plan->trust.base && !*plan->trust.base) plan->trust.base = NULL;
    plan->seed = kn_unpack_u64(in);
    plan->jobs = post->jobs;
    plan->cancel = post->cancel;
    if (!kn_unpack_ok(in) || !game)
        return kn_fail(error, KN_SYSTEM, "a plan for examples came over in parts");
    KnStatus status = kn_game_open(post->context, game, &away->game, error);
    away->making = (Making){.plan = plan, .game = away->game, .window = post->window};
    return status == KN_OK ? open_workers(&away->making, post->context, error) : status;
}

static void close_away(void *user)
{
    Away *away = user;
    close_workers(&away->making);
    kn_game_close(away->game);
    free(away);
}

static void pack_game(void *user, int worker, uint64_t index, KnText *out)
{
    (void)worker;
    const Making *making = user;
    const Slot *slot = &making->slots[index % making->window];
    kn_pack_u64(out, slot->count);
    kn_pack_u64(out, slot->decisions);
    kn_pack_u64(out, slot->forced);
    kn_pack_bytes(out, slot->tags, slot->count * sizeof *slot->tags);
    kn_pack_bytes(out, slot->positions, slot->count * making->stride);
}

static KnStatus unpack_game(void *user, int worker, uint64_t index, KnUnpack *in, KnError *error)
{
    (void)worker;
    Making *making = user;
    Slot *slot = &making->slots[index % making->window];
    KnStatus status = clear_slot(making, slot, error);
    if (status != KN_OK) return status;
    slot->count = kn_unpack_u64(in);
    slot->decisions = kn_unpack_u64(in);
    slot->forced = kn_unpack_u64(in);
    if (slot->count > making->most) return kn_fail(error, KN_SYSTEM, "examples came over in parts");
    kn_unpack_into(in, slot->tags, slot->count * sizeof *slot->tags);
    kn_unpack_into(in, slot->positions, slot->count * making->stride);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "examples came over in parts");
}

const KnDuty kn_examples_duty = {"examples", "games that examples for a policy are taken from",
                                 open_away,  close_away,
                                 NULL,       play_game,
                                 pack_game,  unpack_game};

static KnStatus play_games(Making *making, const KnContext *context, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    KnErrand *errand;
    KnText brief = KN_TEXT_EMPTY;
    write_brief(making, &brief);
    KnStatus status = kn_errand_open(context, &kn_examples_duty, plan->jobs, making->window, &brief, &errand,
                                     error);
    kn_text_free(&brief);
    if (status == KN_OK)
        status = kn_errand_run(errand, &kn_examples_duty, NULL, plan->jobs, UINT32_MAX, making->window,
                               commit_game, making, plan->cancel, error);
    kn_errand_close(errand);
    return status;
}

KnStatus kn_examples_make(const KnContext *context, const KnGame *game, const KnExamplesPlan *plan,
                          KnProgress *progress, KnExamples *out, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2)
        return kn_fail(error, KN_INPUT,
                       "examples are made of games of two players who take turns, and %s is none",
                       game->spec);
    KnStatus status = plan->classes.units ? kn_classes_check(&plan->classes, error) : KN_OK;
    if (status == KN_OK && plan->trust.base) status = kn_trust_check(&plan->trust, error);
    if (status == KN_OK) status = kn_examples_reserve(out, game, plan->count, error);
    if (status == KN_OK) out->explore = plan->explore;
    Making making = {.plan = plan, .game = game, .progress = progress, .out = out};
    if (status == KN_OK) status = open_workers(&making, context, error);
    if (status == KN_OK) status = play_games(&making, context, error);
    close_workers(&making);
    if (status != KN_OK) kn_examples_free(out);
    return status;
}
