/* Plug-ins whose tables are wrong in one place: each is refused, by name, and nothing of it is registered. */
#include "support/check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/plugin.h>

#include "base/context.h"

typedef void (*Hook)(void);

static void never(void) { fail_msg("a hook is called while a plug-in is loaded"); }

#define SET(type, hook) memcpy(&(type).hook, &hook_of_all, sizeof(Hook))

static const Hook hook_of_all = never;

enum { TYPES = 4 };

/* A whole plug-in: two games, one of them of simultaneous moves, a player and an evaluation. */
typedef struct Parts {
    KnGameType turns, joint;
    KnPlayerType player;
    KnEvaluationType evaluation;
    KnPluginType rows[TYPES];
} Parts;

static void fill_game(KnGameType *game, const char *name)
{
    *game = (KnGameType){.head = {name, "a game", NULL}};
    SET(*game, open), SET(*game, start), SET(*game, payoffs), SET(*game, hash), SET(*game, move_text);
    SET(*game, position_text), SET(*game, parse_position), SET(*game, draw);
}

static void fill(Parts *parts, KnPlugin *plugin)
{
    memset(parts, 0, sizeof *parts);
    fill_game(&parts->turns, "turning");
    SET(parts->turns, mover), SET(parts->turns, moves), SET(parts->turns, play);
    fill_game(&parts->joint, "joining");
    SET(parts->joint, movers), SET(parts->joint, moves_of), SET(parts->joint, play_joint);
    parts->player.head = (KnThing){"turning", "a player of the same name", NULL};
    SET(parts->player, choose);
    parts->evaluation.head = (KnThing){"guessed", "an evaluation", NULL};
    SET(parts->evaluation, open);
    const KnPluginType rows[TYPES] = {KN_PLUGIN_GAME(parts->turns), KN_PLUGIN_GAME(parts->joint),
                                      KN_PLUGIN_PLAYER(parts->player),
                                      KN_PLUGIN_EVALUATION(parts->evaluation)};
    memcpy(parts->rows, rows, sizeof rows);
    *plugin = (KnPlugin){KN_PLUGIN_MARK, KN_PLUGIN_INTERFACE, TYPES, parts->rows};
}

static KnContext *open_context(void)
{
    KnContext *context;
    KnError error;
    check_ok(error, kn_open("data", &context, &error));
    return context;
}

static bool is_known(const KnContext *context)
{
    return kn_find(context, KN_KIND_GAME, "turning") || kn_find(context, KN_KIND_GAME, "joining") ||
           kn_find(context, KN_KIND_PLAYER, "turning") || kn_find(context, KN_KIND_EVALUATION, "guessed");
}

static void refuse(const char *words)
{
    KnError error;
    KnContext *context = open_context();
    check_fails(error, KN_INPUT, words, kn_plugin_load(context, "./table.so", &error));
    check_fails(error, KN_INPUT, "plug-in table.so: ", kn_plugin_load(context, "table.so", &error));
    assert_false(is_known(context));
    kn_close(context);
}

/* A shared object with a table that can be written. */
static KnPlugin *open_table(void)
{
    FILE *source = fopen("table.c", "w");
    assert_non_null(source);
    fputs("#include <knack/plugin.h>\nKN_API KnPlugin kn_plugin;\n", source);
    fclose(source);
    assert_int_equal(
        system("cc -std=gnu17 -shared -fPIC -I'" KNACK_SOURCE_DIR "/include' table.c -o table.so"), 0);
    void *library = dlopen("./table.so", RTLD_NOW);
    assert_non_null(library);
    return dlsym(library, KN_PLUGIN_SYMBOL);
}

static void test_tables(void **state)
{
    (void)state;
    KnPlugin *plugin = open_table();
    Parts parts;
    KnError error;
    fill(&parts, plugin);
    KnContext *context = open_context();
    check_ok(error, kn_plugin_load(context, "table.so", &error));
    assert_ptr_equal(kn_find(context, KN_KIND_GAME, "turning"), &parts.turns.head);
    assert_ptr_equal(kn_find(context, KN_KIND_GAME, "joining"), &parts.joint.head);
    assert_ptr_equal(kn_find(context, KN_KIND_PLAYER, "turning"), &parts.player.head);
    assert_ptr_equal(kn_find(context, KN_KIND_EVALUATION, "guessed"), &parts.evaluation.head);
    kn_close(context);

    static const struct {
        size_t offset;
        const char *name;
    } hooks[] = {{offsetof(KnGameType, open), "open"},
                 {offsetof(KnGameType, start), "start"},
                 {offsetof(KnGameType, mover), "mover, moves and play (or movers"},
                 {offsetof(KnGameType, moves), "mover, moves and play (or movers"},
                 {offsetof(KnGameType, play), "mover, moves and play (or movers"},
                 {offsetof(KnGameType, payoffs), "payoffs"},
                 {offsetof(KnGameType, hash), "hash"},
                 {offsetof(KnGameType, move_text), "move_text"},
                 {offsetof(KnGameType, position_text), "position_text"},
                 {offsetof(KnGameType, parse_position), "parse_position"},
                 {offsetof(KnGameType, draw), "draw"}};
    char words[100];
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        fill(&parts, plugin);
        memset((char *)&parts.turns + hooks[i].offset, 0, sizeof(Hook));
        snprintf(words, sizeof words, "the game \"turning\" has no %s", hooks[i].name);
        refuse(words);
    }
    static const size_t joint[] = {offsetof(KnGameType, movers), offsetof(KnGameType, moves_of),
                                   offsetof(KnGameType, play_joint)};
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++) {
        fill(&parts, plugin);
        memset((char *)&parts.joint + joint[i], 0, sizeof(Hook));
        refuse("the game \"joining\" has no mover, moves and play");
    }
    fill(&parts, plugin), parts.player.choose = NULL, refuse("the player \"turning\" has no choose");
    fill(&parts, plugin), parts.evaluation.open = NULL, refuse("the evaluation \"guessed\" has no open");
}

static void test_heads(void **state)
{
    (void)state;
    KnPlugin *plugin = open_table();
    Parts parts;
    fill(&parts, plugin), plugin->mark++, refuse("was not made by KN_PLUGIN");
    for (int by = -1; by <= 1; by += 2) {
        fill(&parts, plugin), plugin->version += (uint32_t)by, refuse("of the plug-in interface");
        static const char *const of[TYPES] = {"of the game interface", "of the game interface",
                                              "of the player interface", "of the evaluation interface"};
        for (int i = 0; i < TYPES; i++) {
            fill(&parts, plugin), parts.rows[i].version += (uint32_t)by, refuse(of[i]);
            fill(&parts, plugin), parts.rows[i].type_size += (uint32_t)by, refuse("built with other headers");
            fill(&parts, plugin), parts.rows[i].instance_size += (uint32_t)by,
                refuse("built with other headers");
        }
    }
    fill(&parts, plugin), plugin->count = 0, refuse("it holds no game, player or evaluation");
    fill(&parts, plugin), plugin->types = NULL, refuse("it holds no game, player or evaluation");
    fill(&parts, plugin), parts.rows[3].kind = 77, refuse("kind 77 is none of these");
    fill(&parts, plugin), parts.rows[2].type = NULL, refuse("its player has no name or no summary");
    fill(&parts, plugin), parts.player.head.name = NULL, refuse("its player has no name");
    fill(&parts, plugin), parts.player.head.name = "", refuse("its player has no name");
    fill(&parts, plugin), parts.player.head.summary = NULL, refuse("its player has no name or no summary");
    fill(&parts, plugin), parts.joint.head.name = "TURNING",
                          refuse("it has two games of the name \"TURNING\"");
    fill(&parts, plugin), parts.joint.head.name = "Go", refuse("the game \"Go\" is there already");
    fill(&parts, plugin), parts.evaluation.head.name = "blend",
                          refuse("the evaluation \"blend\" is there already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
