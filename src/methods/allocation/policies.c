/* The policies that learn nothing: the paper's bounds and controls, and static schedules. */
#include "base/assert.h"
#include "methods/allocation/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/allocation/equations.h"
#include "methods/allocation/learned_policy.h"

/* ---- never, always, random ---- */

/* Section 5.2: the lower bound. */
static KnStatus decide_never(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                             KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    (void)policy, (void)left, (void)request, (void)answer, (void)error;
    choice->why = "never deep";
    return KN_OK;
}

/* Section 5.2: the upper bound. */
static KnStatus decide_always(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                              KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    (void)policy, (void)left, (void)request, (void)answer, (void)error;
    choice->deep = true;
    choice->why = "always deep, whatever the budget";
    return KN_OK;
}

/* The paper draws the set of `deep` moves out of `moves` before the game. Taking each move with probability
 * (deep left) / (moves left) makes every such set as likely, and needs no memory. */
static KnStatus decide_random(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                              KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    (void)policy, (void)answer, (void)error;
    KN_ASSERT(left->moves_left > 0 && left->deep_left >= 0);
    choice->deep = (int)kn_rng_below(request->rng, (uint32_t)left->moves_left) < left->deep_left;
    choice->why = "by chance, each set of moves alike";
    return KN_OK;
}

/* ---- oracle ---- */

/* Searches both ways and looks whether the shallow search may go wrong: equation 3. It costs more than it
 * saves, so that it is no policy for play: it is the upper bound for any prediction of the class.
 * (Section 5.2.) */
static KnStatus decide_oracle(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                              KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    KnScore shallow[request->allowed_count], deep[request->allowed_count];
    KnAnswer shallow_answer, deep_answer;
    KnStatus status = kn_allocation_ask(policy->inner, request, left->k, shallow, &shallow_answer, error);
    if (status == KN_OK)
        status = kn_allocation_ask(policy->inner, request, left->k + left->n, deep, &deep_answer, error);
    if (status != KN_OK) return status;
    KnExampleClass value = kn_assign_class(shallow, deep, request->allowed_count, 0, 0);
    KnScore *room = answer->values;
    *answer = value.positive ? deep_answer : shallow_answer;
    answer->cost.nodes = shallow_answer.cost.nodes + deep_answer.cost.nodes;
    answer->values = room;
    if (room) memcpy(room, value.positive ? deep : shallow, sizeof deep);
    choice->deep = value.positive;
    choice->answered = true;
    choice->why = value.positive ? "a shallow search may choose a move that a deep one would not"
                                 : "whatever a shallow search chooses, a deep one might choose too";
    return KN_OK;
}

/* ---- dynamic ---- */

/* Looks at what the search itself finds on the way, as iterative deepening does: where the last two depths
 * agree, a deeper search is unlikely to change anything; where the move changed, or the score did, it may.
 * Unlike the others it decides after the shallow search, so that a deep one costs that much more.
 * (Section 2.2: a dynamic strategy.) */
static KnStatus decide_dynamic(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                               KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    const double *change = policy->data;
    KnAnswer before = {0}, shallow, deep = {0};
    KnScore *room = answer->values;
    KnStatus status = left->k > 1
                          ? kn_allocation_ask(policy->inner, request, left->k - 1, NULL, &before, error)
                          : KN_OK;
    if (status == KN_OK) status = kn_allocation_ask(policy->inner, request, left->k, NULL, &shallow, error);
    if (status != KN_OK) return status;
    bool moved = left->k == 1 || before.move != shallow.move,
         shifted = fabs((double)shallow.score - before.score) > *change;
    choice->deep = moved || shifted;
    choice->answered = true;
    choice->why = moved     ? "the last ply of the shallow search changed the move"
                  : shifted ? "the last ply of the shallow search changed the score"
                            : "the search has settled";
    answer->values = room;
    if (choice->deep) {
        deep = (KnAnswer){.move = KN_MOVE_NONE, .values = room};
        KnRequest ask = *request;
        int depth = left->k + left->n;
        if (ask.budget.depth <= 0 || depth < ask.budget.depth) ask.budget.depth = depth;
        status = policy->inner->type->choose(policy->inner, &ask, &deep, error);
    }
    *answer = choice->deep ? deep : shallow;
    answer->values = room;
    answer->cost.nodes = before.cost.nodes + shallow.cost.nodes + deep.cost.nodes;
    return status;
}

static KnStatus open_dynamic(KnPolicy *policy, const KnOptions *options, KnError *error)
{
    double *change = policy->data = malloc(sizeof *change);
    if (!change) return kn_fail_memory(error, "opening a policy");
    *change = kn_option_real(options, "change");
    return KN_OK;
}

static void close_dynamic(KnPolicy *policy) { free(policy->data); }

static const KnOption dynamic_options[] = {{"change", KN_OPTION_REAL, "0", 0, 1e9, NULL,
                                            "how much the score must change from one depth to the next"},
                                           {0}};

/* ---- static ---- */

typedef struct Schedule {
    bool *deep; /* a place for each move of the budget */
} Schedule;

static KnStatus bad_schedule(const char *text, KnError *error)
{
    return kn_fail(error, KN_INPUT, "static: \"%.60s\" is no list of moves such as 1,4,7-9", text);
}

/* "1,4,7-9" into places. */
static KnStatus read_schedule(const char *text, const KnDeepBudget *budget, bool *deep, KnError *error)
{
    for (const char *at = text; *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end == at || first < 0) return bad_schedule(text, error);
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            if (end == at || last < first) return bad_schedule(text, error);
        }
        if (first < 1 || last > budget->moves)
            return kn_fail(error, KN_INPUT, "static: move %ld is not one of the moves 1 to %d",
                           first < 1 ? first : last, budget->moves);
        for (long i = first; i <= last; i++) deep[i - 1] = true;
        if (*end && *end != ',') return bad_schedule(text, error);
        at = *end ? end + 1 : end;
    }
    return KN_OK;
}

static KnStatus open_static(KnPolicy *policy, const KnOptions *options, KnError *error)
{
    const KnDeepBudget *budget = &policy->budget;
    Schedule *schedule = policy->data = calloc(1, sizeof *schedule);
    if (!schedule || !(schedule->deep = calloc((size_t)budget->moves, sizeof(bool))))
        return kn_fail_memory(error, "opening a policy");
    const char *at = kn_option_string(options, "at");
    if (!at) { /* as evenly as can be, from the first move on */
        for (int i = 0; i < budget->deep; i++) schedule->deep[(long)i * budget->moves / budget->deep] = true;
        return KN_OK;
    }
    KnStatus status = read_schedule(at, budget, schedule->deep, error);
    int deep = 0;
    for (int i = 0; i < budget->moves; i++) deep += schedule->deep[i];
    if (status == KN_OK && deep > budget->deep)
        return kn_fail(error, KN_INPUT, "static: %d moves are listed, and the budget is deep=%d", deep,
                       budget->deep);
    return status;
}

static void close_static(KnPolicy *policy)
{
    Schedule *schedule = policy->data;
    if (schedule) free(schedule->deep);
    free(schedule);
}

/* Section 2.1: a static strategy. */
static KnStatus decide_static(KnPolicy *policy, const KnDeepBudget *left, const KnRequest *request,
                              KnAnswer *answer, KnAllocationChoice *choice, KnError *error)
{
    (void)request, (void)answer, (void)error;
    const Schedule *schedule = policy->data;
    KN_ASSERT(left->moves == policy->budget.moves && left->moves_left > 0);
    choice->deep = schedule->deep[kn_deep_budget_index(left)];
    choice->why = "by the schedule";
    return KN_OK;
}

static const KnOption static_options[] = {
    {"at", KN_OPTION_STRING, "", 0, 0, NULL,
     "the moves that are searched deep, such as \"1,4,7-9\"; none: spread evenly"},
    {0}};

static const KnPolicyType built_in[] = {
    {.head = {"never", "never deep: the lower bound", NULL}, .decide = decide_never},
    {.head = {"always", "always deep, beyond any budget: the upper bound", NULL},
     .unbound = true,
     .decide = decide_always},
    {.head = {"random", "moves drawn by chance before the game", NULL},
     .varies = true,
     .decide = decide_random},
    {.head = {"oracle", "searches both ways, and takes the deep search where the shallow one may go wrong",
              NULL},
     .varies = true,
     .decide = decide_oracle},
    {.head = {"dynamic",
              "by what the search finds on the way: deep where the last ply changed the move or the score",
              dynamic_options},
     .varies = true,
     .open = open_dynamic,
     .close = close_dynamic,
     .decide = decide_dynamic},
    {.head = {"static", "a fixed list of moves", static_options},
     .open = open_static,
     .close = close_static,
     .decide = decide_static},
};

KnStatus kn_policies_register(KnContext *context, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in && status == KN_OK; i++)
        status = kn_register(context, KN_KIND_POLICY, &built_in[i].head, error);
    return status == KN_OK ? kn_register(context, KN_KIND_POLICY, &kn_policy_learned.head, error) : status;
}

/* ---- life ---- */

static KnStatus open_bound(KnPolicy *policy, const KnSpec *spec, KnArena *arena, KnError *error)
{
    const KnThing *thing;
    KnOptions options;
    KnSpec bare = *spec, named; /* a file's name stands for learned(NAME) */
    bare.key = NULL;
    size_t length = strlen(spec->text);
    if (!kn_find(policy->context, KN_KIND_POLICY, spec->text) && length > 5 &&
        strcmp(spec->text + length - 5, ".json") == 0) {
        named = bare;
        named.next = NULL;
        bare = (KnSpec){.kind = KN_SPEC_NAME, .text = "learned", .column = spec->column, .args = &named};
    }
    KnStatus status = kn_lookup(policy->context, KN_KIND_POLICY, &bare, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, &bare, arena, &options, error);
    if (status != KN_OK) return status;
    policy->type = (const KnPolicyType *)thing;
    return policy->type->open ? policy->type->open(policy, &options, error) : KN_OK;
}

KnStatus kn_policy_open(const KnContext *context, const KnSpec *spec, KnPlayer *inner,
                        const KnDeepBudget *budget, KnPolicy **out, KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    KnPolicy *policy = calloc(1, sizeof *policy);
    KnStatus status = arena && policy ? KN_OK : kn_fail_memory(error, "opening a policy");
    if (status == KN_OK) {
        *policy = (KnPolicy){.context = context,
                             .game = inner->game,
                             .inner = inner,
                             .budget = *budget,
                             .note = KN_TEXT_EMPTY};
        status = open_bound(policy, spec, arena, error);
    }
    kn_arena_free(arena);
    if (status == KN_OK)
        *out = policy;
    else
        kn_policy_close(policy);
    return status;
}

void kn_policy_close(KnPolicy *policy)
{
    if (!policy) return;
    if (policy->type && policy->type->close) policy->type->close(policy);
    kn_text_free(&policy->note);
    free(policy);
}
