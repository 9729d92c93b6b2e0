/* Weight sets: one for all, or kept apart by the learner's side, the search depth and the opening's first
 * move. */
#include "methods/tdleaf/trainer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* The first move of an opening in the game's notation, or "start". */
static void class_text(const KnState *state, KnText *out)
{
    const KnGame *game = kn_state_game(state);
    kn_text_clear(out);
    if (!kn_state_plies(state)) {
        kn_text_add(out, "start");
        return;
    }
    const void *position = kn_state_position_at(state, 0);
    int mover = game->type->mover(game, position);
    game->type->move_text(game, position, kn_state_joint_at(state, 0)[mover], out);
}

static int find_class(const KnTrainer *t, const char *name)
{
    for (int i = 0; i < t->class_count; i++)
        if (strcmp(t->classes[i], name) == 0) return i;
    return -1;
}

static KnStatus add_class(KnTrainer *t, const char *name, KnError *error)
{
    if (find_class(t, name) >= 0) return KN_OK;
    if (t->class_count == KN_TD_CLASSES)
        return kn_fail(error, KN_INPUT, "the openings begin in more than %d ways: too many classes",
                       KN_TD_CLASSES);
    t->classes[t->class_count] = strdup(name);
    return t->classes[t->class_count++] ? KN_OK : kn_fail_memory(error, "preparing to train");
}

static KnStatus find_classes(KnTrainer *t, KnError *error)
{
    if (!t->plan->by_opening) return add_class(t, "", error);
    KnState *state = kn_state_new(t->game);
    KnText name = KN_TEXT_EMPTY;
    KnStatus status = state ? KN_OK : kn_fail_memory(error, "preparing to train");
    size_t count = kn_openings_count(t->openings);
    if (!count && status == KN_OK)
        status = kn_fail(error, KN_USAGE, "weights by opening need a file of openings");
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        status = kn_openings_play(t->openings, i, state, error);
        if (status == KN_OK) class_text(state, &name);
        if (status == KN_OK) status = add_class(t, name.data, error);
    }
    kn_text_free(&name);
    kn_state_free(state);
    return status;
}

/* "black 5 9-14", by what is kept apart; "shared" if nothing is. */
static void set_name(const KnTrainer *t, int role, int depth, int class, char name[KN_WEIGHT_NAME])
{
    const KnTdPlan *plan = t->plan;
    KnText text = KN_TEXT_EMPTY;
    KN_ASSERT(class >= 0 && class < t->class_count);
    if (plan->by_side) kn_text_printf(&text, "%s", t->game->role_names[role]);
    if (plan->by_depth) kn_text_printf(&text, "%s%d", text.length ? " " : "", depth);
    if (plan->by_opening) kn_text_printf(&text, "%s%s", text.length ? " " : "", t->classes[class]);
    snprintf(name, KN_WEIGHT_NAME, "%s", text.length ? text.data : "shared");
    kn_text_free(&text);
}

static KnStatus list_sets(KnTrainer *t, char (*names)[KN_WEIGHT_NAME], int *count, KnError *error)
{
    for (int role = 0; role < 2; role++)
        for (int d = 0; d < t->plan->depth_count; d++)
            for (int class = 0; class < t->class_count; class ++) {
                char name[KN_WEIGHT_NAME];
                bool known = false;
                set_name(t, role, t->plan->depths[d], class, name);
                for (int i = 0; i < *count; i++) known |= strcmp(names[i], name) == 0;
                if (known) continue;
                if (*count == KN_WEIGHT_SETS_MAX)
                    return kn_fail(error, KN_INPUT, "more than %d sets of weights", KN_WEIGHT_SETS_MAX);
                memcpy(names[(*count)++], name, sizeof name);
            }
    return KN_OK;
}

static KnStatus copy_start(KnTrainer *t, KnError *error)
{
    if (!t->plan->start) return KN_OK;
    KnWeights *start;
    KnStatus status = kn_weights_open(t->own_game, t->plan->start, &start, error);
    if (status != KN_OK) return status;
    if (strcmp(start->features->name, t->weights->features->name) != 0)
        status = kn_fail(error, KN_INPUT, "the weights %s are for the features %s, not %s", t->plan->start,
                         start->features->name, t->weights->features->name);
    for (int i = 0; i < t->weights->count && status == KN_OK; i++) {
        int from = kn_weights_find(start, t->weights->sets[i].name);
        memcpy(t->weights->sets[i].weights, start->sets[from < 0 ? 0 : from].weights,
               kn_weights_size(start->features) * sizeof(double));
    }
    kn_weights_free(start);
    return status;
}

KnStatus kn_trainer_make_sets(KnTrainer *t, KnError *error)
{
    KnStatus status = find_classes(t, error);
    if (status != KN_OK) return status;
    char(*names)[KN_WEIGHT_NAME] = calloc(KN_WEIGHT_SETS_MAX, sizeof *names);
    const char *list[KN_WEIGHT_SETS_MAX];
    int count = 0;
    status = names ? list_sets(t, names, &count, error) : kn_fail_memory(error, "preparing to train");
    for (int i = 0; i < count; i++) list[i] = names[i];
    if (status == KN_OK)
        status = kn_weights_new(t->own_game, t->plan->terms, list, count, &t->weights, error);
    free(names);
    return status == KN_OK ? copy_start(t, error) : status;
}

void kn_trainer_free_sets(KnTrainer *t)
{
    for (int i = 0; i < t->class_count; i++) free(t->classes[i]);
    t->class_count = 0;
}

int kn_trainer_find_set(const KnTrainer *t, const KnState *opening, int role, int depth)
{
    char name[KN_WEIGHT_NAME];
    int class = 0;
    if (t->plan->by_opening) {
        KnText first = KN_TEXT_EMPTY;
        class_text(opening, &first);
        class = find_class(t, first.data);
        kn_text_free(&first);
    }
    set_name(t, role, depth, class < 0 ? 0 : class, name);
    int set = kn_weights_find(t->weights, name);
    KN_ASSERT(set >= 0 && set < t->weights->count);
    return set;
}
