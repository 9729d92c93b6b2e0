#include "arena/identity.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "games/checkers/endgame.h"

enum { KNOWLEDGE_FILE_MAX = 1 << 30 };

/* Endgame tables are many files with sums of their own. A folder that cannot be opened is the player's to
 * complain about. */
static void add_tables(const KnContext *context, KnDigest *digest, const char *name)
{
    KnText folder = KN_TEXT_EMPTY;
    KnEndgame *tables;
    kn_endgame_folder(context, name, &folder);
    if (kn_endgame_open_folder(folder.data, KN_ENDGAME_KINDS, &tables, NULL) == KN_OK) {
        kn_endgame_fingerprint(tables, digest);
        kn_endgame_close(tables);
    }
    kn_text_free(&folder);
}

/* A plug-in may change under the name of its type: the digest of its file is part of the identity. */
static void add_origins(const KnContext *context, KnDigest *digest, const KnSpec *spec)
{
    static const KnKind kinds[] = {KN_KIND_GAME, KN_KIND_PLAYER, KN_KIND_EVALUATION};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *origin = kn_origin(context, kinds[i], spec->text);
        if (origin) kn_digest_string(digest, origin);
    }
}

static KnStatus add_files(const KnContext *context, KnDigest *digest, const KnSpec *spec, KnError *error)
{
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        struct stat info;
        KnStatus status = KN_OK;
        if (arg->kind != KN_SPEC_NUMBER && !arg->args && stat(arg->text, &info) == 0 &&
            S_ISREG(info.st_mode)) {
            KnText content = KN_TEXT_EMPTY;
            status = kn_file_read(arg->text, &content, KNOWLEDGE_FILE_MAX, error);
            if (status == KN_OK) {
                kn_digest_u64(digest, content.length);
                kn_digest_add(digest, content.data, content.length);
            }
            kn_text_free(&content);
        }
        if (arg->key && strcmp(arg->key, "tables") == 0) add_tables(context, digest, arg->text);
        if (arg->kind == KN_SPEC_NAME) add_origins(context, digest, arg);
        if (status == KN_OK) status = add_files(context, digest, arg, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

KnStatus kn_identity_spec(const KnContext *context, KnDigest *digest, const char *text, KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnText canonical = KN_TEXT_EMPTY;
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "identifying a run");
    if (status == KN_OK) {
        kn_spec_print(spec, &canonical);
        kn_digest_string(digest, canonical.data);
        add_origins(context, digest, spec);
        status = add_files(context, digest, spec, error);
    }
    kn_text_free(&canonical);
    kn_arena_free(arena);
    return status;
}
