/* SeqLearner as a player: asks the planner, and explains whose advice it followed. */
#include "methods/hoyle/temporal/seqlearner.h"

#include <stdlib.h>
#include <string.h>

#include "methods/registry.h"

KnStatus kn_seqlearner_attach(const KnGameLearner *of, KnPlayer *player, KnError *error)
{
    const KnSeqLearner *learner = of->data;
    if (!learner->advisors || !learner->settled)
        return kn_fail(error, KN_INPUT, "SeqLearner has not settled what it learned");
    KnSeqPlayer *p = player->data = calloc(1, sizeof *p);
    if (!p) return kn_fail_memory(error, "opening a player");
    p->learner = learner;
    if (learner->near)
        p->nearest = kn_nearest_new(learner->advisors);
    else
        p->planner = kn_planner_new(learner->advisors, &learner->rules);
    return p->planner || p->nearest ? KN_OK : kn_fail_memory(error, "opening a player");
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(player->context, kn_option_string(options, "knowledge"), &path);
    KnGameLearner *learner = NULL;
    KnStatus status = kn_text_ok(&path) ? kn_game_learner_load(player->context, player->game, "seqlearner",
                                                               path.data, &learner, error)
                                        : kn_fail_memory(error, "opening a player");
    kn_text_free(&path);
    if (status != KN_OK) return status;
    status = kn_seqlearner_attach(learner, player, error);
    if (status == KN_OK)
        ((KnSeqPlayer *)player->data)->own = learner;
    else
        kn_game_learner_close(learner);
    return status;
}

static void close(KnPlayer *player)
{
    KnSeqPlayer *p = player->data;
    if (!p) return;
    kn_planner_free(p->planner);
    kn_nearest_free(p->nearest);
    kn_game_learner_close(p->own);
    free(p);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)position, (void)error;
    KnSeqPlayer *p = player->data;
    p->role = role;
    p->asked = false;
    if (p->planner) kn_planner_begin(p->planner);
    return KN_OK;
}

/* A game that is replayed (a page loaded again, a move taken back): this player did not choose the moves that
 * its plans follow. */
static KnStatus adopt(KnSeqPlayer *p, const KnGame *game, const void *before, KnAction played, KnError *error)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, before, moves);
    KnAction legal[count + 1];
    uint8_t cells[KN_TEMPORAL_CELLS];
    kn_board_view_cells(p->learner->board->view, before, cells);
    for (int i = 0; i < count; i++) legal[i] = kn_temporal_action(p->learner->board, before, moves[i]);
    return kn_planner_adopt(p->planner, p->role, cells, legal, count, played, error);
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    KnSeqPlayer *p = player->data;
    if (!p->planner) return KN_OK;
    const void *before = kn_state_position_at(state, kn_state_plies(state) - 1);
    int mover = player->game->type->mover(player->game, before);
    KnAction played = kn_temporal_action(p->learner->board, before, joint[mover]);
    KnStatus status = mover == p->role && !p->asked ? adopt(p, player->game, before, played, error) : KN_OK;
    p->asked = false;
    kn_planner_observe(p->planner, mover, played);
    return status;
}

/* ---- explanation ---- */

enum { SUGGESTIONS_SHOWN = 5 };

static const char *level_name(const KnPlanRules *rules, int level, KnArena *arena)
{
    if (level == KN_PLANNER_ENFORCER) return "Enforcer";
    double low = rules->levels[level].weight, high = level ? rules->levels[level - 1].weight : 1;
    return kn_arena_printf(arena, "%s of weights %.2f to %.2f",
                           rules->levels[level].enforces ? "the planner" : "the pseudoplanner", low, high);
}

static void explain_suggestion(const KnRequest *request, const KnSeqLearner *learner,
                               const KnSuggestion *suggestion, KnExplanation *parent)
{
    KnArena *arena = request->arena;
    const KnTemporalBoard *board = learner->board;
    const KnAdvisor *advisor = kn_advisors_at(learner->advisors, suggestion->instance.advisor);
    KnSequence image = kn_sequence_image(board, suggestion->instance.symmetry,
                                         &advisor->sequences[suggestion->sequence]);
    uint8_t pattern[KN_TEMPORAL_CELLS];
    kn_advisors_pattern(learner->advisors, suggestion->instance, pattern);
    KnText text = KN_TEXT_EMPTY;
    kn_sequence_text(board, &image, &text);
    const char *sequence = kn_arena_printf(arena, "%s", text.data);
    kn_text_clear(&text);
    kn_cells_text(board->view, pattern, &text);
    KnExplanation *node = kn_explanation_bar(
        arena, parent, kn_arena_printf(arena, "Advisor %u", suggestion->instance.advisor + 1),
        advisor->weight, 0, 1, "weight");
    kn_explanation_text(arena, node, "sequence",
                        suggestion->place
                            ? kn_arena_printf(arena, "%s, at its action %d", sequence, suggestion->place + 1)
                            : sequence);
    kn_explanation_pattern(arena, node, "context", text.data);
    kn_explanation_text(arena, node, "so far",
                        kn_arena_printf(arena, "foresaw %u of an expert's %u decisions", advisor->right,
                                        advisor->right + advisor->wrong));
    kn_text_free(&text);
}

static void tell(const KnRequest *request, KnAnswer *answer, const KnSeqPlayer *p, const KnPlan *plan,
                 const double *votes)
{
    KnArena *arena = request->arena;
    const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
    if (plan->choice < 0) {
        answer->explanation = kn_explanation_new(
            arena,
            kn_arena_printf(arena, "%s: at random, since no Advisor's context stands on the board", move));
        return;
    }
    const KnSuggestion *suggestions;
    size_t count = kn_planner_suggestions(p->planner, &suggestions);
    const char *who = level_name(&p->learner->rules, plan->level, arena);
    answer->explanation = kn_explanation_new(
        arena, plan->level == KN_PLANNER_ENFORCER
                   ? kn_arena_printf(arena, "%s: %s continues a sequence under way", move, who)
                   : kn_arena_printf(arena, "%s: voted by %s", move, who));
    KnExplanation *group = kn_explanation_group(arena, answer->explanation, "votes");
    for (int i = 0; i < request->allowed_count; i++)
        if (votes[i] > 0)
            kn_explanation_number(
                arena, group, kn_game_move_name(request->game, request->position, request->allowed[i], arena),
                votes[i], "");
    group = kn_explanation_group(arena, answer->explanation, "whose advice it is");
    for (size_t i = 0; i < count && i < SUGGESTIONS_SHOWN; i++)
        explain_suggestion(request, p->learner, &suggestions[i], group);
    if (count > SUGGESTIONS_SHOWN)
        kn_explanation_text(arena, group, "and",
                            kn_arena_printf(arena, "%zu more", count - SUGGESTIONS_SHOWN));
}

/* Moves that differ in the man they take may be one action: any of them. */
static int one_of(const KnAction *legal, int count, int choice, KnRng *rng)
{
    int equals = 0, chosen = choice;
    for (int i = 0; i < count; i++)
        if (kn_action_equal(legal[i], legal[choice]) && kn_rng_below(rng, (uint32_t)++equals) == 0)
            chosen = i;
    return chosen;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnSeqPlayer *p = player->data;
    if (p->nearest) return kn_seqplayer_nearest(p, request, answer, error);
    const KnBoardView *view = p->learner->board->view;
    int count = request->allowed_count;
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnAction legal[count];
    double votes[count];
    KnPlan plan = {.votes = votes};
    kn_board_view_cells(view, request->position, cells);
    for (int i = 0; i < count; i++)
        legal[i] = kn_temporal_action(p->learner->board, request->position, request->allowed[i]);
    KnStatus status = kn_planner_choose(p->planner, request->role, cells, legal, count, request->rng, &plan,
                                        error);
    if (status != KN_OK) return status;
    p->asked = true;
    p->decisions++;
    p->advised += plan.choice >= 0;
    p->enforced += plan.choice >= 0 && plan.level == KN_PLANNER_ENFORCER;
    if (plan.choice >= 0 && plan.level >= 0) p->by_level[plan.level]++;
    answer->move = request->allowed[plan.choice >= 0 ? one_of(legal, count, plan.choice, request->rng)
                                                     : (int)kn_rng_below(request->rng, (uint32_t)count)];
    if (request->wants & KN_WANT_EXPLANATION) tell(request, answer, p, &plan, votes);
    return KN_OK;
}

static const KnOption options[] = {
    {"knowledge", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE, "what `knack train sequences` has learned"},
    {0}};

const KnPlayerType kn_player_seqlearner = {
    .head = {"seqlearner",
             "plays by sequences it has seen experts play: TP-Context and TP-Sitact (Lock 2003)", options},
    .suits = kn_temporal_suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
