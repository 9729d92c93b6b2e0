#include "methods/widening/capture_self_play.h"

#include "base/assert.h"

static bool own_eye(const KnStrings *s, int point, int colour)
{
    const int next[4] = KN_NEIGHBOURS(s, point);
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] != colour && s->colour[next[i]] != KN_STONE_BORDER) return false;
    return true;
}

static bool sensible(const KnStrings *s, int point, int colour)
{
    return s->colour[point] == KN_STONE_NONE && !own_eye(s, point, colour) &&
           kn_strings_legal(s, point, colour);
}

/* The last liberty of a string in atari: a move there captures the string or extends it. */
static int urgent(KnStrings *s, int colour, KnRng *rng)
{
    int points[KN_STRINGS_POINTS], count = 0;
    for (int y = 0; y < s->size; y++)
        for (int x = 0; x < s->size; x++) {
            int point = kn_strings_point(s, x, y);
            if (s->colour[point] == KN_STONE_NONE || s->head[point] != point ||
                s->string[point].liberties != 1)
                continue;
            KN_ASSERT(count < KN_STRINGS_POINTS);
            KN_POINTS_EACH(s, &s->string[point].free, liberty)
            if (kn_strings_legal(s, liberty, colour)) points[count++] = liberty;
        }
    return count ? points[kn_rng_below(rng, (uint32_t)count)] : KN_STRINGS_NONE;
}

static int near_last(const KnStrings *s, int last, int colour, KnRng *rng)
{
    for (int tries = 0; tries < 8; tries++) {
        int x = kn_strings_x(s, last) + (int)kn_rng_below(rng, 5) - 2,
            y = kn_strings_y(s, last) + (int)kn_rng_below(rng, 5) - 2;
        if (x < 0 || y < 0 || x >= s->size || y >= s->size) continue;
        int point = kn_strings_point(s, x, y);
        if (sensible(s, point, colour)) return point;
    }
    return KN_STRINGS_NONE;
}

static int anywhere(const KnStrings *s, int colour, KnRng *rng)
{
    for (int tries = 0; tries < 4 * s->size * s->size; tries++) {
        int y = (int)kn_rng_below(rng, (uint32_t)s->size),
            x = (int)kn_rng_below(
                rng, (uint32_t)s->size); /* the order of evaluation of arguments is unspecified */
        int point = kn_strings_point(s, x, y);
        if (sensible(s, point, colour)) return point;
    }
    return KN_STRINGS_NONE;
}

KnStrings *kn_capture_self_play(int size, KnRng *rng)
{
    KnStrings *s = kn_strings_new(size);
    uint32_t cells = (uint32_t)(size * size), plies = cells * 3 / 10 + kn_rng_below(rng, cells * 6 / 10);
    int last = KN_STRINGS_NONE, colour = KN_STONE_BLACK;
    for (uint32_t i = 0; s && i < plies; i++, colour = KN_STONE_OTHER(colour)) {
        int point = kn_rng_below(rng, 10) < 7 ? urgent(s, colour, rng) : KN_STRINGS_NONE;
        if (point == KN_STRINGS_NONE && last != KN_STRINGS_NONE && kn_rng_below(rng, 10) < 6)
            point = near_last(s, last, colour, rng);
        if (point == KN_STRINGS_NONE) point = anywhere(s, colour, rng);
        if (!kn_strings_play(s, point, colour)) break;
        last = point;
    }
    return s;
}

KnStatus kn_capture_position(const KnStrings *s, const KnGame *game, int mover, void *position,
                             KnError *error)
{
    uint8_t cells[KN_GO_CELLS_MAX];
    for (int i = 0; i < s->size * s->size; i++)
        cells[i] = s->colour[kn_strings_point(s, i % s->size, i / s->size)];
    return kn_go_set_up(game, cells, mover, KN_GO_PASS, position, error);
}
