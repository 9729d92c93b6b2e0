#include "methods/satisficing/outcome_map.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/escape.h"
#include "base/json.h"
#include <knack/stats.h>

static uint32_t trials_of(const KnOutcomeMapPoint *p)
{
    return p->cooperation + p->defection + p->unequal + p->cycles + p->unsettled;
}

double kn_outcome_map_share(const KnOutcomeMapPoint *point)
{
    uint32_t trials = trials_of(point);
    return trials ? (double)point->cooperation / trials : NAN;
}

char kn_outcome_map_letter(const KnOutcomeMapPoint *point, uint64_t trials)
{
    if (!trials_of(point)) return ' ';
    if (trials > 1) {
        int tenth = (int)(10 * kn_outcome_map_share(point));
        return tenth >= 10 ? 'C' : (char)('0' + tenth);
    }
    return point->cooperation ? 'C'
           : point->defection ? 'D'
           : point->cycles    ? '+'
           : point->unequal   ? '/'
                              : '?';
}

void kn_outcome_map_text(const KnOutcomeMap *map, KnText *out)
{
    KN_ASSERT(map->x.points > 0 && map->y.points > 0);
    for (int y = map->y.points - 1; y >= 0; y--) {
        if (y == map->y.points - 1 || y == 0)
            kn_text_printf(out, "%8.4g ", y ? map->y.high : map->y.low);
        else
            kn_text_printf(out, "%8s ", y == map->y.points / 2 ? kn_trial_names[map->y.number] : "");
        for (int x = 0; x < map->x.points; x++)
            kn_text_add_char(out, kn_outcome_map_letter(&map->points[y * map->x.points + x], map->trials));
        kn_text_add_char(out, '\n');
    }
    kn_text_printf(out, "%9s%-*.4g %s %.4g\n", "", map->x.points > 24 ? map->x.points / 2 - 4 : 8, map->x.low,
                   kn_trial_names[map->x.number], map->x.high);
}

/* ---- SVG ---- */

enum { WIDTH = 600, HEIGHT = 600, LEFT = 80, TOP = 50 };

/* The colour of a point, in the letters that the paper's figures would use. */
static void add_colour(const KnOutcomeMapPoint *point, uint64_t trials, KnText *out)
{
    switch (kn_outcome_map_letter(point, trials)) {
    case '?':
        kn_text_add(out, "#c00");
        return;
    case '/':
        kn_text_add(out, "#48c");
        return;
    case '+':
        kn_text_add(out, "#999");
        return;
    default:
        break;
    }
    int grey = (int)lround(255 * kn_outcome_map_share(point));
    kn_text_printf(out, "#%02x%02x%02x", grey, grey, grey);
}

static bool looks_alike(const KnOutcomeMapPoint *a, const KnOutcomeMapPoint *b, uint64_t trials)
{
    if (!trials_of(a) || !trials_of(b)) return !trials_of(a) && !trials_of(b);
    if (trials == 1) return kn_outcome_map_letter(a, trials) == kn_outcome_map_letter(b, trials);
    return lround(255 * kn_outcome_map_share(a)) == lround(255 * kn_outcome_map_share(b));
}

/* Equal neighbours of a row are one rectangle: pictures of figure 4 stay small. */
static void add_row(const KnOutcomeMap *map, int y, KnText *out)
{
    KN_ASSERT(y >= 0 && y < map->y.points);
    const KnOutcomeMapPoint *row = map->points + y * map->x.points;
    double width = (double)WIDTH / map->x.points, height = (double)HEIGHT / map->y.points;
    for (int x = 0, end; x < map->x.points; x = end) {
        for (end = x + 1; end < map->x.points && looks_alike(&row[x], &row[end], map->trials);) end++;
        if (!trials_of(&row[x])) continue;
        kn_text_printf(out, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='", LEFT + x * width,
                       TOP + HEIGHT - (y + 1) * height, (end - x) * width + .3, height + .3);
        add_colour(&row[x], map->trials, out);
        kn_text_add(out, "'/>\n");
    }
}

static void add_axes(const KnOutcomeMap *map, KnText *out)
{
    kn_text_printf(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='currentColor'/>\n",
                   LEFT, TOP, WIDTH, HEIGHT);
    for (int i = 0; i <= 4; i++) {
        double x = map->x.low + (map->x.high - map->x.low) * i / 4,
               y = map->y.low + (map->y.high - map->y.low) * i / 4;
        kn_text_printf(out, "<text x='%d' y='%d' text-anchor='middle'>%.4g</text>\n", LEFT + WIDTH * i / 4,
                       TOP + HEIGHT + 22, x);
        kn_text_printf(out, "<text x='%d' y='%d' text-anchor='end'>%.4g</text>\n", LEFT - 8,
                       TOP + HEIGHT - HEIGHT * i / 4 + 5, y);
    }
    kn_text_printf(out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", LEFT + WIDTH / 2,
                   TOP + HEIGHT + 44, kn_trial_names[map->x.number]);
    kn_text_printf(out, "<text x='20' y='%d' text-anchor='middle' transform='rotate(-90 20 %d)'>%s</text>\n",
                   TOP + HEIGHT / 2, TOP + HEIGHT / 2, kn_trial_names[map->y.number]);
    kn_text_printf(out, "<text x='%d' y='%d' text-anchor='middle' font-size='15'>%s</text>\n",
                   LEFT + WIDTH / 2, TOP + HEIGHT + 70,
                   map->trials == 1 ? "white: mutual cooperation, black: mutual defection, grey: a cycle"
                                    : "the lighter, the more trials led to mutual cooperation");
}

void kn_outcome_map_svg(const KnOutcomeMap *map, const char *title, KnText *out)
{
    kn_text_printf(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='17' "
        "fill='currentColor' role='img'>\n<title>",
        LEFT + WIDTH + 30, TOP + HEIGHT + 85);
    kn_text_escape(out, title, strlen(title));
    kn_text_printf(out, "</title>\n<text x='%d' y='30' text-anchor='middle'>", LEFT + WIDTH / 2);
    kn_text_escape(out, title, strlen(title));
    kn_text_add(out, "</text>\n<g shape-rendering='crispEdges'>\n");
    for (int y = 0; y < map->y.points; y++) add_row(map, y, out);
    kn_text_add(out, "</g>\n");
    add_axes(map, out);
    kn_text_add(out, "</svg>\n");
}

void kn_outcome_map_csv(const KnOutcomeMap *map, KnText *out)
{
    kn_text_printf(out, "%s,%s,trials,cooperation,defection,unequal,cycles,unsettled,share,low,high\n",
                   kn_trial_names[map->x.number], kn_trial_names[map->y.number]);
    for (int y = 0; y < map->y.points; y++)
        for (int x = 0; x < map->x.points; x++) {
            const KnOutcomeMapPoint *p = &map->points[y * map->x.points + x];
            uint32_t trials = trials_of(p);
            kn_text_add_real(out, kn_outcome_map_place(&map->x, x));
            kn_text_add_char(out, ',');
            kn_text_add_real(out, kn_outcome_map_place(&map->y, y));
            kn_text_printf(out, ",%u,%u,%u,%u,%u,%u,", trials, p->cooperation, p->defection, p->unequal,
                           p->cycles, p->unsettled);
            if (trials) {
                KnInterval interval = kn_wilson(p->cooperation, trials, KN_Z95);
                kn_text_printf(out, "%.6f,%.6f,%.6f\n", kn_outcome_map_share(p), interval.low, interval.high);
            } else
                kn_text_add(out, ",,\n");
        }
}

static json_t *axis_json(const KnOutcomeMapAxis *axis)
{
    return json_pack("{ss sf sf si}", "number", kn_trial_names[axis->number], "low", axis->low, "high",
                     axis->high, "points", axis->points);
}

json_t *kn_outcome_map_json(const KnOutcomeMap *map, const KnTrialPlan *plan)
{
    KnText trial = KN_TEXT_EMPTY;
    json_t *rows = json_array();
    kn_trial_distribution_text(&plan->trial, &trial);
    for (int i = 0; i < map->x.points * map->y.points; i++) {
        const KnOutcomeMapPoint *p = &map->points[i];
        json_array_append_new(
            rows, json_pack("[iiiii]", p->cooperation, p->defection, p->unequal, p->cycles, p->unsettled));
    }
    json_t *document = json_pack("{ss sI so so so s[sssss] so}", "deal", trial.data, "trials",
                                 (json_int_t)map->trials, "seed", kn_json_from_uint64(plan->seed), "x",
                                 axis_json(&map->x), "y", axis_json(&map->y), "columns", "cooperation",
                                 "defection", "unequal", "cycles", "unsettled", "points", rows);
    kn_text_free(&trial);
    return document;
}
