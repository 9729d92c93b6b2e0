/* TP-Rote: playing by trees, counting them, Imitate, and their files. */
#include <stdlib.h>
#include <string.h>

#include "methods/hoyle/tp_rote.h"

enum { DEEPEST = KN_ROTE_LENGTH + 2 };

/* ---- Playing ---- */

bool kn_tp_rote_enter(const KnTpRote *rote, int role, const void *position, KnTpRoteRun *run)
{
    const KnBoardView *view = rote->view;
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    run->next = -1;
    run->turn_count = kn_board_view_normalise_all(view, position, normal, run->symmetries);
    int key = kn_state_table_find(&rote->keys[role], normal);
    if (key >= 0) run->next = rote->trees[rote->tree_of[role][key]].first;
    return run->next >= 0;
}

bool kn_tp_rote_follow(const KnTpRote *rote, KnTpRoteRun *run, KnAction action)
{
    int found = -1, symmetries[KN_BOARD_SYMMETRIES], count = 0;
    for (int t = 0; t < run->turn_count; t++) {
        KnAction transformed = kn_board_view_transform_action(rote->view, run->symmetries[t], action);
        int node = found >= 0 ? found : run->next;
        while (node >= 0 && !kn_action_equal(rote->nodes[node].action, transformed))
            node = found >= 0 ? -1 : rote->nodes[node].sibling;
        if (node < 0) continue;
        found = node;
        symmetries[count++] = run->symmetries[t];
    }
    run->next = found >= 0 ? rote->nodes[found].child : -1;
    run->turn_count = count;
    memcpy(run->symmetries, symmetries, (size_t)count * sizeof *symmetries);
    return found >= 0;
}

int kn_tp_rote_choices(const KnTpRote *rote, const KnTpRoteRun *run, KnAction *actions, int max)
{
    int count = 0;
    if (!run->turn_count) return 0;
    for (int node = run->next; node >= 0 && count < max; node = rote->nodes[node].sibling)
        actions[count++] = kn_board_view_transform_action(rote->view, rote->view->inverse[run->symmetries[0]],
                                                          rote->nodes[node].action);
    return count;
}

/* ---- Counting ---- */

static void count_nodes(const KnTpRote *rote, int list, KnTpRoteCounts *counts)
{
    for (int node = list; node >= 0; node = rote->nodes[node].sibling) {
        counts->moves++;
        if (rote->nodes[node].child < 0) counts->sequences++;
        count_nodes(rote, rote->nodes[node].child, counts);
    }
}

KnTpRoteCounts kn_tp_rote_counts(const KnTpRote *rote)
{
    KnTpRoteCounts counts = {0};
    for (int t = 0; t < rote->tree_count; t++) {
        counts.trees += rote->trees[t].first >= 0;
        count_nodes(rote, rote->trees[t].first, &counts);
    }
    return counts;
}

/* ---- Imitate ---- */

static KnStatus add_pair(KnImitate *imitate, int role, const void *position, KnAction action, KnError *error)
{
    const KnBoardView *view = imitate->view;
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    int symmetries[KN_BOARD_SYMMETRIES], number, before = imitate->states[role].count;
    int turn_count = kn_board_view_normalise_all(view, position, normal, symmetries);
    KnAction least = {0};
    for (int t = 0; t < turn_count; t++) {
        KnAction transformed = kn_board_view_transform_action(view, symmetries[t], action);
        if (!t || kn_action_key(transformed) < kn_action_key(least)) least = transformed;
    }
    KnStatus status = kn_state_table_add(&imitate->states[role], normal, &number, error);
    if (status != KN_OK) return status;
    if (number == before) {
        int *more = realloc(imitate->first[role], (size_t)(number + 1) * sizeof(int));
        if (!more) return kn_fail_memory(error, "pairing states with moves");
        imitate->first[role] = more;
        more[number] = -1;
    }
    for (int i = imitate->first[role][number]; i >= 0; i = imitate->moves[i].next)
        if (kn_action_equal(imitate->moves[i].action, least)) return KN_OK;
    if (imitate->move_count == imitate->move_capacity) {
        int capacity = imitate->move_capacity ? imitate->move_capacity * 2 : 64;
        void *more = realloc(imitate->moves, (size_t)capacity * sizeof *imitate->moves);
        if (!more) return kn_fail_memory(error, "pairing states with moves");
        imitate->moves = more;
        imitate->move_capacity = capacity;
    }
    imitate->moves[imitate->move_count].action = least;
    imitate->moves[imitate->move_count].next = imitate->first[role][number];
    imitate->first[role][number] = imitate->move_count++;
    return KN_OK;
}

static KnStatus walk_tree(const KnTpRote *rote, KnImitate *imitate, int role, const void *position, int list,
                          KnError *error)
{
    const KnGame *game = rote->view->game;
    unsigned char next[game->position_size] __attribute__((aligned(16)));
    KnStatus status = KN_OK;
    for (int node = list; node >= 0 && status == KN_OK; node = rote->nodes[node].sibling) {
        if (game->type->mover(game, position) == role)
            status = add_pair(imitate, role, position, rote->nodes[node].action, error);
        memcpy(next, position, game->position_size);
        if (status == KN_OK && kn_tp_rote_apply(rote->view, next, rote->nodes[node].action))
            status = walk_tree(rote, imitate, role, next, rote->nodes[node].child, error);
    }
    return status;
}

/* Thesis 2.2.3: Imitate. */
KnStatus kn_imitate_build(const KnTpRote *rote, KnImitate **out, KnError *error)
{
    *out = NULL;
    KnImitate *imitate = calloc(1, sizeof *imitate);
    if (!imitate) return kn_fail_memory(error, "pairing states with moves");
    imitate->view = rote->view;
    KnStatus status = KN_OK;
    for (int role = 0; role < 2 && status == KN_OK; role++)
        status = kn_state_table_open(&imitate->states[role], rote->view, error);
    for (int t = 0; t < rote->tree_count && status == KN_OK; t++) {
        const KnRoteTree *tree = &rote->trees[t];
        status = walk_tree(rote, imitate, tree->role, kn_state_table_at(&rote->keys[tree->role], tree->key),
                           tree->first, error);
    }
    if (status == KN_OK)
        *out = imitate;
    else
        kn_imitate_close(imitate);
    return status;
}

void kn_imitate_close(KnImitate *imitate)
{
    if (!imitate) return;
    for (int role = 0; role < 2; role++) {
        kn_state_table_close(&imitate->states[role]);
        free(imitate->first[role]);
    }
    free(imitate->moves);
    free(imitate);
}

int kn_imitate_choices(const KnImitate *imitate, int role, const void *position, KnAction *actions, int max)
{
    const KnBoardView *view = imitate->view;
    unsigned char normal[view->game->position_size] __attribute__((aligned(16)));
    int symmetry = kn_board_view_normalise(view, position, normal),
        number = kn_state_table_find(&imitate->states[role], normal), count = 0;
    if (number < 0) return 0;
    for (int i = imitate->first[role][number]; i >= 0 && count < max; i = imitate->moves[i].next)
        actions[count++] = kn_board_view_transform_action(view, view->inverse[symmetry],
                                                          imitate->moves[i].action);
    return count;
}

int kn_imitate_states(const KnImitate *imitate)
{
    return imitate->states[0].count + imitate->states[1].count;
}

/* ---- Files ---- */

static json_t *list_json(const KnTpRote *rote, int list)
{
    json_t *array = json_array();
    KnText text = KN_TEXT_EMPTY;
    for (int node = list; node >= 0; node = rote->nodes[node].sibling) {
        kn_text_clear(&text);
        kn_action_text(rote->view, rote->nodes[node].action, &text);
        json_t *item = json_pack("{s:s}", "move", text.data);
        if (rote->nodes[node].child >= 0)
            json_object_set_new(item, "then", list_json(rote, rote->nodes[node].child));
        json_array_append_new(array, item);
    }
    kn_text_free(&text);
    return array;
}

json_t *kn_tp_rote_json(const KnTpRote *rote)
{
    const KnGame *game = rote->view->game;
    json_t *array = json_array();
    KnText text = KN_TEXT_EMPTY;
    for (int t = 0; t < rote->tree_count; t++) {
        const KnRoteTree *tree = &rote->trees[t];
        if (tree->first < 0) continue;
        kn_text_clear(&text);
        game->type->position_text(game, kn_state_table_at(&rote->keys[tree->role], tree->key), &text);
        json_array_append_new(array, json_pack("{s:s, s:s, s:o}", "player", game->role_names[tree->role],
                                               "state", text.data, "tree", list_json(rote, tree->first)));
    }
    kn_text_free(&text);
    return array;
}

static KnStatus parse_list(KnTpRote *rote, const KnJson *at, const void *position, int depth, int *first,
                           KnError *error)
{
    static const char *const known[] = {"move", "then", NULL};
    const KnBoardView *view = rote->view;
    unsigned char next[view->game->position_size] __attribute__((aligned(16)));
    int last = -1;
    *first = -1;
    if (depth > DEEPEST) return kn_json_fail(at, NULL, error, "deeper than %d moves", DEEPEST);
    for (size_t i = 0; i < kn_json_size(at); i++) {
        KnJson item = kn_json_item(at, i), then;
        const char *text;
        KnAction action;
        KnStatus status = kn_json_only(&item, known, error);
        if (status == KN_OK) status = kn_json_string(&item, "move", &text, error);
        if (status != KN_OK) return status;
        memcpy(next, position, view->game->position_size);
        if (kn_action_parse(view, text, &action, NULL) != KN_OK || !kn_tp_rote_apply(view, next, action))
            return kn_json_fail(&item, "move", error, "\"%.40s\" is no legal move there", text);
        int node = kn_tp_rote_add_node(rote, action);
        if (node < 0) return kn_fail_memory(error, "reading sequence trees");
        if (last >= 0)
            rote->nodes[last].sibling = node;
        else
            *first = node;
        last = node;
        if (!kn_json_has(&item, "then")) continue;
        int child;
        status = kn_json_array(&item, "then", &then, error);
        if (status == KN_OK) status = parse_list(rote, &then, next, depth + 1, &child, error);
        if (status != KN_OK) return status;
        rote->nodes[node].child = child;
    }
    return KN_OK;
}

static KnStatus parse_tree(KnTpRote *rote, const KnJson *at, KnError *error)
{
    static const char *const known[] = {"player", "state", "tree", NULL};
    const KnGame *game = rote->view->game;
    unsigned char position[game->position_size] __attribute__((aligned(16))),
        normal[game->position_size] __attribute__((aligned(16)));
    const char *player, *state;
    KnJson list;
    KnError inner;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_string(at, "player", &player, error);
    if (status == KN_OK) status = kn_json_string(at, "state", &state, error);
    if (status == KN_OK) status = kn_json_array(at, "tree", &list, error);
    if (status != KN_OK) return status;
    int role = strcmp(player, game->role_names[0]) == 0   ? 0
               : strcmp(player, game->role_names[1]) == 0 ? 1
                                                          : -1,
        tree, first;
    if (role < 0)
        return kn_json_fail(at, "player", error, "expected %s or %s", game->role_names[0],
                            game->role_names[1]);
    if (game->type->parse_position(game, state, position, &inner) != KN_OK)
        return kn_json_fail(at, "state", error, "%s", inner.text);
    kn_board_view_normalise(rote->view, position, normal);
    if (memcmp(normal, position, game->position_size) != 0)
        return kn_json_fail(at, "state", error, "is not in its normal frame");
    status = kn_tp_rote_add_tree(rote, role, normal, &tree, error);
    if (status != KN_OK) return kn_json_fail(at, "state", error, "stands here twice");
    status = parse_list(rote, &list, normal, 1, &first, error);
    if (status == KN_OK) rote->trees[tree].first = first;
    return status;
}

KnStatus kn_tp_rote_parse(KnTpRote *rote, const KnJson *trees, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < kn_json_size(trees) && status == KN_OK; i++) {
        KnJson item = kn_json_item(trees, i);
        status = parse_tree(rote, &item, error);
    }
    if (status == KN_OK) status = kn_tp_rote_filter(rote, error); /* gives up the empty tables */
    return status;
}

/* ---- Showing ---- */

static void show_list(const KnTpRote *rote, int list, int indent, KnText *out)
{
    for (int node = list; node >= 0; node = rote->nodes[node].sibling) {
        kn_text_printf(out, "%*s", indent, "");
        int at = node;
        for (;; at = rote->nodes[at].child) { /* moves without an alternative stand in one line */
            kn_action_text(rote->view, rote->nodes[at].action, out);
            int child = rote->nodes[at].child;
            if (child < 0 || rote->nodes[child].sibling >= 0) break;
            kn_text_add_char(out, ' ');
        }
        kn_text_add_char(out, '\n');
        show_list(rote, rote->nodes[at].child, indent + 4, out);
    }
}

void kn_tp_rote_show(const KnTpRote *rote, int most, KnText *out)
{
    const KnGame *game = rote->view->game;
    for (int t = 0; t < rote->tree_count && most > 0; t++) {
        const KnRoteTree *tree = &rote->trees[t];
        if (tree->first < 0) continue;
        const void *key = kn_state_table_at(&rote->keys[tree->role], tree->key);
        uint8_t cells[KN_BOARD_CELLS];
        kn_board_view_cells(rote->view, key, cells);
        kn_text_printf(out, "for %s, %s to move:\n", game->role_names[tree->role],
                       game->role_names[game->type->mover(game, key)]);
        kn_cells_draw(rote->view, cells, 2, out);
        show_list(rote, tree->first, 4, out);
        most--;
    }
}
