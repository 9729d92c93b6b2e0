#include "arena/identity.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/command.h"
#include "base/file.h"
#include "games/checkers/endgame.h"
#include "players/player.h"

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

/* What is added, and to what. */
typedef struct Identity {
    const KnContext *context;
    KnDigest *digest;
    KnText *doubt; /* may be NULL */
    bool contents; /* only what the spec names and the player does not write */
} Identity;

static void add_doubt(const Identity *identity, const char *what, const char *why)
{
    if (!identity->doubt) return;
    if (identity->doubt->length) kn_text_add(identity->doubt, "; ");
    kn_text_printf(identity->doubt, "\"%.200s\": %s", what, why);
}

/* A plug-in may change under the name of its type: the digest of its file is part of the identity. What the
 * calling program registered itself (a function of Python's, say) has none. */
static void add_origins(const Identity *identity, const KnSpec *spec)
{
    static const KnKind kinds[] = {KN_KIND_GAME, KN_KIND_PLAYER, KN_KIND_EVALUATION};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *origin = kn_origin(identity->context, kinds[i], spec->text);
        if (origin && strcmp(origin, KN_ORIGIN_PROGRAM) == 0)
            add_doubt(identity, spec->text, "the calling program registered it, and may have changed");
        else if (origin)
            kn_digest_string(identity->digest, origin);
    }
}

static KnStatus add_file(const Identity *identity, const char *name, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    struct stat info;
    kn_context_file(identity->context, name, &path);
    KnStatus status = stat(path.data, &info) == 0 && S_ISREG(info.st_mode)
                          ? kn_digest_file(identity->digest, path.data, error)
                          : KN_OK;
    kn_text_free(&path);
    return status;
}

/* A foreign engine may change behind its command. */
static KnStatus add_engine(const Identity *identity, const KnSpec *spec, KnError *error)
{
    const KnThing *thing = kn_find(identity->context, KN_KIND_PLAYER, spec->text);
    if (!thing || !((const KnPlayerType *)thing)->foreign) return KN_OK;
    const KnSpec *command = NULL;
    for (const KnSpec *arg = spec->args; arg && !command; arg = arg->next)
        if (!arg->key || strcasecmp(arg->key, "command") == 0) command = arg;
    if (!command) return KN_OK; /* the player complains */
    KnText doubt = KN_TEXT_EMPTY;
    KnStatus status = kn_command_identity(command->text, identity->digest, &doubt, error);
    if (doubt.length) add_doubt(identity, command->text, doubt.data);
    kn_text_free(&doubt);
    return status;
}

/* A player that learns in its file changes it by playing. */
static bool writes_its_file(const KnSpec *spec)
{
    for (const KnSpec *arg = spec->args; arg; arg = arg->next)
        if (!arg->key && arg->sign != '-' && strcasecmp(arg->text, "learn") == 0) return true;
    return false;
}

static KnStatus add_spec(const Identity *identity, const KnSpec *spec, KnError *error)
{
    bool written = identity->contents && writes_its_file(spec);
    add_origins(identity, spec);
    KnStatus status = spec->kind == KN_SPEC_NAME ? add_engine(identity, spec, error) : KN_OK;
    bool asks = !identity->contents && spec->kind == KN_SPEC_NAME && strcasecmp(spec->text, "alphabeta") == 0;
    for (const KnSpec *arg = spec->args; arg && asks; arg = arg->next)
        asks = !arg->key || strcasecmp(arg->key, "tables") != 0;
    if (asks) add_tables(identity->context, identity->digest, "on"); /* tables=auto */
    for (const KnSpec *arg = spec->args; arg && status == KN_OK; arg = arg->next) {
        if (arg->kind != KN_SPEC_NUMBER && !arg->args && !written)
            status = add_file(identity, arg->text, error);
        if (arg->key && strcasecmp(arg->key, "tables") == 0)
            add_tables(identity->context, identity->digest,
                       strcasecmp(arg->text, "auto") == 0 ? "on" : arg->text);
        if (status == KN_OK && arg->kind == KN_SPEC_NAME) status = add_spec(identity, arg, error);
    }
    return status;
}

KnStatus kn_identity_spec(const KnContext *context, KnDigest *digest, const char *text, KnText *doubt,
                          KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnText canonical = KN_TEXT_EMPTY;
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "identifying a run");
    if (status == KN_OK) {
        kn_spec_print(spec, &canonical);
        kn_digest_string(digest, canonical.data);
        Identity identity = {context, digest, doubt, false};
        status = add_spec(&identity, spec, error);
    }
    kn_text_free(&canonical);
    kn_arena_free(arena);
    return status;
}

KnStatus kn_identity_contents(const KnContext *context, const char *text, char hex[KN_HEX128], KnText *doubt,
                              KnError *error)
{
    KnDigest nothing, digest;
    char empty[KN_HEX128];
    kn_digest_start(&nothing);
    kn_digest_hex(&nothing, empty);
    kn_digest_start(&digest);
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "looking at the files of a spec");
    Identity identity = {context, &digest, doubt, true};
    if (status == KN_OK) status = add_spec(&identity, spec, error);
    kn_digest_hex(&digest, hex);
    if (strcmp(hex, empty) == 0) hex[0] = 0;
    kn_arena_free(arena);
    return status;
}
