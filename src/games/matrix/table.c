#include "games/matrix/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/math.h"

/* Payoffs are parsed as decimals and stored as integers over a common power of ten. With these limits and
 * those on turns, totals fit in 64 bits. */
enum { MOST_DECIMALS = 6, MOST_PAYOFF = 1000000 };

/* The numbers of the text in order, with the sizes of the first cell and row. */
typedef struct Numbers {
    double values[KN_MATRIX_CELLS * KN_MATRIX_PLAYERS];
    int count;
    int decimals;
    int in_cell;   /* numbers in each cell */
    int cells;     /* total */
    int first_row; /* cells in the first row */
    int rows;
} Numbers;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static KnStatus bad_payoffs(KnError *error, const char *text, const char *at, const char *what)
{
    return kn_fail(error, KN_INPUT,
                   "payoffs \"%.80s\", column %d: %s (as in \"3,3 0,5; 5,0 1,1\": a cell for each joint "
                   "move, a number in it for each role, rows apart by semicolons)",
                   text, (int)(at - text) + 1, what);
}

/* Parses one number and counts its decimals. */
static KnStatus read_number(const char *text, const char **at, Numbers *numbers, KnError *error)
{
    const char *t = *at;
    size_t length = strspn(t, "+-.0123456789");
    char digits[32];
    if (!length || length >= sizeof digits) return bad_payoffs(error, text, t, "expected a number");
    memcpy(digits, t, length);
    digits[length] = 0;
    char *end;
    double value = strtod(digits, &end);
    const char *point = strchr(digits, '.');
    int decimals = point ? (int)strlen(point + 1) : 0;
    if (*end) return bad_payoffs(error, text, t, "expected a number");
    if (decimals > MOST_DECIMALS) return bad_payoffs(error, text, t, "more than 6 digits behind the point");
    if (fabs(value) > MOST_PAYOFF) return bad_payoffs(error, text, t, "beyond a million");
    if (numbers->count == (int)(sizeof numbers->values / sizeof *numbers->values))
        return bad_payoffs(error, text, t, "too many numbers");
    if (decimals > numbers->decimals) numbers->decimals = decimals;
    numbers->values[numbers->count++] = value;
    *at = t + length;
    return KN_OK;
}

static KnStatus read_cell(const char *text, const char **at, Numbers *numbers, KnError *error)
{
    const char *begin = *at;
    int in_cell = 0;
    for (;;) {
        KnStatus status = read_number(text, at, numbers, error);
        if (status != KN_OK) return status;
        in_cell++;
        if (**at != ',') break;
        ++*at;
    }
    if (!numbers->in_cell) numbers->in_cell = in_cell;
    if (in_cell != numbers->in_cell)
        return bad_payoffs(error, text, begin, "not as many numbers as in the first cell");
    numbers->cells++;
    return KN_OK;
}

static KnStatus read_numbers(const char *text, Numbers *numbers, KnError *error)
{
    int in_row = 0;
    for (const char *t = text;;) {
        while (is_blank(*t)) t++;
        if (*t == ';' || !*t) {
            if (!in_row && (*t || !numbers->rows)) return bad_payoffs(error, text, t, "an empty row");
            if (in_row) {
                if (!numbers->rows++) numbers->first_row = in_row;
                if (in_row != numbers->first_row)
                    return bad_payoffs(error, text, t, "this row has not as many cells as the first");
            }
            if (!*t) return KN_OK;
            in_row = 0;
            t++;
            continue;
        }
        KnStatus status = read_cell(text, &t, numbers, error);
        if (status != KN_OK) return status;
        if (*t && *t != ';' && !is_blank(*t))
            return bad_payoffs(error, text, t, "expected a blank, a comma or ;");
        in_row++;
    }
}

static KnStatus add_action(KnMatrix *matrix, int player, const char *name, size_t length, KnError *error)
{
    int count = matrix->actions[player];
    if (length == 0)
        return kn_fail(error, KN_INPUT, "actions: an empty name (as in \"C,D\" or \"up,down/left,right\")");
    if (length >= KN_MATRIX_NAME)
        return kn_fail(error, KN_INPUT, "actions: \"%.*s\" is longer than %d letters", (int)length, name,
                       KN_MATRIX_NAME - 1);
    if (count == KN_MATRIX_ACTIONS)
        return kn_fail(error, KN_INPUT, "actions: more than %d of one role", KN_MATRIX_ACTIONS);
    for (size_t i = 0; i < length; i++)
        if (is_blank(name[i]) || strchr("\"'()|;:", name[i]))
            return kn_fail(error, KN_INPUT, "actions: \"%.*s\" holds a blank, quote, bracket or colon",
                           (int)length, name);
    char *slot = matrix->names[player][count];
    memcpy(slot, name, length);
    slot[length] = 0;
    for (int i = 0; i < count; i++)
        if (strcasecmp(matrix->names[player][i], slot) == 0)
            return kn_fail(error, KN_INPUT, "actions: \"%s\" is named twice", slot);
    matrix->actions[player]++;
    return KN_OK;
}

/* "C,D" for all roles, or each role's actions separated by slashes. */
static KnStatus read_actions(const char *text, KnMatrix *matrix, KnError *error)
{
    int player = 0;
    for (const char *t = text;; t++) {
        size_t length = strcspn(t, ",/");
        if (player == matrix->players)
            return kn_fail(error, KN_INPUT, "actions \"%.80s\": more lists than the %d roles of the payoffs",
                           text, matrix->players);
        KnStatus status = add_action(matrix, player, t, length, error);
        if (status != KN_OK) return status;
        t += length;
        if (!*t) break;
        if (*t == '/') player++;
    }
    if (player && player + 1 != matrix->players)
        return kn_fail(error, KN_INPUT,
                       "actions \"%.80s\": %d lists for %d roles; give one for all or one each", text,
                       player + 1, matrix->players);
    for (int p = 1; !player && p < matrix->players; p++) {
        matrix->actions[p] = matrix->actions[0];
        memcpy(matrix->names[p], matrix->names[0], sizeof matrix->names[0]);
    }
    return KN_OK;
}

/* Unnamed actions are numbered: by rows and columns for two roles, equally many each for more. */
static KnStatus count_actions(const Numbers *numbers, KnMatrix *matrix, KnError *error)
{
    int each = 1;
    if (matrix->players != 2) {
        while (kn_math_pow(each, matrix->players) < numbers->cells) each++;
        if ((int)kn_math_pow(each, matrix->players) != numbers->cells)
            return kn_fail(error, KN_INPUT,
                           "payoffs: %d cells are no equal number of actions for %d roles; name the "
                           "actions",
                           numbers->cells, matrix->players);
    }
    for (int p = 0; p < matrix->players; p++) {
        int count = matrix->players != 2 ? each : p ? numbers->first_row : numbers->rows;
        for (int a = 0; a < count; a++) {
            char name[12];
            int length = snprintf(name, sizeof name, "%d", a + 1);
            KnStatus status = add_action(matrix, p, name, (size_t)length, error);
            if (status != KN_OK) return status;
        }
    }
    return KN_OK;
}

static KnStatus count_cells(const Numbers *numbers, KnMatrix *matrix, KnError *error)
{
    long cells = 1;
    for (int p = 0; p < matrix->players && cells <= KN_MATRIX_CELLS; p++) cells *= matrix->actions[p];
    if (cells > KN_MATRIX_CELLS)
        return kn_fail(error, KN_INPUT, "payoffs: more than %d cells", KN_MATRIX_CELLS);
    if (cells != numbers->cells)
        return kn_fail(error, KN_INPUT, "payoffs: %d cells, but the actions make %ld joint moves",
                       numbers->cells, cells);
    if (matrix->players == 2 && numbers->rows > 1 && numbers->rows != matrix->actions[0])
        return kn_fail(error, KN_INPUT, "payoffs: %d rows, but the first role has %d actions", numbers->rows,
                       matrix->actions[0]);
    matrix->cells = (int)cells;
    return KN_OK;
}

/* Whether two roles with the same actions can be exchanged. */
static bool is_symmetric(const KnMatrix *matrix)
{
    if (matrix->players != 2 || matrix->actions[0] != matrix->actions[1]) return false;
    int count = matrix->actions[0];
    for (int a = 0; a < count; a++) {
        if (strcmp(matrix->names[0][a], matrix->names[1][a]) != 0) return false;
        for (int b = 0; b < count; b++)
            if (matrix->table[(a * count + b) * 2] != matrix->table[(b * count + a) * 2 + 1]) return false;
    }
    return true;
}

/* Reduces to the smallest scale: 3.00 and 3 give the same game. */
static void reduce_scale(KnMatrix *matrix, int count)
{
    while (matrix->scale > 1) {
        for (int i = 0; i < count; i++)
            if (matrix->table[i] % 10) return;
        for (int i = 0; i < count; i++) matrix->table[i] /= 10;
        matrix->scale /= 10;
        matrix->least /= 10;
        matrix->most /= 10;
    }
}

static KnStatus fill_table(const Numbers *numbers, KnMatrix *matrix, KnError *error)
{
    matrix->table = calloc((size_t)numbers->count, sizeof *matrix->table);
    if (!matrix->table) return kn_fail_memory(error, "opening a matrix game");
    matrix->scale = 1;
    for (int i = 0; i < numbers->decimals; i++) matrix->scale *= 10;
    for (int i = 0; i < numbers->count; i++) {
        int64_t value = llround(numbers->values[i] * (double)matrix->scale);
        matrix->table[i] = value;
        if (!i || value < matrix->least) matrix->least = value;
        if (!i || value > matrix->most) matrix->most = value;
    }
    reduce_scale(matrix, numbers->count);
    matrix->symmetric = is_symmetric(matrix);
    return KN_OK;
}

KnStatus kn_matrix_read(const char *payoffs, const char *actions, KnMatrix *matrix, KnError *error)
{
    Numbers *numbers = calloc(1, sizeof *numbers);
    if (!numbers) return kn_fail_memory(error, "opening a matrix game");
    KnStatus status = read_numbers(payoffs, numbers, error);
    matrix->players = numbers->in_cell;
    if (status == KN_OK && matrix->players > KN_MATRIX_PLAYERS)
        status = kn_fail(error, KN_INPUT, "payoffs: %d numbers in a cell; at most %d roles can play",
                         matrix->players, KN_MATRIX_PLAYERS);
    if (status == KN_OK)
        status = actions ? read_actions(actions, matrix, error) : count_actions(numbers, matrix, error);
    if (status == KN_OK) status = count_cells(numbers, matrix, error);
    if (status == KN_OK) status = fill_table(numbers, matrix, error);
    free(numbers);
    return status;
}

/* Rescales a table. */
static void enlarge(int64_t *table, int count, int64_t factor)
{
    KN_ASSERT(factor >= 1);
    for (int i = 0; i < count; i++) table[i] *= factor;
}

KnStatus kn_matrix_read_later(const char *payoffs, const char *actions, long change, KnMatrix *matrix,
                              KnError *error)
{
    KnMatrix *later = calloc(1, sizeof *later);
    if (!later) return kn_fail_memory(error, "opening a matrix game");
    KnStatus status = kn_matrix_read(payoffs, actions, later, error);
    bool fits = later->players == matrix->players && later->cells == matrix->cells;
    for (int p = 0; fits && p < matrix->players; p++) fits = later->actions[p] == matrix->actions[p];
    if (status == KN_OK && !fits)
        status = kn_fail(
            error, KN_INPUT,
            "the later payoffs have %d cells for %d roles, the first ones %d for %d: both must be of one "
            "shape",
            later->cells, later->players, matrix->cells, matrix->players);
    if (status == KN_OK) {
        int count = matrix->cells * matrix->players;
        int64_t scale = later->scale > matrix->scale ? later->scale : matrix->scale;
        enlarge(matrix->table, count, scale / matrix->scale);
        enlarge(later->table, count, scale / later->scale);
        matrix->least *= scale / matrix->scale, matrix->most *= scale / matrix->scale;
        later->least *= scale / later->scale, later->most *= scale / later->scale;
        matrix->scale = scale;
        if (later->least < matrix->least) matrix->least = later->least;
        if (later->most > matrix->most) matrix->most = later->most;
        matrix->symmetric = matrix->symmetric && later->symmetric;
        matrix->later = later->table;
        matrix->change = change;
        later->table = NULL;
    } else
        kn_fail_within(error, "later");
    free(later->table);
    free(later);
    return status;
}

/* The payoff of a player in a cell of the public goods game; its action is the `player`th digit of the cell.
 */
static double goods_payoff(int players, int levels, double factor, double endowment, int cell, int player)
{
    int given = 0, own = 0;
    for (int p = players - 1; p >= 0; p--, cell /= levels) {
        int steps = levels - 1 - cell % levels;
        given += steps;
        if (p == player) own = steps;
    }
    return endowment * (1 + (factor * given / players - own) / (levels - 1));
}

KnStatus kn_matrix_public_goods(int players, int levels, double factor, double endowment, KnMatrix *matrix,
                                KnError *error)
{
    if (!(factor > 1 && factor < players))
        return kn_fail(
            error, KN_INPUT,
            "factor=%g for %d players is no dilemma: it must lie above 1, for giving to pay the group, and "
            "below %d, for it to cost the giver (use matrix for other games)",
            factor, players, players);
    long cells = 1;
    for (int p = 0; p < players && cells <= KN_MATRIX_CELLS; p++) cells *= levels;
    if (cells > KN_MATRIX_CELLS)
        return kn_fail(error, KN_INPUT, "%d players with %d actions make more than %d joint moves", players,
                       levels, KN_MATRIX_CELLS);
    KnText payoffs = KN_TEXT_EMPTY, actions = KN_TEXT_EMPTY;
    for (int cell = 0; cell < (int)cells; cell++)
        for (int p = 0; p < players; p++)
            kn_text_printf(&payoffs, "%s%.6f",
                           p      ? ","
                           : cell ? " "
                                  : "",
                           goods_payoff(players, levels, factor, endowment, cell, p));
    for (int a = 0; a < levels; a++) {
        if (levels == 2)
            kn_text_add(&actions, a ? ",D" : "C");
        else
            kn_text_printf(&actions, "%s%d", a ? "," : "", levels - 1 - a);
    }
    KnStatus status = kn_text_ok(&payoffs) && kn_text_ok(&actions)
                          ? kn_matrix_read(payoffs.data, actions.data, matrix, error)
                          : kn_fail_memory(error, "opening a public goods game");
    kn_text_free(&payoffs);
    kn_text_free(&actions);
    return status;
}

KnStatus kn_matrix_dilemma(double temptation, double reward, double punishment, double sucker, bool strict,
                           KnMatrix *matrix, KnError *error)
{
    if (!(temptation > reward && reward > punishment && punishment > sucker))
        return kn_fail(error, KN_INPUT,
                       "T=%g, R=%g, P=%g, S=%g is no prisoner's dilemma: T > R > P > S is wanted (use "
                       "matrix for other games)",
                       temptation, reward, punishment, sucker);
    if (strict && !(2 * reward > temptation + sucker))
        return kn_fail(error, KN_INPUT,
                       "T=%g, R=%g, S=%g: taking turns pays at least as well as cooperation; 2R > T+S is "
                       "wanted with strict",
                       temptation, reward, sucker);
    char payoffs[256];
    snprintf(payoffs, sizeof payoffs, "%.6f,%.6f %.6f,%.6f; %.6f,%.6f %.6f,%.6f", reward, reward, sucker,
             temptation, temptation, sucker, punishment, punishment);
    return kn_matrix_read(payoffs, "C,D", matrix, error);
}
