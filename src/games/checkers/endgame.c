#include "games/checkers/endgame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/assert.h"
#include "base/file.h"

struct KnEndgame {
    KnRanks ranks;
    KnEndgameFile *slices[KN_ENDGAME_SLICES];
    char *folder;
    int pieces;
    KnText notes;
};

KnStatus kn_endgame_suits(const KnGame *game, KnError *error)
{
    if (strcmp(game->type->head.name, "checkers") == 0) return KN_OK;
    return kn_fail(error, KN_INPUT, "there are endgame tables for checkers, not for %s", game->spec);
}

void kn_endgame_folder(const KnContext *context, const char *name, KnText *folder)
{
    if (name && name[0] && strcmp(name, "on") != 0) {
        kn_text_clear(folder);
        kn_text_add(folder, name);
    } else
        kn_path_join(folder, kn_context_data(context), "tables/checkers");
}

static bool complete(const KnEndgame *tables, int pieces)
{
    KnMaterial all[KN_ENDGAME_SLICES];
    int count = kn_materials(pieces, all);
    for (int i = 0; i < count; i++)
        if (!tables->slices[kn_material_id(all[i])]) return false;
    return true;
}

static void count_pieces(KnEndgame *tables)
{
    tables->pieces = 1;
    while (tables->pieces < KN_ENDGAME_PIECES && complete(tables, tables->pieces + 1)) tables->pieces++;
}

/* Opens a slice if its file is there. */
static KnStatus take_slice(KnEndgame *tables, KnMaterial m, KnEndgameKind kind, bool *there, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    KnEndgameFile *file = NULL;
    kn_endgame_file_path(tables->folder, m, kind, &path);
    *there = kn_file_exists(path.data);
    KnStatus status = *there ? kn_endgame_file_open(&tables->ranks, path.data, m, kind, &file, error) : KN_OK;
    kn_text_free(&path);
    if (!file) return status;
    kn_endgame_file_close(tables->slices[kn_material_id(m)]);
    tables->slices[kn_material_id(m)] = file;
    return KN_OK;
}

static void take_slices(KnEndgame *tables, KnEndgameKind wanted)
{
    KnMaterial all[KN_ENDGAME_SLICES];
    for (int pieces = 2; pieces <= KN_ENDGAME_PIECES; pieces++) {
        int count = kn_materials(pieces, all);
        for (int i = 0; i < count; i++) {
            /* Distances last: they know more, and take the place of the others. */
            for (KnEndgameKind kind = 0; kind < KN_ENDGAME_KINDS; kind++) {
                KnError error;
                bool there;
                if (wanted != KN_ENDGAME_KINDS && kind != wanted) continue;
                if (take_slice(tables, all[i], kind, &there, &error) != KN_OK)
                    kn_text_printf(&tables->notes, "%s\n", error.text);
            }
        }
    }
}

KnStatus kn_endgame_open_folder(const char *folder, KnEndgameKind kind, KnEndgame **out, KnError *error)
{
    struct stat info;
    *out = NULL;
    if (stat(folder, &info) != 0) return kn_fail_errno(error, "%s: no folder of endgame tables", folder);
    if (!S_ISDIR(info.st_mode))
        return kn_fail(error, KN_INPUT, "%s: is a file; a folder of endgame tables is wanted", folder);
    KnEndgame *tables = calloc(1, sizeof *tables);
    if (!tables) return kn_fail_memory(error, "opening endgame tables");
    tables->notes = KN_TEXT_EMPTY;
    kn_ranks_fill(&tables->ranks);
    tables->folder = strdup(folder);
    if (!tables->folder) {
        kn_endgame_close(tables);
        return kn_fail_memory(error, "opening endgame tables");
    }
    take_slices(tables, kind);
    count_pieces(tables);
    *out = tables;
    return KN_OK;
}

static bool is_empty(const KnEndgame *tables)
{
    for (int i = 0; i < KN_ENDGAME_SLICES; i++)
        if (tables->slices[i]) return false;
    return true;
}

KnStatus kn_endgame_open(const KnGame *game, const char *name, KnEndgame **out, KnError *error)
{
    static const char remedy[] = "`knack tables build checkers --pieces 4` makes some";
    KnText folder = KN_TEXT_EMPTY;
    *out = NULL;
    KnStatus status = kn_endgame_suits(game, error);
    if (status != KN_OK) return status;
    kn_endgame_folder(game->context, name, &folder);
    status = kn_endgame_open_folder(folder.data, KN_ENDGAME_KINDS, out, error);
    if (status != KN_OK) {
        KnError why = *error;
        status = kn_fail(error, KN_INPUT, "%.800s; %s", why.text, remedy);
    } else if (is_empty(*out)) {
        const char *notes = kn_endgame_notes(*out);
        status = notes[0]
                     ? kn_fail(error, KN_INPUT, "%s: none of its endgame tables can be used: %.*s",
                               folder.data, (int)strcspn(notes, "\n"), notes)
                     : kn_fail(error, KN_INPUT, "%s: no endgame tables are there; %s", folder.data, remedy);
        kn_endgame_close(*out);
        *out = NULL;
    }
    kn_text_free(&folder);
    return status;
}

void kn_endgame_close(KnEndgame *tables)
{
    if (!tables) return;
    for (int i = 0; i < KN_ENDGAME_SLICES; i++) kn_endgame_file_close(tables->slices[i]);
    kn_text_free(&tables->notes);
    free(tables->folder);
    free(tables);
}

KnStatus kn_endgame_add(KnEndgame *tables, KnMaterial m, KnEndgameKind kind, KnError *error)
{
    bool there;
    KnStatus status = take_slice(tables, m, kind, &there, error);
    if (status == KN_OK && !there)
        status = kn_fail(error, KN_SYSTEM, "%s: a table that was just written is gone", tables->folder);
    count_pieces(tables);
    return status;
}

int kn_endgame_pieces(const KnEndgame *tables) { return tables->pieces; }
const char *kn_endgame_notes(const KnEndgame *tables) { return tables->notes.data; }
const char *kn_endgame_place(const KnEndgame *tables) { return tables->folder; }
const KnRanks *kn_endgame_ranks(const KnEndgame *tables) { return &tables->ranks; }
const KnEndgameFile *kn_endgame_slice(const KnEndgame *tables, KnMaterial m)
{
    return kn_material_valid(m) ? tables->slices[kn_material_id(m)] : NULL;
}

void kn_endgame_fingerprint(const KnEndgame *tables, KnDigest *digest)
{
    for (int i = 0; i < KN_ENDGAME_SLICES; i++) {
        const KnEndgameFile *file = tables->slices[i];
        if (!file) continue;
        kn_digest_u64(digest, (uint64_t)i);
        kn_digest_u64(digest, file->head.head_sum);
        kn_digest_u64(digest, file->head.index_sum);
    }
}

/* ---- Asking ---- */

/* Unpacked blocks are kept whole, and every slice knows by a pointer a block where its own are: an answer
 * from the cache costs the number of the position and two looks into memory. The oldest block makes room for
 * a new one. */
typedef struct Slice {
    const KnEndgameFile *file;
    unsigned char **blocks;
    bool shut;
} Slice;

struct KnEndgameProber {
    const KnEndgame *tables;
    Slice *slices[KN_ENDGAME_SLICES];
    unsigned char *frames;   /* room for `count` blocks */
    unsigned char ***owners; /* of each frame: the pointer to it, NULL if it is free */
    size_t count, next;
    ZSTD_DCtx *unpacker;
    uint64_t asked;
    char fault[KN_ERROR_TEXT];
};

KnEndgameProber *kn_endgame_prober(const KnEndgame *tables, size_t bytes)
{
    KnEndgameProber *prober = calloc(1, sizeof *prober);
    if (!prober) return NULL;
    prober->tables = tables;
    prober->count = bytes / KN_ENDGAME_BLOCK ? bytes / KN_ENDGAME_BLOCK : 1;
    prober->frames = malloc(prober->count * KN_ENDGAME_BLOCK);
    prober->owners = calloc(prober->count, sizeof *prober->owners);
    prober->unpacker = ZSTD_createDCtx();
    if (prober->frames && prober->owners && prober->unpacker) return prober;
    kn_endgame_prober_free(prober);
    return NULL;
}

void kn_endgame_prober_free(KnEndgameProber *prober)
{
    if (!prober) return;
    for (int i = 0; i < KN_ENDGAME_SLICES; i++) {
        if (prober->slices[i]) free(prober->slices[i]->blocks);
        free(prober->slices[i]);
    }
    ZSTD_freeDCtx(prober->unpacker);
    free(prober->frames);
    free(prober->owners);
    free(prober);
}

uint64_t kn_endgame_asked(const KnEndgameProber *prober) { return prober->asked; }
const char *kn_endgame_prober_fault(const KnEndgameProber *prober) { return prober->fault; }

KnStatus kn_endgame_prober_status(const KnEndgameProber *prober, KnError *error)
{
    return prober->fault[0] ? kn_fail(error, KN_SYSTEM, "%s", prober->fault) : KN_OK;
}

/* The first use of a slice. NULL if it is not there. */
static __attribute__((noinline)) Slice *enter_slice(KnEndgameProber *prober, int id)
{
    const KnEndgameFile *file = prober->tables->slices[id];
    if (!file) return NULL;
    Slice *slice = calloc(1, sizeof *slice);
    unsigned char **blocks = calloc(file->head.blocks, sizeof *blocks);
    if (!slice || !blocks) {
        snprintf(prober->fault, sizeof prober->fault, "out of memory while probing endgame tables");
        free(slice);
        free(blocks);
        return NULL;
    }
    *slice = (Slice){.file = file, .blocks = blocks};
    return prober->slices[id] = slice;
}

/* Unpacks a block into the cache. NULL if it is damaged: then the whole slice is shut. */
static __attribute__((noinline)) unsigned char *fetch_block(KnEndgameProber *prober, Slice *slice,
                                                            uint64_t block)
{
    KnError error;
    size_t frame = prober->next;
    KN_ASSERT(frame < prober->count && !slice->blocks[block]);
    if (prober->owners[frame]) *prober->owners[frame] = NULL;
    prober->owners[frame] = NULL;
    unsigned char *room = prober->frames + frame * KN_ENDGAME_BLOCK;
    if (kn_endgame_file_unpack(slice->file, block, prober->unpacker, room, &error) != KN_OK) {
        slice->shut = true;
        if (!prober->fault[0]) memcpy(prober->fault, error.text, sizeof prober->fault);
        return NULL;
    }
    prober->next = frame + 1 == prober->count ? 0 : frame + 1;
    slice->blocks[block] = room;
    prober->owners[frame] = &slice->blocks[block];
    return room;
}

/* What the files hold for a position without captures. */
static bool look_up(KnEndgameProber *prober, const KnCheckersPosition *p, KnEndgameAnswer *answer)
{
    KnMaterial m = kn_material_of(p);
    if (kn_material_pieces(m) > KN_ENDGAME_PIECES) return false;
    int id = kn_material_id(m);
    KN_ASSERT(id >= 0 && id < KN_ENDGAME_SLICES);
    Slice *slice = prober->slices[id];
    if (!slice && !(slice = enter_slice(prober, id))) return false;
    if (slice->shut) return false;
    const KnEndgameFile *file = slice->file;
    uint64_t number = kn_endgame_number(&prober->tables->ranks, m, p), block = number >> file->shift;
    uint32_t value;
    KN_ASSERT(block < file->head.blocks);
    if (file->index[block].bytes) {
        const unsigned char *values = slice->blocks[block];
        if (!values && !(values = fetch_block(prober, slice, block))) return false;
        value = kn_endgame_value(values, file->head.width, (uint32_t)number & (file->per_block - 1));
    } else
        value = (uint32_t)file->index[block].at;
    if (file->head.kind == KN_ENDGAME_WLD) {
        static const int8_t values[4] = {0, 1, -1, 0};
        answer->value = values[value & 3];
        answer->plies = answer->value ? -1 : 0;
    } else {
        answer->value = !value ? 0 : value % 2 ? -1 : 1;
        answer->plies = value ? (int)value - 1 : 0;
    }
    return true;
}

/* Whether `a` is better than `b` for whom they are seen by: wins soon, losses late. */
static bool better(KnEndgameAnswer a, KnEndgameAnswer b)
{
    if (a.value != b.value) return a.value > b.value;
    return a.plies >= 0 && b.plies >= 0 && (a.value > 0 ? a.plies < b.plies : a.plies > b.plies);
}

/* The answer after a move, for who made it. */
static KnEndgameAnswer before(KnEndgameAnswer after)
{
    return (KnEndgameAnswer){-after.value, after.value && after.plies >= 0 ? after.plies + 1 : after.plies};
}

/* Of a position seen by its mover. Captures lead to smaller slices, so that this ends. */
static bool ask(KnEndgameProber *prober, const KnCheckersPosition *p, KnEndgameAnswer *answer)
{
    if (!p->pieces[0] || !p->pieces[1]) {
        *answer = p->pieces[0] ? (KnEndgameAnswer){1, 1} : (KnEndgameAnswer){-1, 0};
        return true;
    }
    if (!kn_checkers_can_jump(p, KN_CHECKERS_BLACK)) return look_up(prober, p, answer);
    KnMove moves[KN_CHECKERS_MOVES_MAX];
    int count = kn_checkers_generate(p, moves);
    for (int i = 0; i < count; i++) {
        KnCheckersPosition next = *p;
        KnEndgameAnswer after;
        kn_checkers_apply(&next, moves[i], 0);
        next = kn_endgame_view(&next);
        if (!ask(prober, &next, &after)) return false;
        after = before(after);
        if (i == 0 || better(after, *answer))
            *answer = after;
        else if (after.value == answer->value && after.plies < 0)
            answer->plies = -1;
    }
    return true;
}

static int pieces_of(const KnCheckersPosition *p)
{
    return kn_checkers_popcount((uint64_t)p->pieces[0] << 32 | p->pieces[1]);
}

bool kn_endgame_ask(KnEndgameProber *prober, const void *position, KnEndgameAnswer *answer)
{
    const KnCheckersPosition *p = position;
    if (pieces_of(p) > KN_ENDGAME_PIECES) return false;
    prober->asked++;
    KnCheckersPosition view = kn_endgame_view(p);
    return ask(prober, &view, answer);
}

bool kn_endgame_ask_move(KnEndgameProber *prober, const void *position, KnMove move, KnEndgameAnswer *answer)
{
    KnCheckersPosition next = *(const KnCheckersPosition *)position;
    kn_checkers_apply(&next, move, 0);
    if (!kn_endgame_ask(prober, &next, answer)) return false;
    *answer = before(*answer);
    return true;
}

int kn_endgame_stage(const void *position)
{
    const KnCheckersPosition *p = position;
    if (pieces_of(p) > KN_ENDGAME_PIECES) return -1;
    KnCheckersPosition black = *p;
    black.mover = KN_CHECKERS_BLACK;
    return kn_material_id(kn_material_of(&black));
}

void kn_endgame_answer_text(KnEndgameAnswer answer, KnText *out)
{
    kn_text_add(out, answer.value > 0 ? "won" : answer.value < 0 ? "lost" : "drawn");
    if (answer.value && answer.plies >= 0)
        kn_text_printf(out, " in %d %s", answer.plies, answer.plies == 1 ? "ply" : "plies");
}
