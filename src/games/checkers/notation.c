/* Moves in PDN notation: 9-14, 9x18, or with all squares, 9x18x25, if origin and destination are ambiguous.
 */
#include "games/checkers/board.h"

#include <ctype.h>
#include <string.h>

enum { PATH_MAX_SQUARES = KN_CHECKERS_MEN + 1, SHOWN = 24 };

/* The squares that a piece visits in a move. */
typedef struct Path {
    int squares[PATH_MAX_SQUARES + 1];
    int count;
} Path;

/* A search for the route of a capture. With `wanted`, only routes that visit its squares in order, with
 * `exact` no others. */
typedef struct Walk {
    uint32_t to, empty;
    const Path *wanted;
    bool exact;
    Path path;
} Walk;

static bool walk_accepts(const Walk *walk)
{
    if (!walk->wanted) return true;
    if (walk->exact && walk->path.count != walk->wanted->count) return false;
    int met = 0;
    for (int i = 0; i < walk->path.count && met < walk->wanted->count; i++)
        met += walk->path.squares[i] == walk->wanted->squares[met];
    return met == walk->wanted->count;
}

/* Finds the first route from `at` over all of `left`; walk->path holds it. */
static bool walk_on(Walk *walk, uint32_t at, uint32_t left)
{
    walk->path.squares[walk->path.count++] = kn_checkers_square_of(at);
    if (!left && at == walk->to && walk_accepts(walk)) return true;
    for (int way = 0; way < 4; way++) {
        uint32_t over = kn_checkers_step(at, way) & left;
        uint32_t land = kn_checkers_step(over, way) & walk->empty;
        if (land && walk_on(walk, land, left & ~over)) return true;
    }
    walk->path.count--;
    return false;
}

static bool find_path(const KnCheckersPosition *p, KnMove move, const Path *wanted, bool exact, Path *found)
{
    uint32_t from = kn_checkers_from(p, move);
    Walk walk = {kn_checkers_to(p, move), ~(p->pieces[0] | p->pieces[1]) | from, wanted, exact, {{0}, 0}};
    if (!kn_checkers_taken(move)) { /* a step has two squares */
        walk.path = (Path){{kn_checkers_square_of(from), kn_checkers_square_of(walk.to)}, 2};
        if (!walk_accepts(&walk)) return false;
    } else if (!walk_on(&walk, from, kn_checkers_taken(move)))
        return false;
    if (found) *found = walk.path;
    return true;
}

static void full_text(const KnCheckersPosition *p, KnMove move, KnText *out)
{
    Path path;
    if (!find_path(p, move, NULL, false, &path)) return; /* not a move of this position */
    for (int i = 0; i < path.count; i++) {
        if (i) kn_text_add_char(out, kn_checkers_taken(move) ? 'x' : '-');
        kn_text_printf(out, "%d", path.squares[i]);
    }
}

void kn_checkers_move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)game;
    const KnCheckersPosition *p = position;
    uint32_t from = kn_checkers_from(p, move), to = kn_checkers_to(p, move);
    if (kn_checkers_taken(move)) {
        KnMove moves[KN_CHECKERS_MOVES_MAX];
        int count = kn_checkers_generate(p, moves), alike = 0;
        for (int i = 0; i < count; i++) alike += kn_checkers_change(moves[i]) == kn_checkers_change(move);
        if (alike > 1 || from == to) {
            full_text(p, move, out);
            return;
        }
    }
    kn_text_printf(out, "%d%c%d", kn_checkers_square_of(from), kn_checkers_taken(move) ? 'x' : '-',
                   kn_checkers_square_of(to));
}

/* Parses squares separated by any of "-x:*" or blanks. */
static KnStatus read_path(const char *text, Path *path, KnError *error)
{
    const char *t = text;
    path->count = 0;
    for (;;) {
        while (isspace((unsigned char)*t)) t++;
        if (!isdigit((unsigned char)*t))
            return kn_fail(error, KN_INPUT,
                           "move \"%.60s\", column %d: expected a square from 1 to 32, as in 9-14 or 9x18",
                           text, (int)(t - text) + 1);
        const char *begin = t;
        int square = 0;
        for (; isdigit((unsigned char)*t); t++)
            if (square < 100) square = square * 10 + (*t - '0');
        if (square < 1 || square > 32)
            return kn_fail(error, KN_INPUT,
                           "move \"%.60s\", column %d: the squares are numbered from 1 to 32", text,
                           (int)(begin - text) + 1);
        if (path->count == PATH_MAX_SQUARES)
            return kn_fail(error, KN_INPUT, "move \"%.60s\", column %d: too many squares for one move", text,
                           (int)(begin - text) + 1);
        path->squares[path->count++] = square;
        while (isspace((unsigned char)*t)) t++;
        if (!*t) break;
        if (strchr("-xX:*", *t)) t++;
    }
    if (path->count < 2)
        return kn_fail(error, KN_INPUT,
                       "move \"%.60s\": expected the squares from and to, as in 9-14 or 9x18", text);
    return KN_OK;
}

static KnStatus refuse(const KnCheckersPosition *p, const char *text, const char *why, const KnMove *moves,
                       int count, bool full, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    for (int i = 0; i < count && i < SHOWN; i++) {
        if (i) kn_text_add_char(&known, ' ');
        if (full)
            full_text(p, moves[i], &known);
        else
            kn_checkers_move_text(NULL, p, moves[i], &known);
    }
    kn_fail(error, KN_INPUT, "\"%.60s\" %s: %s%s", text, why, count ? known.data : "none",
            count > SHOWN ? " ..." : "");
    kn_text_free(&known);
    return KN_INPUT;
}

KnStatus kn_checkers_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                                KnError *error)
{
    const KnCheckersPosition *p = position;
    Path wanted;
    KnStatus status = read_path(text, &wanted, error);
    if (status != KN_OK) return status;
    KnMove moves[KN_CHECKERS_MOVES_MAX], fitting[KN_CHECKERS_MOVES_MAX];
    int count = game->type->moves(game, position, moves), fit = 0;
    uint32_t from = SQ(wanted.squares[0]), to = SQ(wanted.squares[wanted.count - 1]);
    for (int i = 0; i < count; i++) {
        if (kn_checkers_from(p, moves[i]) != from || kn_checkers_to(p, moves[i]) != to) continue;
        if (find_path(p, moves[i], &wanted, true, NULL)) { /* a full path identifies one move */
            *move = moves[i];
            return KN_OK;
        }
        if (find_path(p, moves[i], &wanted, false, NULL)) fitting[fit++] = moves[i];
    }
    if (fit == 1) {
        *move = fitting[0];
        return KN_OK;
    }
    if (fit)
        return refuse(p, text, "could be any of several captures; give all squares", fitting, fit, true,
                      error);
    bool forced = count && kn_checkers_taken(moves[0]);
    return refuse(p, text,
                  forced ? "is no legal move here, a capture is compulsory; legal"
                         : "is no legal move here; legal",
                  moves, count, false, error);
}
