#include "methods/allocation/examples.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/assert.h"
#include "jobs/job.h"
#include "methods/allocation/policy.h"

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
    KnBase *base;   /* NULL unless the plan has one */
    KnState *after; /* to play on in, then */
    KnState *state;
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
    tag->value = (KnExampleClass){.positive = trust.gain > 0, .utility = trust.gain};
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
        KnStatus tagged = kn_budget_classes_assign(&plan->classes, worker->player, request, &class, move,
                                                   error);
        tag->value = (KnExampleClass){.positive = class > plan->classes.below,
                                      .utility = (double)kn_budget_class_units(&plan->classes, class)};
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
    tag->value = kn_assign_class(shallow, deep, count, place_of(request->allowed, count, *move),
                                 place_of(request->allowed, count, deep_answer.move));
    tag->shallow = shallow_answer.score;
    tag->deep = deep_answer.score;
    for (int i = 0; i < count && tag->choice_count < KN_EXAMPLE_CHOICES; i++)
        if (shallow[i] == shallow_answer.score) tag->choices[tag->choice_count++] = deep[i];
    return KN_OK;
}

/* What is known only when the game is over. */
static void finish(const Making *making, const KnState *state, const uint8_t *roles, Slot *slot)
{
    double points = kn_judged_points(state, making->plan->judge);
    uint16_t left[2] = {0, 0};
    for (size_t i = slot->count; i-- > 0;) {
        slot->tags[i].points = (float)(roles[i] ? 1 - points : points);
        slot->tags[i].left = left[roles[i]]++;
    }
}

static KnStatus play_random(KnState *state, int plies, KnRng *rng, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnStatus status = KN_OK;
    for (int ply = 0; ply < plies && status == KN_OK && !kn_state_over(state, NULL); ply++) {
        KnMove moves[game->max_moves];
        int count = kn_state_moves(state, game->type->mover(game, kn_state_position(state)), moves);
        status = kn_state_play(state, moves[kn_rng_below(rng, (uint32_t)count)], error);
    }
    return status;
}

/* Slots take memory when they are first used: workers use few of them. */
static KnStatus clear_slot(const Making *making, Slot *slot, KnError *error)
{
    if (!slot->tags) slot->tags = malloc(making->most * sizeof(KnExampleTag));
    if (!slot->positions) slot->positions = calloc(making->most, making->stride);
    *slot = (Slot){.tags = slot->tags, .positions = slot->positions};
    return slot->tags && slot->positions ? KN_OK : kn_fail_memory(error, "making examples");
}

/* A game in progress. Both roles are played by one player, which tags each position on its way. */
typedef struct Tagging {
    const Making *making;
    Worker *worker;
    Slot *slot;
    uint32_t number;  /* of the game */
    uint8_t *roles;   /* of each example */
    uint16_t made[2]; /* moves of each role */
    int strayed;      /* positions in a row that are not in the base, if there is one */
} Tagging;

/* Breaks a game off after the plan's number of moves, or where it has left the base's book. */
static KnStatus stop_game(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    (void)joint, (void)error;
    const Tagging *t = user;
    int role = t->making->game->type->mover(t->making->game, kn_state_position(state));
    return t->made[role] >= t->making->plan->moves || t->strayed > STRAY ? KN_NO : KN_OK;
}

/* A position with a single move is no example. */
static KnStatus choose_and_tag(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Tagging *t = player->data;
    Slot *slot = t->slot;
    KnStatus status = KN_OK;
    slot->decisions++;
    if (request->allowed_count == 1) {
        slot->forced++;
        answer->move = request->allowed[0];
    } else {
        KN_ASSERT(slot->count < t->making->most);
        KnExampleTag *tag = &slot->tags[slot->count];
        bool counts = true;
        *tag = (KnExampleTag){.game = t->number, .index = t->made[request->role]};
        status = tag_position(t->making, t->worker, request, tag, &answer->move, &counts, error);
        memcpy(slot->positions + slot->count * t->making->stride, request->position,
               request->game->position_size);
        t->roles[slot->count] = (uint8_t)request->role;
        slot->count += counts;
        t->strayed = counts ? 0 : t->strayed + 1;
    }
    t->made[request->role]++;
    return status;
}

static const KnPlayerType tagging_type = {.head = {"tagging", "a player that tags positions", NULL},
                                          .choose = choose_and_tag};

static KnStatus play_game(void *user, int worker_index, uint64_t index, KnError *error)
{
    Making *making = user;
    Worker *worker = &making->workers[worker_index];
    Slot *slot = &making->slots[index % making->window];
    uint64_t number = making->plan->first + index;
    KnRng rng = kn_rng_stream(making->plan->seed, number);
    uint8_t roles[making->most];
    Tagging tagging = {
        .making = making, .worker = worker, .slot = slot, .number = (uint32_t)number, .roles = roles};
    KnPlayer player = {.type = &tagging_type,
                       .context = worker->player->context,
                       .game = making->game,
                       .spec = worker->player->spec,
                       .inner = worker->player,
                       .data = &tagging};
    KnPlayPlan plan = {.state = worker->state,
                       .players = {&player, &player},
                       .rngs = {&rng, &rng},
                       .rules.cancel = making->plan->cancel,
                       .strict = true,
                       .untimed = true,
                       .before = stop_game,
                       .user = &tagging};
    KnPlayed played;
    /* A book is thin behind random moves: with a base, games begin with none of them up to all. */
    int random_plies = making->plan->random_plies;
    if (worker->base) random_plies = (int)(number % ((uint64_t)random_plies + 1));
    kn_state_reset(worker->state, NULL);
    KnStatus status = clear_slot(making, slot, error);
    if (status == KN_OK) status = play_random(worker->state, random_plies, &rng, error);
    if (status == KN_OK) status = kn_play(&plan, &played, error);
    if (status == KN_OK) finish(making, worker->state, roles, slot);
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
    size_t skip = index == 0 ? making->plan->skip : 0;
    KN_ASSERT(skip <= slot->count);
    size_t room = making->plan->count - out->count, left = slot->count - skip,
           taken = left < room ? left : room;
    memcpy(out->positions + out->count * out->stride, slot->positions + skip * out->stride,
           taken * out->stride);
    memcpy(out->tags + out->count, slot->tags + skip, taken * sizeof *out->tags);
    out->count += taken;
    if (!skip) { /* else the game was counted when its first examples were taken */
        out->games++;
        out->decisions += slot->decisions;
        out->forced += slot->forced;
    }
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
    free(examples->signals);
    *examples = (KnExamples){0};
}

static KnStatus open_workers(Making *making, const KnContext *context, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    making->worker_count = kn_jobs(plan->jobs);
    if (!making->window) making->window = kn_job_window(context, plan->jobs);
    making->stride = (making->game->position_size + 15) & ~(size_t)15;
    making->most = 2 * (size_t)plan->moves;
    making->workers = calloc((size_t)making->worker_count, sizeof *making->workers);
    making->slots = calloc(making->window, sizeof *making->slots);
    if (!making->workers || !making->slots) return kn_fail_memory(error, "making examples");
    KnStatus status = KN_OK;
    for (int w = 0; w < making->worker_count && status == KN_OK; w++) {
        making->workers[w].state = kn_state_new(making->game);
        if (!making->workers[w].state) return kn_fail_memory(error, "making examples");
        int depth = plan->classes.units || plan->trust.base ? KN_CLOCK_DEPTH : plan->k + plan->n;
        status = kn_allocation_open_inner(context, making->game, plan->inner, depth,
                                          &making->workers[w].player, error);
        if (status != KN_OK || !plan->trust.base) continue;
        making->workers[w].after = kn_state_new(making->game);
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
        kn_state_free(making->workers[w].after);
        kn_state_free(making->workers[w].state);
    }
    for (uint64_t i = 0; making->slots && i < making->window; i++) {
        free(making->slots[i].tags);
        free(making->slots[i].positions);
    }
    free(making->workers);
    free(making->slots);
}

/* ---- the job ---- */

typedef struct Payload {
    const char *game;
    KnExamplesPlan plan;
} Payload;

typedef struct WorkerMaking {
    Making making;
    KnGame *game;
} WorkerMaking;
_Static_assert(offsetof(WorkerMaking, making) == 0, "play_game takes a WorkerMaking for its Making");

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    WorkerMaking *here = *user = calloc(1, sizeof *here);
    if (!here) return kn_fail_memory(error, "making examples");
    KnExamplesPlan *plan = &((Payload *)payload)->plan;
    plan->jobs = site->jobs;
    plan->cancel = site->cancel;
    KnStatus status = kn_game_open(site->context, ((Payload *)payload)->game, &here->game, error);
    here->making = (Making){.plan = plan, .game = here->game, .window = site->window};
    return status == KN_OK ? open_workers(&here->making, site->context, error) : status;
}

static void close_job(void *user)
{
    WorkerMaking *here = user;
    close_workers(&here->making);
    kn_game_close(here->game);
    free(here);
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

static bool unpack_game(void *user, int worker, uint64_t index, KnUnpack *in)
{
    (void)worker;
    Making *making = user;
    Slot *slot = &making->slots[index % making->window];
    if (clear_slot(making, slot, NULL) != KN_OK) return false;
    slot->count = kn_unpack_u64(in);
    slot->decisions = kn_unpack_u64(in);
    slot->forced = kn_unpack_u64(in);
    if (slot->count > making->most) return false;
    kn_unpack_into(in, slot->tags, slot->count * sizeof *slot->tags);
    kn_unpack_into(in, slot->positions, slot->count * making->stride);
    return true;
}

const KnJobType kn_examples_job_type = {
    .name = "examples",
    .summary = "games that examples for a policy are taken from",
    .payload = KN_LAYOUT(Payload, KN_STRINGS(Payload, game), KN_STRINGS(Payload, plan.inner),
                         KN_PLAIN(Payload, plan.k), KN_PLAIN(Payload, plan.n), KN_PLAIN(Payload, plan.moves),
                         KN_PLAIN(Payload, plan.judge), KN_PLAIN(Payload, plan.random_plies),
                         KN_PLAIN(Payload, plan.explore), KN_PLAIN(Payload, plan.classes),
                         KN_STRINGS(Payload, plan.trust.base), KN_PLAIN(Payload, plan.trust.nodes),
                         KN_PLAIN(Payload, plan.trust.judging), KN_PLAIN(Payload, plan.first),
                         KN_PLAIN(Payload, plan.seed)),
    .open = open_job,
    .close = close_job,
    .run = play_game,
    .pack = pack_game,
    .unpack = unpack_game};

static KnStatus play_games(Making *making, const KnContext *context, KnError *error)
{
    const KnExamplesPlan *plan = making->plan;
    Payload payload = {making->game->spec, *plan};
    KnJobRun run = {.jobs = plan->jobs,
                    .count = UINT32_MAX,
                    .window = making->window,
                    .commit = commit_game,
                    .user = making,
                    .cancel = plan->cancel};
    return kn_job_run(context, &kn_examples_job_type, &payload, &run, error);
}

/* Section 3.2: examples from self-play. */
KnStatus kn_examples_make(const KnContext *context, const KnGame *game, const KnExamplesPlan *plan,
                          KnProgress *progress, KnExamples *out, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->roles != 2)
        return kn_fail(error, KN_INPUT,
                       "examples are made of games of two players who take turns, and %s is none",
                       game->spec);
    KnStatus status = plan->classes.units ? kn_budget_classes_check(&plan->classes, error) : KN_OK;
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
