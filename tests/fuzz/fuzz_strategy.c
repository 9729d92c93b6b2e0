/* Strategies given as data: whatever the bytes, reading ends with a machine or a message that names a place.
 * A machine goes only to states that it has, with chances that are chances, and survives a round trip through
 * its text. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "players/dilemma/machine.h"

static void check_machine(const KnMachine *machine)
{
    fuzz_must(machine->count >= 1 && machine->count <= KN_MACHINE_STATES);
    fuzz_must(machine->first < 2 * machine->count);
    for (int s = 0; s < machine->count; s++) {
        fuzz_must(machine->states[s].chance >= 0 && machine->states[s].chance <= 1);
        for (int outcome = 0; outcome < 4; outcome++)
            fuzz_must(machine->states[s].next[outcome] < machine->count);
        for (int other = 0; other < 2; other++) fuzz_must(machine->codes[2 * s + other] < 2 * machine->count);
    }
}

/* Its text reads back, to a machine whose text is the same again. States that nothing reaches may be dropped
 * the first time. */
static void check_text(const KnMachine *machine)
{
    KnText texts[3] = {KN_TEXT_EMPTY, KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    KnError error;
    kn_machine_text(machine, &texts[0]);
    for (int i = 1; i < 3 && kn_text_ok(&texts[i - 1]); i++) {
        KnMachine *again;
        fuzz_must(kn_machine_read_fsm("again", texts[i - 1].data, texts[i - 1].length, &again, &error) ==
                  KN_OK);
        check_machine(again);
        fuzz_must(again->count <= machine->count);
        fuzz_must(again->states[0].chance == machine->states[0].chance);
        kn_machine_text(again, &texts[i]);
        kn_machine_free(again);
    }
    fuzz_must(strcmp(texts[1].data, texts[2].data) == 0);
    for (int i = 0; i < 3; i++) kn_text_free(&texts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    for (int memory = 0; memory < 2; memory++) {
        KnMachine *machine;
        KnError error = {KN_OK, ""};
        KnStatus status = (memory ? kn_machine_read_memory : kn_machine_read_fsm)(
            "table", (const char *)bytes, size, &machine, &error);
        fuzz_must((status == KN_OK) == (machine != NULL));
        if (status != KN_OK) {
            fuzz_must(status == KN_INPUT && strncmp(error.text, "table:", 6) == 0);
            continue;
        }
        check_machine(machine);
        check_text(machine);
        kn_machine_free(machine);
    }
    return 0;
}
