/* The cache of scores: it answers as the evaluation does, asks it less often, and changes no search. */
#include "support/check.h"
#include "support/workbench.h"

#include "games/turns.h"
#include "search/alphabeta.h"
#include "search/score_cache.h"

/* ---- the cache alone ---- */

typedef struct Counted {
    KnScore answer;
    int asked;
} Counted;

static KnScore count_score(const KnEvaluation *self, const void *position)
{
    Counted *counted = self->data;
    (void)position;
    counted->asked++;
    return counted->answer;
}

static void scores_are_asked_once(void **state)
{
    (void)state;
    static const KnScore answers[] = {0, 1, -1, 32767, -32767, 1234};
    KnScoreCache cache;
    Counted counted = {0};
    KnEvaluation evaluation = {.score = count_score, .data = &counted};
    assert_true(kn_score_cache_open(&cache));
    for (int i = 0; i < (int)(sizeof answers / sizeof *answers); i++) {
        uint64_t hash = (uint64_t)i * 0x123456789abcdefu; /* 0 too: it looks most like an empty slot */
        counted = (Counted){answers[i], 0};
        for (int again = 0; again < 3; again++)
            assert_int_equal(kn_score_cache_ask(&cache, &evaluation, NULL, hash), answers[i]);
        assert_int_equal(counted.asked, 1);
    }
    kn_score_cache_close(&cache);
}

static void large_scores_are_asked_again(void **state)
{
    (void)state;
    static const KnScore answers[] = {32768, -32768, 65536, 100000000 - 1, -65536};
    KnScoreCache cache;
    Counted counted = {0};
    KnEvaluation evaluation = {.score = count_score, .data = &counted};
    assert_true(kn_score_cache_open(&cache));
    for (int i = 0; i < (int)(sizeof answers / sizeof *answers); i++) {
        counted = (Counted){answers[i], 0};
        for (int again = 0; again < 3; again++)
            assert_int_equal(kn_score_cache_ask(&cache, &evaluation, NULL, (uint64_t)i), answers[i]);
        assert_int_equal(counted.asked, 3);
    }
    kn_score_cache_close(&cache);
}

/* Positions whose keys differ in one bit only never get each other's score. */
static void keys_do_not_mix(void **state)
{
    (void)state;
    uint64_t inverse = 1, key = 0x0123456789abcdefu;
    for (int i = 0; i < 6; i++) inverse *= 2 - kn_score_cache_key(1) * inverse; /* Newton, modulo 2^64 */
    KnScoreCache cache;
    Counted counted = {0};
    KnEvaluation evaluation = {.score = count_score, .data = &counted};
    assert_true(kn_score_cache_open(&cache));
    for (int bit = 0; bit < 64; bit++) {
        if (bit >= 48 && bit < 64 - KN_SCORE_CACHE_BITS) continue; /* the bits that a slot leaves out */
        counted = (Counted){7, 0};
        assert_int_equal(kn_score_cache_ask(&cache, &evaluation, NULL, key * inverse), 7);
        counted = (Counted){8 + bit, 0};
        uint64_t other = (key ^ (uint64_t)1 << bit) * inverse;
        assert_int_equal(kn_score_cache_ask(&cache, &evaluation, NULL, other), 8 + bit);
        kn_score_cache_close(&cache);
        assert_true(kn_score_cache_open(&cache));
    }
    kn_score_cache_close(&cache);
}

/* ---- in a search ---- */

typedef struct Watched {
    const KnEvaluation *inner;
    uint64_t asked;
} Watched;

static KnScore watch_score(const KnEvaluation *self, const void *position)
{
    Watched *watched = self->data;
    watched->asked++;
    return kn_evaluate(watched->inner, position);
}

/* A game of searches; the digest of all that they answered. */
static uint64_t play(const KnGame *game, const KnEvaluation *inner, bool cached, KnTableUse table,
                     uint64_t *asked)
{
    enum { PLIES = 24 };
    KnError error;
    Watched watched = {.inner = inner};
    KnEvaluation evaluation = {.game = game, .score = watch_score, .cached = cached, .data = &watched};
    KnSearchOptions options = kn_search_options();
    options.table_bytes = 1 << 20;
    options.width = KN_SEARCH_AUTO;
    options.table = table;
    KnSearch *search = kn_search_new(game, &evaluation, &options, &error);
    assert_non_null(search);
    _Alignas(16) unsigned char position[1024];
    assert_true(game->position_size <= sizeof position);
    game->type->start(game, position);
    uint64_t digest = 0;
    for (int ply = 0; ply < PLIES && !kn_game_over(game, position); ply++) {
        KnRng rng = kn_rng_stream(3, (uint64_t)ply);
        KnSearchRequest request = {.budget = {.nodes = 3000}, .rng = &rng};
        KnSearchResult found;
        check_ok(error, kn_search_run(search, position, NULL, &request, &found, &error));
        digest = kn_mix64(digest ^ found.move);
        digest = kn_mix64(digest ^ (uint64_t)(int64_t)found.score);
        digest = kn_mix64(digest ^ found.nodes);
        game->type->play(game, position, found.move);
    }
    kn_search_free(search);
    *asked = watched.asked;
    return digest;
}

static void searches_stay_the_same(void **state)
{
    (void)state;
    static const char *const specs[] = {"checkers", "othello", "morris", "gdl:connectfour"};
    for (int i = 0; i < 4; i++) {
        KnError error;
        KnGame *game;
        KnEvaluation *network;
        check_ok(error, kn_game_open_turns(workbench, specs[i], &game, &error));
        check_ok(error, kn_evaluation_open_text(workbench, game, "ntuple", &network, &error));
        assert_true(network->cached);
        uint64_t plain, cached, asked[2];
        plain = play(game, network, false, KN_TABLE_ON, &asked[0]);
        cached = play(game, network, true, KN_TABLE_ON, &asked[1]);
        assert_true(plain == cached);
        assert_true(asked[1] < asked[0] * 9 / 10);
        /* Without a table nothing hashes positions, and there is no cache. */
        plain = play(game, network, false, KN_TABLE_OFF, &asked[0]);
        cached = play(game, network, true, KN_TABLE_OFF, &asked[1]);
        assert_true(plain == cached && asked[0] == asked[1]);
        kn_evaluation_close(network);
        kn_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_asked_once),
        cmocka_unit_test(large_scores_are_asked_again),
        cmocka_unit_test(keys_do_not_mix),
        cmocka_unit_test(searches_stay_the_same),
    };
    return cmocka_run_group_tests(tests, test_workbench_open, test_workbench_close);
}
