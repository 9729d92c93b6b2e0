#include "methods/thinking/searches.h"

#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "base/assert.h"
#include "base/json.h"
#include "base/sealed.h"
#include "jobs/parallel.h"
#include "methods/allocation/budget_classes.h"
#include "methods/allocation/policy.h"

/* ---- lists ---- */

static void free_search(KnSearchRecord *search) { free(search->depths); }

void kn_records_free(KnSearchRecords *records)
{
    for (size_t i = 0; i < records->count; i++) free_search(&records->searches[i]);
    free(records->searches);
    *records = (KnSearchRecords){0};
}

/* Takes the search over, also when it fails. */
static KnStatus add_search(KnSearchRecords *records, KnSearchRecord *search, KnError *error)
{
    if (records->count == records->capacity) {
        size_t capacity = records->capacity ? 2 * records->capacity : 64;
        KnSearchRecord *more = realloc(records->searches, capacity * sizeof *more);
        if (!more) {
            free_search(search);
            return kn_fail_memory(error, "recording searches");
        }
        records->searches = more;
        records->capacity = capacity;
    }
    records->searches[records->count++] = *search;
    return KN_OK;
}

KnStatus kn_records_part(const KnSearchRecords *records, bool tests, KnSearchRecords *out, KnError *error)
{
    *out = (KnSearchRecords){.searches = malloc((records->count + 1) * sizeof *out->searches)};
    if (!out->searches) return kn_fail_memory(error, "learning to allot thinking time");
    for (size_t i = 0; i < records->count; i++)
        if ((records->searches[i].game % 4 == 3) == tests) out->searches[out->count++] = records->searches[i];
    return KN_OK;
}

/* ---- one search ---- */

/* What a search tells while it deepens. */
typedef struct Recording {
    KnThinkingTrack track;
    double units;
    int count;
    KnMove moves[KN_THINKING_DEPTHS];
    KnDepthRecord depths[KN_THINKING_DEPTHS];
} Recording;

static double record_depth(void *user, const KnDeepening *found)
{
    Recording *r = user;
    if (r->count == KN_THINKING_DEPTHS) return 1;
    KnDepthRecord *depth = &r->depths[r->count];
    depth->nodes = (double)found->nodes;
    depth->value = found->score;
    kn_thinking_see(&r->track, found, (double)found->nodes / r->units, depth->signals);
    r->moves[r->count++] = found->move;
    return 1;
}

/* The move that a search cut off after this many positions would have played. */
static KnMove move_after(const Recording *r, double nodes)
{
    int at = 0;
    while (at + 1 < r->count && r->depths[at + 1].nodes <= nodes) at++;
    return r->moves[at];
}

/* A game under way. */
typedef struct Game {
    const KnRecordPlan *plan;
    const KnGame *game;
    KnPlayer *players[2];
    KnState *state;
    KnScore last[2];
    bool has_last[2];
    uint64_t index;
    KnRng rng;
} Game;

/* What the moves that the search gave up are worth: each is searched alone, to the same depth. */
static KnStatus value_moves(Game *g, const KnRequest *request, const KnAnswer *whole, Recording *r,
                            KnError *error)
{
    for (int i = 0; i < r->count; i++) {
        int same = 0;
        while (same < i && r->moves[same] != r->moves[i]) same++;
        if (r->moves[i] == whole->move) {
            r->depths[i].value = whole->score;
            continue;
        }
        if (same < i) {
            r->depths[i].value = r->depths[same].value;
            continue;
        }
        KnRequest one = *request;
        KnAnswer answer = {0};
        one.allowed = &r->moves[i];
        one.allowed_count = 1;
        one.pace = NULL;
        one.budget = (KnBudget){.depth = whole->depth, .nodes = g->plan->units * KN_THINKING_ROOM / 2};
        KnStatus status = kn_player_choose_untimed(g->players[request->role], &one, &answer, error);
        if (status != KN_OK) return status;
        r->depths[i].value = answer.has_score ? answer.score : whole->score;
    }
    return KN_OK;
}

static KnStatus keep_search(Game *g, const KnRequest *request, const KnAnswer *answer, Recording *r,
                            KnSearchRecords *records, KnError *error)
{
    KnStatus status = value_moves(g, request, answer, r, error);
    if (status != KN_OK) return status;
    KnSearchRecord search = {.game = g->index,
                             .nodes = (double)answer->cost.nodes,
                             .value = answer->score,
                             .outcome = request->role, /* until the game is over */
                             .count = r->count,
                             .depths = malloc((size_t)r->count * sizeof *search.depths)};
    if (!search.depths) return kn_fail_memory(error, "recording searches");
    memcpy(search.depths, r->depths, (size_t)r->count * sizeof *search.depths);
    return add_search(records, &search, error);
}

/* Finds a move with a share of positions; now and then with more, and records how that went. The move played
 * is that of the share in any case. */
static KnStatus find_move(Game *g, const KnMove *moves, int count, KnMove *move, KnSearchRecords *records,
                          KnError *error)
{
    int role = g->game->type->mover(g->game, kn_state_position(g->state));
    bool deep = kn_rng_below(&g->rng, (uint32_t)g->plan->every) == 0;
    Recording r = {.units = (double)g->plan->units};
    kn_thinking_start(&r.track, g->has_last[role] ? &g->last[role] : NULL);
    KnRequest request = {.game = g->game,
                         .position = kn_state_position(g->state),
                         .history = kn_state_history(g->state),
                         .role = role,
                         .allowed = moves,
                         .allowed_count = count,
                         .budget.nodes = g->plan->units * (deep ? KN_THINKING_ROOM : 1),
                         .rng = &g->rng,
                         .cancel = g->plan->cancel,
                         .pace = record_depth,
                         .pace_user = &r};
    KnAnswer answer = {0};
    KnStatus status = kn_player_choose_untimed(g->players[role], &request, &answer, error);
    if (status != KN_OK) return status;
    *move = answer.move;
    g->has_last[role] = answer.has_score;
    g->last[role] = answer.score;
    if (!deep || !answer.has_score || r.count < 2) return KN_OK;
    *move = move_after(&r, r.units);
    return keep_search(g, &request, &answer, &r, records, error);
}

/* ---- one game ---- */

static KnStatus play_ply(Game *g, KnSearchRecords *records, KnError *error)
{
    KnMove moves[g->game->max_moves], move = KN_MOVE_NONE, joint[KN_ROLES_MAX];
    int role = kn_state_mover(g->state), count = kn_state_moves(g->state, role, moves);
    KnStatus status = KN_OK;
    KN_ASSERT(count > 0);
    if (kn_state_plies(g->state) < (size_t)g->plan->random_plies || count == 1)
        move = moves[kn_rng_below(&g->rng, (uint32_t)count)];
    else
        status = find_move(g, moves, count, &move, records, error);
    if (status == KN_OK && g->plan->cancel && atomic_load(g->plan->cancel))
        return kn_fail(error, KN_STOPPED, "stopped");
    if (status == KN_OK) status = kn_state_play(g->state, move, error);
    for (int r = 0; r < g->game->roles; r++) joint[r] = r == role ? move : KN_MOVE_NONE;
    for (int side = 0; side < 2 && status == KN_OK; side++)
        status = kn_player_observe(g->players[side], g->state, joint, error);
    return status;
}

static KnStatus play_game(Game *g, KnSearchRecords *records, KnError *error)
{
    KnStatus status = KN_OK;
    double payoffs[KN_ROLES_MAX];
    kn_state_reset(g->state, NULL);
    for (int side = 0; side < 2 && status == KN_OK; side++) {
        g->has_last[side] = false;
        status = kn_player_begin(g->players[side], side, kn_state_position(g->state), error);
    }
    while (status == KN_OK && !kn_state_over(g->state, payoffs) &&
           kn_state_plies(g->state) < (size_t)g->plan->plies)
        status = play_ply(g, records, error);
    if (status != KN_OK) return status;
    KnEnding ending;
    if (!kn_state_over(g->state, payoffs)) kn_adjudicate(g->state, g->plan->judge, &ending, payoffs);
    double low = g->game->payoff_low, range = g->game->payoff_high - low;
    for (size_t i = 0; i < records->count; i++) {
        KnSearchRecord *search = &records->searches[i];
        search->outcome = (payoffs[(int)search->outcome] - low) / range;
    }
    return KN_OK;
}

/* ---- many games ---- */

typedef struct Series {
    const KnContext *context;
    const KnGame *game;
    const KnRecordPlan *plan;
    uint64_t first;
    KnSearchRecords *games; /* of each */
    KnProgress *progress;
} Series;

/* Players are opened for each game: they start from nothing, whichever thread plays it. */
static KnStatus record_game(void *user, int thread, uint64_t index, KnError *error)
{
    (void)thread;
    Series *s = user;
    Game g = {.plan = s->plan, .game = s->game, .index = s->first + index};
    g.rng = kn_rng_stream(s->plan->seed, g.index);
    g.state = kn_state_new(s->game);
    KnStatus status = g.state ? KN_OK : kn_fail_memory(error, "recording searches");
    for (int side = 0; side < 2 && status == KN_OK; side++)
        status = kn_allocation_open_inner(s->context, s->game, s->plan->inner, KN_CLOCK_DEPTH,
                                          &g.players[side], error);
    if (status == KN_OK) status = play_game(&g, &s->games[index], error);
    for (int side = 0; side < 2; side++) kn_player_close(g.players[side]);
    kn_state_free(g.state);
    kn_progress_tick(s->progress, 1);
    return status;
}

KnStatus kn_records_make(const KnContext *context, const KnGame *game, const KnRecordPlan *plan,
                         uint64_t first, uint64_t end, KnProgress *progress, KnSearchRecords *records,
                         KnError *error)
{
    KN_ASSERT(first < end && game->roles == 2 && game->nature < 0);
    uint64_t count = end - first;
    Series s = {context, game, plan, first, calloc(count, sizeof *s.games), progress};
    if (!s.games) return kn_fail_memory(error, "recording searches");
    KnStatus status = kn_parallel(plan->jobs, count, record_game, &s, plan->cancel, error);
    for (uint64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < s.games[i].count; k++) {
            KnSearchRecord *search = &s.games[i].searches[k];
            if (status == KN_OK)
                status = add_search(records, search, error);
            else
                free_search(search);
        }
        free(s.games[i].searches);
    }
    free(s.games);
    return status;
}

/* ---- files ---- */

static const char FORMAT[] = "knack searches 1";

static json_t *search_json(const KnSearchRecord *search)
{
    json_t *depths = json_array();
    for (int i = 0; i < search->count; i++) {
        const KnDepthRecord *depth = &search->depths[i];
        json_t *row = json_pack("[fi]", depth->nodes, (int)depth->value);
        for (int k = 0; k < KN_THINKING_SIGNALS; k++)
            json_array_append_new(row, json_real(depth->signals[k]));
        json_array_append_new(depths, row);
    }
    return json_pack("{sI sf si sf so}", "game", (json_int_t)search->game, "nodes", search->nodes, "value",
                     (int)search->value, "outcome", search->outcome, "depths", depths);
}

KnStatus kn_records_save(const KnSearchRecords *records, size_t from, const char *path, KnError *error)
{
    json_t *list = json_array();
    for (size_t i = from; i < records->count; i++)
        json_array_append_new(list, search_json(&records->searches[i]));
    json_t *root = json_pack("{ss so}", "format", FORMAT, "searches", list);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    KnStatus status = text ? kn_sealed_write(path, text, error) : kn_fail_memory(error, "saving searches");
    free(text);
    json_decref(root);
    return status;
}

static KnStatus parse_depth(const KnJson *row, KnDepthRecord *depth, KnError *error)
{
    if (kn_json_size(row) != KN_THINKING_SIGNALS + 2)
        return kn_json_fail(row, NULL, error, "expected %d numbers", KN_THINKING_SIGNALS + 2);
    int64_t value = 0;
    KnJson nodes = kn_json_item(row, 0), score = kn_json_item(row, 1);
    KnStatus status = kn_json_real(&nodes, NULL, &depth->nodes, error);
    if (status == KN_OK) status = kn_json_integer(&score, NULL, -KN_SCORE_WIN, KN_SCORE_WIN, &value, error);
    depth->value = (KnScore)value;
    for (int k = 0; k < KN_THINKING_SIGNALS && status == KN_OK; k++) {
        KnJson signal = kn_json_item(row, (size_t)k + 2);
        status = kn_json_real(&signal, NULL, &depth->signals[k], error);
    }
    return status;
}

static KnStatus parse_search(const KnJson *at, KnSearchRecords *records, KnError *error)
{
    KnJson depths;
    KnSearchRecord search = {0};
    int64_t value = 0;
    KnStatus status = kn_json_uint64(at, "game", &search.game, error);
    if (status == KN_OK) status = kn_json_real(at, "nodes", &search.nodes, error);
    if (status == KN_OK) status = kn_json_real(at, "outcome", &search.outcome, error);
    if (status == KN_OK) status = kn_json_integer(at, "value", -KN_SCORE_WIN, KN_SCORE_WIN, &value, error);
    if (status == KN_OK) status = kn_json_array(at, "depths", &depths, error);
    if (status != KN_OK) return status;
    size_t count = kn_json_size(&depths);
    if (count < 2 || count > KN_THINKING_DEPTHS)
        return kn_json_fail(at, "depths", error, "expected 2 to %d rows", KN_THINKING_DEPTHS);
    search.value = (KnScore)value;
    search.count = (int)count;
    search.depths = calloc(count, sizeof *search.depths);
    if (!search.depths) return kn_fail_memory(error, "reading searches");
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnJson row = kn_json_item(&depths, i);
        status = parse_depth(&row, &search.depths[i], error);
    }
    if (status == KN_OK) return add_search(records, &search, error);
    free_search(&search);
    return status;
}

KnStatus kn_records_load(const char *path, KnSearchRecords *records, KnError *error)
{
    json_t *root = NULL;
    KnSeal seal;
    KnStatus status = kn_sealed_load(path, &root, &seal, error);
    if (status != KN_OK) return status;
    KnJson at = kn_json_root(root, path), list;
    const char *format;
    status = kn_json_string(&at, "format", &format, error);
    if (status == KN_OK && (strcmp(format, FORMAT) != 0 || seal != KN_SEAL_WHOLE))
        status = kn_json_fail(&at, "format", error, "is not \"%s\", or the file was changed; delete it",
                              FORMAT);
    if (status == KN_OK) status = kn_json_array(&at, "searches", &list, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&list); i++) {
        KnJson one = kn_json_item(&list, i);
        status = parse_search(&one, records, error);
    }
    json_decref(root);
    return status;
}
