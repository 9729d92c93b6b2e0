/* Examples as text: a line of JSON that says how they were made, then an example a line, fields separated by
 * tabs. The last line has a checksum over all before it: a policy is learned from these numbers, and nothing
 * else would show that one of them is not what was measured. */
#include "methods/allocation/examples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

static const char columns[] = "position\tpositive\tutility\tsingle_positive\tsingle_"
                              "utility\tgame\tindex\tleft\tpoints\tshallow\tdeep\t";

static const char sum_line[] = "# checksum ";

enum { FILE_MAX = 1 << 30, SUM_DIGITS = 16 };

/* Everything that decides which examples come out, as one line. */
static void describe(const KnExamplesPlan *plan, const KnGame *game, KnText *out)
{
    json_t *header = json_pack("{ss ss ss ss si si si sf si so so}", "format", "knack allocation examples 2",
                               "version", KNACK_VERSION, "game", game->spec, "inner", plan->inner, "k",
                               plan->k, "n", plan->n, "moves", plan->moves, "judge", plan->judge,
                               "random_plies", plan->random_plies, "count", kn_json_from_uint64(plan->count),
                               "seed", kn_json_from_uint64(plan->seed));
    if (plan->contents) json_object_set_new(header, "contents", json_string(plan->contents));
    if (plan->explore > 0) json_object_set_new(header, "explore", json_real(plan->explore));
    if (plan->classes.units) {
        const KnBudgetClasses *c = &plan->classes;
        json_object_set_new(header, "classes",
                            json_pack("[ooii]", kn_json_from_uint64(c->units), kn_json_from_uint64(c->step),
                                      c->below, c->above));
    }
    if (plan->trust.base)
        json_object_set_new(header, "trust",
                            json_pack("[soo]", plan->trust.base, kn_json_from_uint64(plan->trust.nodes),
                                      kn_json_from_uint64(plan->trust.judging)));
    kn_json_canonical(header, out);
    json_decref(header);
}

KnStatus kn_examples_save(const KnExamples *examples, const KnExamplesPlan *plan, const char *path,
                          KnError *error)
{
    const KnGame *game = examples->game;
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "# ");
    describe(plan, game, &text);
    kn_text_printf(&text, "\n# games %llu decisions %llu forced %llu\n%s%s\n",
                   (unsigned long long)examples->games, (unsigned long long)examples->decisions,
                   (unsigned long long)examples->forced, columns, plan->trust.base ? "entry" : "choices");
    for (size_t i = 0; i < examples->count; i++) {
        const KnExampleTag *t = &examples->tags[i];
        game->type->position_text(game, kn_example_position(examples, i), &text);
        kn_text_printf(&text, "\t%d\t", t->value.positive);
        kn_text_add_real(&text, t->value.utility);
        kn_text_printf(&text, "\t%d\t", t->value.single_positive);
        kn_text_add_real(&text, t->value.single_utility);
        kn_text_printf(&text, "\t%u\t%u\t%u\t", t->game, t->index, t->left);
        kn_text_add_real(&text, (double)t->points);
        kn_text_printf(&text, "\t%d\t%d\t", t->shallow, t->deep);
        for (int k = 0; k < t->choice_count; k++) kn_text_printf(&text, "%s%d", k ? "," : "", t->choices[k]);
        for (int k = 0; plan->trust.base && k < KN_ENTRIES; k++) {
            if (k) kn_text_add_char(&text, ',');
            kn_text_add_real(&text, (double)t->entry[k]);
        }
        kn_text_add_char(&text, '\n');
    }
    if (kn_text_ok(&text))
        kn_text_printf(&text, "%s%016llx\n", sum_line,
                       (unsigned long long)kn_hash64(text.data, text.length, 0));
    KnStatus status = kn_text_ok(&text) ? kn_file_write_atomic(path, text.data, text.length, error)
                                        : kn_fail_memory(error, "saving examples");
    kn_text_free(&text);
    return status;
}

/* ---- reading ---- */

typedef struct Reader {
    const char *path;
    char *at; /* the next line; cut up in place */
    size_t line;
    KnError *error;
    bool classes; /* examples are tagged by classes of budgets, which leave no choices */
    bool entries; /* or by a base, whose entries stand in place of them */
} Reader;

static char *next_line(Reader *r)
{
    char *line = r->at;
    if (!*line) return NULL;
    char *end = strchr(line, '\n');
    if (!end) return NULL; /* cut short: every line ends */
    *end = '\0';
    r->at = end + 1;
    r->line++;
    return line;
}

static KnStatus broken(Reader *r, const char *what)
{
    return kn_fail(r->error, KN_INPUT, "%s:%zu: %s; delete the file, and it is made again", r->path, r->line,
                   what);
}

static bool read_number(const char *text, double low, double high, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= low && *out <= high; /* also false for NaN */
}

static bool read_choices(char *text, bool none, KnExampleTag *tag)
{
    if (none) return !*text;
    for (char *word = strsep(&text, ","); word; word = strsep(&text, ",")) {
        double value;
        if (tag->choice_count == KN_EXAMPLE_CHOICES || !read_number(word, INT32_MIN, INT32_MAX, &value))
            return false;
        tag->choices[tag->choice_count++] = (KnScore)value;
    }
    return tag->choice_count > 0;
}

static bool read_entry(char *text, KnExampleTag *tag)
{
    for (int i = 0; i < KN_ENTRIES; i++) {
        char *word = strsep(&text, ",");
        double value;
        if (!word || !read_number(word, -1e12, 1e12, &value)) return false;
        tag->entry[i] = (float)value;
    }
    return !text;
}

static KnStatus read_example(Reader *r, char *line, KnExamples *out)
{
    enum { FIELDS = 12 };
    static const double low[FIELDS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, INT32_MIN, INT32_MIN, 0};
    static const double high[FIELDS] = {0,          1,          1e10, 1,         1e10,      UINT32_MAX,
                                        UINT16_MAX, UINT16_MAX, 1,    INT32_MAX, INT32_MAX, 0};
    char *field[FIELDS];
    double x[FIELDS];
    for (int i = 0; i < FIELDS; i++)
        if (!(field[i] = strsep(&line, "\t"))) return broken(r, "a field is missing");
    if (line) return broken(r, "a field too many");
    for (int i = 1; i < FIELDS - 1; i++)
        if (!read_number(field[i], i == 2 && r->entries ? -high[i] : low[i], high[i], &x[i]))
            return broken(r, "a number is malformed or out of range");
    KnExampleTag tag = {.value = {x[3] > 0, x[4], x[1] > 0, x[2]},
                        .game = (uint32_t)x[5],
                        .index = (uint16_t)x[6],
                        .left = (uint16_t)x[7],
                        .points = (float)x[8],
                        .shallow = (KnScore)x[9],
                        .deep = (KnScore)x[10]};
    if (r->entries ? !read_entry(field[FIELDS - 1], &tag)
                   : !read_choices(field[FIELDS - 1], r->classes, &tag))
        return broken(r, r->entries ? "the base's entry is malformed" : "the choices are malformed");
    const KnGame *game = out->game;
    KnStatus status = game->type->parse_position(game, field[0], out->positions + out->count * out->stride,
                                                 r->error);
    if (status != KN_OK) return kn_fail_within(r->error, "%s:%zu", r->path, r->line);
    out->tags[out->count++] = tag;
    return KN_OK;
}

/* Checks the last line, and takes it off. */
static KnStatus check_sum(Reader *r, KnText *text)
{
    enum { LENGTH = sizeof sum_line + SUM_DIGITS };
    char last[LENGTH + 1];
    size_t before = text->length > LENGTH ? text->length - LENGTH : 0;
    if (strncmp(text->data + before, sum_line, strlen(sum_line)) != 0)
        return broken(r, "the file is cut short");
    snprintf(last, sizeof last, "%s%016llx\n", sum_line,
             (unsigned long long)kn_hash64(text->data, before, 0));
    if (strcmp(text->data + before, last) != 0)
        return broken(r, "the file is damaged, or was edited: its checksum does not fit");
    text->data[before] = '\0';
    return KN_OK;
}

static KnStatus read_all(Reader *r, KnText *text, const KnExamplesPlan *plan, KnExamples *out)
{
    KnText wanted = KN_TEXT_EMPTY;
    kn_text_add(&wanted, "# ");
    describe(plan, out->game, &wanted);
    kn_text_add_char(&wanted, '\n');
    bool fits = kn_text_ok(&wanted) && strncmp(r->at, wanted.data, wanted.length) == 0;
    kn_text_free(&wanted);
    if (!fits)
        return kn_fail(r->error, KN_INPUT,
                       "%s holds examples that were made otherwise; use another folder, or delete it",
                       r->path);
    KnStatus status = check_sum(r, text);
    if (status != KN_OK) return status;
    next_line(r);
    unsigned long long games, decisions, forced;
    char *line = next_line(r);
    if (!line || sscanf(line, "# games %llu decisions %llu forced %llu", &games, &decisions, &forced) != 3)
        return broken(r, "the games are missing");
    out->games = games;
    out->decisions = decisions;
    out->forced = forced;
    if (!next_line(r)) return broken(r, "the names of the columns are missing");
    while (status == KN_OK && out->count < out->capacity) {
        line = next_line(r);
        status = line ? read_example(r, line, out) : broken(r, "the file is cut short");
    }
    if (status == KN_OK && *r->at) return broken(r, "more examples than it says");
    return status;
}

KnStatus kn_examples_load(const KnGame *game, const KnExamplesPlan *plan, const char *path, KnExamples *out,
                          KnError *error)
{
    *out = (KnExamples){0};
    if (!game->type->parse_position) return kn_fail(error, KN_INPUT, "%s cannot read positions", game->spec);
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &text, FILE_MAX, error);
    if (status == KN_OK) status = kn_examples_reserve(out, game, plan->count, error);
    out->explore = plan->explore;
    Reader r = {path, text.data, 0, error, plan->classes.units > 0, plan->trust.base != NULL};
    if (status == KN_OK) status = read_all(&r, &text, plan, out);
    kn_text_free(&text);
    if (status != KN_OK) kn_examples_free(out);
    return status;
}
