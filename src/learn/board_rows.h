/* Rows of 16-bit numbers that a board selects and adds up: the first step of networks over boards.
 *
 * Each content of each cell has a row of numbers, and a board's sum is that of the rows of all its cells. To
 * add fewer rows, the cells are cut into *chunks* of up to four neighbours, with a row for each way to fill a
 * chunk (its *code*). With a few rows for a whole board, adding them anew takes no longer than to follow the
 * changes of a move, and nothing has to be kept between positions.
 *
 * The second side looks at the board through an exchange of cells and symbols. Where that maps chunks to
 * chunks, it shares the rows of the first.
 *
 * Sums wrap around at 16 bits, on every processor. Ownership: kn_board_rows_make / kn_board_rows_free. */
#ifndef KNACK_LEARN_BOARD_ROWS_H
#define KNACK_LEARN_BOARD_ROWS_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/error.h"

enum {
    KN_ROW_LANES = 16,   /* numbers in one step of the vector code; a row is a multiple of it */
    KN_ROW_CELLS = 1024, /* of a board, at most */
    KN_ROW_BLOCK = 32    /* cells whose codes the vector code makes at a time */
};

typedef struct KnBoardRows {
    int cells, symbols, width; /* width: numbers of a row */
    int chunk;                 /* cells of a chunk: 1, 2 or 4 */
    int chunks, codes;         /* codes: symbols to the power of chunk */
    uint16_t *rows;            /* aligned to 32 bytes */
    uint32_t *row_of[2];       /* [chunk * codes + code]: where its row begins, as seen by a side */
} KnBoardRows;

/* The second side sees symbol s on cell c as symbols[s] on cells[c]. */
typedef struct KnBoardExchange {
    const uint16_t *cells;
    const uint8_t *symbols;
} KnBoardExchange;

/* `contributions` has the row of symbol s on cell c at (c * symbols + s) * width. */
KnStatus kn_board_rows_make(KnBoardRows *rows, int cells, int symbols, int width,
                            const uint16_t *contributions, KnBoardExchange exchange, KnError *error);
void kn_board_rows_free(KnBoardRows *rows);

/* The sum of a board, as a side sees it. */
void kn_board_rows_add(const KnBoardRows *rows, const uint8_t *board, int side, uint16_t *sum);

/* Where the rows of the chunks begin, from chunk `first` on. */
static inline void kn_board_rows_find(const KnBoardRows *b, const uint8_t *board, int side, int first,
                                      uint32_t *found)
{
    for (int chunk = first; chunk < b->chunks; chunk++) {
        int code = 0, begin = chunk * b->chunk, end = begin + b->chunk;
        if (end > b->cells) end = b->cells;
        for (int c = end - 1; c >= begin; c--) {
            KN_ASSERT(board[c] < b->symbols);
            code = code * b->symbols + board[c];
        }
        found[chunk] = b->row_of[side][chunk * b->codes + code];
    }
}

#if defined(__x86_64__)
/* The same. The codes of chunks of four cells are made eight at a time: each pair of bytes, then each pair of
 * pairs becomes one number. */
__attribute__((target("avx2"))) static inline void
kn_board_rows_find_avx2(const KnBoardRows *b, const uint8_t *board, int side, uint32_t *found)
{
    const int symbols = b->symbols, blocks = b->chunk == 4 ? b->cells / KN_ROW_BLOCK : 0;
    const __m256i pairs = _mm256_set1_epi16((short)(1 | symbols << 8)),
                  fours = _mm256_set1_epi32(1 | symbols * symbols << 16),
                  step = _mm256_set1_epi32(8 * b->codes);
    __m256i chunk = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                       _mm256_set1_epi32(b->codes));
    for (int i = 0; i < blocks; i++, chunk = _mm256_add_epi32(chunk, step)) {
        __m256i cells = _mm256_loadu_si256((const __m256i *)(const void *)(board + i * KN_ROW_BLOCK));
        __m256i codes = _mm256_madd_epi16(_mm256_maddubs_epi16(cells, pairs), fours);
        __m256i at = _mm256_i32gather_epi32((const int *)(const void *)b->row_of[side],
                                            _mm256_add_epi32(codes, chunk), 4);
        _mm256_storeu_si256((__m256i *)(void *)(found + i * (KN_ROW_BLOCK / 4)), at);
    }
    kn_board_rows_find(b, board, side, blocks * (KN_ROW_BLOCK / 4), found);
}
#endif

#endif
