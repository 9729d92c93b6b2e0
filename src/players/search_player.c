#include "players/search_player.h"

#include <stdlib.h>
#include <string.h>

#include "games/sequential.h"
#include "players/search_explanation.h"

/* The tighter of two limits, where 0 is none. */
static double tighter(double a, double b) { return a <= 0 ? b : b <= 0 || a < b ? a : b; }

KnBudget kn_budget_narrow(KnBudget own, KnBudget asked)
{
    return (KnBudget){.depth = (int)tighter(own.depth, asked.depth),
                      .nodes = own.nodes && (!asked.nodes || own.nodes < asked.nodes) ? own.nodes
                                                                                      : asked.nodes,
                      .seconds = tighter(own.seconds, asked.seconds),
                      .processor = own.processor || asked.processor};
}

bool kn_budget_decides(KnBudget own, KnBudget asked)
{
    return own.nodes || own.seconds > 0 || (!asked.cap && (asked.nodes || asked.seconds > 0));
}

static void give_values(const KnSearchResult *found, KnAnswer *answer)
{
    answer->has_values = true;
    for (int i = 0; i < found->root_count; i++) {
        answer->values[i] = found->root[i].score;
        if (found->root[i].bound != KN_BOUND_EXACT && !found->root[i].visits) answer->has_values = false;
    }
}

/* Makes the engine for the game that is searched. */
static KnStatus build(KnSearcher *searcher, KnError *error)
{
    if (searcher->tables && !searcher->endgame) {
        bool wanted = strcmp(searcher->tables, "auto") != 0;
        KnStatus status = kn_endgame_open(searcher->game, wanted ? searcher->tables : "on",
                                          &searcher->endgame, error);
        if (status != KN_OK && wanted) return status;
    }
    searcher->state = searcher->engine->make(searcher, error);
    return searcher->state ? KN_OK : error ? error->status : KN_SYSTEM;
}

static void tear_down(KnSearcher *searcher)
{
    if (searcher->state) searcher->engine->free(searcher->state);
    searcher->state = NULL;
    kn_game_close(searcher->view);
    searcher->view = NULL;
}

/* Looks at the game through the eyes of a role. */
static KnStatus take_view(KnPlayer *player, int role, KnError *error)
{
    KnSearcher *searcher = player->data;
    if (!(player->game->traits & KN_GAME_SIMULTANEOUS)) {
        searcher->game = player->game;
        return searcher->state ? KN_OK : build(searcher, error);
    }
    if (searcher->view && searcher->viewpoint == role) return KN_OK;
    KnGame *view;
    KnStatus status = kn_game_sequential(player->game, role, &view, error);
    if (status != KN_OK) return status;
    tear_down(searcher);
    searcher->game = searcher->view = view;
    searcher->viewpoint = role;
    return build(searcher, error);
}

/* Lets the evaluations play before the game: for a clock, or as much as their specs say. */
static KnStatus prepare_evaluations(KnSearcher *searcher, double seconds, KnError *error)
{
    KnEvaluation *both[] = {searcher->evaluation, searcher->expansion};
    int learning = 0;
    for (int i = 0; i < 2; i++) learning += both[i] && both[i]->prepare;
    KnStatus status = KN_OK;
    for (int i = 0; i < 2 && status == KN_OK; i++)
        if (both[i]) status = kn_evaluation_prepare(both[i], learning ? seconds / learning : 0, error);
    return status;
}

KnStatus kn_searcher_prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    (void)rng; /* evaluations learn the same for every game: they have their own seeds */
    KnStatus status = take_view(player, role, error);
    return status == KN_OK ? prepare_evaluations(player->data, seconds, error) : status;
}

/* Adds what the endgame tables know to the explanation. */
static KnStatus explain_endgame(KnPlayer *player, const KnRequest *request, uint64_t known, KnAnswer *answer,
                                KnError *error)
{
    const KnSearcher *searcher = player->data;
    KnEndgameProber *prober = kn_search_prober(searcher->state);
    if (!prober) return KN_OK;
    kn_explain_endgame(request, prober, kn_endgame_pieces(searcher->endgame), known, kn_player_note(player),
                       answer->explanation);
    return kn_endgame_prober_status(prober, error);
}

static void add_limit(KnText *text, const char *format, double value)
{
    if (value <= 0) return;
    if (text->length) kn_text_add(text, ", ");
    kn_text_printf(text, format, value);
}

/* The most playouts that an option takes stand for any number (methods/general/player.c). */
static const uint64_t PLAYOUTS_MOST = 1000000000000;

/* Every limit that this search had: the first that is reached ends it. */
static void explain_limits(const KnSearcher *searcher, const KnRequest *request, const KnSearchRequest *ask,
                           KnExplanation *root)
{
    if (!root) return;
    KnText text = KN_TEXT_EMPTY;
    bool fallback = searcher->yields && !ask->open_ended;
    add_limit(&text, fallback ? "depth %.0f (the default)" : "depth %.0f", ask->budget.depth);
    if (searcher->playouts && searcher->playouts < PLAYOUTS_MOST && !ask->open_ended)
        add_limit(&text, fallback ? "%.0f random games (the default)" : "%.0f random games",
                  (double)searcher->playouts);
    add_limit(&text, "%.0f positions", (double)ask->budget.nodes);
    add_limit(&text, "%g s", ask->budget.seconds);
    kn_explanation_text(request->arena, root, "limits", text.length ? text.data : "none");
    kn_text_free(&text);
}

KnStatus kn_searcher_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnSearcher *searcher = player->data;
    KnStatus status = take_view(player, request->role, error);
    if (status == KN_OK) status = prepare_evaluations(searcher, 0, error);
    if (status != KN_OK) return status;
    if (searcher->view && request->allowed_count == 1) { /* the view would decide it without asking */
        answer->move = request->allowed[0];
        return KN_OK;
    }
    unsigned char entered[searcher->game->position_size] __attribute__((aligned(16)));
    const void *position = request->position;
    if (searcher->view) {
        kn_sequential_enter(searcher->view, request->position, entered);
        position = entered;
    }
    if (searcher->evaluation->set_role) searcher->evaluation->set_role(searcher->evaluation, request->role);
    bool values = request->wants & KN_WANT_VALUES && answer->values;
    bool open_ended = searcher->yields && kn_budget_decides(searcher->budget, request->budget);
    KnBudget own = searcher->budget;
    if (open_ended) own.depth = 0;
    KnSearchRequest ask = {.allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .budget = kn_budget_narrow(own, request->budget),
                           .rng = request->rng,
                           .cancel = request->cancel,
                           .open_ended = open_ended,
                           .pace = request->pace,
                           .pace_user = request->pace_user,
                           .all_values = values || request->wants & KN_WANT_EXPLANATION};
    KnSearchResult found;
    status = searcher->engine->run(searcher->state, position, searcher->view ? NULL : &request->history, &ask,
                                   &found, error);
    if (status != KN_OK) return status;
    answer->move = found.move;
    answer->has_score = true;
    answer->score = found.score;
    answer->payoffs = searcher->engine->payoffs || searcher->evaluation->payoffs;
    answer->log_odds = searcher->engine->payoffs ? 0 : (float)searcher->evaluation->log_odds;
    answer->depth = found.depth;
    answer->cost.nodes = found.nodes;
    if (values) give_values(&found, answer);
    if (request->wants & KN_WANT_EXPLANATION && found.has_margin)
        answer->explanation = kn_explain_solved(request, found.move, found.margin, found.margins,
                                                found.nodes);
    else if (request->wants & KN_WANT_EXPLANATION)
        answer->explanation = kn_explain_search(request, searcher->game, position, &found,
                                                searcher->evaluation, searcher->expansion);
    explain_limits(searcher, request, &ask, answer->explanation);
    return searcher->endgame && request->wants & KN_WANT_EXPLANATION
               ? explain_endgame(player, request, found.known, answer, error)
               : KN_OK;
}

KnStatus kn_searcher_begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)position;
    KnStatus status = take_view(player, role, error);
    KnSearcher *searcher = player->data;
    if (status == KN_OK) status = prepare_evaluations(searcher, 0, error);
    if (status == KN_OK && searcher->engine->clear) searcher->engine->clear(searcher->state);
    return status;
}

void kn_searcher_close(KnPlayer *player)
{
    KnSearcher *searcher = player->data;
    if (!searcher) return;
    tear_down(searcher);
    kn_evaluation_close(searcher->evaluation);
    kn_evaluation_close(searcher->expansion);
    kn_move_advisor_close(searcher->advisor);
    kn_endgame_close(searcher->endgame);
    free(searcher->tables);
    free(searcher);
}

KnStatus kn_searcher_open(KnPlayer *player, const KnOptions *options, const KnEngine *engine,
                          void (*settle)(KnSearcher *searcher, const KnOptions *options), KnError *error)
{
    KnSearcher *searcher = player->data = calloc(1, sizeof *searcher);
    if (!searcher) return kn_fail_memory(error, "opening a player");
    searcher->engine = engine;
    searcher->budget.nodes = (uint64_t)kn_option_real(options, "nodes");
    searcher->budget.seconds = kn_option_real(options, "time");
    if (searcher->budget.seconds > 0) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    const KnSpec *eval = kn_option_spec(options, "eval");
    KnStatus status =
        eval || !engine->learned
            ? kn_evaluation_open(player->context, player->game, eval, &searcher->evaluation, error)
            : kn_evaluation_open_strongest(player->context, player->game, &searcher->evaluation, error);
    const KnSpec *expand = status == KN_OK && engine->expands ? kn_option_spec(options, "expand") : NULL;
    if (expand)
        status = kn_evaluation_open(player->context, player->game, expand, &searcher->expansion, error);
    const KnSpec *advisor = status == KN_OK && engine->advised ? kn_option_spec(options, "advisor") : NULL;
    if (advisor)
        status = kn_move_advisor_open(player->context, player->game, advisor, &searcher->advisor, error);
    if (status != KN_OK) return status;
    settle(searcher, options);
    status = take_view(player, player->game->nature == 0 ? 1 : 0, error);
    if (searcher->endgame) kn_player_add_note(player, kn_endgame_notes(searcher->endgame));
    return status;
}
