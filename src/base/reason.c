#include "base/reason.h"

static KnReason *reason_add(KnArena *arena, KnReason *parent, KnReasonKind kind, const char *label)
{
    KnReason *reason = parent ? KN_ARENA_NEW(arena, KnReason, 1) : NULL;
    if (!reason) return NULL;
    reason->kind = kind;
    reason->label = label ? kn_arena_string(arena, label) : NULL;
    if (parent->last)
        parent->last->next = reason;
    else
        parent->first = reason;
    parent->last = reason;
    return reason;
}

static const char *keep(KnArena *arena, const char *text)
{
    return text ? kn_arena_string(arena, text) : NULL;
}

KnReason *kn_reason_new(KnArena *arena, const char *sentence)
{
    KnReason *root = KN_ARENA_NEW(arena, KnReason, 1);
    if (root) root->text = keep(arena, sentence);
    return root;
}

KnReason *kn_reason_group(KnArena *arena, KnReason *parent, const char *label)
{
    return reason_add(arena, parent, KN_REASON_GROUP, label);
}

KnReason *kn_reason_text(KnArena *arena, KnReason *parent, const char *label, const char *text)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_TEXT, label);
    if (reason) reason->text = keep(arena, text);
    return reason;
}

KnReason *kn_reason_number(KnArena *arena, KnReason *parent, const char *label, double number,
                           const char *unit)
{
    return kn_reason_bar(arena, parent, label, number, 0, 0, unit);
}

KnReason *kn_reason_bar(KnArena *arena, KnReason *parent, const char *label, double number, double low,
                        double high, const char *unit)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_NUMBER, label);
    if (!reason) return NULL;
    reason->number = number;
    reason->has_number = 1;
    reason->low = low;
    reason->high = high;
    reason->unit = keep(arena, unit);
    return reason;
}

KnReason *kn_reason_move(KnArena *arena, KnReason *parent, const char *label, const char *move)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_MOVE, label);
    if (reason) reason->text = keep(arena, move);
    return reason;
}

KnReason *kn_reason_line(KnArena *arena, KnReason *parent, const char *label, const char *moves,
                         const char *board)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_LINE, label);
    if (!reason) return NULL;
    reason->text = keep(arena, moves);
    reason->board = keep(arena, board);
    return reason;
}

KnReason *kn_reason_board(KnArena *arena, KnReason *parent, const char *label, const char *board)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_BOARD, label);
    if (reason) reason->board = keep(arena, board);
    return reason;
}

KnReason *kn_reason_pattern(KnArena *arena, KnReason *parent, const char *label, const char *cells)
{
    KnReason *reason = reason_add(arena, parent, KN_REASON_PATTERN, label);
    if (reason) reason->text = keep(arena, cells);
    return reason;
}

static void print_indented(const KnReason *reason, int depth, KnText *out)
{
    kn_text_printf(out, "%*s", depth * 2, "");
    if (reason->label)
        kn_text_printf(out, "%s%s", reason->label, reason->kind == KN_REASON_GROUP ? "" : ": ");
    if (reason->text) kn_text_add(out, reason->text);
    if (reason->kind == KN_REASON_BOARD && reason->board) kn_text_add(out, reason->board);
    if (reason->has_number) kn_text_printf(out, "%s%.6g", reason->text ? "  " : "", reason->number);
    if (reason->unit) kn_text_printf(out, " %s", reason->unit);
    kn_text_add_char(out, '\n');
    for (const KnReason *child = reason->first; child; child = child->next)
        print_indented(child, depth + 1, out);
}

void kn_reason_print(const KnReason *reason, KnText *out) { print_indented(reason, 0, out); }

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text) json_object_set_new(object, key, json_string(text));
}

json_t *kn_reason_json(const KnReason *reason)
{
    static const char *const kinds[] = {"text", "number", "move", "line", "board", "pattern", "group"};
    json_t *object = json_object();
    if (!object) return NULL;
    set_text(object, "kind", kinds[reason->kind]);
    set_text(object, "label", reason->label);
    set_text(object, "text", reason->text);
    set_text(object, "board", reason->board);
    set_text(object, "unit", reason->unit);
    if (reason->has_number) json_object_set_new(object, "number", json_real(reason->number));
    if (reason->low < reason->high)
        json_object_set_new(object, "range", json_pack("[ff]", reason->low, reason->high));
    if (!reason->first) return object;
    json_t *children = json_array();
    for (const KnReason *child = reason->first; child; child = child->next)
        json_array_append_new(children, kn_reason_json(child));
    json_object_set_new(object, "children", children);
    return object;
}
