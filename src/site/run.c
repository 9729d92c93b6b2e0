/* A run in a worker of its own: what `knack train --resume=FOLDER` does, for run.js. */
#include <emscripten.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>

#include "arena/learner.h"
#include "base/progress.h"
#include "site/site.h"

EM_JS(void, site_print_line, (const char *line), { Module.printLine(UTF8ToString(line)); });

static void report(void *user, const KnProgressState *state)
{
    (void)user;
    json_t *line = json_pack("{ss sI sI sf sf sf}", "label", state->label, "done", (json_int_t)state->done,
                             "total", (json_int_t)state->total, "elapsed", state->elapsed, "rate",
                             state->rate, "remaining", state->remaining);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (text) site_print_line(text);
    free(text);
    json_decref(line);
}

static KnProgress *open_progress(void *user, const KnLearnerType *type)
{
    (void)user;
    return kn_progress_open(&(KnProgressOptions){.label = type->x, .report = report, .interval = 0.4});
}

static KnStatus train(const char *data, const char *folder, KnError *error)
{
    KnContext *context = NULL;
    KnTrainTask task;
    KnStatus status = kn_open(data, &context, error);
    if (status != KN_OK) return status;
    status = kn_train_task_read(folder, &task, error);
    if (status == KN_OK)
        status = kn_train_seeds(
            context, &(KnTrainSeeds){.folder = folder, .task = &task, .jobs = 1, .progress = open_progress},
            error);
    kn_train_task_free(&task);
    kn_close(context);
    return status;
}

EMSCRIPTEN_KEEPALIVE const char *kn_site_run(const char *words)
{
    static KnError error;
    json_t *list = json_loads(words, 0, NULL), *word;
    const char *folder = NULL, *data = NULL;
    size_t i;
    setenv("KNACK_JOBS", "1", 1);
    json_array_foreach(list, i, word)
    {
        const char *text = json_string_value(word);
        if (strncmp(text, "--resume=", 9) == 0) folder = text + 9;
        if (strncmp(text, "--data=", 7) == 0) data = text + 7;
    }
    KnStatus status = folder && data ? train(data, folder, &error)
                                     : kn_fail(&error, KN_USAGE, "a run needs --resume and --data");
    json_decref(list);
    return status == KN_OK ? "" : error.text;
}
