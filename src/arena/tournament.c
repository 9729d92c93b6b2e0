#include "arena/tournament.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/swiss.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/json.h"

static KnStatus check_plan(const KnTournamentPlan *plan, KnError *error)
{
    if (plan->player_count < 2) return kn_fail(error, KN_USAGE, "a tournament needs at least two players");
    for (size_t i = 0; i < plan->player_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(plan->players[i], plan->players[j]) == 0)
                return kn_fail(error, KN_USAGE, "\"%s\" is entered twice", plan->players[i]);
    if (plan->system == KN_GAUNTLET && plan->challengers >= plan->player_count)
        return kn_fail(error, KN_USAGE, "a gauntlet of %zu challengers needs more than %zu players",
                       plan->challengers, plan->player_count);
    if (plan->system == KN_SWISS && plan->rounds > kn_swiss_rounds_most(plan->player_count))
        return kn_fail(error, KN_USAGE,
                       "%zu players can be paired for at most %zu rounds of a Swiss tournament",
                       plan->player_count, kn_swiss_rounds_most(plan->player_count));
    return KN_OK;
}

uint64_t kn_tournament_seed(uint64_t seed, const char *a, const char *b)
{
    return kn_hash64(a, strlen(a) + 1, kn_hash64(b, strlen(b) + 1, seed)) >> 1;
}

static void enter(KnTournament *t, size_t i, size_t j, const KnStanding *s)
{
    double points = (double)s->wins + (double)s->draws / 2;
    KN_ASSERT(i < t->count && j < t->count && i != j && s->wins + s->draws + s->losses == s->games);
    t->points[i * t->count + j] = points;
    t->points[j * t->count + i] = (double)s->games - points;
    t->games[i * t->count + j] = t->games[j * t->count + i] = (double)s->games;
    memcpy(t->wdl[i * t->count + j], (uint64_t[3]){s->wins, s->draws, s->losses}, sizeof(uint64_t[3]));
    memcpy(t->wdl[j * t->count + i], (uint64_t[3]){s->losses, s->draws, s->wins}, sizeof(uint64_t[3]));
}

static void rank(KnTournament *t)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t at = i;
        while (at && t->ratings[t->order[at - 1]].elo < t->ratings[i].elo) {
            t->order[at] = t->order[at - 1];
            at--;
        }
        t->order[at] = i;
    }
}

/* A tournament being played. */
typedef struct Play {
    const KnContext *context;
    const KnTournamentPlan *plan;
    KnStore *store;
    KnProgress *progress;
    KnTournament *t;
    KnDigest digest;
} Play;

static void note_match(Play *play, size_t i, size_t j, size_t round, const KnMatchResult *result)
{
    KnTournament *t = play->t;
    char hex[KN_HEX128];
    kn_digest_hex(&result->standing.digest, hex);
    kn_digest_string(&play->digest, hex);
    enter(t, i, j, &result->standing);
    KnTournamentMatch *match = &t->pairings[t->pairing_count++];
    *match = (KnTournamentMatch){.players = {i, j}, .round = round};
    memcpy(match->run, result->run_name, sizeof match->run);
    t->nondeterministic |= result->nondeterministic;
    if (!t->doubt[0]) memcpy(t->doubt, result->doubt, sizeof t->doubt);
    if (!t->note[0]) memcpy(t->note, result->note, sizeof t->note);
    if (!t->repeats[0] && result->repeats[0])
        snprintf(t->repeats, sizeof t->repeats, "%.200s against %.200s: %.500s", play->plan->players[i],
                 play->plan->players[j], result->repeats);
    t->forfeits += result->standing.forfeits[0] + result->standing.forfeits[1];
}

static KnStatus play_pairing(Play *play, size_t i, size_t j, size_t round, KnError *error)
{
    const KnTournamentPlan *plan = play->plan;
    KnMatchPlan match = plan->match;
    KnMatchResult *result = malloc(sizeof *result);
    if (!result) return kn_fail_memory(error, "playing a tournament");
    match.players[0] = plan->players[i];
    match.players[1] = plan->players[j];
    match.seed = kn_tournament_seed(plan->match.seed, match.players[0], match.players[1]);
    match.sprt = false;
    match.name = NULL;
    KnStatus status = kn_match_run(play->context, &match, play->store, play->progress, result, error);
    if (status == KN_OK) note_match(play, i, j, round, result);
    free(result);
    return status == KN_OK ? KN_OK
                           : kn_fail_within(error, "%s against %s", plan->players[i], plan->players[j]);
}

/* The first `challengers` players against all the others; everybody is a challenger in a round robin. */
static KnStatus play_each(Play *play, size_t challengers, KnError *error)
{
    KnStatus status = KN_OK;
    bool gauntlet = challengers < play->t->count;
    for (size_t i = 0; i < challengers && status == KN_OK; i++)
        for (size_t j = gauntlet ? challengers : i + 1; j < play->t->count && status == KN_OK; j++)
            status = play_pairing(play, i, j, 1, error);
    return status;
}

/* Points so far; a bye is worth as many as a match won. */
static void add_scores(const Play *play, const bool *had_bye, double *scores)
{
    const KnTournament *t = play->t;
    for (size_t i = 0; i < t->count; i++) {
        scores[i] = had_bye[i] ? (double)play->plan->match.games : 0;
        for (size_t j = 0; j < t->count; j++) scores[i] += t->points[i * t->count + j];
    }
}

static KnStatus play_round(Play *play, size_t round, bool *met, bool *had_bye, double *scores,
                           size_t *partner, KnError *error)
{
    size_t n = play->t->count;
    add_scores(play, had_bye, scores);
    if (!kn_swiss_pair(n, scores, met, had_bye, partner))
        return kn_fail(error, KN_USAGE,
                       "round %zu cannot be paired without a second meeting; play fewer rounds", round);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < n && status == KN_OK; i++) {
        size_t j = partner[i];
        if (j == i) had_bye[i] = true;
        if (j <= i) continue;
        met[i * n + j] = met[j * n + i] = true;
        status = play_pairing(play, i, j, round, error);
    }
    return status;
}

static KnStatus play_swiss(Play *play, size_t rounds, KnError *error)
{
    size_t n = play->t->count;
    bool *met = calloc(n * n, sizeof *met), *had_bye = calloc(n, sizeof *had_bye);
    double *scores = calloc(n, sizeof *scores);
    size_t *partner = calloc(n, sizeof *partner);
    KnStatus status = met && had_bye && scores && partner ? KN_OK
                                                          : kn_fail_memory(error, "playing a tournament");
    for (size_t round = 1; round <= rounds && status == KN_OK; round++)
        status = play_round(play, round, met, had_bye, scores, partner, error);
    free(met);
    free(had_bye);
    free(scores);
    free(partner);
    return status;
}

size_t kn_tournament_pairings(const KnTournamentPlan *plan)
{
    size_t n = plan->player_count, challengers = plan->challengers ? plan->challengers : 1;
    if (plan->system == KN_GAUNTLET) return challengers < n ? challengers * (n - challengers) : 0;
    if (plan->system == KN_SWISS) return n / 2 * (plan->rounds ? plan->rounds : kn_swiss_rounds(n));
    return n * (n - 1) / 2;
}

static KnStatus play_pairings(Play *play, KnError *error)
{
    const KnTournamentPlan *plan = play->plan;
    kn_digest_start(&play->digest);
    KnStatus status;
    if (plan->system == KN_SWISS)
        status = play_swiss(play, plan->rounds ? plan->rounds : kn_swiss_rounds(plan->player_count), error);
    else if (plan->system == KN_GAUNTLET)
        status = play_each(play, plan->challengers ? plan->challengers : 1, error);
    else
        status = play_each(play, plan->player_count, error);
    kn_digest_hex(&play->digest, play->t->digest);
    return status;
}

KnStatus kn_tournament_run(const KnContext *context, const KnTournamentPlan *plan, KnStore *store,
                           KnProgress *progress, KnTournament *t, KnError *error)
{
    size_t n = plan->player_count;
    *t = (KnTournament){.count = n};
    KnStatus status = check_plan(plan, error);
    if (status != KN_OK) return status;
    double started = kn_clock_now();
    t->points = calloc(n * n, sizeof *t->points);
    t->games = calloc(n * n, sizeof *t->games);
    t->wdl = calloc(n * n, sizeof *t->wdl);
    t->ratings = calloc(n, sizeof *t->ratings);
    t->order = calloc(n, sizeof *t->order);
    t->pairings = calloc(kn_tournament_pairings(plan), sizeof *t->pairings);
    if (!t->points || !t->games || !t->wdl || !t->ratings || !t->order || !t->pairings)
        status = kn_fail_memory(error, "playing a tournament");
    Play play = {.context = context, .plan = plan, .store = store, .progress = progress, .t = t};
    if (status == KN_OK) status = play_pairings(&play, error);
    if (status == KN_OK) status = kn_ratings(n, t->points, t->games, t->ratings, error);
    if (status == KN_OK) rank(t);
    t->seconds = kn_clock_now() - started;
    if (status != KN_OK) kn_tournament_free(t);
    return status;
}

void kn_tournament_free(KnTournament *t)
{
    free(t->points);
    free(t->games);
    free(t->wdl);
    free(t->ratings);
    free(t->order);
    free(t->pairings);
    *t = (KnTournament){0};
}

static const char *const systems[] = {"round robin", "gauntlet", "swiss"};

/* The matches in the order played, with the runs that hold their games. */
static json_t *matches_json(const KnTournamentPlan *plan, const KnTournament *t)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < t->pairing_count; i++) {
        const KnTournamentMatch *match = &t->pairings[i];
        json_t *row = json_pack("{ss ss sI}", "first", plan->players[match->players[0]], "second",
                                plan->players[match->players[1]], "round", (json_int_t)match->round);
        if (match->run[0]) json_object_set_new(row, "run", json_string(match->run));
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *kn_tournament_json(const KnTournamentPlan *plan, const KnTournament *t)
{
    json_t *rows = json_array();
    for (size_t place = 0; place < t->count; place++) {
        size_t i = t->order[place];
        json_t *against = json_array();
        double points = 0, games = 0;
        for (size_t other = 0; other < t->count; other++) {
            size_t j = t->order[other];
            if (i == j) continue;
            const uint64_t *wdl = t->wdl[i * t->count + j];
            if (t->games[i * t->count + j] <= 0) continue;
            points += t->points[i * t->count + j];
            games += t->games[i * t->count + j];
            json_array_append_new(against, json_pack("{ss sI sI sI}", "opponent", plan->players[j], "wins",
                                                     (json_int_t)wdl[0], "draws", (json_int_t)wdl[1],
                                                     "losses", (json_int_t)wdl[2]));
        }
        KnInterval interval = kn_wilson(points, games, KN_Z95);
        json_array_append_new(rows, json_pack("{ss sf sf sf sf s[ff] so}", "player", plan->players[i], "elo",
                                              t->ratings[i].elo, "elo_95", t->ratings[i].error, "points",
                                              points, "games", games, "score_95", interval.low, interval.high,
                                              "against", against));
    }
    json_t *object = json_pack("{ss so sI so ss sb sI s{sf}}", "game", plan->match.game, "seed",
                               kn_json_from_uint64(plan->match.seed), "games_per_pairing",
                               (json_int_t)plan->match.games, "players", rows, "digest", t->digest,
                               "nondeterministic", t->nondeterministic, "forfeits", (json_int_t)t->forfeits,
                               "timing", "seconds", t->seconds);
    json_object_set_new(object, "system", json_string(systems[plan->system]));
    json_object_set_new(object, "matches", matches_json(plan, t));
    if (t->doubt[0]) json_object_set_new(object, "identity_incomplete", json_string(t->doubt));
    if (t->repeats[0]) json_object_set_new(object, "repeats", json_string(t->repeats));
    if (t->note[0]) json_object_set_new(object, "note", json_string(t->note));
    return object;
}
