#include "arena/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/match.h"
#include "arena/repeated.h"
#include "arena/verify.h"
#include "base/json.h"
#include "formats/record.h"

/* A run being written. */
typedef struct Export {
    const KnContext *context;
    KnText *out;
    int64_t id;
    char *name, *date;
    KnText integrity;
    json_t *settings, *summary;
    KnGame *game;
    KnState *state;
    int roles[2];
    KnRecordWriter write;
    json_t *games;
} Export;

static const char *player_spec(const Export *e, int player)
{
    const char *spec =
        json_string_value(json_array_get(json_object_get(e->settings, "players"), (size_t)player));
    return spec ? spec : "?";
}

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    Export *e = user;
    e->id = run->id;
    e->name = strdup(run->name);
    e->date = strndup(run->created, 10);
    kn_run_integrity(run, &e->integrity);
    e->settings = json_loads(run->settings, 0, NULL);
    e->summary = run->summary[0] ? json_loads(run->summary, 0, NULL) : NULL;
    return KN_OK;
}

/* Text in a CSV field: quoted, quotes doubled. */
static void csv_text(KnText *out, const char *text)
{
    kn_text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') kn_text_add_char(out, '"');
        kn_text_add_char(out, *text);
    }
    kn_text_add_char(out, '"');
}

static KnStatus csv_game(void *user, const KnStandingRecord *r, KnError *error)
{
    (void)error;
    Export *e = user;
    kn_text_printf(e->out, "%" PRIu64 ",", r->index);
    csv_text(e->out, player_spec(e, r->first));
    kn_text_add_char(e->out, ',');
    csv_text(e->out, player_spec(e, 1 - r->first));
    kn_text_printf(e->out, ",%.17g,%.17g,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", r->payoffs[r->first],
                   r->payoffs[1 - r->first], r->ending, r->plies, r->cost[r->first].nodes,
                   r->cost[1 - r->first].nodes);
    csv_text(e->out, r->start);
    kn_text_add_char(e->out, ',');
    csv_text(e->out, r->moves);
    kn_text_add_char(e->out, '\n');
    return KN_OK;
}

static KnStatus json_game(void *user, const KnStandingRecord *r, KnError *error)
{
    Export *e = user;
    json_t *row = json_pack("{sI si ss ss ss ss s[ff] sI s[II]}", "index", (json_int_t)r->index, "first",
                            r->first, "start", r->start, "moves", r->moves, "ending", r->ending, "fault",
                            r->fault, "payoffs", r->payoffs[0], r->payoffs[1], "plies", (json_int_t)r->plies,
                            "nodes", (json_int_t)r->cost[0].nodes, (json_int_t)r->cost[1].nodes);
    return row && json_array_append_new(e->games, row) == 0 ? KN_OK
                                                            : kn_fail_memory(error, "exporting games");
}

static KnStatus export_json(Export *e, KnStore *store, KnError *error)
{
    e->games = json_array();
    KnStatus status = kn_store_games(store, e->id, json_game, e, error);
    if (status != KN_OK) return status;
    json_t *document = json_pack("{ss ss sO sO? sO}", "run", e->name, "integrity", e->integrity.data,
                                 "settings", e->settings, "summary", e->summary, "games", e->games);
    kn_json_canonical(document, e->out);
    kn_text_add_char(e->out, '\n');
    json_decref(document);
    return KN_OK;
}

static void latex_text(KnText *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("_%&#${}", *text)) kn_text_add_char(out, '\\');
        kn_text_add_char(out, *text);
    }
}

/* The outcome as one line of a table. */
static KnStatus export_latex(Export *e, KnError *error)
{
    json_t *result = json_object_get(e->summary, "result");
    if (!result) return kn_fail(error, KN_NO, "run %s has no result yet: it was never finished", e->name);
    json_t *interval = json_object_get(result, "score_95");
    kn_text_add(e->out, "\\begin{tabular}{llrrrrr}\n  player & opponent & games & won & drawn & lost & score "
                        "\\\\ \\hline\n  ");
    latex_text(e->out, player_spec(e, 0));
    kn_text_add(e->out, " & ");
    latex_text(e->out, player_spec(e, 1));
    const char *const counts[] = {"games", "wins", "draws", "losses"};
    for (int i = 0; i < 4; i++)
        kn_text_printf(e->out, " & %lld", (long long)json_integer_value(json_object_get(result, counts[i])));
    kn_text_printf(e->out, " & %.4f [%.4f, %.4f] \\\\\n\\end{tabular}\n",
                   json_number_value(json_object_get(result, "score")),
                   json_number_value(json_array_get(interval, 0)),
                   json_number_value(json_array_get(interval, 1)));
    return KN_OK;
}

static KnStatus write_record(void *user, const KnStandingRecord *r, KnError *error)
{
    Export *e = user;
    KnStatus status = kn_record_replay(r, e->state, error);
    if (status != KN_OK) return kn_fail_within(error, "game %" PRIu64 " of run %s", r->index, e->name);
    char round[32];
    snprintf(round, sizeof round, "%" PRIu64, r->index + 1);
    double payoffs[KN_ROLES_MAX] = {0};
    for (int seat = 0; seat < 2; seat++) payoffs[e->roles[seat]] = r->payoffs[seat ^ r->first];
    KnGameRecord record = {.state = e->state,
                           .event = e->name,
                           .round = round,
                           .date = e->date,
                           .players = {player_spec(e, r->first), player_spec(e, 1 - r->first)},
                           .payoffs = payoffs,
                           .ending = strcmp(r->ending, "rules") == 0 ? NULL
                                     : *r->fault                     ? r->fault
                                                                     : r->ending};
    return e->write(&record, e->out, error);
}

static KnStatus export_records(Export *e, KnStore *store, KnError *error)
{
    const char *spec = json_string_value(json_object_get(e->settings, "game"));
    KnStatus status = kn_game_open(e->context, spec ? spec : "?", &e->game, error);
    if (status == KN_OK) status = kn_match_roles(e->game, e->roles, error);
    if (status != KN_OK) return status;
    e->state = kn_state_new(e->game);
    if (!e->state) return kn_fail_memory(error, "replaying games");
    return kn_store_games(store, e->id, write_record, e, error);
}

KnStatus kn_export_run(const KnContext *context, KnStore *store, const char *run, const char *format,
                       KnText *out, KnError *error)
{
    Export e = {
        .context = context, .out = out, .write = kn_game_record_format(format), .integrity = KN_TEXT_EMPTY};
    KnStatus status = kn_store_find(store, run, note_run, &e, error);
    if (status == KN_OK && (!e.name || !e.date)) status = kn_fail_memory(error, "exporting a run");
    bool games = e.write || strcasecmp(format, "csv") == 0 || strcasecmp(format, "latex") == 0;
    if (status != KN_OK) {
    } else if (games && kn_repeated_is(e.summary))
        status = kn_repeated_export(e.summary, format, out, error);
    else if (strcasecmp(format, "csv") == 0) {
        kn_text_add(out, "game,first,second,payoff_first,payoff_second,ending,plies,nodes_first,nodes_second,"
                         "start,moves\n");
        status = kn_store_games(store, e.id, csv_game, &e, error);
    } else if (strcasecmp(format, "json") == 0)
        status = export_json(&e, store, error);
    else if (strcasecmp(format, "latex") == 0)
        status = export_latex(&e, error);
    else if (e.write)
        status = export_records(&e, store, error);
    else
        status = kn_fail(error, KN_USAGE, "unknown format \"%s\"; known: csv, json, latex, pdn, sgf, ggf",
                         format);
    if (status == KN_OK && !kn_text_ok(out)) status = kn_fail_memory(error, "exporting a run");
    kn_state_free(e.state);
    kn_game_close(e.game);
    json_decref(e.games);
    json_decref(e.settings);
    json_decref(e.summary);
    free(e.name);
    free(e.date);
    kn_text_free(&e.integrity);
    return status;
}
