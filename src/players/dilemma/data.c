/* Strategies given as a table, in the spec or in a file. */
#include "players/dilemma/tables.h"

#include <string.h>

#include "base/file.h"

typedef KnStatus (*Reader)(const char *name, const char *text, size_t size, KnMachine **machine,
                           KnError *error);

static KnStatus read_table(KnAgent *agent, const KnOptions *options, Reader reader, const char *example,
                           KnError *error)
{
    const char *name = agent->strategy->player.head.name;
    const char *file = kn_option_string(options, "file"), *text = kn_option_string(options, "text");
    if (!file == !text)
        return kn_fail(error, KN_INPUT,
                       "%s needs either a file, as in %s:table.txt, or a text, as in %s(text=\"%s\")", name,
                       name, name, example);
    if (text) return reader(name, text, strlen(text), &agent->machine, error);
    KnText content = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(file, &content, 1 << 20, error);
    if (status == KN_OK) status = reader(file, content.data, content.length, &agent->machine, error);
    kn_text_free(&content);
    return status;
}

static KnStatus build_fsm(KnAgent *agent, const KnGame *game, const KnOptions *options, KnError *error)
{
    (void)game;
    return read_table(agent, options, kn_machine_read_fsm, "C; 1C-1C 1D-1D", error);
}

static KnStatus build_memory(KnAgent *agent, const KnGame *game, const KnOptions *options, KnError *error)
{
    (void)game;
    return read_table(agent, options, kn_machine_read_memory, "CC; ../DD-D ../..-C", error);
}

static KnStatus build_cycle(KnAgent *agent, const KnGame *game, const KnOptions *options, KnError *error)
{
    (void)game;
    return kn_machine_cycle(kn_option_string(options, "word"), &agent->machine, error);
}

static const KnOption table[] = {{"file", KN_OPTION_STRING, "", 0, 0, NULL, "file with the table"},
                                 {"text", KN_OPTION_STRING, "", 0, 0, NULL, "the table itself"},
                                 {0}};
static const KnOption word[] = {{"word", KN_OPTION_STRING, NULL, 0, 0, NULL, "C and D, as in CCD"}, {0}};

const KnStrategy kn_strategies_data[] = {
    {.player = KN_STRATEGY_PLAYER("Cycler", "repeats a word", word),
     .traits = KN_STRATEGY_DETERMINISTIC | KN_STRATEGY_FAMILY | KN_STRATEGY_SUFFIX,
     .build = build_cycle},
    {.player = KN_STRATEGY_PLAYER("fsm", "a finite-state machine given as a table", table),
     .traits = KN_STRATEGY_FAMILY,
     .build = build_fsm},
    {.player = KN_STRATEGY_PLAYER("memory", "a memory-n strategy given as a table of patterns", table),
     .traits = KN_STRATEGY_FAMILY,
     .build = build_memory},
    KN_STRATEGIES_END};
