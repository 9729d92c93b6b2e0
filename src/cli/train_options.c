/* The argp table of a learner, made from its row: every option of the row is an option of the command. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "cli/train.h"

enum {
    KEY_POINTS = 0x100,
    KEY_SWEEP,
    KEY_SHOW,
    KEY_LOAD,
    KEY_SVG,
    KEY_INTO,
    KEY_SEEDS,
    KEY_ROW = 0x400,
    OWN = 8
};

/* Options with a short form. */
static const struct {
    const char *name;
    char key;
} short_forms[] = {{"depth", 'd'}, {"shallow", 'k'}, {"extra", 'n'}};

static int key_of(const KnOption *table, int place)
{
    for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++)
        if (strcmp(short_forms[i].name, table[place].name) == 0) return short_forms[i].key;
    return KEY_ROW + place;
}

static int place_of(const KnOption *table, int key)
{
    for (int place = 0; table[place].name; place++)
        if (key_of(table, place) == key) return place;
    return -1;
}

/* Choices that do not fit beside the option's name stand in its help. */
static bool has_long_choices(const KnOption *option)
{
    return option->type == KN_OPTION_CHOICE && strlen(option->name) + strlen(option->choices) > 27;
}

static const char *argument_of(const KnOption *option)
{
    switch (option->type) {
    case KN_OPTION_INTEGER:
        return "N";
    case KN_OPTION_REAL:
        return "X";
    case KN_OPTION_FLAG:
        return NULL;
    case KN_OPTION_CHOICE:
        return has_long_choices(option) ? "WORD" : option->choices;
    case KN_OPTION_STRING:
        return option->choices && strcmp(option->choices, KN_OPTION_FILE) == 0 ? "FILE" : "TEXT";
    case KN_OPTION_SPEC:
        return "SPEC";
    }
    return "VALUE";
}

static void add_help(const KnOption *option, KnText *help)
{
    kn_text_add_char(help, (char)toupper((unsigned char)option->help[0]));
    kn_text_add(help, option->help + 1);
    if (has_long_choices(option)) kn_text_printf(help, ": %s", option->choices);
    if (option->fallback && option->fallback[0] && option->type != KN_OPTION_FLAG)
        kn_text_printf(help, " (default %s)", option->fallback);
}

/* Reports wrong numbers and words as wrong usage, with the option's name. Errors inside a spec appear when it
 * is opened. {NAME} stands for a setting of a sweep. */
static void check_value(const KnOption *option, const char *text, struct argp_state *state)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    if (strchr(text, '{')) return;
    if (option->type == KN_OPTION_INTEGER && option->low >= 0)
        cli_parse_count(state, name, text, (uint64_t)option->low, (uint64_t)option->high);
    else if (option->type == KN_OPTION_INTEGER || option->type == KN_OPTION_REAL)
        cli_parse_real(state, name, text, option->low, option->high);
    else if (option->type == KN_OPTION_CHOICE) {
        size_t length = strlen(text);
        for (const char *at = option->choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
            if (strcspn(at, "|") == length && strncmp(at, text, length) == 0) return;
        argp_error(state, "%s expects one of %s, not \"%s\"", name, option->choices, text);
    }
}

static const struct argp_child children[] = {CLI_SHARES(cli_game_argp),
                                             CLI_SHARES(cli_seed_argp),
                                             CLI_SHARES(cli_jobs_argp),
                                             CLI_SHARES(cli_common_argp),
                                             {0}};

static void check_all(const TrainArguments *a, struct argp_state *state)
{
    const CliShared *s = &a->shared;
    if (s->load && (s->out || s->into))
        argp_error(state, "--load trains nothing: it shows what a file holds, without --out and --into");
    if (s->into && (s->out || s->show))
        argp_error(state, "--into keeps everything in its folder; it goes without --out and --show");
    if (a->svg && !s->show && !s->load) argp_error(state, "--svg goes with --show or --load");
    if (a->sweep.count && !s->into) argp_error(state, "--sweep needs --into DIR");
    if (s->seeds && !s->into) argp_error(state, "--seeds needs --into DIR");
    if (!s->out && !s->into && !s->show && !s->load)
        argp_error(state, "give --out FILE, --into DIR or --show");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    TrainArguments *a = state->input;
    const KnOption *table = a->type->head.options;
    int place = place_of(table, key);
    if (place >= 0) {
        if (arg) check_value(&table[place], arg, state);
        a->values[place] = arg ? arg : "yes";
        return 0;
    }
    switch (key) {
    case ARGP_KEY_INIT:
        cli_share(state, children, &a->shared, &a->common);
        return 0;
    case KEY_POINTS:
        a->points = (int)cli_parse_count(state, "--points", arg, 0, 10000);
        a->points_given = true;
        return 0;
    case 'o':
        a->shared.out = arg;
        return 0;
    case KEY_SHOW:
        a->shared.show = true;
        return 0;
    case KEY_LOAD:
        a->shared.load = arg;
        return 0;
    case KEY_SVG:
        a->svg = arg;
        return 0;
    case KEY_INTO:
        a->shared.into = arg;
        return 0;
    case KEY_SEEDS:
        a->shared.seeds = cli_parse_count(state, "--seeds", arg, 1, 1000);
        return 0;
    case KEY_SWEEP:
        sweep_parse(&a->sweep, arg, state);
        return 0;
    case ARGP_KEY_END:
        check_all(a, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void add_doc(const KnLearnerType *type, KnText *doc)
{
    kn_text_printf(doc, "Learn %s.\v", type->head.summary);
    kn_text_printf(
        doc,
        "Players use %s through the spec that is printed at the end. --into DIR, and a terminal, "
        "get a learning curve of %d points. %s The same seed gives the same bytes for any --jobs. After "
        "an interruption the same command continues (docs/training.md).\nExamples:\n",
        type->file, type->points, type->measures);
    for (const char *at = type->examples, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        kn_text_printf(doc, "  knack train %s %.*s\n", type->head.name, (int)(end - at), at);
    }
    if (doc->length && doc->data[doc->length - 1] == '\n') doc->data[--doc->length] = '\0';
}

void train_read_options(TrainArguments *a, int argc, char **argv)
{
    const KnOption *table = a->type->head.options;
    struct argp_option options[TRAIN_OPTIONS + OWN + 1] = {
        {"out", 'o', "FILE", 0,
         "Write what was learned to FILE. The training happens in FILE.training, which is removed at the end",
         1},
        {"into", KEY_INTO, "DIR", 0, "Train in DIR/SEED, and keep everything there, with a learning curve",
         1},
        {"seeds", KEY_SEEDS, "N", 0, "With --into: N training runs, with seeds from --seed on (default 1)",
         1},
        {"show", KEY_SHOW, 0, 0, "Print what was learned", 1},
        {"load", KEY_LOAD, "FILE", 0, "Train nothing; print what FILE holds", 1},
        {"svg", KEY_SVG, "FILE", 0, "With --show or --load: write what was learned to FILE too, as a picture",
         1},
        {"points", KEY_POINTS, "N", 0,
         "Points of the learning curve; 0: none (default: 0; with --into and on a terminal see below)", 1},
        {"sweep", KEY_SWEEP, "NAME=VALUE,...", 0, SWEEP_HELP " (with --into)", 1}};
    KnText helps[TRAIN_OPTIONS], doc = KN_TEXT_EMPTY;
    int count = 0;
    for (; table[count].name; count++) {
        KN_ASSERT(count < TRAIN_OPTIONS);
        helps[count] = KN_TEXT_EMPTY;
        add_help(&table[count], &helps[count]);
        options[count + OWN] = (struct argp_option){
            table[count].name, key_of(table, count), argument_of(&table[count]), 0, helps[count].data, 2};
    }
    add_doc(a->type, &doc);
    const struct argp argp = {options, parse, "GAME", doc.data, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, a);
    for (int i = 0; i < count; i++) kn_text_free(&helps[i]);
    kn_text_free(&doc);
}

/* ---- the spec ---- */

static void add_value(const KnOption *option, const char *value, KnText *spec)
{
    kn_text_printf(spec, "%s%s=", spec->data[spec->length - 1] == '(' ? "" : ", ", option->name);
    if (option->type == KN_OPTION_STRING)
        kn_text_add_quoted(spec, value);
    else if (option->type == KN_OPTION_REAL && value[0] == '.') /* a spec's number begins with a digit */
        kn_text_printf(spec, "0%s", value);
    else
        kn_text_add(spec, value);
}

void train_spec(const TrainArguments *a, const Sweep *sweep, int point, unsigned *used, KnText *spec)
{
    const KnOption *table = a->type->head.options;
    kn_text_printf(spec, "%s(%s", a->type->head.name, a->given);
    for (int place = 0; table[place].name; place++) {
        KnText filled = KN_TEXT_EMPTY;
        const char *value = a->values[place];
        if (value && sweep) {
            sweep_fill(sweep, point, value, used, &filled);
            value = filled.data;
        }
        for (int axis = 0; sweep && axis < sweep->count; axis++)
            if (strcmp(sweep->axes[axis].name, table[place].name) == 0) {
                value = sweep_value(sweep, point, axis);
                *used |= 1u << axis;
            }
        if (value) add_value(&table[place], value, spec);
        kn_text_free(&filled);
    }
    kn_text_add(spec, ")");
}
