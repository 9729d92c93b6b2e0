#include "protocols/ggp_message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const kinds[KN_GGP_KINDS] = {"INFO", "PREVIEW", "START", "PLAY", "STOP", "ABORT"};

const char *kn_ggp_kind_name(KnGgpKind kind) { return kinds[kind]; }

/* ---- Terms ---- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool ends_atom(char c) { return is_blank(c) || c == '(' || c == ')' || c == ';'; }

/* Past blanks and comments. */
static void skip(KnPiece *rest)
{
    if (!rest->length) return; /* a piece that is not there has no address either */
    const char *at = rest->text, *end = at + rest->length;
    while (at < end && (is_blank(*at) || *at == ';')) {
        if (*at == ';')
            while (at < end && *at != '\n' && *at != '\r') at++;
        else
            at++;
    }
    *rest = (KnPiece){at, (size_t)(end - at)};
}

bool kn_piece_token(KnPiece *rest, KnPiece *token)
{
    skip(rest);
    if (!rest->length) return false;
    size_t length = 1;
    if (*rest->text != '(' && *rest->text != ')')
        while (length < rest->length && !ends_atom(rest->text[length])) length++;
    *token = (KnPiece){rest->text, length};
    *rest = (KnPiece){rest->text + length, rest->length - length};
    return true;
}

/* Steps over one term: 1, or 0 if the text ends before it does, or -1 if it begins with a closing
 * parenthesis. */
static int step_over(KnPiece *rest, KnPiece *term)
{
    KnPiece token;
    size_t depth = 0;
    skip(rest);
    const char *begin = rest->text;
    do {
        if (!kn_piece_token(rest, &token)) return 0;
        if (*token.text == '(')
            depth++;
        else if (*token.text == ')' && depth-- == 0)
            return -1;
    } while (depth);
    *term = (KnPiece){begin, (size_t)(rest->text - begin)};
    return 1;
}

bool kn_piece_next(KnPiece *rest, KnPiece *term) { return step_over(rest, term) == 1; }

bool kn_ggp_is_whole(const char *text, size_t length)
{
    KnPiece rest = {text, length}, term;
    int found = step_over(&rest, &term);
    return found < 0 || (found == 1 && *term.text == '(');
}

bool kn_piece_inside(KnPiece list, KnPiece *inside)
{
    if (list.length < 2 || *list.text != '(') return false;
    *inside = (KnPiece){list.text + 1, list.length - 2};
    return true;
}

bool kn_piece_is(KnPiece piece, const char *word)
{
    return strlen(word) == piece.length && strncasecmp(piece.text, word, piece.length) == 0;
}

static void print(KnPiece rest, bool spaced, KnText *out)
{
    KnPiece token;
    bool first = true, opened = false;
    while (kn_piece_token(&rest, &token)) {
        bool closes = *token.text == ')';
        if (!first && (spaced || (!opened && !closes))) kn_text_add_char(out, ' ');
        kn_text_add_bytes(out, token.text, token.length);
        opened = *token.text == '(';
        first = false;
    }
}

void kn_piece_plain(KnPiece term, KnText *out) { print(term, false, out); }
void kn_piece_spaced(KnPiece term, KnText *out) { print(term, true, out); }

/* ---- Messages ---- */

typedef struct Reading {
    KnPiece rest;
    const char *kind;
    KnError *error;
} Reading;

static KnStatus read_atom(Reading *r, const char *what, KnPiece *out)
{
    if (!kn_piece_next(&r->rest, out)) return kn_fail(r->error, KN_INPUT, "%s without %s", r->kind, what);
    return KN_OK;
}

static KnStatus read_list(Reading *r, const char *what, KnPiece *out)
{
    KnPiece term;
    if (!kn_piece_next(&r->rest, &term) || !kn_piece_inside(term, out))
        return kn_fail(r->error, KN_INPUT, "%s without %s in parentheses", r->kind, what);
    return KN_OK;
}

/* A list of moves, or NIL; nothing at all counts as NIL. */
static KnStatus read_moves(Reading *r, KnPiece *out)
{
    KnPiece term;
    *out = (KnPiece){r->rest.text, 0};
    skip(&r->rest);
    if (!r->rest.length) return KN_OK;
    if (!kn_piece_next(&r->rest, &term))
        return kn_fail(r->error, KN_INPUT, "%s with moves that are cut short", r->kind);
    if (kn_piece_inside(term, out) || kn_piece_is(term, "nil")) return KN_OK;
    return kn_fail(r->error, KN_INPUT, "%s with \"%.*s\" where the moves or NIL should be", r->kind,
                   (int)(term.length < 40 ? term.length : 40), term.text);
}

/* Clocks are whole seconds in practice; fractions are taken too. */
static KnStatus read_clock(Reading *r, const char *what, double *out)
{
    KnPiece term;
    char digits[32], *end = digits;
    *out = 0;
    if (kn_piece_next(&r->rest, &term) && term.length < sizeof digits) {
        memcpy(digits, term.text, term.length);
        digits[term.length] = '\0';
        *out = strtod(digits, &end);
    }
    if (end == digits || *end || !isfinite(*out) || *out < 0 || *out > 1e6)
        return kn_fail(r->error, KN_INPUT, "%s without %s, a number of seconds from 0 to 1000000", r->kind,
                       what);
    return KN_OK;
}

static KnStatus read_start(Reading *r, KnGgpMessage *m)
{
    KnStatus status = read_atom(r, "the match's name", &m->id);
    if (status == KN_OK) status = read_atom(r, "a role", &m->role);
    if (status == KN_OK) status = read_list(r, "the rules", &m->rules);
    if (status == KN_OK) status = read_clock(r, "a start clock", &m->start);
    if (status == KN_OK) status = read_clock(r, "a play clock", &m->play);
    return status;
}

static KnStatus read_rest(Reading *r, KnGgpMessage *m)
{
    KnStatus status;
    switch (m->kind) {
    case KN_GGP_INFO:
        return KN_OK;
    case KN_GGP_START:
        return read_start(r, m);
    case KN_GGP_PREVIEW:
        status = read_list(r, "the rules", &m->rules);
        return status == KN_OK ? read_clock(r, "a clock", &m->start) : status;
    case KN_GGP_ABORT:
        return read_atom(r, "the match's name", &m->id);
    default:
        status = read_atom(r, "the match's name", &m->id);
        return status == KN_OK ? read_moves(r, &m->moves) : status;
    }
}

KnStatus kn_ggp_read(const char *text, size_t length, KnGgpMessage *message, KnError *error)
{
    KnPiece rest = {text, length}, list, inside, word;
    *message = (KnGgpMessage){.kind = KN_GGP_KINDS};
    int found = step_over(&rest, &list);
    if (found <= 0)
        return kn_fail(error, KN_INPUT,
                       length ? "the message is cut short, or not balanced" : "an empty message");
    if (!kn_piece_inside(list, &inside)) { /* some send INFO bare */
        word = list;
        inside = (KnPiece){list.text, 0};
    } else if (!kn_piece_next(&inside, &word))
        return kn_fail(error, KN_INPUT, "the message ( ) says nothing");
    for (KnGgpKind kind = 0; kind < KN_GGP_KINDS; kind++)
        if (kn_piece_is(word, kinds[kind])) message->kind = kind;
    if (message->kind == KN_GGP_KINDS)
        return kn_fail(error, KN_INPUT,
                       "\"%.*s\" is no message of this protocol; known: INFO PREVIEW START PLAY STOP ABORT",
                       (int)(word.length < 40 ? word.length : 40), word.text);
    Reading reading = {inside, kinds[message->kind], error};
    return read_rest(&reading, message);
}
