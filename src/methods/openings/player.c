/* The player `openings`: plays by a learned opening book while the game is in it, then lets the inner player
 * choose. */
#include <stdlib.h>
#include <string.h>

#include <knack/stats.h>

#include "base/context.h"
#include "methods/openings/book.h"
#include "methods/registry.h"

typedef struct Openings {
    KnOpeningBook *book;
    uint64_t least;
    bool by_points; /* else by games */
    char *line;     /* moves so far; NULL: the game did not begin at the start */
} Openings;

static KnStatus suits(const KnGame *game, KnError *error)
{
    if (game->traits & KN_GAME_SIMULTANEOUS || game->nature >= 0)
        return kn_fail(error, KN_INPUT, "needs a game without chance in which players take turns");
    return KN_OK;
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Openings *o = player->data = calloc(1, sizeof *o);
    if (!o) return kn_fail_memory(error, "opening a player");
    KnText path = KN_TEXT_EMPTY;
    o->least = (uint64_t)kn_option_integer(options, "least");
    o->by_points = kn_option_choice(options, "choose") == 1;
    kn_context_file(player->context, kn_option_string(options, "file"), &path);
    KnStatus status = kn_opening_book_load(player->game, path.data, &o->book, error);
    kn_text_free(&path);
    return status == KN_OK ? kn_player_wrap(player, kn_option_spec(options, "inner"), error) : status;
}

static void close(KnPlayer *player)
{
    Openings *o = player->data;
    if (!o) return;
    kn_opening_book_free(o->book);
    free(o->line);
    free(o);
}

static bool is_start(const KnGame *game, const void *position)
{
    unsigned char start[game->position_size] __attribute__((aligned(16)));
    game->type->start(game, start);
    return memcmp(start, position, game->position_size) == 0;
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Openings *o = player->data;
    free(o->line);
    o->line = is_start(player->game, position) ? strdup("") : NULL;
    return kn_player_begin(player->inner, role, position, error);
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Openings *o = player->data;
    free(o->line);
    o->line = is_start(player->game, kn_state_position_at(state, 0)) ? kn_state_moves_text(state) : NULL;
    return kn_player_observe(player->inner, state, joint, error);
}

/* The move of which the most points are certain: by the lower bound of its mean. -1 if none was played often
 * enough. */
static int most_points(const KnOpeningPage *page, uint64_t least)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < page->count; i++) {
        const KnBanditArm *arm = &page->arms[i];
        if (arm->plays < least) continue;
        double low = kn_wilson(arm->reward, (double)arm->plays, KN_Z95).low;
        if (low > most) most = low, best = i;
    }
    return best;
}

/* The book's move, if it has one that is allowed and was played often enough. */
static const KnBanditArm *find_move(const Openings *o, const KnRequest *request, KnMove *move)
{
    const KnOpeningPage *page = o->line ? kn_opening_book_find(o->book, o->line) : NULL;
    int best = !page          ? -1
               : o->by_points ? most_points(page, o->least)
                              : kn_bandit_best(page->arms, page->count);
    if (best < 0 || page->arms[best].plays < o->least) return NULL;
    for (int i = 0; i < request->allowed_count; i++) {
        char *text = kn_game_move_text(request->game, request->position, request->allowed[i]);
        bool same = text && strcmp(text, page->moves[best]) == 0;
        free(text);
        if (!same) continue;
        *move = request->allowed[i];
        return &page->arms[best];
    }
    return NULL;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    const KnBanditArm *arm = find_move(player->data, request, &answer->move);
    if (!arm) return player->inner->type->choose(player->inner, request, answer, error);
    if (request->wants & KN_WANT_EXPLANATION) {
        KnArena *arena = request->arena;
        const char *move = kn_game_move_name(request->game, request->position, answer->move, arena);
        answer->explanation = kn_explanation_new(arena,
                                                 kn_arena_printf(arena, "%s: by the opening book", move));
        KnExplanation *group = kn_explanation_group(arena, answer->explanation, "opening book");
        kn_explanation_bar(arena, group, "points", kn_bandit_mean(arm), 0, 1, "per game");
        kn_explanation_number(arena, group, "played", (double)arm->plays, "games");
    }
    return KN_OK;
}

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player", "the player that goes on after the opening"},
    {"file", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE,
     "the book, from `knack train openings` or `knack base book`"},
    {"least", KN_OPTION_INTEGER, "1", 1, 1000000, NULL,
     "games in which a move of the book was tried at least"},
    {"choose", KN_OPTION_CHOICE, "games", 0, 0, "games|points",
     "the move of most games, which a bandit's book means, or of most points, for books out of a base"},
    {0}};

const KnPlayerType kn_player_openings = {
    .head = {"openings", "a learned opening book before another player", options},
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
