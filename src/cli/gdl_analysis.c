#include "cli/gdl_analysis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct Names {
    const KnGdlAnalysis *analysis;
    const json_t *roles;
    const KnGdlDescription *description;
    KnTerms terms;
    KnTerm *facts, *moves;
} Names;

static const char *role_name(const Names *names, int role)
{
    return json_string_value(json_array_get(names->roles, (size_t)role));
}

static bool open_names(Names *names, KnGdlMachine *machine, const KnGdlAnalysis *analysis,
                       const json_t *roles)
{
    *names =
        (Names){.analysis = analysis, .roles = roles, .description = kn_gdl_machine_description(machine)};
    return kn_gdl_machine_terms(machine, &names->terms, &names->facts, &names->moves, NULL) == KN_OK;
}

static void close_names(Names *names)
{
    kn_terms_free(&names->terms);
    free(names->facts);
    free(names->moves);
}

static void add_fact(const Names *names, uint32_t fact, KnText *out)
{
    kn_term_text(&names->description->symbols, &names->terms, names->facts[fact], out);
}

/* ---- As text ---- */

static void print_turns(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    if (a->roles == 1) {
        puts("control    a single role");
        return;
    }
    if (a->turns == KN_GDL_DENIED) {
        puts("control    simultaneous moves");
        return;
    }
    printf("control    turn-taking, %s", kn_gdl_proof_name(a->turns));
    const KnGdlGroup *group = a->turn_group >= 0 ? &a->groups[a->turn_group] : NULL;
    for (uint32_t i = 0; group && i < group->count && i < 6; i++) {
        KnText text = KN_TEXT_EMPTY;
        add_fact(names, group->facts[i], &text);
        printf("%s%s %s", i ? ", " : ": ", text.data,
               a->turn_movers[i] >= 0 ? role_name(names, a->turn_movers[i]) : "no role");
        kn_text_free(&text);
    }
    puts(group && group->count > 6 ? ", ..." : "");
}

static void print_goals(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    for (int r = 0; r < a->roles; r++)
        for (int k = r + 1; k < a->roles; k++) {
            bool opposed = a->opposed[r][k] > KN_GDL_DENIED, allied = a->allied[r][k] > KN_GDL_DENIED;
            printf("goals      %s and %s: ", role_name(names, r), role_name(names, k));
            if (allied)
                printf("always equal, %s\n", kn_gdl_proof_name(a->allied[r][k]));
            else if (opposed)
                printf("add up to %d, %s\n", a->sums[r][k], kn_gdl_proof_name(a->opposed[r][k]));
            else
                puts(a->opposed[r][k] == KN_GDL_UNKNOWN ? "unknown" : "neither equal nor of constant sum");
        }
    printf("monotone  ");
    for (int r = 0; r < a->roles; r++) printf(" %s %s", role_name(names, r), kn_gdl_proof_name(a->rising[r]));
    puts("");
}

static void print_symmetry(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    for (int r = 0; r < a->roles; r++) {
        bool first = true;
        for (int k = r + 1; k < a->roles; k++) {
            if (a->symmetric_to[k] != r) continue;
            if (first) printf("symmetry   %s", role_name(names, r));
            printf(", %s", role_name(names, k));
            first = false;
        }
        if (!first) puts(" are interchangeable, proved");
    }
}

static void print_facts(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    uint32_t on = 0, off = 0, exact = 0, clocks = 0;
    for (uint32_t f = 0; f < a->facts; f++) {
        on += (a->latches[f] & KN_GDL_STAYS_TRUE) > 0;
        off += (a->latches[f] & KN_GDL_STAYS_FALSE) > 0;
    }
    for (uint32_t g = 0; g < a->group_count; g++) {
        exact += a->groups[g].exact;
        clocks += a->groups[g].clock;
    }
    printf("latches    %" PRIu32 " facts stay true once true, %" PRIu32 " stay false once false\n", on, off);
    printf("groups     %" PRIu32 " sets of mutually exclusive facts, %" PRIu32
           " with exactly one true; %" PRIu32 " clocks\n",
           a->group_count, exact, clocks);
    if (a->parts > 1) printf("subgames   %" PRIu32 ", independent except for turns\n", a->parts);
}

static void print_boards(const Names *names, const uint64_t *start)
{
    const KnGdlBoards *boards = &names->analysis->boards;
    for (int b = 0; b < boards->count; b++) {
        const KnGdlBoard *board = &boards->list[b];
        KnText text = KN_TEXT_EMPTY;
        printf("board      %s, %d x %d\n", board->name, board->columns, board->rows);
        kn_gdl_board_draw(board, start, cli_colour(), &text);
        fputs(text.data, stdout);
        kn_text_free(&text);
    }
}

void cli_gdl_print_analysis(KnGdlMachine *machine, const KnGdlAnalysis *analysis, const json_t *roles)
{
    Names names;
    uint64_t *start = calloc(kn_gdl_machine_words(machine), sizeof *start);
    if (open_names(&names, machine, analysis, roles) && start &&
        kn_gdl_start(machine, start, NULL) == KN_OK) {
        print_turns(&names);
        print_goals(&names);
        print_symmetry(&names);
        print_facts(&names);
        print_boards(&names, start);
        printf("observed   in %" PRIu64 " random games, %" PRIu64 " states\n", analysis->games,
               analysis->states);
    }
    free(start);
    close_names(&names);
}

/* ---- As JSON ---- */

static json_t *fact_list(const Names *names, const uint32_t *facts, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        KnText text = KN_TEXT_EMPTY;
        add_fact(names, facts[i], &text);
        json_array_append_new(list, json_string(text.data));
        kn_text_free(&text);
    }
    return list;
}

static json_t *pairs_json(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    json_t *pairs = json_array();
    for (int r = 0; r < a->roles; r++)
        for (int k = r + 1; k < a->roles; k++)
            json_array_append_new(pairs, json_pack("{s[ss] ss ss si}", "roles", role_name(names, r),
                                                   role_name(names, k), "opposed",
                                                   kn_gdl_proof_name(a->opposed[r][k]), "allied",
                                                   kn_gdl_proof_name(a->allied[r][k]), "sum", a->sums[r][k]));
    return pairs;
}

static json_t *groups_json(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    json_t *groups = json_array();
    for (uint32_t g = 0; g < a->group_count; g++)
        json_array_append_new(groups, json_pack("{so sb sb}", "facts",
                                                fact_list(names, a->groups[g].facts, a->groups[g].count),
                                                "exact", a->groups[g].exact, "clock", a->groups[g].clock));
    return groups;
}

static json_t *latches_json(const Names *names, uint8_t which)
{
    const KnGdlAnalysis *a = names->analysis;
    json_t *list = json_array();
    for (uint32_t f = 0; f < a->facts; f++) {
        if (!(a->latches[f] & which)) continue;
        json_t *one = fact_list(names, &f, 1);
        json_array_append(list, json_array_get(one, 0));
        json_decref(one);
    }
    return list;
}

static json_t *parts_json(const Names *names)
{
    const KnGdlAnalysis *a = names->analysis;
    json_t *parts = json_array();
    for (uint32_t p = 0; p < a->parts; p++) {
        json_t *facts = json_array();
        for (uint32_t f = 0; f < a->facts; f++) {
            if (a->part_of_fact[f] != p) continue;
            json_t *one = fact_list(names, &f, 1);
            json_array_append(facts, json_array_get(one, 0));
            json_decref(one);
        }
        json_array_append_new(parts, facts);
    }
    return parts;
}

json_t *cli_gdl_analysis_json(KnGdlMachine *machine, const KnGdlAnalysis *a, const json_t *roles)
{
    Names names;
    if (!open_names(&names, machine, a, roles)) {
        close_names(&names);
        return json_null();
    }
    json_t *rising = json_object(), *symmetric = json_object(), *boards = json_array(),
           *movers = json_object();
    for (int r = 0; r < a->roles; r++) {
        json_object_set_new(rising, role_name(&names, r), json_string(kn_gdl_proof_name(a->rising[r])));
        json_object_set_new(symmetric, role_name(&names, r),
                            json_string(role_name(&names, a->symmetric_to[r])));
    }
    for (int b = 0; b < a->boards.count; b++)
        json_array_append_new(boards, json_pack("{ss si si}", "relation", a->boards.list[b].name, "columns",
                                                a->boards.list[b].columns, "rows", a->boards.list[b].rows));
    for (uint32_t i = 0; a->turn_group >= 0 && i < a->groups[a->turn_group].count; i++) {
        KnText text = KN_TEXT_EMPTY;
        add_fact(&names, a->groups[a->turn_group].facts[i], &text);
        json_object_set_new(movers, text.data,
                            a->turn_movers[i] >= 0 ? json_string(role_name(&names, a->turn_movers[i]))
                                                   : json_null());
        kn_text_free(&text);
    }
    json_t *document =
        json_pack("{ss so so so so so so so so so sI sI}", "turns", kn_gdl_proof_name(a->turns), "movers",
                  movers, "goals", pairs_json(&names), "rising", rising, "twins", symmetric, "groups",
                  groups_json(&names), "stay_true", latches_json(&names, KN_GDL_STAYS_TRUE), "stay_false",
                  latches_json(&names, KN_GDL_STAYS_FALSE), "parts", parts_json(&names), "boards", boards,
                  "games", (json_int_t)a->games, "states", (json_int_t)a->states);
    close_names(&names);
    return document;
}
