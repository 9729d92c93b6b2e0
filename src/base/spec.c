#include "base/spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Specs come from command lines, files and requests: bounded in length, depth and number of arguments, so
 * that no text can exhaust the stack or the memory. */
enum { SPEC_LENGTH_MAX = 65536, SPEC_DEPTH_MAX = 32, SPEC_ARGS_MAX = 4096 };

typedef struct Reader {
    const char *text;
    size_t at;
    KnArena *arena;
    KnError *error;
} Reader;

static int reader_column(const Reader *r) { return (int)r->at + 1; }

static KnStatus reader_fail(Reader *r, const char *message)
{
    return kn_fail(r->error, KN_INPUT, "spec \"%.200s\", column %d: %s", r->text, reader_column(r), message);
}

static KnStatus reader_memory(Reader *r) { return kn_fail_memory(r->error, "reading a spec"); }

static void skip_space(Reader *r)
{
    while (isspace((unsigned char)r->text[r->at])) r->at++;
}

static bool is_word(char c) { return c && (isalnum((unsigned char)c) || strchr("_./~%@-*", c)); }

static char *reader_slice(Reader *r, size_t from, size_t length)
{
    char *slice = kn_arena_alloc(r->arena, length + 1);
    if (slice) memcpy(slice, r->text + from, length);
    return slice;
}

static KnStatus read_spec(Reader *r, int depth, const KnSpec **out);

/* \u001b and the like: control characters as kn_text_add_quoted writes them. Stops at the last digit. */
static KnStatus read_control(Reader *r, char *out)
{
    unsigned value = 0;
    for (int i = 1; i <= 4; i++) {
        char c = r->text[r->at + 1];
        if (!isxdigit((unsigned char)c)) return reader_fail(r, "\\u takes four hexadecimal digits");
        value = value * 16 + (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower(c) - 'a' + 10);
        r->at++;
    }
    if (value == 0 || value > 0x7f)
        return reader_fail(r, "\\u is for \\u0001 to \\u007f only (write others as they are)");
    *out = (char)value;
    return KN_OK;
}

static KnStatus read_string(Reader *r, const char **out)
{
    size_t start = r->at++;
    size_t end = r->at;
    while (r->text[end] && r->text[end] != '"') end += r->text[end] == '\\' && r->text[end + 1] ? 2 : 1;
    char *content = kn_arena_alloc(r->arena, end - start); /* its content is never longer than its text */
    if (!content) return reader_memory(r);
    size_t length = 0;
    for (;; r->at++) {
        char c = r->text[r->at];
        if (!c) {
            r->at = start;
            return reader_fail(r, "this quoted text never ends (a closing \" is missing)");
        }
        if (c == '"') break;
        if (c == '\\' && r->text[r->at + 1]) {
            c = r->text[++r->at];
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c == 'u') {
                KnStatus status = read_control(r, &c);
                if (status != KN_OK) return status;
            }
        }
        content[length++] = c;
    }
    r->at++;
    *out = content;
    return KN_OK;
}

/* The tail of NAME:PATH, up to what closes the argument it stands in. */
static KnStatus read_path(Reader *r, KnSpec *spec)
{
    r->at++;
    size_t start = r->at;
    while (r->text[r->at] && !strchr(",()\" \t\n", r->text[r->at])) r->at++;
    if (r->at == start) return reader_fail(r, "a path should follow the colon");
    KnSpec *arg = KN_ARENA_NEW(r->arena, KnSpec, 1);
    char *path = reader_slice(r, start, r->at - start);
    if (!arg || !path) return reader_memory(r);
    *arg = (KnSpec){
        .kind = KN_SPEC_STRING, .text = path, .column = (int)start + 1, .key_column = (int)start + 1};
    spec->args = arg;
    spec->path = true;
    return KN_OK;
}

static KnStatus read_arguments(Reader *r, int depth, KnSpec *spec)
{
    size_t open = r->at++;
    const KnSpec **link = &spec->args;
    for (int count = 0;; count++) {
        skip_space(r);
        if (r->text[r->at] == ')' && count == 0) break;
        if (count == SPEC_ARGS_MAX) return reader_fail(r, "too many arguments");
        const KnSpec *arg;
        KnStatus status = read_spec(r, depth + 1, &arg);
        if (status != KN_OK) return status;
        *link = arg;
        link = &((KnSpec *)arg)->next; /* the node is ours until the tree is handed out */
        skip_space(r);
        if (r->text[r->at] == ',') {
            r->at++;
            continue;
        }
        if (r->text[r->at] == ')') break;
        if (!r->text[r->at]) {
            r->at = open;
            return reader_fail(r, "this parenthesis is never closed");
        }
        return reader_fail(r, "expected , or )");
    }
    r->at++;
    return KN_OK;
}

/* One value, with its key if it has one. */
static KnStatus read_spec(Reader *r, int depth, const KnSpec **out)
{
    if (depth > SPEC_DEPTH_MAX) return reader_fail(r, "nested too deeply");
    KnSpec *spec = KN_ARENA_NEW(r->arena, KnSpec, 1);
    if (!spec) return reader_memory(r);
    *out = spec;
    skip_space(r);
    spec->column = spec->key_column = reader_column(r);
    if (r->text[r->at] == '"') {
        spec->kind = KN_SPEC_STRING;
        return read_string(r, &spec->text);
    }
    size_t start = r->at;
    char first = r->text[r->at];
    char second = first ? r->text[r->at + 1] : '\0';
    if ((first == '+' || first == '-') && (isalpha((unsigned char)second) || second == '_')) {
        spec->sign = first;
        start = ++r->at;
    } else if (first == '+') {
        r->at++;
    }
    while (is_word(r->text[r->at]) ||
           (r->text[r->at] == '+' && r->at > start && strchr("eE", r->text[r->at - 1]))) /* 1e+9 */
        r->at++;
    if (r->at == start) {
        if (!first) return reader_fail(r, "a name or a value is missing at the end");
        return reader_fail(r, "expected a name, a number or a \"text\"");
    }
    char *word = reader_slice(r, start, r->at - start);
    if (!word) return reader_memory(r);
    size_t after = r->at;
    skip_space(r);
    if (r->text[r->at] == '=' && !spec->sign) {
        r->at++;
        const KnSpec *value;
        KnStatus status = read_spec(r, depth + 1, &value); /* a=a=a=... must not exhaust the stack */
        if (status != KN_OK) return status;
        if (value->key)
            return kn_fail(r->error, KN_INPUT, "spec \"%.200s\", column %d: a second = in one argument",
                           r->text, value->column);
        ((KnSpec *)value)->key = word;
        ((KnSpec *)value)->key_column = spec->column;
        *out = value;
        return KN_OK;
    }
    spec->text = word;
    char *end;
    spec->number = strtod(word, &end);
    if (*end == '\0' && !spec->sign && !isalpha((unsigned char)word[0])) {
        spec->kind = KN_SPEC_NUMBER; /* "inf" and "nan" stay names */
        r->at = after;
        return KN_OK;
    }
    if (r->text[after] == ':') {
        r->at = after;
        return read_path(r, spec);
    }
    if (r->text[r->at] == '(') return read_arguments(r, depth, spec);
    r->at = after;
    return KN_OK;
}

KnStatus kn_spec_parse(const char *text, KnArena *arena, const KnSpec **spec, KnError *error)
{
    if (strlen(text) > SPEC_LENGTH_MAX)
        return kn_fail(error, KN_INPUT, "spec longer than %d characters", SPEC_LENGTH_MAX);
    if (!kn_utf8_valid(text)) /* specs are written down in JSON */
        return kn_fail(error, KN_INPUT, "spec \"%.200s\": this is no UTF-8; rename the files that it names",
                       text);
    Reader reader = {text, 0, arena, error};
    KnStatus status = read_spec(&reader, 0, spec);
    if (status != KN_OK) return status;
    if ((*spec)->key)
        return kn_fail(error, KN_INPUT, "spec \"%.200s\": %s= stands outside of any parentheses", text,
                       (*spec)->key);
    if ((*spec)->kind != KN_SPEC_NAME || (*spec)->sign)
        return kn_fail(error, KN_INPUT,
                       "spec \"%.200s\": expected a name such as random or alphabeta(depth=4)", text);
    skip_space(&reader);
    if (text[reader.at]) return reader_fail(&reader, "nothing should follow here");
    return KN_OK;
}

void kn_spec_print(const KnSpec *spec, KnText *out)
{
    if (spec->key) kn_text_printf(out, "%s=", spec->key);
    if (spec->kind == KN_SPEC_STRING) {
        kn_text_add_quoted(out, spec->text);
        return;
    }
    if (spec->sign) kn_text_add_char(out, spec->sign);
    kn_text_add(out, spec->text);
    if (spec->path) {
        kn_text_printf(out, ":%s", spec->args->text);
        return;
    }
    if (!spec->args) return;
    kn_text_add_char(out, '(');
    for (const KnSpec *arg = spec->args; arg; arg = arg->next) {
        kn_spec_print(arg, out);
        if (arg->next) kn_text_add(out, ", ");
    }
    kn_text_add_char(out, ')');
}

char *kn_spec_canonical(const char *text, KnError *error)
{
    KnArena *arena = kn_arena_new();
    const KnSpec *spec;
    KnStatus status = arena ? kn_spec_parse(text, arena, &spec, error)
                            : kn_fail_memory(error, "reading a spec");
    KnText canonical = KN_TEXT_EMPTY;
    if (status == KN_OK) kn_spec_print(spec, &canonical);
    kn_arena_free(arena);
    char *taken = status == KN_OK ? kn_text_take(&canonical) : NULL;
    if (status == KN_OK && !taken) kn_fail_memory(error, "reading a spec");
    return taken;
}
