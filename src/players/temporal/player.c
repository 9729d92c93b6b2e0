/* SeqLearner as a player: asks the planner, and tells whose advice it followed. */
#include "players/temporal/seqlearner.h"

#include <stdlib.h>
#include <string.h>

#include "players/registry.h"

KnStatus kn_seqlearner_attach(const KnWatcher *watcher, KnPlayer *player, KnError *error)
{
    const KnSeqLearner *learner = watcher->data;
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
    KnWatcher *watcher = NULL;
    KnStatus status = kn_text_ok(&path) ? kn_watcher_load(player->context, player->game, "seqlearner",
                                                          path.data, &watcher, error)
                                        : kn_fail_memory(error, "opening a player");
    kn_text_free(&path);
    if (status != KN_OK) return status;
    status = kn_seqlearner_attach(watcher, player, error);
    if (status == KN_OK)
        ((KnSeqPlayer *)player->data)->own = watcher;
    else
        kn_watcher_close(watcher);
    return status;
}

static void close(KnPlayer *player)
{
    KnSeqPlayer *p = player->data;
    if (!p) return;
    kn_planner_free(p->planner);
    kn_nearest_free(p->nearest);
    kn_watcher_close(p->own);
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

/* A contest that is told again (a page that was left, a move taken back): plans were made by moves that this
 * player was not asked for. */
static KnStatus adopt(KnSeqPlayer *p, const KnGame *game, const void *before, KnAction played, KnError *error)
{
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, before, moves);
    KnAction legal[count + 1];
    uint8_t cells[KN_TEMPORAL_CELLS];
    kn_scene_cells(p->learner->board->scene, before, cells);
    for (int i = 0; i < count; i++) legal[i] = kn_temporal_action(p->learner->board, before, moves[i]);
    return kn_planner_adopt(p->planner, p->role, cells, legal, count, played, error);
}

static KnStatus observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    KnSeqPlayer *p = player->data;
    if (!p->planner) return KN_OK;
    const void *before = kn_contest_position_at(contest, kn_contest_plies(contest) - 1);
    int mover = player->game->type->mover(player->game, before);
    KnAction played = kn_temporal_action(p->learner->board, before, joint[mover]);
    KnStatus status = mover == p->role && !p->asked ? adopt(p, player->game, before, played, error) : KN_OK;
    p->asked = false;
    kn_planner_observe(p->planner, mover, played);
    return status;
}

/* ---- telling ---- */

enum { VOICES_TOLD = 5 };

static const char *level_name(const KnPlanRules *rules, int level, KnArena *arena)
{
    if (level == KN_PLANNER_ENFORCER) return "Enforcer";
    double low = rules->levels[level].weight, high = level ? rules->levels[level - 1].weight : 1;
    return kn_arena_printf(arena, "%s of weights %.2f to %.2f",
                           rules->levels[level].enforces ? "the planner" : "the pseudoplanner", low, high);
}

static void tell_voice(const KnRequest *request, const KnSeqLearner *learner, const KnVoice *voice,
                       KnReason *parent)
{
    KnArena *arena = request->arena;
    const KnTemporalBoard *board = learner->board;
    const KnAdvisor *advisor = kn_advisors_at(learner->advisors, voice->instance.advisor);
    KnSequence turned = kn_sequence_image(board, voice->instance.symmetry,
                                          &advisor->sequences[voice->sequence]);
    uint8_t pattern[KN_TEMPORAL_CELLS];
    kn_advisors_pattern(learner->advisors, voice->instance, pattern);
    KnText text = KN_TEXT_EMPTY;
    kn_sequence_text(board, &turned, &text);
    const char *sequence = kn_arena_printf(arena, "%s", text.data);
    kn_text_clear(&text);
    kn_cells_text(board->scene, pattern, &text);
    KnReason *told = kn_reason_bar(arena, parent,
                                   kn_arena_printf(arena, "Advisor %u", voice->instance.advisor + 1),
                                   advisor->weight, 0, 1, "weight");
    kn_reason_text(arena, told, "sequence",
                   voice->place ? kn_arena_printf(arena, "%s, at its action %d", sequence, voice->place + 1)
                                : sequence);
    kn_reason_pattern(arena, told, "context", text.data);
    kn_reason_text(arena, told, "so far",
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
        answer->reason = kn_reason_new(
            arena,
            kn_arena_printf(arena, "%s: at random, since no Advisor's context stands on the board", move));
        return;
    }
    const KnVoice *voices;
    size_t count = kn_planner_voices(p->planner, &voices);
    const char *who = level_name(&p->learner->rules, plan->level, arena);
    answer->reason =
        kn_reason_new(arena, plan->level == KN_PLANNER_ENFORCER
                                 ? kn_arena_printf(arena, "%s: %s continues a sequence under way", move, who)
                                 : kn_arena_printf(arena, "%s: voted by %s", move, who));
    KnReason *group = kn_reason_group(arena, answer->reason, "votes");
    for (int i = 0; i < request->allowed_count; i++)
        if (votes[i] > 0)
            kn_reason_number(arena, group,
                             kn_game_move_name(request->game, request->position, request->allowed[i], arena),
                             votes[i], "");
    group = kn_reason_group(arena, answer->reason, "whose advice it is");
    for (size_t i = 0; i < count && i < VOICES_TOLD; i++) tell_voice(request, p->learner, &voices[i], group);
    if (count > VOICES_TOLD)
        kn_reason_text(arena, group, "and", kn_arena_printf(arena, "%zu more", count - VOICES_TOLD));
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
    const KnScene *scene = p->learner->board->scene;
    int count = request->allowed_count;
    uint8_t cells[KN_TEMPORAL_CELLS];
    KnAction legal[count];
    double votes[count];
    KnPlan plan = {.votes = votes};
    kn_scene_cells(scene, request->position, cells);
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
    if (request->wants & KN_WANT_REASON) tell(request, answer, p, &plan, votes);
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
