#include "protocols/ggp_player.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gdl/description.h"

const char kn_ggp_default_spec[] = "general(time=3600, memory=512, threads=0, keep)";

enum { MOST_DEAD = 8 }; /* matches that are over, but whose threads are still winding up */

/* A match, and how many threads are talking to it. */
typedef struct Table {
    KnGgpMatch *match;
    int users;
} Table;

struct KnGgp {
    KnGgpOptions options;
    pthread_mutex_t lock;
    Table *now; /* NULL: available */
    KnDelay delay;
    double heard; /* when the manager last said something of it */
    Table *dead[MOST_DEAD];
};

/* ---- Life ---- */

static KnStatus check_name(const char *name, KnError *error)
{
    bool ok = *name && strlen(name) <= 60;
    for (const char *c = name; *c; c++) ok = ok && (isalnum((unsigned char)*c) || strchr("_-.+", *c));
    return ok ? KN_OK
              : kn_fail(error, KN_USAGE,
                        "\"%.80s\" is no name for a player: letters, digits and _-.+, at most 60", name);
}

/* That a spec means something is found out on a game that all players can play. */
static KnStatus check_spec(const KnGgpSeat *seat, KnError *error)
{
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    const KnThing *thing;
    KnOptions bound;
    KnStatus status = arena ? kn_spec_parse(seat->spec, arena, &spec, error)
                            : kn_fail_memory(error, "reading a spec");
    if (status == KN_OK) status = kn_lookup(seat->context, KN_KIND_PLAYER, spec, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, spec, arena, &bound, error);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_ggp_new(const KnGgpOptions *options, KnGgp **out, KnError *error)
{
    *out = NULL;
    KnStatus status = check_name(options->name, error);
    if (status == KN_OK) status = check_spec(&options->seat, error);
    if (status != KN_OK) return status;
    KnGgp *ggp = calloc(1, sizeof *ggp);
    if (!ggp) return kn_fail_memory(error, "setting up a player");
    ggp->options = *options;
    pthread_mutex_init(&ggp->lock, NULL);
    kn_delay_init(&ggp->delay);
    ggp->options.seat.delay = &ggp->delay;
    *out = ggp;
    return KN_OK;
}

static void table_free(Table *table)
{
    if (!table) return;
    kn_ggp_match_free(table->match);
    free(table);
}

void kn_ggp_free(KnGgp *ggp)
{
    if (!ggp) return;
    table_free(ggp->now);
    for (int i = 0; i < MOST_DEAD; i++) table_free(ggp->dead[i]);
    pthread_mutex_destroy(&ggp->lock);
    kn_delay_free(&ggp->delay);
    free(ggp);
}

/* ---- Which match ---- */

/* With the lock held: frees what has wound up. */
static void clear_away(KnGgp *ggp)
{
    for (int i = 0; i < MOST_DEAD; i++) {
        Table *table = ggp->dead[i];
        if (!table || table->users || !kn_ggp_match_gone(table->match)) continue;
        table_free(table);
        ggp->dead[i] = NULL;
    }
}

static int free_place(const KnGgp *ggp)
{
    for (int i = 0; i < MOST_DEAD; i++)
        if (!ggp->dead[i]) return i;
    return -1;
}

/* With the lock held: the present match is over; there is a place among the dead, since none begins without
 * one. */
static void bury(KnGgp *ggp)
{
    int place = free_place(ggp);
    if (place < 0) return;
    ggp->dead[place] = ggp->now;
    ggp->now = NULL;
}

/* The match of this name, to be given back; NULL if it is not being played. */
static Table *borrow(KnGgp *ggp, KnPiece id)
{
    pthread_mutex_lock(&ggp->lock);
    Table *table = ggp->now && kn_ggp_match_is(ggp->now->match, id) ? ggp->now : NULL;
    if (table) {
        table->users++;
        ggp->heard = kn_clock_now();
    }
    pthread_mutex_unlock(&ggp->lock);
    return table;
}

static void give_back(KnGgp *ggp, Table *table)
{
    pthread_mutex_lock(&ggp->lock);
    table->users--;
    clear_away(ggp);
    pthread_mutex_unlock(&ggp->lock);
}

/* The match is over; what goes on in its threads is theirs. */
static void finish(KnGgp *ggp, Table *table, KnPiece moves, bool aborted)
{
    kn_ggp_match_stop(table->match, moves, aborted);
    pthread_mutex_lock(&ggp->lock);
    if (ggp->now == table) bury(ggp);
    pthread_mutex_unlock(&ggp->lock);
}

void kn_ggp_give_up(KnGgp *ggp)
{
    pthread_mutex_lock(&ggp->lock);
    if (ggp->now) {
        kn_ggp_match_stop(ggp->now->match, (KnPiece){"", 0}, true);
        bury(ggp);
    }
    pthread_mutex_unlock(&ggp->lock);
}

/* ---- Messages ---- */

/* With the lock held: makes room if the manager of the present match must be gone. False: busy. */
static bool make_room(KnGgp *ggp)
{
    clear_away(ggp);
    if (ggp->now && kn_clock_now() - ggp->heard > kn_ggp_match_patience(ggp->now->match)) {
        kn_log(&ggp->options.seat.log, KN_LOG_WARNING,
               "a match is given up: nothing was heard of it for too long");
        kn_ggp_match_stop(ggp->now->match, (KnPiece){"", 0}, true);
        bury(ggp);
    }
    return !ggp->now && free_place(ggp) >= 0;
}

/* The match to be started, or the one that this message started before; NULL: busy. */
static Table *start(KnGgp *ggp, const KnGgpMessage *message, double arrived)
{
    KnError error;
    Table *table = NULL;
    pthread_mutex_lock(&ggp->lock);
    if (ggp->now && kn_ggp_match_is(ggp->now->match, message->id) &&
        kn_ggp_match_plays(ggp->now->match, message->role))
        table = ggp->now;
    else if (make_room(ggp) && (table = calloc(1, sizeof *table))) {
        if (kn_ggp_match_new(&ggp->options.seat, message, arrived, &table->match, &error) == KN_OK)
            ggp->now = table;
        else {
            kn_log(&ggp->options.seat.log, KN_LOG_ERROR, "%s", error.text);
            free(table);
            table = NULL;
        }
    }
    if (table) {
        table->users++;
        ggp->heard = kn_clock_now();
    }
    pthread_mutex_unlock(&ggp->lock);
    return table;
}

static void answer_start(KnGgp *ggp, const KnGgpMessage *message, double arrived, KnText *reply)
{
    const KnLog *log = &ggp->options.seat.log;
    Table *table = start(ggp, message, arrived);
    if (!table) {
        kn_log(log, KN_LOG_INFO, "match %.*s refused: busy", (int)message->id.length, message->id.text);
        kn_text_add(reply, "busy");
        return;
    }
    KnError error;
    if (kn_ggp_match_wait(table->match, &error) == KN_OK) {
        kn_log(log, KN_LOG_INFO, "match %.*s: started as %.*s, clocks %g and %g s", (int)message->id.length,
               message->id.text, (int)message->role.length, message->role.text, message->start,
               message->play);
        kn_text_add(reply, "ready");
    } else {
        kn_log(log, KN_LOG_WARNING, "match %.*s refused: %s", (int)message->id.length, message->id.text,
               error.text);
        finish(ggp, table, (KnPiece){"", 0}, true);
        kn_text_add(reply, "busy");
    }
    give_back(ggp, table);
}

/* Rules to look at beforehand: those that can be read are welcome. */
static void answer_preview(KnGgp *ggp, const KnGgpMessage *message, KnText *reply)
{
    KnGdlDescription *description = NULL;
    KnError error;
    pthread_mutex_lock(&ggp->lock);
    bool busy = ggp->now != NULL;
    pthread_mutex_unlock(&ggp->lock);
    if (!busy && kn_gdl_read("preview", message->rules.text, message->rules.length, false, &description,
                             &error) != KN_OK) {
        kn_log(&ggp->options.seat.log, KN_LOG_WARNING, "%s", error.text);
        busy = true;
    }
    kn_gdl_free(description);
    kn_text_add(reply, busy ? "busy" : "ready");
}

static void answer_info(KnGgp *ggp, KnText *reply)
{
    pthread_mutex_lock(&ggp->lock);
    bool busy = ggp->now != NULL;
    pthread_mutex_unlock(&ggp->lock);
    kn_text_printf(reply, "( ( name %s ) ( status %s ) )", ggp->options.name, busy ? "busy" : "available");
}

static void answer_about_match(KnGgp *ggp, const KnGgpMessage *message, double arrived, KnText *reply)
{
    Table *table = borrow(ggp, message->id);
    if (!table) {
        kn_text_add(reply, "busy");
        return;
    }
    if (message->kind == KN_GGP_PLAY)
        kn_ggp_match_play(table->match, message->moves, arrived, reply);
    else {
        bool aborted = message->kind == KN_GGP_ABORT;
        finish(ggp, table, message->moves, aborted);
        kn_log(&ggp->options.seat.log, KN_LOG_INFO, "match %.*s: %s", (int)message->id.length,
               message->id.text, aborted ? "aborted" : "over");
        kn_text_add(reply, aborted ? "aborted" : "done");
    }
    give_back(ggp, table);
}

KnStatus kn_ggp_answer(KnGgp *ggp, const char *text, size_t length, double arrived, KnText *reply,
                       KnError *error)
{
    KnGgpMessage message;
    KnStatus status = kn_ggp_read(text, length, &message, error);
    if (status != KN_OK) return status;
    if (message.kind == KN_GGP_INFO)
        answer_info(ggp, reply);
    else if (message.kind == KN_GGP_PREVIEW)
        answer_preview(ggp, &message, reply);
    else if (message.kind == KN_GGP_START)
        answer_start(ggp, &message, arrived, reply);
    else
        answer_about_match(ggp, &message, arrived, reply);
    return kn_text_ok(reply) ? KN_OK : kn_fail_memory(error, "answering a message");
}
