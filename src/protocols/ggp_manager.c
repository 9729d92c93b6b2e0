#include "protocols/ggp_manager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "protocols/ggp_seat.h"
#include "protocols/ggp_record.h"
#include "protocols/ggp_obfuscation.h"

/* Seconds beyond the play clock that an answer to PLAY may take, and for ABORT. */
static const double PLAY_GRACE = 1, ABORT_SECONDS = 1;

const char *kn_ggp_fault_name(KnGgpFault fault)
{
    static const char *const names[KN_GGP_FAULTS] = {"fine",      "late", "illegal",
                                                     "malformed", "lost", "unready"};
    return names[fault];
}

typedef struct Manager {
    const KnGgpPlan *plan;
    KnGgpTable *table;
    int roles, nature;
    KnText rules; /* on one line, without comments */
    KnGgpManagerSeat peers[KN_GDL_ROLES];
    KnGgpTally *tallies;
    /* Of the match under way. */
    int number;
    char id[128];
    KnRng rng;
    KnObfuscation *obfuscation;
    KnGgpBoard *board;
    KnGgpRecord record;
    int seats[KN_GDL_ROLES]; /* player by role, -1: nature */
    int goals[KN_GDL_ROLES];
    size_t plies;
    KnGgpQuestion questions[KN_GDL_ROLES];
    int asked[KN_GDL_ROLES]; /* role by question */
    int ask_count;
} Manager;

/* ---- Words ---- */

static void print_id(const Manager *m, KnText *out) { kn_text_add(out, m->id); }

/* A joint move as the players know it. */
static void print_joint(const Manager *m, const KnMove *joint, KnText *out)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_add_char(out, '(');
    for (int role = 0; role < m->roles; role++) {
        kn_text_clear(&name);
        kn_ggp_board_name(m->board, joint[role], &name);
        kn_obfuscation_print(m->obfuscation, (KnPiece){name.data, name.length}, false, out);
        kn_text_add_char(out, ' ');
    }
    kn_text_add_char(out, ')');
    kn_text_free(&name);
}

static void print_start(const Manager *m, int role, KnText *out)
{
    const char *name = m->table->game->role_names[role];
    kn_text_add(out, "( START ");
    print_id(m, out);
    kn_text_add_char(out, ' ');
    kn_obfuscation_print(m->obfuscation, (KnPiece){name, strlen(name)}, false, out);
    kn_text_add(out, " (");
    kn_obfuscation_print(m->obfuscation, (KnPiece){m->rules.data, m->rules.length}, false, out);
    kn_text_printf(out, ") %g %g)", m->plan->start_clock, m->plan->play_clock);
}

/* ---- Questions ---- */

/* Says something to everybody who plays; joint NULL: NIL, or nothing. */
static void ask_all(Manager *m, KnGgpKind kind, const KnMove *joint, double patience)
{
    for (int i = 0; i < m->ask_count; i++) {
        KnGgpQuestion *q = &m->questions[i];
        kn_text_clear(&q->message);
        q->patience = patience;
        q->peer = &m->peers[m->seats[m->asked[i]]];
        if (kind == KN_GGP_START) {
            print_start(m, m->asked[i], &q->message);
            continue;
        }
        kn_text_printf(&q->message, "( %s ", kn_ggp_kind_name(kind));
        print_id(m, &q->message);
        kn_text_add_char(&q->message, ' ');
        if (joint)
            print_joint(m, joint, &q->message);
        else if (kind != KN_GGP_ABORT)
            kn_text_add(&q->message, "NIL");
        kn_text_add(&q->message, " )");
    }
    kn_ggp_ask(m->questions, m->ask_count);
}

static KnGgpFault fault_of(KnStatus status)
{
    return status == KN_OK        ? KN_GGP_FINE
           : status == KN_STOPPED ? KN_GGP_LATE
           : status == KN_INPUT   ? KN_GGP_MALFORMED
                                  : KN_GGP_LOST;
}

static void complain(const Manager *m, int role, const KnGgpQuestion *q, KnGgpFault fault, const char *about)
{
    kn_log(&m->plan->log, KN_LOG_WARNING, "match %s, step %zu: %s (%s) is %s: %.200s", m->id, m->plies + 1,
           q->peer->label, m->table->game->role_names[role], kn_ggp_fault_name(fault), about);
}

/* The move that an answer means; a fault otherwise. */
static KnGgpFault read_move(Manager *m, int role, KnGgpQuestion *q, KnMove *move)
{
    KnError error;
    KnPiece rest, term, extra;
    KnText plain = KN_TEXT_EMPTY;
    KnGgpFault fault = fault_of(q->status);
    if (fault != KN_GGP_FINE) {
        complain(m, role, q, fault, q->error.text);
        return fault;
    }
    kn_obfuscation_print(m->obfuscation, (KnPiece){q->reply.data, q->reply.length}, true, &plain);
    rest = (KnPiece){plain.data, plain.length};
    if (!kn_piece_next(&rest, &term) || kn_piece_next(&rest, &extra))
        fault = KN_GGP_MALFORMED;
    else if (kn_ggp_board_find(m->board, role, term, true, move, &error) != KN_OK)
        fault = KN_GGP_ILLEGAL;
    if (fault != KN_GGP_FINE) complain(m, role, q, fault, q->reply.data);
    kn_text_free(&plain);
    return fault;
}

static void count(Manager *m, const KnGgpQuestion *q, int role, KnGgpFault fault)
{
    KnGgpTally *tally = &m->tallies[m->seats[role]];
    tally->answers++;
    tally->faults[fault]++;
    if (q->status != KN_OK) return;
    if (q->seconds > tally->slowest) tally->slowest = q->seconds;
    tally->over += q->seconds > m->plan->play_clock;
}

/* ---- A match ---- */

static bool cancelled(const Manager *m) { return m->plan->cancel && atomic_load(m->plan->cancel); }

/* A legal move by chance; false if there is none. */
static KnStatus draw(Manager *m, int role, KnMove *move, KnError *error)
{
    int legal;
    KnStatus status = kn_ggp_board_legal(m->board, role, &legal, error);
    if (status != KN_OK) return status;
    if (!legal)
        return kn_fail(error, KN_NO, "%s has no legal move, and the game is not over",
                       m->table->game->role_names[role]);
    *move = m->board->moves[kn_rng_below(&m->rng, (uint32_t)legal)];
    return KN_OK;
}

/* One step: everybody is asked, and what fails is replaced. `last` is the step before, NULL at the start. */
static KnStatus play_step(Manager *m, const KnMove *last, KnMove *joint, KnError *error)
{
    KnGgpFault faults[KN_GDL_ROLES] = {KN_GGP_FINE};
    KnStatus status = KN_OK;
    for (int role = 0; role < m->roles && status == KN_OK; role++)
        status = draw(m, role, &joint[role], error);
    if (status != KN_OK) return status;
    ask_all(m, KN_GGP_PLAY, last, m->plan->play_clock + PLAY_GRACE);
    for (int i = 0; i < m->ask_count; i++) {
        int role = m->asked[i];
        KnMove move;
        faults[role] = read_move(m, role, &m->questions[i], &move);
        if (faults[role] == KN_GGP_FINE) joint[role] = move;
        count(m, &m->questions[i], role, faults[role]);
    }
    kn_ggp_record_moves(&m->record, m->board, joint, faults);
    status = kn_ggp_board_play(m->board, joint, error);
    m->plies++;
    return status;
}

static void start_all(Manager *m)
{
    ask_all(m, KN_GGP_START, NULL, m->plan->start_clock);
    for (int i = 0; i < m->ask_count; i++) {
        const KnGgpQuestion *q = &m->questions[i];
        KnGgpTally *tally = &m->tallies[m->seats[m->asked[i]]];
        KnPiece rest = {q->reply.data, q->reply.length}, word;
        KnGgpFault fault = fault_of(q->status);
        if (fault == KN_GGP_FINE && !(kn_piece_next(&rest, &word) && kn_piece_is(word, "ready")))
            fault = KN_GGP_UNREADY;
        if (fault != KN_GGP_FINE)
            complain(m, m->asked[i], q, fault, fault == KN_GGP_UNREADY ? q->reply.data : q->error.text);
        tally->matches++;
        if (fault != KN_GGP_FINE) tally->faults[fault]++;
        if (q->status == KN_OK && q->seconds > tally->readied) tally->readied = q->seconds;
    }
}

/* From the first question to the end; KN_NO: it cannot be finished, and the error says why. */
static KnStatus play_on(Manager *m, KnError *error)
{
    KnMove joints[2][KN_GDL_ROLES];
    const KnMove *last = NULL;
    kn_ggp_record_state(&m->record, m->board);
    for (;;) {
        bool over = false;
        KnStatus status = kn_gdl_is_terminal(m->table->machine, m->board->state, &over, error);
        if (status != KN_OK) return KN_NO;
        if (over) break;
        if (cancelled(m)) return kn_fail(error, KN_STOPPED, "stopped");
        if (m->plan->plies && m->plies >= m->plan->plies)
            return kn_fail(error, KN_NO, "not over after %zu steps", m->plies);
        KnMove *joint = joints[m->plies % 2];
        if (play_step(m, last, joint, error) != KN_OK) return KN_NO;
        last = joint;
        kn_ggp_record_state(&m->record, m->board);
    }
    for (int role = 0; role < m->roles; role++) {
        int value = -1;
        if (kn_gdl_goal(m->table->machine, m->board->state, role, &value, error) != KN_OK) return KN_NO;
        m->goals[role] = value < 0 ? 0 : value;
    }
    ask_all(m, KN_GGP_STOP, last, m->plan->play_clock);
    return KN_OK;
}

static void take_seats(Manager *m)
{
    int next = 0, players = m->plan->player_count;
    m->ask_count = 0;
    for (int role = 0; role < m->roles; role++) {
        m->seats[role] = -1;
        if (role == m->nature) continue;
        m->seats[role] = (next++ + (m->plan->rotate ? m->number : 0)) % players;
        m->asked[m->ask_count++] = role;
    }
}

static KnStatus prepare(Manager *m, long long stamp, KnError *error)
{
    char stem[64];
    const char *slash = strrchr(m->plan->name, '/'), *name = slash ? slash + 1 : m->plan->name;
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof stem && name[length] != '.'; length++)
        stem[length] = strchr(" ();\"", name[length]) ? '_' : name[length];
    stem[length] = '\0';
    snprintf(m->id, sizeof m->id, "%s.%lld.%d", *stem ? stem : "match", stamp, m->number + 1);
    m->rng = kn_rng_stream(m->plan->seed, (uint64_t)m->number);
    m->plies = 0;
    if (m->plan->obfuscation &&
        !(m->obfuscation = kn_obfuscation_new((KnPiece){m->rules.data, m->rules.length}, &m->rng)))
        return kn_fail_memory(error, "scrambling names");
    take_seats(m);
    return kn_ggp_board_new(m->table, &m->board, error);
}

static void tidy_up(Manager *m)
{
    kn_ggp_board_free(m->board);
    kn_obfuscation_free(m->obfuscation);
    kn_ggp_record_free(&m->record);
    m->board = NULL;
    m->obfuscation = NULL;
}

static KnStatus run_match(Manager *m, long long stamp,
                          KnStatus (*report)(void *, const KnGgpManaged *, KnError *), void *user,
                          KnError *error)
{
    KnError why;
    KnStatus status = prepare(m, stamp, error);
    if (status != KN_OK) return status;
    m->record = kn_ggp_record_new(m->plan, m->id, m->table, m->seats);
    start_all(m);
    KnStatus ended = play_on(m, &why);
    if (ended != KN_OK) {
        kn_log(&m->plan->log, KN_LOG_WARNING, "match %s is aborted: %s", m->id, why.text);
        ask_all(m, KN_GGP_ABORT, NULL, ABORT_SECONDS);
    }
    kn_ggp_record_end(&m->record, ended == KN_OK, m->goals, m->roles);
    for (int role = 0; role < m->roles && ended == KN_OK; role++)
        if (m->seats[role] >= 0) kn_moments_add(&m->tallies[m->seats[role]].goals, m->goals[role]);
    KnGgpManaged managed = {m->number, m->id,    m->plies, ended == KN_OK,    ended == KN_OK ? "" : why.text,
                            m->roles,  m->seats, m->goals, m->record.document};
    if (report) status = report(user, &managed, error);
    if (status == KN_OK && ended == KN_STOPPED)
        status = kn_fail(error, KN_STOPPED, "stopped after %d of %d matches", m->number, m->plan->matches);
    return status;
}

/* ---- All of it ---- */

static KnStatus open_rules(Manager *m, KnError *error)
{
    const KnGgpPlan *plan = m->plan;
    KnPiece rules = {plan->rules, strlen(plan->rules)};
    KnStatus status = kn_ggp_table_open(plan->context, plan->name, rules, KN_GDL_AUTO, 0, NULL, &m->table,
                                        error);
    if (status != KN_OK) return status;
    m->roles = m->table->game->roles;
    m->nature = m->table->game->nature;
    kn_piece_plain(rules, &m->rules);
    if (!kn_text_ok(&m->rules)) return kn_fail_memory(error, "reading a game description");
    int wanted = m->roles - (m->nature >= 0);
    if (wanted == plan->player_count) return KN_OK;
    KnText names = KN_TEXT_EMPTY;
    for (int role = 0; role < m->roles; role++)
        if (role != m->nature) kn_text_printf(&names, " %s", m->table->game->role_names[role]);
    kn_fail(error, KN_USAGE, "%s is a game for %d player%s (%s), and %d %s given", plan->name, wanted,
            wanted == 1 ? "" : "s", *names.data ? names.data + 1 : "", plan->player_count,
            plan->player_count == 1 ? "is" : "are");
    kn_text_free(&names);
    return KN_USAGE;
}

KnStatus kn_ggp_manage(const KnGgpPlan *plan,
                       KnStatus (*report)(void *user, const KnGgpManaged *match, KnError *error), void *user,
                       KnGgpTally *tallies, KnError *error)
{
    Manager *m = calloc(1, sizeof *m);
    if (!m) return kn_fail_memory(error, "managing a match");
    *m = (Manager){.plan = plan, .rules = KN_TEXT_EMPTY, .tallies = tallies};
    for (int i = 0; i < KN_GDL_ROLES; i++)
        m->questions[i] = (KnGgpQuestion){.message = KN_TEXT_EMPTY, .reply = KN_TEXT_EMPTY};
    memset(tallies, 0, (size_t)plan->player_count * sizeof *tallies);
    KnStatus status = open_rules(m, error);
    KnGgpSeat seat = {.context = plan->context,
                      .margin = plan->margin,
                      .log = {plan->log.out, KN_LOG_WARNING, plan->log.name}};
    for (int i = 0; i < plan->player_count && status == KN_OK; i++) {
        seat.seed = plan->seed + (uint64_t)i;
        status = kn_ggp_manager_seat_open(plan->players[i], &seat, &m->peers[i], error);
    }
    long long stamp = (long long)time(NULL);
    for (m->number = 0; m->number < plan->matches && status == KN_OK; m->number++) {
        status = run_match(m, stamp, report, user, error);
        tidy_up(m);
    }
    for (int i = 0; i < KN_GDL_ROLES; i++) {
        if (i < plan->player_count) kn_ggp_manager_seat_close(&m->peers[i]);
        kn_text_free(&m->questions[i].message);
        kn_text_free(&m->questions[i].reply);
    }
    kn_ggp_table_drop(m->table);
    kn_text_free(&m->rules);
    free(m);
    return status;
}
