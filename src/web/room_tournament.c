/* Axelrod's tournament, entered by a class: each student's strategy gives a chance to cooperate after each
 * outcome of the last round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/repeated.h"
#include "web/room.h"

enum { TURNS = 200, REPETITIONS = 20, CLASSICS = 6, MOST = KN_ROOM_MEMBERS + CLASSICS, SPEC = 160 };

static const struct {
    const char *name, *spec;
} classics[CLASSICS] = {{"tit for tat", "TitForTat"},
                        {"always cooperate", "Cooperator"},
                        {"always defect", "Defector"},
                        {"never forgives", "Grudger"},
                        {"win-stay, lose-shift", "WinStayLoseShift"},
                        {"at random", "Random"}};

typedef struct Entries {
    size_t count;
    const char *names[MOST];
    char specs[MOST][SPEC];
    const char *players[MOST];
} Entries;

static void add_entry(Entries *entries, const char *name)
{
    entries->names[entries->count] = name;
    entries->players[entries->count] = entries->specs[entries->count];
    entries->count++;
}

/* A tournament tells its players apart by their specs. So students who enter the same
 * strategy get different chances on the first turn, 1e-9 apart: that shows once in a thousand million
 * matches. */
static double told_apart(double chance, size_t number)
{
    double little = 1e-9 * (double)number;
    return chance > 0.5 ? chance - little : chance + little;
}

/* {"first": p, "chances": [after CC, CD, DC, DD]}: what I did first, then what the other did. */
static void add_member(Entries *entries, const json_t *member)
{
    const json_t *strategy = json_object_get(member, "strategy"),
                 *chances = json_object_get(strategy, "chances");
    if (!strategy) return;
    double p[4];
    for (size_t i = 0; i < 4; i++) p[i] = json_number_value(json_array_get(chances, i));
    snprintf(entries->specs[entries->count], SPEC, "memory1(cc=%.2f,cd=%.2f,dc=%.2f,dd=%.2f,first=%.12f)",
             p[0], p[1], p[2], p[3],
             told_apart(json_number_value(json_object_get(strategy, "first")), entries->count));
    add_entry(entries, json_string_value(json_object_get(member, "name")));
}

static void collect(const KnRoomTournament *t, Entries *entries)
{
    size_t i;
    json_t *member;
    json_array_foreach(json_object_get(t->room, "members"), i, member) add_member(entries, member);
    for (size_t c = 0; t->classics && c < CLASSICS; c++) {
        snprintf(entries->specs[entries->count], SPEC, "%s", classics[c].spec);
        add_entry(entries, classics[c].name);
    }
}

static json_t *outcome_json(const KnRoomTournament *t, const Entries *entries, const KnRepeated *result)
{
    json_t *ranking = json_array(), *table = json_array();
    for (size_t place = 0; place < result->count; place++) {
        size_t who = result->order[place];
        const KnRanked *ranked = &result->ranked[who];
        json_t *row = json_array();
        json_array_append_new(
            ranking, json_pack("{ss sb sf sf sf sf sI}", "name", entries->names[who], "classic",
                               who >= entries->count - (t->classics ? CLASSICS : 0), "score", ranked->score,
                               "low", ranked->interval.low, "high", ranked->interval.high, "cooperation",
                               ranked->cooperation, "place", (json_int_t)ranked->place));
        for (size_t other = 0; other < result->count; other++)
            json_array_append_new(row, json_real(kn_repeated_payoff(result, who, result->order[other])));
        json_array_append_new(table, row);
    }
    return json_pack("{si si sf so so}", "turns", TURNS, "repetitions", REPETITIONS, "noise", t->noise,
                     "ranking", ranking, "payoffs", table);
}

void kn_room_play_tournament(void *user)
{
    KnRoomTournament *t = user;
    Entries *entries = calloc(1, sizeof *entries);
    KnRepeated result = {0};
    t->status = entries ? KN_OK : kn_fail_memory(&t->error, "playing a tournament");
    if (entries) collect(t, entries);
    if (entries && entries->count < 2)
        t->status = kn_fail(&t->error, KN_NO,
                            "a tournament needs two strategies; let the class enter some first");
    if (t->status == KN_OK)
        t->status = kn_repeated_run(t->web->context,
                                    &(KnRepeatedPlan){.game = "dilemma",
                                                      .turns = TURNS,
                                                      .players = entries->players,
                                                      .player_count = entries->count,
                                                      .repetitions = REPETITIONS,
                                                      .seed = 1,
                                                      .jobs = 1,
                                                      .noise = t->noise},
                                    NULL, NULL, &result, &t->error);
    if (t->status == KN_OK) {
        json_object_set_new(t->room, "tournament", outcome_json(t, entries, &result));
        kn_repeated_free(&result);
    }
    free(entries);
}

bool kn_room_csv(const json_t *room, KnText *out)
{
    const json_t *tournament = json_object_get(room, "tournament"),
                 *ranking = json_object_get(tournament, "ranking");
    size_t i, j;
    json_t *row, *cell;
    if (!ranking) return false;
    kn_text_add(out, "place,name,payoff a turn,low,high,cooperation");
    json_array_foreach(ranking, i, row)
    {
        kn_text_add(out, ",against ");
        kn_csv_field(out, json_string_value(json_object_get(row, "name")));
    }
    kn_text_add(out, "\n");
    json_array_foreach(ranking, i, row)
    {
        kn_text_printf(out, "%lld,", (long long)json_integer_value(json_object_get(row, "place")));
        kn_csv_field(out, json_string_value(json_object_get(row, "name")));
        kn_text_printf(out, ",%.4f,%.4f,%.4f,%.4f", json_number_value(json_object_get(row, "score")),
                       json_number_value(json_object_get(row, "low")),
                       json_number_value(json_object_get(row, "high")),
                       json_number_value(json_object_get(row, "cooperation")));
        json_array_foreach(json_array_get(json_object_get(tournament, "payoffs"), i), j, cell)
            kn_text_printf(out, ",%.4f", json_number_value(cell));
        kn_text_add(out, "\n");
    }
    return true;
}
