#include "eval/ntuple_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "eval/look_explain.h"
#include "games/board_rows.h"

enum { SHOWN = 4 }; /* groups of cells for, and against */

/* A weight as a share of the points near an even position, in percent. */
#define PERCENT (100.0 / 2 / KN_NTUPLE_ONE)
static const char UNIT[] = "% of the points";
static const double LEAST = 0.05; /* what is shown has a digit other than 0 */

/* A group of cells and what its tables add. */
typedef struct Voice {
    int length;
    uint16_t cells[KN_NTUPLE_LENGTH]; /* in order */
    int32_t points;
} Voice;

static int compare_cells(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static int compare_groups(const void *a, const void *b)
{
    const Voice *one = a, *two = b;
    return one->length != two->length
               ? one->length - two->length
               : memcmp(one->cells, two->cells, (size_t)one->length * sizeof *one->cells);
}

/* The most points first; groups of equal points in their order, so that the text is always the same. */
static int compare_points(const void *a, const void *b)
{
    const Voice *one = a, *two = b;
    return one->points != two->points ? (one->points < two->points) - (one->points > two->points)
                                      : compare_groups(a, b);
}

/* What each group of cells adds for the mover. Placements on the same cells are one group. Returns their
 * number. */
static int collect(const KnNetwork *network, const uint8_t *cells, int side, int phase, Voice *voices)
{
    const KnNtuple *net = network->net;
    uint32_t indices[KN_NTUPLE_PLACEMENTS];
    uint16_t back[KN_NTUPLE_CELLS]; /* from the cells that the tables know to those of the board */
    int placements = kn_ntuple_placements(net), count = 0;
    kn_ntuple_indices(net, cells, side, phase, indices);
    for (int c = 0; c < kn_ntuple_cells(net); c++) back[kn_ntuple_seen(net, side, c)] = (uint16_t)c;
    for (int p = 0; p < placements; p++) {
        int length, tuple;
        const uint16_t *place = kn_ntuple_placement(net, p, &length, &tuple);
        memset(&voices[p], 0, sizeof voices[p]);
        voices[p].length = length;
        voices[p].points = kn_ntuple_weights(net)[indices[p]];
        for (int i = 0; i < length; i++) voices[p].cells[i] = back[place[i]];
        qsort(voices[p].cells, (size_t)length, sizeof *voices[p].cells, compare_cells);
    }
    qsort(voices, (size_t)placements, sizeof *voices, compare_groups);
    for (int p = 0; p < placements; p++)
        if (count && compare_groups(&voices[count - 1], &voices[p]) == 0)
            voices[count - 1].points += voices[p].points;
        else
            voices[count++] = voices[p];
    return count;
}

/* The board with only these cells on it: a letter for the content of a cell, # for the others. */
static const char *drawing(const KnGame *board, const uint8_t *cells, const Voice *voice, KnArena *arena)
{
    bool shown[KN_NTUPLE_CELLS] = {false};
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < voice->length; i++) shown[voice->cells[i]] = true;
    const char *kept = kn_board_rows(board, cells, shown, &text) ? kn_arena_string(arena, text.data) : NULL;
    kn_text_free(&text);
    return kept;
}

static const char *name_cells(const KnLook *look, const Voice *voice, KnArena *arena)
{
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < voice->length; i++) {
        if (i) kn_text_add_char(&text, ' ');
        kn_look_add_cell_name(look, voice->cells[i], &text);
    }
    const char *kept = kn_arena_printf(arena, "%s", text.data);
    kn_text_free(&text);
    return kept;
}

static void add_voice(const KnLook *look, const uint8_t *cells, const Voice *voice, double percent,
                      double reach, KnArena *arena, KnExplanation *parent)
{
    KnExplanation *bar = kn_explanation_bar(arena, parent, name_cells(look, voice, arena),
                                            round(10 * percent) / 10, -reach, reach, UNIT);
    const char *board_text = drawing(look->board, cells, voice, arena);
    if (bar && board_text) kn_explanation_pattern(arena, bar, "cells", board_text);
}

void kn_network_explain(const KnNetwork *network, const void *position, int role, KnArena *arena,
                        KnExplanation *parent)
{
    uint8_t cells[KN_NTUPLE_CELLS];
    int side, phase;
    kn_look_at(&network->look, position, cells, &side, &phase);
    const double sign = side == role ? 1 : -1;
    double sum = sign * kn_ntuple_sum(network->net, cells, side, phase) / KN_NTUPLE_ONE;
    kn_explanation_text(arena, parent, "prediction",
                        kn_arena_printf(arena,
                                        "%+.2f, where 1 is a win: %.0f %% of the points; phase %d of %d",
                                        kn_math_tanh(sum), 50 + 50 * kn_math_tanh(sum), phase + 1,
                                        kn_ntuple_phases(network->net)));
    Voice *voices = malloc((size_t)kn_ntuple_placements(network->net) * sizeof *voices);
    if (!voices) return;
    int count = collect(network, cells, side, phase, voices);
    for (int i = 0; i < count; i++)
        if (sign < 0) voices[i].points = -voices[i].points;
    qsort(voices, (size_t)count, sizeof *voices, compare_points);
    double reach =
        fmax(fmax(fabs((double)voices[0].points), fabs((double)voices[count - 1].points)) * PERCENT, .1);
    KnExplanation *group = kn_explanation_group(arena, parent, "cells that speak for it");
    for (int i = 0; i < SHOWN && i < count && voices[i].points * PERCENT >= LEAST && group; i++)
        add_voice(&network->look, cells, &voices[i], voices[i].points * PERCENT, reach, arena, group);
    group = kn_explanation_group(arena, parent, "cells that speak against it");
    for (int i = count - 1; i >= 0 && i >= count - SHOWN && voices[i].points * PERCENT <= -LEAST && group;
         i--)
        add_voice(&network->look, cells, &voices[i], voices[i].points * PERCENT, reach, arena, group);
    free(voices);
}

/* ---- what has changed, by parts of the board ---- */

enum { PARTS = 3 };

/* The size of the board in cells, and whether it looks the same from all sides. */
typedef struct Shape {
    double width, height;
    bool round;
} Shape;

static Shape shape_of(const KnGame *board)
{
    Shape shape = {.round = board->symmetries >= 8};
    for (int c = 0; c < board->cells; c++) {
        double x, y;
        board->type->cell_place(board, c, &x, &y);
        shape.width = fmax(shape.width, x);
        shape.height = fmax(shape.height, y);
    }
    return shape;
}

/* On a board without a direction: corners with their neighbours, the rest of the edge, the middle. Else the
 * first rows, the middle, the last rows. */
static int part_of(const KnGame *board, Shape shape, int cell)
{
    double x, y;
    board->type->cell_place(board, cell, &x, &y);
    if (!shape.round) return y < shape.height * 0.3 ? 0 : y > shape.height * 0.7 ? 2 : 1;
    double aside = fmin(x, shape.width - x), above = fmin(y, shape.height - y);
    if (aside <= 1 && above <= 1) return 0;
    return aside < 1 || above < 1 ? 1 : 2;
}

/* Shares the points of each group of cells among the parts of the board that it lies on. */
static void share_out(const KnNetwork *network, const void *position, int role, Shape shape, Voice *voices,
                      double *parts)
{
    uint8_t cells[KN_NTUPLE_CELLS];
    int side, phase;
    kn_look_at(&network->look, position, cells, &side, &phase);
    int count = collect(network, cells, side, phase, voices);
    const double unit = (side == role ? 1.0 : -1.0) * KN_NETWORK_SCORE / KN_NTUPLE_ONE;
    memset(parts, 0, sizeof *parts * PARTS);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < voices[i].length; k++)
            parts[part_of(network->look.board, shape, voices[i].cells[k])] += unit * voices[i].points /
                                                                              voices[i].length;
}

static const char *name_part(const KnGame *board, Shape shape, int part, KnArena *arena)
{
    static const char *const round[PARTS] = {"around the corners", "along the edges", "in the middle"};
    if (shape.round) return round[part];
    int first = -1, last = -1;
    for (int c = 0; c < board->cells; c++)
        if (part_of(board, shape, c) == part) {
            if (first < 0) first = c;
            last = c;
        }
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "on ");
    if (board->type->cell_name && first >= 0) {
        kn_text_add(&text, "squares ");
        board->type->cell_name(board, first, &text);
        kn_text_add(&text, " to ");
        board->type->cell_name(board, last, &text);
    } else
        kn_text_add(&text, part == 0 ? "the first rows" : part == 1 ? "the middle rows" : "the last rows");
    const char *kept = kn_arena_printf(arena, "%s", text.data);
    kn_text_free(&text);
    return kept;
}

void kn_network_compare(const KnNetwork *network, const void *before, const void *after, int role,
                        KnArena *arena, KnExplanation *parent)
{
    if (!network->look.board->type->cell_place || !parent) return;
    Voice *voices = malloc((size_t)kn_ntuple_placements(network->net) * sizeof *voices);
    if (!voices) return;
    double then[PARTS], now[PARTS];
    Shape shape = shape_of(network->look.board);
    share_out(network, before, role, shape, voices, then);
    share_out(network, after, role, shape, voices, now);
    for (int part = 0; part < PARTS; part++)
        kn_explanation_number(arena, parent, name_part(network->look.board, shape, part, arena),
                              now[part] - then[part], "points");
    free(voices);
}

/* ---- what a man on each cell is worth ---- */

/* What a man of the first side adds on a cell, as a share of the points near an even position: the tables of
 * single cells alone, the mean of the phases. NaN where no such table sees the cell. */
static void weigh_cells(const KnNtuple *net, double *worth)
{
    uint32_t empty[KN_NTUPLE_PLACEMENTS], held[KN_NTUPLE_PLACEMENTS];
    uint8_t board[KN_NTUPLE_CELLS] = {0};
    const int phases = kn_ntuple_phases(net);
    for (int c = 0; c < kn_ntuple_cells(net); c++) worth[c] = NAN;
    for (int p = 0; p < kn_ntuple_placements(net); p++) {
        int length, tuple;
        const uint16_t *place = kn_ntuple_placement(net, p, &length, &tuple);
        if (length != 1) continue;
        double sum = 0;
        for (int phase = 0; phase < phases; phase++) {
            kn_ntuple_indices(net, board, 0, phase, empty);
            board[place[0]] = 1;
            kn_ntuple_indices(net, board, 0, phase, held);
            board[place[0]] = 0;
            sum += kn_ntuple_weights(net)[held[p]] - kn_ntuple_weights(net)[empty[p]];
        }
        if (isnan(worth[place[0]])) worth[place[0]] = 0;
        worth[place[0]] += sum / phases / KN_NTUPLE_ONE / 2;
    }
}

/* ---- the strongest entries of the tables ---- */

enum { STRONGEST = 5 }; /* for a side, and against it */

/* One entry of a table: what its cells hold. */
typedef struct Entry {
    Voice voice;
    uint8_t symbols[KN_NTUPLE_LENGTH]; /* in the order of the voice's cells */
} Entry;

/* The entry of a placement with the largest (sign 1) or the smallest (sign -1) weight in a phase. The places
 * of the symbols in an index are found by trying each. */
static void find_extreme(const KnNtuple *net, int placement, int phase, int sign, Entry *found)
{
    uint32_t indices[KN_NTUPLE_PLACEMENTS], base, strides[KN_NTUPLE_LENGTH];
    uint8_t board[KN_NTUPLE_CELLS] = {0};
    int length, tuple, symbols = kn_ntuple_symbols(net);
    const uint16_t *place = kn_ntuple_placement(net, placement, &length, &tuple);
    memset(found, 0, sizeof *found);
    found->voice.length = length;
    memcpy(found->voice.cells, place, (size_t)length * sizeof *place);
    kn_ntuple_indices(net, board, 0, phase, indices);
    base = indices[placement];
    for (int i = 0; i < length; i++) {
        board[place[i]] = 1;
        kn_ntuple_indices(net, board, 0, phase, indices);
        strides[i] = indices[placement] - base;
        board[place[i]] = 0;
    }
    uint8_t now[KN_NTUPLE_LENGTH] = {0};
    for (bool more = true; more;) {
        uint32_t index = base;
        for (int i = 0; i < length; i++) index += strides[i] * now[i];
        int32_t weight = index < kn_ntuple_size(net) ? kn_ntuple_weights(net)[index] : 0;
        if (sign * weight > sign * found->voice.points) {
            found->voice.points = weight;
            memcpy(found->symbols, now, sizeof now);
        }
        more = false; /* the next combination of symbols */
        for (int i = 0; i < length && !more; i++) {
            more = ++now[i] < symbols;
            if (!more) now[i] = 0;
        }
    }
}

static void describe_strongest(const KnNetwork *network, int sign, const char *label, KnArena *arena,
                               KnExplanation *parent)
{
    const KnNtuple *net = network->net;
    Entry best[STRONGEST + 1];
    int count = 0, last = -1, phase = kn_ntuple_phases(net) / 2;
    for (int p = 0; p < kn_ntuple_placements(net); p++) {
        int length, tuple, at;
        kn_ntuple_placement(net, p, &length, &tuple);
        if (tuple == last) continue; /* its other placements have the same table */
        last = tuple;
        find_extreme(net, p, phase, sign, &best[count]);
        if (!best[count].voice.points) continue;
        for (at = count; at > 0 && sign * best[at].voice.points > sign * best[at - 1].voice.points; at--) {
            Entry moved = best[at];
            best[at] = best[at - 1];
            best[at - 1] = moved;
        }
        if (count < STRONGEST) count++;
    }
    KnExplanation *group = count ? kn_explanation_group(arena, parent, label) : NULL;
    for (int i = 0; i < count && group; i++) {
        uint8_t cells[KN_NTUPLE_CELLS] = {0};
        const Voice *voice = &best[i].voice;
        for (int k = 0; k < voice->length; k++) cells[voice->cells[k]] = best[i].symbols[k];
        double reach = fabs(best[0].voice.points * PERCENT);
        add_voice(&network->look, cells, voice, voice->points * PERCENT, reach, arena, group);
    }
}

void kn_network_describe(const KnNetwork *network, KnArena *arena, KnExplanation *parent)
{
    const KnNtuple *net = network->net;
    int by_length[KN_NTUPLE_LENGTH + 1] = {0}, last = -1;
    size_t used = 0, size = kn_ntuple_size(net);
    for (int p = 0; p < kn_ntuple_placements(net); p++) {
        int length, tuple;
        kn_ntuple_placement(net, p, &length, &tuple);
        by_length[length] += tuple != last;
        last = tuple;
    }
    for (size_t i = 0; i < size; i++) used += kn_ntuple_weights(net)[i] != 0;
    KnExplanation *group = kn_explanation_group(arena, parent,
                                                kn_arena_printf(arena, "%d tuples in %d placements",
                                                                kn_ntuple_tuples(net),
                                                                kn_ntuple_placements(net)));
    for (int length = 1; length <= KN_NTUPLE_LENGTH && group; length++)
        if (by_length[length])
            kn_explanation_number(arena, group,
                                  kn_arena_printf(arena, length == 1 ? "of %d cell" : "of %d cells", length),
                                  by_length[length], by_length[length] == 1 ? "tuple" : "tuples");
    const char *first = kn_look_first(&network->look);
    double worth[KN_NTUPLE_CELLS];
    weigh_cells(net, worth);
    kn_look_describe_worth(&network->look, worth, arena, parent);
    describe_strongest(network, 1, kn_arena_printf(arena, "what it likes most for %s to move", first), arena,
                       parent);
    describe_strongest(network, -1, kn_arena_printf(arena, "what it fears most for %s to move", first), arena,
                       parent);
    kn_explanation_number(arena, parent, "weights that are not zero", (double)used, "");
    kn_explanation_text(arena, parent, "roles",
                        kn_ntuple_exchanges(net) ? "share their tables" : "have tables of their own");
    kn_look_describe_making(&network->look, kn_ntuple_phases(net), network->made, arena, parent);
}
