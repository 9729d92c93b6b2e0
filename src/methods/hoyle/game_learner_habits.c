/* A learner of habits (habits.h): watches experts, and plays what they would most likely play. As a player it
 * looks no further than its move; what it learned is meant to lead a search (guided_player.c). */
#include <stdlib.h>

#include "methods/hoyle/game_learner.h"
#include "methods/hoyle/habits.h"
#include "methods/hoyle/hoyle.h"
#include "methods/registry.h"

typedef struct HabitLearner {
    KnHabits *habits;
    int foreseen, decisions; /* in games that it did not learn from */
} HabitLearner;

const KnHabits *kn_game_learner_habits_of(const KnGameLearner *learner)
{
    return ((const HabitLearner *)learner->data)->habits;
}

static KnStatus open(KnGameLearner *learner, const KnOptions *options, KnError *error)
{
    (void)options;
    HabitLearner *own = learner->data = calloc(1, sizeof *own);
    if (own) own->habits = kn_habits_new(learner->view);
    return own && own->habits ? KN_OK : kn_fail_memory(error, "opening a learner");
}

static void close(KnGameLearner *learner)
{
    HabitLearner *own = learner->data;
    if (own) kn_habits_free(own->habits);
    free(own);
}

static KnStatus learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    (void)error;
    kn_habits_learn(((HabitLearner *)learner->data)->habits, played);
    return KN_OK;
}

static KnStatus judge(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    (void)error;
    HabitLearner *own = learner->data;
    kn_habits_judge(own->habits, played, &own->foreseen, &own->decisions);
    return KN_OK;
}

static json_t *knowledge(const KnGameLearner *learner)
{
    return json_pack("{so}", "weights", kn_habits_json(kn_game_learner_habits_of(learner)));
}

static KnStatus recall(KnGameLearner *learner, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"weights", NULL};
    KnJson list;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_array(at, "weights", &list, error);
    return status == KN_OK ? kn_habits_parse(((HabitLearner *)learner->data)->habits, &list, error) : status;
}

static json_t *figures(const KnGameLearner *learner)
{
    const HabitLearner *own = learner->data;
    return json_pack("{sI sf}", "features", (json_int_t)kn_habits_count(own->habits), "foreseen",
                     own->decisions ? (double)own->foreseen / own->decisions : 0.0);
}

/* The dearest place that was not told, with its images under symmetries, which weigh the same: "a1, f1". */
static const char *dearest(const KnHabits *habits, const KnBoardView *view, int role, int stage, bool *told,
                           double *weight, KnArena *arena)
{
    int best = -1;
    KnText names = KN_TEXT_EMPTY;
    for (int c = 0; c < view->cells; c++)
        if (!told[c] && (best < 0 || kn_habits_place(habits, role, stage, c) >
                                         kn_habits_place(habits, role, stage, best)))
            best = c;
    if (best < 0) return NULL;
    *weight = kn_habits_place(habits, role, stage, best);
    for (int c = best; c < view->cells; c++) {
        double other = kn_habits_place(habits, role, stage, c);
        if (told[c] || other < *weight || other > *weight) continue;
        told[c] = true;
        if (names.length) kn_text_add(&names, ", ");
        kn_action_text(view, (KnAction){KN_NO_CELL, (int16_t)c, KN_NO_CELL}, &names);
    }
    const char *text = kn_arena_printf(arena, "%s", kn_text_ok(&names) ? names.data : "");
    kn_text_free(&names);
    return text;
}

/* Where it likes to go, the dearest first. */
static void explain(const KnGameLearner *learner, KnArena *arena, KnExplanation *root)
{
    enum { SHOWN = 6 };
    const KnHabits *habits = kn_game_learner_habits_of(learner);
    const KnBoardView *view = learner->view;
    kn_explanation_number(arena, root, "features of moves with a weight", (double)kn_habits_count(habits),
                          NULL);
    for (int stage = 0; stage < view->stages; stage++)
        for (int role = 0; role < 2; role++) {
            bool told[KN_BOARD_CELLS] = {false};
            const char *who = learner->game->role_names[role], *names;
            double weight;
            KnExplanation *group = kn_explanation_group(
                arena, root,
                view->stages > 1 ? kn_arena_printf(arena, "where %s goes in stage %d", who, stage + 1)
                                 : kn_arena_printf(arena, "where %s goes", who));
            for (int n = 0; n < SHOWN && (names = dearest(habits, view, role, stage, told, &weight, arena));
                 n++)
                kn_explanation_bar(arena, group, names, weight, -1, 1, NULL);
        }
}

/* ---- as a player ---- */

static KnStatus attach(const KnGameLearner *learner, KnPlayer *player, KnError *error)
{
    (void)error;
    player->data = (void *)(uintptr_t)kn_game_learner_habits_of(learner);
    return KN_OK;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    double chances[request->allowed_count], best = -1;
    int equals = 0;
    kn_habits_chances(player->data, request->position, request->allowed, request->allowed_count, chances);
    for (int i = 0; i < request->allowed_count; i++) {
        if (chances[i] > best) best = chances[i], equals = 0;
        if (chances[i] >= best && kn_rng_below(request->rng, (uint32_t)++equals) == 0)
            answer->move = request->allowed[i];
    }
    answer->cost.nodes += (uint64_t)request->allowed_count;
    if (!(request->wants & KN_WANT_EXPLANATION)) return KN_OK;
    KnArena *arena = request->arena;
    answer->explanation = kn_explanation_new(
        arena, kn_arena_printf(arena, "%s: what an expert would most likely play here",
                               kn_game_move_name(request->game, request->position, answer->move, arena)));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "chance that an expert plays it");
    for (int i = 0; i < request->allowed_count; i++)
        kn_explanation_bar(arena, group,
                           kn_game_move_name(request->game, request->position, request->allowed[i], arena),
                           chances[i], 0, 1, "");
    return KN_OK;
}

static const KnPlayerType player_type = {
    .head = {"habits", "plays what experts would most likely play", NULL}, .choose = choose};

static const KnOption options[] = {{0}};

const KnGameLearnerType kn_game_learner_habits = {
    .head = {"habits", "what experts tend to play where, to lead a search", options},
    .format = 1,
    .open = open,
    .close = close,
    .learn = learn,
    .judge = judge,
    .player = &player_type,
    .attach = attach,
    .knowledge = knowledge,
    .recall = recall,
    .figures = figures,
    .explain = explain,
};
