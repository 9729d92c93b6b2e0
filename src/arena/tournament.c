#include "arena/tournament.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

static KnStatus check_plan(const KnTournamentPlan *plan, KnError *error)
{
    if (plan->player_count < 2) return kn_fail(error, KN_USAGE, "a tournament needs at least two players");
    for (size_t i = 0; i < plan->player_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(plan->players[i], plan->players[j]) == 0)
                return kn_fail(error, KN_USAGE, "\"%s\" is entered twice", plan->players[i]);
    return KN_OK;
}

uint64_t kn_tournament_seed(uint64_t seed, const char *a, const char *b)
{
    return kn_hash64(a, strlen(a) + 1, kn_hash64(b, strlen(b) + 1, seed)) >> 1;
}

static void enter(KnTournament *t, size_t i, size_t j, const KnStanding *s)
{
    double points = (double)s->wins + (double)s->draws / 2;
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

static KnStatus play_pairings(const KnContext *context, const KnTournamentPlan *plan, KnStore *store,
                              KnProgress *progress, KnTournament *t, KnError *error)
{
    KnDigest digest;
    kn_digest_start(&digest);
    for (size_t i = 0; i < t->count; i++)
        for (size_t j = i + 1; j < t->count; j++) {
            KnMatchPlan match = plan->match;
            KnMatchResult *result = malloc(sizeof *result);
            if (!result) return kn_fail_memory(error, "playing a tournament");
            match.players[0] = plan->players[i];
            match.players[1] = plan->players[j];
            match.seed = kn_tournament_seed(plan->match.seed, match.players[0], match.players[1]);
            match.sprt = false;
            match.name = NULL;
            KnStatus status = kn_match_run(context, &match, store, progress, result, error);
            if (status == KN_OK) {
                char hex[KN_HEX128];
                kn_digest_hex(&result->standing.digest, hex);
                kn_digest_string(&digest, hex);
                enter(t, i, j, &result->standing);
                t->nondeterministic |= result->nondeterministic;
                if (!t->doubt[0]) memcpy(t->doubt, result->doubt, sizeof t->doubt);
                t->forfeits += result->standing.forfeits[0] + result->standing.forfeits[1];
            }
            free(result);
            if (status != KN_OK)
                return kn_fail_within(error, "%s against %s", plan->players[i], plan->players[j]);
        }
    kn_digest_hex(&digest, t->digest);
    return KN_OK;
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
    if (!t->points || !t->games || !t->wdl || !t->ratings || !t->order)
        status = kn_fail_memory(error, "playing a tournament");
    if (status == KN_OK) status = play_pairings(context, plan, store, progress, t, error);
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
    *t = (KnTournament){0};
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
    if (t->doubt[0]) json_object_set_new(object, "identity_incomplete", json_string(t->doubt));
    return object;
}
