/* What a small neural network has learned, and what it says about a position. */
#include "eval/neural_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "eval/look_explain.h"
#include "eval/sampler.h"
#include "games/board_rows.h"
#include <knack/stats.h>

/* ---- of a position ---- */

enum { SHOWN = 4 }; /* cells for, and against */

/* A value as a share of the points near an even position, in percent. */
#define PERCENT (100.0 / 2 / KN_NEURAL_ONE)
static const char UNIT[] = "% of the points";
static const double LEAST = 0.05; /* what is shown has a digit other than 0 */

/* What the content of a cell adds: the value of the board, less that of the board without it. */
typedef struct Voice {
    int cell;
    double percent;
} Voice;

/* The largest share first; cells of equal shares in their order, so that the text is always the same. */
static int compare_voices(const void *a, const void *b)
{
    const Voice *one = a, *two = b;
    return one->percent != two->percent ? (one->percent < two->percent) - (one->percent > two->percent)
                                        : one->cell - two->cell;
}

static void add_voice(const KnLook *look, const Voice *voice, double reach, KnArena *arena,
                      KnExplanation *group)
{
    KnText text = KN_TEXT_EMPTY;
    kn_look_add_cell_name(look, voice->cell, &text);
    kn_explanation_bar(arena, group, kn_arena_printf(arena, "%s", text.data), round(10 * voice->percent) / 10,
                       -reach, reach, UNIT);
    kn_text_free(&text);
}

/* The value of a board for a side, and without what stands on a cell. */
static double value_of_cell(const KnNeural *net, uint8_t *cells, int cell, int side, int phase, int32_t whole)
{
    uint8_t content = cells[cell];
    cells[cell] = 0;
    int32_t without = kn_neural_value(net, cells, side, phase);
    cells[cell] = content;
    return whole - without;
}

void kn_neural_network_explain(const KnNeuralNetwork *network, const void *position, int role, KnArena *arena,
                               KnExplanation *parent)
{
    uint8_t cells[KN_LOOK_CELLS];
    Voice voices[KN_LOOK_CELLS];
    int side, phase, count = 0;
    kn_look_at(&network->look, position, cells, &side, &phase);
    const double sign = side == role ? 1 : -1;
    int32_t whole = kn_neural_value(network->net, cells, side, phase);
    double predicted = kn_math_tanh(sign * whole / KN_NEURAL_ONE);
    kn_explanation_text(arena, parent, "prediction",
                        kn_arena_printf(arena,
                                        "%+.2f, where 1 is a win: %.0f %% of the points; phase %d of %d",
                                        predicted, 50 + 50 * predicted, phase + 1, network->look.phases));
    for (int c = 0; c < network->look.board->cells; c++)
        if (cells[c])
            voices[count++] =
                (Voice){c, sign * PERCENT * value_of_cell(network->net, cells, c, side, phase, whole)};
    if (!count) return;
    qsort(voices, (size_t)count, sizeof *voices, compare_voices);
    double reach = fmax(fmax(fabs(voices[0].percent), fabs(voices[count - 1].percent)), .1);
    KnExplanation *group = kn_explanation_group(arena, parent, "pieces that speak for it");
    for (int i = 0; i < SHOWN && i < count && voices[i].percent >= LEAST && group; i++)
        add_voice(&network->look, &voices[i], reach, arena, group);
    group = kn_explanation_group(arena, parent, "pieces that speak against it");
    for (int i = count - 1; i >= 0 && i >= count - SHOWN && voices[i].percent <= -LEAST && group; i--)
        add_voice(&network->look, &voices[i], reach, arena, group);
}

/* ---- of the network ---- */

enum {
    POSITIONS = 4000, /* of random games, in which cells and units are weighed */
    UNITS = 5,        /* shown for a side, and against it */
    CONTENTS = 8      /* shown of what a unit looks for */
};

/* What is seen in random games: for each cell what a man of the first kind adds there, and for each unit what
 * it adds, for the first side to move. */
typedef struct Weighed {
    KnMoments cells[KN_LOOK_CELLS], units[KN_NEURAL_UNITS];
} Weighed;

static void weigh(const KnNeuralNetwork *network, const void *position, Weighed *weighed)
{
    uint8_t cells[KN_LOOK_CELLS];
    double added[KN_NEURAL_UNITS];
    int side, phase;
    kn_look_at(&network->look, position, cells, &side, &phase);
    if (side != 0) return;
    int32_t whole = kn_neural_value(network->net, cells, side, phase);
    for (int c = 0; c < network->look.board->cells; c++)
        if (cells[c] == 1)
            kn_moments_add(&weighed->cells[c],
                           PERCENT * value_of_cell(network->net, cells, c, side, phase, whole));
    kn_neural_contributions(network->net, cells, side, phase, added);
    for (int u = 0; u < kn_neural_size(network->net).units; u++)
        kn_moments_add(&weighed->units[u], PERCENT * added[u]);
}

static bool weigh_all(const KnNeuralNetwork *network, Weighed *weighed)
{
    KnError error;
    KnSampler *sampler = kn_sampler_new(network->look.game, 1, POSITIONS, 0, &error);
    if (!sampler) return false;
    while (!kn_sampler_spent(sampler)) {
        weigh(network, kn_sampler_position(sampler), weighed);
        if (!kn_sampler_step(sampler)) kn_sampler_again(sampler);
    }
    kn_sampler_free(sampler);
    return true;
}

/* A content of a cell, and how much it excites a unit. */
typedef struct Content {
    int cell;
    uint8_t symbol;
    double excites;
} Content;

/* The board with the contents that excite a unit most, # elsewhere. */
static const char *draw_unit(const KnNeuralNetwork *network, int unit, KnArena *arena)
{
    KnNeuralSize size = kn_neural_size(network->net);
    Content best[CONTENTS + 1];
    int count = 0;
    for (int c = 0; c < size.cells; c++) {
        Content here = {c, 0, 0};
        for (int s = 1; s < size.symbols; s++) {
            double excites = kn_neural_weight(network->net, c, s, unit) -
                             kn_neural_weight(network->net, c, 0, unit);
            if (excites > here.excites) here = (Content){c, (uint8_t)s, excites};
        }
        if (!here.symbol) continue;
        int at = count;
        for (; at > 0 && here.excites > best[at - 1].excites; at--) best[at] = best[at - 1];
        best[at] = here;
        if (count < CONTENTS) count++;
    }
    uint8_t cells[KN_LOOK_CELLS] = {0};
    bool shown[KN_LOOK_CELLS] = {false};
    for (int i = 0; i < count; i++) {
        cells[best[i].cell] = best[i].symbol;
        shown[best[i].cell] = true;
    }
    KnText text = KN_TEXT_EMPTY;
    const char *kept = count && kn_board_rows(network->look.board, cells, shown, &text)
                           ? kn_arena_string(arena, text.data)
                           : NULL;
    kn_text_free(&text);
    return kept;
}

/* The units that make most of the difference between positions, of those that speak for the side (sign 1) or
 * against it (-1). */
static void describe_units(const KnNeuralNetwork *network, const Weighed *weighed, int sign,
                           const char *label, KnArena *arena, KnExplanation *parent)
{
    int best[UNITS + 1], count = 0;
    double spread[KN_NEURAL_UNITS], most = 0;
    for (int u = 0; u < kn_neural_size(network->net).units; u++) {
        spread[u] = sqrt(kn_moments_variance(&weighed->units[u]));
        most = fmax(most, spread[u]);
        if (!(spread[u] > 0) || sign * kn_moments_mean(&weighed->units[u]) <= 0) continue;
        int at = count;
        for (; at > 0 && spread[u] > spread[best[at - 1]]; at--) best[at] = best[at - 1];
        best[at] = u;
        if (count < UNITS) count++;
    }
    KnExplanation *group = count ? kn_explanation_group(arena, parent, label) : NULL;
    for (int i = 0; i < count && group; i++) {
        KnExplanation *bar = kn_explanation_bar(arena, group, kn_arena_printf(arena, "unit %d", best[i] + 1),
                                                sign * round(10 * spread[best[i]]) / 10, -most, most, UNIT);
        const char *board = draw_unit(network, best[i], arena);
        if (bar && board) kn_explanation_pattern(arena, bar, "excited most by", board);
    }
}

void kn_neural_network_describe(const KnNeuralNetwork *network, KnArena *arena, KnExplanation *parent)
{
    KnNeuralSize size = kn_neural_size(network->net);
    kn_explanation_number(arena, parent, "hidden units", size.units, "");
    kn_explanation_text(arena, parent, "inputs",
                        kn_arena_printf(arena, "%d cells with %d symbols", size.cells, size.symbols));
    Weighed *weighed = calloc(1, sizeof *weighed);
    if (weighed && weigh_all(network, weighed)) {
        double worth[KN_LOOK_CELLS];
        for (int c = 0; c < size.cells; c++)
            worth[c] = weighed->cells[c].count ? kn_moments_mean(&weighed->cells[c]) / 100 : NAN;
        kn_look_describe_worth(&network->look, worth, arena, parent);
        const char *first = kn_look_first(&network->look);
        describe_units(network, weighed, 1,
                       kn_arena_printf(arena,
                                       "units that speak for %s, to move: how far they differ between "
                                       "positions of random games",
                                       first),
                       arena, parent);
        describe_units(network, weighed, -1, kn_arena_printf(arena, "units that speak against %s", first),
                       arena, parent);
    }
    free(weighed);
    kn_look_describe_making(&network->look, size.phases, network->made, arena, parent);
}
