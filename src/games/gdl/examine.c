#include "games/gdl/examine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "games/gdl/build.h"
#include "games/gdl/machine.h"

enum { GAMES = 40, PLIES = 400, STATES_GROUNDED = 3000, STATES_PROVED = 60 };

/* A description in random play. Each kind of problem is reported once a role. */
typedef struct Examination {
    KnGdlDescription *description; /* takes the problems */
    KnGdlMachine *machine;
    KnGdlProver *prover; /* tells what the goals of a state are */
    KnTerms terms;       /* of the machine */
    KnTerm *facts, *moves;
    uint64_t *state, *listed;
    bool stuck[KN_GDL_ROLES], odd_goal[KN_GDL_ROLES];
    int states;
} Examination;

/* ---- Rules ---- */

/* A rule that gives a goal value which is no goal value. */
static void check_goal_rules(KnGdlDescription *description)
{
    for (const KnGdlRule *rule = description->relations[KN_GDL_GOAL].rules; rule; rule = rule->next) {
        KnTerm value = kn_term_args(&description->terms, rule->head)[1];
        if (kn_term_is_variable(&description->terms, value) ||
            kn_term_goal(&description->symbols, &description->terms, value) >= 0)
            continue;
        KnText text = KN_TEXT_EMPTY;
        kn_term_text(&description->symbols, &description->terms, value, &text);
        kn_gdl_problem(description, true, rule->place, "the goal %s is not a number from 0 to 100",
                       text.data);
        kn_text_free(&text);
    }
}

/* ---- States ---- */

static const char *role_name(const Examination *e, int role, KnText *text)
{
    kn_text_clear(text);
    kn_term_text(&e->description->symbols, &e->description->terms, e->description->roles[role], text);
    return text->data;
}

/* Tells the prover which facts are true. */
static KnStatus show_state(Examination *e, KnError *error)
{
    size_t words = kn_gdl_machine_words(e->machine), count = 0, most = 0;
    KnTerms *terms = kn_gdl_prover_terms(e->prover);
    kn_gdl_prover_begin(e->prover);
    for (size_t w = 0; w < words; w++) most += (size_t)__builtin_popcountll(e->state[w]);
    KnTerm *true_facts = malloc((most + 1) * sizeof *true_facts);
    if (!true_facts) return kn_fail_memory(error, "checking a game description");
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = e->state[w]; bits; bits &= bits - 1) {
            KnTerm fact = kn_term_import(terms, &e->terms, e->facts[w * 64 + (size_t)__builtin_ctzll(bits)]);
            true_facts[count] = fact ? kn_term_make(terms, KN_GDL_TRUE, &fact, 1) : 0;
            count += true_facts[count] != 0;
        }
    KnStatus status = kn_gdl_prover_state(e->prover, true_facts, count, error);
    free(true_facts);
    return status;
}

/* At the end of a game each role has one goal value. */
static KnStatus check_goal(Examination *e, int role, int ply, KnError *error)
{
    int value;
    KnStatus status = kn_gdl_goal(e->machine, e->state, role, &value, error);
    if (status != KN_OK || value >= 0 || e->odd_goal[role]) return status;
    e->odd_goal[role] = true;
    const KnTerm *answers;
    size_t count;
    status = show_state(e, error);
    if (status == KN_OK)
        status = kn_gdl_ask(e->prover, e->description->queries.goal[role], &answers, &count, error);
    if (status != KN_OK) return status;
    KnText name = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    const KnTerms *terms = kn_gdl_prover_terms(e->prover);
    bool strange = false;
    for (size_t i = 0; i < count && !strange; i++) {
        KnTerm goal = kn_term_args(terms, answers[i])[1];
        strange = kn_term_goal(&e->description->symbols, terms, goal) < 0;
        if (strange) kn_term_text(&e->description->symbols, terms, goal, &text);
    }
    KnGdlPlace place = e->description->relations[KN_GDL_GOAL].place;
    if (strange)
        kn_gdl_problem(e->description, true, place,
                       "a random game of %d moves ends with the goal %s for %s, which is not a number from 0 "
                       "to 100",
                       ply, text.data, role_name(e, role, &name));
    else
        kn_gdl_problem(e->description, false, place,
                       "a random game of %d moves ends with %zu goal values for %s, not one", ply, count,
                       role_name(e, role, &name));
    kn_text_free(&name);
    kn_text_free(&text);
    return KN_OK;
}

static void report_stuck(Examination *e, int role, int ply)
{
    if (e->stuck[role]) return;
    e->stuck[role] = true;
    KnText name = KN_TEXT_EMPTY;
    kn_gdl_problem(e->description, true, e->description->relations[KN_GDL_LEGAL].place,
                   "%s has no legal move after %d move%s, but the game is not over",
                   role_name(e, role, &name), ply, kn_s((uint64_t)ply));
    kn_text_free(&name);
}

static bool is_nature(const Examination *e, int role)
{
    KnText name = KN_TEXT_EMPTY;
    bool nature = strcmp(role_name(e, role, &name), "random") == 0;
    kn_text_free(&name);
    return nature;
}

/* Plays one random move; *on is false when the game cannot go on. */
static KnStatus play_step(Examination *e, int ply, KnRng *rng, bool *on, KnError *error)
{
    bool terminal;
    uint64_t joint[KN_GDL_ROLES];
    KnStatus status = kn_gdl_is_terminal(e->machine, e->state, &terminal, error);
    *on = status == KN_OK && !terminal;
    for (int role = 0; role < e->description->role_count && status == KN_OK; role++) {
        if (terminal) {
            if (!is_nature(e, role)) status = check_goal(e, role, ply, error);
            continue;
        }
        int count;
        status = kn_gdl_legal(e->machine, e->state, role, e->listed, &count, error);
        if (status != KN_OK) break;
        if (!count) {
            report_stuck(e, role, ply);
            *on = false;
            continue;
        }
        joint[role] = e->listed[kn_rng_below(rng, (uint32_t)count)];
    }
    if (status != KN_OK || !*on) return status;
    e->states++;
    return kn_gdl_next(e->machine, e->state, joint, e->state, error);
}

static KnStatus play_games(Examination *e, KnError *error)
{
    int most = kn_gdl_machine_propnet(e->machine) ? STATES_GROUNDED : STATES_PROVED;
    KnStatus status = KN_OK;
    for (uint64_t game = 0; game < GAMES && e->states < most && status == KN_OK; game++) {
        KnRng rng = kn_rng_stream(1, game);
        bool on = true;
        status = kn_gdl_start(e->machine, e->state, error);
        for (int ply = 0; on && ply < PLIES && e->states <= most && status == KN_OK; ply++)
            status = play_step(e, ply, &rng, &on, error);
    }
    return status;
}

/* ---- The whole ---- */

/* A message that begins with the place of the problem, as one of the description's problems. */
static void take_message(KnGdlDescription *description, const KnError *error)
{
    KnGdlPlace place = {1, 1};
    const char *text = error->text;
    size_t length = strlen(description->name);
    int used = 0;
    if (strncmp(text, description->name, length) == 0 &&
        sscanf(text + length, ":%d:%d: %n", &place.line, &place.column, &used) == 2 && used)
        text += length + (size_t)used;
    kn_gdl_problem(description, true, place, "%s", text);
}

static KnStatus play(Examination *e, KnError *error)
{
    e->prover = kn_gdl_prover_new(e->description);
    e->state = malloc(kn_gdl_machine_words(e->machine) * sizeof *e->state);
    e->listed = malloc((size_t)kn_gdl_machine_moves(e->machine) * sizeof *e->listed);
    if (!e->prover || !e->state || !e->listed) return kn_fail_memory(error, "checking a game description");
    KnStatus status = kn_gdl_machine_terms(e->machine, &e->terms, &e->facts, &e->moves, error);
    return status == KN_OK ? play_games(e, error) : status;
}

KnStatus kn_gdl_examine(const char *path, KnGdlDescription *description, KnError *error)
{
    check_goal_rules(description);
    Examination e = {.description = description};
    KnGdlDescription *again;
    KnGdlLimits limits = {.facts = 16384, .moves = 4096, .reasoner = KN_GDL_AUTO};
    KnStatus status = kn_gdl_read_file(path, false, &again, error);
    if (status == KN_OK) status = kn_gdl_machine_new(again, &limits, &e.machine, error);
    if (status == KN_OK) status = play(&e, error);
    if (status != KN_OK && status != KN_SYSTEM) take_message(description, error);
    kn_gdl_machine_free(e.machine);
    kn_gdl_prover_free(e.prover);
    kn_terms_free(&e.terms);
    free(e.facts);
    free(e.moves);
    free(e.state);
    free(e.listed);
    if (status == KN_SYSTEM) return status;
    return description->error_count ? KN_NO : KN_OK;
}
