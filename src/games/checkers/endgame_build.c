#include "games/checkers/endgame_build.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "jobs/job.h"
#include "games/checkers/endgame_pair.h"

enum { PASSES = 4 }; /* over all numbers: forwards, backwards, checking, packing */

static const size_t usual_cache = (size_t)128 << 20;

typedef struct Builder {
    const KnEndgamePlan *plan;
    KnEndgame *tables;
    int jobs;
    KnEndgameProber **probers;
    /* Pairs of slices that do not need each other, by the first of each; and how many slices of each have
     * been built. */
    KnMaterial wave[KN_ENDGAME_SLICES];
    int made[KN_ENDGAME_SLICES];
    int count;
} Builder;

/* ---- The folder ---- */

/* Temporary files of builds that were killed; nobody else is at work here. */
static void sweep_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".tmp") != 0) continue;
        if (!strstr(entry->d_name, ".wld.") && !strstr(entry->d_name, ".dtw.")) continue;
        unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
}

/* The folder, held against other builds; closing it lets go. */
static KnStatus take_folder(const char *folder, int *handle, KnError *error)
{
    KnStatus status = kn_mkdirs(folder, error);
    if (status != KN_OK) return status;
    *handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*handle < 0) return kn_fail_errno(error, "%s: cannot open", folder);
    KnLock lock = kn_file_lock(*handle);
    if (lock == KN_LOCK_TAKEN) sweep_folder(folder);
    if (lock != KN_LOCK_BUSY) return KN_OK; /* without locks what looks left over may be another's work */
    close(*handle);
    return kn_fail(error, KN_SYSTEM,
                   "%s: another build is at work here; wait for it, or name another --folder", folder);
}

/* ---- One slice ---- */

typedef struct Source {
    const KnPairSlice *slice;
    KnEndgameKind kind;
} Source;

static void fetch(void *user, uint64_t first, uint32_t count, uint16_t *values)
{
    const Source *source = user;
    const uint16_t *words = source->slice->words + first;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t word = words[i];
        if (word & KN_WORD_OPEN)
            values[i] = 0;
        else if (word & KN_WORD_TAKES)
            values[i] = KN_ENDGAME_ANY; /* no position, or one with a capture */
        else if (source->kind == KN_ENDGAME_DISTANCE)
            values[i] = word;
        else
            values[i] = !word ? KN_ENDGAME_DRAW : word % 2 ? KN_ENDGAME_LOSS : KN_ENDGAME_WIN;
    }
}

/* Compares what lies on the disk now with what was meant. */
static KnStatus read_back(const KnEndgameFile *file, Source *source, KnError *error)
{
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    uint16_t *values = malloc(file->per_block * sizeof *values);
    unsigned char *block = malloc(KN_ENDGAME_BLOCK);
    KnStatus status = unpacker && values && block ? KN_OK
                                                  : kn_fail_memory(error, "reading an endgame table back");
    for (uint64_t b = 0; b < file->head.blocks && status == KN_OK; b++) {
        uint64_t first = b << file->shift, left = file->head.numbers - first;
        uint32_t count = left < file->per_block ? (uint32_t)left : file->per_block;
        bool packed = file->index[b].bytes;
        if (packed) status = kn_endgame_file_unpack(file, b, unpacker, block, error);
        fetch(source, first, count, values);
        for (uint32_t i = 0; i < count && status == KN_OK; i++) {
            uint32_t value = packed ? kn_endgame_value(block, file->head.width, i)
                                    : (uint32_t)file->index[b].at;
            if (values[i] != KN_ENDGAME_ANY && values[i] != value)
                status = kn_fail(error, KN_SYSTEM,
                                 "%s: reads back differently from what was written; is the disk sound?",
                                 file->path);
        }
    }
    ZSTD_freeDCtx(unpacker);
    free(values);
    free(block);
    return status;
}

static KnStatus write_slice(Builder *builder, const KnPairSlice *slice, KnError *error)
{
    const KnEndgamePlan *plan = builder->plan;
    const KnPairCounts *counts = &slice->counts;
    Source source = {slice, plan->kind};
    KnEndgameHead head = {.kind = (uint8_t)plan->kind,
                          .width = plan->kind == KN_ENDGAME_WLD ? 2
                                   : counts->longest < 255      ? 8
                                                                : 16,
                          .positions = counts->positions,
                          .wins = counts->wins,
                          .draws = counts->draws,
                          .losses = counts->losses,
                          .longest = counts->longest};
    KnText path = KN_TEXT_EMPTY;
    kn_endgame_file_path(plan->folder, slice->material, plan->kind, &path);
    KnStatus status = kn_endgame_file_write(kn_endgame_ranks(builder->tables), path.data, slice->material,
                                            head, fetch, &source, builder->jobs, plan->progress, plan->cancel,
                                            error);
    kn_text_free(&path);
    if (status == KN_OK) status = kn_endgame_add(builder->tables, slice->material, plan->kind, error);
    if (status == KN_OK)
        status = read_back(kn_endgame_slice(builder->tables, slice->material), &source, error);
    return status;
}

static KnStatus build_pair(Builder *builder, KnMaterial m, int *made, KnError *error)
{
    KnPair pair = {.ranks = kn_endgame_ranks(builder->tables),
                   .kind = builder->plan->kind,
                   .jobs = builder->jobs,
                   .probers = builder->probers,
                   .progress = builder->plan->progress,
                   .cancel = builder->plan->cancel};
    KnStatus status = kn_pair_open(&pair, m, error);
    if (status == KN_OK) status = kn_pair_solve(&pair, error);
    if (status == KN_OK) status = kn_pair_verify(&pair, error);
    for (int s = 0; s < pair.slices && status == KN_OK; s++) {
        const KnPairCounts *counts = &pair.slice[s].counts;
        status = write_slice(builder, &pair.slice[s], error);
        *made += status == KN_OK;
        /* Backwards only what is won or lost was counted, captures included. */
        if (status == KN_OK)
            kn_progress_tick(builder->plan->progress, pair.slice[s].numbers - counts->wins - counts->losses);
    }
    kn_pair_free(&pair);
    return status;
}

/* ---- All of them ---- */

/* Whether the pair is there; a damaged file is an error, since somebody may want to know before it is gone.
 */
static KnStatus find_pair(Builder *builder, KnMaterial m, bool *there, KnError *error)
{
    const KnMaterial both[2] = {m, kn_material_exchanged(m)};
    *there = true;
    for (int i = 0; i < 2; i++) {
        if (kn_endgame_slice(builder->tables, both[i])) continue;
        *there = false;
        KnText path = KN_TEXT_EMPTY;
        kn_endgame_file_path(builder->plan->folder, both[i], builder->plan->kind, &path);
        bool refused = kn_file_exists(path.data);
        kn_text_free(&path);
        if (refused) {
            const char *notes = kn_endgame_notes(builder->tables);
            return kn_fail(error, KN_INPUT, "%.*s", (int)strcspn(notes, "\n"), notes);
        }
    }
    return KN_OK;
}

uint64_t kn_endgame_work(int pieces)
{
    KnRanks ranks;
    KnMaterial all[KN_ENDGAME_SLICES];
    uint64_t numbers = 0;
    kn_ranks_fill(&ranks);
    for (int n = 2; n <= pieces; n++) {
        int count = kn_materials(n, all);
        for (int i = 0; i < count; i++) numbers += kn_material_numbers(&ranks, all[i]);
    }
    return PASSES * numbers;
}

static KnStatus open_probers(Builder *builder, KnError *error)
{
    size_t cache = builder->plan->cache ? builder->plan->cache : usual_cache;
    builder->probers = calloc((size_t)builder->jobs, sizeof *builder->probers);
    for (int w = 0; builder->probers && w < builder->jobs; w++)
        if (!(builder->probers[w] = kn_endgame_prober(builder->tables, cache)))
            return kn_fail_memory(error, "building endgame tables");
    return builder->probers ? KN_OK : kn_fail_memory(error, "building endgame tables");
}

static void close_probers(Builder *builder)
{
    for (int w = 0; builder->probers && w < builder->jobs; w++) kn_endgame_prober_free(builder->probers[w]);
    free(builder->probers);
}

static KnStatus build_task(void *user, int worker, uint64_t index, KnError *error)
{
    (void)worker; /* one, with threads of its own */
    Builder *builder = user;
    return build_pair(builder, builder->wave[index], &builder->made[index], error);
}

/* ---- The job: slices of one wave ---- */

static KnStatus open_job(const KnWorkerSite *site, void *payload, void **user, KnError *error)
{
    Builder *builder = *user = calloc(1, sizeof *builder);
    if (!builder) return kn_fail_memory(error, "building endgame tables");
    KnEndgamePlan *plan = payload;
    plan->cancel = site->cancel;
    builder->plan = plan;
    builder->jobs = kn_jobs(plan->jobs);
    KnStatus status = kn_endgame_open_folder(plan->folder, plan->kind, &builder->tables, error);
    return status == KN_OK ? open_probers(builder, error) : status;
}

static void close_job(void *user)
{
    Builder *builder = user;
    close_probers(builder);
    if (builder->tables) kn_endgame_close(builder->tables);
    free(builder);
}

/* Takes in slices that others have built. */
static KnStatus take_slices(Builder *builder, KnMaterial first, KnError *error)
{
    const KnMaterial both[2] = {first, kn_material_exchanged(first)};
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++)
        if (!kn_endgame_slice(builder->tables, both[i]))
            status = kn_endgame_add(builder->tables, both[i], builder->plan->kind, error);
    return status == KN_OK
               ? KN_OK
               : kn_fail_within(error, "a slice that another rank has built; do all see the same folder?");
}

/* Before each wave: the pairs of the previous one, whose files now exist, and its own pairs. */
static KnStatus update_wave(void *user, KnUnpack *in, KnError *error)
{
    Builder *builder = user;
    KnStatus status = KN_OK;
    for (int left = kn_unpack_int(in); left > 0 && status == KN_OK; left--) {
        KnMaterial m;
        kn_unpack_into(in, &m, sizeof m);
        if (in->truncated) break;
        status = take_slices(builder, m, error);
    }
    if (status != KN_OK) return status;
    builder->count = kn_unpack_int(in);
    if (builder->count < 0 || builder->count > KN_ENDGAME_SLICES) builder->count = 0;
    kn_unpack_into(in, builder->wave, (size_t)builder->count * sizeof *builder->wave);
    memset(builder->made, 0, sizeof builder->made);
    return kn_unpack_ok(in) ? KN_OK : kn_fail(error, KN_SYSTEM, "a malformed list of tables");
}

static void *result_slot(void *user, uint64_t index, uint64_t *count)
{
    (void)count;
    return &((Builder *)user)->made[index];
}

static KnStatus received_pair(void *user, uint64_t index, KnError *error)
{
    (void)error;
    const Builder *builder = user;
    uint64_t numbers = kn_material_numbers(kn_endgame_ranks(builder->tables), builder->wave[index]);
    kn_progress_tick(builder->plan->progress, (uint64_t)(PASSES * builder->made[index]) * numbers);
    return KN_OK;
}

const KnJobType kn_endgame_job_type = {
    .name = "endgame",
    .summary = "slices of endgame tables",
    .payload = KN_LAYOUT(KnEndgamePlan, KN_STRINGS(KnEndgamePlan, folder), KN_PLAIN(KnEndgamePlan, kind),
                         KN_PLAIN(KnEndgamePlan, jobs), KN_PLAIN(KnEndgamePlan, cache)),
    .open = open_job,
    .close = close_job,
    .update = update_wave,
    .run = build_task,
    .result = KN_LAYOUT_PLAIN(int),
    .slot = result_slot,
    .received = received_pair};

/* ---- The whole ---- */

/* The pairs with `pieces` pieces, `men` of them men, that are not built yet. None needs another: captures
 * lead to fewer pieces and promotions to fewer men. The largest come first, so that none of them is begun
 * last. */
static KnStatus find_wave(Builder *builder, int pieces, int men, KnEndgameBuilt *built, KnError *error)
{
    const KnRanks *ranks = kn_endgame_ranks(builder->tables);
    KnMaterial all[KN_ENDGAME_SLICES];
    int count = kn_materials(pieces, all);
    KnStatus status = KN_OK;
    builder->count = 0;
    memset(builder->made, 0, sizeof builder->made);
    for (int i = 0, step; i < count && status == KN_OK; i += step) {
        step = kn_material_same(all[i], kn_material_exchanged(all[i])) ? 1 : 2;
        if (all[i].men + all[i].other_men != men) continue;
        bool there;
        status = find_pair(builder, all[i], &there, error);
        if (status != KN_OK) break;
        uint64_t numbers = kn_material_numbers(ranks, all[i]);
        if (there) {
            built->found += step;
            kn_progress_skip(builder->plan->progress, (uint64_t)(PASSES * step) * numbers);
            continue;
        }
        int at = builder->count++;
        for (; at && kn_material_numbers(ranks, builder->wave[at - 1]) < numbers; at--)
            builder->wave[at] = builder->wave[at - 1];
        builder->wave[at] = all[i];
    }
    return status;
}

static KnStatus build_wave(Builder *builder, KnJob *job, KnText *wave, KnEndgameBuilt *built, KnError *error)
{
    kn_pack_int(wave, builder->count);
    kn_pack_bytes(wave, builder->wave, (size_t)builder->count * sizeof *builder->wave);
    KnJobRun run = {
        .jobs = 1, .count = (uint64_t)builder->count, .user = builder, .cancel = builder->plan->cancel};
    kn_job_update(job, wave);
    KnStatus status = kn_job_step(job, &kn_endgame_job_type, &run, error);
    for (int i = 0; i < builder->count; i++) built->made += builder->made[i];
    for (int i = 0; i < builder->count && status == KN_OK; i++)
        status = take_slices(builder, builder->wave[i], error);
    kn_text_clear(wave);
    kn_pack_int(wave, builder->count);
    kn_pack_bytes(wave, builder->wave, (size_t)builder->count * sizeof *builder->wave);
    return status;
}

static KnStatus build_all(Builder *builder, KnJob *job, KnEndgameBuilt *built, KnError *error)
{
    KnText wave = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    kn_pack_int(&wave, 0);
    for (int pieces = 2; pieces <= builder->plan->pieces; pieces++)
        for (int men = 0; men <= pieces && status == KN_OK; men++) {
            status = find_wave(builder, pieces, men, built, error);
            if (status == KN_OK && builder->count) status = build_wave(builder, job, &wave, built, error);
        }
    kn_text_free(&wave);
    return status;
}

KnStatus kn_endgame_build(const KnEndgamePlan *plan, KnEndgameBuilt *built, KnError *error)
{
    Builder builder = {.plan = plan, .jobs = kn_jobs(plan->jobs)};
    KnJob *job = NULL;
    int folder = -1;
    *built = (KnEndgameBuilt){0, 0};
    if (plan->pieces < 2 || plan->pieces > KN_ENDGAME_PIECES)
        return kn_fail(error, KN_USAGE, "endgame tables are for 2 to %d pieces, not %d", KN_ENDGAME_PIECES,
                       plan->pieces);
    KnStatus status = take_folder(plan->folder, &folder, error);
    if (status != KN_OK) return status;
    kn_progress_set_total(plan->progress, kn_endgame_work(plan->pieces));
    status = kn_endgame_open_folder(plan->folder, plan->kind, &builder.tables, error);
    if (status == KN_OK) status = open_probers(&builder, error);
    if (status == KN_OK) status = kn_job_open(plan->context, &kn_endgame_job_type, 1, 0, plan, &job, error);
    if (status == KN_OK) status = build_all(&builder, job, built, error);
    kn_job_close(job);
    close_probers(&builder);
    kn_endgame_close(builder.tables);
    close(folder);
    return status;
}

/* ---- Checking what is there ---- */

static KnStatus check_position(KnEndgameProber *prober, const KnCheckersPosition *position, bool distances,
                               KnError *error)
{
    KnEndgameAnswer said, best = {-1, 0};
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(position, moves);
    bool known = kn_endgame_ask(prober, position, &said);
    for (int i = 0; i < count && known; i++) {
        KnEndgameAnswer after;
        known = kn_endgame_ask_move(prober, position, moves[i], &after);
        if (!known) break;
        bool sooner = after.value > 0 ? after.plies < best.plies : after.plies > best.plies;
        if (i == 0 || after.value > best.value || (after.value == best.value && sooner)) best = after;
    }
    if (!known) {
        const char *fault = kn_endgame_prober_fault(prober);
        return kn_fail(error, KN_INPUT, "%s",
                       fault[0] ? fault : "a smaller table that this one needs is missing; build it again");
    }
    if (said.value == best.value && (!distances || said.plies == best.plies)) return KN_OK;
    KnText text = KN_TEXT_EMPTY;
    kn_checkers_position_text(NULL, position, &text);
    kn_fail(error, KN_NO, "%s: the table says %d in %d, its successors %d in %d", text.data, said.value,
            said.plies, best.value, best.plies);
    kn_text_free(&text);
    return KN_NO;
}

static KnStatus check_rows(KnPair *pair, int worker, int s, uint32_t first, uint32_t end, KnError *error)
{
    const KnPairSlice *slice = &pair->slice[s];
    for (uint32_t row = first; row < end; row++) {
        KnPairRow r = kn_pair_row(slice, row);
        uint32_t taken = r.men | r.other_men | r.kings;
        for (uint32_t i = 0; !r.empty && i < slice->other_kings; i++) {
            uint32_t others = slice->other_kings_of[i];
            if (others & taken) continue;
            KnCheckersPosition position = {
                {r.men | r.kings, r.other_men | others}, r.kings | others, 0, KN_CHECKERS_BLACK};
            /* What a capture is worth is not in the file. */
            if (kn_checkers_can_jump(&position, KN_CHECKERS_BLACK)) continue;
            KnStatus status = check_position(pair->probers[worker], &position,
                                             pair->kind == KN_ENDGAME_DISTANCE, error);
            if (status != KN_OK) return status;
        }
    }
    kn_progress_tick(pair->progress, (uint64_t)(end - first) * slice->other_kings);
    return KN_OK;
}

/* All of the blocks, whether a position asks for them or not. */
static KnStatus check_blocks(const KnEndgameFile *file, KnError *error)
{
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    unsigned char *block = malloc(KN_ENDGAME_BLOCK);
    KnStatus status = unpacker && block ? KN_OK : kn_fail_memory(error, "checking an endgame table");
    for (uint64_t b = 0; b < file->head.blocks && status == KN_OK; b++)
        if (file->index[b].bytes) status = kn_endgame_file_unpack(file, b, unpacker, block, error);
    ZSTD_freeDCtx(unpacker);
    free(block);
    return status;
}

/* The files of a pair that are there, and their kind: distances only if all have them. */
static KnStatus check_pair(Builder *builder, KnMaterial m, KnError *error)
{
    const KnMaterial both[2] = {m, kn_material_exchanged(m)};
    KnPair pair = {.ranks = kn_endgame_ranks(builder->tables),
                   .kind = KN_ENDGAME_DISTANCE,
                   .jobs = builder->jobs,
                   .probers = builder->probers,
                   .progress = builder->plan->progress,
                   .cancel = builder->plan->cancel};
    for (int i = 0; i < 2; i++) {
        const KnEndgameFile *file = kn_endgame_slice(builder->tables, both[i]);
        if (!file) return KN_OK;
        if (file->head.kind == KN_ENDGAME_WLD) pair.kind = KN_ENDGAME_WLD;
        KnStatus status = check_blocks(file, error);
        if (status != KN_OK) return status;
    }
    KnStatus status = kn_pair_open(&pair, m, error);
    if (status == KN_OK) status = kn_pair_each(&pair, check_rows, error);
    kn_pair_free(&pair);
    return status;
}

uint64_t kn_endgame_check_work(const KnEndgame *tables)
{
    KnMaterial all[KN_ENDGAME_SLICES];
    uint64_t numbers = 0;
    for (int pieces = 2; pieces <= KN_ENDGAME_PIECES; pieces++) {
        int count = kn_materials(pieces, all);
        for (int i = 0; i < count; i++)
            if (kn_endgame_slice(tables, all[i]) && kn_endgame_slice(tables, kn_material_exchanged(all[i])))
                numbers += kn_material_numbers(kn_endgame_ranks(tables), all[i]);
    }
    return numbers;
}

KnStatus kn_endgame_check(const KnEndgame *tables, const KnEndgamePlan *plan, uint64_t *asked, KnError *error)
{
    Builder builder = {.plan = plan, .tables = (KnEndgame *)(uintptr_t)tables, .jobs = kn_jobs(plan->jobs)};
    KnMaterial all[KN_ENDGAME_SLICES];
    KnStatus status = open_probers(&builder, error);
    for (int pieces = 2; pieces <= KN_ENDGAME_PIECES && status == KN_OK; pieces++) {
        int count = kn_materials(pieces, all);
        for (int i = 0, step; i < count && status == KN_OK; i += step) {
            step = kn_material_same(all[i], kn_material_exchanged(all[i])) ? 1 : 2;
            status = check_pair(&builder, all[i], error);
        }
    }
    if (asked) *asked = 0;
    for (int w = 0; asked && status == KN_OK && w < builder.jobs; w++)
        *asked += kn_endgame_asked(builder.probers[w]);
    close_probers(&builder);
    return status;
}
