/* The thread that has the player choose. It follows what the clock keeper knows, at its own pace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "players/player.h"
#include "protocols/ggp_match_inside.h"

/* The least time for which a player is asked at all, and below which a start clock is not worth using. */
static const double LEAST_THOUGHT = 0.005, LEAST_PREPARATION = 0.05;

/* A player is first asked for a part of its time, if that is not too little: should the rest not end in time,
 * there is something to say. One that is done before that part is over has said its last word. */
static const double FIRST_PART = 0.1, LEAST_FIRST = 0.01, DONE_PART = 0.9;

/* Thinking ahead: how long at a time, and how much longer than the play clock. */
static const double PONDER_SLICE = 0.02, PONDER_MORE = 2;

typedef struct SearchThread {
    KnGgpMatch *match;
    KnGgpTable *table;
    KnPlayer *player; /* NULL: moves by chance */
    KnState *state;
    KnMove *allowed;
    KnRng rng;
} SearchThread;

static void leave_table(SearchThread *t)
{
    kn_player_close(t->player);
    kn_state_free(t->state);
    free(t->allowed);
    kn_ggp_table_drop(t->table);
    t->player = NULL;
    t->state = NULL;
    t->allowed = NULL;
    t->table = NULL;
}

static void complain(const SearchThread *t, const KnError *error)
{
    kn_log(&t->match->seat.log, KN_LOG_WARNING, "match %s: the player: %s", t->match->id, error->text);
}

/* With the lock held, which is left meanwhile: a player for the rules that now hold, at the start of the
 * match. */
static void take_table(SearchThread *t)
{
    KnGgpMatch *m = t->match;
    KnGgpTable *table = kn_ggp_table_keep(m->table);
    bool in_a_hurry = m->wanted != KN_GGP_NO_PLY;
    pthread_mutex_unlock(&m->lock);
    leave_table(t);
    t->table = table;
    t->state = kn_state_new(table->game);
    t->allowed = malloc((size_t)table->game->max_moves * sizeof *t->allowed);
    KnError error;
    KnStatus status = t->state && t->allowed ? KN_OK : kn_fail_memory(&error, "thinking");
    if (status == KN_OK)
        status = kn_player_open(m->seat.context, table->game, m->seat.spec, &t->player, &error);
    if (status == KN_OK) status = kn_player_begin(t->player, m->role, kn_state_position(t->state), &error);
    double left = m->ready_by - kn_clock_now();
    if (status == KN_OK && !in_a_hurry && left > LEAST_PREPARATION)
        status = kn_player_prepare(t->player, m->role, left, &t->rng, &error);
    if (status != KN_OK) {
        complain(t, &error);
        kn_player_close(t->player);
        t->player = NULL;
    }
    pthread_mutex_lock(&m->lock);
    m->prepared = true;
    pthread_cond_broadcast(&m->changed);
}

/* With the lock held, which is left meanwhile: the next joint move. */
static void observe(SearchThread *t)
{
    KnGgpMatch *m = t->match;
    KnMove joint[KN_GDL_ROLES];
    size_t roles = (size_t)t->table->game->roles, ply = kn_state_plies(t->state);
    memcpy(joint, m->joints + ply * roles, roles * sizeof *joint);
    pthread_mutex_unlock(&m->lock);
    KnError error;
    KnStatus status = kn_state_play_joint(t->state, joint, &error);
    if (status == KN_OK && t->player) status = kn_player_observe(t->player, t->state, joint, &error);
    if (status != KN_OK) complain(t, &error);
    pthread_mutex_lock(&m->lock);
}

/* The player's choice; by chance if it fails. False if there is nothing to choose from. */
static bool choose(SearchThread *t, double until, KnText *out)
{
    KnGgpMatch *m = t->match;
    int count = kn_state_moves(t->state, m->role, t->allowed);
    if (!count) return false;
    KnRequest request = {.game = t->table->game,
                         .position = kn_state_position(t->state),
                         .history = kn_state_history(t->state),
                         .role = m->role,
                         .allowed = t->allowed,
                         .allowed_count = count,
                         .budget.seconds = fmax(until - kn_clock_now(), LEAST_THOUGHT),
                         .rng = &t->rng,
                         .cancel = &m->cancel};
    KnAnswer answer = {0};
    KnError error;
    KnStatus status = t->player ? kn_player_choose(t->player, &request, &answer, &error) : KN_NO;
    if (status != KN_OK) {
        if (t->player) complain(t, &error);
        kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: move %zu: the player has no answer; a move by chance",
               m->id, kn_state_plies(t->state) + 1);
        answer.move = t->allowed[kn_rng_below(&t->rng, (uint32_t)count)];
    }
    kn_gdl_move_text(t->table->machine, answer.move, out);
    return kn_text_ok(out);
}

/* The first thought; true if the player was done with it. */
static bool think_first(SearchThread *t, double until, size_t ply, KnText *out)
{
    KnGgpMatch *m = t->match;
    double started = kn_clock_now(), part = FIRST_PART * (until - started);
    if (part < LEAST_FIRST || !choose(t, started + part, out)) return false;
    bool done = kn_clock_now() - started < DONE_PART * part;
    pthread_mutex_lock(&m->lock);
    kn_text_clear(&m->hint);
    kn_text_add(&m->hint, out->data);
    m->hint_ply = kn_text_ok(&m->hint) ? ply : KN_GGP_NO_PLY;
    done = done && !atomic_load(&m->cancel);
    pthread_mutex_unlock(&m->lock);
    return done;
}

/* With the lock held, which is left meanwhile. */
static void think(SearchThread *t)
{
    KnGgpMatch *m = t->match;
    size_t ply = m->wanted;
    double until = m->think_until;
    atomic_store(&m->cancel, false);
    pthread_mutex_unlock(&m->lock);
    KnText text = KN_TEXT_EMPTY;
    bool chosen = think_first(t, until, ply, &text);
    if (!chosen) {
        kn_text_clear(&text);
        chosen = choose(t, until, &text);
    }
    pthread_mutex_lock(&m->lock);
    if (t->table != m->table && m->wanted == ply &&
        kn_clock_now() < until) { /* better rules are there: once more, by them */
        kn_text_free(&text);
        return;
    }
    kn_text_clear(&m->chosen);
    if (chosen)
        kn_text_add(&m->chosen, text.data);
    else if (m->kept == ply && m->legal_count)
        kn_text_add(&m->chosen, m->legal[0]);
    else
        kn_text_add(&m->chosen, "nil");
    m->chosen_ply = ply;
    m->chosen_at = kn_clock_now();
    pthread_cond_broadcast(&m->changed);
    kn_text_free(&text);
}

/* Whether the player may think ahead: it can, the game goes on, and the others' time is not long over. */
static bool may_ponder(const SearchThread *t, double since)
{
    const KnGgpMatch *m = t->match;
    return t->player && t->player->traits & KN_PLAYER_PONDERS && m->said_count == m->kept && !m->stopping &&
           kn_clock_now() - since < m->play_clock + PONDER_MORE && !kn_state_over(t->state, NULL);
}

/* With the lock held, which is left meanwhile: thinks ahead while the others choose, for so short a time that
 * a question does not wait. */
static void ponder(SearchThread *t)
{
    KnGgpMatch *m = t->match;
    pthread_mutex_unlock(&m->lock);
    KnError error;
    KnStatus status = kn_player_prepare(t->player, m->role, PONDER_SLICE, &t->rng, &error);
    if (status != KN_OK) complain(t, &error);
    pthread_mutex_lock(&m->lock);
}

void *kn_ggp_search_thread(void *user)
{
    KnGgpMatch *m = user;
    SearchThread t = {.match = m, .rng = kn_rng_stream(m->seed, 1)};
    double since = kn_clock_now(); /* the last time that there was something else to do */
    pthread_mutex_lock(&m->lock);
    while (!m->aborted) {
        double waiting_since = since;
        since = kn_clock_now();
        bool able = t.state && t.allowed;
        if (t.table != m->table)
            take_table(&t);
        else if (able && kn_state_plies(t.state) < m->kept)
            observe(&t);
        else if (m->finished)
            break;
        else if (able && m->open && m->wanted == m->kept && m->chosen_ply != m->wanted &&
                 m->answered_ply != m->wanted)
            think(&t);
        else if (able && may_ponder(&t, waiting_since)) {
            ponder(&t);
            since = waiting_since;
        } else
            kn_ggp_wait(m, INFINITY);
    }
    bool told = !m->aborted && t.player && t.state;
    pthread_mutex_unlock(&m->lock);
    double payoffs[KN_ROLES_MAX];
    KnError error;
    if (told && kn_state_over(t.state, payoffs) && kn_player_end(t.player, t.state, payoffs, &error) != KN_OK)
        complain(&t, &error);
    leave_table(&t);
    return NULL;
}
