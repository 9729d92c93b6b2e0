#include "games/plugin.h"

#include <dlfcn.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"

enum { FILE_MOST = 1 << 30 };

static KnStatus check_layout(const KnPlugin *plugin, KnError *error)
{
    if (plugin->mark != KN_PLUGIN_MARK)
        return kn_fail(error, KN_INPUT,
                       "its symbol " KN_PLUGIN_SYMBOL " was not made by KN_PLUGIN (games/plugin.h)");
    if (plugin->interface != KN_PLUGIN_INTERFACE)
        return kn_fail(error, KN_INPUT,
                       "built for version %u of the plug-in interface, and this is version %d; compile it "
                       "anew with the headers of knack %s",
                       plugin->interface, KN_PLUGIN_INTERFACE, KNACK_VERSION);
    if (plugin->type_size != sizeof(KnGameType) || plugin->game_size != sizeof(KnGame))
        return kn_fail(error, KN_INPUT,
                       "built with other headers than those of knack %s (a game's table has %u bytes there "
                       "and %zu here); compile it anew",
                       KNACK_VERSION, plugin->type_size, sizeof(KnGameType));
    return KN_OK;
}

/* What no game can do without. */
static KnStatus check_type(const KnGameType *type, KnError *error)
{
    const char *name = type->head.name;
    if (!name || !*name || !type->head.summary)
        return kn_fail(error, KN_INPUT, "a game without a name or a summary");
    bool alternating = type->mover && type->moves && type->play;
    bool simultaneous = type->movers && type->moves_of && type->play_joint;
    const char *missing = !type->open    ? "open"
                          : !type->start ? "start"
                          : !alternating && !simultaneous
                              ? "mover, moves and play (or movers, moves_of and play_joint)"
                          : !type->payoffs        ? "payoffs"
                          : !type->hash           ? "hash"
                          : !type->move_text      ? "move_text"
                          : !type->position_text  ? "position_text"
                          : !type->parse_position ? "parse_position"
                          : !type->draw           ? "draw"
                                                  : NULL;
    return missing ? kn_fail(error, KN_INPUT, "the game \"%s\" has no %s", name, missing) : KN_OK;
}

/* All are looked at before the first is registered. */
static KnStatus register_games(KnContext *context, const KnPlugin *plugin, const char *origin, KnError *error)
{
    KnStatus status = plugin->games && plugin->games[0] ? KN_OK
                                                        : kn_fail(error, KN_INPUT, "it offers no game");
    for (const KnGameType *const *at = plugin->games; status == KN_OK && *at; at++) {
        status = check_type(*at, error);
        if (status == KN_OK && kn_find(context, KN_KIND_GAME, (*at)->head.name))
            status = kn_fail(error, KN_INPUT, "there is a game \"%s\" already; give yours another name",
                             (*at)->head.name);
        for (const KnGameType *const *before = plugin->games; status == KN_OK && before < at; before++)
            if (strcasecmp((*before)->head.name, (*at)->head.name) == 0)
                status = kn_fail(error, KN_INPUT, "it offers two games of the name \"%s\"", (*at)->head.name);
    }
    for (const KnGameType *const *at = plugin->games; status == KN_OK && *at; at++)
        status = kn_register_from(context, KN_KIND_GAME, &(*at)->head, origin, error);
    return status;
}

static KnStatus digest_file(const char *path, char origin[KN_HEX128], KnError *error)
{
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &bytes, FILE_MOST, error);
    if (status == KN_OK) kn_hash128_hex(kn_hash128(bytes.data, bytes.length), origin);
    kn_text_free(&bytes);
    return status;
}

/* A program may have loaded this library for itself alone (as Python's ctypes does); a plug-in has to find it
 * too. */
static void show_library(void)
{
    Dl_info about;
    if (!dladdr((const void *)kn_plugin_load, &about) || !about.dli_fname) return;
    void *library = dlopen(about.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    if (library) dlclose(library);
}

KnStatus kn_plugin_load(KnContext *context, const char *path, KnError *error)
{
    struct stat about;
    if (stat(path, &about) != 0) return kn_fail_errno(error, "plug-in %s", path);
    if (!S_ISREG(about.st_mode)) return kn_fail(error, KN_INPUT, "plug-in %s: not a file", path);
    show_library();
    KnText place =
        KN_TEXT_EMPTY; /* a name without a slash would be looked for among the system's libraries */
    kn_text_printf(&place, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *library = kn_text_ok(&place) ? dlopen(place.data, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
    kn_text_free(&place);
    if (!library)
        return kn_fail(error, KN_INPUT, "plug-in %s: not a shared object that can be loaded: %s", path,
                       dlerror());
    const KnPlugin *plugin = dlsym(library, KN_PLUGIN_SYMBOL);
    KnStatus status = plugin ? check_layout(plugin, error)
                             : kn_fail(error, KN_INPUT,
                                       "no symbol " KN_PLUGIN_SYMBOL
                                       "; the file of the game ends with KN_PLUGIN(&GAME); (games/plugin.h)");
    char origin[KN_HEX128];
    if (status == KN_OK) status = digest_file(path, origin, error);
    if (status == KN_OK) status = register_games(context, plugin, origin, error);
    dlclose(library); /* counts only: nothing is unloaded */
    return status == KN_OK ? KN_OK : kn_fail_within(error, "plug-in %s", path);
}
