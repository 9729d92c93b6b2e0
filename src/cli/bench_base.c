#include "cli/bench_base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <knack/base.h>

KnStatus bench_random_game(KnState *state, uint64_t index, double *outcome, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnRng rng = kn_rng_stream(1, index);
    KnMove moves[game->max_moves];
    double payoffs[KN_ROLES_MAX];
    kn_state_reset(state, NULL);
    while (!kn_state_over(state, payoffs)) {
        int count = kn_state_moves(state, game->type->mover(game, kn_state_position(state)), moves);
        KnStatus status = kn_state_play(state, moves[kn_rng_below(&rng, (uint32_t)count)], error);
        if (status != KN_OK) return status;
    }
    *outcome = kn_base_outcome(state, payoffs);
    return KN_OK;
}

static KnStatus add_games(KnBase *base, KnState *state, int games, KnError *error)
{
    KnStatus status = kn_base_begin(base, error);
    for (int i = 0; i < games && status == KN_OK; i++) {
        double outcome;
        status = bench_random_game(state, (uint64_t)i, &outcome, error);
        if (status == KN_OK) status = kn_base_add(base, state, outcome, NULL, NULL, error);
    }
    return status == KN_OK ? kn_base_commit(base, error) : status;
}

KnStatus bench_consult(KnBase *base, KnState *state, uint64_t games, int looks, uint64_t *explored,
                       KnError *error)
{
    const KnGame *game = kn_state_game(state);
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnStatus status = KN_OK;
    for (int i = 0; i < looks && status == KN_OK;) {
        double outcome;
        status = bench_random_game(state, (uint64_t)i % games, &outcome, error);
        for (size_t ply = 0; ply < kn_state_plies(state) && i < looks && status == KN_OK; ply++, i++) {
            KnBaseView view;
            const void *position = kn_state_position_at(state, ply);
            int count = game->type->moves(game, position, moves);
            status = kn_base_look(base, position, moves, count, rows, &view, error);
            *explored += (uint64_t)view.explored;
        }
    }
    return status;
}

KnStatus bench_base(const KnContext *context, const KnGame *game, int games, int looks, uint64_t *units,
                    KnDigest *digest, KnError *error)
{
    const char *folder = getenv("TMPDIR");
    char path[512], lock[520];
    snprintf(path, sizeof path, "%s/knack-bench-%ld.mdb", folder ? folder : "/tmp", (long)getpid());
    snprintf(lock, sizeof lock, "%s-lock", path);
    unlink(path);
    KnBase *base = NULL;
    KnBaseStat stat = {0};
    KnState *state = kn_state_new(game);
    KnStatus status = state ? kn_base_open(context, game, path, KN_BASE_MAKE, NULL, &base, error)
                            : kn_fail_memory(error, "measuring");
    if (status == KN_OK) status = add_games(base, state, games, error);
    uint64_t explored = 0;
    if (status == KN_OK && looks)
        status = bench_consult(base, state, (uint64_t)games, looks, &explored, error);
    if (looks) kn_digest_u64(digest, explored);
    if (status == KN_OK) status = kn_base_size(base, &stat, error);
    kn_digest_u64(digest, stat.positions);
    kn_digest_u64(digest, stat.edges);
    *units = (uint64_t)(looks ? looks : games);
    kn_base_close(base);
    kn_state_free(state);
    unlink(path);
    unlink(lock);
    return status;
}
