#include "games/exchange.h"

#include <string.h>

#include "games/turns.h"

/* Empty cells and one kind of man for each role: the men trade places. */
static bool exchange_men(const KnGame *game, uint16_t *cells, uint8_t *symbols)
{
    for (int c = 0; c < game->cells; c++) cells[c] = (uint16_t)c;
    symbols[0] = 0;
    symbols[1] = 2;
    symbols[2] = 1;
    return true;
}

bool kn_game_exchange(const KnGame *game, uint16_t *cells, uint8_t *symbols)
{
    /* Morris would belong here, but its networks learn no better by it. */
    static const char *const alike[] = {"fives", "tictactoe"};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (strcmp(game->type->head.name, alike[i]) == 0) return exchange_men(game, cells, symbols);
    return kn_turns_exchange(game, cells, symbols);
}
