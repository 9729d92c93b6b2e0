#include "methods/hoyle/habits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/math.h"

enum { TABLE = 1 << KN_HABITS_BITS, OUTSIDE = 7, TURNS = KN_BOARD_SYMMETRIES };

struct KnHabits {
    const KnBoardView *view;
    float *weights, *squares; /* TABLE of each */
    uint8_t contents[2]
                    [KN_BOARD_SYMBOLS + 1]; /* by role and symbol: 0 empty, own and other men, their kings */
    int16_t around[KN_BOARD_CELLS]
                  [KN_HABITS_AROUND];     /* neighbours by direction; KN_NO_CELL beyond the edge */
    uint8_t turns[KN_BOARD_CELLS][TURNS]; /* symmetries that take a cell to the least of its images */
    uint8_t turn_count[KN_BOARD_CELLS];
};

/* ---- the board ---- */

/* Neighbours: the nearest cell in each of eight directions, within two units (morris has free space between
 * its squares). */
static void find_neighbours(KnHabits *habits)
{
    const KnGame *game = habits->view->game;
    for (int c = 0; c < habits->view->cells; c++) {
        double nearest[KN_HABITS_AROUND], x, y;
        game->type->cell_place(game, c, &x, &y);
        for (int d = 0; d < KN_HABITS_AROUND; d++) habits->around[c][d] = KN_NO_CELL, nearest[d] = 2.5;
        for (int other = 0; other < habits->view->cells; other++) {
            double u, v;
            game->type->cell_place(game, other, &u, &v);
            u -= x, v -= y;
            double far = fabs(u) > fabs(v) ? fabs(u) : fabs(v);
            int across = u > far / 2    ? 1
                         : u < -far / 2 ? -1
                                        : 0,
                down = v > far / 2    ? 1
                       : v < -far / 2 ? -1
                                      : 0;
            int direction = 3 * (down + 1) + across + 1;
            if (other == c || direction == 4) continue;
            direction -= direction > 4;
            if (far >= nearest[direction]) continue;
            nearest[direction] = far;
            habits->around[c][direction] = (int16_t)other;
        }
    }
}

static void find_turns(KnHabits *habits)
{
    const KnBoardView *view = habits->view;
    for (int c = 0; c < view->cells; c++) {
        int least = view->cells;
        for (int s = 0; s < view->symmetries; s++)
            if (view->image[s][c] < least) least = view->image[s][c];
        for (int s = 0; s < view->symmetries; s++)
            if (view->image[s][c] == least) habits->turns[c][habits->turn_count[c]++] = (uint8_t)s;
    }
}

/* A man is one's own or the other's, and of the first kind that its owner has or of another. */
static void find_contents(KnHabits *habits)
{
    const KnBoardView *view = habits->view;
    for (int role = 0; role < 2; role++) {
        int seen[2] = {0, 0};
        for (int symbol = 1; symbol < view->symbols && symbol < KN_BOARD_SYMBOLS; symbol++) {
            int owner = view->owner[symbol];
            if (owner < 0) {
                habits->contents[role][symbol] = 5;
                continue;
            }
            habits->contents[role][symbol] = (uint8_t)((owner == role ? 1 : 2) + (seen[owner]++ ? 2 : 0));
        }
    }
}

KnHabits *kn_habits_new(const KnBoardView *view)
{
    KnHabits *habits = calloc(1, sizeof *habits);
    if (!habits) return NULL;
    habits->view = view;
    habits->weights = calloc(TABLE, sizeof(float));
    habits->squares = calloc(TABLE, sizeof(float));
    if (!habits->weights || !habits->squares) {
        kn_habits_free(habits);
        return NULL;
    }
    find_turns(habits);
    find_contents(habits);
    if (view->game->type->cell_place)
        find_neighbours(habits);
    else
        memset(habits->around, 0xff, sizeof habits->around);
    return habits;
}

void kn_habits_free(KnHabits *habits)
{
    if (!habits) return;
    free(habits->weights);
    free(habits->squares);
    free(habits);
}

/* ---- features ---- */

typedef struct Look {
    const KnHabits *habits;
    uint8_t cells[KN_BOARD_CELLS];
    int role, stage;
} Look;

/* What lies around a cell, seen after a symmetry. */
static uint64_t surroundings(const Look *look, int cell, int turn)
{
    const KnBoardView *view = look->habits->view;
    int there = view->image[turn][cell], back = view->inverse[turn];
    uint64_t seen = 0;
    for (int d = 0; d < KN_HABITS_AROUND; d++) {
        int neighbour = look->habits->around[there][d];
        unsigned content = OUTSIDE;
        if (neighbour >= 0) {
            uint8_t symbol = look->cells[view->image[back][neighbour]];
            content = symbol < KN_BOARD_SYMBOLS ? look->habits->contents[look->role][symbol] : 5;
        }
        seen = seen << 3 | content;
    }
    return seen;
}

static uint32_t feature(const Look *look, int kind, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t words[4] = {(uint64_t)kind | (uint64_t)look->stage << 8 | (uint64_t)look->role << 16, a, b, c};
    return (uint32_t)(kn_hash64(words, sizeof words, 0) >> (64 - KN_HABITS_BITS));
}

/* The features of a move in the orientation that makes the description least, so that images agree. */
static void describe(const Look *look, KnAction action, uint32_t features[KN_HABITS_FEATURES])
{
    const KnHabits *habits = look->habits;
    const KnBoardView *view = habits->view;
    if (action.to < 0) {
        for (int i = 0; i < KN_HABITS_FEATURES; i++) features[i] = feature(look, i, 0, 0, UINT64_MAX);
        return;
    }
    uint64_t to = 0, from = 0, near = UINT64_MAX, left = 0, taken = action.taken >= 0;
    for (int t = 0; t < habits->turn_count[action.to]; t++) {
        int turn = habits->turns[action.to][t];
        uint64_t seen = surroundings(look, action.to, turn),
                 source = action.from < 0 ? UINT16_MAX : view->image[turn][action.from],
                 behind = action.from < 0 ? 0 : surroundings(look, action.from, turn);
        if (near != UINT64_MAX &&
            (seen > near || (seen == near && (source > from || (source == from && behind >= left)))))
            continue;
        near = seen, from = source, left = behind;
        to = view->image[turn][action.to];
    }
    features[0] = feature(look, 0, to, from, 0);
    features[1] = feature(look, 1, to, near, taken);
    features[2] = feature(look, 2, from, left, taken);
    features[3] = feature(look, 3, near, taken, 0);
    features[4] = feature(look, 4, to, taken, 0);
    features[5] = feature(look, 5, to, from, near);
}

static void look_at(const KnHabits *habits, const void *position, Look *look)
{
    const KnGame *game = habits->view->game;
    look->habits = habits;
    look->role = game->type->mover(game, position);
    look->stage = kn_board_view_stage(habits->view, position);
    kn_board_view_cells(habits->view, position, look->cells);
}

static void chances_of(const KnHabits *habits, const void *position, const KnMove *moves, int count,
                       uint32_t (*features)[KN_HABITS_FEATURES], double *chances)
{
    Look look;
    double highest = -INFINITY, sum = 0;
    look_at(habits, position, &look);
    for (int i = 0; i < count; i++) {
        describe(&look, kn_board_view_action(habits->view, position, moves[i]), features[i]);
        chances[i] = 0;
        for (int f = 0; f < KN_HABITS_FEATURES; f++) chances[i] += (double)habits->weights[features[i][f]];
        if (chances[i] > highest) highest = chances[i];
    }
    for (int i = 0; i < count; i++) sum += chances[i] = kn_math_exp(chances[i] - highest);
    for (int i = 0; i < count; i++) chances[i] /= sum;
}

void kn_habits_chances(const KnHabits *habits, const void *position, const KnMove *moves, int count,
                       double *chances)
{
    uint32_t features[count][KN_HABITS_FEATURES];
    chances_of(habits, position, moves, count, features, chances);
}

/* ---- learning ---- */

static void adjust(KnHabits *habits, const uint32_t features[KN_HABITS_FEATURES], double gradient)
{
    static const double rate = 0.2;
    for (int f = 0; f < KN_HABITS_FEATURES; f++) {
        float *square = &habits->squares[features[f]];
        *square += (float)(gradient * gradient);
        if (*square > 0)
            habits->weights[features[f]] += (float)(rate * gradient / (0.1 + sqrt((double)*square)));
    }
}

/* Calls for each decision of an expert's with a choice. */
typedef void Visit(KnHabits *habits, int expert, int count, uint32_t (*features)[KN_HABITS_FEATURES],
                   const double *chances, int counts[2]);

static void learn_decision(KnHabits *habits, int expert, int count, uint32_t (*features)[KN_HABITS_FEATURES],
                           const double *chances, int counts[2])
{
    (void)counts;
    for (int i = 0; i < count; i++) adjust(habits, features[i], (i == expert) - chances[i]);
}

static void judge_decision(KnHabits *habits, int expert, int count, uint32_t (*features)[KN_HABITS_FEATURES],
                           const double *chances, int counts[2])
{
    (void)habits, (void)features;
    int best = 0;
    for (int i = 1; i < count; i++)
        if (chances[i] > chances[best]) best = i;
    counts[0] += best == expert;
    counts[1]++;
}

static void each_decision(KnHabits *habits, const KnPlayedGame *played, Visit *visit, int counts[2])
{
    const KnGame *game = habits->view->game;
    KnMove moves[game->max_moves];
    uint32_t features[game->max_moves][KN_HABITS_FEATURES];
    double chances[game->max_moves];
    for (size_t ply = 0; ply < played->plies; ply++) {
        const void *position = kn_played_game_position(played, ply);
        if (!(played->experts >> game->type->mover(game, position) & 1)) continue;
        int count = game->type->moves(game, position, moves), expert = -1;
        for (int i = 0; i < count; i++)
            if (moves[i] == played->moves[ply]) expert = i;
        if (count < 2 || expert < 0) continue;
        chances_of(habits, position, moves, count, features, chances);
        visit(habits, expert, count, features, chances, counts);
    }
}

void kn_habits_learn(KnHabits *habits, const KnPlayedGame *played)
{
    each_decision(habits, played, learn_decision, NULL);
}

void kn_habits_judge(const KnHabits *habits, const KnPlayedGame *played, int *foreseen, int *decisions)
{
    int counts[2] = {0, 0};
    each_decision((KnHabits *)(uintptr_t)habits, played, judge_decision, counts); /* which changes nothing */
    *foreseen += counts[0];
    *decisions += counts[1];
}

/* ---- in a file: [place, weight, place, weight, ...], by place ---- */

static bool counts_for_something(float weight) { return fabsf(weight) >= 0.0005F; }

size_t kn_habits_count(const KnHabits *habits)
{
    size_t count = 0;
    for (int i = 0; i < TABLE; i++) count += counts_for_something(habits->weights[i]);
    return count;
}

json_t *kn_habits_json(const KnHabits *habits)
{
    json_t *list = json_array();
    for (int i = 0; i < TABLE; i++) {
        if (!counts_for_something(habits->weights[i])) continue;
        json_array_append_new(list, json_integer(i));
        json_array_append_new(list, json_real(floor((double)habits->weights[i] * 1000 + 0.5) / 1000));
    }
    return list;
}

KnStatus kn_habits_parse(KnHabits *habits, const KnJson *at, KnError *error)
{
    if (kn_json_size(at) % 2) return kn_json_fail(at, NULL, error, "expected pairs of a place and a weight");
    KnStatus status = KN_OK;
    for (size_t i = 0; i < kn_json_size(at) && status == KN_OK; i += 2) {
        KnJson place = kn_json_item(at, i), number = kn_json_item(at, i + 1);
        int64_t index = 0;
        double weight = 0;
        status = kn_json_integer(&place, NULL, 0, TABLE - 1, &index, error);
        if (status == KN_OK) status = kn_json_real(&number, NULL, &weight, error);
        if (status == KN_OK && !(fabs(weight) <= 1000))
            return kn_json_fail(&number, NULL, error, "expected a weight from -1000 to 1000");
        if (status == KN_OK) habits->weights[index] = (float)weight;
    }
    return status;
}

double kn_habits_place(const KnHabits *habits, int role, int stage, int cell)
{
    KN_ASSERT(cell >= 0 && cell < habits->view->cells);
    Look look = {.habits = habits, .role = role, .stage = stage};
    int to = habits->view->image[habits->turns[cell][0]][cell];
    return (double)habits->weights[feature(&look, 4, (uint64_t)to, 0, 0)];
}
