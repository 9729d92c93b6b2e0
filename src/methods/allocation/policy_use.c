/* Opening a learned policy for a use, and comparing that use with what the policy was learned for.
 *
 * A policy predicts what one search gains over another. Other depths make it a prediction of something else:
 * it is refused. Another evaluation, another variant of the game, another budget or another base leave it
 * meaningful but untested: the player says so in its explanations, and the match in its result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena/identity.h"
#include "base/embedded.h"
#include "eval/same_rules.h"
#include "methods/allocation/learned_policy.h"

/* Options of a searching player that change how long it searches, but not what a search of given depth says.
 */
static bool limits_search(const char *key)
{
    static const char *const keys[] = {"depth", "memory", "nodes", "time", "deepening"};
    for (size_t i = 0; key && i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

static const KnSpec *without_limits(const KnSpec *spec, KnArena *arena)
{
    KnSpec *copy = kn_arena_copy(arena, spec, sizeof *spec);
    if (!copy) return NULL;
    const KnSpec **link = &copy->args;
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        if (limits_search(arg->key ? arg->key : arg->sign ? arg->text : NULL)) continue;
        *link = without_limits(arg, arena);
        if (!*link) return NULL;
        link = (const KnSpec **)&((KnSpec *)(uintptr_t)*link)->next;
    }
    *link = NULL;
    return copy;
}

/* Whether two specs name the same search, limits aside. What cannot be parsed differs. */
static bool same_search(const char *a, const char *b)
{
    const char *texts[2] = {a, b};
    KnText printed[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    KnArena *arena = kn_arena_new();
    bool parsed = arena != NULL;
    for (int i = 0; i < 2 && parsed; i++) {
        const KnSpec *spec, *bare;
        KnError ignored;
        parsed = kn_spec_parse(texts[i], arena, &spec, &ignored) == KN_OK &&
                 (bare = without_limits(spec, arena)) != NULL;
        if (parsed) kn_spec_print(bare, &printed[i]);
    }
    bool same = parsed && kn_text_ok(&printed[0]) && kn_text_ok(&printed[1]) &&
                strcmp(printed[0].data, printed[1].data) == 0;
    kn_text_free(&printed[0]);
    kn_text_free(&printed[1]);
    kn_arena_free(arena);
    return same;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_difference(KnText *note, const char *file, const char *learned, const char *used)
{
    if (note->length)
        kn_text_printf(note, "; for %s, not %s", learned, used);
    else
        kn_text_printf(note, "%s was learned for %s, not %s", file_name(file), learned, used);
}

static void compare_units(const json_t *made, const KnPolicyUse *use, KnText *note)
{
    json_int_t units = json_integer_value(json_object_get(json_object_get(made, "classes"), "units"));
    char learned[60], used[60];
    if (units < 1 || use->units <= 0 || (!use->timed && fabs((double)units - use->units) < 1)) return;
    snprintf(learned, sizeof learned, "%lld positions a move", (long long)units);
    snprintf(used, sizeof used, "%.0f %s a move", use->units, use->timed ? "milliseconds" : "positions");
    add_difference(note, use->file, learned, used);
}

/* The same spec may name files that were other ones when the policy was learned. */
static KnStatus compare_contents(const KnContext *context, const KnLearnedPolicy *learned,
                                 const KnPolicyUse *use, KnText *note, KnError *error)
{
    const char *inner = json_string_value(json_object_get(learned->made, "inner")),
               *then = json_string_value(json_object_get(learned->made, "contents"));
    char now[KN_HEX128];
    if (!then || !use->inner || !same_search(inner, use->inner)) return KN_OK;
    KnStatus status = kn_identity_contents(context, inner, now, NULL, error);
    if (status == KN_OK && strcmp(then, now) != 0)
        kn_text_printf(note, "%s%s was learned with other contents of the files that %s names",
                       note->length ? "; " : "", file_name(use->file), inner);
    return status;
}

static void compare(const KnLearnedPolicy *learned, const KnGame *game, const KnPolicyUse *use, KnText *note)
{
    const char *inner = json_string_value(json_object_get(learned->made, "inner"));
    const char *base = json_string_value(json_object_get(json_object_get(learned->made, "trust"), "base"));
    if (!kn_same_game(game, learned->game)) add_difference(note, use->file, learned->game, game->spec);
    if (inner && use->inner && !same_search(inner, use->inner))
        add_difference(note, use->file, inner, use->inner);
    if (use->purpose == KN_FOR_BUDGETS) compare_units(learned->made, use, note);
    if (base && use->base && strcmp(file_name(base), file_name(use->base)) != 0)
        add_difference(note, use->file, file_name(base), file_name(use->base));
}

static KnStatus check_depths(const KnLearnedPolicy *learned, const KnPolicyUse *use, KnError *error)
{
    json_int_t k = json_integer_value(json_object_get(learned->made, "k")),
               n = json_integer_value(json_object_get(learned->made, "n"));
    if (!use->k || !k || (k == use->k && n == use->n)) return KN_OK;
    return kn_fail(error, KN_INPUT,
                   "%s was learned for k=%lld, n=%lld, and this is k=%d, n=%d; use its depths, or learn a "
                   "policy for these",
                   use->file, (long long)k, (long long)n, use->k, use->n);
}

/* The policy that the library has for a game; KN_INPUT if there is none. */
static KnStatus open_shipped(const KnGame *game, KnLearnedPolicy **out, KnError *error)
{
    KnText name = KN_TEXT_EMPTY;
    kn_text_printf(&name, "policies/%s.json", game->spec);
    const KnEmbeddedRow *row = kn_text_ok(&name) ? kn_embedded_find(name.data) : NULL;
    KnStatus status = row ? kn_learned_policy_parse(row->bytes, *row->size, name.data, game, out, error)
                          : kn_fail(error, KN_INPUT,
                                    "there is no policy for %s yet; make one with knack train allocation, "
                                    "and give its file",
                                    game->spec);
    kn_text_free(&name);
    return status;
}

static KnStatus load(const KnContext *context, const KnGame *game, const char *file, KnLearnedPolicy **out,
                     KnError *error)
{
    if (!*file) return open_shipped(game, out, error);
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(context, file, &path);
    KnStatus status = kn_text_ok(&path) ? kn_learned_policy_load(path.data, game, out, error)
                                        : kn_fail_memory(error, "opening a policy");
    kn_text_free(&path);
    return status;
}

KnStatus kn_learned_policy_open(const KnContext *context, const KnGame *game, const KnPolicyUse *use,
                                KnLearnedPolicy **out, KnText *note, KnError *error)
{
    KnStatus status = load(context, game, use->file, out, error);
    KnPolicyUse named = *use;
    if (!*named.file) named.file = "the policy of the program";
    if (status == KN_OK) status = kn_learned_policy_check(*out, use->purpose, named.file, error);
    if (status == KN_OK) status = check_depths(*out, &named, error);
    if (status == KN_OK) compare(*out, game, &named, note);
    if (status == KN_OK) status = compare_contents(context, *out, &named, note, error);
    return status;
}
