/* Games: the first line is a game's spec, the second a position, the rest moves. A position that is accepted
 * is a position by the game's own check, prints to a text that reads back to the same bytes, and stays so
 * whatever legal moves are played. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "games/game.h"

enum { LINES_MAX = 64 };

static void check_position(const KnGame *game, const void *position)
{
    KnError error = {KN_OK, ""};
    const KnGameType *type = game->type;
    if (type->check) fuzz_must(type->check(game, position, &error) == KN_OK);
    if (!type->position_text || !type->parse_position) return;
    KnText text = KN_TEXT_EMPTY;
    void *again = aligned_alloc(16, (game->position_size + 15) / 16 * 16);
    type->position_text(game, position, &text);
    if (again && kn_text_ok(&text)) {
        fuzz_must(!strchr(text.data, '\n'));
        fuzz_must(type->parse_position(game, text.data, again, &error) == KN_OK);
        fuzz_must(memcmp(position, again, game->position_size) == 0);
    }
    free(again);
    kn_text_free(&text);
}

/* Reads the text as a move of every role that has one; plays it, the others taking their first. False if
 * nobody can. */
static bool play_text(const KnGame *game, void *position, const char *text, KnMove *moves)
{
    KnMove joint[KN_ROLES_MAX];
    uint32_t movers = kn_game_movers(game, position);
    bool played = false;
    for (int role = 0; role < game->roles; role++) {
        joint[role] = KN_MOVE_NONE;
        if (!(movers & 1u << role)) continue;
        KnError error = {KN_OK, ""};
        KnMove move;
        int count = kn_game_moves_of(game, position, role, moves);
        fuzz_must(count > 0 && count <= game->max_moves);
        KnStatus status = kn_game_parse_move(game, position, role, text, &move, &error);
        fuzz_must(status == KN_OK || (status == KN_INPUT && error.text[0]));
        joint[role] = moves[0];
        for (int i = 0; i < count && status == KN_OK; i++)
            if (moves[i] == move) {
                joint[role] = move;
                played = true;
                break;
            } else {
                fuzz_must(i + 1 < count); /* what is read must be legal */
            }
    }
    if (played) kn_game_play_joint(game, position, joint);
    return played;
}

static void play_lines(const KnGame *game, char **lines, int count)
{
    KnError error = {KN_OK, ""};
    void *position = aligned_alloc(16, (game->position_size + 15) / 16 * 16);
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    if (position && moves) {
        game->type->start(game, position);
        KnStatus status = KN_OK;
        if (count > 0 && lines[0][0] && game->type->parse_position)
            status = game->type->parse_position(game, lines[0], position, &error);
        fuzz_must(status == KN_OK || (status == KN_INPUT && error.text[0]));
        if (status == KN_OK) check_position(game, position);
        for (int i = 1; i < count && status == KN_OK && play_text(game, position, lines[i], moves); i++)
            check_position(game, position);
    }
    free(moves);
    free(position);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1), *lines[LINES_MAX];
    KnContext *context = kn_context_new();
    KnError error = {KN_OK, ""};
    KnGame *game;
    if (text && context && kn_games_register(context, &error) == KN_OK) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        int count = 0;
        for (char *rest = text; rest && count < LINES_MAX;) lines[count++] = strsep(&rest, "\n");
        /* No files: what a path names is not the fuzzer's business. */
        if (!strpbrk(lines[0], ":\"/.") && kn_game_open(context, lines[0], &game, &error) == KN_OK) {
            play_lines(game, lines + 1, count - 1);
            kn_game_close(game);
        }
    }
    kn_close(context);
    free(text);
    return 0;
}
