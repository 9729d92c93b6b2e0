/* What was measured and stored: results, curves, results of the lab, traces of games. The first byte chooses.
 *
 *   b  edits of a whole results store, three bytes each (place, place, what is changed): whatever is shown
 *      afterwards is what was shown before, or there is an error
 *   d  the bytes as a results store
 *   c  the bytes as the curve of a training run
 *   l  the bytes as a result of the lab
 *   t  the bytes as a trace of a game description */
#include "fuzz/dialogue.h"

#include <sys/stat.h>

#include "arena/match.h"
#include "arena/store.h"
#include "arena/training_run.h"
#include "arena/verify.h"
#include "base/file.h"
#include "base/json.h"
#include "games/gdl/trace.h"
#include "lab/lab.h"
#include <knack/knack.h>

enum { GAMES = 3 };

static char folder[500], database[520], curve[520];

static void remove_all(void)
{
    char log[540];
    const char *const endings[] = {"-wal", "-shm", "-journal", ""};
    for (int i = 0; i < 4; i++) {
        snprintf(log, sizeof log, "%s%s", database, endings[i]);
        unlink(log);
    }
    unlink(curve);
}

static void clean_up(void)
{
    remove_all();
    rmdir(folder);
}

/* A context whose data are in a folder of our own, and a store there with one run. */
static const KnContext *context(KnText *pristine)
{
    static KnContext *made;
    static KnText bytes;
    if (!made) {
        KnError error;
        KnStore *store;
        KnMatchResult result;
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.400s/knack-XXXXXX", base ? base : "/tmp");
        fuzz_must(mkdtemp(folder));
        snprintf(database, sizeof database, "%s/results.db", folder);
        snprintf(curve, sizeof curve, "%s/curve.json", folder);
        atexit(clean_up);
        bytes = KN_TEXT_EMPTY;
        fuzz_must(kn_open(folder, &made, &error) == KN_OK && kn_store_open(made, &store, &error) == KN_OK);
        KnMatchPlan plan = {.game = "tictactoe",
                            .players = {"random", "random"},
                            .games = GAMES,
                            .seed = 1,
                            .jobs = 1,
                            .name = "one"};
        fuzz_must(kn_match_run(made, &plan, store, NULL, &result, &error) == KN_OK);
        kn_store_close(store);
        fuzz_must(kn_file_read(database, &bytes, 1 << 24, &error) == KN_OK);
    }
    *pristine = bytes;
    return made;
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fuzz_must(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Everything that the store shows, and what verifying it says. */
static KnStatus show(const KnContext *where, KnText *shown)
{
    KnStore *store;
    KnError error = {KN_OK, ""};
    KnVerified verified;
    KnStatus status = kn_store_open_reading(where, &store, &error);
    if (status == KN_OK) {
        char *list = kn_store_json_string(store, &error), *games = NULL;
        if (list) games = kn_store_export(where, store, "one", "json", &error);
        status = games ? KN_OK : error.status;
        fuzz_must(status == KN_OK || error.text[0]);
        if (games) kn_text_printf(shown, "%s%s", list, games);
        kn_free(list);
        kn_free(games);
        KnStatus checked = kn_verify_run(where, store, "one", true, &verified, &error);
        fuzz_must(checked == KN_OK || error.text[0]);
        if (status == KN_OK) fuzz_must(checked == KN_OK);
        kn_store_close(store);
    }
    fuzz_must(status == KN_OK || error.text[0]);
    return status;
}

static void edit_store(const uint8_t *bytes, size_t size)
{
    static char *before;
    KnText pristine, shown = KN_TEXT_EMPTY;
    const KnContext *where = context(&pristine);
    remove_all();
    if (!before) {
        put(database, pristine.data, pristine.length);
        fuzz_must(show(where, &shown) == KN_OK);
        before = strdup(shown.data);
        kn_text_clear(&shown);
    }
    char *edited = malloc(pristine.length);
    fuzz_must(edited && before);
    memcpy(edited, pristine.data, pristine.length);
    for (size_t i = 0; i + 3 <= size; i += 3)
        edited[(size_t)(bytes[i] | bytes[i + 1] << 8) % pristine.length] ^= (char)bytes[i + 2];
    put(database, edited, pristine.length);
    if (show(where, &shown) == KN_OK) fuzz_must(strcmp(shown.data, before) == 0);
    free(edited);
    kn_text_free(&shown);
}

static void read_store(const uint8_t *bytes, size_t size)
{
    KnText pristine, shown = KN_TEXT_EMPTY;
    const KnContext *where = context(&pristine);
    remove_all();
    put(database, bytes, size);
    show(where, &shown);
    kn_text_free(&shown);
}

static void read_curve(const uint8_t *bytes, size_t size)
{
    KnText pristine;
    KnError error = {KN_OK, ""};
    context(&pristine);
    put(curve, bytes, size);
    json_t *read = kn_training_run_read(folder, &error);
    fuzz_must(read ? json_is_array(json_object_get(read, "points")) : error.text[0]);
    json_decref(read);
}

static void read_result(const uint8_t *bytes, size_t size)
{
    json_t *result;
    KnError error = {KN_OK, ""};
    if (kn_json_load_bytes(bytes, size, "result", &result, &error) != KN_OK) {
        fuzz_must(error.text[0]);
        return;
    }
    KnStatus status = kn_lab_check_result(result, "result", &error);
    size_t counts[KN_VERDICTS];
    fuzz_must(status == KN_OK || error.text[0]);
    if (status == KN_OK) kn_lab_count(result, counts);
    json_decref(result);
}

static void read_trace(const uint8_t *bytes, size_t size)
{
    static const char rules[] = "(role a) (init (n 1)) (legal a x) (legal a y) (<= (next (n 2)) (does a x) "
                                "(true (n 1))) (<= terminal (true (n 2))) (goal a 50)";
    KnGdlDescription *description;
    KnGdlMachine *machine;
    KnGdlTrace trace;
    const KnGdlLimits limits = {.facts = 64, .moves = 64, .steps = 20000};
    KnError error = {KN_OK, ""};
    char path[40];
    fuzz_must(kn_gdl_read("rules", rules, sizeof rules - 1, false, &description, &error) == KN_OK);
    fuzz_must(kn_gdl_machine_new(description, &limits, &machine, &error) == KN_OK);
    int file = fuzz_file(bytes, size);
    if (file >= 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        KnStatus status = kn_gdl_trace(machine, path, 0.05, &trace, &error);
        fuzz_must(status == KN_OK || error.text[0]);
        close(file);
    }
    kn_gdl_machine_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size || size > 1 << 17) return 0;
    switch (bytes[0]) {
    case 'b':
        edit_store(bytes + 1, size - 1);
        break;
    case 'd':
        read_store(bytes + 1, size - 1);
        break;
    case 'c':
        read_curve(bytes + 1, size - 1);
        break;
    case 'l':
        read_result(bytes + 1, size - 1);
        break;
    case 't':
        read_trace(bytes + 1, size - 1);
        break;
    default:
        break;
    }
    return 0;
}
