/* Games in the game description language: gdl:FILE, gdl("FILE"), or gdl:NAME for a built-in description.
 *
 * Roles are the description's, in its order; a role named `random` is nature. Every role moves at every step,
 * as the language defines; a role that only waits has a single move. Payoffs are goal values from 0 to 100; a
 * role without a unique value gets 0. The game is over in terminal states, and also if a role has no legal
 * move, which a valid description avoids.
 *
 * The game interface assumes that rules cannot fail, but a prover can: endless recursion, too many facts.
 * Then the game is over: a position that could not be computed is marked as failed, with 0 for every role,
 * and kn_gdl_trouble reports the first failure.
 *
 * The language requires that every game ends; use the option `endless` for a description that does not ensure
 * it. */
#include "games/gdl/gdl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <knack/base.h>
#include "games/registry.h"

typedef struct Position {
    uint64_t failed;
    uint64_t facts[];
} Position;

typedef struct Gdl {
    KnGdlMachine *machine;
    const char *role_names[KN_GDL_ROLES];
    pthread_mutex_t lock; /* protects the failure and the analysis */
    KnError trouble;
    KnGdlAnalysis *analysis; /* made on first use */
    bool analysed;
} Gdl;

static Gdl *gdl_of(const KnGame *game) { return game->data; }
static KnGdlMachine *machine_of(const KnGame *game) { return gdl_of(game)->machine; }

/* Records the first failure. */
static void note_trouble(const KnGame *game, const KnError *error)
{
    Gdl *gdl = gdl_of(game);
    pthread_mutex_lock(&gdl->lock);
    if (gdl->trouble.status == KN_OK) gdl->trouble = *error;
    pthread_mutex_unlock(&gdl->lock);
}

KnStatus kn_gdl_trouble(const KnGame *game, KnError *error)
{
    Gdl *gdl = gdl_of(game);
    pthread_mutex_lock(&gdl->lock);
    KnStatus status = gdl->trouble.status;
    if (error) *error = gdl->trouble;
    pthread_mutex_unlock(&gdl->lock);
    return status;
}

KnStatus kn_gdl_trouble_at(const KnGame *game, const void *position, KnError *error)
{
    const Position *p = position;
    bool open;
    if (!kn_game_gdl(game)) return KN_OK;
    return p->failed ? kn_gdl_trouble(game, error) : kn_gdl_is_open(machine_of(game), p->facts, &open, error);
}

/* ---- Rules ---- */

static void start(const KnGame *game, void *position)
{
    Position *p = position;
    memset(p, 0, game->position_size);
    kn_gdl_start(machine_of(game), p->facts, NULL);
}

/* Moves of a role in a state that is not terminal; 0 after a failure. */
static int list_moves(const KnGame *game, const Position *p, int role, KnMove *moves)
{
    int count = 0;
    KnError error;
    if (kn_gdl_legal(machine_of(game), p->facts, role, moves, &count, &error) == KN_OK) return count;
    note_trouble(game, &error);
    return 0;
}

static uint32_t movers(const KnGame *game, const void *position)
{
    const Position *p = position;
    bool open = false;
    KnError error;
    if (p->failed) return 0;
    if (kn_gdl_is_open(machine_of(game), p->facts, &open, &error) != KN_OK) {
        note_trouble(game, &error);
        return 0;
    }
    return open ? (1u << game->roles) - 1 : 0;
}

static int moves_of(const KnGame *game, const void *position, int role, KnMove *moves)
{
    return movers(game, position) ? list_moves(game, position, role, moves) : 0;
}

static void play_joint(const KnGame *game, void *position, const KnMove *joint)
{
    Position *p = position;
    KnError error;
    for (int role = 0; role < game->roles; role++)
        if (joint[role] == KN_MOVE_NONE) { /* its moves could not be listed: the reasoner was stopped */
            p->failed = 1;
            return;
        }
    if (kn_gdl_next(machine_of(game), p->facts, joint, p->facts, &error) == KN_OK) return;
    p->failed = 1;
    note_trouble(game, &error);
}

static void payoffs(const KnGame *game, const void *position, double *out)
{
    const Position *p = position;
    for (int role = 0; role < game->roles; role++) {
        int value = -1;
        KnError error;
        if (!p->failed && kn_gdl_goal(machine_of(game), p->facts, role, &value, &error) != KN_OK)
            note_trouble(game, &error);
        out[role] = value < 0 ? 0 : value;
    }
}

static uint64_t hash(const KnGame *game, const void *position)
{
    const Position *p = position;
    return kn_gdl_state_hash(machine_of(game), p->facts) ^ (p->failed ? kn_mix64(1) : 0);
}

/* ---- Text: sorted facts, separated by blanks; () if there are none; ! before a failed position ---- */

static void move_text(const KnGame *game, const void *position, KnMove move, KnText *out)
{
    (void)position;
    kn_gdl_move_text(machine_of(game), move, out);
}

static bool is_empty(const KnGame *game, const Position *p)
{
    for (size_t w = 0; w < kn_gdl_machine_words(machine_of(game)); w++)
        if (p->facts[w]) return false;
    return true;
}

static void position_text(const KnGame *game, const void *position, KnText *out)
{
    const Position *p = position;
    if (p->failed) kn_text_add(out, "! ");
    if (is_empty(game, p))
        kn_text_add(out, "()");
    else
        kn_gdl_state_text(machine_of(game), p->facts, " ", out);
}

static KnStatus parse_position(const KnGame *game, const char *text, void *position, KnError *error)
{
    Position *p = position;
    memset(p, 0, game->position_size);
    text += strspn(text, " ");
    if (*text == '!') {
        p->failed = 1;
        text++;
        text += strspn(text, " ");
    }
    if (strncmp(text, "()", 2) == 0 && !text[2 + strspn(text + 2, " ")]) return KN_OK;
    if (!*text)
        return kn_fail(error, KN_INPUT, "an empty text is no position; a state without facts is written ()");
    KnStatus status = kn_gdl_parse_state(machine_of(game), text, p->facts, error);
    return status == KN_OK ? KN_OK : kn_fail_within(error, "position \"%.60s\"", text);
}

static KnStatus check(const KnGame *game, const void *position, KnError *error)
{
    const Position *p = position;
    KnGdlMachine *machine = machine_of(game);
    size_t words = kn_gdl_machine_words(machine), known = kn_gdl_machine_facts(machine);
    for (size_t bit = known; bit < words * 64; bit++)
        if (p->facts[bit / 64] >> bit % 64 & 1)
            return kn_fail(error, KN_INPUT, "these bytes hold a fact that is not known");
    return p->failed > 1 ? kn_fail(error, KN_INPUT, "these bytes are no state of this game") : KN_OK;
}

/* ---- Drawing ---- */

const KnGdlAnalysis *kn_game_analysis(const KnGame *game)
{
    if (!kn_game_gdl(game)) return NULL;
    Gdl *gdl = gdl_of(game);
    pthread_mutex_lock(&gdl->lock);
    if (!gdl->analysed) kn_gdl_analyse(gdl->machine, &gdl->analysis, NULL); /* NULL if memory runs out */
    gdl->analysed = true;
    pthread_mutex_unlock(&gdl->lock);
    return gdl->analysis;
}

/* Length of the relation's name in a fact. */
static size_t name_length(const char *fact) { return (*fact == '(') + strcspn(fact + (*fact == '('), " )"); }

/* One line for each relation. */
static void draw_facts(const KnGame *game, const uint64_t *facts, bool colour, KnText *out)
{
    KnText lines = KN_TEXT_EMPTY;
    kn_gdl_state_text(machine_of(game), facts, "\n", &lines);
    const char *before = "";
    for (char *rest = lines.data, *fact; *rest && (fact = strsep(&rest, "\n"));) {
        size_t length = name_length(fact);
        bool same = name_length(before) == length && strncmp(before, fact, length) == 0;
        if (same)
            kn_text_add(out, "  ");
        else if (*before)
            kn_text_add_char(out, '\n');
        if (colour && !same)
            kn_text_printf(out, "\033[1m%.*s\033[0m%s", (int)length, fact, fact + length);
        else
            kn_text_add(out, fact);
        before = fact;
        if (!rest) break;
    }
    if (*before) kn_text_add_char(out, '\n');
    kn_text_free(&lines);
}

/* Draws boards, then the facts that they do not show. */
static void draw(const KnGame *game, const void *position, bool colour, KnText *out)
{
    const Position *p = position;
    const KnGdlAnalysis *analysis = kn_game_analysis(game);
    size_t words = kn_gdl_machine_words(machine_of(game));
    uint64_t rest[words];
    memcpy(rest, p->facts, words * sizeof *rest);
    for (int b = 0; analysis && b < analysis->boards.count; b++) {
        const KnGdlBoard *board = &analysis->boards.list[b];
        if (analysis->boards.count > 1) kn_text_printf(out, "%s\n", board->name);
        kn_gdl_board_draw(board, p->facts, colour, out);
    }
    for (size_t w = 0; w < words && analysis; w++)
        for (uint64_t bits = p->facts[w]; bits; bits &= bits - 1) {
            uint32_t fact = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            if (kn_gdl_boards_show(&analysis->boards, fact)) rest[w] &= ~(bits & -bits);
        }
    draw_facts(game, rest, colour, out);
    if (p->failed)
        kn_text_add(out, "failed\n");
    else if (!out->length)
        kn_text_add(out, "no facts\n");
}

/* ---- Life ---- */

static void close(KnGame *game)
{
    Gdl *gdl = game->data;
    if (!gdl) return;
    kn_gdl_analysis_free(gdl->analysis);
    kn_gdl_machine_free(gdl->machine);
    pthread_mutex_destroy(&gdl->lock);
    free(gdl);
}

/* Names roles; a role that is not a constant is named by its function. */
static void name_roles(KnGame *game, Gdl *gdl)
{
    const KnGdlDescription *description = kn_gdl_machine_description(gdl->machine);
    for (int role = 0; role < description->role_count; role++) {
        gdl->role_names[role] =
            description->symbols.names[kn_term(&description->terms, description->roles[role])->symbol];
        if (strcasecmp(gdl->role_names[role], "random") == 0) game->nature = role;
    }
}

/* Takes over the description. */
static KnStatus open_description(KnGame *game, KnGdlDescription *description, const KnGdlLimits *limits,
                                 bool endless, KnError *error)
{
    Gdl *gdl = game->data = calloc(1, sizeof *gdl);
    if (!gdl) {
        kn_gdl_free(description);
        return kn_fail_memory(error, "opening a game description");
    }
    pthread_mutex_init(&gdl->lock, NULL);
    KnStatus status = kn_gdl_machine_new(description, limits, &gdl->machine, error);
    if (status != KN_OK) return status;
    game->position_size = sizeof(Position) + kn_gdl_machine_words(gdl->machine) * sizeof(uint64_t);
    game->max_moves = kn_gdl_machine_moves(gdl->machine);
    game->roles = description->role_count;
    game->traits = KN_GAME_SIMULTANEOUS | (endless ? KN_GAME_ENDLESS : 0);
    game->payoff_low = 0;
    game->payoff_high = 100;
    game->role_names = gdl->role_names;
    name_roles(game, gdl);
    return KN_OK;
}

static KnStatus open(KnGame *game, const KnOptions *bound, KnError *error)
{
    KnGdlDescription *description;
    KnStatus status = kn_gdl_read_file(kn_option_string(bound, "file"), false, &description, error);
    if (status != KN_OK) return status;
    KnGdlLimits limits = {.facts = (uint32_t)kn_option_integer(bound, "facts"),
                          .moves = (int)kn_option_integer(bound, "moves"),
                          .moves_hold = kn_option_given(bound, "moves"),
                          .reasoner = (KnGdlReasoner)kn_option_choice(bound, "reasoner")};
    return open_description(game, description, &limits, kn_option_flag(bound, "endless"), error);
}

static const KnOption options[] = {
    {"file", KN_OPTION_STRING, NULL, 0, 0, NULL,
     "the game description (.kif), or the name of a built-in one"},
    {"facts", KN_OPTION_INTEGER, "16384", 64, 1 << 22, NULL,
     "limit on distinct facts if the description cannot be grounded"},
    {"moves", KN_OPTION_INTEGER, "4096", 1, 1 << 16, NULL, "limit on the legal moves of a role in a state"},
    {"reasoner", KN_OPTION_CHOICE, "auto", 0, 0, "auto|fast|prover",
     "how the rules are applied: a network of gates, or a prover; auto: the first where it can be made"},
    {"endless", KN_OPTION_FLAG, NULL, 0, 0, NULL, "games need not end: a ply limit is wanted"},
    {0}};

const KnGameType kn_gdl = {
    .head = {"gdl", "any game from its rules in the game description language", options},
    .open = open,
    .close = close,
    .start = start,
    .payoffs = payoffs,
    .hash = hash,
    .movers = movers,
    .moves_of = moves_of,
    .play_joint = play_joint,
    .move_text = move_text,
    .position_text = position_text,
    .parse_position = parse_position,
    .draw = draw,
    .check = check,
};

KnGdlMachine *kn_game_gdl(const KnGame *game) { return game->type == &kn_gdl ? machine_of(game) : NULL; }

KnStatus kn_gdl_open(const KnContext *context, KnGdlDescription *description, const KnGdlLimits *limits,
                     KnGame **out, KnError *error)
{
    *out = NULL;
    KnGame *game = calloc(1, sizeof *game);
    KnText spec = KN_TEXT_EMPTY;
    kn_text_add(&spec, "gdl(");
    kn_text_add_quoted(&spec, description->name);
    kn_text_add_char(&spec, ')');
    char *kept = kn_text_ok(&spec) ? strdup(spec.data) : NULL;
    kn_text_free(&spec);
    if (!game || !kept) {
        free(game);
        free(kept);
        kn_gdl_free(description);
        return kn_fail_memory(error, "opening a game description");
    }
    *game = (KnGame){
        .type = &kn_gdl, .context = context, .spec = kept, .nature = -1, .symmetries = 1, .phases = 1};
    KnStatus status = open_description(game, description, limits, false, error);
    if (status == KN_OK)
        *out = game;
    else
        kn_game_close(game);
    return status;
}

const uint64_t *kn_gdl_facts(const void *position) { return ((const Position *)position)->facts; }

void kn_gdl_set_facts(const KnGame *game, void *position, const uint64_t *facts)
{
    Position *p = position;
    p->failed = 0;
    memcpy(p->facts, facts, game->position_size - sizeof(Position));
}
