/* Contests: opening, looking, moving, and the stream of events. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "arena/play.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "formats/reading.h"
#include "formats/sheet.h"
#include "web/guard.h"
#include "web/sitting.h"

/* The sitting that a call names; NULL, with 404 written, if it is gone. */
static KnSitting *asked(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSitting *sitting;
    KnError error;
    if (kn_sitting_find(web, call->words[0], &sitting, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (!sitting)
        kn_reply_error(reply, 404, NULL, "there is no contest %.20s (any more); begin a new one",
                       call->words[0]);
    return sitting;
}

/* Ends a call that changes something: the contest as it is now, or what was wrong. */
static void finish(KnSitting *sitting, KnStatus status, const KnError *error, const char *field,
                   KnHttpReply *reply)
{
    if (status != KN_OK)
        kn_reply_fail(reply, error, field);
    else
        kn_reply_json(reply, 200, kn_sitting_json(sitting, -1));
    kn_sitting_release(sitting);
}

static bool read_seats(const KnCall *call, KnSittingPlan *plan, KnHttpReply *reply)
{
    const json_t *seats = json_object_get(call->body, "seats");
    if (!seats || json_is_null(seats)) return true;
    if (!json_is_array(seats) || json_array_size(seats) > KN_ROLES_MAX) {
        kn_reply_error(reply, 400, "seats",
                       "seats: a list of specs is wanted, at most %d, such as [\"human\", \"random\"]",
                       KN_ROLES_MAX);
        return false;
    }
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *seat = json_string_value(json_array_get(seats, i));
        if (!seat) {
            kn_reply_error(reply, 400, "seats", "seats[%zu]: a text is wanted, \"human\" or a player's spec",
                           i);
            return false;
        }
        plan->seats[plan->seat_count++] = seat;
    }
    return true;
}

static bool read_seed(const KnCall *call, KnSittingPlan *plan, KnHttpReply *reply)
{
    KnJson at = kn_json_root(call->body, "body");
    KnError error;
    if (!kn_json_has(&at, "seed")) {
        if (getrandom(&plan->seed, sizeof plan->seed, 0) < 0) plan->seed = 1;
        plan->seed >>= 12; /* a number that JavaScript can hold */
        return true;
    }
    if (kn_json_uint64(&at, "seed", &plan->seed, &error) == KN_OK) return true;
    kn_reply_error(reply, 400, "seed", "%s", error.text);
    return false;
}

static bool read_pace(const KnCall *call, KnSittingPlan *plan, KnHttpReply *reply)
{
    plan->delay = -1;
    json_t *pace = json_object_get(call->body, "pace");
    if (!pace || json_is_null(pace)) return true;
    if (!json_is_object(pace)) {
        kn_reply_error(reply, 400, "pace", "pace: {\"paused\": true or false, \"delay\": seconds} is wanted");
        return false;
    }
    KnCall inner = {.request = call->request, .body = pace};
    return kn_call_flag(&inner, "paused", false, &plan->paused, reply) &&
           kn_call_number(&inner, "delay", false, 0, 60, -1, &plan->delay, reply);
}

static void open_plan(KnWeb *web, const KnSittingPlan *plan, KnHttpReply *reply)
{
    KnSitting *sitting;
    const char *field;
    KnError error;
    if (kn_sitting_new(web, plan, &field, &sitting, &error) != KN_OK) {
        kn_reply_fail(reply, &error, field);
        if (error.status == KN_STOPPED) reply->status = 429;
        return;
    }
    kn_reply_json(reply, 201, kn_sitting_json(sitting, -1));
    kn_sitting_release(sitting);
}

static void open_contest(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSittingPlan plan = {0};
    if (!kn_call_text(call, "game", true, 4000, &plan.game, reply) ||
        !kn_call_text(call, "position", false, 10000, &plan.position, reply) ||
        !kn_call_text(call, "moves", false, KN_WEB_BODY, &plan.moves, reply) ||
        !read_seats(call, &plan, reply) || !read_seed(call, &plan, reply) || !read_pace(call, &plan, reply))
        return;
    open_plan(web, &plan, reply);
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    long ply;
    if (!kn_call_query(call, "ply", 0, KN_WEB_PLIES, -1, &ply, reply)) return;
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    kn_sitting_look(sitting);
    kn_reply_json(reply, 200, kn_sitting_json(sitting, ply));
    kn_sitting_release(sitting);
}

static void move(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double ply, role;
    const char *text;
    if (!kn_call_number(call, "ply", true, 0, KN_WEB_PLIES, 0, &ply, reply) ||
        !kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply) ||
        !kn_call_text(call, "move", true, 1000, &text, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting)
        finish(sitting, kn_sitting_move(sitting, (size_t)ply, (int)role, text, &error), &error, "move",
               reply);
}

static void go(KnWeb *web, const KnCall *call, bool back, KnHttpReply *reply)
{
    double ply;
    if (!kn_call_number(call, "ply", false, 0, KN_WEB_PLIES, -1, &ply, reply)) return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting) finish(sitting, kn_sitting_go(sitting, back, (long)ply, &error), &error, "ply", reply);
}

static void undo(KnWeb *web, const KnCall *call, KnHttpReply *reply) { go(web, call, true, reply); }
static void redo(KnWeb *web, const KnCall *call, KnHttpReply *reply) { go(web, call, false, reply); }

static void resign(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double role;
    if (!kn_call_number(call, "role", false, 0, KN_ROLES_MAX - 1, -1, &role, reply)) return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting) finish(sitting, kn_sitting_resign(sitting, (int)role, &error), &error, "role", reply);
}

static void swap(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting) finish(sitting, kn_sitting_swap(sitting, &error), &error, NULL, reply);
}

static void seat(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    double role;
    const char *spec;
    if (!kn_call_number(call, "role", true, 0, KN_ROLES_MAX - 1, 0, &role, reply) ||
        !kn_call_text(call, "spec", true, 4000, &spec, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting) finish(sitting, kn_sitting_seat(sitting, (int)role, spec, &error), &error, "spec", reply);
}

static void set_up(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *position;
    if (!kn_call_text(call, "position", true, 10000, &position, reply)) return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    if (sitting) finish(sitting, kn_sitting_set_up(sitting, position, &error), &error, "position", reply);
}

static void pace(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    bool paused;
    double delay;
    if (!kn_call_flag(call, "paused", false, &paused, reply) ||
        !kn_call_number(call, "delay", false, 0, 60, -1, &delay, reply))
        return;
    KnSitting *sitting = asked(web, call, reply);
    KnError error;
    bool said = json_is_boolean(json_object_get(call->body, "paused"));
    if (sitting)
        finish(sitting, kn_sitting_pace(sitting, said ? &paused : NULL, delay, &error), &error, NULL, reply);
}

/* The game in its field's own format, or, where it has none, as lines that `import` reads. */
static KnStatus write_sheet(KnSitting *sitting, KnHttpReply *reply, KnError *error)
{
    const KnGame *game = sitting->shown->game;
    const char *extension = "txt";
    KnSheetWriter write = kn_sheet_writer(game, &extension);
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    double payoffs[KN_ROLES_MAX];
    bool over = kn_sitting_over(sitting, payoffs);
    KnSheet sheet = {.contest = sitting->contest,
                     .event = "knack",
                     .round = "1",
                     .date = date,
                     .players = {sitting->seats[0], game->roles > 1 ? sitting->seats[1] : NULL},
                     .payoffs = over ? payoffs : NULL};
    KnStatus status = KN_OK;
    if (write)
        status = write(&sheet, &reply->text, error);
    else {
        kn_text_printf(&reply->text, "game: %s\n", sitting->shown->spec);
        if (*sitting->start) kn_text_printf(&reply->text, "position: %s\n", sitting->start);
        kn_text_add(&reply->text, "moves: ");
        kn_moves_text(sitting->contest, &reply->text);
        kn_text_add_char(&reply->text, '\n');
    }
    snprintf(reply->filename, sizeof reply->filename, "%s-%.13s.%s", game->type->head.name, sitting->id,
             extension);
    return status;
}

static void export(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSitting *sitting = asked(web, call, reply);
    if (!sitting) return;
    KnError error;
    pthread_mutex_lock(&sitting->lock);
    KnStatus status = write_sheet(sitting, reply, &error);
    pthread_mutex_unlock(&sitting->lock);
    reply->type = "text/plain; charset=utf-8";
    if (status != KN_OK) {
        reply->filename[0] = '\0';
        kn_reply_fail(reply, &error, NULL);
    }
    kn_sitting_release(sitting);
}

/* ---- from files ---- */

/* Messages about an upload name it, not the file that the server keeps it in. */
static void hide_path(KnError *error, const char *path)
{
    char *at = strstr(error->text, path);
    size_t length = strlen(path);
    if (!at) return;
    memmove(at + 10, at + length, strlen(at + length) + 1);
    memcpy(at, "the upload", 10);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *files = opendir(folder);
    if (!files) return 0;
    while (readdir(files)) count++;
    closedir(files);
    return count - 2; /* . and .. */
}

/* Keeps a rule sheet under its hash, once it proves to be one; the game's spec goes to `spec`. */
static KnStatus keep_rules(KnWeb *web, const char *text, KnText *spec, KnError *error)
{
    char hex[KN_HEX128];
    KnText path = KN_TEXT_EMPTY, folder = KN_TEXT_EMPTY;
    kn_hash128_hex(kn_hash128(text, strlen(text)), hex);
    kn_guard_rules_path(web->context, hex, &path);
    kn_path_join(&folder, kn_context_data(web->context), "gdl");
    bool there = kn_file_exists(path.data);
    KnStatus status = kn_mkdirs(folder.data, error);
    if (status == KN_OK && !there && count_files(folder.data) >= KN_WEB_SHEETS)
        status = kn_fail(error, KN_STOPPED,
                         "%d rule sheets are kept here, the most there can be; remove some from %s",
                         KN_WEB_SHEETS, folder.data);
    if (status == KN_OK && !there) status = kn_file_write_atomic(path.data, text, strlen(text), error);
    kn_text_clear(spec);
    kn_text_printf(spec, "gdl:%s", hex);
    KnShown *shown = NULL;
    if (status == KN_OK && (status = kn_shelf_game(web->shelf, spec->data, &shown, error)) != KN_OK && !there)
        unlink(path.data);
    if (status != KN_OK && error->status == KN_INPUT) hide_path(error, path.data);
    kn_shelf_return(web->shelf, shown);
    kn_text_free(&path);
    kn_text_free(&folder);
    return status;
}

static void import_rules(KnWeb *web, const char *text, KnSittingPlan *plan, KnHttpReply *reply)
{
    KnError error;
    KnText spec = KN_TEXT_EMPTY;
    if (keep_rules(web, text, &spec, &error) != KN_OK)
        kn_reply_fail(reply, &error, "kif");
    else {
        plan->game = spec.data;
        open_plan(web, plan, reply);
    }
    kn_text_free(&spec);
}

static void import_sheet(KnWeb *web, const char *text, KnSittingPlan *plan, KnHttpReply *reply)
{
    KnError error;
    KnSheetText sheet = KN_SHEET_TEXT;
    if (kn_sheet_read(text, &sheet, &error) != KN_OK)
        kn_reply_fail(reply, &error, "text");
    else {
        plan->game = sheet.game.data;
        plan->position = sheet.start.data;
        plan->moves = sheet.moves.data;
        plan->paused = true; /* an engine that is seated must not play on before one has looked */
        open_plan(web, plan, reply);
    }
    kn_sheet_text_free(&sheet);
}

static void import(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSittingPlan plan = {.delay = -1};
    const char *text, *rules, *name;
    if (!kn_call_text(call, "text", false, KN_WEB_UPLOAD, &text, reply) ||
        !kn_call_text(call, "kif", false, KN_WEB_UPLOAD, &rules, reply) ||
        !kn_call_text(call, "name", false, 256, &name, reply) || !read_seats(call, &plan, reply) ||
        !read_seed(call, &plan, reply))
        return;
    size_t length = name ? strlen(name) : 0;
    if (text && length > 4 && strcasecmp(name + length - 4, ".kif") == 0) rules = text;
    if (rules)
        import_rules(web, rules, &plan, reply);
    else if (text)
        import_sheet(web, text, &plan, reply);
    else
        kn_reply_error(reply, 400, "text",
                       "text is missing: a game (PDN, SGF, GGF or lines), or kif: a rule sheet");
}

/* ---- the stream ---- */

static void events(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    const char *id = kn_http_argument(call->request, "contest");
    const char *runs = kn_http_argument(call->request, "runs"), *lab = kn_http_argument(call->request, "lab");
    unsigned hears = (runs && strcmp(runs, "0") != 0 ? KN_HEAR_RUNS : 0u) |
                     (lab && strcmp(lab, "0") != 0 ? KN_HEAR_LAB : 0u);
    KnSitting *sitting = NULL;
    if (id && *id) {
        KnCall named = *call;
        named.words[0] = id;
        if (!(sitting = asked(web, &named, reply))) return;
    }
    reply->listener = kn_listener_open(web->events, sitting ? sitting->id : NULL, hears);
    if (!reply->listener)
        kn_reply_error(reply, 503, NULL, "too many pages listen here; close one and try again");
    else {
        const char *last = call->request->last_event_id;
        reply->type = "text/event-stream";
        if (sitting) {
            kn_sitting_tell(sitting, reply->listener, last ? strtoull(last, NULL, 10) : 0);
            kn_sitting_look(sitting);
        }
    }
    kn_sitting_release(sitting);
}

const KnRoute kn_routes_contests[] = {
    {"POST", "contests", open_contest, KN_WEB_BODY},
    {"POST", "contests/import", import, KN_WEB_UPLOAD + KN_WEB_BODY},
    {"GET", "contests/*", show, 0},
    {"GET", "contests/*/export", export, 0},
    {"POST", "contests/*/move", move, KN_WEB_BODY},
    {"POST", "contests/*/undo", undo, KN_WEB_BODY},
    {"POST", "contests/*/redo", redo, KN_WEB_BODY},
    {"POST", "contests/*/resign", resign, KN_WEB_BODY},
    {"POST", "contests/*/swap", swap, KN_WEB_BODY},
    {"POST", "contests/*/seat", seat, KN_WEB_BODY},
    {"POST", "contests/*/setup", set_up, KN_WEB_BODY},
    {"POST", "contests/*/pace", pace, KN_WEB_BODY},
    {"GET", "events", events, 0},
    {0},
};
