/* One of several players, drawn anew for each game: a teacher or an opponent whose habit cannot be learned
 * by heart. All of them follow the game; the one that was drawn plays it to the end. */
#include <stdlib.h>

#include "base/assert.h"
#include "players/registry.h"

enum { MEMBERS = 4 };

static const char *const names[MEMBERS] = {"first", "second", "third", "fourth"};

typedef struct Mixed {
    KnPlayer *members[MEMBERS];
    int count;
    int drawn; /* who plays this game; -1: nobody has moved yet */
} Mixed;

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Mixed *m = player->data = calloc(1, sizeof *m);
    if (!m) return kn_fail_memory(error, "opening a player");
    m->drawn = -1;
    KnStatus status = KN_OK;
    for (int i = 0; i < MEMBERS && status == KN_OK; i++) {
        const KnSpec *spec = kn_option_spec(options, names[i]);
        if (!spec) continue;
        status = kn_player_open_spec(player->context, player->game, spec, &m->members[m->count], error);
        if (status != KN_OK) return status;
        player->traits &= m->members[m->count]->traits;
        kn_player_add_note(player, kn_player_note(m->members[m->count++]));
    }
    return status;
}

static void close(KnPlayer *player)
{
    Mixed *m = player->data;
    for (int i = 0; m && i < m->count; i++) kn_player_close(m->members[i]);
    free(m);
}

static KnStatus prepare(KnPlayer *player, int role, double seconds, KnRng *rng, KnError *error)
{
    Mixed *m = player->data;
    KnStatus status = KN_OK;
    for (int i = 0; i < m->count && status == KN_OK; i++)
        status = kn_player_prepare(m->members[i], role, seconds / m->count, rng, error);
    return status;
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Mixed *m = player->data;
    KnStatus status = KN_OK;
    m->drawn = -1;
    for (int i = 0; i < m->count && status == KN_OK; i++) {
        m->members[i]->opponent = player->opponent;
        m->members[i]->game_id = player->game_id;
        status = kn_player_begin(m->members[i], role, position, error);
    }
    return status;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Mixed *m = player->data;
    KnStatus status = KN_OK;
    for (int i = 0; i < m->count && status == KN_OK; i++)
        status = kn_player_observe(m->members[i], state, joint, error);
    return status;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Mixed *m = player->data;
    KN_ASSERT(m->count > 0);
    if (m->drawn < 0) m->drawn = request->rng ? (int)kn_rng_below(request->rng, (uint32_t)m->count) : 0;
    const KnPlayer *member = m->members[m->drawn];
    KnStatus status = member->type->choose(m->members[m->drawn], request, answer, error);
    if (status == KN_OK && answer->explanation)
        kn_explanation_text(request->arena, answer->explanation, "drawn for this game", member->spec);
    return status;
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    Mixed *m = player->data;
    KnStatus status = KN_OK;
    for (int i = 0; i < m->count && status == KN_OK; i++)
        status = kn_player_end(m->members[i], state, payoffs, error);
    return status;
}

static const KnOption options[] = {{"first", KN_OPTION_SPEC, NULL, 0, 0, "player", "one of the players"},
                                   {"second", KN_OPTION_SPEC, "", 0, 0, "player", "another"},
                                   {"third", KN_OPTION_SPEC, "", 0, 0, "player", "a third"},
                                   {"fourth", KN_OPTION_SPEC, "", 0, 0, "player", "a fourth"},
                                   {0}};

const KnPlayerType kn_player_mixed = {
    .head = {"mixed", "one of several players, drawn anew for each game", options},
    .open = open,
    .close = close,
    .prepare = prepare,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};
