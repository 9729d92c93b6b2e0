/* A Go player that combines tactical search with Monte Carlo tree search. First it reads which strings can be
 * captured and saved (methods/widening/reader.h), and proves what it believes where that is quick
 * (methods/widening/proof.h). Then it runs MCTS with RAVE (Gelly and Silver 2007;
 * tactical_tree.h), where these moves have prior visits according to the size of the string. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/go/capture.h"
#include "methods/registry.h"
#include "players/search_player.h"
#include "players/search_words.h"
#include "methods/widening/tactical_tree.h"
#include "methods/widening/proof.h"
#include "methods/widening/reader.h"

enum { HINTS = 24, READER_NODES = 350, LIBERTIES = 3, TABLE_BITS = 10, GOOD_SIZE = 8 };

/* A string whose fate depends on who moves first. */
typedef struct Found {
    KnMove move;
    int cell, stones;
    bool capture; /* otherwise a save */
    bool proved;  /* otherwise believed */
    uint64_t nodes;
} Found;

typedef struct Tactical {
    KnReader *reader;     /* NULL: no tactical search */
    KnProofSearch *proof; /* NULL: the same */
    KnGoTree *tree;
    uint64_t playouts;
    bool yields; /* playouts are the default, which a budget replaces */
    KnBudget budget;
    Found found[HINTS];
    int count;
    KnMove last;        /* the last move observed, and the hash of the position after it */
    uint64_t last_hash; /* 0: none was observed */
} Tactical;

/* ---- tactical search ---- */

static bool believed(Tactical *mind, KnCapture *c, bool attacking, bool wanted, KnReading *reading,
                     uint64_t *nodes)
{
    kn_capture_turn(c, attacking);
    kn_reader_run(mind->reader, &c->goal, READER_NODES, reading);
    *nodes += reading->nodes;
    return reading->reached == wanted;
}

static bool proved(Tactical *mind, KnCapture *c, bool attacking, KnProofVerdict wanted, KnProofAnswer *answer,
                   uint64_t *nodes)
{
    kn_capture_turn(c, attacking);
    kn_proof_run(mind->proof, &c->goal, answer);
    *nodes += answer->nodes;
    return answer->verdict == wanted;
}

/* Whether a string is urgent: it is captured if the attacker moves first and saved if the defender does.
 * Stores the move of the side to move; a proved one instead of a believed one. */
static bool find_urgent(Tactical *mind, KnCapture *c, bool own, const KnGame *game, Found *found)
{
    KnReading attack, defence;
    uint64_t nodes = 0;
    c->limit = KN_CAPTURE_LIMIT - 1;
    bool urgent = believed(mind, c, true, true, &attack, &nodes) &&
                  believed(mind, c, false, false, &defence, &nodes) &&
                  (own ? defence.move : attack.move) != KN_GOAL_PASS;
    int move = urgent ? (own ? defence.move : attack.move) : KN_GOAL_PASS;
    KnProofAnswer answer;
    if (urgent && proved(mind, c, !own, own ? KN_DISPROVED : KN_PROVED, &answer, &nodes) &&
        answer.move != KN_GOAL_PASS)
        found->proved = true, move = answer.move;
    found->nodes = nodes;
    if (urgent) found->move = kn_strings_move(c->strings, game, move);
    return urgent;
}

static KnStatus read_strings(Tactical *mind, const KnRequest *request, uint64_t *nodes, KnError *error)
{
    const KnGame *game = request->game;
    mind->count = 0;
    for (int cell = 0; cell < game->cells && mind->count < HINTS; cell++) {
        KnCapture *c;
        int held = game->type->cell(game, request->position, cell);
        if (!held) continue;
        KnStatus status = kn_capture_open(game, request->position, cell, &c, error);
        if (status != KN_OK) return status;
        const KnString *string = kn_string_of(c->strings, c->target);
        Found found = {.cell = cell, .stones = string->stones, .capture = held != request->role + 1};
        bool reads = c->strings->head[c->target] == c->target &&
                     string->liberties <= (string->stones > 1 ? LIBERTIES : LIBERTIES - 1);
        KN_ASSERT(mind->count < HINTS);
        if (reads && find_urgent(mind, c, !found.capture, game, &found)) mind->found[mind->count++] = found;
        *nodes += found.nodes;
        kn_capture_free(c);
    }
    return KN_OK;
}

static int counted_size(const Found *found) { return found->stones < GOOD_SIZE ? found->stones : GOOD_SIZE; }

/* The prior visits grow with the size of the string. */
static int make_hints(const Tactical *mind, KnGoHint *hints)
{
    for (int i = 0; i < mind->count; i++) {
        int size = counted_size(&mind->found[i]);
        hints[i] = (KnGoHint){mind->found[i].move, 20.0 * size, 0.7 + 0.035 * size};
    }
    return mind->count;
}

/* ---- choosing ---- */

/* Whether a pass wins: the opponent has just passed, and the player has the larger area. */
static bool may_end(const KnRequest *request)
{
    int area[2];
    bool pass = false;
    if (kn_go_passes(request->game, request->position) != 1) return false;
    for (int i = 0; i < request->allowed_count; i++) pass |= request->allowed[i] == KN_GO_PASS;
    kn_go_area(request->game, request->position, area);
    double margin = area[0] - area[1] - kn_go_komi(request->game);
    return pass && (request->role ? margin < 0 : margin > 0);
}

static void explain(const Tactical *mind, const KnRequest *request, const KnGoTreeResult *result,
                    KnAnswer *answer)
{
    static const char *const capitals[] = {"Black", "White"};
    KnArena *arena = request->arena;
    const KnGame *game = request->game;
    const char *why = "";
    KnText vertex = KN_TEXT_EMPTY;
    for (int i = 0; i < mind->count; i++) {
        if (mind->found[i].move != answer->move) continue;
        kn_text_clear(&vertex);
        game->type->cell_name(game, mind->found[i].cell, &vertex);
        why = kn_arena_printf(arena, " It is %s that it %s the %d stone%s at %s.",
                              mind->found[i].proved ? "proved" : "believed",
                              mind->found[i].capture ? "captures" : "saves", mind->found[i].stones,
                              mind->found[i].stones == 1 ? "" : "s", vertex.data);
    }
    KnExplanation *root = answer->explanation = kn_explanation_new(
        arena, kn_arena_printf(arena, "%s.%s %s wins %.0f of the %.0f random games from there (%llu in all).",
                               kn_move_sentence(request, answer->move), why, capitals[request->role != 0],
                               result->won, result->tried, (unsigned long long)result->playouts));
    KnExplanation *tactics = mind->count ? kn_explanation_group(arena, root, "tactics") : NULL;
    for (int i = 0; i < mind->count; i++) {
        kn_text_clear(&vertex);
        game->type->cell_name(game, mind->found[i].cell, &vertex);
        kn_explanation_move(arena, tactics,
                            kn_arena_printf(arena, "%s: %s %s (%d)",
                                            mind->found[i].proved ? "proved" : "believed",
                                            mind->found[i].capture ? "captures" : "saves", vertex.data,
                                            mind->found[i].stones),
                            kn_game_move_name(game, request->position, mind->found[i].move, arena));
    }
    KnExplanation *rows = kn_explanation_group(arena, root, "moves by playouts");
    for (int i = 0; i < result->row_count && result->rows[i].visits > 0; i++)
        kn_explanation_bar(
            arena, rows,
            kn_arena_printf(arena, "%s, %.0f playouts",
                            kn_game_move_name(game, request->position, result->rows[i].move, arena),
                            result->rows[i].visits),
            100 * result->rows[i].result, 0, 100, "%");
    kn_text_clear(&vertex);
    for (int i = 0; i < result->length; i++)
        kn_text_printf(&vertex, "%s%s", i ? " " : "",
                       kn_game_move_name(game, request->position, result->line[i], arena));
    if (result->length) kn_explanation_line(arena, root, "line", vertex.data, NULL);
    kn_text_free(&vertex);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)role, (void)position, (void)error;
    ((Tactical *)player->data)->last_hash = 0;
    return KN_OK;
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Tactical *mind = player->data;
    const KnGame *game = player->game;
    (void)error;
    KnMove move = joint[1 - game->type->mover(game, kn_state_position(state))];
    mind->last = move == KN_MOVE_NONE ? KN_GO_PASS : move;
    mind->last_hash = game->type->hash(game, kn_state_position(state));
    return KN_OK;
}

static KnMove last_move(const Tactical *mind, const KnRequest *request)
{
    bool known = mind->last_hash == request->game->type->hash(request->game, request->position);
    return mind->last_hash && known ? mind->last : KN_GO_PASS;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    Tactical *mind = player->data;
    bool explanations = request->wants & KN_WANT_EXPLANATION;
    if (may_end(request)) {
        answer->move = KN_GO_PASS;
        answer->has_score = answer->payoffs = true;
        answer->score = KN_SCORE_PAYOFF;
        if (explanations)
            answer->explanation = kn_explanation_new(
                request->arena, "pass: the other side has passed, and the board is won as it stands");
        return KN_OK;
    }
    KnGoHint hints[HINTS];
    KnGoTreeResult result;
    uint64_t read = 0;
    KnStatus status = KN_OK;
    mind->count = 0;
    if (mind->proof) status = read_strings(mind, request, &read, error);
    if (status != KN_OK) return status;
    KnBudget budget = kn_budget_narrow(mind->budget, request->budget);
    uint64_t playouts = mind->yields && kn_budget_decides(mind->budget, request->budget) ? 0 : mind->playouts;
    if (budget.nodes) budget.nodes = budget.nodes > read ? budget.nodes - read : 1;
    KnGoTreeRequest ask = {.position = request->position,
                           .allowed = request->allowed,
                           .allowed_count = request->allowed_count,
                           .hints = hints,
                           .hint_count = make_hints(mind, hints),
                           .last = last_move(mind, request),
                           .playouts = playouts,
                           .budget = budget,
                           .rng = request->rng,
                           .cancel = request->cancel};
    kn_go_tree_run(mind->tree, &ask, &result);
    answer->move = result.move;
    answer->cost.nodes = result.nodes + read;
    answer->has_score = answer->payoffs = true;
    answer->score = (KnScore)((2 * result.result - 1) * KN_SCORE_PAYOFF);
    if (explanations) explain(mind, request, &result, answer);
    return KN_OK;
}

static KnStatus suits(const KnGame *game, KnError *error)
{
    return kn_go_is(game) ? KN_OK : kn_fail(error, KN_INPUT, "plays Go only");
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Tactical *mind = player->data = calloc(1, sizeof *mind);
    if (!mind) return kn_fail_memory(error, "opening a player");
    KnProofOptions proof = {.nodes = (uint64_t)kn_option_real(options, "reading"), .table_bits = TABLE_BITS};
    mind->playouts = (uint64_t)kn_option_real(options, "playouts");
    mind->yields = !kn_option_given(options, "playouts");
    mind->budget = (KnBudget){.nodes = (uint64_t)kn_option_real(options, "nodes"),
                              .seconds = kn_option_real(options, "time")};
    KnGoTreeOptions tree = {.bytes = (size_t)kn_option_integer(options, "memory") << 20,
                            .playout = (KnPlayoutKind)kn_option_choice(options, "playout"),
                            .rave = kn_option_real(options, "rave"),
                            .exploration = kn_option_real(options, "exploration"),
                            .expand = kn_option_real(options, "expand")};
    mind->tree = kn_go_tree_new(player->game, &tree);
    if (!mind->tree) return kn_fail_memory(error, "opening a player");
    if (!proof.nodes) return KN_OK;
    mind->reader = kn_reader_new();
    if (!mind->reader) return kn_fail_memory(error, "opening a player");
    return kn_proof_new(&proof, &mind->proof, error);
}

static void close(KnPlayer *player)
{
    Tactical *mind = player->data;
    if (!mind) return;
    kn_proof_free(mind->proof);
    kn_reader_free(mind->reader);
    kn_go_tree_free(mind->tree);
    free(mind);
}

static const KnOption options[] = {
    {"playouts", KN_OPTION_INTEGER, "1000", 0, 1e12, NULL,
     "playouts for each move; 0: as many as time or nodes allow, which is the default with one of them"},
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    {"reading", KN_OPTION_INTEGER, "200", 0, 1e9, NULL,
     "the largest number of positions in the proof of a capture or a save that is believed; 0: no tactical "
     "search"},
    {"playout", KN_OPTION_CHOICE, "fuego", 0, 0, "uniform|mogo|fuego",
     "policy of the playouts: uniform, mogo (ataris and 3x3 patterns), fuego (also two liberties, nakade and "
     "self-atari)"},
    {"rave", KN_OPTION_REAL, "3500", 0, 1e9, NULL,
     "RAVE's equivalence parameter: visits at which a move's own value weighs as much as its value in other "
     "playouts; 0: no RAVE"},
    {"exploration", KN_OPTION_REAL, "0", 0, 100, NULL, "how much to try what is little tried"},
    {"expand", KN_OPTION_INTEGER, "4", 0, 1e9, NULL, "visits before a leaf of the tree gets children"},
    KN_MEMORY_OPTION("64", "MiB of the tree"),
    {0}};

const KnPlayerType kn_player_tactical = {
    .head = {"tactical", "Go: captures and saves that are read first, then playouts in a tree", options},
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
};
