#include "eval/gdl_features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/gdl/gdl.h"
#include "games/turns.h"

enum { MOST_FACTS = 900 }; /* features of single facts, at most */

/* A fact contributes to at most two features: its own and that of its board content. */
typedef struct Share {
    int16_t feature;
    int8_t sign; /* for the first role */
} Share;

struct KnGdlFeatures {
    KnGdlMachine *machine;
    KnArena *arena; /* holds the names */
    KnFeature *features;
    Share *own, *content; /* by fact; sign 0: no feature */
    int8_t *turn;         /* by fact, of turn markers: 1 if the first role has the choice, -1 the second */
    double feasible[2];
    bool state_only; /* nothing that the rules must be asked for */
    size_t words;
};

/* ---- Values ---- */

static int count_moves(const KnGame *game, const void *position, int role)
{
    KnMove moves[game->max_moves];
    return kn_game_moves_of(game, position, role, moves);
}

static double goal_of(const KnGdlFeatures *s, const uint64_t *facts, int role)
{
    int value = 0;
    KnError error;
    return kn_gdl_goal(s->machine, facts, role, &value, &error) == KN_OK && value > 0 ? value / 100.0 : 0;
}

/* The role that has a choice, the first if neither has, and the values of moves and goals. */
static int ask_rules(const KnFeatureSet *set, const void *position, double *values)
{
    const KnGdlFeatures *s = set->gdl;
    const uint64_t *facts = kn_gdl_facts(position);
    int mover = 0, count = count_moves(set->game, position, 0);
    if (count <= 1) {
        int other = count_moves(set->game, position, 1);
        if (other > 1) mover = 1, count = other;
    }
    double sign = mover ? -1 : 1;
    values[0] = sign;
    values[1] = count > 1 ? sign * (count - 1) / s->feasible[mover] : 0;
    values[2] = goal_of(s, facts, 0) - goal_of(s, facts, 1);
    return mover;
}

/* All values for the first role. Returns the role that has a choice, the first if neither has. */
static int values_of_first(const KnFeatureSet *set, const void *position, double *values)
{
    const KnGdlFeatures *s = set->gdl;
    const uint64_t *facts = kn_gdl_facts(position);
    memset(values, 0, (size_t)set->count * sizeof *values);
    int mover = s->state_only ? 0 : ask_rules(set, position, values);
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t bits = facts[w]; bits; bits &= bits - 1) {
            size_t fact = w * 64 + (size_t)__builtin_ctzll(bits);
            KN_ASSERT(s->own[fact].feature < set->count && s->content[fact].feature < set->count);
            if (s->state_only && s->turn[fact]) {
                values[0] = s->turn[fact];
                mover = s->turn[fact] < 0;
            }
            if (s->own[fact].sign) values[s->own[fact].feature] += s->own[fact].sign;
            if (s->content[fact].sign) values[s->content[fact].feature] += s->content[fact].sign;
        }
    return mover;
}

/* The weighted sum of values_of_first, without the values. */
static double sum_of_first(const KnFeatureSet *set, const void *position, const double *weights)
{
    const KnGdlFeatures *s = set->gdl;
    const uint64_t *facts = kn_gdl_facts(position);
    KN_ASSERT(s->state_only);
    double sum = 0;
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t bits = facts[w]; bits; bits &= bits - 1) {
            size_t fact = w * 64 + (size_t)__builtin_ctzll(bits);
            sum += s->turn[fact] * weights[0];
            if (s->own[fact].sign) sum += s->own[fact].sign * weights[s->own[fact].feature];
            if (s->content[fact].sign) sum += s->content[fact].sign * weights[s->content[fact].feature];
        }
    return sum;
}

static void negate(double *values, int count)
{
    for (int i = 0; i < count; i++) values[i] = -values[i];
}

static int values_for_mover(const KnFeatureSet *set, const void *position, double *values)
{
    if (values_of_first(set, position, values) == 1) negate(values, set->count);
    return 0;
}

static int values_for(const KnFeatureSet *set, const void *position, int role, double *values)
{
    KN_ASSERT(role == 0 || role == 1);
    values_of_first(set, position, values);
    if (role == 1) negate(values, set->count);
    return 0;
}

/* ---- Making the features ---- */

static int add_feature(KnFeatureSet *set, const char *name, const char *help, double reach)
{
    KnGdlFeatures *s = set->gdl;
    KN_ASSERT(set->count < KN_FEATURES_MAX);
    s->features[set->count] = (KnFeature){name, help, -reach, reach};
    return set->count++;
}

/* The index of the content that a fact puts on the board; -1 if it is none of this board. */
static int content_of_fact(const KnGdlBoard *board, uint32_t fact)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows;
    for (int i = 0; i < places * contents; i++)
        if (board->facts[i] == fact + 1) return i % contents;
    return -1;
}

/* The image of a content under the symmetry of the roles: another content, itself, or -1 if it is not unique.
 */
static int image_of_content(const KnGdlBoard *board, const uint32_t *images, int content)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows,
        image = -1;
    for (int place = 0; place < places; place++) {
        uint32_t fact = board->facts[place * contents + content];
        if (!fact) continue;
        int here = content_of_fact(board, images[fact - 1]);
        if (here < 0 || (image >= 0 && image != here)) return -1;
        image = here;
    }
    return image;
}

static void share_content(KnGdlFeatures *s, const KnGdlBoard *board, int content, int feature, int sign)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows;
    for (int place = 0; place < places; place++) {
        uint32_t fact = board->facts[place * contents + content];
        if (fact) s->content[fact - 1] = (Share){(int16_t)feature, (int8_t)sign};
    }
}

static void add_board(KnFeatureSet *set, const KnGdlBoard *board, const uint32_t *images)
{
    KnGdlFeatures *s = set->gdl;
    int contents = board->content_count ? board->content_count : 1;
    for (int content = 0; content < contents && set->count < KN_FEATURES_MAX - MOST_FACTS; content++) {
        int image = images ? image_of_content(board, images, content) : -1;
        if (images && image <= content) continue; /* its own image, already counted with its image, or none */
        const char *name = board->content_count
                               ? kn_arena_printf(s->arena, "%s: %s", board->name, board->contents[content])
                               : kn_arena_printf(s->arena, "%s: marked", board->name);
        int feature = add_feature(set, name, "number of cells that hold it", board->columns * board->rows);
        share_content(s, board, content, feature, 1);
        if (image >= 0) share_content(s, board, image, feature, -1);
    }
}

static const char *fact_name(KnGdlFeatures *s, uint32_t fact)
{
    uint64_t only[s->words];
    memset(only, 0, sizeof only);
    only[fact / 64] = UINT64_C(1) << fact % 64;
    KnText text = KN_TEXT_EMPTY;
    kn_gdl_state_text(s->machine, only, " ", &text);
    const char *name = kn_arena_string(s->arena, text.data);
    kn_text_free(&text);
    return name;
}

/* The length of the cycle of a fact under the symmetry of the roles. */
static uint32_t cycle_length(const uint32_t *images, uint32_t fact)
{
    uint32_t length = 1;
    for (uint32_t at = images[fact]; at != fact; at = images[at]) length++;
    return length;
}

/* A feature for each fact; with a symmetry, for each cycle of even length, with alternating signs. */
static void add_facts(KnFeatureSet *set, const KnGdlAnalysis *found, const bool *clocks)
{
    KnGdlFeatures *s = set->gdl;
    const uint32_t *images = found->fact_images;
    uint32_t wanted = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t fact = 0; fact < found->facts; fact++) {
            uint32_t least = fact, cycle = images ? cycle_length(images, fact) : 0;
            for (uint32_t at = fact, i = 0; i < cycle; i++, at = images[at]) least = at < least ? at : least;
            if (clocks[fact] || cycle % 2 || least < fact) continue;
            if (!pass) {
                if (++wanted > MOST_FACTS) return;
                continue;
            }
            int feature = add_feature(set, fact_name(s, fact),
                                      images ? "1 if the fact is true, less the same for the other role"
                                             : "1 if the fact is true",
                                      cycle ? cycle / 2.0 : 1);
            s->own[fact] = (Share){(int16_t)feature, 1};
            for (uint32_t at = fact, i = 0; i < cycle; i++, at = images[at])
                s->own[at] = (Share){(int16_t)feature, i % 2 ? -1 : 1};
        }
}

static bool find_features(KnFeatureSet *set, const KnGdlAnalysis *found)
{
    KnGdlFeatures *s = set->gdl;
    bool *clocks = calloc((size_t)found->facts + 1, sizeof *clocks);
    if (!clocks) return false;
    for (uint32_t g = 0; g < found->group_count; g++)
        for (uint32_t i = 0; found->groups[g].clock && i < found->groups[g].count; i++)
            clocks[found->groups[g].facts[i]] = true;
    add_feature(set, "value of move", "1 for the role that has a choice", 1);
    for (uint32_t i = 0; found->turn_group >= 0 && i < found->groups[found->turn_group].count; i++)
        if (found->turn_movers[i] >= 0)
            s->turn[found->groups[found->turn_group].facts[i]] = found->turn_movers[i] ? -1 : 1;
    if (!s->state_only) {
        add_feature(set, "moves",
                    "legal moves of the role that has a choice, as a share of its feasible moves", 1);
        add_feature(set, "goal", "goal value by the rules before the end, less that of the other role", 1);
    }
    for (int b = 0; b < found->boards.count; b++) add_board(set, &found->boards.list[b], found->fact_images);
    add_facts(set, found, clocks);
    free(clocks);
    for (int i = 0; i < set->count; i++)
        if (!s->features[i].name) return false;
    return true;
}

KnStatus kn_gdl_features(KnFeatureSet *set, bool state_only, KnError *error)
{
    const KnGame *game = set->game;
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK) return status;
    KN_ASSERT(game->roles == 2);
    KnGdlFeatures *s = set->gdl = calloc(1, sizeof *s);
    if (!s) return kn_fail_memory(error, "opening the features of an evaluation");
    s->machine = kn_game_gdl(game);
    s->words = kn_gdl_machine_words(s->machine);
    s->arena = kn_arena_new();
    s->features = calloc(KN_FEATURES_MAX, sizeof *s->features);
    s->own = calloc(s->words * 64, sizeof *s->own);
    s->content = calloc(s->words * 64, sizeof *s->content);
    s->turn = calloc(s->words * 64, sizeof *s->turn);
    s->state_only = state_only;
    for (int role = 0; role < 2; role++) s->feasible[role] = kn_gdl_feasible(s->machine, role);
    set->values = values_for_mover;
    set->values_for = values_for;
    if (state_only) set->sum = sum_of_first;
    bool made = s->arena && s->features && s->own && s->content && s->turn &&
                find_features(set, kn_game_analysis(game));
    set->features = s->features;
    return made ? KN_OK : kn_fail_memory(error, "opening the features of an evaluation");
}

void kn_gdl_features_free(KnGdlFeatures *s)
{
    if (!s) return;
    kn_arena_free(s->arena);
    free(s->features);
    free(s->own);
    free(s->content);
    free(s->turn);
    free(s);
}
