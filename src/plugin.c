/* Loading of plug-ins (<knack/plugin.h>). */
#include <knack/plugin.h>

#include <dlfcn.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/context.h"
#include "base/file.h"
#include "base/hash.h"

enum { PLUGIN_BYTES_MAX = 1 << 30 };

/* ---- What each kind requires ---- */

static const char *missing_in_game(const KnThing *thing)
{
    const KnGameType *type = (const KnGameType *)thing;
    bool alternating = type->mover && type->moves && type->play;
    bool simultaneous = type->movers && type->moves_of && type->play_joint;
    return !type->open                     ? "open"
           : !type->start                  ? "start"
           : !alternating && !simultaneous ? "mover, moves and play (or movers, moves_of and play_joint)"
           : !type->payoffs                ? "payoffs"
           : !type->hash                   ? "hash"
           : !type->move_text              ? "move_text"
           : !type->position_text          ? "position_text"
           : !type->parse_position         ? "parse_position"
           : !type->draw                   ? "draw"
                                           : NULL;
}

static const char *missing_in_player(const KnThing *thing)
{
    return ((const KnPlayerType *)thing)->choose ? NULL : "choose";
}

static const char *missing_in_evaluation(const KnThing *thing)
{
    return ((const KnEvaluationType *)thing)->open ? NULL : "open";
}

typedef struct Kind {
    KnKind kind;
    uint32_t version;
    size_t type_size, instance_size;
    const char *(*missing)(const KnThing *thing); /* the name of a required hook, or NULL */
} Kind;

static const Kind kinds[] = {
    {KN_KIND_GAME, KN_GAME_INTERFACE, sizeof(KnGameType), sizeof(KnGame), missing_in_game},
    {KN_KIND_PLAYER, KN_PLAYER_INTERFACE, sizeof(KnPlayerType), sizeof(KnPlayer), missing_in_player},
    {KN_KIND_EVALUATION, KN_EVALUATION_INTERFACE, sizeof(KnEvaluationType), sizeof(KnEvaluation),
     missing_in_evaluation},
};

static const Kind *find_kind(uint32_t kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((uint32_t)kinds[i].kind == kind) return &kinds[i];
    return NULL;
}

/* ---- Checks, all of them before the first type is registered ---- */

static KnStatus check_version(const char *of, uint32_t theirs, uint32_t ours, KnError *error)
{
    return theirs == ours
               ? KN_OK
               : kn_fail(error, KN_INPUT,
                         "built for version %u of the %s interface, and this is version %u; compile "
                         "it again with the headers of knack %s",
                         theirs, of, ours, KNACK_VERSION);
}

static KnStatus check_type(const KnContext *context, const KnPluginType *row, KnError *error)
{
    const Kind *kind = find_kind(row->kind);
    if (!kind)
        return kn_fail(error, KN_INPUT,
                       "a plug-in holds games, players and evaluations; kind %u is none of these", row->kind);
    const char *of = kn_kind_name(kind->kind);
    KnStatus status = check_version(of, row->version, kind->version, error);
    if (status != KN_OK) return status;
    if (row->type_size != kind->type_size || row->instance_size != kind->instance_size)
        return kn_fail(
            error, KN_INPUT,
            "built with other headers than those of knack %s (a %s type has %u bytes there and %zu "
            "here); compile it again",
            KNACK_VERSION, of, row->type_size, kind->type_size);
    if (!row->type || !row->type->name || !row->type->name[0] || !row->type->summary)
        return kn_fail(error, KN_INPUT, "its %s has no name or no summary", of);
    const char *missing = kind->missing(row->type);
    if (missing) return kn_fail(error, KN_INPUT, "the %s \"%s\" has no %s", of, row->type->name, missing);
    if (kn_find(context, kind->kind, row->type->name))
        return kn_fail(error, KN_INPUT, "the %s \"%s\" is there already; give yours another name", of,
                       row->type->name);
    return KN_OK;
}

static KnStatus check_plugin(const KnContext *context, const KnPlugin *plugin, KnError *error)
{
    if (plugin->mark != KN_PLUGIN_MARK)
        return kn_fail(error, KN_INPUT,
                       "its symbol " KN_PLUGIN_SYMBOL " was not made by KN_PLUGIN (<knack/plugin.h>)");
    KnStatus status = check_version("plug-in", plugin->version, KN_PLUGIN_INTERFACE, error);
    if (status == KN_OK && (!plugin->count || !plugin->types))
        status = kn_fail(error, KN_INPUT, "it holds no game, player or evaluation");
    for (uint32_t i = 0; i < plugin->count && status == KN_OK; i++) {
        const KnPluginType *row = &plugin->types[i];
        status = check_type(context, row, error);
        for (uint32_t j = 0; j < i && status == KN_OK; j++)
            if (plugin->types[j].kind == row->kind &&
                strcasecmp(plugin->types[j].type->name, row->type->name) == 0)
                status = kn_fail(error, KN_INPUT, "it has two %ss of the name \"%s\"",
                                 kn_kind_name((KnKind)row->kind), row->type->name);
    }
    return status;
}

/* ---- Loading ---- */

static KnStatus digest_file(const char *path, char origin[KN_HEX128], KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &bytes, PLUGIN_BYTES_MAX, error);
    if (status == KN_OK) kn_hash128_hex(kn_hash128(bytes.data, bytes.length), origin);
    kn_text_free(&bytes);
    return status;
}

static KnStatus register_types(KnContext *context, const KnPlugin *plugin, const char *path, KnError *error)
{
    char origin[KN_HEX128];
    KnStatus status = check_plugin(context, plugin, error);
    if (status == KN_OK) status = digest_file(path, origin, error);
    for (uint32_t i = 0; status == KN_OK && i < plugin->count; i++) {
        const KnPluginType *row = &plugin->types[i];
        KN_ASSERT(find_kind(row->kind));
        status = kn_register_from(context, (KnKind)row->kind, row->type, origin, error);
    }
    return status;
}

/* Python's ctypes loads this library with local symbols; a plug-in needs them global. */
static void make_symbols_global(void)
{
    Dl_info library;
    if (!dladdr((const void *)kn_plugin_load, &library) || !library.dli_fname) return;
    void *again = dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (again) dlclose(again);
}

KnStatus kn_plugin_load(KnContext *context, const char *path, KnError *error)
{
    struct stat about;
    if (stat(path, &about) != 0) return kn_fail_errno(error, "plug-in %s", path);
    if (!S_ISREG(about.st_mode)) return kn_fail(error, KN_INPUT, "plug-in %s: not a file", path);
    make_symbols_global();
    KnText place = KN_TEXT_EMPTY; /* dlopen looks for a name without a slash among the system's libraries */
    kn_text_printf(&place, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *library = kn_text_ok(&place) ? dlopen(place.data, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
    kn_text_free(&place);
    if (!library)
        return kn_fail(error, KN_INPUT, "plug-in %s: not a shared object that can be loaded: %s", path,
                       dlerror());
    const KnPlugin *plugin = dlsym(library, KN_PLUGIN_SYMBOL);
    KnStatus status = plugin
                          ? register_types(context, plugin, path, error)
                          : kn_fail(error, KN_INPUT,
                                    "no symbol " KN_PLUGIN_SYMBOL
                                    "; end the file with KN_PLUGIN(KN_PLUGIN_GAME(...)); (<knack/plugin.h>)");
    dlclose(library); /* drops the reference only: RTLD_NODELETE keeps the library loaded */
    return status == KN_OK ? KN_OK : kn_fail_within(error, "plug-in %s", path);
}
