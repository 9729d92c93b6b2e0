#include "games/turns.h"

#include "games/gdl/gdl.h"
#include "games/sequential.h"

static KnStatus refuse(const KnGame *game, const char *why, KnError *error)
{
    return kn_fail(error, KN_INPUT, "%s: %s", game->spec, why);
}

static KnStatus check_sheet(const KnGame *game, KnError *error)
{
    const KnGdlAnalysis *found = kn_game_analysis(game);
    if (!found)
        return refuse(
            game, "its rules cannot be grounded, so that nothing tells whether its roles take turns", error);
    if (found->turns < KN_GDL_OBSERVED)
        return refuse(game, "its roles choose at once, and learning wants two who take turns", error);
    if (found->opposed[0][1] < KN_GDL_OBSERVED)
        return refuse(game,
                      "the goals of its roles do not add up to the same at every end, and learning wants two "
                      "who play for the same points",
                      error);
    return KN_OK;
}

KnStatus kn_game_takes_turns(const KnGame *game, KnError *error)
{
    bool two = game->roles == 2 && game->nature < 0;
    if (two && game->traits & KN_GAME_ZERO_SUM && !(game->traits & KN_GAME_SIMULTANEOUS)) return KN_OK;
    if (two && kn_game_gdl(game)) return check_sheet(game, error);
    return refuse(game, "learning wants a game of two players who take turns and play for the same points",
                  error);
}

/* ---- The board ---- */

static const KnGdlBoard *board_of(const KnGame *view)
{
    return &kn_game_analysis(kn_sequential_inner(view))->boards.list[0];
}

/* The symbol of a content: 0 for empty, then one for each other content. */
static int symbol_of(const KnGdlBoard *board, int content)
{
    if (content < 0) return 0;
    if (!board->content_count) return 1;
    if (board->letters[content] == '.') return 0;
    int symbol = 1;
    for (int i = 0; i < content; i++) symbol += board->letters[i] != '.';
    return symbol;
}

static int cell(const KnGame *view, const void *position, int index)
{
    const KnGdlBoard *board = board_of(view);
    return symbol_of(board, kn_gdl_board_at(board, kn_gdl_facts(position), index % board->columns,
                                            index / board->columns));
}

/* All cells at once: the analysis is looked up once, and so is the symbol of each content. */
static void fill(const KnGame *view, const void *position, uint8_t *cells)
{
    const KnGdlBoard *board = board_of(view);
    const uint64_t *state = kn_gdl_facts(position);
    int contents = board->content_count ? board->content_count : 1;
    uint8_t symbols[contents];
    for (int k = 0; k < contents; k++) symbols[k] = (uint8_t)symbol_of(board, k);
    const uint32_t *fact = board->facts;
    for (int i = 0; i < view->cells; i++) {
        cells[i] = 0;
        const uint32_t *end = fact + contents;
        for (int k = 0; fact < end; fact++, k++)
            if (*fact && state[(*fact - 1) / 64] >> (*fact - 1) % 64 & 1) {
                cells[i] = board->places[i] ? symbols[k] : 0;
                break;
            }
        fact = end;
    }
}

static void place(const KnGame *view, int index, double *x, double *y)
{
    const KnGdlBoard *board = board_of(view);
    *x = index % board->columns;
    *y = board->rows - 1 - index / board->columns;
}

static void name(const KnGame *view, int index, KnText *out)
{
    const KnGdlBoard *board = board_of(view);
    kn_text_add(out, board->column_names[index % board->columns]);
    if (board->rows > 1) kn_text_printf(out, "/%s", board->row_names[index / board->columns]);
}

static void show_board(KnGame *view)
{
    const KnGdlAnalysis *found = kn_game_analysis(kn_sequential_inner(view));
    if (!found || !found->boards.count) return;
    const KnGdlBoard *board = board_of(view);
    KnSequentialBoard shown = {.cells = board->columns * board->rows,
                               .symbols = ".",
                               .cell = cell,
                               .board = fill,
                               .place = place,
                               .name = name};
    for (int i = 0; i < board->content_count; i++) {
        int symbol = symbol_of(board, i);
        if (symbol >= KN_SEQUENTIAL_SYMBOLS - 1) return; /* too many contents */
        if (symbol) shown.symbols[symbol] = board->letters[i];
    }
    if (!board->content_count) shown.symbols[1] = 'x';
    kn_sequential_board(view, &shown);
}

/* ---- Roles that trade places ---- */

/* The place and the content that a fact shows; false if it is not on the board. */
static bool find_fact(const KnGdlBoard *board, uint32_t fact, int *at, int *content)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows;
    for (int i = 0; i < places * contents; i++)
        if (board->facts[i] == fact + 1) {
            *at = i / contents;
            *content = i % contents;
            return true;
        }
    return false;
}

bool kn_turns_exchange(const KnGame *view, uint16_t *cells, uint8_t *symbols)
{
    const KnGdlAnalysis *found = view->cells && kn_sequential_inner(view) != view
                                     ? kn_game_analysis(kn_sequential_inner(view))
                                     : NULL;
    if (!found || !found->fact_images || !found->boards.count) return false;
    const KnGdlBoard *board = board_of(view);
    int contents = board->content_count ? board->content_count : 1;
    bool mapped[KN_SEQUENTIAL_SYMBOLS] = {true}, taken[KN_SEQUENTIAL_SYMBOLS] = {false};
    symbols[0] = 0;
    for (int c = 0; c < view->cells; c++) {
        bool first = true;
        cells[c] = (uint16_t)c;
        for (int k = 0; k < contents; k++) {
            uint32_t fact = board->facts[c * contents + k];
            int at, content, from = symbol_of(board, k);
            if (!fact) continue;
            if (!find_fact(board, found->fact_images[fact - 1], &at, &content)) return false;
            int to = symbol_of(board, content);
            if ((!first && cells[c] != at) || (mapped[from] && symbols[from] != to)) return false;
            cells[c] = (uint16_t)at;
            symbols[from] = (uint8_t)to;
            mapped[from] = true;
            first = false;
        }
    }
    for (int s = 0; view->cell_symbols[s]; s++) {
        if (!mapped[s]) symbols[s] = (uint8_t)s; /* never on the board */
        if (taken[symbols[s]]) return false;
        taken[symbols[s]] = true;
    }
    return true;
}

KnStatus kn_game_turns(const KnGame *game, KnGame **view, KnError *error)
{
    *view = NULL;
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK || !(game->traits & KN_GAME_SIMULTANEOUS)) return status;
    status = kn_game_sequential(game, 0, view, error);
    if (status != KN_OK) return status;
    (*view)->traits |= KN_GAME_ZERO_SUM;
    show_board(*view);
    return KN_OK;
}

KnStatus kn_game_open_turns(const KnContext *context, const char *spec, KnGame **game, KnError *error)
{
    KnStatus status = kn_game_open(context, spec, game, error);
    if (status != KN_OK || !kn_game_gdl(*game)) return status;
    KnGame *view = NULL;
    KnError explanation; /* a game without turns is opened as it is; callers that need turns check */
    if (kn_game_turns(*game, &view, &explanation) != KN_OK || !view) return KN_OK;
    kn_sequential_own(view, *game);
    *game = view;
    return KN_OK;
}
