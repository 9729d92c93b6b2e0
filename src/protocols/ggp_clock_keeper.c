/* The thread that follows a match: sets up the rules, works through what is said, and lists what is legal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "protocols/ggp_match_inside.h"

/* How long grounding may take before the prover is set up beside it: a part of the start clock, within
 * bounds. */
static const double PATIENCE = 0.3, LEAST_PATIENCE = 0.1, MOST_PATIENCE = 5;

/* Steps that a question to the prover may take: about a quarter of the play clock. */
static const double STEPS_A_SECOND = 4e6, LEAST_STEPS = 1e6, MOST_STEPS = 2e7;

static KnPiece rules_of(const KnGgpMatch *m) { return (KnPiece){m->rules, m->rules_length}; }

/* ---- The thread that grounds ---- */

static void *ground(void *user)
{
    KnGgpMatch *m = user;
    KnGgpTable *table;
    KnError error;
    double started = kn_clock_now();
    KnStatus status = kn_ggp_table_open(m->seat.context, m->id, rules_of(m), KN_GDL_PROPNET, 0,
                                        &m->no_grounding, &table, &error);
    double took = kn_clock_now() - started;
    if (status == KN_OK)
        kn_log(&m->seat.log, KN_LOG_INFO, "match %s: rules grounded in %.3f s", m->id, took);
    else
        kn_log(&m->seat.log, KN_LOG_INFO, "match %s: not grounded after %.3f s: %s", m->id, took, error.text);
    pthread_mutex_lock(&m->lock);
    m->grounded = table;
    m->grounding = false;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

/* ---- Setting up ---- */

/* Descriptions that make no sense, and roles that they do not have, are found out before anything costly is
 * begun.
 */
static KnStatus check_rules(KnGgpMatch *m, KnError *error)
{
    KnGdlDescription *description;
    KnStatus status = kn_gdl_read(m->id, m->rules, m->rules_length, false, &description, error);
    if (status != KN_OK) return status;
    bool known = false;
    KnPiece name = {m->role_name, strlen(m->role_name)};
    for (int i = 0; i < description->role_count; i++)
        known = known ||
                kn_piece_is(
                    name,
                    description->symbols.names[kn_term(&description->terms, description->roles[i])->symbol]);
    kn_gdl_free(description);
    return known ? KN_OK : kn_fail(error, KN_INPUT, "the rules have no role \"%.80s\"", m->role_name);
}

/* With the lock held: takes over what the grounder found, if it did. */
static KnGgpTable *take_grounded(KnGgpMatch *m)
{
    KnGgpTable *table = m->grounded;
    m->grounded = NULL;
    return table;
}

/* Waits for the grounder until a time; what it found, or NULL. KN_STOPPED when the match is. */
static KnStatus await_grounded(KnGgpMatch *m, double until, KnGgpTable **out, KnError *error)
{
    pthread_mutex_lock(&m->lock);
    while (m->grounding && !m->stopping && kn_clock_now() < until) kn_ggp_wait(m, until);
    *out = take_grounded(m);
    bool stopping = m->stopping;
    pthread_mutex_unlock(&m->lock);
    if (!stopping) return KN_OK;
    kn_ggp_table_drop(*out);
    *out = NULL;
    return kn_fail(error, KN_STOPPED, "stopped");
}

/* ---- What is known of a ply ---- */

/* With the lock held. */
static void forget_legal(KnGgpMatch *m)
{
    for (int i = 0; i < m->legal_count; i++) free(m->legal[i]);
    free(m->legal);
    m->legal = NULL;
    m->legal_count = 0;
}

/* The texts of the moves in board->moves; fewer if memory runs out. */
static char **name_moves(KnGgpBoard *board, int *count)
{
    char **names = calloc((size_t)*count + 1, sizeof *names);
    KnText text = KN_TEXT_EMPTY;
    int made = 0;
    while (names && made < *count) {
        kn_text_clear(&text);
        kn_ggp_board_name(board, board->moves[made], &text);
        if (!kn_text_ok(&text) || !(names[made] = strdup(text.data))) break;
        made++;
    }
    kn_text_free(&text);
    *count = made;
    return names;
}

/* Publishes what is legal on the board as the knowledge of a ply, with the joint move that led there (NULL:
 * the start). */
static KnStatus publish(KnGgpMatch *m, KnGgpBoard *board, const KnMove *joint, size_t ply, KnError *error)
{
    int count = 0, roles = board->table->game->roles;
    bool open = false;
    KnStatus status = kn_gdl_is_open(board->table->machine, board->state, &open, error);
    if (status == KN_OK) status = kn_ggp_board_legal(board, m->role, &count, error);
    char **names = status == KN_OK ? name_moves(board, &count) : NULL;
    pthread_mutex_lock(&m->lock);
    if (joint && ply > m->joint_room) {
        size_t room = m->joint_room ? m->joint_room * 2 : 64;
        KnMove *joints = realloc(m->joints, room * (size_t)roles * sizeof *joints);
        if (joints) {
            m->joints = joints;
            m->joint_room = room;
        } else
            status = kn_fail_memory(error, "following a match");
    }
    if (status == KN_OK) {
        if (joint) memcpy(m->joints + (ply - 1) * (size_t)roles, joint, (size_t)roles * sizeof *joint);
        forget_legal(m);
        m->legal = names;
        m->legal_count = count;
        m->open = open && count > 1 && m->role != board->table->game->nature;
        m->kept = ply;
        names = NULL;
    }
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    for (int i = 0; names && i < count; i++) free(names[i]);
    free(names);
    return status;
}

/* The next joint move that was said. KN_NO: it does not fit, and is taken back out. */
static KnStatus advance(KnGgpMatch *m, KnGgpBoard *board, const char *said, size_t ply, KnError *error)
{
    KnMove joint[KN_GDL_ROLES];
    KnStatus status = kn_ggp_board_read(board, (KnPiece){said, strlen(said)}, joint, error);
    if (status == KN_OK) status = kn_ggp_board_play(board, joint, error);
    if (status == KN_OK) return publish(m, board, joint, ply + 1, error);
    if (status != KN_NO) return status;
    kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: move %zu: %s; it is left out", m->id, ply + 1,
           error->text);
    pthread_mutex_lock(&m->lock);
    free(m->said[ply]);
    memmove(m->said + ply, m->said + ply + 1, (--m->said_count - ply) * sizeof *m->said);
    m->wanted = m->stopping ? KN_GGP_NO_PLY : m->said_count;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return KN_NO;
}

/* Changes over to other rules of the same match, by replaying it. */
static bool change_over(KnGgpMatch *m, KnGgpTable *table, KnGgpBoard **board)
{
    KnError error;
    KnGgpBoard *fresh = NULL;
    size_t roles = (size_t)table->game->roles, kept = m->kept; /* only this thread changes it */
    KnMove *joints = malloc((kept + 64) * roles * sizeof *joints);
    KnStatus status = joints ? kn_ggp_board_new(table, &fresh, &error)
                             : kn_fail_memory(&error, "following a match");
    for (size_t ply = 0; ply < kept && status == KN_OK; ply++) {
        pthread_mutex_lock(&m->lock);
        const char *said = m->said[ply]; /* stays: it was taken in */
        pthread_mutex_unlock(&m->lock);
        status = kn_ggp_board_read(fresh, (KnPiece){said, strlen(said)}, joints + ply * roles, &error);
        if (status == KN_OK) status = kn_ggp_board_play(fresh, joints + ply * roles, &error);
    }
    if (status != KN_OK) {
        kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: the grounded rules do not follow: %s", m->id,
               error.text);
        kn_ggp_board_free(fresh);
        free(joints);
        kn_ggp_table_drop(table);
        return false;
    }
    kn_ggp_board_free(*board);
    *board = fresh;
    pthread_mutex_lock(&m->lock);
    kn_ggp_table_drop(m->table);
    free(m->joints);
    m->table = table;
    m->joints = joints;
    m->joint_room = kept + 64;
    atomic_store(&m->no_proving,
                 true); /* of the old rules: a search thread that uses them must change over */
    atomic_store(&m->cancel, true);
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return true;
}

/* ---- The thread ---- */

/* Follows the match until it stops, or cannot be followed any further. */
static KnStatus follow(KnGgpMatch *m, KnGgpBoard **board, KnError *error)
{
    bool stuck = false; /* by these rules, until the others are there */
    KnStatus status = KN_OK;
    for (;;) {
        pthread_mutex_lock(&m->lock);
        while (!m->aborted && !m->grounded && (stuck ? m->grounding : m->kept == m->said_count) &&
               !m->stopping)
            kn_ggp_wait(m, INFINITY);
        KnGgpTable *other = take_grounded(m);
        size_t ply = m->kept;
        const char *said = ply < m->said_count ? m->said[ply] : NULL;
        bool aborted = m->aborted, dead = stuck && !other && (!m->grounding || m->stopping),
             done = !said && m->stopping;
        pthread_mutex_unlock(&m->lock);
        if (aborted || dead || (done && !other)) {
            kn_ggp_table_drop(other);
            return dead ? status : KN_OK;
        }
        if (other)
            stuck = !change_over(m, other, board) && stuck;
        else if (said) {
            status = advance(m, *board, said, ply, error);
            stuck = status != KN_OK && status != KN_NO;
            if (stuck)
                kn_log(&m->seat.log, KN_LOG_WARNING, "match %s: move %zu: %s", m->id, ply + 1, error->text);
        }
    }
}

/* Begins the match by these rules, which are taken over. */
static KnStatus begin(KnGgpMatch *m, KnGgpTable *table, KnGgpBoard **board, KnError *error)
{
    kn_ggp_board_free(*board);
    *board = NULL;
    pthread_mutex_lock(&m->lock);
    kn_ggp_table_drop(m->table);
    m->table = table;
    pthread_mutex_unlock(&m->lock);
    KnStatus status = kn_ggp_board_new(table, board, error);
    if (status != KN_OK) return status;
    m->role = kn_ggp_table_role(table, (KnPiece){m->role_name, strlen(m->role_name)});
    return publish(m, *board, NULL, 0, error);
}

/* By the prover, as long as grounding takes. */
static KnStatus begin_proving(KnGgpMatch *m, KnGgpBoard **board, KnError *error)
{
    KnGgpTable *table;
    double steps = fmin(fmax(STEPS_A_SECOND * m->play_clock, LEAST_STEPS), MOST_STEPS);
    KnStatus status = kn_ggp_table_open(m->seat.context, m->id, rules_of(m), KN_GDL_PROVER, (uint64_t)steps,
                                        &m->no_proving, &table, error);
    if (status == KN_OK) status = begin(m, table, board, error);
    if (status == KN_OK) kn_log(&m->seat.log, KN_LOG_INFO, "match %s: the prover answers for now", m->id);
    return status;
}

static void start_grounding(KnGgpMatch *m)
{
    m->grounding = true;
    m->has_grounder = pthread_create(&m->grounder, NULL, ground, m) == 0;
    if (!m->has_grounder) m->grounding = false;
}

/* The grounded rules if they are there soon, else the prover's, else the grounded ones whenever they come. */
static KnStatus set_up(KnGgpMatch *m, KnGgpBoard **board, KnError *error)
{
    KnGgpTable *table;
    KnStatus status = check_rules(m, error);
    if (status != KN_OK) return status;
    start_grounding(m);
    double soon = kn_clock_now() + fmin(fmax(PATIENCE * m->start_clock, LEAST_PATIENCE), MOST_PATIENCE);
    status = await_grounded(m, soon, &table, error);
    if (status != KN_OK) return status;
    status = table ? begin(m, table, board, error) : begin_proving(m, board, error);
    if (status != KN_OK && !table) {
        KnError stopped;
        KnStatus waited = await_grounded(m, INFINITY, &table, &stopped);
        status = waited != KN_OK ? waited : table ? begin(m, table, board, error) : status;
    }
    if (status == KN_OK)
        m->has_search_thread = pthread_create(&m->search_thread, NULL, kn_ggp_search_thread, m) == 0;
    return status == KN_OK && !m->has_search_thread ? kn_fail(error, KN_SYSTEM, "no thread for a match")
                                                    : status;
}

static void set_stage(KnGgpMatch *m, KnGgpStage stage, const KnError *trouble)
{
    pthread_mutex_lock(&m->lock);
    m->stage = stage;
    if (trouble) m->trouble = *trouble;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
}

void *kn_ggp_clock_keeper(void *user)
{
    KnGgpMatch *m = user;
    KnGgpBoard *board = NULL;
    KnError error;
    kn_thread_prompt();
    KnStatus status = set_up(m, &board, &error);
    if (status == KN_OK) {
        set_stage(m, KN_GGP_READY, NULL);
        status = follow(m, &board, &error);
    }
    if (status != KN_OK && status != KN_STOPPED) {
        if (status != KN_INPUT) kn_fail(&error, KN_INPUT, "%s", error.text);
        set_stage(m, KN_GGP_UNABLE, &error);
        pthread_mutex_lock(&m->lock);
        while (!m->stopping) kn_ggp_wait(m, INFINITY); /* requests get nil meanwhile */
        pthread_mutex_unlock(&m->lock);
    }
    pthread_mutex_lock(&m->lock);
    m->finished = true;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    if (m->has_search_thread) pthread_join(m->search_thread, NULL);
    if (m->has_grounder) pthread_join(m->grounder, NULL);
    kn_ggp_board_free(board);
    pthread_mutex_lock(&m->lock);
    m->gone = true;
    pthread_mutex_unlock(&m->lock);
    return NULL;
}
