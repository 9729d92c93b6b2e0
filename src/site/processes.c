/* web/processes.h for the site: a run is another worker of the browser with its own instance of this program
 * (run.c). JavaScript numbers them, brings their files here and says how they ended. */
#include "web/processes.h"

#include <emscripten.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

EM_JS(int, site_start_run, (const char *words, const char *out, const char *log),
      { return Module.startRun(JSON.parse(UTF8ToString(words)), UTF8ToString(out), UTF8ToString(log)); });
/* 0: it runs; 1: done; 2: interrupted; 3: failed. */
EM_JS(int, site_look_at_run, (int number), { return Module.lookAtRun(number); });
EM_JS(void, site_stop_run, (int number), { Module.stopRun(number); });

KnStatus kn_process_start(const char *program, char **argv, const char *out, const char *log, pid_t *pid,
                          KnError *error)
{
    (void)program;
    if (strcmp(argv[1], "train") != 0)
        return kn_fail(error, KN_NO,
                       "matches, tournaments and measurements need the program on a computer of your own: "
                       "`knack serve` shows this page with all of it");
    json_t *words = json_array();
    for (char **word = argv + 1; *word; word++) json_array_append_new(words, json_string(*word));
    char *text = json_dumps(words, JSON_COMPACT);
    KnStatus status = text ? kn_file_write_atomic(out, "", 0, error)
                           : kn_fail_memory(error, "starting a run");
    if (status == KN_OK) status = kn_file_write_atomic(log, "", 0, error);
    if (status == KN_OK) *pid = site_start_run(text, out, log);
    free(text);
    json_decref(words);
    return status;
}

KnProcessState kn_process_look(pid_t pid, char *why, size_t size)
{
    (void)size;
    *why = '\0';
    return (KnProcessState)site_look_at_run(pid);
}

void kn_process_interrupt(pid_t pid) { site_stop_run(pid); }

/* A run ends with the page that started it. */
bool kn_process_writes(pid_t pid, const char *log) { return (void)pid, (void)log, false; }
