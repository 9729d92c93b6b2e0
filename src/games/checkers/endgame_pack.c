/* Writing a slice: values into blocks, blocks through zstd, everything into one file. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"
#include "base/hash.h"
#include "jobs/parallel.h"
#include "games/checkers/endgame_file.h"

enum { LEVEL = 9 };

/* A block on its way into the file. */
typedef struct Slot {
    KnEndgameBlock entry;
    unsigned char *packed;
} Slot;

typedef struct Worker {
    ZSTD_CCtx *packer;
    uint16_t values[KN_ENDGAME_BLOCK * 4];
    unsigned char plain[KN_ENDGAME_BLOCK];
} Worker;

typedef struct Writer {
    const KnEndgameHead *head;
    uint32_t per_block;
    KnEndgameFetch *fetch;
    void *user;
    Worker *workers;
    Slot *slots;
    uint64_t window;
    size_t room;
    KnEndgameBlock *index;
    KnText file;
    KnProgress *progress;
} Writer;

/* Gives values that nobody asks for that of their neighbour, so that runs go on; true if then all are equal.
 */
static bool fill(uint16_t *values, uint32_t count)
{
    uint32_t first = 0;
    while (first < count && values[first] == KN_ENDGAME_ANY) first++;
    uint16_t carried = first < count ? values[first] : 0;
    bool equal = true;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] == KN_ENDGAME_ANY)
            values[i] = carried;
        else
            equal = equal && values[i] == (first < count ? values[first] : 0);
        carried = values[i];
    }
    return equal;
}

static void put_values(const uint16_t *values, uint32_t count, int width, unsigned char *plain)
{
    memset(plain, 0, KN_ENDGAME_BLOCK);
    for (uint32_t i = 0; i < count; i++) {
        if (width == 2)
            plain[i >> 2] = (unsigned char)(plain[i >> 2] | values[i] << (i & 3) * 2);
        else if (width == 8)
            plain[i] = (unsigned char)values[i];
        else {
            plain[2 * i] = (unsigned char)values[i];
            plain[2 * i + 1] = (unsigned char)(values[i] >> 8);
        }
    }
}

static KnStatus pack_block(void *user, int worker_index, uint64_t block, KnError *error)
{
    Writer *writer = user;
    Worker *worker = &writer->workers[worker_index];
    Slot *slot = &writer->slots[block % writer->window];
    uint64_t first = block * writer->per_block, left = writer->head->numbers - first;
    uint32_t count = left < writer->per_block ? (uint32_t)left : writer->per_block;
    writer->fetch(writer->user, first, count, worker->values);
    if (fill(worker->values, count)) {
        slot->entry = (KnEndgameBlock){.at = worker->values[0]};
        return KN_OK;
    }
    put_values(worker->values, count, writer->head->width, worker->plain);
    size_t size = ZSTD_compressCCtx(worker->packer, slot->packed, writer->room, worker->plain,
                                    KN_ENDGAME_BLOCK, LEVEL);
    if (ZSTD_isError(size))
        return kn_fail(error, KN_SYSTEM, "packing an endgame table: %s", ZSTD_getErrorName(size));
    slot->entry = (KnEndgameBlock){.bytes = (uint32_t)size,
                                   .sum = (uint32_t)kn_hash64(slot->packed, size, block)};
    return KN_OK;
}

static KnStatus append_block(void *user, uint64_t block, KnError *error)
{
    Writer *writer = user;
    Slot *slot = &writer->slots[block % writer->window];
    if (slot->entry.bytes) {
        slot->entry.at = writer->file.length;
        kn_text_add_bytes(&writer->file, slot->packed, slot->entry.bytes);
    }
    writer->index[block] = slot->entry;
    uint64_t left = writer->head->numbers - block * writer->per_block;
    kn_progress_tick(writer->progress, left < writer->per_block ? left : writer->per_block);
    return kn_text_ok(&writer->file) ? KN_OK : kn_fail_memory(error, "packing an endgame table");
}

static KnStatus take_memory(Writer *writer, int jobs, KnError *error)
{
    writer->room = ZSTD_compressBound(KN_ENDGAME_BLOCK);
    writer->window = kn_parallel_window(jobs);
    writer->workers = calloc((size_t)jobs, sizeof *writer->workers);
    writer->slots = calloc(writer->window, sizeof *writer->slots);
    writer->index = calloc(writer->head->blocks, sizeof *writer->index);
    bool enough = writer->workers && writer->slots && writer->index;
    for (int w = 0; enough && w < jobs; w++) enough = (writer->workers[w].packer = ZSTD_createCCtx()) != NULL;
    for (uint64_t i = 0; enough && i < writer->window; i++)
        enough = (writer->slots[i].packed = malloc(writer->room)) != NULL;
    return enough ? KN_OK : kn_fail_memory(error, "packing an endgame table");
}

static void release(Writer *writer, int jobs)
{
    for (int w = 0; writer->workers && w < jobs; w++) ZSTD_freeCCtx(writer->workers[w].packer);
    for (uint64_t i = 0; writer->slots && i < writer->window; i++) free(writer->slots[i].packed);
    free(writer->workers);
    free(writer->slots);
    free(writer->index);
    kn_text_free(&writer->file);
}

KnStatus kn_endgame_file_write(const KnRanks *ranks, const char *path, KnMaterial m, KnEndgameHead head,
                               KnEndgameFetch *fetch, void *user, int jobs, KnProgress *progress,
                               const atomic_bool *cancel, KnError *error)
{
    jobs = kn_jobs(jobs);
    memcpy(head.magic, KN_ENDGAME_MAGIC, sizeof head.magic);
    head.version = KN_ENDGAME_VERSION;
    head.order = KN_ENDGAME_ORDER;
    head.men = m.men;
    head.kings = m.kings;
    head.other_men = m.other_men;
    head.other_kings = m.other_kings;
    head.numbers = kn_material_numbers(ranks, m);
    Writer writer = {.head = &head,
                     .per_block = (uint32_t)KN_ENDGAME_BLOCK * 8 / head.width,
                     .fetch = fetch,
                     .user = user,
                     .file = KN_TEXT_EMPTY,
                     .progress = progress};
    head.blocks = (head.numbers + writer.per_block - 1) / writer.per_block;
    kn_text_add_bytes(&writer.file, &head, sizeof head);
    KnStatus status = take_memory(&writer, jobs, error);
    if (status == KN_OK)
        status = kn_parallel_ordered(jobs, head.blocks, writer.window, pack_block, append_block, &writer,
                                     cancel, error);
    if (status == KN_OK) {
        while (writer.file.length % 8) kn_text_add_char(&writer.file, '\0');
        head.index_at = writer.file.length;
        kn_text_add_bytes(&writer.file, writer.index, head.blocks * sizeof *writer.index);
        head.index_sum = kn_hash64(writer.index, head.blocks * sizeof *writer.index, KN_ENDGAME_VERSION);
        head.file_bytes = writer.file.length;
        head.head_sum = kn_hash64(&head, offsetof(KnEndgameHead, head_sum), KN_ENDGAME_VERSION);
        if (kn_text_ok(&writer.file)) {
            memcpy(writer.file.data, &head, sizeof head);
            status = kn_file_write_atomic(path, writer.file.data, writer.file.length, error);
        } else
            status = kn_fail_memory(error, "packing an endgame table");
    }
    release(&writer, jobs);
    return status;
}
