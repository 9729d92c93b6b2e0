/* Changes of a session: moves, undo and redo, seats, set-up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play.h"
#include "base/assert.h"
#include "base/clock.h"
#include "web/session.h"

static double unix_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* In a simultaneous game a role with a single legal move is not asked: GDL models waiting as such a move. */
static void fill_forced(KnSession *session, uint32_t movers)
{
    const KnGame *game = session->cached->game;
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) return;
    KnMove moves[game->max_moves];
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && session->chosen[role] == KN_MOVE_NONE &&
            kn_state_moves(session->state, role, moves) == 1)
            session->chosen[role] = moves[0];
}

/* Plays joint moves as long as every mover has chosen; nature draws from the session's seed. */
static KnStatus play_chosen(KnSession *session, KnError *error)
{
    const KnGame *game = session->cached->game;
    while (!kn_session_over(session, NULL)) {
        uint32_t movers = kn_state_movers(session->state);
        size_t ply = kn_state_plies(session->state);
        if (game->nature >= 0 && movers >> game->nature & 1) {
            KnRng rng = kn_rng_stream(session->seed, ply * KN_ROLES_MAX + (size_t)game->nature);
            session->chosen[game->nature] = kn_nature_move(session->state, &rng);
        }
        fill_forced(session, movers);
        for (int role = 0; role < game->roles; role++)
            if (movers >> role & 1 && session->chosen[role] == KN_MOVE_NONE) return KN_OK;
        KnStatus status = kn_session_play(session, session->chosen, error);
        if (status != KN_OK) return status;
        session->annotations[ply].has_score = session->has_score;
        session->annotations[ply].score = session->score;
        session->annotations[ply].chance = session->chance;
        session->has_score = false;
    }
    return KN_OK;
}

/* Commits, asks the engines to move, and publishes. */
static KnStatus commit(KnSession *session, KnError *error)
{
    session->revision++;
    session->updated = unix_time();
    KnStatus status = kn_session_save(session, error);
    if (status != KN_OK) {
        kn_session_unlist(
            session); /* an uncommitted change is discarded: the next request loads the saved session */
        return status;
    }
    kn_session_ask_engines(session);
    kn_session_publish(session);
    if (atomic_load(&session->analysing) && !session->analysis) kn_session_start_analysis(session);
    return KN_OK;
}

KnStatus kn_session_changed(KnSession *session, KnError *error)
{
    kn_session_cancel_engines(session);
    kn_session_stop_analysis(session);
    KnStatus status = play_chosen(session, error);
    return status == KN_OK ? commit(session, error) : status;
}

KnStatus kn_session_move_chosen(KnSession *session, KnError *error)
{
    size_t before = kn_state_plies(session->state);
    KnStatus status = play_chosen(session, error);
    if (status != KN_OK) return status;
    if (kn_state_plies(session->state) !=
        before) { /* otherwise other engines are still choosing at the same ply */
        kn_session_cancel_engines(session);
        kn_session_stop_analysis(session);
    }
    return commit(session, error);
}

/* The role of a move that names none: the first person to move who has not chosen; -1 if there is none. */
static int person_to_move(const KnSession *session)
{
    uint32_t movers = kn_state_movers(session->state);
    for (int role = 0; role < session->cached->game->roles; role++)
        if (movers >> role & 1 && session->chosen[role] == KN_MOVE_NONE && session->seats[role] &&
            strcmp(session->seats[role], KN_SEAT_HUMAN) == 0)
            return role;
    return -1;
}

/* A client repeats a move when the answer got lost: that is not an error. */
static bool is_repeated(const KnSession *session, size_t ply, int role, const char *text)
{
    size_t roles = (size_t)session->cached->game->roles;
    if (ply >= kn_state_plies(session->state)) return false;
    for (size_t r = 0; r < roles; r++) {
        KnMove move, played = session->joints[ply * roles + r];
        if ((role >= 0 && (int)r != role) || played == KN_MOVE_NONE) continue;
        if (!session->seats[r] || strcmp(session->seats[r], KN_SEAT_HUMAN) != 0) continue;
        if (kn_game_parse_move(session->cached->game, kn_state_position_at(session->state, ply), (int)r, text,
                               &move, NULL) == KN_OK &&
            move == played)
            return true;
    }
    return false;
}

static KnStatus choose_move(KnSession *session, int role, const char *text, KnError *error)
{
    const KnGame *game = session->cached->game;
    KN_ASSERT(session->chosen[role] == KN_MOVE_NONE && kn_state_movers(session->state) >> role & 1);
    KnMove moves[game->max_moves], move;
    int count = kn_state_moves(session->state, role, moves);
    KnStatus status = kn_game_parse_move(game, kn_state_position(session->state), role, text, &move, error);
    if (status != KN_OK) return status == KN_SYSTEM ? status : (error->status = KN_INPUT);
    for (int i = 0; i < count; i++)
        if (moves[i] == move) {
            session->chosen[role] = move;
            session->trouble[0] = '\0';
            return KN_OK;
        }
    return kn_fail(error, KN_INPUT, "the rules about repetition forbid %.40s here", text);
}

KnStatus kn_session_move(KnSession *session, size_t ply, int role, const char *text, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    KnStatus status = KN_OK;
    size_t now = kn_state_plies(session->state);
    bool again = ply != now && is_repeated(session, ply, role, text);
    int mover = role >= 0 ? role : person_to_move(session);
    if (again) {
    } else if (ply != now)
        status = kn_fail(error, KN_NO,
                         "the game is at ply %zu now, and the move is for ply %zu; load it again", now, ply);
    else if (kn_session_over(session, NULL))
        status = kn_fail(error, KN_NO, "the game is over; take a move back or start a new game");
    else if (mover < 0 || mover >= session->cached->game->roles ||
             !(kn_state_movers(session->state) >> mover & 1))
        status = kn_fail(error, KN_NO, "it is not your turn");
    else if (!session->seats[mover] || strcmp(session->seats[mover], KN_SEAT_HUMAN) != 0)
        status = kn_fail(error, KN_NO, "%s is played by %s", session->cached->game->role_names[mover],
                         session->seats[mover] ? session->seats[mover] : "chance");
    else if (session->chosen[mover] != KN_MOVE_NONE)
        status = kn_fail(error, KN_NO, "you have chosen already; wait for the other players");
    else {
        status = kn_session_check_room(session, error);
        if (status == KN_OK) status = choose_move(session, mover, text, error);
    }
    if (status == KN_OK && !again) status = kn_session_move_chosen(session, error);
    pthread_mutex_unlock(&session->lock);
    return status;
}

/* Whether a person has a choice at the current ply. */
static bool person_decides(const KnSession *session)
{
    const KnGame *game = session->cached->game;
    uint32_t movers = kn_state_movers(session->state);
    KnMove moves[game->max_moves];
    bool forced = game->traits & KN_GAME_SIMULTANEOUS; /* a single legal move is no choice there */
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && session->seats[role] && strcmp(session->seats[role], KN_SEAT_HUMAN) == 0 &&
            !(forced && kn_state_moves(session->state, role, moves) == 1))
            return true;
    return false;
}

static bool step(KnSession *session, bool back, KnError *error)
{
    size_t ply = kn_state_plies(session->state);
    if (back) return kn_state_undo(session->state);
    if (ply >= session->plies) return false;
    return kn_state_play_joint(session->state, session->joints + ply * (size_t)session->cached->game->roles,
                               error) == KN_OK;
}

KnStatus kn_session_step(KnSession *session, bool back, long ply, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    KnStatus status = KN_OK;
    size_t before = kn_state_plies(session->state);
    if (ply >= 0) {
        if ((size_t)ply > session->plies)
            status = kn_fail(error, KN_INPUT, "ply %2$ld does not exist; the game has %1$zu plies",
                             session->plies, ply);
        while (status == KN_OK && kn_state_plies(session->state) != (size_t)ply &&
               step(session, kn_state_plies(session->state) > (size_t)ply, error)) {
        }
    } else {
        while (step(session, back, error) && !person_decides(session) && !kn_session_all_engines(session)) {
        }
        if (before == kn_state_plies(session->state) && session->resigned < 0)
            status = kn_fail(error, KN_NO,
                             back ? "there is nothing to take back" : "there is nothing to play again");
    }
    if (status == KN_OK) {
        session->resigned = -1;
        session->trouble[0] = '\0';
        kn_session_clear_chosen(session);
        /* An engine to move would play on at once and overwrite the moves that can be redone. */
        if (!person_decides(session) && kn_state_plies(session->state) < session->plies)
            session->paused = true;
        status = kn_session_changed(session, error);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

KnStatus kn_session_resign(KnSession *session, int role, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    const KnGame *game = session->cached->game;
    KnStatus status = KN_OK;
    if (role < 0) role = person_to_move(session);
    for (int r = 0; r < game->roles && role < 0; r++)
        if (session->seats[r] && strcmp(session->seats[r], KN_SEAT_HUMAN) == 0) role = r;
    if (kn_session_over(session, NULL))
        status = kn_fail(error, KN_NO, "the game is over already");
    else if (role < 0 || role >= game->roles || !session->seats[role] ||
             strcmp(session->seats[role], KN_SEAT_HUMAN) != 0)
        status = kn_fail(error, KN_NO, "only a person can resign, and an engine plays that side");
    if (status == KN_OK) {
        session->resigned = role;
        kn_session_clear_chosen(session);
        status = kn_session_changed(session, error);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

KnStatus kn_session_swap(KnSession *session, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    const KnGame *game = session->cached->game;
    int seats[KN_ROLES_MAX], count = 0;
    for (int role = 0; role < game->roles; role++)
        if (session->seats[role]) seats[count++] = role;
    KnStatus status = count >= 2 ? KN_OK : kn_fail(error, KN_NO, "there is only one seat");
    if (status == KN_OK) {
        char *last = session->seats[seats[count - 1]];
        for (int i = count - 1; i > 0; i--) session->seats[seats[i]] = session->seats[seats[i - 1]];
        session->seats[seats[0]] = last;
        kn_session_forget_seating(session);
        kn_session_clear_chosen(session);
        session->trouble[0] = '\0';
        session->paused = false;
        status = kn_session_changed(session, error);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

KnStatus kn_session_seat(KnSession *session, int role, const char *spec, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    KnStatus status = KN_OK;
    if (role < 0 || role >= session->cached->game->roles || !session->seats[role])
        status = kn_fail(error, KN_INPUT, "there is no seat %d", role);
    if (status == KN_OK) status = kn_session_take_seat(session, role, spec, error);
    if (status == KN_OK) {
        session->chosen[role] = KN_MOVE_NONE;
        session->trouble[0] = '\0';
        status = kn_session_changed(session, error);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

KnStatus kn_session_set_up(KnSession *session, const char *position, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    KnStatus status = kn_session_restart(session, position, error);
    if (status == KN_OK) {
        session->trouble[0] = '\0';
        status = kn_session_changed(session, error);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

KnStatus kn_session_pace(KnSession *session, const bool *paused, double delay, KnError *error)
{
    pthread_mutex_lock(&session->lock);
    if (paused) session->paused = *paused;
    if (delay >= 0) session->delay = delay;
    session->viewed = kn_clock_now();
    KnStatus status = kn_session_changed(session, error);
    pthread_mutex_unlock(&session->lock);
    return status;
}

void kn_session_mark_viewed(KnSession *session)
{
    pthread_mutex_lock(&session->lock);
    session->viewed = kn_clock_now();
    kn_session_ask_engines(session);
    pthread_mutex_unlock(&session->lock);
}
