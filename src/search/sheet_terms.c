#include "search/sheet_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gdl/gdl.h"
#include "games/turns.h"

enum { USUAL = 3, MOST_FACTS = 900 }; /* terms that every sheet has; those of facts at most */

/* A fact adds to up to two terms: its own and its content's. */
typedef struct Share {
    int16_t term;
    int8_t sign; /* for the first role */
} Share;

struct KnSheetTerms {
    KnGdlMachine *machine;
    KnArena *arena; /* of the names */
    KnFeature *features;
    Share *own, *content; /* by fact; sign 0: none */
    double feasible[2];
    size_t words;
};

/* ---- Values ---- */

static int count_moves(const KnGame *game, const void *position, int role)
{
    KnMove moves[game->max_moves];
    return kn_game_moves_of(game, position, role, moves);
}

static double goal_of(const KnSheetTerms *s, const uint64_t *facts, int role)
{
    int value = 0;
    KnError error;
    return kn_gdl_goal(s->machine, facts, role, &value, &error) == KN_OK && value > 0 ? value / 100.0 : 0;
}

/* Everything for the first role; returns who has the choice, the first if nobody has. */
static int values_of_first(const KnTermSet *terms, const void *position, double *values)
{
    const KnSheetTerms *s = terms->sheet;
    const uint64_t *facts = kn_gdl_facts(position);
    memset(values, 0, (size_t)terms->count * sizeof *values);
    int mover = 0, count = count_moves(terms->game, position, 0);
    if (count <= 1) {
        int other = count_moves(terms->game, position, 1);
        if (other > 1) mover = 1, count = other;
    }
    double sign = mover ? -1 : 1;
    values[0] = sign;
    values[1] = count > 1 ? sign * (count - 1) / s->feasible[mover] : 0;
    values[2] = goal_of(s, facts, 0) - goal_of(s, facts, 1);
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t bits = facts[w]; bits; bits &= bits - 1) {
            size_t fact = w * 64 + (size_t)__builtin_ctzll(bits);
            if (s->own[fact].sign) values[s->own[fact].term] += s->own[fact].sign;
            if (s->content[fact].sign) values[s->content[fact].term] += s->content[fact].sign;
        }
    return mover;
}

static void turn(double *values, int count)
{
    for (int i = 0; i < count; i++) values[i] = -values[i];
}

static int values_for_mover(const KnTermSet *terms, const void *position, double *values)
{
    if (values_of_first(terms, position, values) == 1) turn(values, terms->count);
    return 0;
}

static int values_for(const KnTermSet *terms, const void *position, int role, double *values)
{
    values_of_first(terms, position, values);
    if (role == 1) turn(values, terms->count);
    return 0;
}

/* ---- Which terms there are ---- */

static int add_term(KnTermSet *terms, const char *name, const char *help, double reach)
{
    KnSheetTerms *s = terms->sheet;
    s->features[terms->count] = (KnFeature){name, help, -reach, reach};
    return terms->count++;
}

/* Contents of a board: with twins, one and the other that takes its place; without, each by itself. */
static int content_of_fact(const KnGdlBoard *board, uint32_t fact)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows;
    for (int i = 0; i < places * contents; i++)
        if (board->facts[i] == fact + 1) return i % contents;
    return -1;
}

/* What becomes of a content when the roles change places: another of the board, itself, or -1 if that is not
 * one. */
static int twin_of_content(const KnGdlBoard *board, const uint32_t *twins, int content)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows,
        twin = -1;
    for (int place = 0; place < places; place++) {
        uint32_t fact = board->facts[place * contents + content];
        if (!fact) continue;
        int here = content_of_fact(board, twins[fact - 1]);
        if (here < 0 || (twin >= 0 && twin != here)) return -1;
        twin = here;
    }
    return twin;
}

static void share_content(KnSheetTerms *s, const KnGdlBoard *board, int content, int term, int sign)
{
    int contents = board->content_count ? board->content_count : 1, places = board->columns * board->rows;
    for (int place = 0; place < places; place++) {
        uint32_t fact = board->facts[place * contents + content];
        if (fact) s->content[fact - 1] = (Share){(int16_t)term, (int8_t)sign};
    }
}

static void add_board(KnTermSet *terms, const KnGdlBoard *board, const uint32_t *twins)
{
    KnSheetTerms *s = terms->sheet;
    int contents = board->content_count ? board->content_count : 1;
    for (int content = 0; content < contents && terms->count < KN_TERMS_MAX - MOST_FACTS; content++) {
        int twin = twins ? twin_of_content(board, twins, content) : -1;
        if (twins && twin <= content) continue; /* the same for both, counted with the other, or scattered */
        const char *name = board->content_count
                               ? kn_arena_printf(s->arena, "%s: %s", board->name, board->contents[content])
                               : kn_arena_printf(s->arena, "%s: marked", board->name);
        int term = add_term(terms, name, "how many there are", board->columns * board->rows);
        share_content(s, board, content, term, 1);
        if (twin >= 0) share_content(s, board, twin, term, -1);
    }
}

static const char *fact_name(KnSheetTerms *s, uint32_t fact)
{
    uint64_t only[s->words];
    memset(only, 0, sizeof only);
    only[fact / 64] = UINT64_C(1) << fact % 64;
    KnText text = KN_TEXT_EMPTY;
    kn_gdl_state_text(s->machine, only, " ", &text);
    const char *name = kn_arena_string(s->arena, text.data);
    kn_text_free(&text);
    return name;
}

/* How many facts a fact goes through before the renaming gives it back. */
static uint32_t length_of_round(const uint32_t *twins, uint32_t fact)
{
    uint32_t length = 1;
    for (uint32_t at = twins[fact]; at != fact; at = twins[at]) length++;
    return length;
}

/* A term for each fact, or for each round of an even number of twins, with signs that alternate. */
static void add_facts(KnTermSet *terms, const KnGdlAnalysis *found, const bool *clocks)
{
    KnSheetTerms *s = terms->sheet;
    const uint32_t *twins = found->fact_twins;
    uint32_t wanted = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t fact = 0; fact < found->facts; fact++) {
            uint32_t least = fact, round = twins ? length_of_round(twins, fact) : 0;
            for (uint32_t at = fact, i = 0; i < round; i++, at = twins[at]) least = at < least ? at : least;
            if (clocks[fact] || round % 2 || least < fact) continue;
            if (!pass) {
                if (++wanted > MOST_FACTS) return;
                continue;
            }
            int term = add_term(terms, fact_name(s, fact),
                                twins ? "1 where it is so, less the same for the other" : "1 where it is so",
                                round ? round / 2.0 : 1);
            s->own[fact] = (Share){(int16_t)term, 1};
            for (uint32_t at = fact, i = 0; i < round; i++, at = twins[at])
                s->own[at] = (Share){(int16_t)term, i % 2 ? -1 : 1};
        }
}

static bool find_terms(KnTermSet *terms, const KnGdlAnalysis *found)
{
    KnSheetTerms *s = terms->sheet;
    bool *clocks = calloc((size_t)found->facts + 1, sizeof *clocks);
    if (!clocks) return false;
    for (uint32_t g = 0; g < found->group_count; g++)
        for (uint32_t i = 0; found->groups[g].clock && i < found->groups[g].count; i++)
            clocks[found->groups[g].facts[i]] = true;
    add_term(terms, "value of move", "1 for whoever has the choice", 1);
    add_term(terms, "moves", "legal moves of whoever has the choice, as a share of all", 1);
    add_term(terms, "goal", "goal value by the rules before the end, less the other's", 1);
    for (int b = 0; b < found->boards.count; b++) add_board(terms, &found->boards.list[b], found->fact_twins);
    add_facts(terms, found, clocks);
    free(clocks);
    for (int i = 0; i < terms->count; i++)
        if (!s->features[i].name) return false;
    return true;
}

KnStatus kn_sheet_terms(KnTermSet *terms, KnError *error)
{
    const KnGame *game = terms->game;
    KnStatus status = kn_game_takes_turns(game, error);
    if (status != KN_OK) return status;
    KnSheetTerms *s = terms->sheet = calloc(1, sizeof *s);
    if (!s) return kn_fail_memory(error, "opening the terms of an evaluation");
    s->machine = kn_game_gdl(game);
    s->words = kn_gdl_machine_words(s->machine);
    s->arena = kn_arena_new();
    s->features = calloc(KN_TERMS_MAX, sizeof *s->features);
    s->own = calloc(s->words * 64, sizeof *s->own);
    s->content = calloc(s->words * 64, sizeof *s->content);
    for (int role = 0; role < 2; role++) s->feasible[role] = kn_gdl_feasible(s->machine, role);
    terms->values = values_for_mover;
    terms->values_for = values_for;
    bool made = s->arena && s->features && s->own && s->content && find_terms(terms, kn_game_analysis(game));
    terms->features = s->features;
    return made ? KN_OK : kn_fail_memory(error, "opening the terms of an evaluation");
}

void kn_sheet_terms_free(KnSheetTerms *s)
{
    if (!s) return;
    kn_arena_free(s->arena);
    free(s->features);
    free(s->own);
    free(s->content);
    free(s);
}
