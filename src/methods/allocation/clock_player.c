/* The player `clock`: t units for each m moves, and `increment` more for each, of which it may spend any part
 * that is left on a move (Markovitch and Sella 1996, section 7).
 *
 * The pace says how much a move gets:
 *   even     what is left, divided by the moves that are left;
 *   random   the same, times 1/2, 1 or 3/2 at random: a control;
 *   learned  the same, times what positions of the same leaf need, relative to the average
 *            (methods/allocation/budget_classes.h);
 *   dynamic  iterative deepening, depth by depth. It stops early where the move has settled, and goes on
 * where the last depth changed the move or lowered the score;
 *   engine   one deepening search, which a rule made by hand stops by the signals of its depths, as chess
 * engines do (methods/thinking/signals.h);
 *   thinking the same, by what was learned (methods/thinking/model.h). The deeper searches are, the more
 * settled they look, and the sooner they would stop: so the shares of a game are scaled to one on average.
 *
 * With `first`, a policy learned for depths, deepening begins at the depth that the policy gives instead of
 * at `from`: the combination that section 7 proposes. It never begins deeper than an even share has paid for
 * so far.
 *
 * As with `allocate`, a move is paid for when it is played. With time nothing can be repeated, and the player
 * loses the trait KN_PLAYER_REPEATABLE. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "methods/allocation/budget_classes.h"
#include "methods/allocation/learned_policy.h"
#include "methods/registry.h"
#include "methods/thinking/model.h"

typedef enum Pacing { EVEN, RANDOM, LEARNED, DYNAMIC, ENGINE, THINKING } Pacing;
typedef enum Unit { POSITIONS, MILLISECONDS, PROCESSOR } Unit;

typedef struct Clock {
    KnPlayer *inner; /* the player's own */
    Pacing pacing;
    bool timed;     /* milliseconds, else positions */
    bool processor; /* of processor time */
    double units, increment;
    int moves, role;
    double left;
    int moves_left;
    double pending; /* what the last answer cost */
    /* Of pace=thinking, in this game: searches, and the shares that the model alone would have given them;
     * what the last answer adds to these. */
    double searches, wanted, pending_wanted;
    KnLearnedPolicy *learned, *first;
    KnThinking *thinking;
    KnScore last, found; /* scores of the search for the move before, and of the one asked for last */
    bool has_last, has_found;
    double mean;                     /* units that the learned policy's examples need on average */
    int k, n;                        /* depths that `first` was learned for */
    int from;                        /* where deepening begins without it */
    double cost[KN_CLOCK_DEPTH + 1]; /* of a finished search to each depth in this game, the last ones
                                        counting most; 0: not seen */
} Clock;

/* What a search was given and why. */
typedef struct Grant {
    double units;
    const char *why;
    const KnLearnedPolicy *by;
    int leaf;
    int depth; /* at which deepening began, and where it ended; 0: the player's own deepening */
    int last;
} Grant;

static KnStatus load(KnPlayer *player, const char *file, KnPolicyPurpose purpose, KnLearnedPolicy **out,
                     KnError *error)
{
    const Clock *c = player->data;
    KnPolicyUse use = {.file = file,
                       .purpose = purpose,
                       .units = c->units / c->moves,
                       .timed = c->timed,
                       .inner = c->inner->spec};
    *out = NULL;
    if (!file) return KN_OK;
    KnText note = KN_TEXT_EMPTY;
    KnStatus status = kn_learned_policy_open(player->context, player->game, &use, out, &note, error);
    if (note.length) kn_player_add_note(player, note.data);
    kn_text_free(&note);
    return status;
}

static KnStatus check_options(const Clock *c, const char *file, const char *first, KnError *error)
{
    if ((c->pacing == LEARNED || c->pacing == THINKING) != (file != NULL))
        return kn_fail(error, KN_INPUT,
                       "pace=learned goes with file=..., a policy made by `knack train pace`, pace=thinking "
                       "with one made by `knack train thinking`, and no other pace does");
    if (first && c->pacing != DYNAMIC) return kn_fail(error, KN_INPUT, "first=... goes with pace=dynamic");
    if (c->from > 1 && (c->pacing != DYNAMIC || first))
        return kn_fail(error, KN_INPUT, "from=%d goes with pace=dynamic, and not with first=...", c->from);
    return KN_OK;
}

/* What the model was not learned for becomes part of the player's note. */
static KnStatus load_thinking(KnPlayer *player, const char *file, KnError *error)
{
    Clock *c = player->data;
    KnText path = KN_TEXT_EMPTY, note = KN_TEXT_EMPTY;
    kn_context_file(player->context, file, &path);
    KnStatus status = kn_thinking_load(player->game, path.data, &c->thinking, error);
    if (status == KN_OK) {
        double share = c->units / c->moves;
        if (!c->timed && (share > 4 * c->thinking->units || share < c->thinking->units / 4))
            kn_text_printf(&note, "%s was learned with %.0f positions a move", file, c->thinking->units);
        if (note.length) kn_player_add_note(player, note.data);
    }
    kn_text_free(&path);
    kn_text_free(&note);
    return status;
}

static KnStatus read_policies(Clock *c, KnError *error)
{
    if (c->learned) c->mean = kn_learned_policy_mean(c->learned);
    if (c->learned && !(c->mean > 0))
        return kn_fail(error, KN_INPUT, "file=...: the leaves of that policy need nothing");
    if (!c->first) return KN_OK;
    c->k = (int)json_integer_value(json_object_get(c->first->made, "k"));
    c->n = (int)json_integer_value(json_object_get(c->first->made, "n"));
    if (c->k < 1 || c->n < 1)
        return kn_fail(error, KN_INPUT, "first=...: that policy was not learned for depths k and k + n");
    return KN_OK;
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Clock *c = player->data = calloc(1, sizeof *c);
    if (!c) return kn_fail_memory(error, "opening a player");
    c->units = kn_option_real(options, "units");
    c->moves = (int)kn_option_integer(options, "moves");
    c->increment = kn_option_real(options, "increment");
    c->timed = kn_option_choice(options, "in") != POSITIONS;
    c->processor = kn_option_choice(options, "in") == PROCESSOR;
    c->pacing = (Pacing)kn_option_choice(options, "pace");
    c->from = (int)kn_option_integer(options, "from");
    const char *file = kn_option_string(options, "file"), *first = kn_option_string(options, "first");
    KnStatus status = kn_allocation_wrap(player, kn_option_spec(options, "inner"), KN_CLOCK_DEPTH, error);
    c->inner = player->inner;
    if (status == KN_OK) status = check_options(c, file, first, error);
    if (status == KN_OK && c->pacing == THINKING)
        status = load_thinking(player, file, error);
    else if (status == KN_OK)
        status = load(player, file, KN_FOR_BUDGETS, &c->learned, error);
    if (status == KN_OK) status = load(player, first, KN_FOR_DEPTHS, &c->first, error);
    if (status == KN_OK) status = read_policies(c, error);
    if (c->timed) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    c->left = c->units;
    c->moves_left = c->moves;
    return status;
}

static void close(KnPlayer *player)
{
    Clock *c = player->data;
    if (!c) return;
    kn_learned_policy_free(c->learned);
    kn_learned_policy_free(c->first);
    kn_thinking_free(c->thinking);
    free(c);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Clock *c = player->data;
    c->role = role;
    c->left = c->units;
    c->moves_left = c->moves;
    c->pending = -1;
    c->searches = c->wanted = c->pending_wanted = 0;
    c->has_last = c->has_found = false;
    memset(c->cost, 0, sizeof c->cost);
    return kn_player_begin(c->inner, role, position, error);
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Clock *c = player->data;
    if (joint[c->role] != KN_MOVE_NONE) {
        /* A move that the player did not choose costs an even share. */
        KN_ASSERT(c->moves_left > 0);
        c->left -= c->pending >= 0 ? c->pending : c->left / c->moves_left;
        c->pending = -1;
        c->searches += c->pending_wanted > 0;
        c->wanted += c->pending_wanted;
        c->pending_wanted = 0;
        c->last = c->found;
        c->has_last = c->has_found;
        c->has_found = false;
        if (c->left < 0) c->left = 0;
        c->left += c->increment;
        if (--c->moves_left == 0) {
            c->left = c->units;
            c->moves_left = c->moves;
        }
    }
    return kn_player_observe(c->inner, state, joint, error);
}

/* ---- how much ---- */

static int leaf_of(const Clock *c, const KnLearnedPolicy *learned, const KnRequest *request)
{
    KnFeatureSource of = {.position = request->position,
                          .role = request->role,
                          .moves = request->allowed,
                          .count = request->allowed_count,
                          .made = c->moves - c->moves_left};
    return kn_feature_view_leaf(learned->view, learned->tree, &of);
}

static Grant grant(const Clock *c, const KnRequest *request)
{
    double coming = c->increment * (c->moves_left - 1); /* the increments of the moves before the last */
    Grant g = {.units = (c->left + coming) / c->moves_left, .why = "as much as any move"};
    if (c->pacing == RANDOM) {
        g.units *= 0.5 + 0.5 * kn_rng_below(request->rng, 3);
        g.why = "by chance";
    } else if (c->pacing == LEARNED) {
        g.by = c->learned;
        g.leaf = leaf_of(c, c->learned, request) + 1;
        double need = kn_leaf_mean(c->learned->tree, g.leaf - 1) / c->mean;
        g.units *= need;
        g.why = need > 1 ? "positions like this need more than most"
                         : "positions like this need less than most";
    }
    if (g.units > c->left) g.units = c->left;
    if (g.units < 1) g.units = 1;
    return g;
}

/* ---- by the signals of the search ---- */

typedef struct Pace {
    const Clock *clock;
    KnThinkingTrack track;
    double share, most; /* units */
    double scale;       /* of the model's shares */
    double shares;      /* that it has been allowed last */
} Pace;

/* What brings the shares of a game to one on average. A policy is learned with one size of searches; deeper
 * ones look more settled to it than they are. The first moves count little. */
static double scale_of(const Clock *c)
{
    static const double before = 4, most = 2;
    return fmin(fmax((c->searches + before) / (c->wanted + before), 1 / most), most);
}

static double pace_search(void *user, const KnDeepening *found)
{
    Pace *p = user;
    double signals[KN_THINKING_SIGNALS],
        used = p->clock->timed ? 1000 * found->seconds : (double)found->nodes;
    kn_thinking_see(&p->track, found, used / p->share, signals);
    p->shares = p->clock->thinking ? p->scale * kn_thinking_shares(p->clock->thinking, signals)
                                   : kn_thinking_rule(signals);
    return fmin(1, p->shares * p->share / p->most);
}

static double now(const Clock *c) { return !c->timed ? 0 : c->processor ? kn_clock_cpu() : kn_clock_now(); }

static KnStatus ask(const Clock *c, const KnRequest *request, double units, int depth, KnAnswer *answer,
                    double *spent, KnError *error)
{
    KnRequest one = *request;
    KnBudget budget = c->timed ? (KnBudget){.seconds = units / 1000, .processor = c->processor}
                               : (KnBudget){.nodes = (uint64_t)units};
    budget.depth = depth && (request->budget.depth <= 0 || depth < request->budget.depth)
                       ? depth
                       : request->budget.depth;
    one.budget = budget;
    double start = now(c);
    KnStatus status = c->inner->type->choose(c->inner, &one, answer, error);
    *spent += c->timed ? 1000 * (now(c) - start) : (double)answer->cost.nodes;
    return status;
}

/* The search may use several shares, and is told after each depth how much it may use in all. */
static KnStatus think(Clock *c, const KnRequest *request, Grant *g, KnAnswer *answer, double *spent,
                      KnError *error)
{
    Pace pace = {.clock = c, .share = g->units, .scale = scale_of(c)};
    KnRequest one = *request;
    pace.most = fmin(c->left, g->units * (c->thinking ? c->thinking->most : 4));
    kn_thinking_start(&pace.track, c->has_last ? &c->last : NULL);
    one.pace = pace_search;
    one.pace_user = &pace;
    KnStatus status = ask(c, &one, fmax(pace.most, 1), 0, answer, spent, error);
    c->pending_wanted = *spent / pace.share / pace.scale;
    c->has_found = answer->has_score;
    c->found = answer->score;
    g->why = c->thinking ? "by what the signals of its depths say" : "by the rule made by hand";
    g->last = answer->depth;
    return status;
}

/* ---- dynamic ---- */

enum { MOST = 3 }; /* times an even share that an unsettled move may get */
static const double at_first =
    0.6; /* of that for the first search of a move, if a shallower one can take its place */

/* How much of the even share this search may use by now. A settled one stops early: what it leaves serves
 * others. */
static double limit_of(double share, int settled, bool fell)
{
    return fell || settled == 0 ? share * MOST : settled == 1 ? share : share * 0.6;
}

static KnStatus deepen(Clock *c, const KnRequest *request, Grant *g, KnAnswer *answer, double *spent,
                       KnError *error)
{
    KnScore *room = answer->values;
    KnAnswer found;
    double share = g->units, most = fmin(share * MOST, c->left), last = 0, growth = 4;
    int settled = 0;
    for (int depth = g->depth; depth <= KN_CLOCK_DEPTH; depth++) {
        found = (KnAnswer){.move = KN_MOVE_NONE, .values = room};
        double before = *spent, room_left = most - *spent;
        if (depth > g->depth &&
            (room_left < 1 || *spent + last * growth > fmin(limit_of(share, settled, false), most)))
            break;
        double limit = fmax(depth == g->depth && depth > 1 ? room_left * at_first : room_left, 1);
        KnStatus status = ask(c, request, limit, depth, &found, spent, error);
        if (status != KN_OK) return status;
        bool cut = found.depth < depth && *spent - before >= limit - 1;
        if (depth > g->depth && cut) break; /* unfinished: what the depth before said holds */
        if (cut && depth > 1) { /* begun too deep, with nothing to fall back on: less deep, then, and not so
                                   deep soon again */
            c->cost[depth] = fmax(c->cost[depth], limit);
            depth = --g->depth - 1;
            continue;
        }
        if (!cut) c->cost[depth] += (*spent - before - c->cost[depth]) * (c->cost[depth] > 0 ? 0.25 : 1);
        bool same = depth > g->depth && found.move == answer->move;
        settled = same && found.score >= answer->score ? settled + 1 : same ? 1 : 0;
        *answer = found;
        g->last = found.depth;
        if (last > 0 && *spent - before > 0) growth = fmin(fmax((*spent - before) / last, 1.5), 10);
        last = *spent - before;
        if (found.depth < depth) break; /* nothing deeper to find, or nothing left */
    }
    g->why = settled >= 2   ? "the move had settled"
             : settled == 1 ? "the share was used"
                            : "the last depth changed the move";
    return KN_OK;
}

/* The deepest search that a share has been seen to pay for. */
static int affordable(const Clock *c, double share)
{
    int depth = 1;
    while (depth < KN_CLOCK_DEPTH && c->cost[depth + 1] > 0 && c->cost[depth + 1] <= share) depth++;
    return depth;
}

/* Where deepening begins. The policy's decision is by majority, since there are no deep searches to be
 * counted here. */
static int first_depth(const Clock *c, const KnRequest *request, Grant *g)
{
    int wanted = c->from, most = affordable(c, g->units);
    if (c->first) {
        g->by = c->first;
        g->leaf = leaf_of(c, c->first, request) + 1;
        wanted = kn_leaf_probability(c->first->tree, g->leaf - 1) > 0.5 ? c->k + c->n : c->k;
    }
    return wanted < most ? wanted : most;
}

/* ---- */

static void explain(const KnPlayer *player, const KnRequest *request, const Grant *g, double spent,
                    KnAnswer *answer)
{
    const Clock *c = player->data;
    KnArena *arena = request->arena;
    const char *unit = c->timed ? "ms" : "positions";
    KnExplanation *group = kn_allocation_explanation(player, request, "clock", answer);
    kn_explanation_text(arena, group, "decision",
                        kn_arena_printf(arena, "%.0f %s: %s", g->units, unit, g->why));
    if (g->depth)
        kn_explanation_text(arena, group, "deepening",
                            kn_arena_printf(arena, "from depth %d to %d", g->depth, g->last));
    if (g->by && g->leaf) {
        kn_explanation_number(arena, group, "leaf", g->leaf, "");
        if (g->by == c->learned)
            kn_explanation_number(arena, group, "needs, of what is needed on average",
                                  kn_leaf_mean(g->by->tree, g->leaf - 1) / c->mean, "");
        else
            kn_explanation_bar(arena, group, "probability that a deep search pays",
                               kn_leaf_probability(g->by->tree, g->leaf - 1), 0, 1, "");
    }
    kn_explanation_text(arena, group, "spent", kn_arena_printf(arena, "%.0f %s", spent, unit));
    kn_explanation_text(arena, group, "left before this move",
                        kn_arena_printf(arena, "%.0f of %.0f %s, for %d of %d moves", c->left, c->units, unit,
                                        c->moves_left, c->moves));
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Clock *c = player->data;
    Grant g = {.units = 0, .why = "there is only one move"};
    double spent = 0;
    KnStatus status = KN_OK;
    if (request->allowed_count == 1) {
        answer->move = request->allowed[0];
    } else {
        g = grant(c, request);
        if (c->pacing == DYNAMIC) {
            g.depth = first_depth(c, request, &g);
            status = deepen(c, request, &g, answer, &spent, error);
            answer->cost.nodes = c->timed ? answer->cost.nodes : (uint64_t)spent;
        } else if (c->pacing == ENGINE || c->pacing == THINKING)
            status = think(c, request, &g, answer, &spent, error);
        else
            status = ask(c, request, g.units, 0, answer, &spent, error);
    }
    if (status != KN_OK) return status;
    c->pending = spent;
    if (request->wants & KN_WANT_EXPLANATION) explain(player, request, &g, spent, answer);
    return KN_OK;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player",
     "the player that searches; by deepening, but without it where pace=dynamic deepens"},
    {"units", KN_OPTION_REAL, "40000", 1, 1e15, NULL, "units in the budget"},
    {"moves", KN_OPTION_INTEGER, "40", 1, 10000, NULL, "number of moves that share the budget"},
    {"increment", KN_OPTION_REAL, "0", 0, 1e15, NULL, "units that each move adds to what is left"},
    {"in", KN_OPTION_CHOICE, "positions", 0, 0, "positions|milliseconds|cpu",
     "what units are; cpu: milliseconds of processor time, so that a busy machine takes nothing away"},
    {"pace", KN_OPTION_CHOICE, "even", 0, 0, "even|random|learned|dynamic|engine|thinking",
     "how they are spent"},
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "for pace=learned, made by `knack train pace`; for pace=thinking, by `knack train thinking`"},
    {"from", KN_OPTION_INTEGER, "1", 1, KN_CLOCK_DEPTH, NULL,
     "for pace=dynamic: the depth where deepening begins, once a share is known to pay for it"},
    {"first", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
     "for pace=dynamic: a policy for depths, which says where deepening begins"},
    {0}};

const KnPlayerType kn_player_clock = {
    .head = {"clock", "spends a budget of positions or milliseconds over a number of moves", options},
    .once = "both would keep accounts of the same positions; give one clock all of them",
    .suits = kn_allocation_suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
