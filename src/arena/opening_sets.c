#include "arena/opening_sets.h"

#include <stdlib.h>
#include <string.h>

#include "arena/play.h"
#include "search/alphabeta.h"

enum { SEQUENCES_MAX = 1000000, TRIES_EACH = 200 };

typedef struct Opening {
    char *line;
    uint64_t hash;
    KnScore size; /* of its score */
    size_t place;
} Opening;

typedef struct Maker {
    const KnContext *context;
    const KnGame *game;
    const KnOpeningPlan *plan;
    KnEvaluation *evaluation;
    KnSearch *search;
    KnState *state;
    Opening *list;
    size_t count, room;
} Maker;

static bool known(const Maker *m, uint64_t hash)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].hash == hash) return true;
    return false;
}

static KnStatus keep(Maker *m, uint64_t hash, bool moves, KnError *error)
{
    if (m->count == m->room) {
        size_t room = m->room ? 2 * m->room : 256;
        Opening *list = room > SEQUENCES_MAX ? NULL : realloc(m->list, room * sizeof *list);
        if (!list)
            return kn_fail(error, KN_INPUT, "more than %d openings of %d plies: too many to compare",
                           SEQUENCES_MAX, m->plan->plies);
        m->list = list;
        m->room = room;
    }
    KnText text = KN_TEXT_EMPTY;
    if (moves)
        kn_moves_text(m->state, &text);
    else
        m->game->type->position_text(m->game, kn_state_position(m->state), &text);
    char *line = kn_text_ok(&text) ? strdup(text.data) : NULL;
    kn_text_free(&text);
    if (!line) return kn_fail_memory(error, "making openings");
    m->list[m->count] = (Opening){line, hash, 0, m->count};
    m->count++;
    return KN_OK;
}

static KnStatus judge(Maker *m, KnScore *score, KnError *error)
{
    KnHistory history = kn_state_history(m->state);
    KnSearchRequest ask = {.budget.depth = m->plan->depth, .cancel = m->plan->cancel};
    KnSearchResult found;
    kn_search_clear(m->search);
    KnStatus status = kn_search_run(m->search, kn_state_position(m->state), &history, &ask, &found, error);
    if (status == KN_OK && found.stop == KN_STOP_CANCEL) return kn_fail(error, KN_STOPPED, "stopped");
    *score = found.score;
    return status;
}

/* ---- balanced ---- */

static KnStatus enumerate(Maker *m, int plies, KnError *error)
{
    if (kn_state_over(m->state, NULL)) return KN_OK;
    const void *position = kn_state_position(m->state);
    if (plies == 0) {
        uint64_t hash = m->game->type->hash(m->game, position);
        return known(m, hash) ? KN_OK : keep(m, hash, true, error);
    }
    KnMove moves[m->game->max_moves];
    int count = kn_state_moves(m->state, m->game->type->mover(m->game, position), moves);
    KnStatus status = KN_OK;
    for (int i = 0; i < count && status == KN_OK; i++) {
        status = kn_state_play(m->state, moves[i], error);
        if (status != KN_OK) break;
        status = enumerate(m, plies - 1, error);
        kn_state_undo(m->state);
    }
    return status;
}

static int nearer_first(const void *a, const void *b)
{
    const Opening *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int as_made(const void *a, const void *b)
{
    const Opening *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static KnStatus make_balanced(Maker *m, KnProgress *progress, KnError *error)
{
    KnStatus status = enumerate(m, m->plan->plies, error);
    kn_progress_set_total(progress, m->count);
    for (size_t i = 0; i < m->count && status == KN_OK; i++) {
        KnScore score = 0;
        kn_state_reset(m->state, NULL);
        status = kn_replay(m->state, m->list[i].line, error);
        if (status == KN_OK) status = judge(m, &score, error);
        m->list[i].size = score < 0 ? -score : score;
        kn_progress_tick(progress, 1);
    }
    if (status != KN_OK) return status;
    qsort(m->list, m->count, sizeof *m->list, nearer_first);
    size_t kept = m->count < m->plan->count ? m->count : m->plan->count;
    for (size_t i = kept; i < m->count; i++) free(m->list[i].line);
    m->count = kept;
    qsort(m->list, m->count, sizeof *m->list, as_made);
    return KN_OK;
}

/* ---- varied ---- */

static const char *const players[] = {"alphabeta(depth=1, eval=hand)", "alphabeta(depth=2, eval=hand)",
                                      "alphabeta(depth=3, eval=hand)", "alphabeta(depth=4, eval=hand)",
                                      "alphabeta(depth=5, eval=hand)", "minimax(depth=2)"};
enum { PLAYERS = sizeof players / sizeof *players };

/* A game of two players of the pool, a quarter of the moves by chance. */
typedef struct Varied {
    KnRng rng;
    KnPlayer *players[KN_ROLES_MAX];
} Varied;

/* Plays a random move, or has the player begin again: each answer is to depend on its position alone. */
static KnStatus vary(void *user, const KnState *state, KnMove *joint, KnError *error)
{
    Varied *v = user;
    const KnGame *game = kn_state_game(state);
    int role = game->type->mover(game, kn_state_position(state));
    KnMove moves[game->max_moves];
    int count = kn_state_moves(state, role, moves);
    KnMove random = moves[kn_rng_below(&v->rng, (uint32_t)count)];
    if (kn_rng_below(&v->rng, 4) != 0)
        return kn_player_begin(v->players[role], role, kn_state_position(state), error);
    joint[role] = random;
    return KN_OK;
}

static KnStatus play_varied(Maker *m, KnPlayer *const *pool, uint64_t game_index, KnError *error)
{
    Varied v = {.rng = kn_rng_stream(m->plan->seed, game_index)};
    KnPlayPlan plan = {.state = m->state,
                       .rules = {.ply_limit = (size_t)m->plan->plies, .cancel = m->plan->cancel},
                       .strict = true,
                       .untimed = true,
                       .before = vary,
                       .user = &v};
    KnPlayed played;
    kn_state_reset(m->state, NULL);
    for (int role = 0; role < m->game->roles; role++) {
        plan.players[role] = v.players[role] = pool[kn_rng_below(&v.rng, PLAYERS)];
        plan.rngs[role] = &v.rng;
    }
    return m->plan->plies > 0 ? kn_play(&plan, &played, error) : KN_OK;
}

static KnStatus collect(Maker *m, KnPlayer *const *pool, KnProgress *progress, KnError *error)
{
    KnStatus status = KN_OK;
    kn_progress_set_total(progress, m->plan->count);
    for (uint64_t i = 0; m->count < m->plan->count && status == KN_OK; i++) {
        if (i == TRIES_EACH * (uint64_t)m->plan->count)
            return kn_fail(error, KN_NO, "only %zu openings of %d plies in %llu games", m->count,
                           m->plan->plies, (unsigned long long)i);
        status = play_varied(m, pool, i, error);
        if (status != KN_OK || kn_state_over(m->state, NULL)) continue;
        uint64_t hash = m->game->type->hash(m->game, kn_state_position(m->state));
        KnScore score = 0;
        if (known(m, hash)) continue;
        status = judge(m, &score, error);
        if (status != KN_OK || score > m->plan->margin || score < -m->plan->margin) continue;
        status = keep(m, hash, false, error);
        kn_progress_tick(progress, 1);
    }
    return status;
}

static KnStatus make_varied(Maker *m, KnProgress *progress, KnError *error)
{
    KnPlayer *pool[PLAYERS] = {0};
    KnStatus status = KN_OK;
    for (int i = 0; i < PLAYERS && status == KN_OK; i++)
        status = kn_player_open(m->context, m->game, players[i], &pool[i], error);
    if (status == KN_OK) status = collect(m, pool, progress, error);
    for (int i = 0; i < PLAYERS; i++) kn_player_close(pool[i]);
    return status;
}

KnStatus kn_openings_make(const KnContext *context, const KnGame *game, const KnOpeningPlan *plan,
                          KnProgress *progress, KnText *out, KnError *error)
{
    Maker m = {.context = context, .game = game, .plan = plan};
    KnSearchOptions how = kn_search_options();
    KnStatus status = kn_evaluation_open_text(context, game, plan->eval, &m.evaluation, error);
    if (status == KN_OK && !(m.search = kn_search_new(game, m.evaluation, &how, error)))
        status = error->status;
    if (status == KN_OK && !(m.state = kn_state_new(game))) status = kn_fail_memory(error, "making openings");
    if (status == KN_OK)
        status = plan->varied ? make_varied(&m, progress, error) : make_balanced(&m, progress, error);
    if (status == KN_OK && m.count < plan->count)
        status = kn_fail(error, KN_NO, "there are only %zu different openings of %d pl%s", m.count,
                         plan->plies, plan->plies == 1 ? "y" : "ies");
    for (size_t i = 0; i < m.count; i++) {
        if (status == KN_OK) kn_text_printf(out, "%s\n", m.list[i].line);
        free(m.list[i].line);
    }
    free(m.list);
    kn_state_free(m.state);
    kn_search_free(m.search);
    kn_evaluation_close(m.evaluation);
    return status;
}
