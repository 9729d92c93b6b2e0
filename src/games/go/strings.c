#include "games/go/strings.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"

/* The undo log of a move: changed strings as they were before, in order; joined strings; captured strings. */
typedef struct Save {
    uint16_t head;
    KnString before;
} Save;

typedef struct Frame {
    uint64_t hash;
    size_t saves; /* length of the log before this move */
    uint16_t ko, point, taken_stones;
    uint16_t head, link; /* previous links of the point: a captured string still runs through it */
    uint8_t joined, taken;
    uint16_t join[4][2]; /* the string that stays, the one that disappears */
    uint16_t take[4];    /* heads */
} Frame;

enum { FRAMES_AT_FIRST = 256, SAVES_AT_FIRST = 4096 };

typedef struct KnStringsLog {
    Frame *frames;
    Save *saves;
    size_t frame_room, save_room, save_count;
} Log;

KnStrings *kn_strings_new(int size)
{
    KnStrings *s = calloc(1, sizeof *s);
    Log *log = calloc(1, sizeof *log);
    if (log) {
        log->frames = malloc(FRAMES_AT_FIRST * sizeof *log->frames);
        log->saves = malloc(SAVES_AT_FIRST * sizeof *log->saves);
        log->frame_room = FRAMES_AT_FIRST, log->save_room = SAVES_AT_FIRST;
    }
    if (!s || !log || !log->frames || !log->saves) {
        if (log) free(log->frames), free(log->saves);
        free(log), free(s);
        return NULL;
    }
    s->log = log, s->size = size, s->stride = size + 1;
    s->words = ((size + 2) * s->stride + 64) / 64;
    memset(s->colour, KN_STONE_BORDER, sizeof s->colour);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) s->colour[kn_strings_point(s, x, y)] = KN_STONE_NONE;
    return s;
}

void kn_strings_free(KnStrings *s)
{
    if (!s) return;
    free(s->log->frames), free(s->log->saves), free(s->log);
    free(s);
}

static uint64_t key(int point, int colour) { return kn_mix64((uint64_t)(point * 4 + colour) + 0x60a0d7); }

KnMove kn_strings_move(const KnStrings *s, const KnGame *game, int point)
{
    return point == KN_STRINGS_NONE ? KN_GO_PASS
                                    : kn_go_move(game, kn_strings_x(s, point), kn_strings_y(s, point));
}

int kn_strings_from_move(const KnStrings *s, const KnGame *game, KnMove move)
{
    int x, y;
    return kn_go_point(game, move, &x, &y) ? kn_strings_point(s, x, y) : KN_STRINGS_NONE;
}

static void lose_liberty(KnString *string, int point)
{
    if (!kn_points_has(&string->free, point)) return;
    kn_points_drop(&string->free, point);
    string->liberties--;
}

static void gain_liberty(KnString *string, int point)
{
    if (kn_points_has(&string->free, point)) return;
    kn_points_add(&string->free, point);
    string->liberties++;
}

/* Reserves the log for one move: a stone joins at most four strings and captures four, and each has at most
 * as many neighbours as there are strings. */
static bool make_room(KnStrings *s)
{
    Log *log = s->log;
    if ((size_t)s->plies == log->frame_room) {
        Frame *more = realloc(log->frames, 2 * log->frame_room * sizeof *more);
        if (!more) return false;
        log->frames = more, log->frame_room *= 2;
    }
    if (log->save_room - log->save_count < 8 * KN_STRINGS_POINTS) {
        Save *more = realloc(log->saves, 2 * log->save_room * sizeof *more);
        if (!more) return false;
        log->saves = more, log->save_room *= 2;
    }
    return true;
}

static KnString *change(KnStrings *s, int head)
{
    Save *save = &s->log->saves[s->log->save_count++];
    save->head = (uint16_t)head, save->before = s->string[head];
    return &s->string[head];
}

static void take_off(KnStrings *s, Frame *frame, int head, int by)
{
    int colour = s->colour[head];
    KN_POINTS_EACH(s, &s->string[head].foes, foe) kn_points_drop(&change(s, foe)->foes, head);
    int stone = head;
    do {
        const int next[4] = KN_NEIGHBOURS(s, stone);
        s->colour[stone] = KN_STONE_NONE;
        s->hash ^= key(stone, colour);
        frame->taken_stones++;
        for (int i = 0; i < 4; i++)
            if (s->colour[next[i]] == by) gain_liberty(&s->string[s->head[next[i]]], stone);
        stone = s->link[stone];
    } while (stone != head);
    frame->take[frame->taken++] = (uint16_t)head;
}

static void swap_links(KnStrings *s, int a, int b)
{
    uint16_t link = s->link[a];
    s->link[a] = s->link[b], s->link[b] = link;
}

static void rename_stones(KnStrings *s, int first, int head)
{
    int stone = first;
    do s->head[stone] = (uint16_t)head;
    while ((stone = s->link[stone]) != first);
}

/* Joins two strings: the smaller takes the name of the larger. */
static void join(KnStrings *s, Frame *frame, int a, int b)
{
    KN_ASSERT(a != b && s->head[a] == a && s->head[b] == b);
    if (s->string[a].stones < s->string[b].stones) {
        int c = a;
        a = b, b = c;
    }
    KnString *stays = change(s, a);
    const KnString *ceases = &s->string[b];
    KN_POINTS_EACH(s, &ceases->foes, foe)
    {
        KnString *other = change(s, foe);
        kn_points_drop(&other->foes, b);
        kn_points_add(&other->foes, a);
    }
    for (int i = 0; i < s->words; i++) {
        stays->free.w[i] |= ceases->free.w[i];
        stays->foes.w[i] |= ceases->foes.w[i];
    }
    stays->liberties = (uint16_t)kn_points_count(s, &stays->free);
    stays->stones = (uint16_t)(stays->stones + ceases->stones);
    rename_stones(s, b, a);
    swap_links(s, a, b);
    frame->join[frame->joined][0] = (uint16_t)a, frame->join[frame->joined++][1] = (uint16_t)b;
}

bool kn_strings_legal(const KnStrings *s, int point, int colour)
{
    if (s->colour[point] != KN_STONE_NONE || point == s->ko) return false;
    const int next[4] = KN_NEIGHBOURS(s, point);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_NONE) return true;
        if (there == KN_STONE_BORDER) continue;
        int liberties = s->string[s->head[next[i]]].liberties;
        if (there == colour ? liberties > 1 : liberties == 1) return true;
    }
    return false;
}

static void place(KnStrings *s, Frame *frame, int point, int colour)
{
    const int next[4] = KN_NEIGHBOURS(s, point);
    KnString *own = change(s, point);
    memset(own, 0, sizeof *own);
    own->stones = 1;
    s->colour[point] = (uint8_t)colour, s->head[point] = s->link[point] = (uint16_t)point;
    s->hash ^= key(point, colour);
    int other = KN_STONE_OTHER(colour);
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_NONE) {
            gain_liberty(own, next[i]);
        } else if (there == other && !kn_points_has(&own->foes, s->head[next[i]])) {
            kn_points_add(&own->foes, s->head[next[i]]);
            KnString *foe = change(s, s->head[next[i]]);
            kn_points_add(&foe->foes, point);
            lose_liberty(foe, point);
        }
    }
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] == other && kn_string_of(s, next[i])->liberties == 0)
            take_off(s, frame, s->head[next[i]], colour);
    int lone_taken = frame->taken_stones == 1 ? frame->take[0] : KN_STRINGS_NONE;
    for (int i = 0; i < 4; i++)
        if (s->colour[next[i]] == colour && s->head[next[i]] != s->head[point]) {
            lose_liberty(change(s, s->head[next[i]]), point);
            join(s, frame, s->head[next[i]], s->head[point]);
        }
    const KnString *now = kn_string_of(s, point);
    s->ko = now->stones == 1 && now->liberties == 1 ? lone_taken : KN_STRINGS_NONE;
}

bool kn_strings_play(KnStrings *s, int point, int colour)
{
    KN_ASSERT(point >= 0 && point < KN_STRINGS_POINTS);
    KN_ASSERT(colour == KN_STONE_BLACK || colour == KN_STONE_WHITE);
    if (!make_room(s)) return false;
    Frame *frame = &s->log->frames[s->plies++];
    *frame = (Frame){.hash = s->hash,
                     .saves = s->log->save_count,
                     .ko = (uint16_t)s->ko,
                     .point = (uint16_t)point,
                     .head = s->head[point],
                     .link = s->link[point]};
    if (point == KN_STRINGS_NONE)
        s->ko = KN_STRINGS_NONE;
    else
        place(s, frame, point, colour);
    return true;
}

void kn_strings_undo(KnStrings *s)
{
    Log *log = s->log;
    const Frame *frame = &log->frames[--s->plies];
    if (frame->point != KN_STRINGS_NONE) {
        int other = KN_STONE_OTHER(s->colour[frame->point]);
        for (int i = frame->joined; i-- > 0;) {
            swap_links(s, frame->join[i][0], frame->join[i][1]);
            rename_stones(s, frame->join[i][1], frame->join[i][1]);
        }
        for (int i = frame->taken; i-- > 0;) {
            int stone = frame->take[i];
            do s->colour[stone] = (uint8_t)other;
            while ((stone = s->link[stone]) != frame->take[i]);
        }
        s->colour[frame->point] = KN_STONE_NONE;
        s->head[frame->point] = frame->head, s->link[frame->point] = frame->link;
    }
    while (log->save_count > frame->saves) {
        const Save *save = &log->saves[--log->save_count];
        s->string[save->head] = save->before;
    }
    s->hash = frame->hash, s->ko = frame->ko;
}

uint64_t kn_strings_hash_after(const KnStrings *s, int point, int colour, int *ko)
{
    *ko = KN_STRINGS_NONE;
    if (point == KN_STRINGS_NONE) return s->hash;
    const int next[4] = KN_NEIGHBOURS(s, point);
    uint64_t hash = s->hash ^ key(point, colour);
    int taken = 0, heads[4], last = KN_STRINGS_NONE;
    bool alone = true; /* no friendly or empty neighbour */
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_NONE || there == colour) alone = false;
        if (there != KN_STONE_OTHER(colour) || s->string[s->head[next[i]]].liberties != 1) continue;
        int head = s->head[next[i]], before = 0;
        while (before < taken && heads[before] != head) before++;
        if (before < taken) continue;
        heads[taken++] = head, last = head;
        int stone = head;
        do hash ^= key(stone, there);
        while ((stone = s->link[stone]) != head);
    }
    if (alone && taken == 1 && s->string[last].stones == 1) *ko = last;
    return hash;
}

int kn_strings_taken(const KnStrings *s) { return s->plies ? s->log->frames[s->plies - 1].taken_stones : 0; }

/* Sets stones directly, not by playing them: in between, a string could lose its last liberty. */
void kn_strings_set(KnStrings *s, const KnGame *game, const void *position)
{
    s->hash = 0, s->ko = KN_STRINGS_NONE, s->plies = 0, s->log->save_count = 0;
    memset(s->string, 0, sizeof s->string);
    int points = s->size * s->size;
    for (int i = 0; i < points; i++) {
        int point = kn_strings_point(s, i % s->size, i / s->size), held = game->type->cell(game, position, i);
        s->colour[point] = (uint8_t)held, s->head[point] = s->link[point] = (uint16_t)point;
        if (held != KN_STONE_NONE) s->hash ^= key(point, held);
    }
    for (int i = 0; i < points; i++) { /* name strings by spreading the lowest point's name */
        int first = kn_strings_point(s, i % s->size, i / s->size);
        if (s->colour[first] == KN_STONE_NONE || s->head[first] != first || s->string[first].stones) continue;
        uint16_t queue[KN_STRINGS_POINTS];
        int count = 0;
        queue[count++] = (uint16_t)first;
        KnString *string = &s->string[first];
        for (int at = 0; at < count; at++) {
            const int next[4] = KN_NEIGHBOURS(s, queue[at]);
            string->stones++;
            for (int n = 0; n < 4; n++) {
                if (s->colour[next[n]] == KN_STONE_NONE) gain_liberty(string, next[n]);
                if (s->colour[next[n]] != s->colour[first] || next[n] == first || s->head[next[n]] == first)
                    continue;
                s->head[next[n]] = (uint16_t)first;
                s->link[next[n]] = s->link[first], s->link[first] = (uint16_t)next[n];
                queue[count++] = (uint16_t)next[n];
            }
        }
    }
    for (int i = 0; i < points; i++) {
        int point = kn_strings_point(s, i % s->size, i / s->size);
        if (s->colour[point] == KN_STONE_NONE) continue;
        const int next[4] = KN_NEIGHBOURS(s, point);
        for (int n = 0; n < 4; n++)
            if (s->colour[next[n]] == KN_STONE_OTHER(s->colour[point]))
                kn_points_add(&kn_string_of(s, point)->foes, s->head[next[n]]);
    }
    KnMove ko = kn_go_ko(game, position);
    if (ko != KN_GO_PASS) s->ko = kn_strings_from_move(s, game, ko);
}
