/* Files that are kept between runs and may come back damaged, or from somebody else: openings, examples of
 * allocation, solved games, units of the lab. Whatever the bytes, reading ends with something that can be
 * used or with a message. The first byte chooses. */
#include "fuzz/dialogue.h"

#include "arena/openings.h"
#include "base/file.h"
#include "lab/units.h"
#include "methods/allocation/examples.h"
#include "search/solved.h"

static void read_openings(const KnGame *game, const char *path)
{
    KnOpenings *openings;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_openings_new(game, &(KnOpeningsPlan){.path = path, .seed = 1}, &openings, &error);
    if (status != KN_OK) {
        fuzz_must(error.text[0]);
        return;
    }
    KnState *state = kn_state_new(game);
    for (uint64_t i = 0; state && i < kn_openings_count(openings) && i < 20; i++)
        fuzz_must(kn_openings_play(openings, 2 * i, state, &error) == KN_OK);
    kn_state_free(state);
    kn_openings_free(openings);
}

/* The line that says how examples were made: it must fit for the rest to be read at all. */
static void first_line(const KnGame *game, const KnExamplesPlan *plan, KnText *line)
{
    static const char path[] = "none.tsv";
    const KnExamples none = {.game = game};
    KnError error;
    KnText text = KN_TEXT_EMPTY;
    fuzz_must(kn_examples_save(&none, plan, path, &error) == KN_OK);
    fuzz_must(kn_file_read(path, &text, 1 << 16, &error) == KN_OK);
    unlink(path);
    kn_text_add_bytes(line, text.data, strcspn(text.data, "\n") + 1);
    kn_text_free(&text);
}

/* Whether a message about the file says this of the whole of it. What it quotes from the bytes does not
 * count. */
static bool says(const char *message, const char *path, const char *what)
{
    size_t length = strlen(path);
    if (strncmp(message, path, length) != 0) return false;
    message += length;
    message += strspn(message, ":0123456789");
    return strncmp(message, what, strlen(what)) == 0;
}

/* The bytes stand between that line and a checksum that fits. */
static void read_examples(const KnGame *game, const uint8_t *bytes, size_t size, const char *base)
{
    static KnText firsts[2] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    const KnExamplesPlan plan = {.inner = "alphabeta",
                                 .k = 1,
                                 .n = 1,
                                 .moves = 40,
                                 .count = 3,
                                 .seed = 1,
                                 .trust = {.base = base, .nodes = 20, .judging = 5}};
    KnText *first = &firsts[base != NULL], text = KN_TEXT_EMPTY;
    char path[40];
    if (!first->length) first_line(game, &plan, first);
    kn_text_add_bytes(&text, first->data, first->length);
    kn_text_add_bytes(&text, bytes, size);
    kn_text_printf(&text, "# checksum %016llx\n", (unsigned long long)kn_hash64(text.data, text.length, 0));
    int file = fuzz_file((const uint8_t *)text.data, text.length);
    kn_text_free(&text);
    if (file < 0) return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    KnExamples examples;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_examples_load(game, &plan, path, &examples, &error);
    if (status == KN_OK)
        fuzz_must(examples.count == plan.count);
    else
        fuzz_must(error.text[0] && !says(error.text, path, " holds examples that were made otherwise") &&
                  !says(error.text, path, " the file is damaged"));
    if (status == KN_OK) kn_examples_free(&examples);
    close(file);
}

static void read_solved(const KnGame *game, const char *path)
{
    KnSolved *solved;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_solved_load(game, path, &solved, &error);
    fuzz_must((status == KN_OK) == (solved != NULL));
    if (status != KN_OK) fuzz_must(error.text[0]);
    kn_solved_free(solved);
}

static void read_units(const char *path)
{
    KnUnits *units;
    KnError error = {KN_OK, ""};
    if (kn_units_open(path, "0123456789abcdef", false, &units, &error) != KN_OK) {
        fuzz_must(error.text[0]);
        return;
    }
    kn_units_get(units, "some");
    fuzz_must(kn_units_keep(units, "more", json_integer(7), &error) == KN_OK);
    fuzz_must(json_integer_value(kn_units_get(units, "more")) == 7);
    kn_units_close(units);
    fuzz_must(kn_units_open(path, "0123456789abcdef", false, &units, &error) ==
              KN_OK); /* and it is there the next time */
    fuzz_must(json_integer_value(kn_units_get(units, "more")) == 7);
    kn_units_close(units);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static KnGame *game;
    KnError error;
    char path[40];
    if (!size || size > 1 << 16) return 0;
    if (!game) fuzz_must(kn_game_open(fuzz_context(), "tictactoe", &game, &error) == KN_OK);
    int file = fuzz_file(bytes + 1, size - 1);
    if (file < 0) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    switch (bytes[0]) {
    case 'e':
        read_examples(game, bytes + 1, size - 1, NULL);
        break;
    case 't':
        read_examples(game, bytes + 1, size - 1, "x.mdb");
        break;
    case 's':
        read_solved(game, path);
        break;
    case 'u':
        read_units(path);
        break;
    default:
        read_openings(game, path);
    }
    close(file);
    return 0;
}
