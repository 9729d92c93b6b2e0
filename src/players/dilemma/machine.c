#include "players/dilemma/machine_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

void kn_machine_free(KnMachine *machine)
{
    if (!machine) return;
    free(machine->states);
    free(machine->codes);
    free(machine);
}

KnMachine *kn_machine_new(int count, KnError *error)
{
    KN_ASSERT(count >= 1 && count <= KN_MACHINE_STATES);
    KnMachine *machine = calloc(1, sizeof *machine);
    if (machine) {
        machine->count = count;
        machine->states = calloc((size_t)count, sizeof *machine->states);
        machine->codes = calloc((size_t)count * 2, sizeof *machine->codes);
    }
    if (machine && machine->states && machine->codes) return machine;
    kn_machine_free(machine);
    kn_fail_memory(error, "building a strategy's table");
    return NULL;
}

static uint16_t code_of(const KnMachine *machine, int state)
{
    KN_ASSERT(state >= 0 && state < machine->count);
    return (uint16_t)(state * 2 + (machine->states[state].chance > 0 ? KN_C : KN_D));
}

void kn_machine_finish(KnMachine *machine)
{
    machine->deterministic = true;
    for (int s = 0; s < machine->count; s++)
        if (machine->states[s].chance > 0 && machine->states[s].chance < 1) machine->deterministic = false;
    machine->first = code_of(machine, 0);
    for (int s = 0; s < machine->count; s++)
        for (int other = 0; other < 2; other++) {
            int own = code_of(machine, s) & 1;
            machine->codes[s * 2 + other] = code_of(machine, machine->states[s].next[kn_outcome(own, other)]);
        }
}

KnStatus kn_machine_cycle(const char *word, KnMachine **out, KnError *error)
{
    *out = NULL;
    size_t length = strlen(word), fits = strspn(word, "CDcd");
    if (!length || fits < length || length > KN_MACHINE_STATES)
        return kn_fail(error, KN_INPUT,
                       "word \"%.40s\", letter %zu: expected a word of 1 to %d letters C and D, as in CCD",
                       word, fits + 1, KN_MACHINE_STATES);
    KnMachine *machine = kn_machine_new((int)length, error);
    if (!machine) return KN_SYSTEM;
    for (size_t i = 0; i < length; i++) {
        machine->states[i].chance = word[i] == 'C' || word[i] == 'c';
        for (int outcome = 0; outcome < 4; outcome++)
            machine->states[i].next[outcome] = (uint16_t)((i + 1) % length);
    }
    kn_machine_finish(machine);
    *out = machine;
    return KN_OK;
}

KnStatus kn_machine_memory_one(const double chances[4], double first, KnMachine **out, KnError *error)
{
    *out = NULL;
    KnMachine *machine = kn_machine_new(5, error);
    if (!machine) return KN_SYSTEM;
    for (int s = 0; s < 5; s++) {
        machine->states[s].chance = s ? chances[s - 1] : first;
        for (int outcome = 0; outcome < 4; outcome++)
            machine->states[s].next[outcome] = (uint16_t)(outcome + 1);
    }
    kn_machine_finish(machine);
    *out = machine;
    return KN_OK;
}

static void add_move(KnText *out, double chance)
{
    if (chance <= 0 || chance >= 1) {
        kn_text_add_char(out, chance > 0 ? 'C' : 'D');
        return;
    }
    kn_text_add_char(out, ':');
    kn_text_add_real(out, chance);
}

void kn_machine_text(const KnMachine *machine, KnText *out)
{
    static const char *const seen[4] = {"CC", "CD", "DC", "DD"};
    add_move(out, machine->states[0].chance);
    kn_text_add_char(out, ';');
    for (int s = 0; s < machine->count; s++) {
        const uint16_t *next = machine->states[s].next;
        bool alone = next[0] == next[2] && next[1] == next[3]; /* only the opponent's move matters */
        bool blind = alone && next[0] == next[1];
        for (int outcome = 0; outcome < (blind ? 1 : alone ? 2 : 4); outcome++) {
            kn_text_printf(out, " %d%s-%d", s + 1,
                           blind   ? "."
                           : alone ? seen[outcome] + 1
                                   : seen[outcome],
                           next[outcome] + 1);
            add_move(out, machine->states[next[outcome]].chance);
        }
    }
}
