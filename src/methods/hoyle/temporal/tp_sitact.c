#include "methods/hoyle/temporal/tp_sitact.h"

#include <stdlib.h>
#include <string.h>

void kn_sitacts_free(KnSitacts *sitacts)
{
    free(sitacts->list);
    *sitacts = (KnSitacts){0};
}

static bool may_hold(const uint8_t *pattern, int cell, uint8_t value)
{
    return cell < 0 || pattern[cell] == value || pattern[cell] == KN_DONT_CARE;
}

bool kn_pattern_allows(const KnTemporalBoard *board, const uint8_t *pattern, int player, KnAction action)
{
    return may_hold(pattern, action.to, board->empty) && may_hold(pattern, action.from, board->men[player]) &&
           may_hold(pattern, action.taken, board->men[1 - player]);
}

/* Thesis 4.2, table 10: Execute-Move-on-Pattern. */
void kn_pattern_play(const KnTemporalBoard *board, uint8_t *pattern, int player, KnAction action)
{
    if (action.from >= 0) pattern[action.from] = board->empty;
    if (action.taken >= 0) pattern[action.taken] = board->empty;
    if (action.to >= 0) pattern[action.to] = board->men[player];
}

/* ---- sets of contexts ---- */

typedef struct Set {
    uint8_t (*list)[KN_TEMPORAL_CELLS];
    size_t count, room;
} Set;

static KnStatus include(Set *set, const uint8_t *context, int cells, KnError *error)
{
    for (size_t i = 0; i < set->count; i++)
        if (memcmp(set->list[i], context, (size_t)cells) == 0) return KN_OK;
    if (set->count == set->room) {
        size_t room = set->room ? 2 * set->room : 64;
        void *list = realloc(set->list, room * sizeof *set->list);
        if (!list) return kn_fail_memory(error, "making Sitact Advisors");
        set->list = list;
        set->room = room;
    }
    memset(set->list[set->count], 0, sizeof set->list[0]);
    memcpy(set->list[set->count++], context, (size_t)cells);
    return KN_OK;
}

static KnStatus include_after(Set *set, const KnTemporalBoard *board, const uint8_t *context, int player,
                              KnAction action, KnError *error)
{
    uint8_t next[KN_TEMPORAL_CELLS];
    memcpy(next, context, (size_t)board->cells);
    kn_pattern_play(board, next, player, action);
    return include(set, next, board->cells, error);
}

/* A man placed somewhere: on # it leaves the context as it is. */
static KnStatus place_anywhere(Set *set, const KnTemporalBoard *board, const uint8_t *context, int player,
                               KnError *error)
{
    KnStatus status = KN_OK;
    for (int c = 0; c < board->cells && status == KN_OK; c++) {
        if (context[c] == KN_DONT_CARE)
            status = include(set, context, board->cells, error);
        else if (context[c] == board->empty)
            status = include_after(set, board, context, player,
                                   (KnAction){KN_NO_CELL, (int16_t)c, KN_NO_CELL}, error);
    }
    return status;
}

/* A slide somewhere: the four types. */
static KnStatus slide_anywhere(Set *set, const KnTemporalBoard *board, const uint8_t *context, int player,
                               KnError *error)
{
    KnStatus status = KN_OK;
    for (int from = 0; from < board->cells; from++) {
        if (!may_hold(context, from, board->men[player])) continue;
        for (int to = 0; to < board->cells && status == KN_OK; to++) {
            if (!board->linked[from * board->cells + to] || !may_hold(context, to, board->empty)) continue;
            if (context[from] == KN_DONT_CARE && context[to] == KN_DONT_CARE)
                status = include(set, context, board->cells, error);
            else
                status = include_after(set, board, context, player,
                                       (KnAction){(int16_t)from, (int16_t)to, KN_NO_CELL}, error);
        }
    }
    return status;
}

/* Whether the opponent slides between two actions of the player: between two of one kind he does the same;
 * where the player's change from placing to sliding, he who began has the other's last man still to come. */
static bool slides_between(const KnSequence *sequence, int place)
{
    KnAction before = sequence->actions[place - 1], after = sequence->actions[place + 1];
    return (sequence->player == 0 ? before : after).from >= 0;
}

static KnStatus execute(const KnTemporalBoard *board, const KnSequence *sequence, int place, const Set *from,
                        Set *to, KnError *error)
{
    KnAction action = sequence->actions[place];
    int player = place % 2 ? 1 - sequence->player : sequence->player;
    KnStatus status = KN_OK;
    for (size_t i = 0; i < from->count && status == KN_OK; i++) {
        const uint8_t *context = from->list[i];
        if (!kn_action_abstract(action)) {
            if (kn_pattern_allows(board, context, player, action))
                status = include_after(to, board, context, player, action, error);
        } else if (slides_between(sequence, place)) {
            status = slide_anywhere(to, board, context, player, error);
        } else {
            status = place_anywhere(to, board, context, player, error);
        }
    }
    return status;
}

static KnStatus emit(KnSitacts *out, const KnTemporalBoard *board, const Set *set, int player,
                     KnAction action, KnError *error)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!kn_pattern_allows(board, set->list[i], player, action)) continue;
        if (out->count == out->room) {
            size_t room = out->room ? 2 * out->room : 64;
            KnSitact *list = realloc(out->list, room * sizeof *list);
            if (!list) return kn_fail_memory(error, "making Sitact Advisors");
            out->list = list;
            out->room = room;
        }
        KnSitact *sitact = &out->list[out->count++];
        memcpy(sitact->context, set->list[i], sizeof sitact->context);
        sitact->action = action;
    }
    return KN_OK;
}

/* Thesis 4.2, table 10: Create-Sitact-Advisors. */
KnStatus kn_sitacts_create(const KnTemporalBoard *board, const uint8_t *context, const KnSequence *sequence,
                           KnSitacts *out, KnError *error)
{
    Set now = {0}, middle = {0};
    KnStatus status = include(&now, context, board->cells, error);
    if (status == KN_OK) status = emit(out, board, &now, sequence->player, sequence->actions[0], error);
    for (int i = 0; i + 2 < sequence->length && status == KN_OK; i += 2) {
        middle.count = 0;
        status = execute(board, sequence, i, &now, &middle, error);
        now.count = 0;
        if (status == KN_OK) status = execute(board, sequence, i + 1, &middle, &now, error);
        if (status == KN_OK)
            status = emit(out, board, &now, sequence->player, sequence->actions[i + 2], error);
    }
    free(now.list);
    free(middle.list);
    return status;
}
