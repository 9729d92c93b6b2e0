#include "methods/general/hidden.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/gdl.h"
#include "games/playout.h"

enum {
    PARTICLES = 64,
    TRIES = 30,          /* draws of the others' moves, for one particle and step */
    MOST_PLAYS = 200000, /* steps of all draws of one call */
};

/* What was learned of a step. */
typedef struct Step {
    KnMove own;
    unsigned char *after; /* the position, read only through `agrees` */
} Step;

struct KnHidden {
    const KnGame *game;
    KnGdlMachine *machine;
    size_t stride;
    int role;
    unsigned char *start, *now, *next; /* the beginning; particles, and those after a step */
    int count;                         /* particles */
    Step *steps;
    int step_count, step_capacity, done; /* steps that the particles have made */
    KnMove *moves, *others;              /* room for the moves of a role, each */
    double *chances;
    uint64_t plays;
};

bool kn_hidden_suits(const KnGame *game)
{
    KnGdlMachine *machine = kn_game_gdl(game);
    return machine && kn_gdl_hides(machine);
}

KnHidden *kn_hidden_new(const KnGame *game, KnError *error)
{
    KnHidden *h = calloc(1, sizeof *h);
    if (h) {
        size_t width = (size_t)game->max_moves;
        h->game = game;
        h->machine = kn_game_gdl(game);
        h->stride = (game->position_size + 15) & ~(size_t)15;
        h->start = aligned_alloc(16, h->stride);
        h->now = aligned_alloc(16, h->stride * (PARTICLES + 1));
        h->next = aligned_alloc(16, h->stride * (PARTICLES + 1));
        h->moves = malloc(width * sizeof *h->moves);
        h->others = malloc(width * sizeof *h->others);
        h->chances = malloc(width * sizeof *h->chances);
        if (h->start && h->now && h->next && h->moves && h->others && h->chances) return h;
    }
    kn_hidden_free(h);
    kn_fail_memory(error, "opening a player");
    return NULL;
}

static void forget(KnHidden *h)
{
    for (int i = 0; i < h->step_count; i++) free(h->steps[i].after);
    h->step_count = h->done = 0;
}

void kn_hidden_free(KnHidden *h)
{
    if (!h) return;
    forget(h);
    free(h->steps);
    free(h->start);
    free(h->now);
    free(h->next);
    free(h->moves);
    free(h->others);
    free(h->chances);
    free(h);
}

void kn_hidden_begin(KnHidden *h, int role, const void *position)
{
    forget(h);
    h->role = role;
    memcpy(h->start, position, h->game->position_size);
    memcpy(h->now, position, h->game->position_size);
    h->count = 1;
}

KnStatus kn_hidden_observe(KnHidden *h, const KnMove *joint, const void *position, KnError *error)
{
    if (h->step_count == h->step_capacity) {
        int larger = h->step_capacity ? h->step_capacity * 2 : 64;
        Step *grown = realloc(h->steps, (size_t)larger * sizeof *grown);
        if (!grown) return kn_fail_memory(error, "observing a game");
        h->steps = grown;
        h->step_capacity = larger;
    }
    Step *step = &h->steps[h->step_count];
    *step = (Step){joint[h->role], aligned_alloc(16, h->stride)};
    if (!step->after) return kn_fail_memory(error, "observing a game");
    memcpy(step->after, position, h->game->position_size);
    h->step_count++;
    return KN_OK;
}

/* Whether a position shows the role the same as another: percepts, its moves, and whether the game is over.
 */
static bool agrees(KnHidden *h, const void *position, const void *truth)
{
    const KnGame *game = h->game;
    if (!kn_gdl_same_percepts(h->machine, kn_gdl_facts(position), kn_gdl_facts(truth), h->role)) return false;
    int count = kn_game_moves_of(game, position, h->role, h->moves),
        expected = kn_game_moves_of(game, truth, h->role, h->others);
    return count == expected && memcmp(h->moves, h->others, (size_t)count * sizeof *h->moves) == 0;
}

/* Makes a step from a particle that agrees with what was learned of it. False: none was found. */
static bool advance(KnHidden *h, const void *from, const Step *step, KnRng *rng, void *to)
{
    const KnGame *game = h->game;
    for (int tries = 0; tries < TRIES && h->plays < MOST_PLAYS; tries++, h->plays++) {
        KnMove joint[KN_ROLES_MAX];
        for (int role = 0; role < game->roles; role++) {
            int count = kn_game_moves_of(game, from, role, h->moves), pick = 0;
            joint[role] = KN_MOVE_NONE;
            if (!count) continue;
            if (role == h->role)
                while (pick < count && h->moves[pick] != step->own) pick++;
            else
                pick = kn_playout_draw(game, from, role, h->moves, count, h->chances, rng);
            if (pick == count) return false; /* the role could not have made its move here */
            joint[role] = h->moves[pick];
        }
        memcpy(to, from, game->position_size);
        kn_game_play_joint(game, to, joint);
        if (agrees(h, to, step->after)) return true;
    }
    return false;
}

/* The particles make a step; those that die are replaced by others' continuations. */
static void filter(KnHidden *h, const Step *step, KnRng *rng)
{
    int count = 0, first = h->count > 0 ? (int)kn_rng_below(rng, (uint32_t)h->count) : 0;
    for (int i = 0; i < 2 * PARTICLES && count < PARTICLES && h->count > 0; i++) {
        const void *from = h->now + (size_t)((first + i) % h->count) * h->stride;
        count += advance(h, from, step, rng, h->next + (size_t)count * h->stride);
    }
    unsigned char *before = h->now;
    h->now = h->next;
    h->next = before;
    h->count = count;
}

/* Draws whole games that agree with everything, from the beginning. */
static void draw_again(KnHidden *h, KnRng *rng)
{
    while (h->count < PARTICLES && h->plays < MOST_PLAYS) {
        unsigned char *at = h->now + (size_t)h->count * h->stride,
                      *spare = h->next + (size_t)PARTICLES * h->stride;
        memcpy(at, h->start, h->game->position_size);
        int step = 0;
        for (; step < h->step_count && advance(h, at, &h->steps[step], rng, spare); step++)
            memcpy(at, spare, h->game->position_size);
        h->plays++;
        h->count += step == h->step_count;
        if (h->count && h->plays > MOST_PLAYS / 10) break;
    }
}

int kn_hidden_sample(KnHidden *h, int role, const void *position, int most, KnRng *rng,
                     const void **positions)
{
    const void *last = h->step_count ? h->steps[h->step_count - 1].after : h->start;
    if (role != h->role || memcmp(last, position, h->game->position_size) != 0)
        kn_hidden_begin(h, role, position);
    h->plays = 0;
    for (; h->done < h->step_count; h->done++) filter(h, &h->steps[h->done], rng);
    if (!h->count) draw_again(h, rng);
    int found = 0, first = h->count ? (int)kn_rng_below(rng, (uint32_t)h->count) : 0;
    for (int i = 0; i < h->count && found < most; i++) {
        const void *particle = h->now + (size_t)((first + i) % h->count) * h->stride;
        bool known = false;
        for (int k = 0; k < found && !known; k++)
            known = memcmp(positions[k], particle, h->game->position_size) == 0;
        if (!known) positions[found++] = particle;
    }
    return found;
}
