/* knack train: trains a learner. The learners, their options and their defaults come from the rows of
 * methods/learners.c; this file knows none of them by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/json.h"
#include "base/sealed.h"
#include "cli/commands.h"
#include "cli/picture.h"
#include "cli/train.h"
#include "methods/registry.h"

/* ---- finding the row ---- */

static const KnLearnerType *find_row(const char *name, size_t length)
{
    for (const KnLearnerType *const *row = kn_learners; *row; row++)
        if (strlen((*row)->head.name) == length && strncasecmp((*row)->head.name, name, length) == 0)
            return *row;
    return NULL;
}

/* For man pages and completion: argv[0] is "knack train NAME". */
static int describe_row(int argc, char **argv)
{
    const char *name = strrchr(argv[0], ' ') + 1;
    TrainArguments a = {.type = find_row(name, strlen(name)), .given = ""};
    KN_ASSERT(a.type != NULL);
    train_read_options(&a, argc, argv);
    return KN_USAGE;
}

const Command *cli_train_parts(void)
{
    enum { ROWS = 64 };
    static Command parts[ROWS];
    int count = 0;
    for (const KnLearnerType *const *row = kn_learners; *row; row++) {
        KN_ASSERT(count < ROWS - 1);
        parts[count++] = (Command){(*row)->head.name, (*row)->head.summary, describe_row};
    }
    return parts;
}

static void print_help(FILE *out)
{
    fputs("Usage: knack train LEARNER GAME [OPTION...] --out FILE\n"
          "  or:  knack train LEARNER GAME [OPTION...] --into DIR [--seeds N]\n"
          "  or:  knack train --resume DIR\n"
          "Learn something about a game by playing it, and write it to a file that players read.\n\n",
          out);
    for (const KnLearnerType *const *row = kn_learners; *row; row++)
        fprintf(out, "  %-11s %s\n", (*row)->head.name, (*row)->head.summary);
    fputs(
        "\n`knack train LEARNER --help` explains a learner, with its options and examples. LEARNER may also "
        "be a spec, such as 'td(depth=3)'. --sweep NAME=VALUE,...\n"
        "trains with each setting of the option NAME, and shows one table and one picture of where the "
        "learning curves end.\n",
        out);
}

/* ---- results ---- */

enum { GROWTH_ROWS = 10, GROWTH_POINTS = 8 };

/* The names whose values are largest at the end, by their size. Returns their number. */
static int largest_at_end(const json_t *last, const char **names)
{
    const char *name;
    json_t *value;
    double sizes[GROWTH_ROWS + 1];
    int count = 0;
    json_object_foreach((json_t *)(uintptr_t)last, name, value)
    {
        double size = fabs(json_number_value(value));
        int at = count;
        for (; at > 0 && size > sizes[at - 1]; at--) sizes[at] = sizes[at - 1], names[at] = names[at - 1];
        sizes[at] = size;
        names[at] = name;
        if (count < GROWTH_ROWS) count++;
    }
    return count;
}

/* Rows with an object of numbers each, as a table over time: the largest at the end, at some of the points.
 */
static void print_growth(const json_t *rows, const char *field, const char *unit)
{
    const char *names[GROWTH_ROWS + 1], *key;
    const json_t *last = json_array_get(rows, json_array_size(rows) - 1);
    const size_t all = json_array_size(rows), shown = all < GROWTH_POINTS ? all : GROWTH_POINTS;
    const int count = largest_at_end(json_object_get(last, field), names);
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)last, key, value)
    {
        if (!json_is_number(value)) continue;
        printf("%s%s%s, the largest:\n  %-20s", field, unit && strcmp(unit, "weight") != 0 ? " in " : "",
               unit && strcmp(unit, "weight") != 0 ? unit : "", key);
        for (size_t i = 1; i <= shown; i++)
            printf(" %9.6g",
                   json_number_value(json_object_get(json_array_get(rows, i * all / shown - 1), key)));
        puts("");
    }
    for (int n = 0; n < count; n++) {
        printf("  %-20s", names[n]);
        for (size_t i = 1; i <= shown; i++) {
            const json_t *row = json_array_get(rows, i * all / shown - 1);
            printf(" %9.2f", json_number_value(json_object_get(json_object_get(row, field), names[n])));
        }
        puts("");
    }
}

/* Of each list of further measurements the last row: numbers in a line, lists of objects as a table; and all
 * rows of what grows under the same names. */
static void print_also(const json_t *also)
{
    const char *name, *key;
    json_t *list, *value;
    json_object_foreach((json_t *)(uintptr_t)also, name, list)
    {
        json_t *last = json_array_get(list, json_array_size(list) - 1);
        const char *grows = NULL;
        if (!json_is_object(last)) continue;
        json_object_foreach(last, key, value) if (json_is_object(value)) grows = key;
        const char *unit = json_string_value(json_object_get(last, "unit"));
        if (grows && json_object_size(last) == (unit ? 3 : 2)) {
            print_growth(list, grows, unit);
            continue;
        }
        printf("%s:", name);
        json_object_foreach(last, key, value) if (json_is_number(value))
            printf(" %s %.6g", key, json_number_value(value));
        puts("");
        json_object_foreach(last, key, value) if (json_is_array(value)) train_print_rows(value);
    }
}

static json_t *result_json(const TrainArguments *a, const char *learner, const KnTrainResult *r)
{
    json_t *root = json_pack("{ss ss so ss ss}", "learner", learner, "game", a->shared.game, "seed",
                             kn_json_from_uint64(a->shared.seed), "file", r->file, "player", r->player);
    if (r->has_point) json_object_set_new(root, "point", json_pack("[ffff]", r->x, r->y, r->low, r->high));
    if (r->also) json_object_set_new(root, "also", kn_train_result_also(r));
    if (r->learned) json_object_set_new(root, "learned", kn_explanation_json(r->learned));
    if (r->edited) json_object_set_new(root, "edited", json_true());
    return root;
}

static void print_explanation(const KnExplanation *explanation)
{
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(explanation, &text);
    fputs(text.data, stdout);
    kn_text_free(&text);
}

/* --svg. */
static KnStatus write_picture(const KnContext *context, const TrainArguments *a, const KnExplanation *learned,
                              KnError *error)
{
    if (!a->svg || !learned) return KN_OK;
    KnGame *game = NULL;
    KnStatus status = kn_game_open(context, a->shared.game, &game, error);
    if (status == KN_OK) status = cli_write_explanation(learned, game, a->svg, error);
    kn_game_close(game);
    return status;
}

static void print_result(const TrainArguments *a, const char *learner, const KnTrainResult *r)
{
    if (a->common.json) {
        cli_print_json(result_json(a, learner, r));
        return;
    }
    if (r->learned) print_explanation(r->learned);
    json_t *also = kn_train_result_also(r);
    print_also(also);
    json_decref(also);
    if (r->has_point)
        printf("%s at the last point of the curve: %.3f (95%%: %.3f to %.3f) after %.0f %s\n", a->type->y,
               r->y, r->low, r->high, r->x, a->type->x);
    if (r->edited) puts(train_edited);
    if (r->file[0]) printf("%s: play with %s\n", r->file, r->player);
}

/* ---- the command ---- */

/* --load: shows what a file holds. */
static KnStatus show_file(const KnContext *context, const TrainArguments *a, const char *spec, KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnLearner learner;
    KnGame *game = NULL;
    KnExplanation *explanation = NULL;
    KnStatus status = kn_learner_bind(context, spec, arena, &learner, error);
    if (status == KN_OK) status = kn_game_open(context, a->shared.game, &game, error);
    KnLearnerTask task = {.context = context, .game = game, .options = &learner.options, .arena = arena};
    if (status == KN_OK) status = a->type->explain(&task, a->shared.load, arena, &explanation, error);
    KnText note = KN_TEXT_EMPTY;
    if (status == KN_OK) kn_sealed_note(a->shared.load, &note);
    if (note.length && kn_text_ok(&note)) kn_explanation_text(arena, explanation, "note", note.data);
    kn_text_free(&note);
    if (status == KN_OK) status = write_picture(context, a, explanation, error);
    if (status == KN_OK && a->common.json)
        cli_print_json(kn_explanation_json(explanation));
    else if (status == KN_OK)
        print_explanation(explanation);
    kn_game_close(game);
    kn_arena_free(arena);
    return status;
}

static KnStatus train_one(const KnContext *context, TrainArguments *a, const char *learner, KnError *error)
{
    KnArena *arena = kn_arena_new();
    KnTrainResult result;
    KnTrainingObserver observer = train_observer(a);
    bool watched = !a->points_given && observer.point && isatty(STDERR_FILENO);
    KnTrainPlan plan = {.learner = learner,
                        .game = a->shared.game,
                        .seed = a->shared.seed,
                        .jobs = a->shared.jobs,
                        .points = watched ? KN_TRAIN_POINTS : a->points,
                        .out = a->shared.out,
                        .cancel = cli_interrupt(),
                        .progress = train_progress(&a->common, a->type),
                        .observer = &observer,
                        .explain = a->shared.show ? arena : NULL};
    KnStatus status = arena ? kn_train(context, &plan, &result, error) : kn_fail_memory(error, "training");
    kn_progress_free(plan.progress);
    if (status == KN_OK) print_result(a, learner, &result);
    if (status == KN_OK) status = write_picture(context, a, result.learned, error);
    if (arena) kn_train_result_free(&result);
    kn_arena_free(arena);
    return status;
}

static int train_row(TrainArguments *a, int argc, char **argv)
{
    KnContext *context;
    KnError error;
    KnText learner = KN_TEXT_EMPTY;
    train_read_options(a, argc, argv);
    int code = cli_open(&a->common, &context);
    if (code) return code;
    KnStatus status;
    train_spec(a, NULL, 0, NULL, &learner);
    if (a->shared.load)
        status = show_file(context, a, learner.data, &error);
    else if (a->sweep.count)
        status = train_sweep(context, a, &error);
    else if (a->shared.into)
        status = train_into(context, a, learner.data, a->shared.game, &error);
    else
        status = train_one(context, a, learner.data, &error);
    kn_text_free(&learner);
    kn_close(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}

/* ---- --resume ---- */

typedef struct Resume {
    TrainArguments arguments;
    const char *folder;
} Resume;

enum { KEY_RESUME = 0x100 };

static const struct argp_option resume_options[] = {
    {"resume", KEY_RESUME, "DIR", 0, "Continue the training of this folder (its task.json says what)", 1},
    {0}};
static const struct argp_child resume_children[] = {
    CLI_SHARES(cli_jobs_argp), CLI_SHARES(cli_common_argp), {0}};

static error_t parse_resume(int key, char *arg, struct argp_state *state)
{
    Resume *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, resume_children, &r->arguments.shared, &r->arguments.common);
        return 0;
    case KEY_RESUME:
        r->folder = arg;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "--resume takes no learner and no game: they are in task.json");
        return 0;
    case ARGP_KEY_END:
        if (!r->folder) argp_error(state, "give a learner and a game, or --resume DIR");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int resume(int argc, char **argv)
{
    Resume r = {.arguments = {.given = ""}};
    const struct argp argp = {
        resume_options,  parse_resume, NULL, "Continues a training that was interrupted.",
        resume_children, NULL,         NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    KnContext *context;
    KnError error;
    int code = cli_open(&r.arguments.common, &context);
    if (code) return code;
    KnStatus status = train_resume(context, &r.arguments, r.folder, &error);
    kn_close(context);
    return status == KN_OK ? cli_finish() : cli_fail(&error);
}

int command_train(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return KN_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return cli_finish();
    }
    if (argv[1][0] == '-') return resume(argc, argv);
    size_t length = strcspn(argv[1], "(");
    TrainArguments a = {.type = find_row(argv[1], length), .given = ""};
    if (!a.type) {
        fprintf(stderr, "knack train: there is no learner \"%.*s\"; known:", (int)length, argv[1]);
        for (const KnLearnerType *const *row = kn_learners; *row; row++)
            fprintf(stderr, " %s", (*row)->head.name);
        fputs("\n", stderr);
        return KN_USAGE;
    }
    char name[64], *options = argv[1] + length, *end = strrchr(options, ')');
    snprintf(name, sizeof name, "knack train %s", a.type->head.name);
    if (end) {
        *end = '\0';
        a.given = options + 1;
    }
    argv[1] = name;
    return train_row(&a, argc - 1, argv + 1);
}
