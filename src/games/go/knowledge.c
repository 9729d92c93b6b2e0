/* Features for learners and simple evaluations, without tactical reading. */
#include "games/go/board.h"

/* As shares of the board; an instance scales them to points. */
const KnFeature kn_go_features[GO_FEATURES] = {
    {"stones", "own stones", 0, 1},
    {"their stones", "the other's stones", 0, 1},
    {"strings", "own strings", 0, 1},
    {"their strings", "the other's strings", 0, 1},
    {"liberties", "empty points next to own stones", 0, 1},
    {"their liberties", "empty points next to the other's stones", 0, 1},
    {"atari", "own stones in strings with one liberty", 0, 1},
    {"their atari", "the other's stones in strings with one liberty", 0, 1},
    {"territory", "empty points that reach own stones only", 0, 1},
    {"their territory", "empty points that reach the other's stones only", 0, 1},
    {"influence", "empty points nearer to own stones", 0, 1},
    {"their influence", "empty points nearer to the other's stones", 0, 1},
    {"edge stones", "own stones on the edge of the board", 0, 1},
    {"their edge stones", "the other's stones on the edge of the board", 0, 1},
};

/* Influence: empty points that each colour reaches first when both spread one step at a time. */
GO_INLINE void spread(KnGoShape s, const KnGoRules *rules, KnGoBits black, KnGoBits white, KnGoBits gained[2])
{
    KnGoBits wave[2] = {black, white}, free = go_less(s, rules->all, go_either(s, black, white));
    gained[0] = gained[1] = go_nothing();
    while (go_any(s, wave[0]) || go_any(s, wave[1])) {
        for (int c = 0; c < 2; c++) wave[c] = go_both(s, go_next(s, wave[c]), free);
        free = go_less(s, free, go_either(s, wave[0], wave[1]));
        KnGoBits contested = go_both(s, wave[0], wave[1]);
        for (int c = 0; c < 2; c++) {
            wave[c] = go_less(s, wave[c], contested);
            gained[c] = go_either(s, gained[c], wave[c]);
        }
    }
}

GO_INLINE int count_strings(KnGoShape s, KnGoBits stones)
{
    int count = 0;
    for (; go_any(s, stones); count++)
        stones = go_less(s, stones, go_flood(s, go_point(s, go_first(s, stones)), stones));
    return count;
}

GO_INLINE void fill_features(KnGoShape s, const KnGoRules *rules, const KnGoPosition *p, int role,
                             double *values)
{
    KnGoBits stones[2] = {go_load(s, p->boards), go_load(s, p->boards + s.words)};
    KnGoBits atari = go_load(s, p->boards + 2 * s.words), areas[2], nearer[2];
    KnGoBits empty = go_less(s, rules->all, go_either(s, stones[0], stones[1]));
    kn_go_areas(rules, p, areas);
    spread(s, rules, stones[0], stones[1], nearer);
    for (int i = 0; i < 2; i++) {
        int c = role ^ i;
        values[0 + i] = go_count(s, stones[c]);
        values[2 + i] = count_strings(s, stones[c]);
        values[4 + i] = go_count(s, go_both(s, go_next(s, stones[c]), empty));
        values[6 + i] = go_count(s, go_both(s, stones[c], atari));
        values[8 + i] = go_count(s, go_less(s, areas[c], stones[c]));
        values[10 + i] = go_count(s, nearer[c]);
        values[12 + i] = go_count(s, go_both(s, stones[c], rules->edge));
    }
}

void kn_go_feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnGoRules *rules = go_rules(game);
    GO_SHAPED(rules, fill_features, rules, position, role, values);
}

double kn_go_material(const KnGame *game, const void *position, int role)
{
    const KnGoRules *rules = go_rules(game);
    return go_count(rules->shape, go_load(rules->shape, go_stones(rules, position, role)));
}

double kn_go_points(const KnGame *game, const void *position, int role)
{
    int area[2];
    kn_go_area(game, position, area);
    double margin = area[0] - area[1] - kn_go_komi(game);
    return role ? -margin : margin;
}

/* The opponent's stones in atari count as captured: the mover can capture one string, often the important
 * one. */
GO_INLINE KnScore influence(KnGoShape s, const KnGoRules *rules, const KnGoPosition *p)
{
    KnGoBits stones[2] = {go_load(s, p->boards), go_load(s, p->boards + s.words)}, nearer[2];
    int me = p->mover;
    stones[1 - me] = go_less(s, stones[1 - me], go_load(s, p->boards + 2 * s.words));
    spread(s, rules, stones[0], stones[1], nearer);
    int lead = 0;
    for (int c = 0; c < 2; c++)
        lead += (c == me ? 1 : -1) * (go_count(s, stones[c]) + go_count(s, nearer[c]));
    return 100 * lead - 50 * (me == KN_GO_BLACK ? rules->komi_halves : -rules->komi_halves);
}

static KnScore score_influence(const KnGame *game, const void *position)
{
    const KnGoRules *rules = go_rules(game);
    return GO_SHAPED(rules, influence, rules, position);
}

static KnScore score_area(const KnGame *game, const void *position)
{
    return (KnScore)(100 * kn_go_points(game, position, ((const KnGoPosition *)position)->mover));
}

static KnScore score_stones(const KnGame *game, const void *position)
{
    int me = ((const KnGoPosition *)position)->mover;
    return (KnScore)(100 * (kn_go_material(game, position, me) - kn_go_material(game, position, 1 - me)));
}

const KnGameEvaluation kn_go_evaluations[] = {
    {"influence",
     "stones and the empty points nearer to them, komi counted; the other's stones in atari as taken",
     score_influence},
    {"area", "the result if the game ended here: stones and surrounded points, komi counted", score_area},
    {"stones", "own stones less the other's", score_stones},
    {0}};
