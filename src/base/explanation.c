#include "base/explanation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static KnExplanation *add_node(KnArena *arena, KnExplanation *parent, KnExplanationKind kind,
                               const char *label)
{
    KnExplanation *explanation = parent ? KN_ARENA_NEW(arena, KnExplanation, 1) : NULL;
    if (!explanation) return NULL;
    explanation->kind = kind;
    explanation->label = label ? kn_arena_string(arena, label) : NULL;
    if (parent->last)
        parent->last->next = explanation;
    else
        parent->first = explanation;
    parent->last = explanation;
    return explanation;
}

static const char *keep(KnArena *arena, const char *text)
{
    return text ? kn_arena_string(arena, text) : NULL;
}

KnExplanation *kn_explanation_new(KnArena *arena, const char *sentence)
{
    KnExplanation *root = KN_ARENA_NEW(arena, KnExplanation, 1);
    if (root) root->text = keep(arena, sentence);
    return root;
}

KnExplanation *kn_explanation_group(KnArena *arena, KnExplanation *parent, const char *label)
{
    return add_node(arena, parent, KN_EXPLANATION_GROUP, label);
}

KnExplanation *kn_explanation_text(KnArena *arena, KnExplanation *parent, const char *label, const char *text)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_TEXT, label);
    if (explanation) explanation->text = keep(arena, text);
    return explanation;
}

KnExplanation *kn_explanation_number(KnArena *arena, KnExplanation *parent, const char *label, double number,
                                     const char *unit)
{
    return kn_explanation_bar(arena, parent, label, number, 0, 0, unit);
}

KnExplanation *kn_explanation_bar(KnArena *arena, KnExplanation *parent, const char *label, double number,
                                  double low, double high, const char *unit)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_NUMBER, label);
    if (!explanation) return NULL;
    explanation->number = number;
    explanation->has_number = 1;
    explanation->low = low;
    explanation->high = high;
    explanation->unit = keep(arena, unit);
    return explanation;
}

KnExplanation *kn_explanation_move(KnArena *arena, KnExplanation *parent, const char *label, const char *move)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_MOVE, label);
    if (explanation) explanation->text = keep(arena, move);
    return explanation;
}

KnExplanation *kn_explanation_line(KnArena *arena, KnExplanation *parent, const char *label,
                                   const char *moves, const char *board)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_LINE, label);
    if (!explanation) return NULL;
    explanation->text = keep(arena, moves);
    explanation->board = keep(arena, board);
    return explanation;
}

KnExplanation *kn_explanation_board(KnArena *arena, KnExplanation *parent, const char *label,
                                    const char *board)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_BOARD, label);
    if (explanation) explanation->board = keep(arena, board);
    return explanation;
}

KnExplanation *kn_explanation_pattern(KnArena *arena, KnExplanation *parent, const char *label,
                                      const char *cells)
{
    KnExplanation *explanation = add_node(arena, parent, KN_EXPLANATION_PATTERN, label);
    if (explanation) explanation->text = keep(arena, cells);
    return explanation;
}

KnExplanation *kn_explanation_from_lines(KnArena *arena, const char *lines)
{
    enum { DEPTH = 32 };
    KnExplanation *path[DEPTH], *root = NULL;
    size_t indents[DEPTH];
    int depth = 0;
    for (const char *at = lines, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        size_t indent = strspn(at, " ");
        if (at + indent >= end) continue;
        char *text = kn_arena_alloc(arena, (size_t)(end - at) - indent + 1);
        if (!text) return root;
        memcpy(text, at + indent, (size_t)(end - at) - indent);
        if (!root) {
            if (!(root = kn_explanation_new(arena, text))) return NULL;
            path[0] = root;
            indents[0] = 0;
            depth = 1;
            continue;
        }
        while (depth > 1 && (indents[depth - 1] >= indent || depth == DEPTH)) depth--;
        KnExplanation *line = kn_explanation_text(arena, path[depth - 1], NULL, text);
        if (!line) return root;
        path[depth] = line;
        indents[depth++] = indent;
    }
    return root;
}

/* A whole number that a double holds exactly: no digit of it is dropped. */
static bool is_count(double number) { return number == floor(number) && fabs(number) < 9007199254740992.0; }

static void print_indented(const KnExplanation *explanation, int depth, KnText *out)
{
    kn_text_printf(out, "%*s", depth * 2, "");
    if (explanation->label)
        kn_text_printf(out, "%s%s", explanation->label,
                       explanation->kind == KN_EXPLANATION_GROUP ? "" : ": ");
    if (explanation->text) kn_text_add(out, explanation->text);
    if (explanation->kind == KN_EXPLANATION_BOARD && explanation->board) kn_text_add(out, explanation->board);
    if (explanation->has_number)
        kn_text_printf(out, is_count(explanation->number) ? "%s%.0f" : "%s%.6g",
                       explanation->text ? "  " : "", explanation->number);
    if (explanation->unit) kn_text_printf(out, " %s", explanation->unit);
    kn_text_add_char(out, '\n');
    for (const KnExplanation *child = explanation->first; child; child = child->next)
        print_indented(child, depth + 1, out);
}

void kn_explanation_print(const KnExplanation *explanation, KnText *out)
{
    print_indented(explanation, 0, out);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text) json_object_set_new(object, key, json_string(text));
}

json_t *kn_explanation_json(const KnExplanation *explanation)
{
    static const char *const kinds[] = {"text", "number", "move", "line", "board", "pattern", "group"};
    json_t *object = json_object();
    if (!object) return NULL;
    set_text(object, "kind", kinds[explanation->kind]);
    set_text(object, "label", explanation->label);
    set_text(object, "text", explanation->text);
    set_text(object, "board", explanation->board);
    set_text(object, "unit", explanation->unit);
    if (explanation->has_number) json_object_set_new(object, "number", json_real(explanation->number));
    if (explanation->low < explanation->high)
        json_object_set_new(object, "range", json_pack("[ff]", explanation->low, explanation->high));
    if (!explanation->first) return object;
    json_t *children = json_array();
    for (const KnExplanation *child = explanation->first; child; child = child->next)
        json_array_append_new(children, kn_explanation_json(child));
    json_object_set_new(object, "children", children);
    return object;
}

char *kn_explanation_string(const KnExplanation *explanation)
{
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(explanation, &text);
    return kn_text_take(&text);
}

char *kn_explanation_json_string(const KnExplanation *explanation)
{
    json_t *document = kn_explanation_json(explanation);
    char *text = document ? json_dumps(document, JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    return text;
}

KnExplanation *kn_explanation_made(KnArena *arena, KnExplanation *parent, const json_t *made)
{
    const char *key;
    json_t *value;
    if (!json_object_size(made)) return NULL;
    KnExplanation *group = kn_explanation_group(arena, parent, "how it was made");
    json_object_foreach((json_t *)(uintptr_t)made, key, value)
    {
        if (json_is_array(value)) continue;
        char *text = json_is_string(value) ? NULL
                                           : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        const char *shown = json_is_string(value) ? json_string_value(value) : text;
        if (shown) kn_explanation_text(arena, group, key, kn_arena_printf(arena, "%s", shown));
        free(text);
    }
    return group;
}
