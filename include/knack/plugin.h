/* Plug-ins: games, players and evaluations in a shared object that is loaded at run time.
 *
 * A plug-in is one C file: types (KnGameType, KnPlayerType, KnEvaluationType), and one line that lists them:
 *
 *     static const KnGameType drop = {.head = {"drop", "three in a row"}, .open = open_drop, ...};
 *     static const KnPlayerType greedy = {.head = {"greedy", "looks one move ahead"}, .choose = choose, ...};
 *     KN_PLUGIN(KN_PLUGIN_GAME(drop), KN_PLUGIN_PLAYER(greedy));
 *
 *     cc -shared -fPIC drop.c $(pkg-config --cflags knack) -o drop.so
 *     knack match drop greedy random --plugin ./drop.so
 *
 * Each row records the version of its kind's interface and the sizes of its structs. A plug-in that was built
 * for another version is refused before any of it runs. A plug-in is not linked with libknack: it finds the
 * library in the program that loads it.
 *
 * A plug-in is code that runs with all rights of the process. It can be named on the command line, in
 * $KNACK_PLUGINS and in kn_plugin_load, but never in a spec, so that nobody can load one over HTTP.
 *
 * Ownership: a plug-in stays loaded until the process ends, since contexts, games and players point into it.
 */
#ifndef KNACK_PUBLIC_PLUGIN_H
#define KNACK_PUBLIC_PLUGIN_H

#include <knack/evaluation.h>
#include <knack/game.h>
#include <knack/player.h>

KN_BEGIN

/* Versions of the interfaces. A change after which plug-ins must be compiled again raises the version of its
 * kind; the sizes catch what that forgets. */
#define KN_PLUGIN_INTERFACE     2 /* of KnPlugin and KnPluginType */
#define KN_GAME_INTERFACE       4
#define KN_PLAYER_INTERFACE     3
#define KN_EVALUATION_INTERFACE 2

typedef struct KnPluginType {
    uint32_t kind;          /* KnKind */
    uint32_t version;       /* KN_GAME_INTERFACE, ... */
    uint32_t type_size;     /* of KnGameType, ... */
    uint32_t instance_size; /* of KnGame, ... */
    const KnThing *type;
} KnPluginType;

typedef struct KnPlugin {
    uint32_t mark;    /* KN_PLUGIN_MARK */
    uint32_t version; /* KN_PLUGIN_INTERFACE */
    uint32_t count;
    const KnPluginType *types;
} KnPlugin;

#define KN_PLUGIN_MARK   0x6b6e6163u
#define KN_PLUGIN_SYMBOL "kn_plugin"

/* The rows of a plug-in. */
#define KN_PLUGIN_GAME(type)                                                                                 \
    {                                                                                                        \
        KN_KIND_GAME, KN_GAME_INTERFACE, sizeof(KnGameType), sizeof(KnGame), &(type).head                    \
    }
#define KN_PLUGIN_PLAYER(type)                                                                               \
    {                                                                                                        \
        KN_KIND_PLAYER, KN_PLAYER_INTERFACE, sizeof(KnPlayerType), sizeof(KnPlayer), &(type).head            \
    }
#define KN_PLUGIN_EVALUATION(type)                                                                           \
    {                                                                                                        \
        KN_KIND_EVALUATION, KN_EVALUATION_INTERFACE, sizeof(KnEvaluationType), sizeof(KnEvaluation),         \
            &(type).head                                                                                     \
    }

/* The one line, at the end of the file. */
#define KN_PLUGIN(...)                                                                                       \
    static const KnPluginType kn_plugin_types[] = {__VA_ARGS__};                                             \
    extern KN_API const KnPlugin kn_plugin;                                                                  \
    const KnPlugin kn_plugin = {KN_PLUGIN_MARK, KN_PLUGIN_INTERFACE,                                         \
                                sizeof kn_plugin_types / sizeof *kn_plugin_types, kn_plugin_types}

/* Loads a plug-in and registers its types, all or none. `path` names a file; no folders are searched. */
KN_API KnStatus kn_plugin_load(KnContext *context, const char *path, KnError *error);

KN_END

#endif
