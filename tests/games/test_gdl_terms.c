/* Terms and the bindings of their variables: what a store keeps, and unification against Robinson's algorithm
 * on trees that are copied at every step. */
#include "support/check.h"

#include <string.h>

#include <knack/base.h>
#include "games/gdl/bindings.h"

enum { FIRST = 1000, SYMBOLS = 4, VARIABLES = 3, SLOTS = 2 * VARIABLES, ROOM = 400 };

static const int arities[SYMBOLS] = {0, 0, 1, 2}; /* a, b, f(x), g(x, y) */

/* ---- The reference: terms as text ----
 * A term in prefix form: a letter for a symbol, a digit for one of the variables of both sides. */

static int extent(const char *term)
{
    int open = 1, i = 0;
    for (; open; i++) open += term[i] >= 'a' ? arities[term[i] - 'a'] - 1 : -1;
    return i;
}

/* Puts `with` in place of a variable; false if the result is too long. */
static bool substitute(char *term, char variable, const char *with)
{
    char out[ROOM];
    size_t n = 0, length = strlen(with);
    for (const char *c = term; *c; c++) {
        if (n + length + 1 >= ROOM) return false;
        if (*c == variable) {
            memcpy(out + n, with, length);
            n += length;
        } else
            out[n++] = *c;
    }
    out[n] = 0;
    memcpy(term, out, n + 1);
    return true;
}

/* Unifies two texts in place: finds the first difference and substitutes in both. -1: too long to tell. */
static int robinson(char *a, char *b)
{
    for (;;) {
        int i = 0;
        while (a[i] && a[i] == b[i]) i++;
        if (!a[i]) return 1;
        char *variable = a[i] < 'a' ? a + i : b + i, *other = a[i] < 'a' ? b + i : a + i;
        if (*variable >= 'a') return 0;
        char name = *variable, with[ROOM];
        int length = extent(other);
        memcpy(with, other, (size_t)length);
        with[length] = 0;
        if (strchr(with, name)) return 0;
        if (!substitute(a, name, with) || !substitute(b, name, with)) return -1;
    }
}

/* Numbers variables by first occurrence, as instances do. */
static void number_variables(char *term)
{
    char names[SLOTS + 1] = "";
    for (; *term; term++)
        if (*term < 'a') {
            if (!strchr(names, *term)) strncat(names, term, 1);
            *term = (char)('0' + (strchr(names, *term) - names));
        }
}

/* ---- Both forms of the same term ---- */

/* A random term; variables of the second side have the digits from VARIABLES on. */
static int draw(KnRng *rng, char *text, int depth, int side)
{
    uint32_t kind = (uint32_t)kn_rng_below(rng, depth ? 7 : 4);
    if (kind >= 2 && kind < 4) {
        *text = (char)('0' + side * VARIABLES + (int)kn_rng_below(rng, VARIABLES));
        return 1;
    }
    int symbol = kind < 2 ? (int)kind : kind == 4 ? 2 : 3, length = 1;
    *text = (char)('a' + symbol);
    for (int i = 0; i < arities[symbol]; i++) length += draw(rng, text + length, depth - 1, side);
    return length;
}

static KnTerm make(KnTerms *terms, const char **text, int side)
{
    char c = *(*text)++;
    if (c < 'a') return kn_term_variable(terms, (unsigned)(c - '0' - side * VARIABLES));
    KnTerm args[2];
    for (int i = 0; i < arities[c - 'a']; i++) args[i] = make(terms, text, side);
    return kn_term_make(terms, FIRST + (KnSymbol)(c - 'a'), args, arities[c - 'a']);
}

static int write(const KnTerms *terms, KnTerm term, char *out)
{
    const KnTermNode *node = kn_term(terms, term);
    if (node->symbol & KN_TERM_VARIABLE) {
        *out = (char)('0' + (int)(node->symbol & ~KN_TERM_VARIABLE));
        return 1;
    }
    int length = 1;
    *out = (char)('a' + (int)(node->symbol - FIRST));
    for (int i = 0; i < node->arity; i++) length += write(terms, kn_term_args(terms, term)[i], out + length);
    return length;
}

static void check_instance(KnGdlBindings *v, KnTerm term, uint32_t base, const char *wanted)
{
    char text[ROOM], expected[ROOM];
    KnTerm instance = kn_gdl_instance(v, term, base);
    assert_int_not_equal(instance, 0);
    text[write(v->terms, instance, text)] = 0;
    strcpy(expected, wanted);
    number_variables(expected);
    assert_string_equal(text, expected);
}

static void test_unification(void **state)
{
    (void)state;
    KnRng rng = kn_rng_stream(21, 0);
    KnTerms terms;
    assert_true(kn_terms_init(&terms, 1 << 20));
    KnGdlBindings v = {.terms = &terms, .work_limit = 100000};
    int unified = 0, same = 0;
    for (int trial = 0; trial < 4000; trial++) {
        char a[ROOM], b[ROOM];
        const char *at = a;
        int sides = trial % 2; /* half of the pairs share their variables */
        a[draw(&rng, a, 3, 0)] = 0;
        KnTerm left = make(&terms, &at, 0);
        b[draw(&rng, b, 3, sides)] = 0;
        if (trial % 16 == 0) strcpy(b, a);
        KnTerm right = make(&terms, &(const char *){b}, sides);
        uint32_t base_a, base_b;
        kn_gdl_bindings_clear(&v);
        assert_true(kn_gdl_slots(&v, VARIABLES, &base_a));
        base_b = base_a;
        if (sides) assert_true(kn_gdl_slots(&v, VARIABLES, &base_b));
        assert_int_equal(kn_gdl_identical(&v, left, base_a, right, base_b), strcmp(a, b) == 0);
        same += strcmp(a, b) == 0;
        KnGdlMark mark = kn_gdl_mark(&v);
        char first[ROOM];
        strcpy(first, a);
        int wanted = robinson(a, b);
        if (wanted < 0) continue;
        assert_int_equal(kn_gdl_unify(&v, left, base_a, right, base_b), wanted);
        assert_null(v.failed);
        if (wanted) {
            unified++;
            check_instance(&v, left, base_a, a);
            check_instance(&v, right, base_b, a);
            assert_true(kn_gdl_identical(&v, left, base_a, right, base_b));
        }
        kn_gdl_undo(&v, mark);
        check_instance(&v, left, base_a, first);
    }
    assert_in_range(unified, 400, 3600);
    assert_in_range(same, 200, 1000);
    kn_gdl_bindings_free(&v);
    kn_terms_free(&terms);
}

/* Work is bounded: x1 = g(x0, x0), x2 = g(x1, x1) and so on describe a term of exponential size. */
static void test_bounded_work(void **state)
{
    (void)state;
    enum { LEVELS = 40 };
    KnTerms terms;
    assert_true(kn_terms_init(&terms, 1 << 16));
    KnGdlBindings v = {.terms = &terms, .work_limit = 500};
    uint32_t base;
    assert_true(kn_gdl_slots(&v, 2 * LEVELS, &base));
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 1; i < LEVELS; i++) {
            KnTerm below = kn_term_variable(&terms, side * LEVELS + i - 1);
            KnTerm pair = kn_term_make(&terms, FIRST + 3, (KnTerm[]){below, below}, 2);
            v.work = 0;
            if (i < 7)
                assert_true(kn_gdl_unify(&v, kn_term_variable(&terms, side * LEVELS + i), base, pair, base));
        }
    assert_null(v.failed);
    v.work = 0;
    KnTerm top = kn_term_variable(&terms, 6), other = kn_term_variable(&terms, LEVELS + 6);
    assert_false(kn_gdl_identical(&v, top, base, other, base));
    assert_null(v.failed); /* the first leaves differ */
    assert_int_not_equal(kn_gdl_instance(&v, top, base), 0);
    v.work_limit = 20;
    v.work = 0;
    assert_int_equal(kn_gdl_instance(&v, top, base), 0);
    assert_non_null(strstr(v.failed, "more steps than the bound allows"));
    kn_gdl_bindings_free(&v);
    kn_terms_free(&terms);
}

/* A store at its limit fails and says so; cut back, it has room again, and finds what was left and nothing
 * else. Equal terms have one number, in a copy too. */
static void test_store(void **state)
{
    (void)state;
    enum { LIMIT = 700 };
    KnTerms terms, copy;
    assert_true(kn_terms_init(&terms, LIMIT));
    KnTerm known[LIMIT] = {0};
    uint32_t made = 0;
    for (; made < LIMIT; made++) {
        KnTerm term = kn_term_make(&terms, FIRST + made % 5, made ? (KnTerm[]){known[made / 2]} : NULL,
                                   made > 0);
        if (!term) break;
        known[made] = term;
    }
    assert_true(terms.failed);
    assert_int_equal(terms.count, LIMIT);
    uint32_t half = LIMIT / 2, args = kn_term(&terms, half)->args;
    assert_true(kn_terms_copy(&copy, &terms, 2 * LIMIT));
    assert_false(copy.failed);
    kn_terms_truncate(&terms, half, args);
    assert_false(terms.failed);
    for (KnTerm t = 1; t < LIMIT; t++) {
        const KnTermNode *node = kn_term(&copy, t);
        KnTerm found = kn_term_find(&terms, node->symbol, kn_term_args(&copy, t), node->arity);
        assert_int_equal(found, t < half ? t : 0);
        assert_int_equal(kn_term_find(&copy, node->symbol, kn_term_args(&copy, t), node->arity), t);
    }
    assert_int_equal(kn_term_make(&terms, FIRST + 9, NULL, 0), half);
    assert_false(terms.failed);
    kn_terms_free(&terms);
    kn_terms_free(&terms); /* empty now */
    assert_null(terms.nodes);
    assert_int_equal(terms.count, 0);
    kn_terms_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unification),
        cmocka_unit_test(test_bounded_work),
        cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
