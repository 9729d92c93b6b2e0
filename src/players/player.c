#include "players/player.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/sealed.h"
#include "players/sequential_view.h"

/* Where a player of this name stands inside a spec; NULL: nowhere. */
static const KnSpec *find_inside(const KnSpec *spec, const char *name)
{
    const KnSpec *found = NULL;
    for (const KnSpec *arg = spec->args; arg && !found; arg = arg->next)
        found = arg->kind == KN_SPEC_NAME && strcasecmp(arg->text, name) == 0 ? arg : find_inside(arg, name);
    return found;
}

static KnStatus open_bound(KnPlayer *player, const KnSpec *spec, KnArena *arena, KnError *error)
{
    const KnThing *thing;
    KnOptions options;
    KnStatus status = kn_lookup(player->context, KN_KIND_PLAYER, spec, &thing, error);
    if (status == KN_OK) status = kn_options_bind(thing->options, spec, arena, &options, error);
    if (status != KN_OK) return status;
    player->type = (const KnPlayerType *)thing;
    const KnSpec *again = player->type->once ? find_inside(spec, thing->name) : NULL;
    if (again)
        return kn_fail(error, KN_INPUT, "column %d: %s stands inside %s: %s", again->column, thing->name,
                       thing->name, player->type->once);
    player->traits = KN_PLAYER_REPEATABLE | KN_PLAYER_RESTRICTS;
    KnText canonical = KN_TEXT_EMPTY;
    kn_spec_print(spec, &canonical);
    player->spec = kn_text_ok(&canonical) ? strdup(canonical.data) : NULL;
    kn_text_free(&canonical);
    if (!player->spec) return kn_fail_memory(error, "opening a player");
    if (player->type->suits && player->type->suits(player->game, error) != KN_OK) {
        status = kn_player_suits(player->type, player->game, error);
        return status == KN_OK ? kn_player_turn(player, spec, error)
                               : kn_fail_within(error, "%s cannot play %s", player->spec, player->game->spec);
    }
    return player->type->open ? player->type->open(player, &options, error) : KN_OK;
}

/* A knowledge file that is not what the program wrote leaves its stamp in the player's note. */
static void note_files(KnPlayer *player, const KnSpec *spec)
{
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        KnText path = KN_TEXT_EMPTY, note = KN_TEXT_EMPTY;
        if (arg->kind != KN_SPEC_NUMBER && !arg->args) {
            kn_context_file(player->context, arg->text, &path);
            if (kn_text_ok(&path)) kn_sealed_note(path.data, &note);
            if (note.length && kn_text_ok(&note)) kn_player_add_note(player, note.data);
        } else if (arg->args && !kn_find(player->context, KN_KIND_PLAYER, arg->text))
            note_files(player, arg); /* an evaluation, a policy; an inner player has its own note */
        kn_text_free(&path);
        kn_text_free(&note);
    }
}

KnStatus kn_player_open_spec(const KnContext *context, const KnGame *game, const KnSpec *spec, KnPlayer **out,
                             KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    KnPlayer *player = calloc(1, sizeof *player);
    if (!arena || !player) {
        kn_arena_free(arena);
        free(player);
        return kn_fail_memory(error, "opening a player");
    }
    player->context = context;
    player->game = game;
    KnSpec bare =
        *spec; /* as an option's value it may carry the option's key, which is not part of its own spec */
    bare.key = NULL;
    KnStatus status = open_bound(player, &bare, arena, error);
    if (status == KN_OK) note_files(player, &bare);
    if (status == KN_OK && player->inner) kn_player_add_note(player, kn_player_note(player->inner));
    kn_arena_free(arena);
    if (status == KN_OK)
        *out = player;
    else
        kn_player_close(player);
    return status;
}

KnStatus kn_player_open(const KnContext *context, const KnGame *game, const char *text, KnPlayer **out,
                        KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "opening a player");
    if (status == KN_OK) status = kn_player_open_spec(context, game, spec, out, error);
    kn_arena_free(arena);
    return status;
}

void kn_player_close(KnPlayer *player)
{
    if (!player) return;
    if (player->type && player->type->close) player->type->close(player);
    kn_player_close(player->inner);
    free(player->note);
    free(player->spec);
    free(player);
}

KnStatus kn_player_wrap(KnPlayer *player, const KnSpec *spec, KnError *error)
{
    KnStatus status = kn_player_open_spec(player->context, player->game, spec, &player->inner, error);
    if (status == KN_OK) player->traits &= player->inner->traits;
    return status;
}

KnStatus kn_player_prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    if (player->type->prepare) return player->type->prepare(player, role, seconds, rng, error);
    return player->inner ? kn_player_prepare(player->inner, role, seconds, rng, error) : KN_OK;
}

KnStatus kn_player_begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    if (player->type->begin) return player->type->begin(player, role, position, error);
    return player->inner ? kn_player_begin(player->inner, role, position, error) : KN_OK;
}

KnStatus kn_player_observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    if (player->type->observe) return player->type->observe(player, state, joint, error);
    return player->inner ? kn_player_observe(player->inner, state, joint, error) : KN_OK;
}

KnStatus kn_player_end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    if (player->type->end) return player->type->end(player, state, payoffs, error);
    return player->inner ? kn_player_end(player->inner, state, payoffs, error) : KN_OK;
}

KnStatus kn_player_choose_untimed(KnPlayer *player, const KnRequest *request, KnAnswer *answer,
                                  KnError *error)
{
    KN_ASSERT(request->allowed_count > 0 && request->role >= 0 && request->role < player->game->roles);
    KnScore *values = answer->values;
    *answer = (KnAnswer){.move = KN_MOVE_NONE, .values = values};
    KnStatus status = player->type->choose(player, request, answer, error);
    if (status != KN_OK) return status;
    for (int i = 0; i < request->allowed_count; i++)
        if (request->allowed[i] == answer->move) return KN_OK;
    return kn_fail(error, KN_FORFEIT, "%s chose a move that is not allowed here", player->spec);
}

static double child_seconds(const KnPlayer *player)
{
    double sum = 0;
    for (; player; player = player->inner) sum += player->child_seconds;
    return sum;
}

static bool tells(const KnExplanation *tree, const char *text)
{
    bool told = tree->text && strstr(tree->text, text);
    for (const KnExplanation *child = tree->first; child && !told; child = child->next)
        told = tells(child, text);
    return told;
}

/* What the player has to do without belongs to why it moved. */
static void explain_note(const KnPlayer *player, const KnRequest *request, KnAnswer *answer)
{
    const char *note = kn_player_note(player);
    if (!note[0] || !(request->wants & KN_WANT_EXPLANATION) || !answer->explanation) return;
    if (!tells(answer->explanation, note))
        kn_explanation_text(request->arena, answer->explanation, "note", note);
}

/* The processor's clock is a call of the kernel: two of them take longer than a decision of a plain player,
 * and were half of the time of a game of tic-tac-toe. A player whose last QUICK_ENOUGH decisions each took
 * less than QUICK_SECONDS is measured by the clock on the wall, which costs a tenth. In so short a time a
 * thread is hardly ever interrupted; the first decision that takes longer ends this. */
static const double QUICK_SECONDS = 20e-6;
enum { QUICK_ENOUGH = 64 };

KnStatus kn_player_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    bool wall = player->quick >= QUICK_ENOUGH;
    double started = wall ? kn_clock_now() : kn_clock_cpu() + child_seconds(player);
    KnStatus status = kn_player_choose_untimed(player, request, answer, error);
    answer->cost.seconds = (wall ? kn_clock_now() : kn_clock_cpu() + child_seconds(player)) - started;
    player->quick = answer->cost.seconds < QUICK_SECONDS && !player->type->foreign ? player->quick + !wall
                                                                                   : 0;
    if (status == KN_OK) explain_note(player, request, answer);
    return status;
}
