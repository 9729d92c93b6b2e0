/* Go capture problems as exercises: the embedded set (`knack capture captures`), tries judged by proof, and
 * proofs as trees to step through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/widening/capture_tree.h"
#include "web/state.h"

/* Limits of one search. A proof tree takes at most sixty searches and grows only from proven nodes. */
enum { SEARCH_NODES = 100000, LINE_MOST = 1000, LINE_WORD = 16 };
static const double SEARCH_SECONDS = 1;

/* ---- the set ---- */

static const KnCaptureProblems *all_problems(KnWeb *web, KnHttpReply *reply)
{
    KnError error;
    pthread_mutex_lock(&web->lock);
    KnStatus status = web->problems
                          ? KN_OK
                          : kn_problems_load(web->context, "captures", NULL, &web->problems, &error);
    const KnCaptureProblems *problems = web->problems;
    pthread_mutex_unlock(&web->lock);
    if (status != KN_OK) kn_reply_fail(reply, &error, NULL);
    return status == KN_OK ? problems : NULL;
}

/* The problem of a call; NULL, with the reply written, if there is none. */
static const KnCaptureProblem *asked(KnWeb *web, const KnCall *call, size_t *at,
                                     const KnCaptureProblems **set, KnHttpReply *reply)
{
    const KnCaptureProblems *problems = *set = all_problems(web, reply);
    if (!problems) return NULL;
    for (*at = 0; *at < problems->count; ++*at)
        if (strcmp(problems->list[*at].id, call->words[0]) == 0) return &problems->list[*at];
    kn_reply_error(reply, 404, NULL, "there is no problem %.40s; /api/problems lists them", call->words[0]);
    return NULL;
}

static json_t *row_json(const KnCaptureProblem *problem)
{
    return json_pack("{ss si ss si si sI}", "id", problem->id, "volume", problem->volume, "kind",
                     problem->attack ? "attack" : "defend", "size", kn_go_size(problem->game), "plies",
                     problem->plies, "nodes", (json_int_t)problem->nodes);
}

static void list(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    (void)call;
    const KnCaptureProblems *problems = all_problems(web, reply);
    if (!problems) return;
    json_t *rows = json_array();
    for (size_t i = 0; i < problems->count; i++) json_array_append_new(rows, row_json(&problems->list[i]));
    kn_reply_json(reply, 200, rows);
}

/* ---- one problem ---- */

static json_t *legal_json(const KnCachedGame *cached, const void *position, int mover)
{
    const KnGame *game = cached->game;
    json_t *legal = json_array();
    KnMove *moves = malloc(sizeof *moves * (size_t)game->max_moves);
    KnText text = KN_TEXT_EMPTY;
    int count = moves ? kn_game_moves_of(game, position, mover, moves) : 0;
    for (int i = 0; i < count; i++) {
        int path[2];
        kn_text_clear(&text);
        game->type->move_text(game, position, moves[i], &text);
        if (kn_move_path(cached, position, moves[i], text.data, path, 2) != 1)
            continue; /* a pass is no answer here */
        json_array_append_new(legal,
                              json_pack("{si ss s[i]}", "role", mover, "move", text.data, "path", path[0]));
    }
    kn_text_free(&text);
    free(moves);
    return legal;
}

static int mover_of(const KnCaptureProblem *problem)
{
    return kn_game_movers(problem->game, problem->position) & 1 ? 0 : 1;
}

static void show(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    size_t at;
    const KnCaptureProblems *set;
    const KnCaptureProblem *problem = asked(web, call, &at, &set, reply);
    if (!problem) return;
    const KnGame *game = problem->game;
    KnCachedGame *cached;
    KnError error;
    if (kn_player_cache_game(web->cache, game->spec, &cached, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    int mover = mover_of(problem);
    KnText position = KN_TEXT_EMPTY, vertex = KN_TEXT_EMPTY, question = KN_TEXT_EMPTY;
    game->type->position_text(game, problem->position, &position);
    game->type->cell_name(game, problem->target, &vertex);
    kn_text_printf(&question, "%s to move: can the %s string at %s be %s?", mover ? "White" : "Black",
                   game->role_names[problem->attack ? !mover : mover], vertex.data,
                   problem->attack ? "captured" : "saved");
    json_t *document = row_json(problem);
    json_object_set_new(document, "game", kn_cached_game_json(cached));
    json_object_set_new(document, "position", json_string(position.data));
    json_object_set_new(document, "mover", json_integer(mover));
    json_object_set_new(document, "target",
                        json_pack("{ss si}", "name", vertex.data, "cell", problem->target));
    json_object_set_new(document, "question", json_string(question.data));
    json_object_set_new(document, "legal", legal_json(cached, problem->position, mover));
    json_object_set_new(document, "before", at > 0 ? json_string(set->list[at - 1].id) : json_null());
    json_object_set_new(document, "after",
                        at + 1 < set->count ? json_string(set->list[at + 1].id) : json_null());
    kn_reply_json(reply, 200, document);
    kn_text_free(&position);
    kn_text_free(&vertex);
    kn_text_free(&question);
    kn_player_cache_release_game(web->cache, cached);
}

/* ---- proofs ---- */

typedef struct Proving {
    const KnCaptureProblem *problem;
    json_t *document;
    int answer; /* for the side to move */
    KnStatus status;
    KnError error;
} Proving;

static json_t *tree_json(const KnCaptureProblem *problem, const KnProofNode *node, KnArena *arena)
{
    json_t *rows = json_array();
    for (const KnProofNode *reply = node->first; reply; reply = reply->next)
        json_array_append_new(
            rows, json_pack("{ss sb sb sb so}", "move",
                            kn_game_move_name(problem->game, problem->position, reply->move, arena), "prover",
                            reply->prover, "ended", reply->ended, "open", reply->open, "replies",
                            tree_json(problem, reply, arena)));
    return rows;
}

static void prove(void *user)
{
    Proving *proving = user;
    const KnCaptureProblem *problem = proving->problem;
    KnProofOptions options = {.nodes = SEARCH_NODES, .seconds = SEARCH_SECONDS};
    KnProofSearch *search = NULL;
    KnProofTree tree = {0};
    KnArena *arena = kn_arena_new();
    proving->status = arena ? kn_proof_new(&options, &search, &proving->error)
                            : kn_fail_memory(&proving->error, "proving a capture");
    if (proving->status == KN_OK)
        proving->status = kn_capture_tree(search, problem, 0, arena, &tree, &proving->error);
    if (proving->status == KN_OK) {
        const KnExplanation *explanation = kn_capture_explain(problem, &tree, arena);
        KnText position = KN_TEXT_EMPTY;
        problem->game->type->position_text(problem->game, problem->position, &position);
        proving->answer = tree.captured.answer;
        proving->document = json_pack("{ss ss sb sI si so}", "text", explanation ? explanation->text : "",
                                      "position", position.data, "ko", tree.captured.ko != KN_KO_NONE,
                                      "nodes", (json_int_t)tree.captured.proof.nodes, "moves", tree.count,
                                      "tree", tree_json(problem, &tree.root, arena));
        const KnCaptureBelief *belief = &tree.captured.belief;
        if (proving->document && belief->answer)
            json_object_set_new(
                proving->document, "believed",
                json_pack("{sb ss}", "succeeds", belief->answer > 0, "move",
                          kn_game_move_name(problem->game, problem->position, belief->move, arena)));
        kn_text_free(&position);
    }
    if (search) kn_proof_free(search);
    kn_arena_free(arena);
}

/* On failure false, with the reply written. */
static bool run_proof(KnWeb *web, const KnCall *call, Proving *proving, KnHttpReply *reply)
{
    KnError error;
    if (kn_call_compute(web, call, prove, proving, &error) != KN_OK)
        kn_reply_fail(reply, &error, NULL);
    else if (proving->status != KN_OK)
        kn_reply_fail(reply, &proving->error, NULL);
    else
        return true;
    return false;
}

static void proof(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    size_t at;
    const KnCaptureProblems *set;
    const KnCaptureProblem *problem = asked(web, call, &at, &set, reply);
    Proving proving = {.problem = problem};
    if (problem && run_proof(web, call, &proving, reply)) kn_reply_json(reply, 200, proving.document);
}

/* ---- a try ---- */

static bool accepted(const KnCaptureProblem *problem, KnMove move)
{
    for (int i = 0; i < problem->count; i++)
        if (problem->moves[i] == move) return true;
    return false;
}

/* The answer "it cannot be done" is right if the search proves it, and then the proof is shown. Otherwise the
 * reply gives nothing away. */
static void judge_none(KnWeb *web, const KnCall *call, const KnCaptureProblem *problem, KnHttpReply *reply)
{
    Proving proving = {.problem = problem};
    bool right = problem->answer < 0;
    if (right && !run_proof(web, call, &proving, reply)) return;
    json_t *document = json_pack("{sb ss}", "right", right, "text",
                                 right ? "Right: it cannot be done." : "It can be done: there is a move.");
    if (right) json_object_set_new(document, "proof", proving.document);
    kn_reply_json(reply, 200, document);
}

/* A move leads to a problem of the same kind for the other side; its proof shows why the move is right or how
 * it is refuted. */
static void judge_move(KnWeb *web, const KnCall *call, const KnCaptureProblem *problem, KnMove move,
                       KnHttpReply *reply)
{
    const KnGame *game = problem->game;
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    memcpy(after, problem->position, game->position_size);
    game->type->play(game, after, move);
    if (game->type->cell(game, after, problem->target) == 0) {
        kn_reply_json(
            reply, 200,
            json_pack("{sb ss}", "right", 1, "text",
                      problem->answer ? "Right: the stone is captured." : "That captures the stone."));
        return;
    }
    KnCaptureProblem next = {.id = problem->id,
                             .game = game,
                             .position = after,
                             .target = problem->target,
                             .attack = !problem->attack};
    Proving proving = {.problem = &next};
    if (!run_proof(web, call, &proving, reply)) return;
    bool right = proving.answer < 0 || (!proving.answer && accepted(problem, move));
    const char *text = right                ? problem->answer ? "Right." : "That works."
                       : proving.answer > 0 ? "That does not work: the other side has a reply."
                                            : "The search could not prove whether that works.";
    json_t *document = json_pack("{ss so}", "text", text, "proof", proving.document);
    json_object_set_new(document, "right", right || proving.answer > 0 ? json_boolean(right) : json_null());
    kn_reply_json(reply, 200, document);
}

/* What if: plays the moves of a line, which turn by turn change the side that asks. False: the reply is
 * written. */
static bool follow_line(KnCaptureProblem *problem, unsigned char *position, const char *line,
                        KnHttpReply *reply)
{
    const KnGame *game = problem->game;
    char word[LINE_WORD];
    int used;
    problem->position = position;
    for (; sscanf(line, "%15s%n", word, &used) == 1; line += used) {
        KnMove move;
        KnError error;
        if (kn_game_parse_move(game, position, mover_of(problem), word, &move, &error) != KN_OK) {
            kn_reply_fail(reply, &error, "line");
            return false;
        }
        game->type->play(game, position, move);
        if (game->type->cell(game, position, problem->target) == 0) {
            kn_reply_error(reply, 422, "line", "nothing is left to ask after %s", word);
            return false;
        }
        problem->attack = !problem->attack;
        problem->answer = problem->count = 0; /* what is known holds at the start only */
    }
    return true;
}

static void judge(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    size_t at;
    const KnCaptureProblems *set;
    const char *text, *line;
    KnMove move;
    KnError error;
    if (!kn_call_text(call, "move", false, 20, &text, reply)) return;
    if (!kn_call_text(call, "line", false, LINE_MOST, &line, reply)) return;
    const KnCaptureProblem *first = asked(web, call, &at, &set, reply);
    if (!first) return;
    KnCaptureProblem here = *first, *problem = &here;
    unsigned char position[first->game->position_size] __attribute__((aligned(16)));
    memcpy(position, first->position, sizeof position);
    if (line && !follow_line(problem, position, line, reply)) return;
    if (!text && problem->answer == 0)
        kn_reply_error(reply, 422, "move", "name a move: what cannot be done is asked at the start only");
    else if (!text)
        judge_none(web, call, problem, reply);
    else if (kn_game_parse_move(problem->game, problem->position, mover_of(problem), text, &move, &error) !=
             KN_OK)
        kn_reply_fail(reply, &error, "move");
    else if (move == KN_GO_PASS)
        kn_reply_error(reply, 422, "move",
                       "a pass is no try: name a point, or no move at all if it cannot be done");
    else
        judge_move(web, call, problem, move, reply);
}

const KnRoute kn_routes_problems[] = {{"GET", "problems", list, 0},
                                      {"GET", "problems/*", show, 0},
                                      {"GET", "problems/*/proof", proof, 0},
                                      {"POST", "problems/*/try", judge, KN_WEB_BODY},
                                      {0}};
