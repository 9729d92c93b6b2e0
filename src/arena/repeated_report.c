/* Tournaments of repeated games written down: CSV, JSON, and what is exported of a stored one. */
#include "arena/repeated.h"

#include <string.h>
#include <strings.h>

#include "base/json.h"

json_t *kn_repeated_settings(const KnRepeatedPlan *plan, const KnRepeated *result)
{
    json_t *players = json_array();
    for (size_t i = 0; i < result->count; i++) json_array_append_new(players, json_string(result->names[i]));
    return json_pack("{ss so sI so sf sb}", "game", result->game, "players", players, "repetitions",
                     (json_int_t)result->repetitions, "seed", kn_json_from_uint64(plan->seed), "noise",
                     plan->noise, "known_length", plan->known);
}

void kn_csv_field(KnText *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        kn_text_add(out, text);
        return;
    }
    kn_text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') kn_text_add_char(out, '"');
        kn_text_add_char(out, *text);
    }
    kn_text_add_char(out, '"');
}

static const char csv_head[] =
    "strategy,opponent,turns,score,opponent_score,cooperations,opponent_cooperations\n";

static void csv_row(KnText *out, const char *strategy, const char *opponent, uint64_t turns,
                    const double scores[2], const uint64_t cooperations[2])
{
    kn_csv_field(out, strategy);
    kn_text_add_char(out, ',');
    kn_csv_field(out, opponent);
    kn_text_printf(out, ",%llu,", (unsigned long long)turns);
    for (int side = 0; side < 2; side++) {
        kn_text_add_real(out, scores[side]);
        kn_text_add_char(out, ',');
    }
    kn_text_printf(out, "%llu,%llu\n", (unsigned long long)cooperations[0],
                   (unsigned long long)cooperations[1]);
}

void kn_repeated_csv(const KnRepeated *result, KnText *out)
{
    kn_text_add(out, csv_head);
    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->count; j++) {
            const KnPairing *pairing = &result->pairings[i * result->count + j];
            double scores[2] = {(double)pairing->scores[0] / result->scale,
                                (double)pairing->scores[1] / result->scale};
            csv_row(out, result->names[i], result->names[j], pairing->turns, scores, pairing->cooperations);
        }
}

json_t *kn_repeated_json(const KnRepeatedPlan *plan, const KnRepeated *result)
{
    json_t *ranking = json_array(), *payoffs = json_array(), *cooperation = json_array();
    for (size_t place = 0; place < result->count; place++) {
        size_t i = result->order[place];
        const KnRanked *ranked = &result->ranked[i];
        json_t *row = json_pack("{ss sf sf sI}", "player", result->names[i], "score", ranked->score,
                                "cooperation", ranked->cooperation, "wins", (json_int_t)ranked->wins);
        bool bounded = result->repetitions > 1 || !result->chance;
        const KnInterval *score = &ranked->interval, *rate = &ranked->cooperation_interval;
        json_object_set_new(row, "score_95",
                            bounded ? json_pack("[ff]", score->low, score->high) : json_null());
        json_object_set_new(row, "cooperation_95",
                            bounded ? json_pack("[ff]", rate->low, rate->high) : json_null());
        json_object_set_new(
            row, "places_95",
            json_pack("[II]", (json_int_t)ranked->place_best, (json_int_t)ranked->place_worst));
        json_array_append_new(ranking, row);
        json_t *earned = json_array(), *cooperated = json_array();
        for (size_t other = 0; other < result->count; other++) {
            json_array_append_new(earned, json_real(kn_repeated_payoff(result, i, result->order[other])));
            json_array_append_new(cooperated,
                                  json_real(kn_repeated_cooperation(result, i, result->order[other])));
        }
        json_array_append_new(payoffs, earned);
        json_array_append_new(cooperation, cooperated);
    }
    json_t *pairings = json_array();
    for (size_t i = 0; i < result->count * result->count; i++) {
        const KnPairing *pairing = &result->pairings[i];
        json_array_append_new(pairings, json_pack("[I f f I I]", (json_int_t)pairing->turns,
                                                  (double)pairing->scores[0] / result->scale,
                                                  (double)pairing->scores[1] / result->scale,
                                                  (json_int_t)pairing->cooperations[0],
                                                  (json_int_t)pairing->cooperations[1]));
    }
    json_t *document = json_pack("{so so so so so ss sb sb ss s{sf}}", "settings",
                                 kn_repeated_settings(plan, result), "ranking", ranking, "payoffs", payoffs,
                                 "cooperation", cooperation, "pairings", pairings, "digest", result->digest,
                                 "chance", result->chance, "nondeterministic", result->nondeterministic,
                                 "version", KNACK_VERSION, "timing", "seconds", result->seconds);
    if (result->run_name[0]) json_object_set_new(document, "run", json_string(result->run_name));
    return document;
}

/* ---- a stored one ---- */

bool kn_repeated_is(const json_t *summary) { return json_is_array(json_object_get(summary, "pairings")); }

static KnStatus stored_csv(const KnJson *summary, KnText *out, KnError *error)
{
    KnJson settings, players, pairings;
    KnStatus status = kn_json_object(summary, "settings", &settings, error);
    if (status == KN_OK) status = kn_json_array(&settings, "players", &players, error);
    if (status == KN_OK) status = kn_json_array(summary, "pairings", &pairings, error);
    size_t n = status == KN_OK ? kn_json_size(&players) : 0;
    if (status == KN_OK && kn_json_size(&pairings) != n * n)
        return kn_json_fail(summary, "pairings", error, "%zu for %zu players", kn_json_size(&pairings), n);
    kn_text_add(out, csv_head);
    for (size_t i = 0; i < n * n && status == KN_OK; i++) {
        KnJson row = kn_json_item(&pairings, i), first = kn_json_item(&players, i / n),
               second = kn_json_item(&players, i % n);
        const char *names[2];
        double numbers[5];
        status = kn_json_string(&first, NULL, &names[0], error);
        if (status == KN_OK) status = kn_json_string(&second, NULL, &names[1], error);
        if (status == KN_OK && kn_json_size(&row) != 5)
            status = kn_json_fail(&row, NULL, error, "expected five numbers");
        for (size_t k = 0; k < 5 && status == KN_OK; k++) {
            KnJson number = kn_json_item(&row, k);
            status = kn_json_real(&number, NULL, &numbers[k], error);
        }
        if (status == KN_OK)
            csv_row(out, names[0], names[1], (uint64_t)numbers[0], &numbers[1],
                    (uint64_t[2]){(uint64_t)numbers[3], (uint64_t)numbers[4]});
    }
    return status;
}

/* The ranking as lines of a table. */
static KnStatus stored_latex(const KnJson *summary, KnText *out, KnError *error)
{
    KnJson ranking;
    KnStatus status = kn_json_array(summary, "ranking", &ranking, error);
    kn_text_add(out, "place & player & points a turn & cooperation \\\\\n");
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&ranking); i++) {
        KnJson row = kn_json_item(&ranking, i);
        const char *name = "";
        double score = 0, cooperation = 0;
        status = kn_json_string(&row, "player", &name, error);
        if (status == KN_OK) status = kn_json_real(&row, "score", &score, error);
        if (status == KN_OK) status = kn_json_real(&row, "cooperation", &cooperation, error);
        if (status != KN_OK) break;
        kn_text_printf(out, "%zu & ", i + 1);
        for (const char *c = name; *c; c++) kn_text_printf(out, strchr("_%&#${}", *c) ? "\\%c" : "%c", *c);
        kn_text_printf(out, " & %.4f & %.1f\\%% \\\\\n", score, 100 * cooperation);
    }
    return status;
}

KnStatus kn_repeated_export(json_t *summary, const char *format, KnText *out, KnError *error)
{
    KnJson root = kn_json_root(summary, "the stored run");
    if (strcasecmp(format, "csv") == 0) return stored_csv(&root, out, error);
    if (strcasecmp(format, "latex") == 0) return stored_latex(&root, out, error);
    return kn_fail(error, KN_USAGE,
                   "a tournament of repeated games is kept without its matches; it can be exported as csv, "
                   "json or latex");
}
