#include "protocols/ggp_game_list.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FACTS = 16384, MOVES_GROUNDED = 65536, MOVES_PROVED = 8192 };

KnStatus kn_ggp_table_open(const KnContext *context, const char *name, KnPiece rules, KnGdlReasoner reasoner,
                           uint64_t steps, const atomic_bool *cancel, KnGgpTable **out, KnError *error)
{
    *out = NULL;
    KnGdlDescription *description;
    KnGgpTable *table = calloc(1, sizeof *table);
    if (!table) return kn_fail_memory(error, "setting up a match");
    KnGdlLimits limits = {.facts = FACTS,
                          .moves = reasoner == KN_GDL_PROVER ? MOVES_PROVED : MOVES_GROUNDED,
                          .steps = steps,
                          .reasoner = reasoner,
                          .lazy = reasoner == KN_GDL_PROVER,
                          .cancel = cancel};
    KnStatus status = kn_gdl_read(name, rules.text, rules.length, false, &description, error);
    if (status == KN_OK) status = kn_gdl_open(context, description, &limits, &table->game, error);
    if (status != KN_OK) {
        free(table);
        return status;
    }
    table->machine = kn_game_gdl(table->game);
    atomic_init(&table->users, 1);
    *out = table;
    return KN_OK;
}

KnGgpTable *kn_ggp_table_keep(KnGgpTable *table)
{
    atomic_fetch_add(&table->users, 1);
    return table;
}

void kn_ggp_table_drop(KnGgpTable *table)
{
    if (!table || atomic_fetch_sub(&table->users, 1) > 1) return;
    kn_game_close(table->game);
    free(table);
}

int kn_ggp_table_role(const KnGgpTable *table, KnPiece name)
{
    int found = -1;
    for (int role = 0; role < table->game->roles; role++) {
        const char *known = table->game->role_names[role];
        if (!kn_piece_is(name, known)) continue;
        if (found < 0 || strncmp(known, name.text, name.length) == 0) found = role;
    }
    return found;
}

/* ---- Boards ---- */

KnStatus kn_ggp_board_new(KnGgpTable *table, KnGgpBoard **out, KnError *error)
{
    *out = NULL;
    KnGgpBoard *board = calloc(1, sizeof *board);
    if (!board) return kn_fail_memory(error, "setting up a match");
    *board = (KnGgpBoard){.table = kn_ggp_table_keep(table),
                          .state = calloc(kn_gdl_machine_words(table->machine), sizeof *board->state),
                          .after = calloc(kn_gdl_machine_words(table->machine), sizeof *board->after),
                          .moves = calloc((size_t)kn_gdl_machine_moves(table->machine), sizeof *board->moves),
                          .text = KN_TEXT_EMPTY};
    KnStatus status = board->state && board->after && board->moves
                          ? kn_gdl_start(table->machine, board->state, error)
                          : kn_fail_memory(error, "setting up a match");
    if (status == KN_OK)
        *out = board;
    else
        kn_ggp_board_free(board);
    return status;
}

void kn_ggp_board_free(KnGgpBoard *board)
{
    if (!board) return;
    kn_ggp_table_drop(board->table);
    free(board->state);
    free(board->after);
    free(board->moves);
    kn_text_free(&board->text);
    free(board);
}

KnStatus kn_ggp_board_legal(KnGgpBoard *board, int role, int *count, KnError *error)
{
    *count = 0;
    return kn_gdl_legal(board->table->machine, board->state, role, board->moves, count, error);
}

void kn_ggp_board_name(const KnGgpBoard *board, KnMove move, KnText *out)
{
    kn_gdl_move_text(board->table->machine, move, out);
}

/* (p) where the rules have p, or the other way round: a zero-place move comes back either way. */
static bool same_bare(const char *a, const char *b)
{
    size_t length = strlen(a), other = strlen(b);
    if (length < other) return same_bare(b, a);
    return length == other + 2 && a[0] == '(' && a[length - 1] == ')' && strncasecmp(a + 1, b, other) == 0;
}

KnStatus kn_ggp_board_find(KnGgpBoard *board, int role, KnPiece piece, bool exact, KnMove *move,
                           KnError *error)
{
    int count, found = -1;
    KnStatus status = kn_ggp_board_legal(board, role, &count, error);
    if (status != KN_OK) return status;
    KnText *plain = &board->text;
    KnText name = KN_TEXT_EMPTY;
    kn_text_clear(plain);
    kn_piece_plain(piece, plain);
    for (int i = 0; i < count && kn_text_ok(plain); i++) {
        kn_text_clear(&name);
        kn_ggp_board_name(board, board->moves[i], &name);
        bool same = strcmp(name.data, plain->data) == 0;
        if (same || (!exact && found < 0 &&
                     (strcasecmp(name.data, plain->data) == 0 || same_bare(name.data, plain->data))))
            found = i;
        if (same) break;
    }
    bool ok = kn_text_ok(plain) && kn_text_ok(&name);
    kn_text_free(&name);
    if (!ok) return kn_fail_memory(error, "reading a move");
    if (found < 0)
        return kn_fail(error, KN_NO, "\"%.80s\" is no legal move of %s here", plain->data,
                       board->table->game->role_names[role]);
    *move = board->moves[found];
    return KN_OK;
}

KnStatus kn_ggp_board_read(KnGgpBoard *board, KnPiece moves, KnMove *joint, KnError *error)
{
    KnPiece term;
    int roles = board->table->game->roles;
    for (int role = 0; role < roles; role++) {
        if (!kn_piece_next(&moves, &term))
            return kn_fail(error, KN_NO, "%d moves where there are %d roles", role, roles);
        KnStatus status = kn_ggp_board_find(board, role, term, false, &joint[role], error);
        if (status != KN_OK) return status;
    }
    return kn_piece_next(&moves, &term) ? kn_fail(error, KN_NO, "more moves than the %d roles", roles)
                                        : KN_OK;
}

KnStatus kn_ggp_board_play(KnGgpBoard *board, const KnMove *joint, KnError *error)
{
    KnStatus status = kn_gdl_next(board->table->machine, board->state, joint, board->after, error);
    if (status != KN_OK) return status;
    uint64_t *before = board->state;
    board->state = board->after;
    board->after = before;
    return KN_OK;
}
