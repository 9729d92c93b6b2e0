#include "learn/board_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS_GOOD = 1 << 19, /* numbers in all rows that still stay in a processor's cache */
    ROWS_MOST = 1 << 26
};

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

/* The largest chunk whose rows stay small. */
static void choose_chunk(KnBoardRows *b)
{
    for (b->chunk = 4;; b->chunk /= 2) {
        b->chunks = (b->cells + b->chunk - 1) / b->chunk;
        b->codes = b->chunk == 1 ? b->symbols : power(b->symbols, b->chunk);
        if (b->chunk == 1 || (double)b->chunks * b->codes * b->width <= ROWS_GOOD) return;
    }
}

/* The row of a chunk and a code; the second side's with its exchange. */
static void fill_row(const KnBoardRows *b, const uint16_t *contributions, const KnBoardExchange *exchange,
                     int chunk, int code, uint16_t *row)
{
    memset(row, 0, (size_t)b->width * sizeof *row);
    for (int i = 0; i < b->chunk && chunk * b->chunk + i < b->cells; i++, code /= b->symbols) {
        int cell = chunk * b->chunk + i, symbol = code % b->symbols;
        if (exchange) {
            cell = exchange->cells[cell];
            symbol = exchange->symbols[symbol];
        }
        const uint16_t *part = contributions + (size_t)(cell * b->symbols + symbol) * (size_t)b->width;
        for (int p = 0; p < b->width; p++) row[p] = (uint16_t)(row[p] + part[p]);
    }
}

/* The chunk that the second side sees in the place of a chunk; -1 if its cells are not together. */
static int seen_chunk(const KnBoardRows *b, const KnBoardExchange *exchange, int chunk)
{
    int first = chunk * b->chunk, found = exchange->cells[first] / b->chunk, count = 0;
    for (int i = 0; i < b->chunk && first + i < b->cells; i++, count++)
        if (exchange->cells[first + i] / b->chunk != found) return -1;
    return count == b->chunk || found == b->chunks - 1 ? found : -1;
}

/* The code of chunk `chunk` in the eyes of the second side, which sees chunk `seen` there. */
static int seen_code(const KnBoardRows *b, const KnBoardExchange *exchange, int chunk, int seen, int code)
{
    int result = 0;
    for (int i = 0; i < b->chunk && chunk * b->chunk + i < b->cells; i++, code /= b->symbols)
        result += power(b->symbols, exchange->cells[chunk * b->chunk + i] - seen * b->chunk) *
                  exchange->symbols[code % b->symbols];
    return result;
}

static void fill_rows(KnBoardRows *b, const uint16_t *contributions, const KnBoardExchange *exchange)
{
    size_t width = (size_t)b->width;
    uint32_t own = (uint32_t)(b->chunks * b->codes); /* the second side's, where it has own rows */
    for (int chunk = 0; chunk < b->chunks; chunk++) {
        int seen = seen_chunk(b, exchange, chunk);
        for (int code = 0; code < b->codes; code++) {
            uint32_t at = (uint32_t)(chunk * b->codes + code), other = own;
            fill_row(b, contributions, NULL, chunk, code, b->rows + at * width);
            if (seen >= 0)
                other = (uint32_t)(seen * b->codes + seen_code(b, exchange, chunk, seen, code));
            else
                fill_row(b, contributions, exchange, chunk, code, b->rows + own++ * width);
            b->row_of[0][at] = at * (uint32_t)width;
            b->row_of[1][at] = other * (uint32_t)width;
        }
    }
}

KnStatus kn_board_rows_make(KnBoardRows *b, int cells, int symbols, int width, const uint16_t *contributions,
                            KnBoardExchange exchange, KnError *error)
{
    KN_ASSERT(width % KN_ROW_LANES == 0 && cells <= KN_ROW_CELLS);
    *b = (KnBoardRows){.cells = cells, .symbols = symbols, .width = width};
    choose_chunk(b);
    size_t count = (size_t)b->chunks * (size_t)b->codes, rows = count * (size_t)width;
    for (int chunk = 0; chunk < b->chunks; chunk++)
        if (seen_chunk(b, &exchange, chunk) < 0) rows += (size_t)b->codes * (size_t)width;
    if (rows > ROWS_MOST) return kn_fail(error, KN_INPUT, "the network is too large for its board");
    b->rows = aligned_alloc(32, rows * sizeof *b->rows);
    for (int side = 0; side < 2; side++) b->row_of[side] = calloc(count, sizeof *b->row_of[side]);
    if (!b->rows || !b->row_of[0] || !b->row_of[1]) return kn_fail_memory(error, "making a network");
    fill_rows(b, contributions, &exchange);
    return KN_OK;
}

void kn_board_rows_free(KnBoardRows *b)
{
    free(b->rows);
    for (int side = 0; side < 2; side++) free(b->row_of[side]);
    *b = (KnBoardRows){0};
}

void kn_board_rows_add(const KnBoardRows *b, const uint8_t *board, int side, uint16_t *sum)
{
    uint32_t found[KN_ROW_CELLS];
    kn_board_rows_find(b, board, side, 0, found);
    memset(sum, 0, (size_t)b->width * sizeof *sum);
    for (int r = 0; r < b->chunks; r++) {
        const uint16_t *row = b->rows + found[r];
        for (int p = 0; p < b->width; p++) sum[p] = (uint16_t)(sum[p] + row[p]);
    }
}
