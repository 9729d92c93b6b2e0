/* The parser: text to a tree of lists, and the driver of all stages. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "games/gdl/build.h"
#include "games/gdl/prover.h"

enum { MOST_BYTES = 8 << 20, MOST_SHEET_TERMS = 4 << 20, SYMBOL_LETTERS = 200 };

typedef struct Reader {
    KnGdlDescription *description;
    KnArena *scratch;
    const char *at, *end;
    KnGdlPlace place;
    KnError *error;
} Reader;

static KnStatus fail_at(Reader *reader, KnGdlPlace place, const char *what)
{
    return kn_fail(reader->error, KN_INPUT, "%s:%d:%d: %s", reader->description->name, place.line,
                   place.column, what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
static bool ends_symbol(char c) { return is_blank(c) || c == '(' || c == ')' || c == ';'; }

static void step(Reader *reader)
{
    if (*reader->at++ == '\n') {
        reader->place.line++;
        reader->place.column = 1;
    } else
        reader->place.column++;
}

/* Skips blanks, and comments from ; to the end of the line. */
static void skip(Reader *reader)
{
    while (reader->at < reader->end) {
        if (*reader->at == ';')
            while (reader->at < reader->end && *reader->at != '\n') step(reader);
        else if (is_blank(*reader->at))
            step(reader);
        else
            return;
    }
}

static KnStatus read_atom(Reader *reader, KnGdlNode *node)
{
    const char *begin = reader->at;
    while (reader->at < reader->end && !ends_symbol(*reader->at)) {
        if ((unsigned char)*reader->at < ' ' || *reader->at == 127)
            return fail_at(reader, reader->place, "a control character; a description is plain text");
        step(reader);
    }
    size_t length = (size_t)(reader->at - begin);
    if (length > SYMBOL_LETTERS) return fail_at(reader, node->place, "a symbol of more than 200 letters");
    node->items = -1;
    node->variable = *begin == '?';
    if (!kn_symbol_add(&reader->description->symbols, begin, length, &node->symbol))
        return kn_fail_memory(reader->error, "reading a game description");
    return KN_OK;
}

/* (p) and p are different sentences: the symbol of the first keeps its parentheses. */
static KnStatus name_bare_list(Reader *reader, KnGdlNode *node)
{
    bool connective = node->symbol == KN_GDL_NOT || node->symbol == KN_GDL_OR ||
                      node->symbol == KN_GDL_DISTINCT || node->symbol == KN_GDL_RULE;
    if (node->items != 1 || node->first->items >= 0 || node->first->variable || connective) return KN_OK;
    char name[SYMBOL_LETTERS + 3];
    int length = snprintf(name, sizeof name, "(%s)", reader->description->symbols.names[node->symbol]);
    if (!kn_symbol_add(&reader->description->symbols, name, (size_t)length, &node->symbol))
        return kn_fail_memory(reader->error, "reading a game description");
    return KN_OK;
}

/* Parses a list. Its depth is bounded so that hostile nesting cannot exhaust the stack. */
static KnStatus read_node(Reader *reader, int depth, KnGdlNode **out)
{
    KnGdlNode *node = *out = KN_ARENA_NEW(reader->scratch, KnGdlNode, 1);
    if (!node) return kn_fail_memory(reader->error, "reading a game description");
    node->place = reader->place;
    if (*reader->at != '(') return read_atom(reader, node);
    if (depth == KN_GDL_DEPTH) return fail_at(reader, node->place, "parentheses nested more than 100 deep");
    step(reader);
    KnGdlNode **tail = &node->first;
    for (;;) {
        skip(reader);
        if (reader->at == reader->end) return fail_at(reader, node->place, "this ( is never closed");
        if (*reader->at == ')') break;
        KnStatus status = read_node(reader, depth + 1, tail);
        if (status != KN_OK) return status;
        if (node->items++ == 0 && (*tail)->items < 0) node->symbol = (*tail)->symbol;
        tail = &(*tail)->next;
    }
    step(reader);
    return name_bare_list(reader, node);
}

KnStatus kn_gdl_parse(KnGdlDescription *description, KnArena *scratch, const char *text, size_t length,
                      KnGdlNode **first, KnError *error)
{
    Reader reader = {description, scratch, text, text + length, {1, 1}, error};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) reader.at += 3; /* a byte-order mark */
    *first = NULL;
    for (KnGdlNode **tail = first;; tail = &(*tail)->next) {
        skip(&reader);
        if (reader.at == reader.end) return KN_OK;
        if (*reader.at == ')') return fail_at(&reader, reader.place, "this ) closes nothing");
        KnStatus status = read_node(&reader, 0, tail);
        if (status != KN_OK) return status;
    }
}

/* ---- Problems ---- */

void kn_gdl_problem(KnGdlDescription *description, bool error, KnGdlPlace place, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    description->error_count += error;
    int slot = description->problem_count;
    if (slot == KN_GDL_PROBLEMS) { /* full: an error replaces a warning */
        do slot--;
        while (slot >= 0 && description->problems[slot].error);
        if (!error || slot < 0) return;
    } else
        description->problem_count++;
    const char *kept = kn_arena_string(description->arena, text);
    description->problems[slot] = (KnGdlProblem){error, place, kept ? kept : "out of memory"};
}

static KnStatus verdict(const KnGdlDescription *description, bool keep_bad, KnError *error)
{
    if (!description->error_count) return KN_OK;
    const KnGdlProblem *worst = description->problems;
    while (!worst->error) worst++;
    kn_fail(error, keep_bad ? KN_NO : KN_INPUT, "%s:%d:%d: %s%s", description->name, worst->place.line,
            worst->place.column, worst->text, description->error_count > 1 ? " (and more)" : "");
    return keep_bad ? KN_NO : KN_INPUT;
}

/* ---- Roles derived by rules ---- */

/* A description without role facts: its roles are what the rules derive independently of state and moves, in
 * that order. */
static KnStatus derive_roles(KnGdlDescription *description, KnError *error)
{
    KnGdlProver *prover = kn_gdl_prover_new(description);
    KnTerm open = prover ? kn_term_variable(kn_gdl_prover_terms(prover), 0) : 0;
    KnTerm question = open ? kn_term_make(kn_gdl_prover_terms(prover), KN_GDL_ROLE, &open, 1) : 0;
    const KnTerm *answers;
    size_t count = 0;
    KnStatus status = question ? kn_gdl_ask(prover, question, &answers, &count, error)
                               : kn_fail_memory(error, "reading a game description");
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        KnTerm role = kn_term_import(&description->terms, kn_gdl_prover_terms(prover),
                                     kn_term_args(kn_gdl_prover_terms(prover), answers[i])[0]);
        if (!role)
            status = kn_fail_memory(error, "reading a game description");
        else if (i == KN_GDL_ROLES)
            kn_gdl_problem(description, true, description->relations[KN_GDL_ROLE].place, "more than %d roles",
                           KN_GDL_ROLES);
        else if (kn_term_ground(&description->terms, role) && i < KN_GDL_ROLES)
            description->roles[description->role_count++] = role;
    }
    kn_gdl_prover_free(prover);
    if (status != KN_OK) return status;
    if (!description->role_count)
        kn_gdl_problem(description, true, description->relations[KN_GDL_ROLE].place,
                       "no role follows from the rules; a description names its players, as in (role white)");
    return kn_gdl_make_queries(description, error);
}

/* ---- Driver ---- */

static KnStatus build_sheet(KnGdlDescription *description, const char *text, size_t length, KnError *error)
{
    KnGdlBuild build = {.description = description, .scratch = kn_arena_new(), .error = error};
    KnGdlNode *first = NULL;
    KnStatus status = build.scratch ? KN_OK : kn_fail_memory(error, "reading a game description");
    if (status == KN_OK) status = kn_gdl_parse(description, build.scratch, text, length, &first, error);
    if (status == KN_OK) status = kn_gdl_make_rules(&build, first);
    if (status == KN_OK) status = kn_gdl_check(&build);
    if (status == KN_OK && !description->error_count && !description->role_count)
        status = derive_roles(description, error);
    kn_arena_free(build.scratch);
    return status;
}

KnStatus kn_gdl_read(const char *name, const char *text, size_t length, bool keep_bad, KnGdlDescription **out,
                     KnError *error)
{
    *out = NULL;
    if (length > MOST_BYTES)
        return kn_fail(error, KN_INPUT, "%s: more than %d MiB of rules", name, MOST_BYTES >> 20);
    KnGdlDescription *description = calloc(1, sizeof *description);
    if (!description) return kn_fail_memory(error, "reading a game description");
    description->arena = kn_arena_new();
    bool ok = description->arena && (description->name = kn_arena_string(description->arena, name)) &&
              kn_symbols_init(&description->symbols) && kn_terms_init(&description->terms, MOST_SHEET_TERMS);
    KnStatus status = ok ? build_sheet(description, text, length, error)
                         : kn_fail_memory(error, "reading a game description");
    if (status == KN_OK) {
        status = verdict(description, keep_bad, error);
        if (status == KN_OK || status == KN_NO) {
            *out = description;
            return status;
        }
    }
    kn_gdl_free(description);
    return status;
}

/* A built-in description by name; NULL if there is none. */
static const KnEmbeddedRow *built_in(const char *name)
{
    char path[300];
    int length = snprintf(path, sizeof path, "gdl/%s.kif", name);
    return length < (int)sizeof path && !strpbrk(name, "./") && !kn_file_exists(name) ? kn_embedded_find(path)
                                                                                      : NULL;
}

static KnStatus no_such_name(const char *name, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (const KnEmbeddedRow *row = kn_embedded_rows; row->name; row++) {
        size_t length = strlen(row->name);
        if (strncmp(row->name, "gdl/", 4) == 0 && length > 8)
            kn_text_printf(&known, " %.*s", (int)(length - 8), row->name + 4);
    }
    kn_fail(error, KN_INPUT,
            "there is no game description called \"%.60s\"; built in are%s; others by their file, as in "
            "./rules.kif",
            name, known.data);
    kn_text_free(&known);
    return KN_INPUT;
}

KnStatus kn_gdl_load(const char *path, KnText *text, KnError *error)
{
    const KnEmbeddedRow *row = built_in(path);
    if (!row && !strpbrk(path, "./") && !kn_file_exists(path)) return no_such_name(path, error);
    if (!row) return kn_file_read(path, text, MOST_BYTES, error);
    kn_text_clear(text);
    kn_text_add_bytes(text, row->bytes, *row->size);
    return kn_text_ok(text) ? KN_OK : kn_fail_memory(error, "reading a game description");
}

KnStatus kn_gdl_read_file(const char *path, bool keep_bad, KnGdlDescription **description, KnError *error)
{
    *description = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_gdl_load(path, &text, error);
    if (status == KN_OK) status = kn_gdl_read(path, text.data, text.length, keep_bad, description, error);
    kn_text_free(&text);
    return status;
}

void kn_gdl_free(KnGdlDescription *description)
{
    if (!description) return;
    kn_symbols_free(&description->symbols);
    kn_terms_free(&description->terms);
    kn_arena_free(description->arena);
    free(description);
}

/* ---- Single terms, for positions and moves ---- */

static KnStatus bad_term(KnError *error, const char *at, const char *what)
{
    return kn_fail(error, KN_INPUT, "\"%.40s\": %s", at, what);
}

static KnStatus read_inner_term(const KnSymbols *symbols, KnTerms *terms, const char **text, int depth,
                                KnTerm *term, KnError *error)
{
    const char *t = *text + strspn(*text, " \t\r\n");
    bool list = *t == '(';
    if (list && depth == KN_TERM_DEPTH) return bad_term(error, t, "nested too deeply");
    if (list) t += 1 + strspn(t + 1, " \t\r\n");
    size_t length = strcspn(t, " \t\r\n();");
    KnSymbol symbol;
    if (!length) return bad_term(error, t, "expected a term, as in (cell 1 1 b)");
    if (!kn_symbol_find(symbols, t, length, &symbol) || *t == '?')
        return bad_term(error, t, "a name that the rules do not have");
    t += length;
    KnTerm args[KN_GDL_ARITY];
    int arity = 0;
    while (list) {
        t += strspn(t, " \t\r\n");
        if (*t == ')') break;
        if (!*t) return bad_term(error, *text, "a parenthesis is not closed");
        if (arity == KN_GDL_ARITY) return bad_term(error, t, "too many arguments");
        KnStatus status = read_inner_term(symbols, terms, &t, depth + 1, &args[arity++], error);
        if (status != KN_OK) return status;
    }
    if (list && !arity) { /* (p): see name_bare_list */
        char name[SYMBOL_LETTERS + 3];
        int bare = snprintf(name, sizeof name, "(%s)", symbols->names[symbol]);
        if (!kn_symbol_find(symbols, name, (size_t)bare, &symbol))
            return bad_term(error, *text, "a name that the rules do not have");
    }
    *text = t + list;
    *term = kn_term_make(terms, symbol, args, arity);
    return *term ? KN_OK : kn_fail_memory(error, "reading a term");
}

KnStatus kn_gdl_read_term(const KnSymbols *symbols, KnTerms *terms, const char **text, KnTerm *term,
                          KnError *error)
{
    return read_inner_term(symbols, terms, text, 0, term, error);
}
