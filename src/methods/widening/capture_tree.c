#include "methods/widening/capture_tree.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "games/go/capture.h"

enum { MOST = 60, REPLIES = 5, DEPTH = 24, LIST = KN_GOAL_MOVES_MAX };

typedef struct Grower {
    KnProofSearch *search;
    const KnCaptureProblem *problem;
    KnCapture *capture;
    KnArena *arena;
    KnProofTree *tree;
    bool attacker; /* the attacker is the prover */
    int most;
} Grower;

static KnProofNode *add(Grower *g, KnProofNode *parent, int point, bool prover)
{
    KnProofNode *node = KN_ARENA_NEW(g->arena, KnProofNode, 1);
    if (!node) return NULL;
    node->move = kn_strings_move(g->capture->strings, g->problem->game, point);
    node->prover = prover, node->parent = parent;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    g->tree->count++;
    return node;
}

/* Plays the moves from the root to a node; returns their number. */
static int play_to(Grower *g, const KnProofNode *node)
{
    if (!node->parent) return 0;
    int before = play_to(g, node->parent);
    return before +
           g->capture->goal.type->play(
               &g->capture->goal, kn_strings_from_move(g->capture->strings, g->problem->game, node->move));
}

/* Replies of the other side, likely moves first: those that prevent the next threat, otherwise those that the
 * search would try. */
static int replies(Grower *g, int *moves)
{
    KnGoal *goal = &g->capture->goal;
    KnGoalCount played = {0};
    if (!g->attacker) return goal->type->widen(goal, KN_WIDTH_WIDE, moves);
    for (int k = 1; k <= KN_GOAL_THREATS; k++)
        if (kn_proof_ip(goal, k, &played)) {
            int count = kn_proof_forced_moves(goal, k, moves, &played);
            return count ? count : goal->type->defences(goal, k, moves);
        }
    return goal->type->likely(goal, 0, moves);
}

/* Adds the children of a node; false: no memory. */
static bool grow(Grower *g, KnProofNode *node)
{
    KnGoal *goal = &g->capture->goal;
    int played = play_to(g, node), moves[LIST];
    bool added = true;
    KN_ASSERT(!node->first && played <= DEPTH);
    node->ended = goal->type->standing(goal) != KN_GOAL_OPEN;
    if (!node->ended && (g->tree->count >= g->most || played >= DEPTH))
        node->open = true;
    else if (!node->ended && goal->attacking == g->attacker) {
        KnProofAnswer answer;
        kn_proof_run(g->search, goal, &answer);
        if (answer.verdict == (g->attacker ? KN_PROVED : KN_DISPROVED))
            added = add(g, node, answer.move, true) != NULL;
        else
            node->open = true; /* this search did not find the proof again within its bound */
    } else if (!node->ended) {
        int count = replies(g, moves);
        KN_ASSERT(count >= 0 && count <= LIST);
        for (int i = 0; i < count && i < REPLIES && added; i++) added = add(g, node, moves[i], false) != NULL;
        if (!count && node->move != KN_GO_PASS)
            added = add(g, node, KN_GOAL_PASS, false) != NULL; /* no reply is left */
        else
            node->open = !count;
    }
    while (played-- > 0) goal->type->undo(goal);
    return added;
}

/* The node number *skip of a level; NULL if there are fewer. The tree grows level by level, so that the bound
 * cuts off the deepest nodes. */
static KnProofNode *at_level(KnProofNode *node, int level, int *skip)
{
    if (level == 0) return (*skip)-- == 0 ? node : NULL;
    for (KnProofNode *child = node->first; child; child = child->next) {
        KnProofNode *found = at_level(child, level - 1, skip);
        if (found) return found;
    }
    return NULL;
}

KnStatus kn_capture_tree(KnProofSearch *search, const KnCaptureProblem *problem, int most, KnArena *arena,
                         KnProofTree *tree, KnError *error)
{
    *tree = (KnProofTree){.root = {.move = KN_GO_PASS}};
    KnStatus status = kn_capture_solve(search, problem, &tree->captured, error);
    if (status != KN_OK || !tree->captured.answer) return status;
    KnCapture *capture;
    status = kn_capture_open_problem(problem, &capture, error);
    if (status != KN_OK) return status;
    Grower g = {search,
                problem,
                capture,
                arena,
                tree,
                (tree->captured.answer > 0) == problem->attack,
                most > 0 ? most : MOST};
    bool more = true;
    for (int level = 0; level <= DEPTH && more && status == KN_OK; level++) {
        more = false;
        for (int i = 0;; i++) {
            int skip = i;
            KnProofNode *node = at_level(&tree->root, level, &skip);
            if (!node) break;
            if (!grow(&g, node)) status = kn_fail_memory(error, "showing a proof");
            more |= node->first != NULL;
        }
    }
    kn_capture_free(capture);
    return status;
}

/* ---- the explanation ---- */

static const char *name(const KnCaptureProblem *problem, KnMove move, KnArena *arena)
{
    return kn_game_move_name(problem->game, problem->position, move, arena);
}

static void explain_replies(const KnCaptureProblem *problem, const KnProofNode *node, bool taken,
                            KnArena *arena, KnExplanation *into)
{
    for (const KnProofNode *child = node->first; child; child = child->next) {
        const char *label = child->ended    ? (taken ? "takes" : "is safe")
                            : child->open   ? (child->prover ? "answers, and so on" : "tries, and so on")
                            : child->prover ? "answers"
                                            : "tries";
        explain_replies(problem, child, taken, arena,
                        kn_explanation_move(arena, into, label, name(problem, child->move, arena)));
    }
}

KnExplanation *kn_capture_explain(const KnCaptureProblem *problem, const KnProofTree *tree, KnArena *arena)
{
    const KnCaptureSolution *c = &tree->captured;
    bool taken = (c->answer > 0) == problem->attack;
    KnText text = KN_TEXT_EMPTY, vertex = KN_TEXT_EMPTY;
    problem->game->type->cell_name(problem->game, problem->target, &vertex);
    if (!c->answer)
        kn_text_printf(&text, "Whether the string at %s can be %s was not proved.", vertex.data,
                       problem->attack ? "captured" : "saved");
    else
        kn_text_printf(&text, "The string at %s %s%s: proved with %llu position%s.", vertex.data,
                       problem->attack ? (taken ? "is captured" : "cannot be captured")
                                       : (taken ? "is lost even if its owner moves first" : "is saved"),
                       c->ko ? ", if nobody has ko threats" : "", (unsigned long long)c->proof.nodes,
                       kn_s(c->proof.nodes));
    const KnCaptureBelief *belief = &c->belief;
    if (!c->answer && belief->answer)
        kn_text_printf(&text, " It is believed that it can%s.", belief->answer > 0 ? "" : "not");
    KnExplanation *explanation = kn_explanation_new(arena, text.data);
    if (c->ko) {
        kn_text_clear(&text);
        kn_capture_ko_text(c, &text);
        kn_explanation_text(arena, explanation, "ko", text.data);
    }
    if (c->answer > 0) kn_explanation_move(arena, explanation, "by", name(problem, c->move, arena));
    kn_text_clear(&text);
    for (int i = 0; i < c->length; i++)
        kn_text_printf(&text, "%s%s", i ? " " : "", name(problem, c->line[i], arena));
    kn_text_clear(&vertex);
    problem->game->type->position_text(problem->game, problem->position, &vertex);
    if (c->length) kn_explanation_line(arena, explanation, "line", text.data, vertex.data);
    if (!c->answer && belief->length) {
        kn_text_clear(&text);
        for (int i = 0; i < belief->length; i++)
            kn_text_printf(&text, "%s%s", i ? " " : "", name(problem, belief->line[i], arena));
        kn_explanation_line(arena, explanation, "believed, not proved", text.data, vertex.data);
    }
    if (tree->root.first)
        explain_replies(problem, &tree->root, taken, arena,
                        kn_explanation_group(arena, explanation, "proof"));
    kn_text_free(&text);
    kn_text_free(&vertex);
    return explanation;
}

/* ---- as SGF ---- */

static KnSgfNode *put_point(KnArena *arena, KnSgfNode *node, const char *property, const KnGame *game,
                            KnMove move)
{
    int x, y;
    char point[3] = "";
    if (kn_go_point(game, move, &x, &y)) point[0] = (char)('a' + x), point[1] = (char)('a' + y), point[2] = 0;
    return kn_sgf_add(arena, node, property, point);
}

static KnSgfNode *put_move(KnArena *arena, KnSgfNode *parent, const KnCaptureProblem *problem, KnMove move,
                           bool mover)
{
    bool white = problem->game->type->mover(problem->game, problem->position) ^ !mover;
    return put_point(arena, kn_sgf_node(arena, parent), white ? "W" : "B", problem->game, move);
}

static KnSgfNode *put_tree(KnArena *arena, KnSgfNode *parent, const KnCaptureProblem *problem,
                           const KnProofNode *node, bool mover, bool first)
{
    for (const KnProofNode *child = node->first; child && parent; child = child->next) {
        KnSgfNode *made = put_move(arena, parent, problem, child->move, mover);
        if (first && child->prover) kn_sgf_add(arena, made, "TE", "1");
        if (!made || !put_tree(arena, made, problem, child, !mover, false)) return NULL;
    }
    return parent;
}

KnSgfNode *kn_capture_sgf(const KnCaptureProblem *problem, const KnProofTree *tree, KnArena *arena)
{
    const KnGame *game = problem->game;
    int size = kn_go_size(game);
    char text[32];
    KnSgfNode *root = kn_sgf_node(arena, NULL);
    snprintf(text, sizeof text, "%d", size);
    kn_sgf_add(arena, kn_sgf_add(arena, kn_sgf_add(arena, root, "FF", "4"), "GM", "1"), "SZ", text);
    kn_sgf_add(arena, root, "GN", problem->id);
    for (int held = 1; held <= 2; held++)
        for (int i = 0; i < game->cells; i++)
            if (game->type->cell(game, problem->position, i) == held)
                put_point(arena, root, held == 1 ? "AB" : "AW", game, kn_go_move(game, i % size, i / size));
    put_point(arena, root, "TR", game, kn_go_move(game, problem->target % size, problem->target / size));
    kn_sgf_add(arena, root, "PL", game->type->mover(game, problem->position) ? "W" : "B");
    bool whole = root && put_tree(arena, root, problem, &tree->root, true, true);
    for (int i = 0; i < problem->count && whole; i++) {
        if (tree->root.first && tree->root.first->prover && tree->root.first->move == problem->moves[i])
            continue;
        whole = kn_sgf_add(arena, put_move(arena, root, problem, problem->moves[i], true), "TE", "1");
    }
    return whole ? root : NULL;
}
