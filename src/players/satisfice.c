/* The satisficing agent on any matrix game: it hears what it earns and nothing else, although the table lies
 * open before it. Its aspiration lives for one contest, as in the paper; adapting it is playing, not
 * training, so no option switches it on. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/matrix.h"
#include "learn/aspiration.h"
#include "players/registry.h"

_Static_assert((int)KN_SATISFICER_ACTIONS >= (int)KN_MATRIX_ACTIONS, "every action can be remembered");

typedef struct Satisfice {
    KnSatisficer settings; /* as at a contest's start, but for role and action */
    char *action;          /* name of the first; NULL: the role's first */
    int role;
    KnSatisficer told; /* after the last payoff */
    KnSatisficer
        chosen; /* after the last choice, which chance may have touched; asking again begins from `told` */
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
    s->told = s->settings;
    s->has_chosen = false;
    if (role >= matrix->players) return KN_OK; /* nature's seat, where nothing is earned: see choose */
    s->told.actions = matrix->actions[role];
    s->told.action = s->action ? find_action(matrix, role, s->action) : 0;
    return s->told.action < 0 ? no_action(matrix, role, s->action, error) : KN_OK;
}

static KnStatus observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    (void)error;
    const KnGame *game = player->game;
    Satisfice *s = player->data;
    double rewards[KN_ROLES_MAX];
    game->type->rewards(game, kn_contest_position_at(contest, kn_contest_plies(contest) - 1), joint, rewards);
    if (s->has_chosen) s->told = s->chosen;
    s->has_chosen = false;
    if (s->role != game->nature)
        kn_satisficer_earn(&s->told, kn_matrix_action(joint[s->role]), rewards[s->role]);
    return KN_OK;
}

static const char *name_of(const KnRequest *request, int action)
{
    return kn_game_move_name(request->game, request->position, kn_matrix_move(request->role, action),
                             request->arena);
}

static void tell(const KnRequest *request, const KnSatisficer *told, const KnSatisficer *chosen,
                 KnAnswer *answer)
{
    KnArena *arena = request->arena;
    const char *now = name_of(request, chosen->action), *before = name_of(request, told->action);
    const char *sentence;
    if (!told->tried)
        sentence = kn_arena_printf(arena, "%s, to begin with, aspiring to %g", now, chosen->aspiration);
    else if (told->satisfied)
        sentence = kn_arena_printf(arena, "%s again: it paid %g, and %g was aspired to", now, told->last,
                                   told->aspired);
    else
        sentence = kn_arena_printf(arena, "%s: %s paid %g, less than the %g aspired to", now, before,
                                   told->last, told->aspired);
    answer->reason = kn_reason_new(arena, sentence);
    const KnMatrix *matrix = kn_game_matrix(request->game);
    double low = (double)matrix->least / (double)matrix->scale,
           high = (double)matrix->most / (double)matrix->scale;
    kn_reason_bar(arena, answer->reason, "aspiration", chosen->aspiration, low, high, "");
    if (told->tried) {
        kn_reason_bar(arena, answer->reason, "last payoff", told->last, low, high, "");
        kn_reason_text(arena, answer->reason, "satisfied", told->satisfied ? "yes" : "no");
    }
    if (chosen->trembled)
        kn_reason_number(arena, answer->reason, "tremble of the aspiration",
                         chosen->aspiration - told->aspiration, "");
    if (chosen->search != KN_SEARCH_REMEMBER || told->actions <= 2) return;
    KnReason *paid = kn_reason_group(arena, answer->reason, "what each action paid the last time");
    for (int a = 0; a < told->actions; a++)
        if (told->tried >> a & 1)
            kn_reason_bar(arena, paid, name_of(request, a), told->paid[a], low, high, "");
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    Satisfice *s = player->data;
    if (request->role == request->game->nature) {
        answer->move = request->allowed[0];
        if (request->wants & KN_WANT_REASON)
            answer->reason = kn_reason_new(request->arena, "nature earns nothing: it is always content");
        return KN_OK;
    }
    s->chosen = s->told;
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
    if (request->wants & KN_WANT_REASON) tell(request, &s->told, &s->chosen, answer);
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
