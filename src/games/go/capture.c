#include "games/go/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/go/capture_zone.h"

enum { LEMMA_NODES = 60 };   /* for a ladder that decides whether a move is worth a look */
enum { QUIET_NODES = 1500 }; /* a ladder across the board takes a few hundred */

static KnCapture *capture_of(const KnGoal *goal) { return (KnCapture *)(uintptr_t)goal; }
static const KnString *target_of(const KnCapture *c)
{
    return &c->strings->string[c->strings->head[c->target]];
}
static int mover(const KnCapture *c) { return c->goal.attacking ? KN_STONE_OTHER(c->defender) : c->defender; }

/* Whether a move is legal under this question's rules; records if the ko rule mattered. */
static bool may(KnCapture *c, int point, int colour)
{
    const KnString *target = target_of(c);
    if (colour != c->defender && target->liberties == 1 && kn_points_has(&target->free, point)) {
        if (kn_capture_by_ko(c, point)) { /* a capture that can be retaken does not count */
            c->goal.ko = true;
            if (c->threats[c->defender]) {
                c->lone_ko |= c->threats[c->defender] != KN_CAPTURE_ALWAYS;
                return false;
            }
        } else if (c->kind == KN_CAPTURE_LASTING && kn_capture_taken_back(c, point)) {
            return false;
        }
    }
    if (point != c->strings->ko) return kn_strings_legal(c->strings, point, colour);
    c->goal.ko = true;
    return c->threats[colour] > 0; /* retaking a ko is never suicide */
}

static bool play(KnGoal *goal, int move)
{
    KnCapture *c = capture_of(goal);
    bool retakes = move != KN_GOAL_PASS && move == c->strings->ko;
    if (!kn_strings_play(c->strings, move, mover(c))) return false;
    if (retakes && c->threats[mover(c)] != KN_CAPTURE_ALWAYS) {
        KN_ASSERT(c->threats[mover(c)] > 0 && c->spents < 2 * KN_CAPTURE_THREATS);
        c->threats[mover(c)]--;
        c->spent[c->spents++] = c->strings->plies;
    }
    goal->attacking = !goal->attacking;
    return true;
}

static void undo(KnGoal *goal)
{
    KnCapture *c = capture_of(goal);
    goal->attacking = !goal->attacking;
    if (c->spents && c->spent[c->spents - 1] == c->strings->plies) c->spents--, c->threats[mover(c)]++;
    kn_strings_undo(c->strings);
}

static KnGoalStanding standing(const KnGoal *goal)
{
    const KnCapture *c = capture_of(goal);
    if (c->strings->colour[c->target] != c->defender) return KN_GOAL_REACHED;
    return target_of(c)->liberties > c->limit ? KN_GOAL_LOST : KN_GOAL_OPEN;
}

static int needs(const KnGoal *goal) { return target_of(capture_of(goal))->liberties; }

static uint64_t mixed(const KnCapture *c, uint64_t stones, int ko, bool attacking, int retaker)
{
    int black = c->threats[KN_STONE_BLACK], white = c->threats[KN_STONE_WHITE];
    if (retaker == KN_STONE_BLACK && black != KN_CAPTURE_ALWAYS) black--;
    if (retaker == KN_STONE_WHITE && white != KN_CAPTURE_ALWAYS) white--;
    return stones ^ kn_mix64((uint64_t)ko << 1 | (uint64_t)attacking | (uint64_t)(black & 127) << 20 |
                             (uint64_t)(white & 127) << 27);
}

static uint64_t hash(const KnGoal *goal)
{
    const KnCapture *c = capture_of(goal);
    return mixed(c, c->strings->hash, c->strings->ko, goal->attacking, KN_STONE_NONE);
}

static uint64_t hash_after(const KnGoal *goal, int move)
{
    const KnCapture *c = capture_of(goal);
    int ko;
    uint64_t stones = kn_strings_hash_after(c->strings, move, mover(c), &ko);
    bool retakes = move != KN_GOAL_PASS && move == c->strings->ko;
    return mixed(c, stones, ko, !goal->attacking, retakes ? mover(c) : KN_STONE_NONE);
}

/* ---- Move lists: each point once, in order of first appearance ---- */

typedef struct List {
    KnCapture *capture;
    int *moves, count, colour;
    KnPointSet seen;
} List;

static void list_add(List *list, int point)
{
    if (kn_points_has(&list->seen, point)) return;
    kn_points_add(&list->seen, point);
    if (may(list->capture, point, list->colour)) list->moves[list->count++] = point;
}

static void list_set(List *list, const KnPointSet *set)
{
    KN_POINTS_EACH(list->capture->strings, set, point) list_add(list, point);
}

static void list_neighbours(List *list, const KnPointSet *set)
{
    const KnStrings *s = list->capture->strings;
    KN_POINTS_EACH(s, set, point)
    {
        const int next[4] = KN_NEIGHBOURS(s, point);
        for (int i = 0; i < 4; i++)
            if (s->colour[next[i]] == KN_STONE_NONE) list_add(list, next[i]);
    }
}

/* OR1: the liberties of the target. OR2: also their liberties, and those of the strings around it that have
 * fewer liberties than it. */
static void list_attacks(List *list, KnWidth width)
{
    const KnStrings *s = list->capture->strings;
    const KnString *target = target_of(list->capture);
    list_set(list, &target->free);
    if (width == KN_WIDTH_NARROW) return;
    list_neighbours(list, &target->free);
    KN_POINTS_EACH(s, &target->foes, foe)
    if (s->string[foe].liberties < target->liberties) list_set(list, &s->string[foe].free);
}

static int attacks(KnGoal *goal, int within, int *moves)
{
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = KN_STONE_OTHER(c->defender)};
    int liberties = target_of(c)->liberties;
    if (liberties > within) return 0;
    list_attacks(&list, liberties == within || liberties == 1 ? KN_WIDTH_NARROW : KN_WIDTH_WIDE);
    return list.count;
}

/* The complete set of defences: see capture_zone.c. */
static int defences(KnGoal *goal, int within, int *moves)
{
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = c->defender};
    KnPointSet zone;
    kn_capture_defences(c, within, &zone);
    list_set(&list, &target_of(c)->free);
    list_set(&list, &zone);
    return list.count;
}

static int widen(KnGoal *goal, KnWidth width, int *moves)
{
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = KN_STONE_OTHER(c->defender)};
    list_attacks(&list, width);
    if (width < KN_WIDTH_ALL) return list.count;
    KnPointSet zone; /* nearer points first */
    for (int k = 2; k <= KN_GOAL_THREATS; k++) {
        kn_capture_near(c, k, &zone);
        list_set(&list, &zone);
    }
    for (int y = 0; y < c->strings->size; y++)
        for (int x = 0; x < c->strings->size; x++) list_add(&list, kn_strings_point(c->strings, x, y));
    return list.count;
}

/* Liberties of adjacent strings with at most this many. */
static void list_around(List *list, int most)
{
    const KnStrings *s = list->capture->strings;
    KN_POINTS_EACH(s, &target_of(list->capture)->foes, foe)
    if (s->string[foe].liberties <= most) list_set(list, &s->string[foe].free);
}

/* Captures of strings that threaten those around the target. */
static void list_relief(List *list, int most)
{
    const KnStrings *s = list->capture->strings;
    KN_POINTS_EACH(s, &target_of(list->capture)->foes, foe)
    {
        if (s->string[foe].liberties > most) continue;
        KN_POINTS_EACH(s, &s->string[foe].foes, other)
        if (s->string[other].liberties == 1) list_set(list, &s->string[other].free);
    }
}

/* Likely moves: the liberties, weak adjacent strings, and neighbours of the liberties. In later rounds the
 * defender looks farther: at moves that could prevent a capture within two or three moves, such as attacks on
 * the surrounding strings. */
static int likely(KnGoal *goal, int round, int *moves)
{
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = mover(c)};
    if (round > 0) {
        KnPointSet zone = {{0}};
        kn_capture_near(c, round + 1, &zone);
        list_set(&list, &zone);
        return list.count;
    }
    if (!goal->attacking) list_around(&list, 1);
    list_set(&list, &target_of(c)->free);
    list_around(&list, 2);
    if (goal->attacking) list_relief(&list, 2);
    list_neighbours(&list, &target_of(c)->free);
    return list.count;
}

/* The defender attacks a surrounding string with two liberties only where it is caught in a ladder. */
static void list_caught(List *list, KnGoalCount *played)
{
    KnCapture *c = list->capture;
    const KnStrings *s = c->strings;
    KnPointSet foes = target_of(c)->foes;
    KN_POINTS_EACH(s, &foes, foe)
    {
        if (s->string[foe].liberties != 2) continue;
        uint64_t most = played->nodes + LEMMA_NODES;
        KnGoalCount lemma = {played->nodes, played->most && played->most < most ? played->most : most};
        bool caught = kn_capture_catches(c, foe, &lemma);
        played->nodes = lemma.nodes;
        if (caught) list_set(list, &s->string[foe].free);
    }
}

static int sharp(KnGoal *goal, KnGoalCount *played, int *moves)
{
    if (goal->attacking) return likely(goal, 0, moves);
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = c->defender};
    list_around(&list, 1);
    list_set(&list, &target_of(c)->free);
    list_caught(&list, played);
    list_neighbours(&list, &target_of(c)->free);
    return list.count;
}

static int legal(KnGoal *goal, int *moves)
{
    KnCapture *c = capture_of(goal);
    List list = {.capture = c, .moves = moves, .colour = mover(c)};
    for (int y = 0; y < c->strings->size; y++)
        for (int x = 0; x < c->strings->size; x++) list_add(&list, kn_strings_point(c->strings, x, y));
    return list.count;
}

/* Liberties of the target after a move: exact unless stones are captured. A stone that could be captured
 * immediately does not count. */
static int liberties_attacked(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    const KnString *target = target_of(c);
    if (point == KN_GOAL_PASS || !kn_points_has(&target->free, point)) return target->liberties;
    const int next[4] = KN_NEIGHBOURS(s, point);
    int breath = 0;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]];
        if (there == KN_STONE_NONE)
            breath++;
        else if (there == c->defender)
            breath += s->string[s->head[next[i]]].liberties == 1;
        else if (there != KN_STONE_BORDER)
            breath += s->string[s->head[next[i]]].liberties - 1;
    }
    return target->liberties - (breath > 1);
}

static int liberties_defended(const KnCapture *c, int point)
{
    const KnStrings *s = c->strings;
    const KnString *target = target_of(c);
    if (point == KN_GOAL_PASS) return target->liberties;
    bool touches = kn_points_has(&target->free, point);
    const int next[4] = KN_NEIGHBOURS(s, point);
    KnPointSet free = target->free;
    int gain = 0;
    for (int i = 0; i < 4; i++) {
        int there = s->colour[next[i]], head = s->head[next[i]];
        if (there == KN_STONE_NONE) {
            if (touches) kn_points_add(&free, next[i]);
        } else if (there == c->defender) {
            for (int w = 0; touches && w < s->words; w++) free.w[w] |= s->string[head].free.w[w];
        } else if (there != KN_STONE_BORDER && s->string[head].liberties == 1) {
            if (touches || kn_points_has(&target->foes, head))
                gain += s->string[head].stones < 3 ? s->string[head].stones : 3;
        }
    }
    kn_points_drop(&free, point);
    return gain + kn_points_count(s, &free);
}

static void outlook(const KnGoal *goal, const int *moves, int count, KnOutlook *outlooks)
{
    const KnCapture *c = capture_of(goal);
    int reach[KN_GOAL_MOVES_MAX];
    if (goal->attacking) kn_capture_reach(c, moves, count, reach);
    for (int i = 0; i < count; i++) {
        int needs = goal->attacking ? liberties_attacked(c, moves[i]) : liberties_defended(c, moves[i]);
        outlooks[i] = (KnOutlook){needs, goal->attacking && reach[i] > needs ? reach[i] : needs};
    }
}

static bool bound(const KnGoal *goal)
{
    const KnCapture *c = capture_of(goal);
    return c->strings->ko != KN_STRINGS_NONE && !c->threats[mover(c)];
}

static KnPlace place(const KnGoal *goal, int point)
{
    KnCapture *c = capture_of(goal);
    if (c->strings->colour[point] != KN_STONE_NONE) return KN_PLACE_TAKEN;
    return may(c, point, mover(c)) ? KN_PLACE_LEGAL : KN_PLACE_BARRED;
}

/* ---- Quiescence: ladders, read to the end ---- */

static bool save(KnCapture *c, uint64_t *nodes, uint64_t most);

/* QSCapture (Cazenave 2001): with one liberty, capture; with two, try each. */
static bool catch (KnCapture *c, uint64_t *nodes, uint64_t most)
{
    const KnString *target = target_of(c);
    if (target->liberties > 2 || *nodes >= most) return false;
    KnPointSet free = target->free;
    bool atari = target->liberties == 1;
    KN_POINTS_EACH(c->strings, &free, point)
    {
        if (!may(c, point, KN_STONE_OTHER(c->defender))) continue;
        if (atari) return true;
        if (*nodes >= most || !play(&c->goal, point)) return false;
        ++*nodes;
        bool caught = save(c, nodes, most);
        undo(&c->goal);
        if (caught) return true;
    }
    return false;
}

/* Whether the target is in atari. */
static bool threatens(KnCapture *c)
{
    bool any = false;
    KN_POINTS_EACH(c->strings, &target_of(c)->free, point)
    any |= c->strings->ko == point || may(c, point, KN_STONE_OTHER(c->defender));
    return any;
}

/* QSSave (Cazenave 2001): extend at the liberty, or capture adjacent strings in atari; these are all
 * defences. After a pass the attacker captures: that is not suicide, and a pass lifts any ko. */
static bool save(KnCapture *c, uint64_t *nodes, uint64_t most)
{
    if (target_of(c)->liberties > 1 || *nodes >= most) return false;
    int moves[KN_GOAL_MOVES_MAX], count = defences(&c->goal, 1, moves);
    if (!threatens(c)) return false;
    for (int i = 0; i < count; i++) {
        if (*nodes >= most || !play(&c->goal, moves[i])) return false;
        ++*nodes;
        bool caught = catch (c, nodes, most);
        undo(&c->goal);
        if (!caught) return false;
    }
    return true;
}

static bool forced(KnGoal *goal, KnGoalCount *played)
{
    KnCapture *c = capture_of(goal);
    uint64_t most = played->nodes + QUIET_NODES;
    if (played->most && most > played->most) most = played->most;
    return goal->attacking ? catch (c, &played->nodes, most) : save(c, &played->nodes, most);
}

static const KnGoalType capture_type = {.name = "capture",
                                        .play = play,
                                        .undo = undo,
                                        .standing = standing,
                                        .needs = needs,
                                        .hash = hash,
                                        .attacks = attacks,
                                        .defences = defences,
                                        .widen = widen,
                                        .likely = likely,
                                        .legal = legal,
                                        .forced = forced,
                                        .ladder = kn_capture_ladder,
                                        .sharp = sharp,
                                        .place = place,
                                        .hash_after = hash_after,
                                        .outlook = outlook,
                                        .bound = bound,
                                        .depends_end = kn_capture_depends_end,
                                        .depends_move = kn_capture_depends_move,
                                        .escape = kn_capture_escape,
                                        .parries = kn_capture_parries,
                                        .depends_reply = kn_capture_depends_reply,
                                        .depends_elsewhere = kn_capture_depends_elsewhere};

KnStatus kn_capture_open(const KnGame *game, const void *position, int cell, KnCapture **out, KnError *error)
{
    *out = NULL;
    if (!kn_go_is(game)) return kn_fail(error, KN_INPUT, "captures are of Go, not of %s", game->spec);
    int size = kn_go_size(game);
    if (cell < 0 || cell >= size * size)
        return kn_fail(error, KN_INPUT, "the target is not on a board of size %d", size);
    int held = game->type->cell(game, position, cell);
    if (held == KN_STONE_NONE)
        return kn_fail(error, KN_INPUT,
                       "the target is an empty point: name a stone of the string to capture");
    KnCapture *c = calloc(1, sizeof *c);
    if (c) c->strings = kn_strings_new(size);
    if (!c || !c->strings) {
        free(c);
        return kn_fail_memory(error, "opening a capture");
    }
    kn_strings_set(c->strings, game, position);
    c->goal.type = &capture_type;
    c->target = kn_strings_point(c->strings, cell % size, cell / size);
    c->defender = held, c->limit = KN_CAPTURE_LIMIT;
    c->goal.attacking = game->type->mover(game, position) + 1 != held;
    *out = c;
    return KN_OK;
}

void kn_capture_free(KnCapture *c)
{
    if (!c) return;
    kn_strings_free(c->strings);
    free(c);
}

void kn_capture_turn(KnCapture *c, bool attacking)
{
    if (c->goal.attacking != attacking) c->strings->ko = KN_STRINGS_NONE;
    c->goal.attacking = attacking;
}
