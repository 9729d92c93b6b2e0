#include "protocols/ggp_obfuscation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pair {
    char *name, *alias;
} Pair;

struct KnObfuscation {
    Pair *by_name;  /* sorted */
    Pair *by_alias; /* the same pairs, sorted by the other */
    size_t count, room;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const Pair *)a)->name, ((const Pair *)b)->name);
}
static int compare_aliases(const void *a, const void *b)
{
    return strcmp(((const Pair *)a)->alias, ((const Pair *)b)->alias);
}

/* The next atom of a text, parentheses aside. */
static bool next_atom(KnPiece *rest, KnPiece *atom)
{
    while (kn_piece_token(rest, atom))
        if (*atom->text != '(' && *atom->text != ')') return true;
    return false;
}

static bool keeps_its_name(KnPiece atom)
{
    static const char *const keywords[] = {"role",     "init", "true",     "next", "legal",
                                           "does",     "goal", "terminal", "base", "input",
                                           "distinct", "not",  "or",       "<=",   "random"};
    if (*atom.text == '?' || strspn(atom.text, "-0123456789") >= atom.length) return true;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (kn_piece_is(atom, keywords[i])) return true;
    return false;
}

static bool add_name(KnObfuscation *s, KnPiece atom)
{
    if (s->count == s->room) {
        size_t room = s->room ? s->room * 2 : 256;
        Pair *pairs = realloc(s->by_name, room * sizeof *pairs);
        if (!pairs) return false;
        s->by_name = pairs;
        s->room = room;
    }
    char *name = strndup(atom.text, atom.length);
    if (!name) return false;
    s->by_name[s->count++] = (Pair){.name = name};
    return true;
}

static void drop_doubles(KnObfuscation *s)
{
    size_t kept = 0;
    if (s->count) qsort(s->by_name, s->count, sizeof *s->by_name, compare_names);
    for (size_t i = 0; i < s->count; i++) {
        if (kept && strcmp(s->by_name[kept - 1].name, s->by_name[i].name) == 0)
            free(s->by_name[i].name);
        else
            s->by_name[kept++] = s->by_name[i];
    }
    s->count = kept;
}

/* Words that can be said, made different by a number. */
static bool invent(KnObfuscation *s, KnRng *rng)
{
    static const char *const first[] = {"bo", "ke", "lu", "ma", "ni", "po",
                                        "ra", "si", "tu", "va", "wo", "zi"};
    static const char *const last[] = {"bel", "dor", "fan", "gos", "lim", "mur",
                                       "nak", "pel", "rin", "sot", "tam", "vek"};
    uint32_t *order = malloc((s->count + 1) * sizeof *order);
    if (!order) return false;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t j = kn_rng_below(rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    bool ok = true;
    for (size_t i = 0; i < s->count && ok; i++) {
        char alias[64];
        const char *end =
            last[kn_rng_below(rng, 12)]; /* drawn first: compilers order arguments as they like */
        snprintf(alias, sizeof alias, "%s%s%u", first[kn_rng_below(rng, 12)], end, (unsigned)order[i]);
        ok = (s->by_name[i].alias = strdup(alias)) != NULL;
    }
    free(order);
    return ok;
}

KnObfuscation *kn_obfuscation_new(KnPiece rules, KnRng *rng)
{
    KnObfuscation *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    KnPiece atom;
    bool ok = true;
    while (ok && next_atom(&rules, &atom))
        if (!keeps_its_name(atom)) ok = add_name(s, atom);
    if (ok) drop_doubles(s);
    ok = ok && invent(s, rng) && (s->by_alias = malloc((s->count + 1) * sizeof *s->by_alias));
    if (!ok) {
        kn_obfuscation_free(s);
        return NULL;
    }
    if (s->count) memcpy(s->by_alias, s->by_name, s->count * sizeof *s->by_name);
    if (s->count) qsort(s->by_alias, s->count, sizeof *s->by_alias, compare_aliases);
    return s;
}

void kn_obfuscation_free(KnObfuscation *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->count; i++) {
        free(s->by_name[i].name);
        free(s->by_name[i].alias);
    }
    free(s->by_name);
    free(s->by_alias);
    free(s);
}

/* What an atom is called on the other side; NULL: the same. */
static const char *exchange(const KnObfuscation *s, KnPiece atom, bool back)
{
    char word[256];
    if (!s || !s->count || atom.length >= sizeof word) return NULL;
    snprintf(word, sizeof word, "%.*s", (int)atom.length, atom.text);
    Pair key = {word, word};
    const Pair *found = back ? bsearch(&key, s->by_alias, s->count, sizeof key, compare_aliases)
                             : bsearch(&key, s->by_name, s->count, sizeof key, compare_names);
    return !found ? NULL : back ? found->name : found->alias;
}

void kn_obfuscation_print(const KnObfuscation *s, KnPiece terms, bool back, KnText *out)
{
    KnPiece token;
    bool first = true, opened = false;
    while (kn_piece_token(&terms, &token)) {
        if (!first && !opened && *token.text != ')') kn_text_add_char(out, ' ');
        const char *other = exchange(s, token, back);
        if (other)
            kn_text_add(out, other);
        else
            kn_text_add_bytes(out, token.text, token.length);
        opened = *token.text == '(';
        first = false;
    }
}
