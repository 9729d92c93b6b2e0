#include "protocols/ggp_match.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "protocols/ggp_match_inside.h"

/* How the margin at the end of a clock is divided: a player that has not stopped is cancelled after
 * CANCEL of it, and left behind after LEAVE; what remains is for the answer's way back. */
static const double CANCEL = 0.15, LEAVE = 0.35;

/* How long after the clock the answer nil is sent if no legal move is known: managers wait a second, and nil
 * earns nothing. */
static const double NIL = 0.5;

/* The least time that is taken, however short the clock: managers wait a second longer than they say. */
static const double LEAST = 0.05;

double kn_ggp_margin(const KnGgpMatch *m, double clock)
{
    double margin = m->seat.margin > 0 ? m->seat.margin : fmin(fmax(clock / 5, 0.3), 2);
    margin = fmin(margin, clock * 0.4);
    return m->seat.delay ? fmin(margin + 2 * kn_delay(m->seat.delay), fmax(margin, clock * 0.6)) : margin;
}

void kn_ggp_wait(KnGgpMatch *m, double until)
{
    if (isinf(until)) {
        pthread_cond_wait(&m->changed, &m->lock);
        return;
    }
    double whole = floor(until);
    struct timespec at = {(time_t)whole, (long)((until - whole) * 1e9)};
    pthread_cond_timedwait(&m->changed, &m->lock, &at);
}

/* ---- Life ---- */

static char *copy_piece(KnPiece piece)
{
    char *copy = malloc(piece.length + 1);
    if (!copy) return NULL;
    memcpy(copy, piece.text, piece.length);
    copy[piece.length] = '\0';
    return copy;
}

static void free_all(KnGgpMatch *m)
{
    free(m->id);
    free(m->role_name);
    free(m->rules);
    for (size_t i = 0; i < m->said_count; i++) free(m->said[i]);
    for (int i = 0; i < m->legal_count; i++) free(m->legal[i]);
    free(m->said);
    free(m->legal);
    free(m->joints);
    kn_ggp_table_drop(m->table);
    kn_ggp_table_drop(m->grounded);
    kn_text_free(&m->chosen);
    kn_text_free(&m->hint);
    kn_text_free(&m->answered);
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

KnStatus kn_ggp_match_new(const KnGgpSeat *seat, const KnGgpMessage *start, double arrived, KnGgpMatch **out,
                          KnError *error)
{
    *out = NULL;
    KnGgpMatch *m = calloc(1, sizeof *m);
    if (!m) return kn_fail_memory(error, "setting up a match");
    m->seat = *seat;
    m->id = copy_piece(start->id);
    m->role_name = copy_piece(start->role);
    m->rules = copy_piece(start->rules);
    m->rules_length = start->rules.length;
    m->start_clock = start->start;
    m->play_clock = start->play;
    m->ready_by = arrived + fmax(start->start - kn_ggp_margin(m, start->start), LEAST);
    m->chosen = m->hint = m->answered = KN_TEXT_EMPTY;
    m->kept = m->chosen_ply = m->hint_ply = m->answered_ply = m->wanted = KN_GGP_NO_PLY;
    m->role = -1;
    m->seed = seat->seed ^ kn_hash64(start->id.text, start->id.length, 0);
    m->rng = kn_rng_stream(m->seed, 0);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&m->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&m->lock, NULL);
    KnStatus status = m->id && m->role_name && m->rules ? KN_OK : kn_fail_memory(error, "setting up a match");
    if (status == KN_OK) {
        int code = pthread_create(&m->clock_keeper, NULL, kn_ggp_clock_keeper, m);
        m->has_clock_keeper = code == 0;
        if (code) status = kn_fail(error, KN_SYSTEM, "no thread for a match: %s", strerror(code));
    }
    if (status == KN_OK)
        *out = m;
    else
        free_all(m);
    return status;
}

bool kn_ggp_match_gone(KnGgpMatch *m)
{
    pthread_mutex_lock(&m->lock);
    bool gone = m->gone;
    pthread_mutex_unlock(&m->lock);
    return gone;
}

void kn_ggp_match_free(KnGgpMatch *m)
{
    if (!m) return;
    kn_ggp_match_stop(m, (KnPiece){"", 0}, true);
    if (m->has_clock_keeper) pthread_join(m->clock_keeper, NULL); /* which has joined the others */
    free_all(m);
}

bool kn_ggp_match_is(const KnGgpMatch *m, KnPiece id) { return kn_piece_is(id, m->id); }
bool kn_ggp_match_plays(const KnGgpMatch *m, KnPiece role) { return kn_piece_is(role, m->role_name); }
double kn_ggp_match_patience(const KnGgpMatch *m) { return m->start_clock + 3 * m->play_clock + 60; }

/* ---- The thread that answers a message ---- */

KnStatus kn_ggp_match_wait(KnGgpMatch *m, KnError *error)
{
    pthread_mutex_lock(&m->lock);
    while (!m->prepared && m->stage != KN_GGP_UNABLE && !m->stopping && kn_clock_now() < m->ready_by)
        kn_ggp_wait(m, m->ready_by);
    KnStatus status = m->stage == KN_GGP_UNABLE ? KN_INPUT : KN_OK;
    if (status != KN_OK && error) *error = m->trouble;
    pthread_mutex_unlock(&m->lock);
    return status;
}

/* With the lock held: adds a joint move to what is said. */
static void say(KnGgpMatch *m, KnPiece moves)
{
    KnText plain = KN_TEXT_EMPTY;
    kn_piece_plain(moves, &plain);
    if (m->said_count == m->said_room && m->said_count < KN_GGP_MOST_PLIES) {
        size_t room = m->said_room ? m->said_room * 2 : 64;
        char **said = realloc(m->said, room * sizeof *said);
        if (said) {
            m->said = said;
            m->said_room = room;
        }
    }
    char *copy = kn_text_ok(&plain) && m->said_count < m->said_room ? strdup(plain.data) : NULL;
    kn_text_free(&plain);
    if (copy)
        m->said[m->said_count++] = copy;
    else
        kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: no room for another move", m->id);
}

static void set_answer(KnGgpMatch *m, size_t ply, const char *text)
{
    kn_text_clear(&m->answered);
    kn_text_add(&m->answered, text);
    m->answered_ply = ply;
}

/* With the lock held: the answer, if there is one to be given without more waiting. */
static bool settle(KnGgpMatch *m, bool late, bool last)
{
    size_t ply = m->said_count;
    if (m->answered_ply == ply) return true;
    if (m->chosen_ply == ply) {
        set_answer(m, ply, m->chosen.data);
        return true;
    }
    bool known = m->kept == ply;
    if (known && !m->open && m->legal_count) {
        set_answer(m, ply, m->legal[kn_rng_below(&m->rng, (uint32_t)m->legal_count)]);
        return true;
    }
    if (!late && m->stage != KN_GGP_UNABLE && !m->stopping && !(known && !m->open)) return false;
    if (!known && m->hint_ply != ply && !last && m->stage != KN_GGP_UNABLE && !m->stopping) return false;
    const char *how = "no legal move is known in time";
    if (m->hint_ply == ply) {
        set_answer(m, ply, m->hint.data);
        how = "the player did not answer in time; its first thought";
    } else if (known && m->legal_count) {
        set_answer(m, ply, m->legal[kn_rng_below(&m->rng, (uint32_t)m->legal_count)]);
        how = "the player did not answer in time; a move by chance";
    } else
        set_answer(m, ply, "nil");
    if (late && !m->stopping)
        kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: move %zu: %s", m->id, ply + 1, how);
    return true;
}

/* Something that was to happen at a time happens now. */
static void note_delay(const KnGgpMatch *m, double due)
{
    double late = kn_clock_now() - due;
    if (m->seat.delay && late > 0) kn_delay_note(m->seat.delay, late);
}

void kn_ggp_match_play(KnGgpMatch *m, KnPiece moves, double arrived, KnText *reply)
{
    double margin = kn_ggp_margin(m, m->play_clock), think_until = arrived + m->play_clock - margin;
    double last_at = arrived + m->play_clock + NIL, cancel_at = think_until + CANCEL * margin,
           leave_at = fmax(think_until + LEAVE * margin, arrived + LEAST);
    pthread_mutex_lock(&m->lock);
    if (moves.length)
        say(m, moves);
    else if (m->said_count)
        kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: PLAY with NIL after %zu moves", m->id, m->said_count);
    m->think_until = think_until;
    m->wanted = m->said_count;
    atomic_store(&m->cancel, true); /* of the search before; the search thread clears it */
    pthread_cond_broadcast(&m->changed);
    bool cancelled = false;
    for (;;) {
        double now = kn_clock_now();
        if (settle(m, now >= leave_at, now >= last_at)) break;
        if (!cancelled && now >= cancel_at) {
            atomic_store(&m->cancel, true);
            cancelled = true;
        }
        double until = now >= leave_at ? last_at : cancelled ? leave_at : cancel_at;
        kn_ggp_wait(m, until);
        note_delay(m, until);
    }
    if (m->chosen_ply == m->said_count) note_delay(m, m->chosen_at);
    kn_text_add(reply, m->answered.data);
    pthread_mutex_unlock(&m->lock);
}

void kn_ggp_match_stop(KnGgpMatch *m, KnPiece moves, bool aborted)
{
    pthread_mutex_lock(&m->lock);
    if (!m->stopping) {
        if (moves.length && !aborted) say(m, moves);
        m->stopping = true;
        m->aborted = aborted;
    } else if (aborted)
        m->aborted = true;
    m->wanted = KN_GGP_NO_PLY;
    atomic_store(&m->cancel, true);
    atomic_store(&m->no_grounding, true);
    if (m->aborted) atomic_store(&m->no_proving, true); /* else the last moves are still followed */
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
}
