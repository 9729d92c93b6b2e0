/* The inner position comes first in the view's bytes, so code that only reads a board can use the same
 * pointer. Behind it are the mover, computed once when the position is made (asking a slow game for all moves
 * each time would double its cost), and the pending moves. Forced moves are not stored; they are filled in
 * when the joint move is played. So a position depends only on the inner one and the choices made. */
#include "games/sequential.h"

#include <stdlib.h>
#include <string.h>

#include <knack/base.h>
#include "base/assert.h"

typedef struct View {
    KnGameType type; /* the view's own type: it lacks the hooks that the inner game lacks */
    const KnGame *inner;
    int viewpoint;
    size_t tail;   /* offset of Pending */
    KnGame *owned; /* the inner game if the view owns it, else NULL */
    char symbols[KN_SEQUENTIAL_SYMBOLS];
} View;

typedef struct Pending {
    int64_t mover;   /* -1 when over */
    KnMove chosen[]; /* one for each role; KN_MOVE_NONE: not yet */
} Pending;

static const View *view_of(const KnGame *game) { return game->data; }

static Pending *pending_of(const KnGame *game, const void *position)
{
    return (Pending *)(void *)((unsigned char *)(uintptr_t)position + view_of(game)->tail);
}

/* The i-th role to decide: the viewpoint, then the rest. */
static int role_in_order(const KnGame *game, int i)
{
    KN_ASSERT(i >= 0 && i < game->roles);
    int viewpoint = view_of(game)->viewpoint;
    return i == 0 ? viewpoint : i <= viewpoint ? i - 1 : i;
}

static bool has_choice(const KnGame *inner, const void *position, int role)
{
    KnMove moves[inner->max_moves];
    return kn_game_moves_of(inner, position, role, moves) > 1;
}

/* The first role to decide at a new inner position. */
static int first_mover(const KnGame *game, const void *position)
{
    const KnGame *inner = view_of(game)->inner;
    uint32_t movers = kn_game_movers(inner, position);
    int forced = -1;
    for (int i = 0; i < inner->roles; i++) {
        int role = role_in_order(game, i);
        if (!(movers >> role & 1)) continue;
        if (has_choice(inner, position, role)) return role;
        if (forced < 0) forced = role;
    }
    return forced;
}

/* The role that decides after `role`; -1 if none is left. */
static int next_mover(const KnGame *game, const void *position, int role)
{
    const KnGame *inner = view_of(game)->inner;
    uint32_t movers = kn_game_movers(inner, position);
    int i = 0;
    while (role_in_order(game, i) != role) i++;
    for (i++; i < inner->roles; i++) {
        int other = role_in_order(game, i);
        if (movers >> other & 1 && has_choice(inner, position, other)) return other;
    }
    return -1;
}

static void settle(const KnGame *game, void *position)
{
    Pending *pending = pending_of(game, position);
    for (int role = 0; role < game->roles; role++) pending->chosen[role] = KN_MOVE_NONE;
    pending->mover = first_mover(game, position);
}

static void start(const KnGame *game, void *position)
{
    memset(position, 0, game->position_size);
    const KnGame *inner = view_of(game)->inner;
    inner->type->start(inner, position);
    settle(game, position);
}

static int mover(const KnGame *game, const void *position) { return (int)pending_of(game, position)->mover; }

static int moves(const KnGame *game, const void *position, KnMove *out)
{
    int role = mover(game, position);
    return role < 0 ? 0 : kn_game_moves_of(view_of(game)->inner, position, role, out);
}

/* Fills in forced moves and plays the joint move in the inner game. */
static void carry_out(const KnGame *game, void *position)
{
    KN_ASSERT(kn_sequential_inner(game) != game);
    const KnGame *inner = view_of(game)->inner;
    Pending *pending = pending_of(game, position);
    uint32_t movers = kn_game_movers(inner, position);
    for (int role = 0; role < inner->roles; role++) {
        KnMove only[inner->max_moves];
        if (pending->chosen[role] != KN_MOVE_NONE || !(movers >> role & 1)) continue;
        if (kn_game_moves_of(inner, position, role, only) > 0) pending->chosen[role] = only[0];
    }
    kn_game_play_joint(inner, position, pending->chosen);
}

static void play(const KnGame *game, void *position, KnMove move)
{
    Pending *pending = pending_of(game, position);
    int role = (int)pending->mover;
    if (role < 0) return; /* the rules have failed since a search came here first (games/trouble.h) */
    KN_ASSERT(role < game->roles && move != KN_MOVE_NONE);
    pending->chosen[role] = move;
    pending->mover = next_mover(game, position, role);
    if (pending->mover >= 0) return;
    carry_out(game, position);
    settle(game, position);
}

static uint64_t hash(const KnGame *game, const void *position)
{
    const KnGame *inner = view_of(game)->inner;
    const Pending *pending = pending_of(game, position);
    uint64_t value = inner->type->hash(inner, position);
    for (int role = 0; role < game->roles; role++)
        if (pending->chosen[role] != KN_MOVE_NONE)
            value = kn_mix64(value ^ kn_mix64(pending->chosen[role] + (uint64_t)role));
    return value;
}

/* ---- Hooks that the inner game answers: its position comes first in the view's ---- */

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->payoffs(inner, position, out);
}

static void chances(const KnGame *game, const void *position, const KnMove *list, int count, double *out)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->chances(inner, position, list, count, out);
}

static bool nothing_pending(const KnGame *game, const void *position)
{
    const Pending *pending = pending_of(game, position);
    for (int role = 0; role < game->roles; role++)
        if (pending->chosen[role] != KN_MOVE_NONE) return false;
    return true;
}

static bool ended(const KnGame *game, const void *position, const KnHistory *history, double *out)
{
    const KnGame *inner = view_of(game)->inner;
    return nothing_pending(game, position) && inner->type->ended(inner, position, history, out);
}

static bool barred(const KnGame *game, const void *position, const KnHistory *history, KnMove move)
{
    const KnGame *inner = view_of(game)->inner;
    return inner->type->barred(inner, position, history, move);
}

static void feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->feature_values(inner, position, role, values);
}

static double material(const KnGame *game, const void *position, int role)
{
    const KnGame *inner = view_of(game)->inner;
    return inner->type->material(inner, position, role);
}

static double points(const KnGame *game, const void *position, int role)
{
    const KnGame *inner = view_of(game)->inner;
    return inner->type->points(inner, position, role);
}

static int phase(const KnGame *game, const void *position)
{
    const KnGame *inner = view_of(game)->inner;
    return inner->type->phase(inner, position);
}

static int cell(const KnGame *game, const void *position, int index)
{
    const KnGame *inner = view_of(game)->inner;
    return inner->type->cell(inner, position, index);
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->cell_place(inner, index, x, y);
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->cell_name(inner, index, out);
}

/* ---- Text ---- */

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    const KnGame *inner = view_of(game)->inner;
    inner->type->move_text(inner, position, move, out);
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnGame *inner = view_of(game)->inner;
    const Pending *pending = pending_of(game, position);
    for (int i = 0; i < game->roles; i++) {
        KnMove move = pending->chosen[role_in_order(game, i)];
        if (move == KN_MOVE_NONE) continue;
        KnText name = KN_TEXT_EMPTY;
        inner->type->move_text(inner, position, move, &name);
        kn_text_add_quoted(out, name.data);
        kn_text_add_char(out, ' ');
        kn_text_free(&name);
    }
    inner->type->position_text(inner, position, out);
}

/* Parses one quoted string; false if it is not closed. */
static bool read_quoted(const char **at, KnText *out)
{
    const char *t = *at + 1;
    for (; *t && *t != '"'; t++) {
        if (*t == '\\' && t[1]) t++;
        kn_text_add_char(out, *t);
    }
    *at = *t ? t + 1 : t;
    return *t == '"';
}

static KnStatus choose(const KnGame *game, void *position, const char *name, KnError *error)
{
    KnMove move;
    Pending *pending = pending_of(game, position);
    if (pending->mover < 0)
        return kn_fail(error, KN_INPUT, "\"%.40s\" is chosen where the game is over", name);
    int role = (int)pending->mover;
    KnStatus status = kn_game_parse_move(view_of(game)->inner, position, role, name, &move, error);
    if (status != KN_OK) return status;
    pending->chosen[role] = move;
    pending->mover = next_mover(game, position, role);
    if (pending->mover < 0)
        return kn_fail(error, KN_INPUT, "\"%.40s\" is the last choice here: give the position after it",
                       name);
    return KN_OK;
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnGame *inner = view_of(game)->inner;
    const char *board = text;
    KnText name = KN_TEXT_EMPTY;
    memset(position, 0, game->position_size);
    KnStatus status = KN_OK;
    while (status == KN_OK && *board == '"') {
        kn_text_clear(&name);
        if (!read_quoted(&board, &name))
            status = kn_fail(error, KN_INPUT, "position \"%.60s\": a quote is not closed", text);
        while (*board == ' ') board++;
    }
    if (status == KN_OK) status = inner->type->parse_position(inner, board, position, error);
    if (status == KN_OK) settle(game, position);
    for (const char *t = text; status == KN_OK && *t == '"';) {
        kn_text_clear(&name);
        read_quoted(&t, &name);
        status = choose(game, position, name.data, error);
        while (*t == ' ') t++;
    }
    kn_text_free(&name);
    return status;
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const KnGame *inner = view_of(game)->inner;
    const Pending *pending = pending_of(game, position);
    inner->type->draw(inner, position, colour, out);
    for (int role = 0; role < game->roles; role++) {
        if (pending->chosen[role] == KN_MOVE_NONE) continue;
        kn_text_printf(out, "%s has chosen ", game->role_names[role]);
        inner->type->move_text(inner, position, pending->chosen[role], out);
        kn_text_add_char(out, '\n');
    }
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const KnGame *inner = view_of(game)->inner;
    const Pending *pending = pending_of(game, position);
    KnStatus status = inner->type->check ? inner->type->check(inner, position, error) : KN_OK;
    if (status != KN_OK) return status;
    int64_t expected = first_mover(game, position);
    for (int i = 0; i < game->roles && expected >= 0; i++) {
        int role = role_in_order(game, i);
        if (pending->chosen[role] == KN_MOVE_NONE) continue;
        KnMove legal[inner->max_moves];
        int count = kn_game_moves_of(inner, position, role, legal), found = 0;
        for (int k = 0; k < count; k++) found |= legal[k] == pending->chosen[role];
        if (role != expected || !found)
            return kn_fail(error, KN_INPUT, "these pending moves cannot have been chosen");
        expected = next_mover(game, position, role);
        if (expected < 0) return kn_fail(error, KN_INPUT, "all have chosen, but the move was not played");
    }
    if (pending->mover != expected)
        return kn_fail(error, KN_INPUT, "the mover of these bytes is not the one to decide");
    return KN_OK;
}

/* ---- Life ---- */

static void close(KnGame *game)
{
    View *view = game->data;
    kn_game_close(view->owned);
    free(view);
}

static KnGameType type_of_view(const KnGameType *inner)
{
    KnGameType type = {.head = inner->head,
                       .close = close,
                       .start = start,
                       .mover = mover,
                       .moves = moves,
                       .play = play,
                       .payoffs = payoffs,
                       .hash = hash,
                       .move_text = move_text,
                       .position_text = position_text,
                       .parse_position = parse_position,
                       .draw = draw,
                       .check = check};
    if (inner->chances) type.chances = chances;
    if (inner->ended) type.ended = ended;
    if (inner->barred) type.barred = barred;
    if (inner->feature_values) type.feature_values = feature_values;
    if (inner->material) type.material = material;
    if (inner->points) type.points = points;
    if (inner->phase) type.phase = phase;
    if (inner->cell) type.cell = cell;
    if (inner->cell_place) type.cell_place = cell_place;
    if (inner->cell_name) type.cell_name = cell_name;
    return type;
}

KnStatus kn_game_sequential(const KnGame *inner, int viewpoint, KnGame **out, KnError *error)
{
    *out = NULL;
    if (viewpoint < 0 || viewpoint >= inner->roles)
        return kn_fail(error, KN_USAGE, "%s has roles 0 to %d, no role %d to look from", inner->spec,
                       inner->roles - 1, viewpoint);
    KnGame *game = malloc(sizeof *game);
    View *view = calloc(1, sizeof *view);
    char *spec = strdup(inner->spec);
    if (!game || !view || !spec) {
        free(game);
        free(view);
        free(spec);
        return kn_fail_memory(error, "making a sequential view");
    }
    *view = (View){.type = type_of_view(inner->type),
                   .inner = inner,
                   .viewpoint = viewpoint,
                   .tail = (inner->position_size + 15) & ~(size_t)15};
    *game = *inner;
    game->type = &view->type;
    game->spec = spec;
    game->data = view;
    game->position_size = view->tail + sizeof(Pending) + (size_t)inner->roles * sizeof(KnMove);
    game->traits &= ~(unsigned)KN_GAME_SIMULTANEOUS;
    game->symmetries = 1;
    game->evaluations = NULL;
    *out = game;
    return KN_OK;
}

static bool is_view(const KnGame *game) { return game->type->close == close; }

const KnGame *kn_sequential_inner(const KnGame *view) { return is_view(view) ? view_of(view)->inner : view; }

void kn_sequential_own(KnGame *view, KnGame *inner) { ((View *)view->data)->owned = inner; }

void kn_sequential_board(KnGame *view, const KnSequentialBoard *board)
{
    View *own = view->data;
    memcpy(own->symbols, board->symbols, sizeof own->symbols);
    own->type.cell = board->cell;
    own->type.board = board->board;
    own->type.cell_place = board->place;
    own->type.cell_name = board->name;
    view->cells = board->cells;
    view->cell_symbols = own->symbols;
}

void kn_sequential_enter(const KnGame *view, const void *inner_position, void *position)
{
    if (!is_view(view)) {
        memcpy(position, inner_position, view->position_size);
        return;
    }
    memset(position, 0, view->position_size);
    memcpy(position, inner_position, view_of(view)->inner->position_size);
    settle(view, position);
}
