/* Game descriptions: whatever the bytes, reading ends with a description or a message that names a place; a
 * description that was accepted can be set up, analysed and played for some steps within small bounds, and
 * its states read back from their text. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "games/gdl/analysis.h"
#include "games/gdl/machine.h"

static void check_text(KnGdlMachine *machine, const uint64_t *state)
{
    KnText text = KN_TEXT_EMPTY;
    KnError error;
    uint64_t *again = calloc(kn_gdl_machine_words(machine), sizeof *again);
    kn_gdl_state_text(machine, state, " ", &text);
    if (again && kn_text_ok(&text)) {
        fuzz_must(kn_gdl_parse_state(machine, text.data, again, &error) == KN_OK);
        fuzz_must(memcmp(again, state, kn_gdl_machine_words(machine) * sizeof *state) == 0);
    }
    free(again);
    kn_text_free(&text);
}

static void play(KnGdlMachine *machine)
{
    KnError error;
    int roles = kn_gdl_machine_description(machine)->role_count, count, value;
    uint64_t *state = calloc(kn_gdl_machine_words(machine), sizeof *state);
    uint64_t *moves = calloc((size_t)kn_gdl_machine_moves(machine), sizeof *moves), joint[KN_GDL_ROLES];
    if (state && moves) {
        KnStatus status = kn_gdl_start(machine, state, &error);
        for (int step = 0; step < 4 && status == KN_OK; step++) {
            bool terminal = false;
            check_text(machine, state);
            status = kn_gdl_is_terminal(machine, state, &terminal, &error);
            for (int role = 0; role < roles && status == KN_OK; role++) {
                status = kn_gdl_legal(machine, state, role, moves, &count, &error);
                if (status != KN_OK || !count) break;
                fuzz_must(count <= kn_gdl_machine_moves(machine));
                joint[role] = moves[(step + role) % count];
                status = kn_gdl_goal(machine, state, role, &value, &error);
                fuzz_must(status != KN_OK || (value >= -1 && value <= 100));
                if (role + 1 == roles && status == KN_OK && !terminal)
                    status = kn_gdl_next(machine, state, joint, state, &error);
            }
        }
        fuzz_must(status == KN_OK || error.text[0]);
    }
    free(state);
    free(moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnGdlDescription *description;
    KnGdlMachine *machine;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_gdl_read("rules", (const char *)bytes, size, true, &description, &error);
    fuzz_must((status == KN_OK || status == KN_NO) == (description != NULL));
    if (status != KN_OK) fuzz_must(strncmp(error.text, "rules:", 6) == 0);
    if (status != KN_OK) kn_gdl_free(description);
    for (int prover = 0; status == KN_OK && prover < 2; prover++) {
        if (prover) status = kn_gdl_read("rules", (const char *)bytes, size, false, &description, &error);
        if (status != KN_OK) break;
        KnGdlLimits limits = {
            .facts = 256, .moves = 256, .steps = 20000, .reasoner = prover ? KN_GDL_PROVER : KN_GDL_AUTO};
        if (kn_gdl_machine_new(description, &limits, &machine, &error) == KN_OK) {
            KnGdlAnalysis *analysis;
            play(machine);
            fuzz_must(kn_gdl_analyse(machine, &analysis, &error) == KN_OK);
            kn_gdl_analysis_free(analysis);
            kn_gdl_machine_free(machine);
        } else
            fuzz_must(error.text[0]);
    }
    return 0;
}
