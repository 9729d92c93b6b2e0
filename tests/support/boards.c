#include "support/boards.h"

#include <string.h>

#include "support/check.h"
#include "support/instances.h"

KnGame *test_game(const char *spec)
{
    KnError error;
    KnGame *game;
    check_ok(error, kn_game_open(test_context(), spec, &game, &error));
    return game;
}

void test_game_close(KnGame *game)
{
    KnContext *context = (KnContext *)(uintptr_t)game->context;
    kn_game_close(game);
    kn_close(context);
}

void test_position(const KnGame *game, const char *text, void *position)
{
    KnError error;
    check_ok(error, game->type->parse_position(game, text, position, &error));
}

static const char *keep(KnText *text)
{
    static char kept[4][1024];
    static int next;
    char *slot = kept[next++ % 4];
    assert_true(text->length < sizeof kept[0]);
    memcpy(slot, text->data, text->length + 1);
    kn_text_free(text);
    return slot;
}

const char *test_position_text(const KnGame *game, const void *position)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->position_text(game, position, &text);
    return keep(&text);
}

const char *test_move_text(const KnGame *game, const void *position, KnMove move)
{
    KnText text = KN_TEXT_EMPTY;
    game->type->move_text(game, position, move, &text);
    return keep(&text);
}
