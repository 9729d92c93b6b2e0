/* What can happen at a sitting: moves, taking back, seats, setting up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play.h"
#include "base/clock.h"
#include "web/sitting.h"

static double unix_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Where moves are made at the same time, those who can only wait (as GDL has it at other people's turns) are
 * not asked. */
static void fill_forced(KnSitting *sitting, uint32_t movers)
{
    const KnGame *game = sitting->shown->game;
    if (!(game->traits & KN_GAME_SIMULTANEOUS)) return;
    KnMove moves[game->max_moves];
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && sitting->chosen[role] == KN_MOVE_NONE &&
            kn_contest_moves(sitting->contest, role, moves) == 1)
            sitting->chosen[role] = moves[0];
}

/* Plays what everybody has chosen, and chance with it. */
static KnStatus settle(KnSitting *sitting, KnError *error)
{
    const KnGame *game = sitting->shown->game;
    while (!kn_sitting_over(sitting, NULL)) {
        uint32_t movers = kn_contest_movers(sitting->contest);
        size_t ply = kn_contest_plies(sitting->contest);
        if (game->nature >= 0 && movers >> game->nature & 1) {
            KnRng rng = kn_rng_stream(sitting->seed, ply * KN_ROLES_MAX + (size_t)game->nature);
            sitting->chosen[game->nature] = kn_nature_move(sitting->contest, &rng);
        }
        fill_forced(sitting, movers);
        for (int role = 0; role < game->roles; role++)
            if (movers >> role & 1 && sitting->chosen[role] == KN_MOVE_NONE) return KN_OK;
        KnStatus status = kn_sitting_play(sitting, sitting->chosen, error);
        if (status != KN_OK) return status;
        sitting->notes[ply].has_score = sitting->has_score;
        sitting->notes[ply].score = sitting->score;
        sitting->has_score = false;
    }
    return KN_OK;
}

/* Commits, tells, and asks who has the move. */
static KnStatus commit(KnSitting *sitting, KnError *error)
{
    sitting->revision++;
    sitting->updated = unix_time();
    KnStatus status = kn_sitting_save(sitting, error);
    if (status != KN_OK) {
        kn_sitting_unlist(
            sitting); /* what is not committed did not happen: whoever asks next gets what was */
        return status;
    }
    kn_sitting_wake(sitting);
    kn_sitting_shout(sitting);
    if (atomic_load(&sitting->analysing) && !sitting->analysis) kn_sitting_start_analysis(sitting);
    return KN_OK;
}

KnStatus kn_sitting_changed(KnSitting *sitting, KnError *error)
{
    kn_sitting_stop_thinking(sitting);
    kn_sitting_stop_analysis(sitting);
    KnStatus status = settle(sitting, error);
    return status == KN_OK ? commit(sitting, error) : status;
}

KnStatus kn_sitting_chosen(KnSitting *sitting, KnError *error)
{
    size_t before = kn_contest_plies(sitting->contest);
    KnStatus status = settle(sitting, error);
    if (status != KN_OK) return status;
    if (kn_contest_plies(sitting->contest) != before) { /* else others still think about the same ply */
        kn_sitting_stop_thinking(sitting);
        kn_sitting_stop_analysis(sitting);
    }
    return commit(sitting, error);
}

/* Whose move a text without a role is: the person's who has not chosen; else -1. */
static int person_to_move(const KnSitting *sitting)
{
    uint32_t movers = kn_contest_movers(sitting->contest);
    for (int role = 0; role < sitting->shown->game->roles; role++)
        if (movers >> role & 1 && sitting->chosen[role] == KN_MOVE_NONE && sitting->seats[role] &&
            strcmp(sitting->seats[role], KN_SEAT_HUMAN) == 0)
            return role;
    return -1;
}

/* The same move sent again, because the answer to the first got lost, is no mistake. */
static bool said_already(const KnSitting *sitting, size_t ply, int role, const char *text)
{
    size_t roles = (size_t)sitting->shown->game->roles;
    if (ply >= kn_contest_plies(sitting->contest)) return false;
    for (size_t r = 0; r < roles; r++) {
        KnMove move, played = sitting->joints[ply * roles + r];
        if ((role >= 0 && (int)r != role) || played == KN_MOVE_NONE) continue;
        if (!sitting->seats[r] || strcmp(sitting->seats[r], KN_SEAT_HUMAN) != 0) continue;
        if (kn_game_parse_move(sitting->shown->game, kn_contest_position_at(sitting->contest, ply), (int)r,
                               text, &move, NULL) == KN_OK &&
            move == played)
            return true;
    }
    return false;
}

static KnStatus choose_move(KnSitting *sitting, int role, const char *text, KnError *error)
{
    const KnGame *game = sitting->shown->game;
    KnMove moves[game->max_moves], move;
    int count = kn_contest_moves(sitting->contest, role, moves);
    KnStatus status = kn_game_parse_move(game, kn_contest_position(sitting->contest), role, text, &move,
                                         error);
    if (status != KN_OK) return status == KN_SYSTEM ? status : (error->status = KN_INPUT);
    for (int i = 0; i < count; i++)
        if (moves[i] == move) {
            sitting->chosen[role] = move;
            sitting->trouble[0] = '\0';
            return KN_OK;
        }
    return kn_fail(error, KN_INPUT, "the rules about repetition forbid %.40s here", text);
}

KnStatus kn_sitting_move(KnSitting *sitting, size_t ply, int role, const char *text, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = KN_OK;
    size_t now = kn_contest_plies(sitting->contest);
    bool again = ply != now && said_already(sitting, ply, role, text);
    int mover = role >= 0 ? role : person_to_move(sitting);
    if (again) {
    } else if (ply != now)
        status = kn_fail(error, KN_NO,
                         "the contest is at ply %zu now, and the move was meant for ply %zu; look again", now,
                         ply);
    else if (kn_sitting_over(sitting, NULL))
        status = kn_fail(error, KN_NO, "the contest is over; undo, or begin a new one");
    else if (mover < 0 || mover >= sitting->shown->game->roles ||
             !(kn_contest_movers(sitting->contest) >> mover & 1))
        status = kn_fail(error, KN_NO, "it is not your turn");
    else if (!sitting->seats[mover] || strcmp(sitting->seats[mover], KN_SEAT_HUMAN) != 0)
        status = kn_fail(error, KN_NO, "%s is played by %s", sitting->shown->game->role_names[mover],
                         sitting->seats[mover] ? sitting->seats[mover] : "chance");
    else if (sitting->chosen[mover] != KN_MOVE_NONE)
        status = kn_fail(error, KN_NO, "that move is made already; the others still think");
    else
        status = choose_move(sitting, mover, text, error);
    if (status == KN_OK && !again) status = kn_sitting_chosen(sitting, error);
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

/* Whether a person decides at the ply that is looked at. */
static bool person_decides(const KnSitting *sitting)
{
    const KnGame *game = sitting->shown->game;
    uint32_t movers = kn_contest_movers(sitting->contest);
    KnMove moves[game->max_moves];
    bool forced = game->traits & KN_GAME_SIMULTANEOUS; /* there one move is no decision */
    for (int role = 0; role < game->roles; role++)
        if (movers >> role & 1 && sitting->seats[role] && strcmp(sitting->seats[role], KN_SEAT_HUMAN) == 0 &&
            !(forced && kn_contest_moves(sitting->contest, role, moves) == 1))
            return true;
    return false;
}

static bool step(KnSitting *sitting, bool back, KnError *error)
{
    size_t ply = kn_contest_plies(sitting->contest);
    if (back) return kn_contest_undo(sitting->contest);
    if (ply >= sitting->plies) return false;
    return kn_contest_play_joint(sitting->contest,
                                 sitting->joints + ply * (size_t)sitting->shown->game->roles, error) == KN_OK;
}

KnStatus kn_sitting_go(KnSitting *sitting, bool back, long ply, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = KN_OK;
    size_t before = kn_contest_plies(sitting->contest);
    if (ply >= 0) {
        if ((size_t)ply > sitting->plies)
            status = kn_fail(error, KN_INPUT, "there are %zu plies, so none of number %ld", sitting->plies,
                             ply);
        while (status == KN_OK && kn_contest_plies(sitting->contest) != (size_t)ply &&
               step(sitting, kn_contest_plies(sitting->contest) > (size_t)ply, error)) {
        }
    } else {
        while (step(sitting, back, error) && !person_decides(sitting) && !kn_sitting_all_engines(sitting)) {
        }
        if (before == kn_contest_plies(sitting->contest) && sitting->resigned < 0)
            status = kn_fail(error, KN_NO,
                             back ? "there is nothing to take back" : "there is nothing to play again");
    }
    if (status == KN_OK) {
        sitting->resigned = -1;
        sitting->trouble[0] = '\0';
        kn_sitting_clear_chosen(sitting);
        /* An engine that has the move here would at once play on, and what was to redo would be lost. */
        if (!person_decides(sitting) && kn_contest_plies(sitting->contest) < sitting->plies)
            sitting->paused = true;
        status = kn_sitting_changed(sitting, error);
    }
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

KnStatus kn_sitting_resign(KnSitting *sitting, int role, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    const KnGame *game = sitting->shown->game;
    KnStatus status = KN_OK;
    if (role < 0) role = person_to_move(sitting);
    for (int r = 0; r < game->roles && role < 0; r++)
        if (sitting->seats[r] && strcmp(sitting->seats[r], KN_SEAT_HUMAN) == 0) role = r;
    if (kn_sitting_over(sitting, NULL))
        status = kn_fail(error, KN_NO, "the contest is over already");
    else if (role < 0 || role >= game->roles || !sitting->seats[role] ||
             strcmp(sitting->seats[role], KN_SEAT_HUMAN) != 0)
        status = kn_fail(error, KN_NO, "no person plays that side, so nobody can resign for it");
    if (status == KN_OK) {
        sitting->resigned = role;
        kn_sitting_clear_chosen(sitting);
        status = kn_sitting_changed(sitting, error);
    }
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

KnStatus kn_sitting_swap(KnSitting *sitting, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    const KnGame *game = sitting->shown->game;
    int seats[KN_ROLES_MAX], count = 0;
    for (int role = 0; role < game->roles; role++)
        if (sitting->seats[role]) seats[count++] = role;
    KnStatus status = count >= 2 ? KN_OK : kn_fail(error, KN_NO, "there is only one seat");
    if (status == KN_OK) {
        char *last = sitting->seats[seats[count - 1]];
        for (int i = count - 1; i > 0; i--) sitting->seats[seats[i]] = sitting->seats[seats[i - 1]];
        sitting->seats[seats[0]] = last;
        kn_sitting_reseated(sitting);
        kn_sitting_clear_chosen(sitting);
        sitting->trouble[0] = '\0';
        sitting->paused = false;
        status = kn_sitting_changed(sitting, error);
    }
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

KnStatus kn_sitting_seat(KnSitting *sitting, int role, const char *spec, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = KN_OK;
    if (role < 0 || role >= sitting->shown->game->roles || !sitting->seats[role])
        status = kn_fail(error, KN_INPUT, "there is no seat of number %d", role);
    if (status == KN_OK) status = kn_sitting_take_seat(sitting, role, spec, error);
    if (status == KN_OK) {
        sitting->chosen[role] = KN_MOVE_NONE;
        sitting->trouble[0] = '\0';
        status = kn_sitting_changed(sitting, error);
    }
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

KnStatus kn_sitting_set_up(KnSitting *sitting, const char *position, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = kn_sitting_begin(sitting, position, error);
    if (status == KN_OK) {
        sitting->trouble[0] = '\0';
        status = kn_sitting_changed(sitting, error);
    }
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

KnStatus kn_sitting_pace(KnSitting *sitting, const bool *paused, double delay, KnError *error)
{
    pthread_mutex_lock(&sitting->lock);
    if (paused) sitting->paused = *paused;
    if (delay >= 0) sitting->delay = delay;
    sitting->looked = kn_clock_now();
    KnStatus status = kn_sitting_changed(sitting, error);
    pthread_mutex_unlock(&sitting->lock);
    return status;
}

void kn_sitting_look(KnSitting *sitting)
{
    pthread_mutex_lock(&sitting->lock);
    sitting->looked = kn_clock_now();
    kn_sitting_wake(sitting);
    pthread_mutex_unlock(&sitting->lock);
}
