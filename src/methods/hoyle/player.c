/* Hoyle at the board: Victory, then what is played by rote (Enforcer, Multi-step, or Imitate), the rest of
 * the first tier, and the vote of the second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/hoyle.h"
#include "methods/registry.h"

enum { CHOICES = 64 };

typedef struct Hoyle {
    const HoyleKnowledge *knowledge;
    KnGameLearner *owned; /* read from a file; NULL if somebody else has the game learner */
    Decision decision;
    KnTpRoteRun run;             /* the sequence being enforced */
    unsigned char *before, *now; /* the last two positions observed */
    KnAction last;               /* how one became the other */
    bool observed;
    int role;           /* its own in this game */
    bool asked;         /* for the move that comes next */
    long search_weight; /* of WEIGHT_UNIT: the search's vote, where there is one (player->inner) */
    int searched;       /* the move that it supports, of those on the desk; -1: none */
    long decisions, victory, enforced, multi_step, imitated, first_tier, second_tier, resigned, seq;
} Hoyle;

/* What was decided, for the explanation. */
typedef struct Verdict {
    int move; /* index into allowed */
    const char *advisor;
    const char *why;
    bool laid; /* the desk shows this position */
    bool voted;
    int equal; /* moves with as many votes as the chosen one, itself included */
    FirstTierResult result;
} Verdict;

/* ---- By rote ---- */

static int find_allowed(const Hoyle *hoyle, const KnRequest *request, KnAction action)
{
    KnMove move = kn_board_view_move(hoyle->knowledge->view, request->position, action, request->allowed,
                                     request->allowed_count);
    for (int i = 0; i < request->allowed_count; i++)
        if (request->allowed[i] == move) return i;
    return -1;
}

static int pick(const Hoyle *hoyle, const KnRequest *request, const KnAction *actions, int count)
{
    return count ? find_allowed(hoyle, request, actions[kn_rng_below(request->rng, (uint32_t)count)]) : -1;
}

static int play_sequence(Hoyle *hoyle, const KnRequest *request, KnTpRoteRun *run)
{
    KnAction actions[CHOICES];
    int count = kn_tp_rote_choices(hoyle->knowledge->rote, run, actions, CHOICES);
    return pick(hoyle, request, actions, count);
}

/* Enforcer goes on with the sequence under way; Multi-step begins one that starts here, or that started with
 * the other's last move. */
static bool by_rote(Hoyle *hoyle, const KnRequest *request, Verdict *verdict)
{
    const HoyleKnowledge *knowledge = hoyle->knowledge;
    bool follows = hoyle->observed &&
                   memcmp(hoyle->now, request->position, knowledge->game->position_size) == 0;
    if (follows && hoyle->run.next >= 0 &&
        (verdict->move = play_sequence(hoyle, request, &hoyle->run)) >= 0) {
        verdict->advisor = "Enforcer";
        verdict->why = "it is next in the sequence under way";
        hoyle->enforced++;
        return true;
    }
    KnTpRoteRun run;
    verdict->advisor = "Multi-step";
    if (kn_tp_rote_enter(knowledge->rote, request->role, request->position, &run) &&
        (verdict->move = play_sequence(hoyle, request, &run)) >= 0)
        verdict->why = "a sequence that often led on from here begins with it";
    else if (follows && kn_tp_rote_enter(knowledge->rote, request->role, hoyle->before, &run) &&
             kn_tp_rote_follow(knowledge->rote, &run, hoyle->last) &&
             (verdict->move = play_sequence(hoyle, request, &run)) >= 0)
        verdict->why = "it answers the last move in a sequence that often came up";
    else
        return false;
    hoyle->run = run;
    hoyle->multi_step++;
    return true;
}

static bool by_imitation(Hoyle *hoyle, const KnRequest *request, Verdict *verdict)
{
    KnAction actions[CHOICES];
    int count = kn_imitate_choices(hoyle->knowledge->imitate, request->role, request->position, actions,
                                   CHOICES);
    verdict->move = pick(hoyle, request, actions, count);
    if (verdict->move < 0) return false;
    verdict->advisor = "Imitate";
    verdict->why = "this state is in its table of states and moves";
    hoyle->imitated++;
    return true;
}

/* ---- Deciding ---- */

static bool by_victory(Hoyle *hoyle, const KnRequest *request, KnAnswer *answer, Verdict *verdict)
{
    const KnGame *game = hoyle->knowledge->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    double payoffs[KN_ROLES_MAX], middle = (game->payoff_low + game->payoff_high) / 2;
    for (int i = 0; i < request->allowed_count; i++) {
        memcpy(next, request->position, game->position_size);
        game->type->play(game, next, request->allowed[i]);
        answer->cost.nodes++;
        if (game->type->moves(game, next, hoyle->decision.replies)) continue;
        game->type->payoffs(game, next, payoffs);
        if (payoffs[request->role] <= middle) continue;
        verdict->move = i;
        verdict->advisor = "Victory";
        verdict->why = "it wins at once";
        hoyle->victory++;
        return true;
    }
    return false;
}

static void by_vote(Hoyle *hoyle, const KnRequest *request, Verdict *verdict)
{
    Decision *decision = &hoyle->decision;
    long votes[decision->count];
    int equal[decision->count], count = 0;
    kn_second_tier(decision);
    long best = kn_second_tier_vote(decision, votes);
    if (hoyle->searched >= 0) { /* one more Advisor: heavy support for one move */
        votes[hoyle->searched] += hoyle->search_weight * (HEAVY - NEUTRAL);
        if (votes[hoyle->searched] > best) best = votes[hoyle->searched];
    }
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out && votes[i] == best) equal[count++] = i;
    verdict->move = equal[kn_rng_below(request->rng, (uint32_t)count)];
    verdict->equal = count;
    verdict->voted = true;
    hoyle->second_tier++;
}

/* Seq-Advisor where it decides instead of commenting: behind Victory, or between the tiers. */
static bool by_seq(Hoyle *hoyle, const KnRequest *request, Verdict *verdict)
{
    verdict->move = kn_seq_advisor_choose(&hoyle->decision, request->rng);
    if (verdict->move < 0) return false;
    verdict->advisor = "Seq-Advisor";
    verdict->why = "most Sitact Advisors of weight 1 advise it";
    hoyle->seq++;
    return true;
}

/* Asks the search about the moves that the first tier has left. */
static KnStatus ask_search(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Hoyle *hoyle = player->data;
    const Decision *decision = &hoyle->decision;
    KnMove left[decision->count];
    KnRequest ask = *request;
    ask.allowed = left;
    ask.allowed_count = 0;
    ask.wants = 0;
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out) left[ask.allowed_count++] = decision->moves[i];
    KnAnswer found = {.move = KN_MOVE_NONE};
    KnStatus status = player->inner->type->choose(player->inner, &ask, &found, error);
    answer->cost.nodes += found.cost.nodes;
    for (int i = 0; i < decision->count && status == KN_OK; i++)
        if (!decision->consequences[i].out && decision->moves[i] == found.move) hoyle->searched = i;
    return status;
}

static KnStatus decide(KnPlayer *player, const KnRequest *request, KnAnswer *answer, Verdict *verdict,
                       KnError *error)
{
    Hoyle *hoyle = player->data;
    const HoyleKnowledge *knowledge = hoyle->knowledge;
    KnStatus status = KN_OK;
    hoyle->searched = -1;
    bool rote = knowledge->settings.sequences == SEQUENCES_ROTE && knowledge->rote,
         imitates = knowledge->imitate != NULL;
    hoyle->decisions++;
    if (rote || imitates) {
        if (by_victory(hoyle, request, answer, verdict)) return KN_OK;
        if (imitates ? by_imitation(hoyle, request, verdict) : by_rote(hoyle, request, verdict)) return KN_OK;
    }
    kn_decision_look_ahead(&hoyle->decision, request->position, request->allowed, request->allowed_count);
    verdict->laid = true;
    for (int i = 0; i < hoyle->decision.count; i++)
        answer->cost.nodes += 1 + (uint64_t)hoyle->decision.consequences[i].replies;
    SeqPlace place = knowledge->seq ? knowledge->seq->place : SEQ_NOWHERE;
    if (place == SEQ_FIRST && kn_first_tier_victory(&hoyle->decision) < 0 && by_seq(hoyle, request, verdict))
        return KN_OK;
    kn_first_tier(&hoyle->decision, rote || imitates, &verdict->result);
    hoyle->resigned += verdict->result.resigns;
    if (verdict->result.chosen >= 0) {
        verdict->move = verdict->result.chosen;
        verdict->advisor = verdict->result.advisor;
        verdict->why = "first tier";
        hoyle->first_tier++;
        return KN_OK;
    }
    if (place == SEQ_MIDDLE && by_seq(hoyle, request, verdict)) return KN_OK;
    if (player->inner) status = ask_search(player, request, answer, error);
    if (status == KN_OK) by_vote(hoyle, request, verdict);
    return status;
}

/* ---- Explanation ---- */

static void tell_sequence(const Hoyle *hoyle, const KnRequest *request, KnExplanation *explanation)
{
    const KnBoardView *view = hoyle->knowledge->view;
    KnTpRoteRun run = hoyle->run;
    KnText line = KN_TEXT_EMPTY, board = KN_TEXT_EMPTY;
    KnAction action;
    for (int i = 0; i < 12 && kn_tp_rote_choices(hoyle->knowledge->rote, &run, &action, 1); i++) {
        if (line.length) kn_text_add_char(&line, ' ');
        kn_action_text(view, action, &line);
        if (!kn_tp_rote_follow(hoyle->knowledge->rote, &run, action)) break;
    }
    request->game->type->position_text(request->game, request->position, &board);
    kn_explanation_line(request->arena, explanation, "sequence", line.data, board.data);
    kn_text_free(&line);
    kn_text_free(&board);
}

static void tell_first(const Hoyle *hoyle, const Verdict *verdict, KnArena *arena, KnExplanation *explanation)
{
    KnExplanation *group = kn_explanation_group(arena, explanation, "first tier");
    const FirstTierResult *result = &verdict->result;
    for (int i = 0; i < FIRST_TIER; i++)
        if (result->removed[i])
            kn_explanation_text(arena, group, kn_first_tier_names[i],
                                kn_arena_printf(arena, "takes away %d of %d moves", result->removed[i],
                                                hoyle->decision.count));
    if (result->resigns)
        kn_explanation_text(arena, group, "Sadder",
                            "remembers this state as a certain loss and would resign");
    if (result->advisor)
        kn_explanation_text(arena, group, result->advisor, "decides");
    else
        kn_explanation_text(arena, group, "outcome", "leaves it to the second tier");
}

void kn_decision_comments(const Decision *decision, const KnRequest *request, const int *strengths,
                          KnText *out)
{
    size_t start = out->length;
    for (int i = 0; i < decision->count; i++)
        if (strengths[i] != SILENT)
            kn_text_printf(
                out, "%s%s %d", out->length > start ? ", " : "",
                kn_game_move_name(request->game, request->position, decision->moves[i], request->arena),
                strengths[i]);
}

/* Whether it says the same of every move that is left, which decides nothing. */
static bool is_indifferent(const Decision *decision, const int *strengths)
{
    int first = -1;
    for (int i = 0; i < decision->count; i++) {
        if (decision->consequences[i].out) continue;
        if (first >= 0 && strengths[i] != strengths[first]) return false;
        if (first < 0) first = i;
    }
    return true;
}

static void tell_votes(const Hoyle *hoyle, const KnRequest *request, int chosen, KnExplanation *explanation)
{
    const Decision *decision = &hoyle->decision;
    const HoyleKnowledge *knowledge = hoyle->knowledge;
    KnArena *arena = request->arena;
    long votes[decision->count];
    kn_second_tier_vote(decision, votes);
    KnExplanation *group = kn_explanation_group(arena, explanation, "votes");
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out)
            kn_explanation_bar(arena, group,
                               kn_game_move_name(request->game, request->position, decision->moves[i], arena),
                               (double)votes[i] / WEIGHT_UNIT, -30, 30, "votes");
    group = kn_explanation_group(arena, explanation, "comments");
    if (hoyle->searched >= 0)
        kn_explanation_text(
            arena, group, "the search",
            kn_game_move_name(request->game, request->position, decision->moves[hoyle->searched], arena));
    for (int v = 0; v < SECOND_TIER; v++) {
        const int *strengths = kn_decision_strengths(decision, v);
        if (is_indifferent(decision, strengths)) continue;
        const char *label =
            kn_arena_printf(arena, "%s (weight %.2f%s)", kn_second_tier_name(v),
                            (double)knowledge->weights[decision->stage][v] / WEIGHT_UNIT,
                            kn_second_tier_heard(knowledge, decision->stage, v) ? "" : ", not heard");
        KnExplanation *advisor = kn_explanation_text(arena, group, label, kn_second_tier_says(v));
        for (int i = 0; i < decision->count && advisor; i++)
            if (strengths[i] != SILENT)
                kn_explanation_bar(
                    arena, advisor,
                    kn_game_move_name(request->game, request->position, decision->moves[i], arena),
                    strengths[i], 0, HEAVY, kn_arena_printf(arena, "of %d", HEAVY));
        const Reasons *reasons = &knowledge->reasons[decision->stage][v];
        if (advisor && reasons->count[0] + reasons->count[1])
            kn_reasons_explain(knowledge, decision->stage, v, arena,
                               kn_explanation_group(arena, advisor, "why this weight"));
    }
    kn_patsy_explain(decision, request, chosen, group);
    kn_seq_advisor_explain(decision, request, group);
}

/* The Advisor that is heard first: the heaviest of those that support the move as much as any other. */
static int loudest(const Hoyle *hoyle, int move)
{
    const Decision *decision = &hoyle->decision;
    const int *weights = hoyle->knowledge->weights[decision->stage];
    int found = -1;
    for (int v = 0; v < SECOND_TIER; v++) {
        const int *strengths = kn_decision_strengths(decision, v);
        if (is_indifferent(decision, strengths) || strengths[move] == SILENT ||
            !kn_second_tier_heard(hoyle->knowledge, decision->stage, v))
            continue;
        bool most = true;
        for (int i = 0; i < decision->count; i++)
            most = most && (decision->consequences[i].out || strengths[i] <= strengths[move]);
        if (most && (found < 0 || weights[v] > weights[found])) found = v;
    }
    return found;
}

/* "b2: Challenge prefers what opens lines for itself...; the lot decided among 3 moves with as many votes."
 */
static const char *sentence(const Hoyle *hoyle, const KnRequest *request, const Verdict *verdict, KnMove move)
{
    KnArena *arena = request->arena;
    const char *name = kn_game_move_name(request->game, request->position, move, arena);
    if (!verdict->voted)
        return kn_arena_printf(arena, "%s: %s says that %s", name, verdict->advisor,
                               strcmp(verdict->why, "first tier") == 0 ? "it must be so" : verdict->why);
    int advisor = loudest(hoyle, verdict->move);
    const char *lot = verdict->equal > 1
                          ? kn_arena_printf(arena, "; the lot decided among %d moves with as many votes",
                                            verdict->equal)
                          : "";
    if (advisor < 0) return kn_arena_printf(arena, "%s has the most votes of the Advisors%s", name, lot);
    return kn_arena_printf(arena, "%s has the most votes: %s %s%s", name, kn_second_tier_name(advisor),
                           kn_second_tier_says(advisor), lot);
}

static void tell(const Hoyle *hoyle, const KnRequest *request, const Verdict *verdict, KnAnswer *answer)
{
    KnArena *arena = request->arena;
    answer->explanation = kn_explanation_new(arena, sentence(hoyle, request, verdict, answer->move));
    if (!verdict->laid && hoyle->knowledge->rote && !hoyle->knowledge->imitate &&
        strcmp(verdict->advisor, "Victory") != 0)
        tell_sequence(hoyle, request, answer->explanation);
    if (verdict->laid) tell_first(hoyle, verdict, arena, answer->explanation);
    if (verdict->voted) tell_votes(hoyle, request, verdict->move, answer->explanation);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Hoyle *hoyle = player->data;
    Verdict verdict = {.move = -1};
    KnStatus status = decide(player, request, answer, &verdict, error);
    if (status != KN_OK) return status;
    hoyle->asked = true;
    answer->move = request->allowed[verdict.move];
    if (request->wants & KN_WANT_EXPLANATION) tell(hoyle, request, &verdict, answer);
    return KN_OK;
}

/* ---- Life ---- */

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Hoyle *hoyle = player->data;
    hoyle->run.next = -1;
    hoyle->observed = hoyle->asked = false;
    hoyle->role = role;
    return player->inner ? kn_player_begin(player->inner, role, position, error) : KN_OK;
}

/* A replayed game: its own side moved without asking it. If a sequence begins with that move, it is now under
 * way. */
static void take_up(Hoyle *hoyle, const void *position)
{
    const KnTpRote *rote = hoyle->knowledge->rote;
    KnTpRoteRun run;
    KnAction next;
    if (hoyle->run.next >= 0 && kn_tp_rote_choices(rote, &hoyle->run, &next, 1)) return;
    if (!kn_tp_rote_enter(rote, hoyle->role, position, &run) &&
        !(hoyle->observed && kn_tp_rote_enter(rote, hoyle->role, hoyle->before, &run) &&
          kn_tp_rote_follow(rote, &run, hoyle->last)))
        run.next = -1;
    hoyle->run = run;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Hoyle *hoyle = player->data;
    const HoyleKnowledge *knowledge = hoyle->knowledge;
    KnStatus status = player->inner ? kn_player_observe(player->inner, state, joint, error) : KN_OK;
    if (status != KN_OK || knowledge->settings.sequences != SEQUENCES_ROTE) return status;
    size_t plies = kn_state_plies(state);
    const void *before = kn_state_position_at(state, plies - 1);
    if (knowledge->rote && !hoyle->asked &&
        knowledge->game->type->mover(knowledge->game, before) == hoyle->role)
        take_up(hoyle, before);
    hoyle->asked = false;
    memcpy(hoyle->before, before, knowledge->game->position_size);
    memcpy(hoyle->now, kn_state_position(state), knowledge->game->position_size);
    hoyle->last = kn_board_view_action(knowledge->view, before,
                                       joint[knowledge->game->type->mover(knowledge->game, before)]);
    hoyle->observed = true;
    if (hoyle->run.next >= 0 && !kn_tp_rote_follow(knowledge->rote, &hoyle->run, hoyle->last))
        hoyle->run.next = -1;
    return KN_OK;
}

static void close(KnPlayer *player)
{
    Hoyle *hoyle = player->data;
    if (!hoyle) return;
    kn_decision_close(&hoyle->decision);
    kn_game_learner_close(hoyle->owned);
    free(hoyle->before);
    free(hoyle->now);
    free(hoyle);
}

static KnStatus sit_down(const HoyleKnowledge *knowledge, KnGameLearner *owned, KnPlayer *player,
                         KnError *error)
{
    size_t size = (knowledge->game->position_size + 15) & ~(size_t)15;
    Hoyle *hoyle = player->data = calloc(1, sizeof *hoyle);
    if (!hoyle) {
        kn_game_learner_close(owned);
        return kn_fail_memory(error, "opening a player");
    }
    hoyle->knowledge = knowledge;
    hoyle->owned = owned;
    hoyle->run.next = -1;
    hoyle->before = aligned_alloc(16, size);
    hoyle->now = aligned_alloc(16, size);
    if (!hoyle->before || !hoyle->now) return kn_fail_memory(error, "opening a player");
    return kn_decision_open(&hoyle->decision, knowledge, error);
}

KnStatus kn_hoyle_attach(const KnGameLearner *learner, KnPlayer *player, KnError *error)
{
    return sit_down(kn_hoyle_knowledge(learner), NULL, player, error);
}

json_t *kn_hoyle_tally(const KnPlayer *player)
{
    const Hoyle *h = player->data;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "decisions", (json_int_t)h->decisions,
                     "victory", (json_int_t)h->victory, "enforcer", (json_int_t)h->enforced, "multi-step",
                     (json_int_t)h->multi_step, "imitate", (json_int_t)h->imitated, "first tier",
                     (json_int_t)h->first_tier, "second tier", (json_int_t)h->second_tier, "known lost",
                     (json_int_t)h->resigned, "seq-advisor", (json_int_t)h->seq);
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    const char *file = kn_option_string(options, "knowledge");
    KnGameLearner *learner = NULL;
    KnStatus status;
    if (file && *file) {
        KnText path = KN_TEXT_EMPTY;
        kn_context_file(player->context, file, &path);
        status = kn_game_learner_load(player->context, player->game, "hoyle", path.data, &learner, error);
        kn_text_free(&path);
    } else
        status = kn_game_learner_open(player->context, player->game, "hoyle", &learner, error);
    if (status == KN_OK) status = sit_down(kn_hoyle_knowledge(learner), learner, player, error);
    const KnSpec *search = kn_option_spec(options, "search");
    if (status != KN_OK || !search) return status;
    ((Hoyle *)player->data)->search_weight = (long)(kn_option_real(options, "weight") * WEIGHT_UNIT + 0.5);
    status = kn_player_wrap(player, search, error);
    if (status == KN_OK && !(player->inner->traits & KN_PLAYER_RESTRICTS))
        return kn_fail(error, KN_INPUT, "%s cannot be asked about some of the moves only, as an Advisor is",
                       player->inner->spec);
    return status;
}

static const KnOption options[] = {
    {"knowledge", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "what `knack train hoyle` has learned for this game; none: it knows the rules only"},
    {"search", KN_OPTION_SPEC, "", 0, 0, "player",
     "a player that is one more Advisor: heavy support for the move that it would make"},
    {"weight", KN_OPTION_REAL, "3", 0, 100, NULL, "of its vote; the Advisors' own are from 0 to 1"},
    {0}};

const KnPlayerType kn_player_hoyle = {
    .head = {"hoyle",
             "Advisors in two tiers that vote with learned weights, two plies ahead at most (Lock 2003)",
             options},
    .suits = kn_board_view_suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};

const KnPlayerType kn_hoyle_learner_player = {
    .head = {"hoyle", "by what a game learner has learned", NULL},
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
