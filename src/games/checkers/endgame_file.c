#include "games/checkers/endgame_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "base/hash.h"

_Static_assert(sizeof(KnEndgameHead) == 8 + 8 + 8 + 8 + 3 * 8 + 5 * 8 + 2 * 8,
               "no gaps: it is written as it lies");
_Static_assert(sizeof(KnEndgameBlock) == 16, "no gaps");

void kn_endgame_file_path(const char *folder, KnMaterial m, KnEndgameKind kind, KnText *path)
{
    char name[KN_MATERIAL_TEXT];
    KnText file = KN_TEXT_EMPTY;
    kn_material_text(m, name);
    kn_text_printf(&file, "%s.%s", name, kind == KN_ENDGAME_WLD ? "wld" : "dtw");
    kn_path_join(path, folder, file.data);
    kn_text_free(&file);
}

static uint64_t head_sum(const KnEndgameHead *head)
{
    return kn_hash64(head, offsetof(KnEndgameHead, head_sum), KN_ENDGAME_VERSION);
}

static KnStatus check_head(const KnRanks *ranks, const KnEndgameHead *head, size_t size, const char *name,
                           KnError *error)
{
    if (head->version != KN_ENDGAME_VERSION || head->order != KN_ENDGAME_ORDER)
        return kn_fail(
            error, KN_INPUT,
            "%s: was written by another version (%u, not %d) or another kind of machine; build it again",
            name, head->version, KN_ENDGAME_VERSION);
    if (head->file_bytes != size)
        return kn_fail(error, KN_INPUT,
                       "%s: is cut short or damaged: %zu bytes instead of %llu; delete it and build it again",
                       name, size, (unsigned long long)head->file_bytes);
    if (head->head_sum != head_sum(head))
        return kn_fail(
            error, KN_INPUT,
            "%s: is damaged (the check sum of its head does not fit); delete it and build it again", name);
    KnMaterial m = {head->men, head->kings, head->other_men, head->other_kings};
    uint64_t per_block = head->width ? (uint64_t)KN_ENDGAME_BLOCK * 8 / head->width : 1;
    bool widths = head->kind == KN_ENDGAME_WLD
                      ? head->width == 2
                      : head->kind == KN_ENDGAME_DISTANCE && (head->width == 8 || head->width == 16);
    if (!widths || !kn_material_valid(m) || head->numbers != kn_material_numbers(ranks, m) ||
        head->blocks != (head->numbers + per_block - 1) / per_block || head->index_at % 8 != 0 ||
        head->index_at < sizeof *head || head->index_at > size ||
        (size - head->index_at) / sizeof(KnEndgameBlock) != head->blocks ||
        (size - head->index_at) % sizeof(KnEndgameBlock) != 0)
        return kn_fail(error, KN_INPUT, "%s: its head makes no sense; delete it and build it again", name);
    return KN_OK;
}

static KnStatus check_index(const KnEndgameFile *file, const char *name, KnError *error)
{
    const KnEndgameHead *head = &file->head;
    if (kn_hash64(file->index, head->blocks * sizeof *file->index, KN_ENDGAME_VERSION) != head->index_sum)
        return kn_fail(
            error, KN_INPUT,
            "%s: is damaged (the check sum of its index does not fit); delete it and build it again", name);
    for (uint64_t i = 0; i < head->blocks; i++) {
        const KnEndgameBlock *block = &file->index[i];
        bool fits = block->bytes ? block->at >= sizeof *head && block->at <= head->index_at &&
                                       block->bytes <= head->index_at - block->at
                                 : block->at < (uint64_t)1 << head->width;
        if (!fits)
            return kn_fail(error, KN_INPUT,
                           "%s: block %llu lies outside of the file; delete it and build it again", name,
                           (unsigned long long)i);
    }
    return KN_OK;
}

KnStatus kn_endgame_file_check(const KnRanks *ranks, const void *bytes, size_t size, const char *name,
                               KnEndgameFile *file, KnError *error)
{
    if (size < sizeof file->head || memcmp(bytes, KN_ENDGAME_MAGIC, sizeof file->head.magic) != 0)
        return kn_fail(
            error, KN_INPUT,
            "%s: is no endgame table, or only the beginning of one (%zu bytes); delete it and build it again",
            name, size);
    memcpy(&file->head, bytes, sizeof file->head);
    const KnEndgameHead *head = &file->head;
    KnStatus status = check_head(ranks, head, size, name, error);
    if (status != KN_OK) return status;
    file->material = (KnMaterial){head->men, head->kings, head->other_men, head->other_kings};
    file->per_block = (uint32_t)KN_ENDGAME_BLOCK * 8 / head->width;
    file->shift = __builtin_ctz(file->per_block);
    file->bytes = bytes;
    file->index = (const KnEndgameBlock *)(const void *)(file->bytes + head->index_at);
    return check_index(file, name, error);
}

KnStatus kn_endgame_file_open(const KnRanks *ranks, const char *path, KnMaterial m, KnEndgameKind kind,
                              KnEndgameFile **out, KnError *error)
{
    *out = NULL;
    int handle = open(path, O_RDONLY | O_CLOEXEC);
    if (handle < 0) return kn_fail_errno(error, "%s: cannot open", path);
    struct stat info;
    if (fstat(handle, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(handle);
        return kn_fail(error, KN_INPUT, "%s: is no file", path);
    }
    size_t size = (size_t)info.st_size;
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_SHARED, handle, 0) : NULL;
    close(handle);
    if (bytes == MAP_FAILED) return kn_fail_errno(error, "%s: cannot map", path);
    KnEndgameFile *file = calloc(1, sizeof *file);
    KnStatus status = file && (file->path = strdup(path)) ? KN_OK
                                                          : kn_fail_memory(error, "opening an endgame table");
    if (status == KN_OK) status = kn_endgame_file_check(ranks, size ? bytes : "", size, path, file, error);
    if (status == KN_OK && (!kn_material_same(m, file->material) || file->head.kind != kind))
        status = kn_fail(error, KN_INPUT,
                         "%s: holds another slice than its name says; give it its own name back", path);
    if (status == KN_OK) {
        *out = file;
        return KN_OK;
    }
    if (bytes) munmap(bytes, size);
    if (file) free(file->path);
    free(file);
    return status;
}

void kn_endgame_file_close(KnEndgameFile *file)
{
    if (!file) return;
    munmap((void *)(uintptr_t)file->bytes, file->head.file_bytes);
    free(file->path);
    free(file);
}

KnStatus kn_endgame_file_unpack(const KnEndgameFile *file, uint64_t block, void *unpacker,
                                unsigned char out[KN_ENDGAME_BLOCK], KnError *error)
{
    const KnEndgameBlock *entry = &file->index[block];
    const unsigned char *packed = file->bytes + entry->at;
    const char *name = file->path ? file->path : "table";
    if ((uint32_t)kn_hash64(packed, entry->bytes, block) != entry->sum)
        return kn_fail(
            error, KN_INPUT,
            "%s: is damaged (the check sum of block %llu does not fit); delete it and build it again", name,
            (unsigned long long)block);
    size_t got = ZSTD_decompressDCtx(unpacker, out, KN_ENDGAME_BLOCK, packed, entry->bytes);
    if (ZSTD_isError(got) || got != KN_ENDGAME_BLOCK)
        return kn_fail(error, KN_INPUT, "%s: block %llu cannot be unpacked; delete it and build it again",
                       name, (unsigned long long)block);
    return KN_OK;
}
