/* Games whose rules only a foreign program knows: pipe("COMMAND").
 *
 * A position is the state's text, as the program writes it, with what every search asks for: whether it is
 * over, who moves, and how many moves each has. Moves, payoffs and the board come from the cache; what it
 * does not hold is asked again. Equal states must be equal texts.
 *
 * The game interface assumes that rules cannot fail, but a program can: it hangs, dies, or says what cannot
 * be. Then the position is marked as failed, the game is over with the middle payoff for everybody, and
 * kn_pipe_game_trouble reports the first failure, which ends the run. */
#include "games/pipe/pipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/hash.h"
#include "games/pipe/cache.h"
#include "games/pipe/programs.h"
#include "games/registry.h"

typedef struct Position {
    uint64_t hash;
    uint32_t movers; /* a bit per role; 0 when it is over */
    uint32_t failed;
    uint16_t counts[KN_ROLES_MAX]; /* moves of each role */
    char text[];                   /* terminated; zeros up to the end */
} Position;

typedef struct Pipe {
    KnDeclaration declaration;
    KnPrograms *programs;
    KnPipeCache *cache;
    KnError trouble; /* under the cache's lock */
    Position *start;
    const char *role_names[KN_ROLES_MAX];
} Pipe;

static Pipe *pipe_of(const KnGame *game) { return game->data; }

/* Records the first failure. */
static void note_trouble(const Pipe *pipe, const KnError *error)
{
    Pipe *noted = (Pipe *)(uintptr_t)pipe;
    kn_pipe_lock(pipe->cache);
    if (noted->trouble.status == KN_OK) {
        noted->trouble = *error;
        noted->trouble.status = KN_INPUT;
    }
    kn_pipe_unlock(pipe->cache);
}

/* ---- Asking ---- */

static void set_position(const KnGame *game, const KnPipeState *state, Position *p)
{
    size_t length = strlen(state->text);
    KN_ASSERT(sizeof *p + length < game->position_size);
    memset(p, 0, game->position_size);
    p->hash = state->hash;
    p->movers = state->movers;
    for (int role = 0; role < game->roles; role++) p->counts[role] = (uint16_t)state->counts[role];
    memcpy(p->text, state->text, length);
}

/* Asks the program, and leaves the cache locked with the state that it told. Unlocked after a failure. */
static KnStatus ask(const Pipe *pipe, const char *request, const char *text, const KnPipeState **state,
                    KnError *error)
{
    KnAccount account;
    kn_account_begin(&account, &pipe->declaration);
    KnStatus status = kn_programs_ask(pipe->programs, request, kn_account_line, &account, error);
    if (status == KN_OK) status = kn_account_end(&account, error);
    if (status == KN_OK && !text && !account.state.length)
        status = kn_fail(error, KN_FORFEIT,
                         "the program with the rules did not tell the state after \"%.60s\"", request);
    if (status == KN_OK) {
        kn_pipe_lock(pipe->cache);
        status = kn_pipe_add(pipe->cache, text ? text : account.state.data, &account, state, error);
        if (status != KN_OK) kn_pipe_unlock(pipe->cache);
    }
    kn_account_free(&account);
    return status;
}

/* The state of a position, with the cache locked; NULL, unlocked, if the program fails. */
static const KnPipeState *look_up(const KnGame *game, const Position *p)
{
    const Pipe *pipe = pipe_of(game);
    if (p->failed) return NULL;
    kn_pipe_lock(pipe->cache);
    const KnPipeState *state = kn_pipe_find(pipe->cache, p->text, p->hash);
    if (state) return state;
    kn_pipe_unlock(pipe->cache);
    KnText request = KN_TEXT_EMPTY;
    KnError error;
    kn_text_printf(&request, "state %s", p->text);
    KnStatus status = ask(pipe, request.data, p->text, &state, &error);
    kn_text_free(&request);
    if (status == KN_OK) return state;
    note_trouble(pipe, &error);
    return NULL;
}

/* ---- Rules ---- */

static void start(const KnGame *game, void *position)
{
    memcpy(position, pipe_of(game)->start, game->position_size);
}

static uint32_t movers(const KnGame *game, const void *position)
{
    (void)game;
    const Position *p = position;
    return p->failed ? 0 : p->movers;
}

/* A position has as many moves as it had when it was told, whatever the program does: a search may be in the
 * middle of it. Moves that cannot be asked for again are placeholders, which lead to a failed position. */
static int moves_of(const KnGame *game, const void *position, int role, KnMove *moves)
{
    const Position *p = position;
    if (!(movers(game, p) >> role & 1)) return 0;
    const KnPipeState *state = look_up(game, p);
    int count = p->counts[role];
    for (int i = 0; i < count; i++) moves[i] = state ? state->moves[role][i] : (KnMove)i;
    if (state) kn_pipe_unlock(pipe_of(game)->cache);
    return count;
}

/* "play a|- STATE". */
static void write_request(const KnGame *game, const Position *p, const KnMove *joint, KnText *request)
{
    const Pipe *pipe = pipe_of(game);
    kn_text_add(request, "play ");
    kn_pipe_lock(pipe->cache);
    bool first = true;
    for (int role = 0; role < game->roles; role++) {
        if (!game->type->play_joint && joint[role] == KN_MOVE_NONE) continue;
        if (!first) kn_text_add_char(request, '|');
        first = false;
        const char *name = joint[role] == KN_MOVE_NONE ? "-" : kn_pipe_move_name(pipe->cache, joint[role]);
        kn_text_add(request, name ? name : "?");
    }
    kn_pipe_unlock(pipe->cache);
    kn_text_printf(request, " %s", p->text);
}

static void play_joint(const KnGame *game, void *position, const KnMove *joint)
{
    const Pipe *pipe = pipe_of(game);
    Position *p = position;
    if (p->failed) return;
    kn_pipe_lock(pipe->cache);
    const KnPipeState *next = kn_pipe_follow(pipe->cache, p->text, p->hash, joint);
    if (next) set_position(game, next, p);
    kn_pipe_unlock(pipe->cache);
    if (next) return;
    KnText request = KN_TEXT_EMPTY;
    KnError error;
    write_request(game, p, joint, &request);
    if (ask(pipe, request.data, NULL, &next, &error) == KN_OK) {
        kn_pipe_connect(pipe->cache, p->text, p->hash, joint, next);
        set_position(game, next, p);
        kn_pipe_unlock(pipe->cache);
    } else {
        p->failed = 1;
        note_trouble(pipe, &error);
    }
    kn_text_free(&request);
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    for (int role = 0; role < game->roles; role++) out[role] = (game->payoff_low + game->payoff_high) / 2;
    const KnPipeState *state = look_up(game, position);
    if (!state) return;
    if (state->over) memcpy(out, state->payoffs, (size_t)game->roles * sizeof *out);
    kn_pipe_unlock(pipe_of(game)->cache);
}

static uint64_t hash(const KnGame *game, const void *position)
{
    (void)game;
    const Position *p = position;
    return p->failed ? ~p->hash : p->hash;
}

/* The same for games in which one role moves at a time. */
static int mover(const KnGame *game, const void *position)
{
    (void)game;
    const Position *p = position;
    return p->movers ? __builtin_ctz(p->movers) : 0;
}

static int moves_alternating(const KnGame *game, const void *position, KnMove *moves)
{
    return moves_of(game, position, mover(game, position), moves);
}

static void play(const KnGame *game, void *position, KnMove move)
{
    KnMove joint[KN_ROLES_MAX];
    for (int role = 0; role < game->roles; role++) joint[role] = KN_MOVE_NONE;
    joint[mover(game, position)] = move;
    play_joint(game, position, joint);
}

/* ---- Text ---- */

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    const Pipe *pipe = pipe_of(game);
    kn_pipe_lock(pipe->cache);
    const char *name = kn_pipe_move_name(pipe->cache, move);
    kn_text_add(out, name ? name : "?");
    kn_pipe_unlock(pipe->cache);
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    (void)game;
    const Position *p = position;
    kn_text_add(out, p->failed ? "(the rules failed)" : p->text);
}

/* The program decides what is a state, and may write it in another way than it was typed. */
static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    const Pipe *pipe = pipe_of(game);
    const KnPipeState *state;
    KnError why;
    KnText request = KN_TEXT_EMPTY;
    text += strspn(text, " ");
    kn_text_printf(&request, "state %s", text);
    KnStatus status = kn_declaration_check_state(&pipe->declaration, text, &why);
    if (status == KN_OK) {
        kn_pipe_lock(pipe->cache);
        state = kn_pipe_find(pipe->cache, text, kn_pipe_hash(text));
        if (!state) {
            kn_pipe_unlock(pipe->cache);
            status = ask(pipe, request.data, text, &state, &why);
            if (status != KN_OK && status != KN_NO) note_trouble(pipe, &why);
        }
        if (status == KN_OK) {
            set_position(game, state, position);
            kn_pipe_unlock(pipe->cache);
        }
    }
    kn_text_free(&request);
    return status == KN_OK ? KN_OK : kn_fail(error, KN_INPUT, "position \"%.60s\": %.800s", text, why.text);
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const Position *p = position;
    size_t room = game->position_size - sizeof *p, length = strnlen(p->text, room);
    bool clean = length < room && p->failed <= 1 && !(p->movers >> game->roles);
    for (int role = 0; role < KN_ROLES_MAX; role++)
        clean = clean && (p->movers >> role & 1) == (p->counts[role] > 0) &&
                p->counts[role] <= game->max_moves;
    for (size_t i = length; clean && i < room; i++) clean = !p->text[i];
    if (!clean || kn_pipe_hash(p->text) != p->hash)
        return kn_fail(error, KN_INPUT, "these bytes are no state of this game");
    return KN_OK;
}

/* ---- Drawing ---- */

static int cell(const KnGame *game, const void *position, int index)
{
    const KnPipeState *state = look_up(game, position);
    if (!state) return 0;
    int value = state->cells[index];
    kn_pipe_unlock(pipe_of(game)->cache);
    return value;
}

static void board(const KnGame *game, const void *position, uint8_t *cells)
{
    const KnPipeState *state = look_up(game, position);
    memset(cells, 0, (size_t)game->cells);
    if (!state) return;
    memcpy(cells, state->cells, (size_t)game->cells);
    kn_pipe_unlock(pipe_of(game)->cache);
}

static void cell_place(const KnGame *game, int index, double *x, double *y)
{
    *x = index % pipe_of(game)->declaration.width;
    *y = index / pipe_of(game)->declaration.width;
}

static void cell_name(const KnGame *game, int index, KnText *out)
{
    const KnDeclaration *declaration = &pipe_of(game)->declaration;
    int x = index % declaration->width;
    if (x >= 26) kn_text_add_char(out, (char)('a' + x / 26 - 1));
    kn_text_printf(out, "%c%d", 'a' + x % 26, declaration->height - index / declaration->width);
}

static KnStatus add_line(void *user, const char *line, KnError *error)
{
    (void)error;
    const char *shown = strncmp(line, "| ", 2) == 0 ? line + 2 : strcmp(line, "|") == 0 ? "" : line;
    for (; *shown; shown++) /* no escape sequences: whatever a program draws, the terminal stays ours */
        if ((unsigned char)*shown >= ' ' && *shown != 127) kn_text_add_char(user, *shown);
    kn_text_add_char(user, '\n');
    return KN_OK;
}

static void draw_board(const KnGame *game, const Position *p, bool colour, KnText *out)
{
    static const char *const colours[] = {"\033[1;34m", "\033[1;31m", "\033[1;32m", "\033[1;35m"};
    const KnDeclaration *declaration = &pipe_of(game)->declaration;
    uint8_t cells[game->cells];
    board(game, p, cells);
    for (int y = 0, i = 0; y < declaration->height; y++) {
        kn_text_printf(out, "%2d ", declaration->height - y);
        for (int x = 0; x < declaration->width; x++, i++) {
            kn_text_add_char(out, ' ');
            if (colour && cells[i]) kn_text_add(out, colours[(cells[i] - 1) % 4]);
            kn_text_add_char(out, declaration->symbols.data[cells[i]]);
            if (colour && cells[i]) kn_text_add(out, "\033[0m");
        }
        kn_text_add_char(out, '\n');
    }
    kn_text_add(out, "   ");
    for (int x = 0; x < declaration->width; x++) kn_text_printf(out, " %c", 'a' + x % 26);
    kn_text_add_char(out, '\n');
}

/* As the program shows it, or its board with who has the move, or the state's text. */
static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const Pipe *pipe = pipe_of(game);
    const Position *p = position;
    if (!p->failed && pipe->declaration.display) {
        KnText request = KN_TEXT_EMPTY;
        KnError error;
        kn_text_printf(&request, "show %s", p->text);
        KnStatus status = kn_programs_ask(pipe->programs, request.data, add_line, out, &error);
        if (status != KN_OK) note_trouble(pipe, &error);
        kn_text_free(&request);
    } else if (!p->failed && game->cells) {
        draw_board(game, p, colour, out);
        if (!game->type->play_joint && p->movers)
            kn_text_printf(out, "%s to move\n", game->role_names[mover(game, p)]);
    } else
        position_text(game, p, out);
    if (!out->length || out->data[out->length - 1] != '\n') kn_text_add_char(out, '\n');
}

/* ---- Life ---- */

static void close(KnGame *game)
{
    Pipe *pipe = game->data;
    if (!pipe) return;
    kn_programs_close(pipe->programs);
    kn_pipe_cache_free(pipe->cache);
    kn_declaration_free(&pipe->declaration);
    free(pipe->start);
    free(pipe);
}

static const KnGameType kn_pipe_alternating;

/* What the greeting says, as a game. */
static void declare(KnGame *game, Pipe *pipe)
{
    const KnDeclaration *declaration = &pipe->declaration;
    game->position_size = (sizeof(Position) + (size_t)declaration->size + 1 + 15) & ~(size_t)15;
    game->max_moves = declaration->moves;
    game->roles = declaration->role_count;
    game->payoff_low = declaration->low;
    game->payoff_high = declaration->high;
    game->role_names = pipe->role_names;
    for (int role = 0; role < game->roles; role++) {
        pipe->role_names[role] = declaration->roles[role];
        if (strcasecmp(declaration->roles[role], "random") == 0) game->nature = role;
    }
    bool turns = !declaration->simultaneous && game->nature < 0 && game->roles > 1;
    if (turns) game->type = &kn_pipe_alternating;
    game->traits = (turns ? 0 : KN_GAME_SIMULTANEOUS) | (declaration->zero_sum ? KN_GAME_ZERO_SUM : 0) |
                   (declaration->endless ? KN_GAME_ENDLESS : 0);
    game->cells = declaration->width * declaration->height;
    game->cell_symbols = declaration->symbols.data;
}

static KnStatus open(KnGame *game, const KnOptions *options, KnError *error)
{
    Pipe *pipe = game->data = calloc(1, sizeof *pipe);
    if (!pipe) return kn_fail_memory(error, "opening a game");
    kn_declaration_begin(&pipe->declaration);
    KnProgramsPlan plan = {.command = kn_option_string(options, "command"),
                           .log = kn_option_string(options, "log"),
                           .patience = kn_option_real(options, "patience"),
                           .most = (int)kn_option_integer(options, "copies")};
    KnStatus status = kn_programs_open(&plan, kn_declaration_line, &pipe->declaration, &pipe->programs,
                                       error);
    if (status == KN_OK) status = kn_declaration_end(&pipe->declaration, error);
    if (status == KN_OK) {
        declare(game, pipe);
        pipe->cache = kn_pipe_cache_new(&pipe->declaration, (size_t)kn_option_integer(options, "memory")
                                                                << 20);
        pipe->start = aligned_alloc(16, game->position_size);
        if (!pipe->cache || !pipe->start) return kn_fail_memory(error, "opening a game");
        status = parse_position(game, pipe->declaration.start.data, pipe->start, error);
    }
    if (status == KN_OK || status == KN_SYSTEM) return status;
    if (error) error->status = KN_INPUT; /* no game has begun: the program is no use */
    return KN_INPUT;
}

static const KnOption options[] = {
    {"command", KN_OPTION_STRING, NULL, 0, 0, NULL,
     "shell command of a program that tells the rules over the pipe protocol"},
    {"patience", KN_OPTION_REAL, "10", 0.01, 1e6, NULL, "seconds for an answer before the run ends"},
    {"copies", KN_OPTION_INTEGER, "4", 1, 64, NULL,
     "programs that run at the same time, for several threads"},
    {"memory", KN_OPTION_INTEGER, "64", 1, 65536, NULL, "MiB for what the program has told"},
    {"log", KN_OPTION_STRING, "", 0, 0, NULL, "append the dialogue to this file, with times"},
    {0}};

#define PIPE_COMMON                                                                                          \
    .head = {"pipe", "any game whose rules another program tells, over the pipe protocol", options},         \
    .open = open, .close = close, .start = start, .payoffs = payoffs, .hash = hash, .move_text = move_text,  \
    .position_text = position_text, .parse_position = parse_position, .draw = draw, .check = check,          \
    .cell = cell, .board = board, .cell_place = cell_place, .cell_name = cell_name

const KnGameType kn_pipe = {PIPE_COMMON, .movers = movers, .moves_of = moves_of, .play_joint = play_joint};

static const KnGameType kn_pipe_alternating = {PIPE_COMMON, .mover = mover, .moves = moves_alternating,
                                               .play = play};

bool kn_pipe_is(const KnGame *game) { return game->type == &kn_pipe || game->type == &kn_pipe_alternating; }

KnStatus kn_pipe_game_trouble(const KnGame *game, KnError *error)
{
    if (!kn_pipe_is(game)) return KN_OK;
    const Pipe *pipe = pipe_of(game);
    kn_pipe_lock(pipe->cache);
    KnStatus status = pipe->trouble.status;
    if (status != KN_OK && error) *error = pipe->trouble;
    kn_pipe_unlock(pipe->cache);
    return status;
}
