/* knack base: tools for experience bases. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "eval/same_rules.h"
#include "methods/experience/import.h"
#include "base/file.h"
#include "cli/base_measure.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "games/turns.h"
#include "methods/openings/book.h"

enum {
    KEY_GAME = 0x100,
    KEY_RUN,
    KEY_NO_SYMMETRY,
    KEY_KEY,
    KEY_LIMIT,
    KEY_OUT,
    KEY_DEPTH,
    KEY_POSITIONS,
    KEY_OPPONENT,
    KEY_LEAST,
    MOST_FILES = 256
};
#define DEFAULT_DEPTH UINT64_MAX

typedef struct Arguments {
    CliCommon common;
    const char *action, *path, *game, *run, *out, *opponent;
    const char *files[MOST_FILES];
    size_t file_count;
    KnBaseKind kind;
    uint64_t depth, positions, least;
} Arguments;

static const struct argp_option options[] = {
    {"game", KEY_GAME, "SPEC", 0, "For import into a new base: the game (default othello)", 1},
    {"run", KEY_RUN, "RUN", 0, "For import: the games of a stored run", 1},
    {"no-symmetry", KEY_NO_SYMMETRY, 0, 0, "For a new base: mirror images are different positions", 1},
    {"key", KEY_KEY, "KEY", 0, "For a new base: exact, board or features", 1},
    {"limit", KEY_LIMIT, "N", 0,
     "For a new base: hold at most N positions and forget the games not seen for the longest time", 1},
    {"out", KEY_OUT, "FILE", 0, "For export: write to FILE instead of stdout; for book: the book", 1},
    {"depth", KEY_DEPTH, "N", 0, "For dump and book: depth in plies (default: 3, and 12 for a book)", 1},
    {"least", KEY_LEAST, "N", 0, "For book: games in which a move was played at least (default 2)", 1},
    {"opponent", KEY_OPPONENT, "NAME", 0,
     "For dump: show the games against this opponent too, named as in `knack base stat`", 1},
    {"positions", KEY_POSITIONS, "N", 0, "For measure: positions in the base (default 100000)", 1},
    {0}};

static KnBaseKey parse_key(struct argp_state *state, const char *text)
{
    for (int key = 0; key < KN_BASE_KEYS; key++)
        if (strcmp(kn_base_key_name((KnBaseKey)key), text) == 0) return (KnBaseKey)key;
    argp_error(state, "--key is exact, board or features, not \"%s\"", text);
    return KN_BASE_EXACT;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    case KEY_GAME:
        a->game = arg;
        return 0;
    case KEY_RUN:
        a->run = arg;
        return 0;
    case KEY_NO_SYMMETRY:
        a->kind.symmetry = false;
        return 0;
    case KEY_KEY:
        a->kind.key = parse_key(state, arg);
        return 0;
    case KEY_LIMIT:
        a->kind.limit = cli_parse_count(state, "--limit", arg, 1, UINT32_MAX);
        return 0;
    case KEY_OUT:
        a->out = arg;
        return 0;
    case KEY_DEPTH:
        a->depth = cli_parse_count(state, "--depth", arg, 0, 100);
        return 0;
    case KEY_LEAST:
        a->least = cli_parse_count(state, "--least", arg, 1, UINT32_MAX);
        return 0;
    case KEY_OPPONENT:
        a->opponent = arg;
        return 0;
    case KEY_POSITIONS:
        a->positions = cli_parse_count(state, "--positions", arg, 1, 1000000000);
        return 0;
    case ARGP_KEY_ARG:
        if (!a->action)
            a->action = arg;
        else if (!a->path)
            a->path = arg;
        else if (a->file_count < MOST_FILES)
            a->files[a->file_count++] = arg;
        else
            argp_error(state, "more than %d files", MOST_FILES);
        return 0;
    case ARGP_KEY_END:
        if (!a->action || !a->path)
            argp_error(state, "give an action and a file, as in `knack base stat FILE`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Inspect, fill and compact experience bases.\v"
    "import reads GGF, PDN, SGF and plain lines (any number of games in a file), the output of export, and "
    "with --run a stored run; it makes a new base if there is none. measure makes a base of random games and "
    "prints its speed and size. book writes what the base knows of the opening as a book for the player "
    "openings. Bad input changes nothing.\n"
    "Examples:\n"
    "  knack base import othello.mdb games.ggf\n"
    "  knack base stat othello.mdb\n"
    "  knack base dump othello.mdb --depth 4\n"
    "  knack base merge all.mdb one.mdb two.mdb\n"
    "  knack base export othello.mdb --out othello.jsonl\n"
    "  knack base book othello.mdb --depth 10 --out book.json\n"
    "  knack base check othello.mdb && knack base compact othello.mdb\n"
    "  knack base measure scratch.mdb --positions 1000000";
static const char usage[] = "stat FILE\n"
                            "check FILE\n"
                            "dump FILE\n"
                            "merge FILE OTHER...\n"
                            "compact FILE\n"
                            "import FILE [GAMES...]\n"
                            "export FILE\n"
                            "book FILE --out BOOK\n"
                            "measure FILE";

/* An opened base with its game. */
typedef struct Opened {
    KnContext *context;
    KnGame *game;
    KnBase *base;
} Opened;

static KnStatus open_game_of(Opened *o, const char *path, KnError *error)
{
    KnBaseHeader header;
    KnStatus status = kn_base_peek(path, &header, error);
    return status == KN_OK ? kn_game_open_turns(o->context, header.game, &o->game, error) : status;
}

static KnStatus open_base(Opened *o, const char *path, unsigned mode, KnError *error)
{
    KnStatus status = open_game_of(o, path, error);
    return status == KN_OK ? kn_base_open(o->context, o->game, path, mode, NULL, &o->base, error) : status;
}

/* The same for what takes over all of a file: damage must not be passed on. */
static KnStatus open_sound(Opened *o, const char *path, unsigned mode, KnError *error)
{
    KnStatus status = open_game_of(o, path, error);
    if (status == KN_OK) status = kn_base_check(o->context, o->game, path, error);
    return status == KN_OK ? kn_base_open(o->context, o->game, path, mode, NULL, &o->base, error) : status;
}

static void close_base(Opened *o)
{
    kn_base_close(o->base);
    kn_game_close(o->game);
    o->base = NULL;
    o->game = NULL;
}

/* ---- actions ---- */

/* One result, as JSON or as a sentence; takes the document over. */
static void tell(const Arguments *a, json_t *document, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(const Arguments *a, json_t *document, const char *format, ...)
{
    if (a->common.json) {
        cli_print_json(document);
        return;
    }
    json_decref(document);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static KnStatus list_opponent(void *user, const char *name, uint64_t games, KnError *error)
{
    json_t *row = json_pack("{ss sI}", "opponent", name, "games", (json_int_t)games);
    return json_array_append_new(user, row) == 0 ? KN_OK : kn_fail_memory(error, "listing opponents");
}

static void print_opponents(const json_t *opponents)
{
    for (size_t i = 0; i < json_array_size(opponents); i++) {
        const json_t *row = json_array_get(opponents, i);
        const char *name = json_string_value(json_object_get(row, "opponent"));
        printf("  %-14s %" JSON_INTEGER_FORMAT " against %s\n", i ? "" : "opponents",
               json_integer_value(json_object_get(row, "games")), *name ? name : "opponents without a name");
    }
}

static KnStatus do_stat(Opened *o, const Arguments *a, KnError *error)
{
    KnBaseStat s;
    KnStatus status = open_base(o, a->path, 0, error);
    json_t *opponents = json_array();
    if (status == KN_OK) status = kn_base_stat(o->base, &s, error);
    if (status == KN_OK) status = kn_base_opponents(o->base, list_opponent, opponents, error);
    if (status != KN_OK) {
        json_decref(opponents);
        return status;
    }
    const KnBaseKind *kind = kn_base_kind(o->base);
    double each = s.positions ? (double)s.bytes / (double)s.positions : 0;
    if (a->common.json) {
        cli_print_json(json_pack("{ss sb ss sI sI sI sI sI sI sI sI sf so}", "game", o->game->spec,
                                 "symmetry", kind->symmetry, "key", kn_base_key_name(kind->key), "limit",
                                 (json_int_t)kind->limit, "games", (json_int_t)s.plays, "distinct",
                                 (json_int_t)s.games, "positions", (json_int_t)s.positions, "moves",
                                 (json_int_t)s.edges, "transpositions", (json_int_t)s.transpositions,
                                 "searched_unexplored", (json_int_t)s.leaves, "bytes", (json_int_t)s.bytes,
                                 "bytes_per_position", each, "opponents", opponents));
        return KN_OK;
    }
    printf("%s: experience of %s\n", a->path, o->game->spec);
    printf("  key            %s, %s symmetry", kn_base_key_name(kind->key),
           kind->symmetry ? "with" : "without");
    if (kind->limit) printf(", at most %" PRIu64 " positions", kind->limit);
    printf("\n  games          %" PRIu64 ", %" PRIu64 " distinct\n", s.plays, s.games);
    if (kn_base_format(o->base) < KN_BASE_FORMAT)
        printf("                 (of an older version, which counted each distinct game once)\n");
    print_opponents(opponents);
    json_decref(opponents);
    printf("  positions      %" PRIu64 "\n  moves          %" PRIu64 "\n", s.positions, s.edges);
    printf("  transpositions %" PRIu64 " (positions with several parents)\n", s.transpositions);
    printf("  searched       %" PRIu64 " (positions whose best unexplored move has a searched value)\n",
           s.leaves);
    printf("  bytes          %" PRIu64 ", %.0f a position\n", s.bytes, each);
    return KN_OK;
}

static KnStatus do_check(Opened *o, const Arguments *a, KnError *error)
{
    KnStatus status = open_game_of(o, a->path, error);
    if (status == KN_OK) status = kn_base_check(o->context, o->game, a->path, error);
    if (status == KN_OK)
        tell(a, json_pack("{ss sb}", "file", a->path, "sound", true), "%s is sound.\n", a->path);
    return status;
}

/* A dump on its way: lines of text, or rows of JSON. */
typedef struct Dump {
    KnBase *base;
    const KnGame *game;
    int most;     /* plies */
    json_t *rows; /* NULL: text */
} Dump;

/* A position: how it was reached, and what is known of it. `met` and its mean are of the opponent that was
 * asked about. */
static void dump_row(const Dump *d, const char *move, int depth, const KnBaseMove *row)
{
    if (d->rows) {
        json_t *object = json_pack("{ss si sf sf sI sI sI}", "move", move, "depth", depth, "value",
                                   row->value + 0.0, "mean", row->mean + 0.0, "games", (json_int_t)row->games,
                                   "distinct", (json_int_t)row->distinct, "paths", (json_int_t)row->paths);
        if (row->met)
            json_object_set_new(
                object, "met",
                json_pack("{sI sf}", "games", (json_int_t)row->met, "mean", row->met_mean + 0.0));
        json_array_append_new(d->rows, object);
        return;
    }
    printf("%*s%-6s %+6g  mean %+6.1f  games %" PRIu64 "  distinct %" PRIu64 "  paths %" PRIu64, 2 * depth,
           "", move, row->value + 0.0, row->mean + 0.0, row->games, row->distinct, row->paths);
    if (row->met) printf("  against him %" PRIu64 " with mean %+.1f", row->met, row->met_mean + 0.0);
    putchar('\n');
}

/* Symmetric moves lead to the same child: only the first counts. */
static bool is_image(const KnBaseMove *rows, int i)
{
    for (int k = 0; k < i; k++)
        if (rows[k].explored && rows[k].child == rows[i].child) return true;
    return false;
}

static KnStatus dump_below(const Dump *d, const void *position, int depth, KnError *error)
{
    const KnGame *game = d->game;
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    int count = game->type->moves(game, position, moves);
    KnStatus status = kn_base_look(d->base, position, moves, count, rows, &view, error);
    for (int i = 0; i < count && status == KN_OK; i++) {
        if (!rows[i].explored || is_image(rows, i)) continue;
        KnText name = KN_TEXT_EMPTY;
        game->type->move_text(game, position, rows[i].move, &name);
        dump_row(d, name.data, depth + 1, &rows[i]);
        kn_text_free(&name);
        unsigned char next[game->position_size] __attribute__((aligned(16)));
        memcpy(next, position, game->position_size);
        game->type->play(game, next, rows[i].move);
        if (depth + 1 < d->most) status = dump_below(d, next, depth + 1, error);
    }
    return status;
}

static KnStatus do_dump(Opened *o, const Arguments *a, KnError *error)
{
    KnStatus status = open_base(o, a->path, 0, error);
    if (status != KN_OK) return status;
    unsigned char start[o->game->position_size] __attribute__((aligned(16)));
    KnBaseView view;
    o->game->type->start(o->game, start);
    if (a->opponent) status = kn_base_against(o->base, a->opponent, error);
    if (status == KN_OK) status = kn_base_look(o->base, start, NULL, 0, NULL, &view, error);
    if (status != KN_OK) return status;
    Dump dump = {.base = o->base,
                 .game = o->game,
                 .most = a->depth == DEFAULT_DEPTH ? 3 : (int)a->depth,
                 .rows = a->common.json ? json_array() : NULL};
    KnBaseMove origin = {.value = view.value,
                         .mean = view.mean,
                         .paths = view.paths,
                         .games = view.games,
                         .distinct = view.distinct,
                         .met = view.met,
                         .met_mean = view.met_mean};
    dump_row(&dump, "start", 0, &origin);
    if (dump.most) status = dump_below(&dump, start, 0, error);
    if (dump.rows && status == KN_OK)
        cli_print_json(dump.rows);
    else
        json_decref(dump.rows);
    return status;
}

static KnStatus do_merge(Opened *o, const Arguments *a, KnError *error)
{
    if (!a->file_count) return kn_fail(error, KN_USAGE, "merge what? `knack base merge FILE OTHER...`");
    KnStatus status = open_sound(o, a->path, KN_BASE_WRITE, error);
    json_t *merged = json_object(); /* new games by file */
    for (size_t i = 0; i < a->file_count && status == KN_OK; i++) {
        KnBase *from;
        uint64_t added;
        status = kn_base_check(o->context, o->game, a->files[i], error);
        if (status != KN_OK) break;
        status = kn_base_open(o->context, o->game, a->files[i], 0, NULL, &from, error);
        if (status != KN_OK) break;
        KnProgress *progress = cli_progress(&a->common, "merge", 0);
        status = kn_base_merge(o->base, from, progress, &added, error);
        kn_progress_free(progress);
        kn_base_close(from);
        if (status != KN_OK) break;
        if (a->common.json)
            json_object_set_new(merged, a->files[i], json_integer((json_int_t)added));
        else
            printf("%s: %" PRIu64 " new game%s.\n", a->files[i], added, kn_s(added));
    }
    if (status == KN_OK && a->common.json)
        cli_print_json(merged);
    else
        json_decref(merged);
    return status;
}

static KnStatus do_compact(Opened *o, const Arguments *a, KnError *error)
{
    KnStatus status = open_game_of(o, a->path, error);
    if (status == KN_OK) status = kn_base_check(o->context, o->game, a->path, error);
    if (status == KN_OK) status = kn_base_compact(a->path, error);
    if (status == KN_OK)
        tell(a, json_pack("{ss sb}", "file", a->path, "compact", true), "%s is compact.\n", a->path);
    return status;
}

/* Reads all files and the run, into the opened base or, without one, only to check them. */
static KnStatus read_all(Opened *o, const Arguments *a, KnProgress *progress, KnImport *sum, KnError *error)
{
    KnStatus status = KN_OK;
    KnStore *store = NULL;
    KnImport count;
    *sum = (KnImport){0};
    if (a->run) status = kn_store_open_reading(o->context, &store, error);
    for (size_t i = 0; i < a->file_count + (a->run != NULL) && status == KN_OK; i++) {
        status = i < a->file_count
                     ? kn_base_import_file(o->game, a->files[i], o->base, progress, &count, error)
                     : kn_base_import_run(o->game, store, a->run, o->base, progress, &count, error);
        *sum = (KnImport){sum->games + count.games, sum->added + count.added,
                          sum->undecided + count.undecided};
    }
    kn_store_close(store);
    return status;
}

/* All input is read before the base is opened or made, so bad input leaves no file behind. */
static KnStatus import_into(Opened *o, const Arguments *a, KnError *error)
{
    KnImport sum;
    KnStatus status = read_all(o, a, NULL, &sum, error);
    if (status == KN_OK)
        status = kn_base_open(o->context, o->game, a->path, KN_BASE_MAKE, &a->kind, &o->base, error);
    KnProgress *progress = cli_progress(&a->common, "import", 0);
    if (status == KN_OK) status = read_all(o, a, progress, &sum, error);
    kn_progress_free(progress);
    if (status == KN_OK && a->common.json)
        cli_print_json(json_pack("{sI sI sI}", "games", (json_int_t)sum.games, "new", (json_int_t)sum.added,
                                 "undecided", (json_int_t)sum.undecided));
    else if (status == KN_OK) {
        printf("%" PRIu64 " game%s read, %" PRIu64 " new", sum.games, kn_s(sum.games), sum.added);
        printf(sum.undecided ? "; %" PRIu64 " without an end or a result left out.\n" : ".\n", sum.undecided);
    }
    return status;
}

static KnStatus do_import(Opened *o, const Arguments *a, KnError *error)
{
    if (!a->file_count && !a->run)
        return kn_fail(error, KN_USAGE, "import what? Name files of games, or a stored run with --run");
    bool there = kn_file_exists(a->path) && !kn_base_empty(a->path);
    KnStatus status = there ? open_game_of(o, a->path, error)
                            : kn_game_open_turns(o->context, a->game ? a->game : "othello", &o->game, error);
    if (status == KN_OK && there && a->game && !kn_same_game(o->game, a->game))
        status = kn_fail(error, KN_INPUT, "%s holds experience of %s, not of %s", a->path, o->game->spec,
                         a->game);
    return status == KN_OK ? import_into(o, a, error) : status;
}

/* An export on its way to a file, or to stdout where `file` is -1. */
typedef struct Export {
    const Opened *opened;
    int file;
    const char *path;
    KnText lines; /* not yet written */
} Export;

static KnStatus flush_lines(Export *e, KnError *error)
{
    KnStatus status = kn_text_ok(&e->lines)
                          ? kn_file_put(e->file, e->path, e->lines.data, e->lines.length, error)
                          : kn_fail_memory(error, "exporting a base");
    kn_text_clear(&e->lines);
    return status;
}

static KnStatus write_line(void *user, const char *line, size_t length, KnError *error)
{
    enum { MANY = 1 << 16 };
    Export *e = user;
    if (e->file < 0)
        return fwrite(line, 1, length, stdout) == length ? KN_OK : kn_fail_errno(error, "writing the export");
    kn_text_add_bytes(&e->lines, line, length);
    return e->lines.length >= MANY ? flush_lines(e, error) : KN_OK;
}

static KnStatus fill_export(void *user, int file, const char *path, KnError *error)
{
    Export *e = user;
    e->file = file;
    e->path = path;
    KnStatus status = kn_base_export(e->opened->base, e->opened->game, write_line, e, error);
    return status == KN_OK ? flush_lines(e, error) : status;
}

static KnStatus do_export(Opened *o, const Arguments *a, KnError *error)
{
    Export e = {.opened = o, .file = -1, .lines = KN_TEXT_EMPTY};
    KnStatus status = open_sound(o, a->path, 0, error);
    if (status != KN_OK) return status;
    status = a->out ? kn_file_fill_atomic(a->out, fill_export, &e, error)
                    : kn_base_export(o->base, o->game, write_line, &e, error);
    kn_text_free(&e.lines);
    return status;
}

static KnStatus do_book(Opened *o, const Arguments *a, KnError *error)
{
    if (!a->out) return kn_fail(error, KN_USAGE, "where to? `knack base book FILE --out BOOK.json`");
    KnBookPlan plan = {.plies = a->depth == DEFAULT_DEPTH ? 12 : (int)a->depth, .least = a->least};
    KnOpeningBook *book = NULL;
    KnStatus status = open_sound(o, a->path, 0, error);
    if (status == KN_OK) status = kn_opening_book_from_base(o->base, o->game, &plan, &book, error);
    if (status == KN_OK) status = kn_opening_book_save(book, a->out, error);
    if (status == KN_OK)
        tell(a,
             json_pack("{ss sI sI}", "file", a->out, "positions", (json_int_t)book->count, "games",
                       (json_int_t)book->games),
             "%s: %zu position%s of the opening, out of %" PRIu64 " game%s.\n", a->out, book->count,
             kn_s(book->count), book->games, kn_s(book->games));
    kn_opening_book_free(book);
    return status;
}

static KnStatus do_measure(Opened *o, const Arguments *a, KnError *error)
{
    KnStatus status = kn_game_open_turns(o->context, a->game ? a->game : "othello", &o->game, error);
    if (status != KN_OK) return status;
    json_t *rows = a->common.json ? json_object() : NULL;
    status = base_measure(o->context, o->game, a->path, a->positions, rows, error);
    if (rows && status == KN_OK)
        cli_print_json(rows);
    else
        json_decref(rows);
    return status;
}

static const struct {
    const char *name;
    KnStatus (*run)(Opened *o, const Arguments *a, KnError *error);
} actions[] = {{"stat", do_stat},     {"check", do_check},     {"dump", do_dump},
               {"merge", do_merge},   {"compact", do_compact}, {"import", do_import},
               {"export", do_export}, {"book", do_book},       {"measure", do_measure}};

int command_base(int argc, char **argv)
{
    Arguments arguments = {
        .kind = {.symmetry = true}, .depth = DEFAULT_DEPTH, .positions = 100000, .least = 2};
    const struct argp argp = {options, parse, usage, doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    Opened opened = {0};
    int code = cli_open(&arguments.common, &opened.context);
    if (code) return code;
    KnError error;
    KnStatus status = KN_USAGE;
    size_t i = 0, count = sizeof actions / sizeof *actions;
    while (i < count && strcmp(actions[i].name, arguments.action) != 0) i++;
    if (i < count)
        status = actions[i].run(&opened, &arguments, &error);
    else
        kn_fail(
            &error, KN_USAGE,
            "knack base cannot \"%s\"; it can stat, check, dump, merge, compact, import, export, book and "
            "measure",
            arguments.action);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    close_base(&opened);
    kn_close(opened.context);
    return code;
}
