/* knack capture: captures of Go, proved or refuted. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "search/capturing.h"

enum { FILE_MOST = 64 << 20, NO_LIMIT_SECONDS = 1 };

typedef struct Arguments {
    CliCommon common;
    char **files;
    int count;
    bool limited;
    const char *target;
    KnProofOptions proof;
} Arguments;

static const struct argp_option options[] = {
    {"strategy", 's', "N", 0, "1 to 8: widenings of Cazenave 2001, 9: brute force, 10 (default): both sides, all moves in the end", 1},
    {"time", 't', "SECONDS", 0, "For each problem (default: 1, unless --nodes is given)", 1},
    {"nodes", 'n', "N", 0, "Positions played for each problem: exact, whatever the machine", 1},
    {"target", 'x', "D4", 0, "In SGF: the string in question, before the first move (default: the stone with a triangle, TR)", 1},
    {"table", 'T', "keep|clear", 0, "Between one widening and the next (default: clear)", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->common; return 0;
    case 's': arguments->proof.strategy = (int)cli_parse_count(state, "--strategy", arg, 1, KN_PROOF_STRATEGIES); return 0;
    case 't':
        arguments->proof.seconds = cli_parse_real(state, "--time", arg, 1e-6, 1e6);
        arguments->limited = true;
        return 0;
    case 'n':
        arguments->proof.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX / 2);
        arguments->limited = true;
        return 0;
    case 'x': arguments->target = arg; return 0;
    case 'T':
        arguments->proof.keep = strcmp(arg, "keep") == 0;
        if (!arguments->proof.keep && strcmp(arg, "clear")) argp_error(state, "--table: keep or clear, not \"%s\"", arg);
        return 0;
    case ARGP_KEY_ARGS:
        arguments->files = state->argv + state->next;
        arguments->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which problems? Name a file of them"); return 0;
    case ARGP_KEY_END:
        if (!arguments->limited) arguments->proof.seconds = NO_LIMIT_SECONDS;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] = "Answers capture problems of Go: can the side to move capture the target, or save it?\v"
                          "Files hold SGF, or a JSON object a line: size, black, white, ko, to_move, target, kind (attack or defend) and, if "
                          "known, answer (win or loss) and the accepted moves. An answer is given only when it is proved. Examples:\n"
                          "  knack capture problems.jsonl\n"
                          "  knack capture --strategy 3 --nodes 20000 problems.jsonl\n"
                          "  knack capture --target D4 game.sgf";

typedef struct Totals {
    int problems, right, wrong, unknown;
    uint64_t nodes;
    double seconds;
} Totals;

static const char *answer_name(int answer) { return answer > 0 ? "win" : answer < 0 ? "loss" : "unknown"; }

static json_t *line_json(const KnProblem *problem, const KnCaptured *captured, KnArena *arena)
{
    json_t *line = json_array();
    for (int i = 0; i < captured->length; i++)
        json_array_append_new(line, json_string(kn_game_move_name(problem->game, problem->position, captured->line[i], arena)));
    return line;
}

static void print_problem(const KnProblem *problem, const KnCaptured *captured, bool json, KnArena *arena)
{
    const char *move = captured->answer > 0 ? kn_game_move_name(problem->game, problem->position, captured->move, arena) : NULL;
    if (json) {
        json_t *row = json_pack("{ss ss ss? sI sf sb sb so}", "id", problem->id, "answer", answer_name(captured->answer), "move", move,
                                "nodes", (json_int_t)captured->proof.nodes, "seconds", captured->proof.seconds, "right", captured->right,
                                "ko", captured->ko, "line", line_json(problem, captured, arena));
        json_dumpf(row, stdout, JSON_COMPACT | JSON_SORT_KEYS);
        puts("");
        json_decref(row);
        return;
    }
    printf("%-24s %-7s %-5s %9" PRIu64 " nodes %8.4f s  %s", problem->id, answer_name(captured->answer), move ? move : "",
           captured->proof.nodes, captured->proof.seconds, captured->wrong ? "WRONG" : captured->right ? "right" : captured->answer ? "" : "-");
    if (captured->ko) printf(" (by ko)");
    for (int i = 0; i < captured->length; i++)
        printf("%s%s", i ? " " : "  ", kn_game_move_name(problem->game, problem->position, captured->line[i], arena));
    puts("");
}

static KnStatus answer_file(const Arguments *arguments, const KnContext *context, KnProofSearch *search, const char *path, Totals *totals,
                            KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnProblems *problems = NULL;
    KnStatus status = kn_file_read(path, &text, FILE_MOST, error);
    if (status == KN_OK && arguments->target && text.data[strspn(text.data, " \t\r\n")] != '(')
        status = kn_fail(error, KN_USAGE, "%s: --target is for SGF; in lines of JSON each problem names its own", path);
    if (status == KN_OK)
        status = arguments->target ? kn_problems_read_sgf(context, text.data, path, arguments->target, &problems, error)
                                   : kn_problems_read(context, text.data, path, &problems, error);
    KnArena *arena = kn_arena_new();
    for (size_t i = 0; status == KN_OK && i < problems->count && !atomic_load(cli_interrupt()); i++) {
        KnCaptured captured;
        status = kn_capturing_solve(search, &problems->list[i], &captured, error);
        if (status != KN_OK) break;
        print_problem(&problems->list[i], &captured, arguments->common.json, arena);
        kn_arena_reset(arena);
        totals->problems++, totals->nodes += captured.proof.nodes, totals->seconds += captured.proof.seconds;
        totals->right += captured.right, totals->wrong += captured.wrong, totals->unknown += !captured.answer;
    }
    kn_arena_free(arena);
    kn_problems_free(problems);
    kn_text_free(&text);
    return status;
}

static void print_totals(const Totals *t, bool json)
{
    if (json)
        printf("{\"nodes\":%" PRIu64 ",\"problems\":%d,\"right\":%d,\"seconds\":%.6f,\"unknown\":%d,\"wrong\":%d}\n", t->nodes, t->problems,
               t->right, t->seconds, t->unknown, t->wrong);
    else
        printf("%d problems: %d right, %d unknown, %d wrong; %" PRIu64 " nodes, %.3f s\n", t->problems, t->right, t->unknown, t->wrong,
               t->nodes, t->seconds);
}

int command_capture(int argc, char **argv)
{
    Arguments arguments = {0};
    const struct argp argp = {options, parse, "FILE...", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnProofSearch *search;
    Totals totals = {0};
    KnStatus status = kn_proof_new(&arguments.proof, &search, &error);
    for (int i = 0; status == KN_OK && i < arguments.count; i++)
        status = answer_file(&arguments, context, search, arguments.files[i], &totals, &error);
    if (status == KN_OK) print_totals(&totals, arguments.common.json);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    kn_proof_free(search);
    kn_context_free(context);
    return code;
}
