/* Matrix games (normal form), one-shot or repeated: all players choose an action simultaneously and earn what
 * the table says. The prisoner's dilemma and the public goods game are presets with the same functions.
 *
 * A game lasts `turns` rounds. With continue=p below 1, nature decides in every round, together with the
 * players, whether another one follows, so no player knows the last round; `turns` is then the maximum.
 * Payoffs are totals over all rounds; `rewards` gives those of one round. With `later` and `change` the table
 * changes during play, without notice.
 *
 * The last joint move is part of the position although the rules do not need it: simple strategies react to
 * it and can play from a position alone. */
#include "games/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "games/matrix/matrix.h"
#include "games/matrix/table.h"

#include "base/assert.h"

/* Totals of each player, scaled like the table. */
typedef struct Position {
    uint32_t round;                  /* rounds played */
    uint8_t stopped;                 /* ended by nature */
    uint8_t last[KN_MATRIX_PLAYERS]; /* actions of the last round; 0 before the first */
    uint8_t unused[3];
    int64_t totals[];
} Position;

static const KnMatrix *matrix_of(const KnGame *game) { return game->data; }

static bool is_over(const KnMatrix *matrix, const Position *p)
{
    return p->stopped || p->round >= matrix->turns;
}

static void start(const KnGame *game, void *position) { memset(position, 0, game->position_size); }

static uint32_t movers(const KnGame *game, const void *position)
{
    return is_over(matrix_of(game), position) ? 0 : (1u << game->roles) - 1;
}

static int moves_of(const KnGame *game, const void *position, int role, KnMove *moves)
{
    const KnMatrix *matrix = matrix_of(game);
    const Position *p = position;
    if (is_over(matrix, p)) return 0;
    if (role == game->nature) {
        int count = 0;
        if (p->round + 1 < matrix->turns) moves[count++] = kn_matrix_move(role, KN_MATRIX_GO);
        moves[count++] = kn_matrix_move(role, KN_MATRIX_STOP);
        return count;
    }
    for (int a = 0; a < matrix->actions[role]; a++) moves[a] = kn_matrix_move(role, a);
    return matrix->actions[role];
}

static void play_joint(const KnGame *game, void *position, const KnMove *joint)
{
    const KnMatrix *matrix = matrix_of(game);
    Position *p = position;
    KN_ASSERT(p->round < matrix->turns);
    const int64_t *earned = kn_matrix_table(matrix, p->round) +
                            kn_matrix_cell(matrix, joint) * matrix->players;
    for (int i = 0; i < matrix->players; i++) {
        p->totals[i] += earned[i];
        p->last[i] = (uint8_t)kn_matrix_action(joint[i]);
    }
    p->round++;
    if (game->nature >= 0) p->stopped = kn_matrix_action(joint[game->nature]) == KN_MATRIX_STOP;
}

static void rewards(const KnGame *game, const void *before, const KnMove *joint, double *out)
{
    const KnMatrix *matrix = matrix_of(game);
    int cell = kn_matrix_cell(matrix, joint);
    for (int i = 0; i < matrix->players; i++)
        out[i] = kn_matrix_payoff(matrix, kn_matrix_round(before), cell, i);
    if (game->nature >= 0) out[game->nature] = 0;
}

static void chances(const KnGame *game, const void *position, const KnMove *moves, int count, double *out)
{
    (void)position;
    double go_on = matrix_of(game)->go_on;
    for (int i = 0; i < count; i++)
        out[i] = count == 1 ? 1 : kn_matrix_action(moves[i]) == KN_MATRIX_GO ? go_on : 1 - go_on;
}

static double total(const KnMatrix *matrix, const Position *p, int player)
{
    return (double)p->totals[player] / (double)matrix->scale;
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const KnMatrix *matrix = matrix_of(game);
    for (int i = 0; i < matrix->players; i++) out[i] = total(matrix, position, i);
    if (game->nature >= 0) out[game->nature] = 0;
}

static uint64_t hash(const KnGame *game, const void *position)
{
    return kn_hash64(position, game->position_size, 0);
}

/* ---- Text ---- */

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    const KnMatrix *matrix = matrix_of(game);
    int role = kn_matrix_role(move), action = kn_matrix_action(move);
    if (role == game->nature)
        kn_text_add(out, action == KN_MATRIX_GO ? "go" : "stop");
    else
        kn_text_add(out, matrix->names[role][action]);
}

/* "3 C,D 8,3": rounds played, the last joint move (- before the first), totals; then "stopped" if nature
 * ended it. */
static void position_text(const KnGame *game, const void *position, KnText *out)
{
    const KnMatrix *matrix = matrix_of(game);
    const Position *p = position;
    kn_text_printf(out, "%u ", p->round);
    for (int i = 0; i < matrix->players && p->round; i++)
        kn_text_printf(out, "%s%s", i ? "," : "", matrix->names[i][p->last[i]]);
    kn_text_add(out, p->round ? " " : "- ");
    for (int i = 0; i < matrix->players; i++) {
        if (i) kn_text_add_char(out, ',');
        kn_text_add_real(out, total(matrix, p, i));
    }
    if (p->stopped) kn_text_add(out, " stopped");
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const KnMatrix *matrix = matrix_of(game);
    const Position *p = position;
    KnMove joint[KN_MATRIX_PLAYERS];
    if (p->round > matrix->turns || p->stopped > (game->nature >= 0 && p->round > 0) ||
        p->unused[0] | p->unused[1] | p->unused[2])
        return kn_fail(error, KN_INPUT, "no position of this game: %u rounds of %ld%s", p->round,
                       matrix->turns, p->stopped ? ", stopped" : "");
    for (int i = 0; i < KN_MATRIX_PLAYERS; i++)
        if (p->last[i] >= (i < matrix->players && p->round ? matrix->actions[i] : 1))
            return kn_fail(error, KN_INPUT, "no position of this game: role %d has no action %d", i + 1,
                           p->last[i] + 1);
    for (int i = 0; i < matrix->players; i++) joint[i] = kn_matrix_move(i, p->last[i]);
    int64_t before = (int64_t)p->round - 1; /* rounds whose actions are unknown */
    const int64_t *earned = kn_matrix_table(matrix, (long)before) +
                            kn_matrix_cell(matrix, joint) * matrix->players;
    for (int i = 0; i < matrix->players; i++) {
        int64_t earlier = p->round ? p->totals[i] - earned[i] : p->totals[i];
        int64_t low = p->round ? before * matrix->least : 0, high = p->round ? before * matrix->most : 0;
        if (earlier < low || earlier > high)
            return kn_fail(error, KN_INPUT, "a total of %g cannot be earned in %u rounds that end so",
                           total(matrix, p, i), p->round);
    }
    return KN_OK;
}

/* The next token up to a blank; empty at the end. */
static const char *next_word(const char **at, size_t *length)
{
    const char *word = *at + strspn(*at, " ");
    *length = strcspn(word, " ");
    *at = word + *length;
    return word;
}

static int find_action(const KnMatrix *matrix, int player, const char *name, size_t length)
{
    for (int a = 0; a < matrix->actions[player]; a++)
        if (strlen(matrix->names[player][a]) == length &&
            strncasecmp(matrix->names[player][a], name, length) == 0)
            return a;
    return -1;
}

static KnStatus read_last(const KnMatrix *matrix, const char *word, size_t length, Position *p)
{
    if (!p->round) return length == 1 && *word == '-' ? KN_OK : KN_INPUT;
    const char *end = word + length;
    for (int i = 0; i < matrix->players; i++, word++) {
        size_t part = strcspn(word, ", ");
        int action = find_action(matrix, i, word, part);
        word += part;
        if (action < 0 || (i + 1 < matrix->players ? *word != ',' : word != end)) return KN_INPUT;
        p->last[i] = (uint8_t)action;
    }
    return KN_OK;
}

static KnStatus read_totals(const KnMatrix *matrix, const char *word, size_t length, Position *p)
{
    const char *end = word + length;
    for (int i = 0; i < matrix->players; i++, word++) {
        char *after;
        if (word >= end || *word == ' ') return KN_INPUT;
        double value = strtod(word, &after);
        if (after == word || !(fabs(value) < 1e16) ||
            (i + 1 < matrix->players ? *after != ',' : after != end))
            return KN_INPUT;
        double scaled = value * (double)matrix->scale;
        if (!(fabs(scaled) < 0x1p53)) return KN_INPUT;
        p->totals[i] = llround(scaled);
        word = after;
    }
    return KN_OK;
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const KnMatrix *matrix = matrix_of(game);
    Position *p = position;
    start(game, position);
    const char *t = text;
    size_t length;
    const char *word = next_word(&t, &length);
    KnStatus status = length > 0 && length < 9 && strspn(word, "0123456789") == length ? KN_OK : KN_INPUT;
    if (status == KN_OK) p->round = (uint32_t)strtoul(word, NULL, 10);
    for (int part = 0; status == KN_OK && part < 2; part++) {
        word = next_word(&t, &length);
        status = (part ? read_totals : read_last)(matrix, word, length, p);
    }
    if (status == KN_OK) {
        word = next_word(&t, &length);
        p->stopped = length == 7 && strncmp(word, "stopped", 7) == 0;
        if ((length && !p->stopped) || t[strspn(t, " ")]) status = KN_INPUT;
    }
    if (status != KN_OK)
        return kn_fail(error, KN_INPUT,
                       "position \"%.60s\", column %d: expected rounds, last actions (- if none), totals, as "
                       "in \"3 %s,%s 8,3\"",
                       text, (int)(word - text) + 1, matrix->names[0][0],
                       matrix->players > 1 ? matrix->names[1][0] : "...");
    return check(game, position, error);
}

/* Draws the current table of two players, the last cell in brackets. */
static void draw_table(const KnMatrix *matrix, const Position *p, bool colour, KnText *out)
{
    enum { WIDTH = 12 };
    kn_text_printf(out, "%*s", WIDTH, "");
    for (int b = 0; b < matrix->actions[1]; b++) kn_text_printf(out, "%*s", WIDTH, matrix->names[1][b]);
    kn_text_add_char(out, '\n');
    for (int a = 0; a < matrix->actions[0]; a++) {
        kn_text_printf(out, "%-*s", WIDTH, matrix->names[0][a]);
        for (int b = 0; b < matrix->actions[1]; b++) {
            int cell = a * matrix->actions[1] + b;
            bool last = p->round && p->last[0] == a && p->last[1] == b;
            char text[64];
            snprintf(text, sizeof text, last ? "[%g,%g]" : "%g,%g",
                     kn_matrix_payoff(matrix, p->round, cell, 0),
                     kn_matrix_payoff(matrix, p->round, cell, 1));
            kn_text_printf(out, "%s%*s%s", last && colour ? "\033[1m" : "", WIDTH, text,
                           last && colour ? "\033[0m" : "");
        }
        kn_text_add_char(out, '\n');
    }
}

static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const KnMatrix *matrix = matrix_of(game);
    const Position *p = position;
    if (matrix->players == 2) draw_table(matrix, p, colour, out);
    kn_text_printf(out, "round %u of %s%ld%s\n", p->round, game->nature >= 0 ? "at most " : "", matrix->turns,
                   p->stopped ? ", stopped" : "");
    for (int i = 0; i < matrix->players; i++)
        kn_text_printf(out, "%-10s last %-8s total %g\n", game->role_names[i],
                       p->round ? matrix->names[i][p->last[i]] : "-", total(matrix, p, i));
}

/* ---- Symmetry: exchange of two players ---- */

static void transform(const KnGame *game, int symmetry, const void *position, void *out)
{
    memcpy(out, position, game->position_size);
    if (!symmetry) return;
    const Position *p = position;
    Position *image = out;
    for (int i = 0; i < 2; i++) {
        image->last[i] = p->last[1 - i];
        image->totals[i] = p->totals[1 - i];
    }
}

static int transform_role(const KnGame *game, int symmetry, int role)
{
    (void)game;
    return symmetry && role < 2 ? 1 - role : role;
}

static KnMove transform_move(const KnGame *game, int symmetry, const void *position, KnMove move)
{
    (void)position;
    return kn_matrix_move(transform_role(game, symmetry, kn_matrix_role(move)), kn_matrix_action(move));
}

/* ---- Knowledge ---- */

static const KnFeature features[] = {
    {"lead", "own total less the mean of the others', a round", -2e6, 2e6},
    {"mean", "own total a round", -1e6, 1e6},
    {"time", "rounds played, of the most there can be", 0, 1},
};

static void feature_values(const KnGame *game, const void *position, int role, double *values)
{
    const KnMatrix *matrix = matrix_of(game);
    const Position *p = position;
    double rounds = p->round ? p->round : 1, others = 0,
           own = role < matrix->players ? total(matrix, p, role) : 0;
    for (int i = 0; i < matrix->players; i++)
        if (i != role) others += total(matrix, p, i);
    int count = matrix->players - (role < matrix->players);
    values[0] = (own - (count ? others / count : 0)) / rounds;
    values[1] = own / rounds;
    values[2] = p->round / (double)matrix->turns;
}

const KnMatrix *kn_game_matrix(const KnGame *game)
{
    return game->type->play_joint == play_joint ? game->data : NULL;
}

long kn_matrix_round(const void *position) { return ((const Position *)position)->round; }

int kn_matrix_last(const void *position, int player)
{
    const Position *p = position;
    return p->round ? p->last[player] : -1;
}

/* ---- Life ---- */

static void close(KnGame *game)
{
    KnMatrix *matrix = game->data;
    if (matrix) {
        free(matrix->table);
        free(matrix->later);
    }
    free(matrix);
}

static void name_roles(KnMatrix *matrix)
{
    static const char *const numbered[] = {"player1", "player2", "player3", "player4",
                                           "player5", "player6", "player7", "player8"};
    for (int i = 0; i < matrix->players; i++) matrix->role_names[i] = numbered[i];
    if (matrix->players == 2) matrix->role_names[0] = "row", matrix->role_names[1] = "column";
    matrix->role_names[matrix->players] = "nature";
}

/* Whether two players have a constant sum in every cell. */
static bool is_zero_sum(const KnMatrix *matrix)
{
    if (matrix->players != 2) return false;
    for (int later = 0; later <= (matrix->later != NULL); later++) {
        const int64_t *table = later ? matrix->later : matrix->table;
        for (int cell = 0; cell < matrix->cells; cell++)
            if (table[cell * 2] + table[cell * 2 + 1] != matrix->table[0] + matrix->table[1]) return false;
    }
    return true;
}

/* Completes the game after the table is parsed. */
static KnStatus open_rest(KnGame *game, const KnOptions *bound, KnError *error)
{
    KnMatrix *matrix = game->data;
    matrix->turns = kn_option_integer(bound, "turns");
    matrix->go_on = kn_option_real(bound, "continue");
    if (!(matrix->go_on > 0))
        return kn_fail(error, KN_INPUT, "continue must lie above 0 (for one round use turns=1)");
    double least = (double)matrix->least, most = (double)matrix->most, turns = (double)matrix->turns;
    if (fmax(fabs(least), fabs(most)) * turns >= 0x1p53)
        return kn_fail(error, KN_INPUT,
                       "these payoffs times %ld turns cannot be added up exactly; use smaller ones",
                       matrix->turns);
    name_roles(matrix);
    bool chance = matrix->go_on < 1;
    game->position_size = sizeof(Position) + (size_t)matrix->players * sizeof(int64_t);
    game->roles = matrix->players + chance;
    game->nature = chance ? matrix->players : -1;
    game->max_moves = 2;
    for (int i = 0; i < matrix->players; i++)
        if (matrix->actions[i] > game->max_moves) game->max_moves = matrix->actions[i];
    game->traits = KN_GAME_SIMULTANEOUS | (is_zero_sum(matrix) && !chance ? KN_GAME_ZERO_SUM : 0);
    game->payoff_low = least * turns / (double)matrix->scale;
    game->payoff_high = most * turns / (double)matrix->scale;
    if (chance) { /* the game may end after one round; nature earns nothing */
        game->payoff_low = fmin(game->payoff_low, 0);
        game->payoff_high = fmax(game->payoff_high, 0);
    }
    if (game->payoff_low == game->payoff_high) game->payoff_high = game->payoff_low + 1;
    game->role_names = matrix->role_names;
    game->symmetries = matrix->symmetric ? 2 : 1;
    game->features = features;
    game->feature_count = sizeof features / sizeof *features;
    return KN_OK;
}

static KnStatus open_matrix(KnGame *game, const KnOptions *bound, KnError *error)
{
    game->data = calloc(1, sizeof(KnMatrix));
    if (!game->data) return kn_fail_memory(error, "opening a matrix game");
    const char *actions = kn_option_string(bound, "actions"), *later = kn_option_string(bound, "later");
    long change = kn_option_integer(bound, "change");
    KnStatus status = kn_matrix_read(kn_option_string(bound, "payoffs"), actions, game->data, error);
    if (status == KN_OK && later && !change)
        status = kn_fail(error, KN_INPUT, "later payoffs: when do they come? change=ROUNDS is missing");
    if (status == KN_OK && change && !later)
        status = kn_fail(error, KN_INPUT, "change=%ld: to what? later=\"PAYOFFS\" is missing", change);
    if (status == KN_OK && later) status = kn_matrix_read_later(later, actions, change, game->data, error);
    return status == KN_OK ? open_rest(game, bound, error) : status;
}

static KnStatus open_public_goods(KnGame *game, const KnOptions *bound, KnError *error)
{
    game->data = calloc(1, sizeof(KnMatrix));
    if (!game->data) return kn_fail_memory(error, "opening a matrix game");
    KnStatus status = kn_matrix_public_goods(
        (int)kn_option_integer(bound, "players"), (int)kn_option_integer(bound, "actions"),
        kn_option_real(bound, "factor"), kn_option_real(bound, "endowment"), game->data, error);
    return status == KN_OK ? open_rest(game, bound, error) : status;
}

static KnStatus open_dilemma(KnGame *game, const KnOptions *bound, KnError *error)
{
    game->data = calloc(1, sizeof(KnMatrix));
    if (!game->data) return kn_fail_memory(error, "opening a matrix game");
    KnStatus status = kn_matrix_dilemma(kn_option_real(bound, "T"), kn_option_real(bound, "R"),
                                        kn_option_real(bound, "P"), kn_option_real(bound, "S"),
                                        kn_option_flag(bound, "strict"), game->data, error);
    return status == KN_OK ? open_rest(game, bound, error) : status;
}

#define ROUNDS                                                                                               \
    {"turns", KN_OPTION_INTEGER, "200", 1, 1000000, NULL, "rounds; with continue, the most there can be"},   \
    {                                                                                                        \
        "continue", KN_OPTION_REAL, "1", 0, 1, NULL,                                                         \
            "probability that another round follows, drawn by nature"                                        \
    }

static const KnOption matrix_options[] = {
    {"payoffs", KN_OPTION_STRING, "1,-1 -1,1; -1,1 1,-1", 0, 0, NULL,
     "a cell for each joint move: \"3,3 0,5; 5,0 1,1\""},
    {"actions", KN_OPTION_STRING, "", 0, 0, NULL,
     "names for all roles, \"C,D\", or for each, \"up,down/left,right\""},
    ROUNDS,
    {"later", KN_OPTION_STRING, "", 0, 0, NULL,
     "payoffs that take the place of the first, once `change` rounds are played"},
    {"change", KN_OPTION_INTEGER, "0", 0, 1000000, NULL,
     "after how many rounds the payoffs change; 0: never"},
    {0}};

static const KnOption goods_options[] = {
    {"players", KN_OPTION_INTEGER, "4", 2, KN_MATRIX_PLAYERS, NULL, "how many play"},
    {"actions", KN_OPTION_INTEGER, "2", 2, KN_MATRIX_ACTIONS, NULL,
     "steps from giving everything to giving nothing; 2: C and D"},
    {"factor", KN_OPTION_REAL, "1.6", -1e6, 1e6, NULL,
     "what is given is multiplied by this, and shared among all"},
    {"endowment", KN_OPTION_REAL, "1", 1e-3, 1e3, NULL, "what everybody has in each round"},
    ROUNDS,
    {0}};

static const KnOption dilemma_options[] = {
    {"T", KN_OPTION_REAL, "5", -1e6, 1e6, NULL, "temptation: defecting against a cooperator"},
    {"R", KN_OPTION_REAL, "3", -1e6, 1e6, NULL, "reward: both cooperate"},
    {"P", KN_OPTION_REAL, "1", -1e6, 1e6, NULL, "punishment: both defect"},
    {"S", KN_OPTION_REAL, "0", -1e6, 1e6, NULL, "sucker's payoff: cooperating with a defector"},
    ROUNDS,
    {"strict", KN_OPTION_FLAG, NULL, 0, 0, NULL,
     "refuse payoffs where taking turns beats cooperation (2R > T+S fails)"},
    {0}};

#define HOOKS                                                                                                \
    .close = close, .start = start, .payoffs = payoffs, .hash = hash, .movers = movers,                      \
    .moves_of = moves_of, .play_joint = play_joint, .rewards = rewards, .chances = chances,                  \
    .move_text = move_text, .position_text = position_text, .parse_position = parse_position, .draw = draw,  \
    .check = check, .transform = transform, .transform_move = transform_move,                                \
    .transform_role = transform_role, .feature_values = feature_values

const KnGameType kn_matrix = {
    .head = {"matrix", "any matrix game, repeated: payoffs by table, moves at the same time", matrix_options},
    .open = open_matrix,
    HOOKS,
};

const KnGameType kn_dilemma = {
    .head = {"dilemma", "the repeated prisoner's dilemma", dilemma_options},
    .open = open_dilemma,
    HOOKS,
};

const KnGameType kn_publicgoods = {
    .head = {"publicgoods", "the repeated public goods game: a dilemma of many players and actions",
             goods_options},
    .open = open_public_goods,
    HOOKS,
};
