#include "cli/base_measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/bench_base.h"

enum { BULK = 2000, GROUP = 100, GROUPS = 10, LOOKS = 100000, OPENINGS = 5 };

typedef struct Times {
    double wall, cpu;
} Times;

static Times now(void) { return (Times){kn_clock_now(), kn_clock_process_cpu()}; }

static void tell_since(json_t *rows, const char *what, Times from, double units, double scale,
                       const char *unit, const char *more)
{
    Times to = now();
    double wall = (to.wall - from.wall) / units * scale, cpu = (to.cpu - from.cpu) / units * scale;
    if (rows)
        json_object_set_new(rows, what, json_pack("{sf sf ss}", "time", wall, "cpu_time", cpu, "unit", unit));
    else
        printf("%-9s  %.3f %s (%.3f of processor time)%s\n", what, wall, unit, cpu, more);
}

static uint64_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

/* Adds random games from number `from` on, in one transaction. */
static KnStatus add(KnBase *base, KnState *state, uint64_t from, int count, KnError *error)
{
    KnStatus status = kn_base_begin(base, error);
    for (int i = 0; i < count && status == KN_OK; i++) {
        double outcome;
        status = bench_random_game(state, from + (uint64_t)i, &outcome, error);
        if (status == KN_OK) status = kn_base_add(base, state, outcome, NULL, NULL, error);
    }
    return status == KN_OK ? kn_base_commit(base, error) : status;
}

static KnStatus fill(KnBase *base, KnState *state, uint64_t positions, uint64_t *games, json_t *rows,
                     KnError *error)
{
    Times started = now();
    KnBaseStat stat = {0};
    KnStatus status = KN_OK;
    while (stat.positions < positions && status == KN_OK) {
        int count = positions < 100 * BULK ? GROUP : BULK;
        status = add(base, state, *games, count, error);
        *games += (uint64_t)count;
        if (status == KN_OK) status = kn_base_size(base, &stat, error);
    }
    if (status != KN_OK) return status;
    char more[40];
    snprintf(more, sizeof more, ", %.1f s in all", now().wall - started.wall);
    if (rows)
        json_object_set_new(
            rows, "filled",
            json_pack("{sI sI}", "positions", (json_int_t)stat.positions, "games", (json_int_t)stat.games));
    else
        printf("%-9s  %" PRIu64 " positions, %" PRIu64 " games\n", "filled", stat.positions, stat.games);
    tell_since(rows, "in bulk", started, (double)*games, 1000, "ms a game", more);
    started = now();
    for (int i = 0; i < GROUPS && status == KN_OK; i++, *games += GROUP)
        status = add(base, state, *games, GROUP, error);
    if (status != KN_OK) return status;
    snprintf(more, sizeof more, ", %d games a commit", GROUP);
    tell_since(rows, "in groups", started, GROUP * GROUPS, 1000, "ms a game", more);
    return KN_OK;
}

static KnStatus consult(KnBase *base, KnState *state, uint64_t games, json_t *rows, KnError *error)
{
    uint64_t explored = 0;
    for (int warm = 1; warm >= 0; warm--) { /* the first run maps the file, the second measures */
        Times started = now();
        KnStatus status = bench_consult(base, state, games, LOOKS, &explored, error);
        if (status != KN_OK) return status;
        tell_since(rows, warm ? "first" : "consulted", started, LOOKS, 1e6,
                   "us a position with all its moves", "");
    }
    return KN_OK;
}

static KnStatus open_again(const KnContext *context, const KnGame *game, const char *path, json_t *rows,
                           KnError *error)
{
    double least = 1e9;
    for (int i = 0; i < OPENINGS; i++) {
        KnBase *base;
        double started = kn_clock_now();
        KnStatus status = kn_base_open(context, game, path, 0, NULL, &base, error);
        if (status != KN_OK) return status;
        double took = kn_clock_now() - started;
        least = took < least ? took : least;
        kn_base_close(base);
    }
    if (rows)
        json_object_set_new(rows, "opened", json_pack("{sf ss}", "time", 1000 * least, "unit", "ms"));
    else
        printf("%-9s  in %.1f ms, the least of %d times\n", "opened", 1000 * least, OPENINGS);
    return KN_OK;
}

KnStatus base_measure(const KnContext *context, const KnGame *game, const char *path, uint64_t positions,
                      json_t *rows, KnError *error)
{
    if (kn_file_exists(path))
        return kn_fail(error, KN_INPUT, "%s is there already: name a file that does not exist", path);
    KnBase *base = NULL;
    KnBaseStat stat = {0};
    uint64_t games = 0;
    KnState *state = kn_state_new(game);
    KnStatus status = state ? kn_base_open(context, game, path, KN_BASE_MAKE | KN_BASE_WRITE, NULL, &base,
                                           error)
                            : kn_fail_memory(error, "measuring");
    if (status == KN_OK) status = fill(base, state, positions, &games, rows, error);
    if (status == KN_OK) status = consult(base, state, games, rows, error);
    if (status == KN_OK) status = kn_base_size(base, &stat, error);
    kn_base_close(base);
    kn_state_free(state);
    if (status != KN_OK) return status;
    uint64_t before = size_of(path);
    status = open_again(context, game, path, rows, error);
    if (status == KN_OK) status = kn_base_compact(path, error);
    if (status != KN_OK) return status;
    uint64_t after = size_of(path);
    if (rows)
        json_object_set_new(rows, "size",
                            json_pack("{sI sI sI}", "positions", (json_int_t)stat.positions, "bytes",
                                      (json_int_t)before, "compacted", (json_int_t)after));
    else
        printf("%-9s  %.1f MB, %.1f bytes a position; compacted %.1f MB, %.1f bytes a position\n", "size",
               (double)before / 1e6, (double)before / (double)stat.positions, (double)after / 1e6,
               (double)after / (double)stat.positions);
    return KN_OK;
}
