/* What lines say: Challenge, Coverage, Greedy, Candide, Worried, Pitchfork. Where completing a line loses
 * (lines->sign -1) all of it is reversed. */
#include <string.h>

#include "methods/hoyle/hoyle.h"

enum { NO_PLAN = 1000, AGAIN = 2 };

typedef struct Board {
    const HoyleKnowledge *knowledge;
    const uint8_t *cells;
    bool placing; /* men come from the hand */
} Board;

static int owner_at(const Board *b, int cell) { return b->knowledge->view->owner[b->cells[cell]]; }

static void count_line(const Board *b, const KnBoardLine *line, int role, int *own, int *other)
{
    *own = *other = 0;
    for (int i = 0; i < line->size; i++) {
        int owner = owner_at(b, line->cell[i]);
        *own += owner == role;
        *other += owner >= 0 && owner != role;
    }
}

static int open_lines(const Board *b, int role)
{
    int count = 0, own, other;
    for (int i = 0; i < b->knowledge->lines->count; i++) {
        count_line(b, &b->knowledge->lines->line[i], role, &own, &other);
        count += own > 0 && other == 0;
    }
    return count;
}

/* Drawn lines on which a role has more men than the other. */
static int influence(const Board *b, int role)
{
    int count = 0;
    for (int i = 0; i < b->knowledge->lines->drawn_count; i++) {
        const KnDrawnLine *line = &b->knowledge->lines->drawn[i];
        int lead = 0;
        for (int k = 0; k < line->size; k++) {
            int owner = owner_at(b, line->cell[k]);
            lead += owner == role ? 1 : owner >= 0 ? -1 : 0;
        }
        count += lead > 0;
    }
    return count;
}

static bool on_line(const KnBoardLine *line, int cell)
{
    for (int i = 0; i < line->size; i++)
        if (line->cell[i] == cell) return true;
    return false;
}

/* The nearest man of a role to a cell that does not stand on the line and is not taken for another cell of
 * it; -1 if there is none. */
static int nearest(const Board *b, const KnBoardLine *line, int role, int cell, const uint8_t *taken,
                   int *distance)
{
    int best = -1;
    *distance = NO_PLAN;
    for (int c = 0; c < b->knowledge->view->cells; c++) {
        if (owner_at(b, c) != role || taken[c] || on_line(line, c)) continue;
        int far = kn_lines_distance(b->knowledge->lines, c, cell);
        if (far < *distance) *distance = far, best = c;
    }
    return best;
}

/* Moves that a naive plan for a line still needs: the other is not there and does nothing. A line that stands
 * can be opened and closed again. */
static int plan_cost(const Board *b, const KnBoardLine *line, int role)
{
    int own, other, cost = 0;
    uint8_t taken[KN_BOARD_CELLS] = {0};
    count_line(b, line, role, &own, &other);
    if (other) return NO_PLAN;
    if (own == line->size) return b->placing ? NO_PLAN : AGAIN;
    if (b->placing) return line->size - own;
    for (int i = 0; i < line->size; i++) {
        if (owner_at(b, line->cell[i]) == role) continue;
        int distance, man = nearest(b, line, role, line->cell[i], taken, &distance);
        if (man < 0 || distance >= KN_FAR) return NO_PLAN;
        taken[man] = 1;
        cost += distance;
    }
    return cost;
}

/* Open lines that lack one man, in pairs that share the empty cell where it is missing. */
static int forks(const Board *b, int role)
{
    int missing[KN_BOARD_CELLS] = {0}, count = 0;
    const uint8_t none[KN_BOARD_CELLS] = {0};
    for (int i = 0; i < b->knowledge->lines->count; i++) {
        const KnBoardLine *line = &b->knowledge->lines->line[i];
        int own, other;
        count_line(b, line, role, &own, &other);
        if (other || own != line->size - 1) continue;
        for (int k = 0; k < line->size; k++) {
            int cell = line->cell[k];
            if (owner_at(b, cell) == role) continue;
            int distance = 1;
            if (!b->placing) nearest(b, line, role, cell, none, &distance);
            missing[cell] += distance == 1;
        }
    }
    for (int c = 0; c < b->knowledge->view->cells; c++) count += missing[c] > 1;
    return count;
}

/* Lines with own men and none of the other's that a move adds a man to. */
static int advanced(const Board *before, int role, KnAction action)
{
    int count = 0, own, other;
    for (int i = 0; i < before->knowledge->lines->count; i++) {
        const KnBoardLine *line = &before->knowledge->lines->line[i];
        if (action.to == KN_NO_CELL || !on_line(line, action.to)) continue;
        count_line(before, line, role, &own, &other);
        if (action.from != KN_NO_CELL && on_line(line, action.from)) own--;
        count += own > 0 && other == 0;
    }
    return count;
}

/* What plans cost before anything is moved, and the least of it. */
typedef struct Plans {
    int cost[256];
    int count, least;
} Plans;

static void find_plans(const Board *b, int role, Plans *plans)
{
    plans->count = b->knowledge->lines->count < 256 ? b->knowledge->lines->count : 256;
    plans->least = NO_PLAN;
    for (int i = 0; i < plans->count; i++) {
        plans->cost[i] = plan_cost(b, &b->knowledge->lines->line[i], role);
        if (plans->cost[i] < plans->least) plans->least = plans->cost[i];
    }
}

/* 10 if the move advances a shortest plan, 7 if it advances another, no more than a step longer. */
static int candide_says(const Board *after, int role, const Plans *plans)
{
    int best = SILENT;
    for (int i = 0; i < plans->count; i++) {
        if (plans->cost[i] >= NO_PLAN || plans->cost[i] > plans->least + 1) continue;
        int cost = plan_cost(after, &after->knowledge->lines->line[i], role), own, other;
        count_line(after, &after->knowledge->lines->line[i], role, &own, &other);
        bool done = own == after->knowledge->lines->line[i].size && plans->cost[i] == 1;
        if (!done && cost >= plans->cost[i]) continue;
        int strength = plans->cost[i] == plans->least ? HEAVY : 7;
        if (strength > best) best = strength;
    }
    return best;
}

/* 10 if the move makes one of the other's shortest plans longer or impossible. */
static int worried_says(const Board *after, int other, const Plans *plans)
{
    for (int i = 0; i < plans->count && plans->least < NO_PLAN; i++)
        if (plans->cost[i] == plans->least &&
            plan_cost(after, &after->knowledge->lines->line[i], other) > plans->cost[i])
            return HEAVY;
    return SILENT;
}

static int reversed_if(int sign, int strength)
{
    return strength == SILENT ? SILENT : sign > 0 ? strength : HEAVY - strength;
}

void kn_advise_lines(const Decision *decision, int *challenge, int *coverage, int *greedy, int *candide,
                     int *worried, int *pitchfork)
{
    const HoyleKnowledge *knowledge = decision->knowledge;
    int role = decision->role, sign = knowledge->lines->sign;
    bool placing = !knowledge->lines->slides ||
                   (decision->count && decision->consequences[0].action.from == KN_NO_CELL);
    Board before = {knowledge, decision->cells, placing};
    Plans own, other;
    find_plans(&before, role, &own);
    find_plans(&before, 1 - role, &other);
    int influence_before = influence(&before, role) - influence(&before, 1 - role),
        open_before = open_lines(&before, role) - open_lines(&before, 1 - role);
    int own_forks = forks(&before, role), other_forks = forks(&before, 1 - role);
    for (int i = 0; i < decision->count; i++) {
        Board after = {knowledge, kn_decision_cells_after(decision, i), placing};
        const Consequence *consequence = &decision->consequences[i];
        coverage[i] = influence(&after, role) - influence(&after, 1 - role) - influence_before;
        challenge[i] = sign * (open_lines(&after, role) - open_lines(&after, 1 - role) - open_before);
        if (consequence->out || !knowledge->lines->count) continue;
        greedy[i] = reversed_if(sign, advanced(&before, role, consequence->action) > 1 ? HEAVY : SILENT);
        candide[i] = reversed_if(sign, candide_says(&after, role, &own));
        worried[i] = reversed_if(sign, worried_says(&after, 1 - role, &other));
        int made = forks(&after, role), left = forks(&after, 1 - role);
        pitchfork[i] = reversed_if(sign, made > own_forks ? HEAVY : left < other_forks ? 8 : SILENT);
    }
}
