/* knack tables: endgame tables, built, listed, counted, checked and asked. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/tables.h"
#include "games/checkers/endgame_build.h"

typedef struct Arguments {
    CliCommon common;
    const char *action, *game, *position, *folder;
    int pieces, jobs;
    bool distance;
} Arguments;

enum { KEY_FOLDER = 0x100, KEY_DISTANCE };

static const struct argp_option options[] = {
    {"pieces", 'p', "N", 0, "For build: tables with 2 to N pieces", 1},
    {"distance", KEY_DISTANCE, 0, 0, "For build: also how many plies it takes to win (larger)", 1},
    {"folder", KEY_FOLDER, "DIR", 0, "Folder of the tables (default: tables/checkers in the data folder)", 1},
    {"jobs", 'j', "N", 0, "Threads (default: all cores); the tables do not depend on it", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case 'p':
        arguments->pieces = (int)cli_parse_count(state, "--pieces", arg, 2, KN_ENDGAME_PIECES);
        return 0;
    case 'j':
        arguments->jobs = (int)cli_parse_count(state, "--jobs", arg, 1, 1024);
        return 0;
    case KEY_DISTANCE:
        arguments->distance = true;
        return 0;
    case KEY_FOLDER:
        arguments->folder = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->action)
            arguments->action = arg;
        else if (!arguments->game)
            arguments->game = arg;
        else if (!arguments->position)
            arguments->position = arg;
        else
            argp_error(state, "one argument too many: \"%s\"", arg);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->action) argp_error(state, "what is wanted: build, list, stat, check or probe?");
        if (!arguments->game) arguments->game = "checkers";
        if (strcmp(arguments->action, "build") == 0 && !arguments->pieces)
            argp_error(state, "build: how many --pieces?");
        if (strcmp(arguments->action, "probe") == 0 && !arguments->position)
            argp_error(state, "probe: a game and a position are wanted");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Build, check and probe endgame tables: the value of every position with few pieces.\v"
    "`build` solves slice by slice, checks every value against its successors, and "
    "continues where it was interrupted. `list` shows which "
    "tables are there, `stat` counts wins, draws and losses (for the side to move; one "
    "of the two colours), `check` reads and checks "
    "everything again, `probe` asks for a position and its moves. Players use them "
    "with alphabeta(tables=on), matches with --tables on.\n"
    "Examples:\n"
    "  knack tables build checkers --pieces 4\n"
    "  knack tables stat checkers\n"
    "  knack tables probe checkers 'W:WK10,K11:BK1'";
static const char usage[] = "build GAME\nlist [GAME]\nstat [GAME]\ncheck [GAME]\nprobe GAME POSITION";

static int build(const Arguments *arguments, const KnContext *context, const char *folder)
{
    KnError error;
    KnEndgameBuilt built;
    double started = kn_clock_now();
    KnProgress *progress = cli_progress(&arguments->common, "tables", kn_endgame_work(arguments->pieces));
    KnEndgamePlan plan = {.folder = folder,
                          .pieces = arguments->pieces,
                          .kind = arguments->distance ? KN_ENDGAME_DISTANCE : KN_ENDGAME_WLD,
                          .jobs = arguments->jobs,
                          .progress = progress,
                          .cancel = cli_interrupt(),
                          .context = context};
    KnStatus status = kn_endgame_build(&plan, &built, &error);
    kn_progress_free(progress);
    if (status == KN_STOPPED) {
        kn_fail(&error, KN_STOPPED, "stopped; the same command goes on with the slice that was under way");
        return cli_fail(&error);
    }
    if (status != KN_OK) return cli_fail(&error);
    double seconds = kn_clock_now() - started;
    if (arguments->common.json)
        return cli_print_json(json_pack("{ss si si si sf}", "folder", folder, "pieces", arguments->pieces,
                                        "built", built.made, "found", built.found, "seconds", seconds));
    printf("%d slices built and checked, %d were there; %.1f s\n%s\n", built.made, built.found, seconds,
           folder);
    return cli_finish();
}

/* What a row of `stat` and `list` adds up. */
typedef struct Sum {
    uint64_t positions, wins, draws, losses, bytes, longest;
    int slices;
} Sum;

static void add(Sum *sum, const KnEndgameHead *head)
{
    sum->positions += head->positions;
    sum->wins += head->wins;
    sum->draws += head->draws;
    sum->losses += head->losses;
    sum->bytes += head->file_bytes;
    if (head->longest > sum->longest) sum->longest = head->longest;
    sum->slices++;
}

static void print_sum(const char *name, const Sum *sum)
{
    printf("%-12s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 " %8" PRIu64 " %14" PRIu64 "\n", name,
           sum->positions, sum->wins, sum->draws, sum->losses, sum->longest, sum->bytes);
}

static json_t *sum_json(const char *name, const Sum *sum)
{
    return json_pack("{ss sI sI sI sI sI sI}", "slice", name, "positions", (json_int_t)sum->positions, "wins",
                     (json_int_t)sum->wins, "draws", (json_int_t)sum->draws, "losses",
                     (json_int_t)sum->losses, "longest", (json_int_t)sum->longest, "bytes",
                     (json_int_t)sum->bytes);
}

static void print_notes(const KnEndgame *tables)
{
    if (kn_endgame_notes(tables)[0]) fprintf(stderr, "knack: left out:\n%s", kn_endgame_notes(tables));
}

static int stat(const KnEndgame *tables, bool json)
{
    KnMaterial all[KN_ENDGAME_SLICES];
    json_t *slices = json_array(), *sums = json_array();
    if (!json)
        printf("%-12s %14s %14s %14s %14s %8s %14s\n", "slice", "positions", "won", "drawn", "lost",
               "longest", "bytes");
    Sum total = {0};
    for (int pieces = 2; pieces <= KN_ENDGAME_PIECES; pieces++) {
        Sum sum = {0};
        int count = kn_materials(pieces, all);
        for (int i = 0; i < count; i++) {
            const KnEndgameFile *file = kn_endgame_slice(tables, all[i]);
            if (!file) continue;
            char name[KN_MATERIAL_TEXT];
            Sum one = {0};
            kn_material_text(all[i], name);
            add(&one, &file->head);
            add(&sum, &file->head);
            add(&total, &file->head);
            if (json)
                json_array_append_new(slices, sum_json(name, &one));
            else
                print_sum(name, &one);
        }
        char name[32];
        snprintf(name, sizeof name, "%d pieces", pieces);
        if (sum.slices && json)
            json_array_append_new(sums, sum_json(name, &sum));
        else if (sum.slices)
            print_sum(name, &sum);
    }
    if (json)
        return cli_print_json(
            json_pack("{so so so}", "slices", slices, "pieces", sums, "all", sum_json("all", &total)));
    json_decref(slices);
    json_decref(sums);
    print_sum("all", &total);
    return cli_finish();
}

static int list(const KnEndgame *tables, bool json)
{
    KnMaterial all[KN_ENDGAME_SLICES];
    json_t *rows = json_array();
    for (int pieces = 2; pieces <= KN_ENDGAME_PIECES; pieces++) {
        Sum sum = {0};
        int count = kn_materials(pieces, all), distances = 0;
        for (int i = 0; i < count; i++) {
            const KnEndgameFile *file = kn_endgame_slice(tables, all[i]);
            if (!file) continue;
            add(&sum, &file->head);
            distances += file->head.kind == KN_ENDGAME_DISTANCE;
        }
        if (!sum.slices) continue;
        if (json)
            json_array_append_new(rows,
                                  json_pack("{si si si si sI}", "pieces", pieces, "slices", sum.slices, "of",
                                            count, "distances", distances, "bytes", (json_int_t)sum.bytes));
        else
            printf("%d pieces  %3d of %3d slices, %3d with distances  %14" PRIu64 " bytes\n", pieces,
                   sum.slices, count, distances, sum.bytes);
    }
    if (json)
        return cli_print_json(json_pack("{ss so si ss}", "folder", kn_endgame_place(tables), "tables", rows,
                                        "complete", kn_endgame_pieces(tables), "left_out",
                                        kn_endgame_notes(tables)));
    json_decref(rows);
    printf("complete up to %d pieces\n%s\n", kn_endgame_pieces(tables), kn_endgame_place(tables));
    return cli_finish();
}

static int check(const Arguments *arguments, const KnEndgame *tables)
{
    KnError error;
    KnProgress *progress = cli_progress(&arguments->common, "checking", kn_endgame_check_work(tables));
    KnEndgamePlan plan = {.jobs = arguments->jobs, .progress = progress, .cancel = cli_interrupt()};
    uint64_t asked;
    double started = kn_clock_process_cpu();
    KnStatus status = kn_endgame_check(tables, &plan, &asked, &error);
    double seconds = kn_clock_process_cpu() - started;
    kn_progress_free(progress);
    if (status == KN_STOPPED) kn_fail(&error, KN_STOPPED, "stopped");
    if (status != KN_OK) return cli_fail(&error);
    if (kn_endgame_notes(tables)[0]) return KN_INPUT; /* they are printed */
    if (arguments->common.json)
        return cli_print_json(
            json_pack("{sb sI sf}", "whole", true, "questions", (json_int_t)asked, "cpu_seconds", seconds));
    printf("every value follows from its successors: %" PRIu64
           " questions, %.1f s of processor time, %.0f ns each with the rules\n",
           asked, seconds, asked ? seconds / (double)asked * 1e9 : 0);
    return cli_finish();
}

static json_t *answer_json(KnEndgameAnswer answer)
{
    json_t *object = json_pack("{ss}", "value",
                               answer.value > 0   ? "win"
                               : answer.value < 0 ? "loss"
                                                  : "draw");
    if (answer.value && answer.plies >= 0) json_object_set_new(object, "plies", json_integer(answer.plies));
    return object;
}

static void print_answer(const char *name, KnEndgameAnswer answer)
{
    KnText text = KN_TEXT_EMPTY;
    kn_endgame_answer_text(answer, &text);
    printf("%-12s %s\n", name, text.data);
    kn_text_free(&text);
}

/* The value of the position, and after each of its moves; KN_NO if the tables do not hold it. */
static KnStatus probe(const KnEndgame *tables, const void *position, const KnMove *moves, int count,
                      KnEndgameAnswer *value, KnEndgameAnswer *after, KnError *error)
{
    KnEndgameProber *prober = kn_endgame_prober(tables, (size_t)1 << 24);
    if (!prober) return kn_fail_memory(error, "probing endgame tables");
    bool known = kn_endgame_ask(prober, position, value);
    for (int i = 0; i < count && known; i++)
        known = kn_endgame_ask_move(prober, position, moves[i], &after[i]);
    KnStatus status = kn_endgame_prober_status(prober, error);
    kn_endgame_prober_free(prober);
    if (status != KN_OK || known) return status;
    return kn_fail(error, KN_NO, "the tables do not know this position (they are complete up to %d pieces)",
                   kn_endgame_pieces(tables));
}

int cli_probe_tables(const KnState *state, const KnEndgame *tables, bool json)
{
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    KnError error;
    KnMove moves[game->max_moves];
    int count = game->type->moves(game, position, moves);
    KnEndgameAnswer value, after[game->max_moves];
    if (probe(tables, position, moves, count, &value, after, &error) != KN_OK) return cli_fail(&error);
    KnArena *arena = kn_arena_new();
    json_t *rows = json_object(),
           *document = json_pack("{so so}", "position", answer_json(value), "moves", rows);
    if (!json) print_answer("position", value);
    for (int i = 0; i < count; i++) {
        const char *name = kn_game_move_name(game, position, moves[i], arena);
        if (json)
            json_object_set_new(rows, name, answer_json(after[i]));
        else
            print_answer(name, after[i]);
    }
    kn_arena_free(arena);
    if (json) return cli_print_json(document);
    json_decref(document);
    return cli_finish();
}

static int look(const Arguments *arguments, const KnGame *game, const char *folder)
{
    KnError error;
    KnEndgame *tables = NULL;
    KnState *game_state = NULL;
    KnStatus status = kn_endgame_open(game, folder, &tables, &error);
    if (status == KN_OK && arguments->position)
        status = cli_state_from(game, arguments->position, &game_state, &error);
    int code;
    if (status != KN_OK)
        code = cli_fail(&error);
    else {
        print_notes(tables);
        if (strcmp(arguments->action, "list") == 0)
            code = list(tables, arguments->common.json);
        else if (strcmp(arguments->action, "stat") == 0)
            code = stat(tables, arguments->common.json);
        else if (strcmp(arguments->action, "check") == 0)
            code = check(arguments, tables);
        else
            code = cli_probe_tables(game_state, tables, arguments->common.json);
    }
    kn_state_free(game_state);
    kn_endgame_close(tables);
    return code;
}

int command_tables(int argc, char **argv)
{
    static const char *const actions[] = {"build", "list", "stat", "check", "probe"};
    Arguments arguments = {0};
    const struct argp argp = {options, parse, usage, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    bool known = false;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        known |= strcmp(actions[i], arguments.action) == 0;
    KnError error;
    if (!known) {
        kn_fail(&error, KN_USAGE, "knack tables cannot \"%s\"; it can build, list, stat, check and probe",
                arguments.action);
        return cli_fail(&error);
    }
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnGame *game = NULL;
    KnText folder = KN_TEXT_EMPTY;
    KnStatus status = kn_game_open(context, arguments.game, &game, &error);
    if (status == KN_OK) status = kn_endgame_suits(game, &error);
    kn_endgame_folder(context, arguments.folder, &folder);
    if (status != KN_OK)
        code = cli_fail(&error);
    else
        code = strcmp(arguments.action, "build") == 0 ? build(&arguments, context, folder.data)
                                                      : look(&arguments, game, folder.data);
    kn_text_free(&folder);
    kn_game_close(game);
    kn_close(context);
    return code;
}
