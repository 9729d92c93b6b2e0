/* Results as text for users of the library (<knack/match.h>): JSON documents and exported runs. */
#include "arena/export.h"
#include "arena/tournament.h"

static char *take_document(json_t *document)
{
    char *text = document ? json_dumps(document, JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    return text;
}

char *kn_match_json_string(const KnMatchPlan *plan, const KnMatchResult *result)
{
    return take_document(kn_match_json(plan, result));
}

char *kn_tournament_json_string(const KnTournamentPlan *plan, const KnTournament *result)
{
    return take_document(kn_tournament_json(plan, result));
}

static KnStatus add_run(void *user, const KnRun *run, KnError *error)
{
    json_t *row = kn_run_json(run);
    if (!row) return kn_fail_memory(error, "listing the runs");
    json_array_append_new(user, row);
    return KN_OK;
}

char *kn_store_json_string(KnStore *store, KnError *error)
{
    json_t *rows = json_array();
    KnStatus status = kn_store_runs(store, add_run, rows, error);
    char *text = NULL;
    if (status == KN_OK)
        text = take_document(rows);
    else
        json_decref(rows);
    if (status == KN_OK && !text) kn_fail_memory(error, "listing the runs");
    return text;
}

char *kn_store_export(const KnContext *context, KnStore *store, const char *run, const char *format,
                      KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    if (kn_export_run(context, store, run, format, &text, error) != KN_OK) {
        kn_text_free(&text);
        return NULL;
    }
    char *taken = kn_text_take(&text);
    if (!taken) kn_fail_memory(error, "exporting a run");
    return taken;
}
