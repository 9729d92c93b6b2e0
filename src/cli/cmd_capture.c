/* knack capture: proves or refutes captures of Go strings. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "methods/widening/capture_certified.h"
#include "methods/widening/capture_strings.h"
#include "methods/widening/capture_tree.h"

enum { NO_LIMIT_SECONDS = 1, GAMES_BYTES_MAX = 1 << 28 };

typedef struct Arguments {
    CliCommon common;
    char **files;
    int count;
    bool limited, seeded, explain, believe, certify;
    int volume, strings;
    const char *target, *sgf, *out, *goal;
    KnCaptureMaking making;
    KnProofOptions proof;
} Arguments;

enum { KEY_MAKE = 0x100, KEY_SEED, KEY_SGF, KEY_VOLUME, KEY_GOAL, KEY_BELIEVE, KEY_CERTIFY, KEY_STRINGS };

static const struct argp_option options[] = {
    {"strategy", 's', "N", 0,
     "1 to 8: iterative widening (Cazenave 2001); 9: brute force; 10 (default): widening for both sides up "
     "to all moves",
     1},
    {"time", 't', "SECONDS", 0, "Time for each problem (default: 1, unless you give --nodes)", 1},
    {"nodes", 'n', "N", 0, "Nodes for each problem; the result does not depend on the machine", 1},
    {"target", 'x', "D4", 0,
     "In SGF: a stone of the target before the first move (default: the stone marked with a triangle, TR)",
     1},
    {"table", 'T', "keep|clear", 0, "Transposition table between two widenings (default: clear)", 1},
    {"volume", KEY_VOLUME, "N", 0, "Solve only the problems of this volume of a graded set", 1},
    {"goal", KEY_GOAL, "first|lasting", 0,
     "Which capture counts: the first one, or (default) only one that is not taken back at once, as in a "
     "snapback",
     1},
    {"believe", KEY_BELIEVE, 0, 0,
     "Ask the fast reader only: an answer in under a millisecond that is believed, not proved", 1},
    {"explain", 'e', 0, 0, "Show each proof: the answer to every reasonable try", 1},
    {"sgf", KEY_SGF, "FILE", 0, "Write the problems to FILE, with their proofs as variations", 1},
    {"make", KEY_MAKE, "N", 0, "Make N new problems from self-play games, with proved answers", 2},
    {"certify", KEY_CERTIFY, "N", 0,
     "Make N new problems, certified and graded by exhaustive search: captures in 3, 5 and 7 plies", 2},
    {"strings", KEY_STRINGS, "N", 0,
     "Take N strings of two to four liberties from the games of SGF files, as problems without an answer", 2},
    {"seed", KEY_SEED, "S", 0, "With --make, --certify and --strings: random seed (default 1)", 2},
    {"out", 'o', "FILE", 0, "With these: write the problems to FILE (default: standard output)", 2},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 's':
        arguments->proof.strategy = (int)cli_parse_count(state, "--strategy", arg, 1, KN_PROOF_STRATEGIES);
        return 0;
    case 't':
        arguments->proof.seconds = cli_parse_real(state, "--time", arg, 1e-6, 1e6);
        arguments->limited = true;
        return 0;
    case 'n':
        arguments->proof.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX / 2);
        arguments->limited = true;
        return 0;
    case KEY_VOLUME:
        arguments->volume = (int)cli_parse_count(state, "--volume", arg, 1, 1000);
        return 0;
    case KEY_BELIEVE:
        arguments->believe = true;
        return 0;
    case KEY_GOAL:
        if (strcmp(arg, "first") && strcmp(arg, "lasting"))
            argp_error(state, "--goal takes first or lasting, not \"%s\"", arg);
        arguments->goal = arg;
        return 0;
    case KEY_SGF:
        arguments->sgf = arg;
        return 0;
    case 'e':
        arguments->explain = true;
        return 0;
    case KEY_MAKE:
        arguments->making.problems = (int)cli_parse_count(state, "--make", arg, 1, 100000);
        return 0;
    case KEY_CERTIFY:
        arguments->making.problems = (int)cli_parse_count(state, "--certify", arg, 1, 100000);
        arguments->certify = true;
        return 0;
    case KEY_STRINGS:
        arguments->strings = (int)cli_parse_count(state, "--strings", arg, 1, 1000000);
        return 0;
    case KEY_SEED:
        arguments->making.seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX),
        arguments->seeded = true;
        return 0;
    case 'o':
        arguments->out = arg;
        return 0;
    case 'x':
        arguments->target = arg;
        return 0;
    case 'T':
        arguments->proof.keep = strcmp(arg, "keep") == 0;
        if (!arguments->proof.keep && strcmp(arg, "clear"))
            argp_error(state, "--table takes keep or clear, not \"%s\"", arg);
        return 0;
    case ARGP_KEY_ARGS:
        arguments->files = state->argv + state->next;
        arguments->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->making.problems && !arguments->count) argp_error(state, "give a file of problems");
        if (arguments->making.problems && arguments->count)
            argp_error(state, "--%s takes no problem file: \"%s\"", arguments->certify ? "certify" : "make",
                       arguments->files[0]);
        if (arguments->making.problems && arguments->strings)
            argp_error(state, "problems are either made or taken from games");
        if (!arguments->making.problems && !arguments->strings && (arguments->seeded || arguments->out))
            argp_error(state, "--seed and --out need --make, --certify or --strings");
        if (!arguments->limited) arguments->proof.seconds = NO_LIMIT_SECONDS;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Solve capture problems of Go: can the side to move capture the target, or save it?\v"
    "Files hold SGF, or one JSON object a line: size, black, white, ko, to_move, target, kind (attack or "
    "defend) "
    "and, if known, answer (win or loss) and the accepted moves. An answer is proved, unless it says that it "
    "is believed. Examples:\n"
    "  knack capture captures                      the built-in set: 330 problems in three volumes\n"
    "  knack capture certified                     150 problems certified by exhaustive search\n"
    "  knack capture problems.jsonl\n"
    "  knack capture --strategy 3 --nodes 20000 problems.jsonl\n"
    "  knack capture --target D4 game.sgf\n"
    "  knack capture --make 30 --seed 7 -o new.jsonl\n"
    "  knack capture --strings 1000 -o strings.jsonl games.sgf";

typedef struct Totals {
    int problems, right, wrong, unknown;
    uint64_t nodes;
    double seconds;
} Totals;

static const char *answer_name(int answer) { return answer > 0 ? "win" : answer < 0 ? "loss" : "unknown"; }

static const char *const ko_names[] = {"none", "depends", "unknown"};

static json_t *line_json(const KnCaptureProblem *problem, const KnCaptureSolution *captured, KnArena *arena)
{
    json_t *line = json_array();
    for (int i = 0; i < captured->length; i++)
        json_array_append_new(
            line, json_string(kn_game_move_name(problem->game, problem->position, captured->line[i], arena)));
    return line;
}

/* An escape that is proved only where fewer liberties than usual count as saved: a longer capture may exist.
 */
static bool is_limited(const KnCaptureSolution *captured)
{
    return captured->proof.verdict == KN_DISPROVED && captured->limit < KN_CAPTURE_LIMIT;
}

/* Which tier an answer comes from. */
static const char *tier_name(const KnCaptureSolution *captured)
{
    if (!captured->answer) return "none";
    return captured->belief.answer ? "believed" : is_limited(captured) ? "limited" : "proved";
}

/* What the reader believes where nothing is proved. */
static json_t *belief_json(const KnCaptureProblem *problem, const KnCaptureBelief *belief, KnArena *arena)
{
    const char *move = belief->answer > 0
                           ? kn_game_move_name(problem->game, problem->position, belief->move, arena)
                           : NULL;
    return json_pack("{ss ss? sb}", "answer", answer_name(belief->answer), "move", move, "settled",
                     belief->settled);
}

static void print_problem(const KnCaptureProblem *problem, const KnCaptureSolution *captured, bool json,
                          KnArena *arena)
{
    const char *move = captured->answer > 0
                           ? kn_game_move_name(problem->game, problem->position, captured->move, arena)
                           : NULL;
    if (json) {
        json_t *row = json_pack(
            "{ss ss ss ss? sI sf sb ss si so}", "id", problem->id, "tier", tier_name(captured), "answer",
            answer_name(captured->answer), "move", move, "nodes", (json_int_t)captured->proof.nodes,
            "seconds", captured->proof.seconds, "right", captured->right, "ko", ko_names[captured->ko],
            "saved_with", captured->limit + 1, "line", line_json(problem, captured, arena));
        if (captured->ko == KN_KO_DEPENDS)
            json_object_set_new(
                row, "ko_needs",
                json_pack("{ss si}", "side", captured->ko_role ? "W" : "B", "threats", captured->ko_threats));
        if (captured->belief.answer)
            json_object_set_new(row, "believed", belief_json(problem, &captured->belief, arena));
        json_dumpf(row, stdout, JSON_COMPACT | JSON_SORT_KEYS);
        puts("");
        json_decref(row);
        return;
    }
    printf("%-24s %-7s %-5s %9" PRIu64 " nodes %8.4f s  %s", problem->id, answer_name(captured->answer),
           move ? move : "", captured->proof.nodes, captured->proof.seconds,
           captured->wrong    ? "WRONG"
           : captured->right  ? "right"
           : captured->answer ? ""
                              : "-");
    if (captured->ko) {
        KnText text = KN_TEXT_EMPTY;
        kn_capture_ko_text(captured, &text);
        printf(" (%s)", text.data);
        kn_text_free(&text);
    }
    if (captured->answer && captured->belief.answer)
        printf(" (believed, not proved)");
    else if (captured->belief.answer)
        printf(" (believed: %s%s%s)", answer_name(captured->belief.answer),
               captured->belief.answer > 0 ? " " : "",
               captured->belief.answer > 0
                   ? kn_game_move_name(problem->game, problem->position, captured->belief.move, arena)
                   : "");
    if (captured->proof.verdict == KN_DISPROVED)
        printf(" (%d liberties count as saved%s)", captured->limit + 1,
               is_limited(captured) ? "; not proved with more" : "");
    for (int i = 0; i < captured->length; i++)
        printf("%s%s", i ? " " : "  ",
               kn_game_move_name(problem->game, problem->position, captured->line[i], arena));
    puts("");
}

static KnStatus believe_problem(const Arguments *a, KnReader *reader, const KnCaptureProblem *problem,
                                KnArena *arena, KnCaptureSolution *captured, KnError *error)
{
    KnCaptureBelief belief;
    *captured = (KnCaptureSolution){0};
    KnStatus status = kn_capture_believe(reader, problem, a->proof.nodes, &belief, error);
    if (status != KN_OK) return status;
    captured->answer = belief.answer, captured->move = belief.move, captured->length = belief.length;
    captured->belief = belief, captured->limit = KN_CAPTURE_LIMIT - 1;
    captured->right = belief.right, captured->wrong = belief.wrong;
    captured->proof.nodes = belief.nodes, captured->proof.seconds = belief.seconds;
    for (int i = 0; i < belief.length; i++) captured->line[i] = belief.line[i];
    print_problem(problem, captured, a->common.json, arena);
    return KN_OK;
}

/* Solves one problem; keeps its proof as a tree if wanted. */
static KnStatus answer_problem(const Arguments *a, KnProofSearch *search, const KnCaptureProblem *problem,
                               KnArena *arena, KnCaptureSolution *captured, KnText *sgf, KnError *error)
{
    bool told = a->explain && !a->common.json;
    if (!told && !a->sgf) {
        KnStatus status = kn_capture_solve(search, problem, captured, error);
        if (status == KN_OK) print_problem(problem, captured, a->common.json, arena);
        return status;
    }
    KnProofTree tree;
    KnStatus status = kn_capture_tree(search, problem, 0, arena, &tree, error);
    if (status != KN_OK) return status;
    *captured = tree.captured;
    print_problem(problem, captured, a->common.json, arena);
    KnText text = KN_TEXT_EMPTY;
    KnExplanation *explanation = told ? kn_capture_explain(problem, &tree, arena) : NULL;
    KnSgfNode *node = a->sgf ? kn_capture_sgf(problem, &tree, arena) : NULL;
    if ((told && !explanation) || (a->sgf && !node)) status = kn_fail_memory(error, "showing a proof");
    if (explanation) kn_explanation_print(explanation, &text);
    if (node) kn_sgf_print(node, sgf);
    fputs(text.data, stdout);
    kn_text_free(&text);
    return status;
}

static KnStatus answer_file(const Arguments *arguments, const KnContext *context, KnProofSearch *search,
                            KnReader *reader, const char *path, Totals *totals, KnText *sgf, KnError *error)
{
    KnCaptureProblems *problems;
    KnStatus status = kn_problems_load(context, path, arguments->target, &problems, error);
    if (status != KN_OK) return status;
    KnArena *arena = kn_arena_new();
    for (size_t i = 0; status == KN_OK && i < problems->count && !atomic_load(cli_interrupt()); i++) {
        KnCaptureSolution captured;
        if (arguments->volume && problems->list[i].volume != arguments->volume) continue;
        if (arguments->goal) problems->list[i].first = strcmp(arguments->goal, "first") == 0;
        status = arguments->believe
                     ? believe_problem(arguments, reader, &problems->list[i], arena, &captured, error)
                     : answer_problem(arguments, search, &problems->list[i], arena, &captured, sgf, error);
        kn_arena_reset(arena);
        if (status != KN_OK) break;
        totals->problems++, totals->nodes += captured.proof.nodes, totals->seconds += captured.proof.seconds;
        totals->right += captured.right, totals->wrong += captured.wrong, totals->unknown += !captured.answer;
    }
    kn_arena_free(arena);
    kn_problems_free(problems);
    return status;
}

static void print_totals(const Totals *t, bool json)
{
    if (json)
        printf("{\"nodes\":%" PRIu64
               ",\"problems\":%d,\"right\":%d,\"seconds\":%.6f,\"unknown\":%d,\"wrong\":%d}\n",
               t->nodes, t->problems, t->right, t->seconds, t->unknown, t->wrong);
    else
        printf("%d problems: %d right, %d unknown, %d wrong; %" PRIu64 " nodes, %.3f s\n", t->problems,
               t->right, t->unknown, t->wrong, t->nodes, t->seconds);
}

/* Writes made problems to the file that was named, or prints them. */
static KnStatus put_out(const Arguments *a, const KnText *text, KnError *error)
{
    if (a->out) return kn_file_write_atomic(a->out, text->data, text->length, error);
    fputs(text->data, stdout);
    return KN_OK;
}

static KnStatus make(Arguments *a, const KnContext *context, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    a->making.cancel = cli_interrupt();
    a->making.progress = cli_progress(&a->common, "problems", (uint64_t)a->making.problems);
    KnStatus status = (a->certify ? kn_capture_certify : kn_capture_make)(context, &a->making, &text, error);
    kn_progress_free(a->making.progress);
    if (status == KN_OK) status = put_out(a, &text, error);
    kn_text_free(&text);
    return status;
}

/* Strings from games. */
static KnStatus sample(const Arguments *a, const KnContext *context, KnError *error)
{
    KnCaptureStrings *strings = kn_capture_strings_new(context, a->strings, a->making.seed);
    KnStatus status = strings ? KN_OK : kn_fail_memory(error, "reading games");
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; status == KN_OK && i < a->count; i++) {
        kn_text_clear(&text);
        status = kn_file_read_text(a->files[i], &text, GAMES_BYTES_MAX, error);
        if (status == KN_OK) status = kn_capture_strings_see(strings, text.data, a->files[i], error);
    }
    kn_text_clear(&text);
    if (status == KN_OK) status = kn_capture_strings_write(strings, &text, error);
    if (status == KN_OK) status = put_out(a, &text, error);
    kn_text_free(&text);
    kn_capture_strings_free(strings);
    return status;
}

static KnStatus answer_files(const Arguments *a, const KnContext *context, KnError *error)
{
    KnProofSearch *search;
    Totals totals = {0};
    KnStatus status = kn_proof_new(&a->proof, &search, error);
    KnText sgf = KN_TEXT_EMPTY;
    KnReader *reader = kn_reader_new();
    if (status == KN_OK && !reader) status = kn_fail_memory(error, "opening a reader");
    for (int i = 0; status == KN_OK && i < a->count; i++)
        status = answer_file(a, context, search, reader, a->files[i], &totals, &sgf, error);
    if (status == KN_OK) print_totals(&totals, a->common.json);
    if (status == KN_OK && a->sgf)
        status = kn_text_ok(&sgf) ? kn_file_write_atomic(a->sgf, sgf.data, sgf.length, error)
                                  : kn_fail_memory(error, "writing SGF");
    kn_text_free(&sgf);
    kn_reader_free(reader);
    kn_proof_free(search);
    return status;
}

int command_capture(int argc, char **argv)
{
    Arguments arguments = {.making = {.seed = 1}, .proof = {.strict = true}};
    const struct argp argp = {
        options, parse, "FILE...\n--make N\n--certify N\n--strings N FILE...", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnStatus status = arguments.making.problems ? make(&arguments, context, &error)
                      : arguments.strings       ? sample(&arguments, context, &error)
                                                : answer_files(&arguments, context, &error);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    kn_close(context);
    return code;
}
