/* Games as shared objects, loaded at run time.
 *
 * A plug-in is one C file: the rules as a KnGameType (games/game.h), and one line that shows them to the
 * world:
 *
 *     static const KnGameType drop = {.head = {"drop", "three in a row, dropped from above", NULL}, .open =
 * open, ...}; KN_PLUGIN(&drop);
 *
 *     cc -shared -fPIC drop.c $(pkg-config --cflags knack) -o drop.so
 *     knack match drop 'alphabeta(depth=6)' uct --plugin ./drop.so
 *
 * The line records for which layout of the interface it was compiled; what was built for another is refused
 * before any of it runs. A plug-in is code that runs with all the rights of the process: it is named on the
 * command line, in $KNACK_PLUGINS or in a call of this library, never in a spec, so that nobody can name one
 * over HTTP.
 *
 * Ownership: what was loaded stays until the process ends, since contexts and games point into it. */
#ifndef KNACK_GAMES_PLUGIN_H
#define KNACK_GAMES_PLUGIN_H

#include "games/game.h"

/* Raised with every change of the interface that a plug-in must be compiled anew for; the sizes catch what
 * that forgets. */
#define KN_PLUGIN_INTERFACE 1

typedef struct KnPlugin {
    uint32_t mark;                  /* KN_PLUGIN_MARK */
    uint32_t interface;             /* KN_PLUGIN_INTERFACE */
    uint32_t type_size;             /* of KnGameType */
    uint32_t game_size;             /* of KnGame */
    const KnGameType *const *games; /* ends with NULL */
} KnPlugin;

#define KN_PLUGIN_MARK   0x6b6e6163u
#define KN_PLUGIN_SYMBOL "kn_plugin"

/* The one line: the games that the file offers, by their addresses. */
#define KN_PLUGIN(...)                                                                                       \
    static const KnGameType *const kn_plugin_games[] = {__VA_ARGS__, NULL};                                  \
    extern const KnPlugin kn_plugin;                                                                         \
    __attribute__((visibility("default"))) const KnPlugin kn_plugin = {                                      \
        KN_PLUGIN_MARK, KN_PLUGIN_INTERFACE, sizeof(KnGameType), sizeof(KnGame), kn_plugin_games}

/* Loads a file and registers its games, all or none. `path` is a file's name, never looked for anywhere else.
 */
KnStatus kn_plugin_load(KnContext *context, const char *path, KnError *error);

#endif
