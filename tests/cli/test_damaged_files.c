/* One bit of a kept file flips: whatever reads the file refuses it, or shows what it showed before, or says
 * that the file was edited by hand or damaged. Nothing false is shown without a word. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <knack/base.h>
#include "base/file.h"

typedef struct Row {
    const char *file; /* in the folder of the test */
    const char *make; /* words of knack that write it */
    const char *show; /* words that show what it holds */
} Row;

static const Row rows[] = {
    {"weights.json", "train td tictactoe --depth 1 --games 10 --quiet --out weights.json",
     "explain tictactoe start 'alphabeta(depth=1,eval=features(weights=weights.json))'"},
    {"load.json", "train td tictactoe --depth 1 --games 10 --quiet --out load.json",
     "train td tictactoe --load load.json --show"},
    {"policy.json",
     "train allocation tictactoe -k 2 -n 1 --examples 200 --relief 20 --quiet --out policy.json",
     "explain tictactoe start 'allocate(alphabeta, k=2, n=1, policy=policy.json)'"},
    {"store/tree.tsv",
     "train allocation tictactoe -k 2 -n 1 --examples 60 --relief 20 --quiet --out p.json --store store",
     "train allocation tictactoe -k 2 -n 1 --examples 60 --relief 20 --quiet --out p.json --store store "
     "--show"},
    {"sequences.json", "train sequences 'tictactoe(lose)' --watch 5 --quiet --out sequences.json",
     "explain 'tictactoe(lose)' start 'seqlearner(sequences.json)'"},
    {"hoyle.json", "train hoyle tictactoe --watch 5 --quiet --out hoyle.json",
     "explain tictactoe start 'hoyle(hoyle.json)'"},
    {"book.json", "train openings tictactoe --games 20 --quiet --out book.json",
     "explain tictactoe start 'openings(random, file=book.json)'"},
    {"course/1/curve.json", "train td tictactoe --depth 1 --games 10 --against-games 4 --quiet --into course",
     "train --resume course --quiet"},
    {"resumed/task.json", "train td tictactoe --depth 1 --games 10 --against-games 4 --quiet --into resumed",
     "train --resume resumed --quiet"},
    {"d/lab/satisficing.fig2.quick.1000.json", "lab run satisficing.fig2 --scale quick --quiet --data d",
     "lab report --data d --out report && cat report/*.html"},
    {"base.mdb",
     "match tictactoe 'experience(random,base=base.mdb,learn)' random --games 40 --no-store --jobs 1 --quiet",
     "base export base.mdb"},
    {"known.mdb",
     "match tictactoe 'experience(random,base=known.mdb,learn)' random --games 40 --no-store --jobs 1 "
     "--quiet",
     "base dump known.mdb"},
    {"r/results.db", "match tictactoe random random --games 60 --name r --data r --jobs 1 --quiet",
     "runs export r --data r"},
    {"network.ntuple", "train ntuple tictactoe --games 20 --quiet --out network.ntuple",
     "explain tictactoe start 'alphabeta(depth=1,eval=ntuple(file=network.ntuple))'"},
};

/* The exit code, with what was said in `text`. */
static int run(const char *words, KnText *text)
{
    KnError error;
    char command[600];
    snprintf(command, sizeof command, "'%s' %s >said 2>&1 </dev/null", KNACK_BINARY, words);
    if (strstr(words, "&&")) /* the output of the second command counts too */
        snprintf(command, sizeof command, "('%s' %s) >said 2>&1 </dev/null", KNACK_BINARY, words);
    int status = system(command);
    check_ok(error, kn_file_read("said", text, 1 << 24, &error));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void write_plainly(const char *path, const KnText *bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
    assert_int_equal(fclose(file), 0);
}

static void test_row(void **state)
{
    const Row *row = *state;
    KnError error;
    KnText bytes = KN_TEXT_EMPTY, whole = KN_TEXT_EMPTY, shown = KN_TEXT_EMPTY;
    if (run(row->make, &shown) != 0) fail_msg("knack %s: %s", row->make, shown.data);
    if (run(row->show, &whole) != 0) fail_msg("knack %s: %s", row->show, whole.data);
    assert_null(strstr(whole.data, "edited by hand"));
    check_ok(error, kn_file_read(row->file, &bytes, 1 << 24, &error));
    KnRng rng = kn_rng_seeded(2100 + (uint64_t)(row - rows));
    /* Databases have pages that nobody reads: more trials, so that some bite. */
    bool pages = strstr(row->file, ".mdb") || strstr(row->file, ".db");
    long noticed = 0, trials = check_scaled(pages ? 30 : 15);
    for (long trial = 0; trial < trials; trial++) {
        size_t at = kn_rng_below(&rng, (uint32_t)bytes.length);
        char mask = (char)(1 << kn_rng_below(&rng, 8));
        bytes.data[at] ^= mask;
        write_plainly(row->file, &bytes);
        int code = run(row->show, &shown);
        bool stamped = strstr(shown.data, "edited by hand") || strstr(shown.data, "not checked");
        if (code == 0 && !stamped && strcmp(shown.data, whole.data) != 0)
            fail_msg("%s: byte %zu, mask %d: shown without a word: %s", row->file, at, mask, shown.data);
        noticed += code != 0 || stamped;
        bytes.data[at] ^= mask;
    }
    if (!pages) assert_true(noticed > 0); /* else test_base.c and test_store.c aim */
    write_plainly(row->file, &bytes);
    kn_text_free(&bytes);
    kn_text_free(&whole);
    kn_text_free(&shown);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS];
    for (int i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){rows[i].file, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
