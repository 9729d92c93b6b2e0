/* The satisficing agent on any matrix game: it hears what it earns and nothing else, although the table lies
 * open before it. Its aspiration lives for one game, as in the paper; adapting it is playing, not
 * training, so no option switches it on. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/matrix/matrix.h"
#include "methods/satisficing/agent.h"
#include "methods/registry.h"

_Static_assert((int)KN_SATISFICER_ACTIONS >= (int)KN_MATRIX_ACTIONS, "every action can be remembered");

typedef struct Satisfice {
    KnSatisficer settings; /* as at a game's start, but for role and action */
    char *action;          /* name of the first; NULL: the role's first */
    int role;
    KnSatisficer before_choice; /* after the last payoff */
    KnSatisficer chosen; /* after the last choice, which chance may have touched; asking again begins from
                            `before_choice` */
    bool has_chosen;
} Satisfice;

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (kn_game_matrix(game)) return KN_OK;
    return kn_fail(
        error, KN_INPUT,
        "satisficing needs the same actions in every round and a payoff after each: a matrix game");
}

static int find_action(const KnMatrix *matrix, int role, const char *name)
{
    for (int a = 0; a < matrix->actions[role]; a++)
        if (strcasecmp(matrix->names[role][a], name) == 0) return a;
    return -1;
}

static KnStatus no_action(const KnMatrix *matrix, int role, const char *name, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (int a = 0; a < matrix->actions[role]; a++) kn_text_printf(&known, " %s", matrix->names[role][a]);
    kn_fail(error, KN_INPUT, "action=%.40s: %s has no such action; known:%s", name, matrix->role_names[role],
            known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    const KnMatrix *matrix = kn_game_matrix(player->game);
    Satisfice *s = player->data = calloc(1, sizeof *s);
    const char *action = kn_option_string(options, "action");
    if (!s || (action && !(s->action = strdup(action)))) return kn_fail_memory(error, "opening a player");
    s->settings = kn_satisficer(kn_option_real(options, "lambda"), kn_option_real(options, "aspiration"), 0,
                                1);
    s->settings.search = (KnSatisficingSearch)kn_option_choice(options, "search");
    s->settings.tremble = kn_option_real(options, "tremble");
    s->settings.shift = kn_option_real(options, "shift");
    int known = action ? -1 : 0;
    for (int role = 0; role < matrix->players && known < 0; role++) known = find_action(matrix, role, action);
    return known < 0 ? no_action(matrix, 0, action, error) : KN_OK;
}

static void close(KnPlayer *player)
{
    Satisfice *s = player->data;
    if (s) free(s->action);
    free(s);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)position;
    const KnMatrix *matrix = kn_game_matrix(player->game);
    Satisfice *s = player->data;
    s->role = role;
    s->before_choice = s->settings;
    s->has_chosen = false;
    if (role >= matrix->players) return KN_OK; /* nature's seat, where nothing is earned: see choose */
    s->before_choice.actions = matrix->actions[role];
    s->before_choice.action = s->action ? find_action(matrix, role, s->action) : 0;
    return s->before_choice.action < 0 ? no_action(matrix, role, s->action, error) : KN_OK;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    (void)error;
    const KnGame *game = player->game;
    Satisfice *s = player->data;
    double rewards[KN_ROLES_MAX];
    game->type->rewards(game, kn_state_position_at(state, kn_state_plies(state) - 1), joint, rewards);
    if (s->has_chosen) s->before_choice = s->chosen;
    s->has_chosen = false;
    if (s->role != game->nature)
        kn_satisficer_earn(&s->before_choice, kn_matrix_action(joint[s->role]), rewards[s->role]);
    return KN_OK;
}

static const char *name_of(const KnRequest *request, int action)
{
    return kn_game_move_name(request->game, request->position, kn_matrix_move(request->role, action),
                             request->arena);
}

static void tell(const KnRequest *request, const KnSatisficer *before_choice, const KnSatisficer *chosen,
                 KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *now = name_of(request, chosen->action), *before = name_of(request, before_choice->action);
    const char *sentence;
    if (!before_choice->tried)
        sentence = kn_arena_printf(arena, "%s, to begin with, aspiring to %g", now, chosen->aspiration);
    else if (before_choice->satisfied)
        sentence = kn_arena_printf(arena, "%s again: it paid %g, and %g was aspired to", now,
                                   before_choice->last, before_choice->aspired);
    else
        sentence = kn_arena_printf(arena, "%s: %s paid %g, less than the %g aspired to", now, before,
                                   before_choice->last, before_choice->aspired);
    answer->explanation = kn_explanation_new(arena, sentence);
    const KnMatrix *matrix = kn_game_matrix(request->game);
    double low = (double)matrix->least / (double)matrix->scale,
           high = (double)matrix->most / (double)matrix->scale;
    kn_explanation_bar(arena, answer->explanation, "aspiration", chosen->aspiration, low, high, "");
    if (before_choice->tried) {
        kn_explanation_bar(arena, answer->explanation, "last payoff", before_choice->last, low, high, "");
        kn_explanation_text(arena, answer->explanation, "satisfied", before_choice->satisfied ? "yes" : "no");
    }
    if (chosen->trembled)
        kn_explanation_number(arena, answer->explanation, "tremble of the aspiration",
                              chosen->aspiration - before_choice->aspiration, "");
    if (chosen->search != KN_SEARCH_REMEMBER || before_choice->actions <= 2) return;
    KnExplanation *paid = kn_explanation_group(arena, answer->explanation,
                                               "what each action paid the last time");
    for (int a = 0; a < before_choice->actions; a++)
        if (before_choice->tried >> a & 1)
            kn_explanation_bar(arena, paid, name_of(request, a), before_choice->paid[a], low, high, "");
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    Satisfice *s = player->data;
    if (request->role == request->game->nature) {
        answer->move = request->allowed[0];
        if (request->wants & KN_WANT_EXPLANATION)
            answer->explanation = kn_explanation_new(request->arena,
                                                     "nature earns nothing: it is always content");
        return KN_OK;
    }
    s->chosen = s->before_choice;
    s->has_chosen = true;
    int action = kn_satisficer_choose(&s->chosen, request->rng);
    /* Where a wrapper bars the action, the next one in order that is allowed. */
    answer->move = KN_MOVE_NONE;
    for (int i = 0; i < s->chosen.actions && answer->move == KN_MOVE_NONE; i++) {
        KnMove move = kn_matrix_move(request->role, (action + i) % s->chosen.actions);
        for (int k = 0; k < request->allowed_count; k++)
            if (request->allowed[k] == move) answer->move = move;
    }
    s->chosen.action = kn_matrix_action(answer->move);
    if (request->wants & KN_WANT_EXPLANATION) tell(request, &s->before_choice, &s->chosen, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"lambda", KN_OPTION_REAL, "0.9", 0, 1, NULL,
     "how much of the old aspiration is kept; 1: it never learns"},
    {"aspiration", KN_OPTION_REAL, "2", -1e6, 1e6, NULL, "the payoff that it aspires to at first"},
    {"action", KN_OPTION_STRING, "", 0, 0, NULL, "the action that it begins with; none: the role's first"},
    {"tremble", KN_OPTION_REAL, "0", 0, 1, NULL,
     "the probability, each round, that chance moves the aspiration"},
    {"shift", KN_OPTION_REAL, "1", 0, 1e6, NULL, "by how much at most a tremble moves it"},
    {"search", KN_OPTION_CHOICE, "next", 0, 0, "next|random|remember",
     "what it tries when dissatisfied, with more than two actions"},
    {0}};

const KnPlayerType kn_player_satisfice = {
    .head = {"satisfice",
             "keeps what pays as much as it aspires to, and lets the aspiration follow the payoffs", options},
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
