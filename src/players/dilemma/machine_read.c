/* Parser of the notations that machine.h describes. */
#include "players/dilemma/machine_build.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { FIELD_MAX = 64, FSM_STATES = KN_MACHINE_STATES, TEXT_MAX = 1 << 18 };

/* A tokenizer of fields that knows where the current field stands. */
typedef struct Fields {
    const char *name;
    const char *text, *end;
    int line;  /* of the current field, from 1 */
    int place; /* of the current field in its line, from 1 */
    int last_line;
    char field[FIELD_MAX + 1];
    KnError *error;
} Fields;

static bool is_gap(char c) { return c == '\0' || isspace((unsigned char)c) || c == ',' || c == ';'; }

static KnStatus bad(const Fields *f, const char *what)
{
    return kn_fail(f->error, KN_INPUT, "%s:%d: field %d (\"%s\"): %s", f->name, f->line, f->place, f->field,
                   what);
}

/* Returns KN_NO at the end. */
static KnStatus next_field(Fields *f)
{
    for (; f->text < f->end; f->text++) {
        if (*f->text == '\n')
            f->last_line++, f->place = 0;
        else if (*f->text == '#') {
            while (f->text + 1 < f->end && f->text[1] != '\n') f->text++;
        } else if (!is_gap(*f->text))
            break;
    }
    if (f->text == f->end) return KN_NO;
    f->line = f->last_line;
    f->place++;
    size_t length = 0;
    while (f->text < f->end && !is_gap(*f->text) && *f->text != '#') {
        if (length < FIELD_MAX) f->field[length] = isprint((unsigned char)*f->text) ? *f->text : '?';
        length++;
        f->text++;
    }
    f->field[length < FIELD_MAX ? length : FIELD_MAX] = '\0';
    return length <= FIELD_MAX ? KN_OK : bad(f, "longer than 64 letters");
}

/* 0 for C, 1 for D, -1 for anything else. */
static int letter(char c) { return c == 'C' || c == 'c' ? KN_C : c == 'D' || c == 'd' ? KN_D : -1; }

static bool is_letter_or_any(char c) { return c == '.' || letter(c) >= 0; }

/* C, D or :CHANCE, up to the end of the field. */
static KnStatus read_move(const Fields *f, const char *at, double *chance)
{
    if (letter(at[0]) >= 0 && !at[1]) {
        *chance = letter(at[0]) == KN_C;
        return KN_OK;
    }
    if (at[0] != ':' || !at[1] || at[1 + strspn(at + 1, "0123456789.eE+-")])
        return bad(f, "it should end in a move: C, D, or :CHANCE of C");
    char *end;
    *chance = strtod(at + 1, &end);
    if (*end) return bad(f, "the chance of C is not a number");
    if (!(*chance >= 0 && *chance <= 1)) return bad(f, "a chance lies between 0 and 1");
    return KN_OK;
}

static Fields fields_of(const char *name, const char *text, size_t size, KnError *error)
{
    return (Fields){
        .name = name, .text = text, .end = text + size, .line = 1, .last_line = 1, .error = error};
}

static KnStatus check_size(const char *name, size_t size, KnError *error)
{
    return size <= TEXT_MAX ? KN_OK : kn_fail(error, KN_INPUT, "%s: longer than %d bytes", name, TEXT_MAX);
}

/* ---- Finite-state machines ---- */

typedef struct Answer {
    int state; /* 0: not given */
    double chance;
} Answer;

/* The table as written: the answer of each state to each outcome. */
typedef struct Table {
    Answer answers[FSM_STATES + 1][4];
    double first;
} Table;

/* Parses the number of a state and moves *at behind it. */
static KnStatus read_state(const Fields *f, const char **at, int *state)
{
    if (!isdigit((unsigned char)**at)) return bad(f, "expected the number of a state");
    *state = 0;
    for (; isdigit((unsigned char)**at) && *state <= FSM_STATES; ++*at) *state = *state * 10 + (**at - '0');
    return *state >= 1 && *state <= FSM_STATES ? KN_OK : bad(f, "states are numbered from 1 to 4096");
}

static KnStatus read_answer(const Fields *f, Table *table)
{
    const char *at = f->field;
    int from;
    Answer answer = {0};
    KnStatus status = read_state(f, &at, &from);
    if (status != KN_OK) return status;
    size_t seen = 0;
    while (is_letter_or_any(at[seen])) seen++;
    if (seen < 1 || seen > 2 || at[seen] != '-')
        return bad(f, "expected STATE SEEN - STATE MOVE, as in 1C-2D or 1CD-2D");
    int own = seen == 2 ? letter(at[0]) : -1, other = letter(at[seen - 1]);
    at += seen + 1;
    if ((status = read_state(f, &at, &answer.state)) != KN_OK) return status;
    if ((status = read_move(f, at, &answer.chance)) != KN_OK) return status;
    for (int outcome = 0; outcome < 4; outcome++) {
        if ((own >= 0 && own != outcome / 2) || (other >= 0 && other != outcome % 2)) continue;
        if (table->answers[from][outcome].state) return bad(f, "this state answers these moves already");
        table->answers[from][outcome] = answer;
    }
    return KN_OK;
}

static KnStatus read_table(Fields *f, Table *table)
{
    KnStatus status = next_field(f);
    if (status == KN_NO)
        return kn_fail(f->error, KN_INPUT,
                       "%s:1: field 1: expected a first move, then answers, as in D; 1C-1D 1D-2C 2.-1D",
                       f->name);
    if (status == KN_OK) status = read_move(f, f->field, &table->first);
    while (status == KN_OK && (status = next_field(f)) == KN_OK) status = read_answer(f, table);
    return status == KN_NO ? KN_OK : status;
}

/* The machine's state for a state of the table and the move that led into it; made on first use. */
static KnStatus node_of(const Fields *f, Answer *nodes, int *count, Answer wanted, uint16_t *index)
{
    KN_ASSERT(wanted.state >= 1 && wanted.state <= FSM_STATES);
    int i = 0;
    while (i < *count && (nodes[i].state != wanted.state || nodes[i].chance != wanted.chance)) i++;
    if (i == KN_MACHINE_STATES)
        return kn_fail(f->error, KN_INPUT,
                       "%s: more than %d states, counting each with every move it is entered by", f->name,
                       KN_MACHINE_STATES);
    if (i == *count) nodes[(*count)++] = wanted;
    *index = (uint16_t)i;
    return KN_OK;
}

/* A Mealy machine, whose transitions carry the moves, becomes a Moore machine, whose states do: every
 * reachable pair of state and move is a state. Breadth-first from the start. */
static KnStatus build_fsm(const Fields *f, const Table *table, KnMachine **out)
{
    static const char *const names[4] = {"CC", "CD", "DC", "DD"};
    Answer *nodes = calloc(KN_MACHINE_STATES, sizeof *nodes);
    uint16_t(*next)[4] = calloc(KN_MACHINE_STATES, sizeof *next);
    KnStatus status = nodes && next ? KN_OK : kn_fail_memory(f->error, "building a strategy's table");
    int count = 1;
    if (status == KN_OK) nodes[0] = (Answer){1, table->first};
    for (int n = 0; n < count && status == KN_OK; n++)
        for (int outcome = 0; outcome < 4 && status == KN_OK; outcome++) {
            const Answer *answer = &table->answers[nodes[n].state][outcome];
            if (answer->state)
                status = node_of(f, nodes, &count, *answer, &next[n][outcome]);
            else
                status = kn_fail(f->error, KN_INPUT,
                                 "%s:%d: state %d has no answer to %s (own move first); add %d%s-STATE MOVE",
                                 f->name, f->line, nodes[n].state, names[outcome], nodes[n].state,
                                 names[outcome]);
        }
    KnMachine *machine = status == KN_OK ? kn_machine_new(count, f->error) : NULL;
    if (status == KN_OK && !machine) status = KN_SYSTEM;
    for (int n = 0; n < count && machine; n++) {
        machine->states[n].chance = nodes[n].chance;
        memcpy(machine->states[n].next, next[n], sizeof next[n]);
    }
    free(nodes);
    free(next);
    if (machine) kn_machine_finish(machine);
    *out = machine;
    return status;
}

KnStatus kn_machine_read_fsm(const char *name, const char *text, size_t size, KnMachine **machine,
                             KnError *error)
{
    *machine = NULL;
    KnStatus status = check_size(name, size, error);
    if (status != KN_OK) return status;
    Table *table = calloc(1, sizeof *table);
    if (!table) return kn_fail_memory(error, "reading a strategy");
    Fields fields = fields_of(name, text, size, error);
    status = read_table(&fields, table);
    if (status == KN_OK) status = build_fsm(&fields, table, machine);
    free(table);
    return status;
}

/* ---- Memory n ---- */

/* A state is the sequence of outcomes so far, two bits a turn, the latest lowest. Sequences of t turns are
 * numbered after all shorter ones. */
typedef struct Memory {
    int depth;
    double opening[KN_MACHINE_MEMORY];
    double *chances; /* by sequence of full depth; negative: not given yet */
} Memory;

static int first_of(int turns) { return ((1 << 2 * turns) - 1) / 3; }

static KnStatus read_opening(Fields *f, Memory *memory)
{
    KnStatus status = next_field(f);
    if (status == KN_NO)
        return kn_fail(f->error, KN_INPUT,
                       "%s:1: field 1: expected an opening, then answers, as in CC; ../DD-D ../..-C",
                       f->name);
    if (status != KN_OK) return status;
    size_t length = strlen(f->field);
    if (strspn(f->field, "CDcd") != length) return bad(f, "the opening is made of C and D");
    if (length > KN_MACHINE_MEMORY) return bad(f, "at most 5 moves are remembered");
    memory->depth = (int)length;
    for (size_t i = 0; i < length; i++) memory->opening[i] = letter(f->field[i]) == KN_C;
    memory->chances = malloc(sizeof *memory->chances << 2 * length);
    if (!memory->chances) return kn_fail_memory(f->error, "reading a strategy");
    for (int h = 0; h < 1 << 2 * length; h++) memory->chances[h] = -1;
    return KN_OK;
}

/* Whether a sequence of outcomes matches OWN/OTHER. */
static bool fits(const Memory *memory, const char *pattern, int history)
{
    for (int i = 0; i < memory->depth; i++) {
        int outcome = history >> 2 * (memory->depth - 1 - i) & 3;
        int own = letter(pattern[i]), other = letter(pattern[memory->depth + 1 + i]);
        if ((own >= 0 && own != outcome / 2) || (other >= 0 && other != outcome % 2)) return false;
    }
    return true;
}

static KnStatus read_pattern(const Fields *f, const Memory *memory)
{
    int n = memory->depth;
    for (int i = 0; i < 2 * n + 1; i++) /* a field that ends early fails here, too */
        if (i == n ? f->field[i] != '/' : !is_letter_or_any(f->field[i]))
            return bad(f, "expected OWN/OTHER-MOVE with as many moves each as the opening has, C, D or a "
                          "point for either");
    if (f->field[2 * n + 1] != '-') return bad(f, "expected - between the pattern and the move");
    double chance;
    KnStatus status = read_move(f, f->field + 2 * n + 2, &chance);
    for (int h = 0; h < 1 << 2 * n && status == KN_OK; h++)
        if (memory->chances[h] < 0 && fits(memory, f->field, h)) memory->chances[h] = chance;
    return status;
}

static KnStatus check_covered(const Fields *f, const Memory *memory)
{
    for (int h = 0; h < 1 << 2 * memory->depth; h++) {
        if (memory->chances[h] >= 0) continue;
        char own[KN_MACHINE_MEMORY + 1] = "", other[KN_MACHINE_MEMORY + 1] = "";
        for (int i = 0; i < memory->depth; i++) {
            int outcome = h >> 2 * (memory->depth - 1 - i) & 3;
            own[i] = "CD"[outcome / 2];
            other[i] = "CD"[outcome % 2];
        }
        return kn_fail(f->error, KN_INPUT,
                       "%s:%d: no answer fits %s/%s; add one, or end with one that fits everything", f->name,
                       f->line, own, other);
    }
    return KN_OK;
}

static KnStatus build_memory(const Fields *f, const Memory *memory, KnMachine **out)
{
    int n = memory->depth;
    KN_ASSERT(n <= KN_MACHINE_MEMORY && first_of(n + 1) <= KN_MACHINE_STATES);
    KnMachine *machine = kn_machine_new(first_of(n + 1), f->error);
    if (!machine) return KN_SYSTEM;
    for (int turns = 0; turns <= n; turns++)
        for (int h = 0; h < 1 << 2 * turns; h++) {
            KnMachineState *state = &machine->states[first_of(turns) + h];
            state->chance = turns < n ? memory->opening[turns] : memory->chances[h];
            int known = turns < n ? turns + 1 : n;
            for (int outcome = 0; outcome < 4; outcome++)
                state->next[outcome] =
                    (uint16_t)(first_of(known) + (((h << 2) | outcome) & ((1 << 2 * known) - 1)));
        }
    kn_machine_finish(machine);
    *out = machine;
    return KN_OK;
}

KnStatus kn_machine_read_memory(const char *name, const char *text, size_t size, KnMachine **machine,
                                KnError *error)
{
    *machine = NULL;
    KnStatus status = check_size(name, size, error);
    if (status != KN_OK) return status;
    Fields fields = fields_of(name, text, size, error);
    Memory memory = {0};
    status = read_opening(&fields, &memory);
    while (status == KN_OK && (status = next_field(&fields)) == KN_OK)
        status = read_pattern(&fields, &memory);
    if (status == KN_NO) status = check_covered(&fields, &memory);
    if (status == KN_OK) status = build_memory(&fields, &memory, machine);
    free(memory.chances);
    return status;
}
