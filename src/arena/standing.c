#include "arena/standing.h"

#include <string.h>

#include "base/assert.h"

int kn_record_result(const KnStandingRecord *record)
{
    return (record->payoffs[0] > record->payoffs[1]) - (record->payoffs[0] < record->payoffs[1]);
}

void kn_standing_start(KnStanding *standing)
{
    memset(standing, 0, sizeof *standing);
    kn_digest_start(&standing->digest);
}

static void add_to_digest(KnDigest *digest, const KnStandingRecord *record)
{
    kn_digest_u64(digest, record->index);
    kn_digest_u64(digest, (uint64_t)record->first);
    kn_digest_string(digest, record->start);
    kn_digest_string(digest, record->moves);
    kn_digest_string(digest, record->ending);
    /* A draw may be worth -0, which the store gives back as 0: the sum makes it 0 here too. */
    const double payoffs[2] = {record->payoffs[0] + 0.0, record->payoffs[1] + 0.0};
    kn_digest_add(digest, payoffs, sizeof payoffs);
}

void kn_standing_add(KnStanding *standing, const KnStandingRecord *record)
{
    int result = kn_record_result(record);
    KN_ASSERT(record->first >= 0 && record->first < 2 && record->culprit >= -1 && record->culprit < 2);
    standing->games++;
    if (result > 0)
        standing->wins++;
    else if (result < 0)
        standing->losses++;
    else
        standing->draws++;
    standing->by_seat[record->first][1 - result]++;
    if (record->index % 2 == 0)
        standing->half = result;
    else {
        KN_ASSERT(standing->half >= -1 && standing->half <= 1);
        standing->pairs[standing->half + result + 2]++;
    }
    if (record->culprit >= 0) standing->forfeits[record->culprit]++;
    for (int player = 0; player < 2; player++) {
        kn_moments_add(&standing->payoffs[player], record->payoffs[player]);
        standing->cost[player].nodes += record->cost[player].nodes;
        standing->cost[player].seconds += record->cost[player].seconds;
        standing->decisions[player] += record->decisions[player];
    }
    kn_moments_add(&standing->plies, (double)record->plies);
    add_to_digest(&standing->digest, record);
}

double kn_standing_score(const KnStanding *standing)
{
    if (!standing->games) return 0.5;
    return ((double)standing->wins + (double)standing->draws / 2) / (double)standing->games;
}

/* Whether every game has its partner with colours exchanged. */
static bool all_paired(const KnStanding *standing)
{
    uint64_t paired = 0;
    for (int i = 0; i < 5; i++) paired += 2 * standing->pairs[i];
    return paired == standing->games && paired;
}

KnInterval kn_standing_interval(const KnStanding *standing)
{
    return all_paired(standing) ? kn_score_interval_pairs(standing->pairs)
                                : kn_score_interval_wdl(standing->wins, standing->draws, standing->losses);
}

KnElo kn_standing_elo(const KnStanding *standing)
{
    return all_paired(standing) ? kn_elo_from_pairs(standing->pairs)
                                : kn_elo_from_wdl(standing->wins, standing->draws, standing->losses);
}

double kn_standing_los(const KnStanding *standing)
{
    return all_paired(standing) ? kn_los_pairs(standing->pairs)
                                : kn_los_wdl(standing->wins, standing->draws, standing->losses);
}

static json_t *count(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *seat_json(const uint64_t seat[3])
{
    return json_pack("{so so so}", "wins", count(seat[0]), "draws", count(seat[1]), "losses", count(seat[2]));
}

static json_t *player_json(const KnStanding *standing, int player)
{
    double least = standing->range[0], most = standing->range[1];
    json_t *object = json_pack("{so so so sf}", "nodes", count(standing->cost[player].nodes), "decisions",
                               count(standing->decisions[player]), "forfeits",
                               count(standing->forfeits[player]), "payoff_mean",
                               kn_moments_mean(&standing->payoffs[player]));
    if (standing->games > 1 && least < most) {
        KnInterval mean = kn_moments_interval_within(&standing->payoffs[player], least, most);
        json_object_set_new(object, "payoff_95", json_pack("[ff]", mean.low, mean.high));
    }
    return object;
}

json_t *kn_standing_json(const KnStanding *standing)
{
    KnInterval interval = kn_standing_interval(standing);
    KnElo elo = kn_standing_elo(standing);
    char digest[KN_HEX128];
    kn_digest_hex(&standing->digest, digest);
    json_t *pairs = json_array();
    for (int i = 0; i < 5; i++) json_array_append_new(pairs, count(standing->pairs[i]));
    return json_pack("{so so so so sf s[ff] s{sf s[ff]} sf so s{so so} s[oo] sf ss s{s[ff]}}", "games",
                     count(standing->games), "wins", count(standing->wins), "draws", count(standing->draws),
                     "losses", count(standing->losses), "score", kn_standing_score(standing), "score_95",
                     interval.low, interval.high, "elo", "value", elo.elo, "interval_95", elo.low, elo.high,
                     "los", kn_standing_los(standing), "pairs", pairs, "by_seat", "first",
                     seat_json(standing->by_seat[0]), "second", seat_json(standing->by_seat[1]), "players",
                     player_json(standing, 0), player_json(standing, 1), "plies_mean",
                     kn_moments_mean(&standing->plies), "digest", digest, "timing", "cpu_seconds",
                     standing->cost[0].seconds, standing->cost[1].seconds);
}
