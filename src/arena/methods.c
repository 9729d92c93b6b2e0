#include "arena/methods.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "arena/td.h"
#include "base/clock.h"
#include "base/file.h"
#include "players/learner.h"
#include "players/turned.h"

/* ---- what a method needs: what its player, or its learner, needs ---- */

static KnStatus player_suits(const KnContext *context, const char *name, const KnGame *game, KnError *error)
{
    const KnPlayerType *type = (const KnPlayerType *)kn_find(context, KN_KIND_PLAYER, name);
    if (!type) return kn_fail(error, KN_INPUT, "there is no player %s here", name);
    return kn_player_suits(type, game, error);
}

static KnStatus suits_allocate(const KnContext *c, const KnGame *game, KnError *error)
{
    KnStatus status = player_suits(c, "allocate", game, error);
    if (status == KN_OK && game->roles - (game->nature >= 0) != 2)
        return kn_fail(error, KN_INPUT, "needs two players who take turns");
    return status;
}
static KnStatus suits_experience(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "experience", game, error);
}
static KnStatus suits_hoyle(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "hoyle", game, error);
}
static KnStatus suits_sequences(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "seqlearner", game, error);
}
static KnStatus suits_prove(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "prove", game, error);
}
static KnStatus suits_uct(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "uct", game, error);
}
static KnStatus suits_satisfice(const KnContext *c, const KnGame *game, KnError *error)
{
    return player_suits(c, "satisfice", game, error);
}

static KnStatus suits_td(const KnContext *context, const KnGame *game, KnError *error)
{
    const KnLearner *td = (const KnLearner *)kn_find(context, KN_KIND_LEARNER, "td");
    return td ? td->suits(game, error) : kn_fail(error, KN_INPUT, "there is no learner td here");
}

static KnStatus suits_search(const KnContext *context, const KnGame *game, KnError *error)
{
    (void)context, (void)game, (void)error;
    return KN_OK;
}

/* ---- how it learns ---- */

enum { FEW_GAMES = 10 };

static KnStatus train_td(const KnMethodTask *task, const char *file, KnMethodCost *cost, KnError *error)
{
    KnGame *game = NULL;
    KnWeights *weights = NULL;
    KnTdPlan plan = kn_td_plan();
    plan.depths[0] = task->depth;
    plan.depth_count = 1;
    plan.games = cost->games = task->games;
    plan.rule.alpha = 0.03;
    plan.random_plies = 4;
    plan.seed = task->seed;
    plan.jobs = 1;
    plan.cancel = task->cancel;
    if (task->ply_limit) plan.ply_limit = task->ply_limit;
    KnStatus status = kn_game_open(task->context, task->game, &game, error);
    if (status == KN_OK) status = kn_td_train(task->context, game, &plan, NULL, NULL, &weights, error);
    if (status == KN_OK) status = kn_weights_save(weights, file, error);
    kn_weights_free(weights);
    kn_game_close(game);
    return status;
}

static void add_search(const KnMethodTask *task, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=%d, memory=1", task->nodes ? 0 : task->depth);
    if (task->nodes) kn_text_printf(spec, ", nodes=%llu", (unsigned long long)task->nodes);
    if (task->eval) kn_text_printf(spec, ", eval=%s", task->eval);
    kn_text_add(spec, ")");
}

/* Games of the learning player against the same search, which varies its moves now and then so that there is
 * something to learn. */
KnStatus kn_method_train_experience(const KnMethodTask *task, const char *file, KnMethodCost *cost,
                                    KnError *error)
{
    KnText learner = KN_TEXT_EMPTY, other = KN_TEXT_EMPTY;
    kn_text_add(&learner, "experience(");
    add_search(task, &learner);
    kn_text_add(&learner, ", base=");
    kn_text_add_quoted(&learner, file);
    kn_text_add(&learner, ", rule=expect, learn, -sync)");
    kn_text_add(&other, "noisy(");
    add_search(task, &other);
    kn_text_add(&other, ", epsilon=0.1)");
    KnMatchPlan plan = {
        .game = task->game,
        .players = {learner.data, other.data},
        .games = task->games,
        .seed = task->seed,
        .jobs = 1,
        .random_plies =
            task->games < FEW_GAMES ? 0 : 2, /* a handful of games that begin apart would never meet again */
        .rules = {.ply_limit = task->ply_limit, .cancel = task->cancel}};
    KnMatchResult result;
    KnStatus status = kn_match_run(task->context, &plan, NULL, NULL, &result, error);
    if (status == KN_OK && result.first_fault[0])
        status = kn_fail(error, KN_SYSTEM, "learning from games: %s", result.first_fault);
    cost->games = task->games;
    kn_text_free(&learner);
    kn_text_free(&other);
    return status;
}

/* ---- who plays then ---- */

static void play_allocation(const KnMethodTask *task, const char *file, KnText *spec)
{
    kn_text_add(spec, "allocate(alphabeta(memory=1");
    if (task->eval) kn_text_printf(spec, ", eval=%s", task->eval);
    kn_text_printf(spec, "), k=%d, n=%d, policy=learned(", task->depth, kn_method_extra(task));
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static void play_td(const KnMethodTask *task, const char *file, KnText *spec)
{
    kn_text_printf(spec, "alphabeta(depth=%d, memory=1, eval=features(weights=", task->depth);
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, "))");
}

static void play_experience(const KnMethodTask *task, const char *file, KnText *spec)
{
    kn_text_add(spec, "experience(");
    add_search(task, spec);
    kn_text_add(spec, ", base=");
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ", rule=expect)");
}

static void play_trust(const KnMethodTask *task, const char *file, KnText *spec)
{
    KnText base = KN_TEXT_EMPTY;
    kn_method_base_beside(file, &base);
    kn_text_add(spec, "experience(");
    add_search(task, spec);
    kn_text_add(spec, ", base=");
    kn_text_add_quoted(spec, base.data);
    kn_text_add(spec, ", rule=trust, file=");
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
    kn_text_free(&base);
}

static void add_named(const char *name, const char *file, KnText *spec)
{
    kn_text_printf(spec, "%s(", name);
    kn_text_add_quoted(spec, file);
    kn_text_add(spec, ")");
}

static void play_hoyle(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)task;
    add_named("hoyle", file, spec);
}

static void play_sequences(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)task;
    add_named("seqlearner", file, spec);
}

static void play_prove(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)file;
    kn_text_add(spec, "prove(");
    add_search(task, spec);
    kn_text_add(spec, ", nodes=400)");
}

static void play_heuristics(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)file;
    kn_text_printf(spec,
                   "alphabeta(depth=%d, memory=1, eval=blend(mobility(who=both), focus, fit=20, by=td))",
                   task->depth);
}

static void play_uct(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)file;
    kn_text_printf(spec, "uct(playouts=%d)", 50 * task->depth);
}

static void play_satisfice(const KnMethodTask *task, const char *file, KnText *spec)
{
    (void)task, (void)file;
    kn_text_add(spec, "satisfice");
}

const KnMethod kn_methods[] = {
    {"allocation", "searches deep where it has learned that this pays (Markovitch & Sella 1996)",
     "policy.json", suits_allocate, kn_method_train_allocation, play_allocation},
    {"td", "a search with weights learned by temporal differences (Schaeffer, Hlynka & Jussila 2001)",
     "weights.json", suits_td, train_td, play_td},
    {"experience", "what came of the positions it met, before search (De Jong & Schultz 1988)",
     "experience.mdb", suits_experience, kn_method_train_experience, play_experience},
    {"trust", "experience that has learned when a search would not better it (both of the papers above)",
     "trust.json", suits_experience, kn_method_train_trusting, play_trust},
    {"hoyle", "Advisors that vote, with weights learned by watching (Epstein 1994, Lock 2003)", "hoyle.json",
     suits_hoyle, kn_method_train_hoyle, play_hoyle},
    {"sequences", "temporal patterns: moves in their contexts, learned by watching (Lock 2003)",
     "sequences.json", suits_sequences, kn_method_train_sequences, play_sequences},
    {"proof", "proof search before search, for itself and against the other (Cazenave 2001)", NULL,
     suits_prove, NULL, play_prove},
    {"heuristics", "general heuristics, weighted by temporal differences in the start clock (Genesereth)",
     NULL, suits_search, NULL, play_heuristics},
    {"uct", "tree sampling, with nothing but the rules", NULL, suits_uct, NULL, play_uct},
    {"satisficing", "keeps what pays as much as it aspires to (Stimpson 2001)", NULL, suits_satisfice, NULL,
     play_satisfice},
    {0}};

const KnMethod *kn_method_find(const char *name, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (const KnMethod *method = kn_methods; method->name; method++) {
        if (strcmp(method->name, name) == 0) {
            kn_text_free(&known);
            return method;
        }
        kn_text_printf(&known, " %s", method->name);
    }
    kn_fail(error, KN_INPUT, "there is no method \"%.60s\"; known:%s", name, known.data);
    kn_text_free(&known);
    return NULL;
}

KnStatus kn_method_train(const KnMethod *method, const KnMethodTask *task, const char *file,
                         KnMethodCost *cost, KnError *error)
{
    double started = kn_clock_cpu();
    *cost = (KnMethodCost){0};
    KnStatus status = method->train ? method->train(task, file, cost, error) : KN_OK;
    cost->seconds = kn_clock_cpu() - started;
    return status;
}

void kn_method_player(const KnMethod *method, const KnMethodTask *task, const char *file, KnText *spec)
{
    method->player(task, file, spec);
}

/* ---- trying ---- */

/* A contest in which the method's player has one seat and chance the others. */
static KnStatus play_once(const KnMethodTask *task, const KnGame *game, const char *spec, int seat,
                          double *points, KnError *error)
{
    KnPlayer *seated[KN_ROLES_MAX] = {0};
    KnRng rngs[KN_ROLES_MAX];
    KnContest *contest = kn_contest_new(game);
    KnStatus status = contest ? KN_OK : kn_fail_memory(error, "trying a method");
    for (int role = 0; role < game->roles && status == KN_OK; role++) {
        rngs[role] = kn_rng_stream(task->seed, (uint64_t)(seat * KN_ROLES_MAX + role));
        if (role != game->nature)
            status = kn_player_open(task->context, game, role == seat ? spec : "random", &seated[role],
                                    error);
    }
    KnPlayRules rules = {.ply_limit = task->ply_limit, .cancel = task->cancel};
    KnPlayed played;
    if (status == KN_OK) status = kn_play(contest, seated, rngs, &rules, &played, error);
    if (status == KN_OK) {
        double low = game->payoff_low, high = game->payoff_high;
        if (played.culprit >= 0)
            status = kn_fail(error, KN_SYSTEM, "%s failed: %s", seated[played.culprit]->spec, played.fault);
        else
            *points += high > low ? (played.payoffs[seat] - low) / (high - low) : 0.5;
        kn_played_free(&played);
    }
    for (int role = 0; role < game->roles; role++) kn_player_close(seated[role]);
    kn_contest_free(contest);
    return status;
}

KnStatus kn_method_try(const KnMethod *method, const KnMethodTask *task, const char *folder, double *points,
                       KnError *error)
{
    KnText file = KN_TEXT_EMPTY, spec = KN_TEXT_EMPTY;
    KnGame *game = NULL;
    KnMethodCost cost;
    *points = 0;
    kn_path_join(&file, folder, method->file ? method->file : "none");
    unlink(file.data);
    KnStatus status = kn_mkdirs(folder, error);
    if (status == KN_OK) status = kn_method_train(method, task, file.data, &cost, error);
    kn_method_player(method, task, file.data, &spec);
    if (status == KN_OK) status = kn_game_open(task->context, task->game, &game, error);
    for (int role = 0, seats = 0; status == KN_OK && role < game->roles && seats < 2; role++)
        if (role != game->nature) seats++, status = play_once(task, game, spec.data, role, points, error);
    kn_game_close(game);
    kn_text_free(&file);
    kn_text_free(&spec);
    return status == KN_OK ? KN_OK : kn_fail_within(error, "%s on %s", method->name, task->game);
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
};

const char *kn_method_game(const char *name, int place)
{
    for (size_t i = 0; i < sizeof notable / sizeof *notable; i++)
        if (strcmp(notable[i].name, name) == 0) return notable[i].specs[place];
    return place ? NULL : name;
}
