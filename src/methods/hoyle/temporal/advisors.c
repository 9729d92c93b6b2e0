#include "methods/hoyle/temporal/advisors.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "methods/hoyle/temporal/context_pair_table.h"

typedef struct Side {
    KnMatcher *matcher;
    KnContextPairTable *hash; /* NULL unless it is used instead */
    KnInstance *instances;
    size_t count, room;
} Side;

struct KnAdvisors {
    const KnTemporalBoard *board;
    KnAdvisor *list;
    size_t count, room;
    uint32_t *slots; /* index + 1, by player and context; several of one context stand one after the other */
    size_t slot_count;
    Side sides[2];
    bool by_hash;
};

KnAdvisors *kn_advisors_new(const KnTemporalBoard *board)
{
    KnAdvisors *a = calloc(1, sizeof *a);
    if (a) a->board = board;
    return a;
}

static void forget_instances(KnAdvisors *a)
{
    for (int p = 0; p < 2; p++) {
        kn_matcher_free(a->sides[p].matcher);
        kn_context_pair_table_free(a->sides[p].hash);
        free(a->sides[p].instances);
        a->sides[p] = (Side){0};
    }
}

void kn_advisors_free(KnAdvisors *advisors)
{
    if (!advisors) return;
    forget_instances(advisors);
    for (size_t i = 0; i < advisors->count; i++) {
        free(advisors->list[i].sequences);
        for (int kind = 0; kind < 2; kind++) free(advisors->list[i].fired[kind]);
    }
    free(advisors->list);
    free(advisors->slots);
    free(advisors);
}

const KnTemporalBoard *kn_advisors_board(const KnAdvisors *advisors) { return advisors->board; }
size_t kn_advisors_count(const KnAdvisors *advisors) { return advisors->count; }
KnAdvisor *kn_advisors_at(const KnAdvisors *advisors, size_t index) { return &advisors->list[index]; }

/* The normal form of a context and of a sequence beside it. Where several symmetries give that context, the
 * least sequence. */
static void normalise(const KnTemporalBoard *board, const uint8_t *context, const KnSequence *sequence,
                      uint8_t *normal, KnSequence *transformed)
{
    int best = kn_pattern_normaliser(board, context);
    memset(normal, 0, KN_TEMPORAL_CELLS);
    kn_board_view_transform_cells(board->view, best, context, normal);
    if (!sequence) return;
    *transformed = kn_sequence_image(board, best, sequence);
    uint8_t other[KN_TEMPORAL_CELLS];
    for (int s = 0; s < board->symmetries; s++) {
        kn_board_view_transform_cells(board->view, s, context, other);
        if (memcmp(other, normal, (size_t)board->cells) != 0) continue;
        KnSequence image = kn_sequence_image(board, s, sequence);
        if (memcmp(&image, transformed, sizeof image) < 0) *transformed = image;
    }
}

static bool has_sequence(const KnAdvisor *advisor, const KnSequence *sequence)
{
    for (size_t i = 0; i < advisor->sequence_count; i++)
        if (memcmp(&advisor->sequences[i], sequence, sizeof *sequence) == 0) return true;
    return false;
}

/* The slot of an Advisor of this context, and sequence if one is given; else the free slot behind them. */
static uint32_t *look_up(const KnAdvisors *a, int player, const uint8_t *normal, const KnSequence *sequence)
{
    size_t mask = a->slot_count - 1, at = kn_hash64(normal, (size_t)a->board->cells, (uint64_t)player) & mask;
    for (; a->slots[at]; at = (at + 1) & mask) {
        const KnAdvisor *here = &a->list[a->slots[at] - 1];
        if (here->player == player && memcmp(here->context, normal, (size_t)a->board->cells) == 0 &&
            (!sequence || has_sequence(here, sequence)))
            break;
    }
    return &a->slots[at];
}

static KnStatus grow(KnAdvisors *a, KnError *error)
{
    if (a->count < a->room) return KN_OK;
    size_t room = a->room ? 2 * a->room : 256;
    KnAdvisor *list = realloc(a->list, room * sizeof *list);
    if (list) a->list = list;
    uint32_t *slots = calloc(4 * room, sizeof *slots);
    if (!list || !slots) {
        free(slots);
        return kn_fail_memory(error, "storing Advisors");
    }
    free(a->slots);
    a->slots = slots;
    a->slot_count = 4 * room;
    a->room = room;
    for (size_t i = 0; i < a->count; i++)
        *look_up(a, list[i].player, list[i].context, &list[i].sequences[0]) = (uint32_t)i + 1;
    return KN_OK;
}

KnAdvisor *kn_advisors_find(const KnAdvisors *a, int player, const uint8_t *context,
                            const KnSequence *sequence)
{
    if (!a->slot_count) return NULL;
    uint8_t normal[KN_TEMPORAL_CELLS];
    KnSequence transformed;
    normalise(a->board, context, sequence, normal, &transformed);
    uint32_t slot = *look_up(a, player, normal, sequence ? &transformed : NULL);
    return slot ? &a->list[slot - 1] : NULL;
}

static KnStatus add_sequence(KnAdvisor *advisor, const KnSequence *sequence, KnError *error)
{
    KnSequence *sequences = realloc(advisor->sequences, (advisor->sequence_count + 1) * sizeof *sequences);
    if (!sequences) return kn_fail_memory(error, "storing Advisors");
    sequences[advisor->sequence_count++] = *sequence;
    advisor->sequences = sequences;
    return KN_OK;
}

KnStatus kn_advisors_add(KnAdvisors *a, const uint8_t *context, const KnSequence *sequence, bool merge,
                         double weight, KnAdvisor **out, KnError *error)
{
    KnStatus status = grow(a, error);
    if (status != KN_OK) return status;
    uint8_t normal[KN_TEMPORAL_CELLS];
    KnSequence transformed;
    normalise(a->board, context, sequence, normal, &transformed);
    uint32_t *slot = look_up(a, sequence->player, normal, merge ? NULL : &transformed);
    if (!*slot) {
        KnAdvisor *fresh = &a->list[a->count];
        memset(fresh, 0, sizeof *fresh);
        fresh->player = sequence->player;
        fresh->weight = weight;
        memcpy(fresh->context, normal, sizeof normal);
        status = add_sequence(fresh, &transformed, error);
        if (status != KN_OK) return status;
        *slot = (uint32_t)++a->count;
    }
    KnAdvisor *advisor = &a->list[*slot - 1];
    if (!has_sequence(advisor, &transformed)) status = add_sequence(advisor, &transformed, error);
    if (out) *out = advisor;
    return status;
}

/* ---- instances ---- */

void kn_advisor_fired(KnAdvisor *advisor, bool rightly, const uint8_t *cells, int count)
{
    uint8_t **board = &advisor->fired[rightly];
    if (!*board) *board = malloc((size_t)count);
    if (*board) memcpy(*board, cells, (size_t)count);
}

void kn_advisor_inherit(KnAdvisor *advisor, const KnAdvisor *older, int cells)
{
    advisor->right = older->right;
    advisor->wrong = older->wrong;
    for (int kind = 0; kind < 2; kind++)
        if (older->fired[kind]) kn_advisor_fired(advisor, kind, older->fired[kind], cells);
}

/* Whether symmetry s gives what an earlier one gave: the same context and the same sequences. */
static bool says_twice(const KnAdvisors *a, const KnAdvisor *advisor, int s)
{
    uint8_t here[KN_TEMPORAL_CELLS], there[KN_TEMPORAL_CELLS];
    kn_board_view_transform_cells(a->board->view, s, advisor->context, here);
    for (int t = 0; t < s; t++) {
        kn_board_view_transform_cells(a->board->view, t, advisor->context, there);
        if (memcmp(here, there, (size_t)a->board->cells) != 0) continue;
        size_t same = 0;
        for (size_t i = 0; i < advisor->sequence_count; i++) {
            KnSequence image = kn_sequence_image(a->board, s, &advisor->sequences[i]);
            for (size_t j = 0; j < advisor->sequence_count; j++) {
                KnSequence other = kn_sequence_image(a->board, t, &advisor->sequences[j]);
                if (memcmp(&image, &other, sizeof image) == 0) {
                    same++;
                    break;
                }
            }
        }
        if (same == advisor->sequence_count) return true;
    }
    return false;
}

static KnStatus add_instance(KnAdvisors *a, size_t index, int symmetry, KnError *error)
{
    const KnAdvisor *advisor = &a->list[index];
    Side *side = &a->sides[advisor->player];
    if (side->count == side->room) {
        size_t room = side->room ? 2 * side->room : 256;
        KnInstance *instances = realloc(side->instances, room * sizeof *instances);
        if (!instances) return kn_fail_memory(error, "indexing Advisors");
        side->instances = instances;
        side->room = room;
    }
    uint8_t pattern[KN_TEMPORAL_CELLS];
    kn_board_view_transform_cells(a->board->view, symmetry, advisor->context, pattern);
    side->instances[side->count++] = (KnInstance){(uint32_t)index, (uint8_t)symmetry};
    return side->hash ? kn_context_pair_table_add(side->hash, (uint32_t)index, pattern, error)
                      : kn_matcher_add(side->matcher, pattern, error);
}

void kn_advisors_use_hash(KnAdvisors *advisors) { advisors->by_hash = true; }

KnStatus kn_advisors_ready(KnAdvisors *a, double threshold, KnError *error)
{
    forget_instances(a);
    for (int p = 0; p < 2; p++) {
        a->sides[p].matcher = kn_matcher_new(a->board->cells, a->board->symbols);
        if (a->by_hash)
            a->sides[p].hash = kn_context_pair_table_new(
                a->board->cells, ".XOxo+*~"); /* letters of contents: any that differ will do */
        if (!a->sides[p].matcher || (a->by_hash && !a->sides[p].hash))
            return kn_fail_memory(error, "indexing Advisors");
    }
    KnStatus status = KN_OK;
    for (size_t i = 0; i < a->count; i++) {
        if (a->list[i].weight < threshold) continue;
        for (int s = 0; s < a->board->symmetries && status == KN_OK; s++)
            if (!says_twice(a, &a->list[i], s)) status = add_instance(a, i, s, error);
    }
    return status;
}

size_t kn_advisors_room(const KnAdvisors *a)
{
    return a->sides[0].count > a->sides[1].count ? a->sides[0].count : a->sides[1].count;
}

size_t kn_advisors_match(const KnAdvisors *a, int player, const uint8_t *cells, KnInstance *found)
{
    const Side *side = &a->sides[player];
    if (!side->count) return 0;
    /* The numbers stand in the caller's room first, and give way to the instances from the last to the first.
     */
    _Static_assert(sizeof(KnInstance) >= sizeof(uint32_t), "instances are no smaller than their numbers");
    uint32_t *numbers = (uint32_t *)found;
    size_t count = side->hash ? kn_context_pair_table_match(side->hash, cells, numbers)
                              : kn_matcher_match(side->matcher, cells, numbers);
    for (size_t i = count; i-- > 0;) found[i] = side->instances[numbers[i]];
    return count;
}

size_t kn_advisors_instances(const KnAdvisors *a, int player, const KnInstance **instances)
{
    *instances = a->sides[player].instances;
    return a->sides[player].count;
}

void kn_advisors_pattern(const KnAdvisors *a, KnInstance instance, uint8_t *pattern)
{
    kn_board_view_transform_cells(a->board->view, instance.symmetry, a->list[instance.advisor].context,
                                  pattern);
}
