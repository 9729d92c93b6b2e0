#include "methods/methods.h"

#include <string.h>
#include <unistd.h>

#include "arena/play.h"
#include "base/file.h"
#include "players/sequential_view.h"

const KnPlainMethod kn_plain_methods[] = {
    {"proof", "proof-number search before the search, for both sides (Cazenave 2001)", "prove",
     "prove(alphabeta(depth=1, memory=1), nodes=400)"},
    {"heuristics", "general heuristics, weighted by temporal differences in the start clock (Genesereth)",
     NULL, "alphabeta(depth=1, memory=1, eval=blend(mobility(who=both), focus, fit=20, by=td))"},
    {"uct", "Monte Carlo tree search, with nothing but the rules (Kocsis & Szepesvari 2006)", "uct",
     "uct(playouts=50)"},
    {"satisficing", "keeps an action that pays as much as it aspires to (Stimpson, Goodrich & Walters 2001)",
     "satisfice", "satisfice"},
    {0}};

bool kn_method_next(const KnContext *context, KnMethod *method)
{
    size_t learners = kn_registered(context, KN_KIND_LEARNER), index = method->name ? method->index + 1 : 0;
    if (index < learners) {
        const KnLearnerType *learner = (const KnLearnerType *)kn_registered_at(context, KN_KIND_LEARNER,
                                                                               index);
        *method = (KnMethod){learner->head.name, learner->head.summary, learner, NULL, index};
        return true;
    }
    const KnPlainMethod *plain = &kn_plain_methods[index - learners];
    if (!plain->name) return false;
    *method = (KnMethod){plain->name, plain->summary, NULL, plain, index};
    return true;
}

KnStatus kn_method_suits(const KnContext *context, const KnMethod *method, const KnGame *game, KnError *error)
{
    if (method->learner) return method->learner->suits(context, game, error);
    if (!method->plain->player) return KN_OK;
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, method->plain->player);
    if (!type) return kn_fail(error, KN_INPUT, "there is no player %s", method->plain->player);
    return kn_player_suits(type, game, error);
}

/* ---- trying one ---- */

typedef struct Try {
    const KnContext *context;
    const char *game; /* spec */
    size_t plies;
    uint64_t seed;
    const atomic_bool *cancel;
} Try;

static KnStatus play_once(const Try *t, const KnGame *game, const char *spec, int seat, double *points,
                          KnError *error)
{
    KnRng rngs[KN_ROLES_MAX];
    KnPlayPlan plan = {
        .state = kn_state_new(game), .rules = {.ply_limit = t->plies, .cancel = t->cancel}, .strict = true};
    KnPlayed played;
    KnStatus status = plan.state ? KN_OK : kn_fail_memory(error, "trying a method");
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        rngs[role] = kn_rng_stream(t->seed, (uint64_t)(seat * KN_ROLES_MAX + role));
        plan.rngs[role] = &rngs[role];
        if (role != game->nature)
            status = kn_player_open(t->context, game, role == seat ? spec : "random", &plan.players[role],
                                    error);
    }
    if (status == KN_OK) status = kn_play(&plan, &played, error);
    if (status == KN_OK) {
        double low = game->payoff_low, high = game->payoff_high;
        *points += high > low ? (played.payoffs[seat] - low) / (high - low) : 0.5;
    }
    for (int role = 0; role < game->roles; role++) kn_player_close(plan.players[role]);
    kn_state_free(plan.state);
    return status;
}

static KnStatus play_both(const Try *t, const char *spec, double *points, KnError *error)
{
    KnGame *game = NULL;
    KnStatus status = kn_game_open(t->context, t->game, &game, error);
    for (int role = 0, seats = 0; status == KN_OK && role < game->roles && seats < 2; role++)
        if (role != game->nature) seats++, status = play_once(t, game, spec, role, points, error);
    kn_game_close(game);
    return status;
}

static void remove_learned(const KnLearnerType *type, const char *file)
{
    KnText second = KN_TEXT_EMPTY;
    unlink(file);
    if (type->suffix) {
        kn_text_printf(&second, "%s%s", file, type->suffix);
        unlink(second.data);
    }
    kn_text_free(&second);
}

static KnStatus try_learner(const Try *t, const KnLearnerType *type, double *points, KnError *error)
{
    KnText file = KN_TEXT_EMPTY, learner = KN_TEXT_EMPTY;
    KnTrainResult result = {0};
    kn_path_join(&file, kn_context_data(t->context), "methods-try");
    KnStatus status = kn_mkdirs(file.data, error);
    kn_text_printf(&file, "/%s", type->file);
    kn_text_printf(&learner, "%s(%s)", type->head.name, type->trial);
    KnTrainPlan plan = {.learner = learner.data,
                        .game = t->game,
                        .seed = t->seed,
                        .jobs = 1,
                        .out = file.data,
                        .cancel = t->cancel};
    if (status == KN_OK) status = kn_train(t->context, &plan, &result, error);
    if (status == KN_OK) status = play_both(t, result.player, points, error);
    remove_learned(type, file.data);
    kn_train_result_free(&result);
    kn_text_free(&file);
    kn_text_free(&learner);
    return status;
}

KnStatus kn_method_try(const KnContext *context, const KnMethod *method, const char *game, size_t plies,
                       uint64_t seed, const atomic_bool *cancel, double *points, KnError *error)
{
    Try t = {.context = context, .game = game, .plies = plies, .seed = seed, .cancel = cancel};
    *points = 0;
    KnStatus status = method->learner ? try_learner(&t, method->learner, points, error)
                                      : play_both(&t, method->plain->spec, points, error);
    return status == KN_OK ? KN_OK : kn_fail_within(error, "%s on %s", method->name, game);
}

/* ---- games ---- */

static const struct {
    const char *name;
    const char *specs[7];
} notable[] = {
    {"othello", {"othello", "othello(size=6)"}},
    {"morris", {"morris(men=5)", "morris(men=9)"}},
    {"tictactoe", {"tictactoe", "tictactoe(lose)"}},
    {"gdl", {"gdl:connectfour", "gdl:breakthrough", "gdl:tictactoe"}},
    {"pipe", {NULL}}, /* there is none without a program of yours */
};

const char *kn_method_game(const char *name, int place)
{
    for (size_t i = 0; i < sizeof notable / sizeof *notable; i++)
        if (strcmp(notable[i].name, name) == 0) return notable[i].specs[place];
    return place ? NULL : name;
}
