/* knack methods: which methods run on which games, and what is missing where they do not. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "players/player.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Opens a game by its name alone; NULL, with the reason, if it needs options. */
static KnGame *open_plain(const KnContext *context, const KnThing *thing, KnError *error)
{
    KnGame *game;
    return kn_game_open(context, thing->name, &game, error) == KN_OK ? game : NULL;
}

static KnStatus ask(const KnPlayerType *player, const KnGame *game, KnError *error)
{
    return player->suits ? player->suits(game, error) : KN_OK;
}

static json_t *methods_json(const KnContext *context, KnGame *const *games, size_t count)
{
    json_t *rows = json_array();
    for (size_t p = 0; p < kn_registered(context, KN_KIND_PLAYER); p++) {
        const KnPlayerType *player = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, p);
        for (size_t g = 0; g < count; g++) {
            KnError error;
            if (!games[g]) continue;
            bool runs = ask(player, games[g], &error) == KN_OK;
            json_t *row = json_pack("{ss ss sb}", "method", player->head.name, "game", games[g]->spec, "runs", runs);
            if (!runs) json_object_set_new(row, "missing", json_string(error.text));
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

/* How many of the players that follow are rows of the same table, with the same needs. */
static size_t count_alike(const KnContext *context, size_t index)
{
    const KnPlayerType *first = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, index);
    size_t end = index + 1;
    while (first->suits && end < kn_registered(context, KN_KIND_PLAYER)) {
        const KnPlayerType *player = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, end);
        if (player->suits != first->suits || player->choose != first->choose) break;
        end++;
    }
    return end - index - 1;
}

/* A table of marks, and below it what the numbers in it stand for. */
static void print_methods(const KnContext *context, KnGame *const *games, size_t count)
{
    enum { NOTES = 64 };
    char notes[NOTES][KN_ERROR_TEXT];
    int used = 0;
    printf("%-12s", "");
    for (size_t g = 0; g < count; g++)
        if (games[g]) printf(" %10.10s", games[g]->type->head.name);
    puts("");
    for (size_t p = 0; p < kn_registered(context, KN_KIND_PLAYER); p++) {
        const KnPlayerType *player = (const KnPlayerType *)kn_registered_at(context, KN_KIND_PLAYER, p);
        size_t alike = count_alike(context, p);
        printf("%-12s", player->head.name);
        for (size_t g = 0; g < count; g++) {
            if (!games[g]) continue;
            KnError error;
            if (ask(player, games[g], &error) == KN_OK) {
                printf(" %10s", "runs");
                continue;
            }
            int note = 0;
            while (note < used && strcmp(notes[note], error.text) != 0) note++;
            if (note == used && used < NOTES) strcpy(notes[used++], error.text);
            char mark[16];
            snprintf(mark, sizeof mark, "(%d)", note + 1);
            printf(" %10s", mark);
        }
        if (alike) printf("  and %zu more strategies", alike);
        puts("");
        p += alike;
    }
    for (int note = 0; note < used; note++) printf("%s(%d) %s\n", note ? "" : "\n", note + 1, notes[note]);
}

int command_methods(int argc, char **argv)
{
    CliCommon common = {0};
    const struct argp argp = {NULL, parse, NULL,
                              "Shows which methods run on which games, and what is missing where they do not.\v"
                              "Games that need options (gdl wants a file) are left out; every method that says \"runs\" here can be "
                              "used in play, match, explain and tournament.",
                              cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &common);
    KnContext *context;
    int code = cli_open(&common, &context);
    if (code) return code;
    size_t count = kn_registered(context, KN_KIND_GAME);
    KnGame *games[count];
    for (size_t g = 0; g < count; g++) {
        KnError error;
        games[g] = open_plain(context, kn_registered_at(context, KN_KIND_GAME, g), &error);
    }
    if (common.json) code = cli_print_json(methods_json(context, games, count));
    else {
        print_methods(context, games, count);
        code = cli_finish();
    }
    for (size_t g = 0; g < count; g++) kn_game_close(games[g]);
    kn_context_free(context);
    return code;
}
