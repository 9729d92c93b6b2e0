#include "eval/look.h"

#include <string.h>

#include "eval/same_rules.h"
#include "games/sequential.h"
#include "games/turns.h"

static KnStatus check_board(const KnGame *board, KnError *error)
{
    if (board->cells < 1 || !board->type->cell || !board->cell_symbols)
        return kn_fail(error, KN_INPUT, "needs a game with a board of cells");
    size_t symbols = strlen(board->cell_symbols);
    if (board->cells > KN_LOOK_CELLS || symbols < 2 || symbols > KN_LOOK_SYMBOLS)
        return kn_fail(error, KN_INPUT, "needs a board of up to %d cells with 2 to %d symbols", KN_LOOK_CELLS,
                       KN_LOOK_SYMBOLS);
    return KN_OK;
}

static KnStatus find_board(const KnGame *game, KnLook *look, KnError *error)
{
    *look = (KnLook){.game = game};
    KnStatus status = kn_game_takes_turns(game, error);
    if (status == KN_OK) status = kn_game_turns(game, &look->view, error);
    look->board = look->view ? look->view : game;
    return status == KN_OK ? check_board(look->board, error) : status;
}

/* Phases by pieces, for a board that says nothing about phases: two where games are long. */
KnStatus kn_look_open(const KnGame *game, int phases, KnLook *look, KnError *error)
{
    enum { SMALL = 16 };
    KnStatus status = find_board(game, look, error);
    if (status != KN_OK) return status;
    const KnGame *board = look->board;
    look->by_pieces = phases || board->phases < 2 || !board->type->phase;
    look->phases = phases ? phases : !look->by_pieces ? board->phases : board->cells < SMALL ? 1 : 2;
    if (look->phases > KN_LOOK_PHASES)
        return kn_fail(error, KN_INPUT, "a network has at most %d phases", KN_LOOK_PHASES);
    return KN_OK;
}

void kn_look_close(KnLook *look)
{
    kn_game_close(look->view);
    *look = (KnLook){0};
}

KnStatus kn_look_suits(const KnGame *game, KnError *error)
{
    KnLook look;
    KnStatus status = find_board(game, &look, error);
    kn_look_close(&look);
    return status;
}

int kn_look_symbols(const KnLook *look) { return (int)strlen(look->board->cell_symbols); }

void kn_look_at(const KnLook *look, const void *position, uint8_t *cells, int *side, int *phase)
{
    const KnGame *board = look->board;
    kn_game_board(board, position, cells);
    if (!look->view)
        *side = board->type->mover(board, position);
    else {
        unsigned char entered[board->position_size] __attribute__((aligned(16)));
        kn_sequential_enter(board, position, entered);
        *side = board->type->mover(board, entered);
    }
    if (*side < 0 || *side > 1) *side = 0; /* a game that is over */
    if (!look->by_pieces)
        *phase = board->type->phase(board, position);
    else {
        int pieces = 0;
        for (int c = 0; c < board->cells; c++) pieces += cells[c] != 0;
        *phase = pieces * look->phases / (board->cells + 1);
    }
}

/* ---- headers ---- */

char *kn_look_header(const KnLook *look, const json_t *made)
{
    json_t *root = json_pack("{si ss ss sO}", "format", 1, "game", look->game->spec, "phases",
                             look->by_pieces ? "pieces" : "game", "made", made);
    char *header = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    return header;
}

/* A game description is known by its name alone: one in a folder may have other rules. */
bool kn_look_made_for(const KnGame *game, const char *spec)
{
    return strchr(spec, ':') ? strcmp(game->spec, spec) == 0 : kn_same_rules(game, spec);
}

static KnStatus read_header(KnLook *look, json_t *root, const char *name, json_t **made_out, KnError *error)
{
    static const char *const known[] = {"format", "game", "phases", "made", NULL};
    KnJson at = kn_json_root(root, name), made;
    int64_t format;
    const char *game, *phases;
    KnStatus status = kn_json_integer(&at, "format", 1, 1, &format, error);
    if (status == KN_OK) status = kn_json_only(&at, known, error);
    if (status == KN_OK) status = kn_json_string(&at, "game", &game, error);
    if (status == KN_OK) status = kn_json_string(&at, "phases", &phases, error);
    if (status == KN_OK) status = kn_json_object(&at, "made", &made, error);
    if (status != KN_OK) return status;
    if (!kn_look_made_for(look->game, game))
        return kn_json_fail(&at, "game", error, "the network is for %s, and this is %s", game,
                            look->game->spec);
    look->by_pieces = strcmp(phases, "pieces") == 0;
    if (!look->by_pieces && strcmp(phases, "game") != 0)
        return kn_json_fail(&at, "phases", error, "must be \"game\" or \"pieces\"");
    *made_out = json_incref(made.value);
    return KN_OK;
}

KnStatus kn_look_read(const KnGame *game, const char *header, const char *name, int phases, KnLook *look,
                      json_t **made, KnError *error)
{
    json_t *root = NULL;
    *made = NULL;
    KnStatus status = find_board(game, look, error);
    if (status == KN_OK) status = kn_json_load_bytes(header, strlen(header), name, &root, error);
    if (status == KN_OK) status = read_header(look, root, name, made, error);
    json_decref(root);
    if (status != KN_OK) return status;
    const KnGame *board = look->board;
    look->phases = phases;
    if (look->by_pieces || (board->type->phase && phases == board->phases)) return KN_OK;
    return kn_fail(error, KN_INPUT, "%s: the network does not fit the phases of %s; train it again", name,
                   game->spec);
}
