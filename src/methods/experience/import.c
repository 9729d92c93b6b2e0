#include "methods/experience/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/match.h"
#include "arena/play.h"
#include "base/file.h"
#include "base/json.h"
#include "eval/same_rules.h"
#include "formats/parser.h"
#include "methods/experience/text_counts.h"

static const size_t FILE_MAX = (size_t)2 << 30;

typedef struct Import {
    const KnGame *game;
    KnBase *base; /* NULL in the pass that only checks */
    KnState *state;
    KnProgress *progress;
    KnImport *count;
    uint64_t waiting;
    void *room;
    KnTextCounts met;  /* the games so far */
    KnBasePlay *plays; /* of the game at hand; NULL: as often as it was met here */
    size_t play_count;
} Import;

/* ---- one game, replayed ---- */

/* Within a file the same game counts as often as it is there. From another file, or the same once more, it is
 * taken for what is there already: archives copy from each other. */
static KnStatus count_met(Import *i, double outcome, KnBasePlay *play, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    i->game->type->position_text(i->game, kn_state_position_at(i->state, 0), &text);
    kn_text_printf(&text, " %.17g ", outcome);
    kn_moves_text(i->state, &text);
    bool ok = kn_text_ok(&text);
    if (ok) *play = (KnBasePlay){.id = kn_base_play_id("", kn_text_counts_add(&i->met, text.data))};
    kn_text_free(&text);
    return ok ? KN_OK : kn_fail_memory(error, "importing games");
}

static KnStatus add(Import *i, double outcome, KnError *error)
{
    i->count->games++;
    if (!i->base || !kn_state_plies(i->state)) return KN_OK;
    uint64_t added;
    KnBasePlay met = {0};
    if (!i->plays && count_met(i, outcome, &met, error) != KN_OK) return KN_SYSTEM;
    KnStatus status = i->waiting ? KN_OK : kn_base_begin(i->base, error);
    if (status == KN_OK)
        status = kn_base_add_plays(i->base, i->state, outcome, i->plays ? i->plays : &met,
                                   i->plays ? i->play_count : 1, &added, error);
    if (status != KN_OK) return status;
    i->count->added += added;
    kn_progress_tick(i->progress, 1);
    if (++i->waiting < KN_IMPORT_GROUP) return KN_OK;
    i->waiting = 0;
    return kn_base_commit(i->base, error);
}

static KnStatus set_up(Import *i, const char *start, KnError *error)
{
    if (!*start) {
        kn_state_reset(i->state, NULL);
        return KN_OK;
    }
    KnStatus status = i->game->type->parse_position(i->game, start, i->room, error);
    if (status == KN_OK) kn_state_reset(i->state, i->room);
    return status;
}

/* The board decides if the game is over, else the record, if it has a result. */
static KnStatus add_replayed(Import *i, bool has_result, double result, KnError *error)
{
    double payoffs[KN_ROLES_MAX];
    if (kn_state_over(i->state, payoffs)) return add(i, kn_base_outcome(i->state, payoffs), error);
    if (has_result) return add(i, result, error);
    i->count->undecided++;
    return KN_OK;
}

/* ---- game records ---- */

static int sign(double x) { return (x > 0) - (x < 0); }

/* A result that the board contradicts. In PDN the file most likely has White's score first without saying so;
 * in GGF a mark behind the margin (+2:t) says that a clock or a resignation decided. In Go stones that stand
 * may be dead, so that the board alone says nothing. A draw on the draughts board has to be claimed. */
static KnStatus check_result(const Import *i, const KnRecordText *record, double outcome, KnError *error)
{
    double payoffs[KN_ROLES_MAX];
    bool pdn = strcmp(record->format, "pdn") == 0,
         ggf = strcmp(record->format, "ggf") == 0 && !strchr(record->result.data, ':');
    if ((!pdn && !ggf) || !kn_state_over(i->state, payoffs)) return KN_OK;
    int won = sign(payoffs[0] - payoffs[1]);
    if (won == sign(outcome) || (pdn && !won)) return KN_OK;
    return kn_fail(error, KN_INPUT, "the result is %.20s, but %s on the board%s", record->result.data,
                   won > 0   ? "Black has won"
                   : won < 0 ? "White has won"
                             : "it is a draw",
                   pdn && outcome != 0
                       ? "; if the file has White's score first, declare it with [GameType \"21,W\"]"
                       : "");
}

/* Draughts players must claim the draws by repetition and by quiet moves: a PDN file does not say by which
 * rules they were claimed, and its game may go on. */
static bool of_game(const Import *i, const KnRecordText *record)
{
    return strcmp(record->format, "pdn") == 0 ? kn_same_rules(i->game, record->game.data)
                                              : kn_same_game(i->game, record->game.data);
}

static KnStatus replay_record(Import *i, const KnRecordText *record, KnError *error)
{
    KnStatus status = kn_replay(i->state, record->moves.data, error);
    double payoffs[KN_ROLES_MAX];
    if (status == KN_INPUT && strcmp(record->format, "pdn") == 0 && kn_state_over(i->state, payoffs) &&
        payoffs[0] == payoffs[1]) {
        char said[KN_ERROR_TEXT];
        snprintf(said, sizeof said, "%s", error->text);
        kn_fail(error, KN_INPUT,
                "%s; where nobody claimed that draw, make a base with "
                "--game 'checkers(draw=0, repetition=0)'",
                said);
    }
    return status;
}

/* Bases without the mark may hold games whose PDN results were taken for White's score first. */
static KnStatus check_mark(const Import *i, const KnRecordText *record, KnError *error)
{
    if (!i->base || strcmp(record->format, "pdn") != 0 || kn_base_pdn_marked(i->base)) return KN_OK;
    return kn_fail(
        error, KN_INPUT,
        "this base was made by a version that took PDN results for White's score first. Import into a "
        "new base: the PDN files again, and what was not PDN with `knack base export`");
}

static KnStatus read_record(Import *i, const char *text, KnError *error)
{
    KnRecordText record = KN_RECORD_TEXT;
    double outcome = 0;
    bool decided = false;
    KnStatus status = kn_game_record_read(text, &record, error);
    if (status == KN_OK && !of_game(i, &record))
        status = kn_fail(error, KN_INPUT, "a game of %s, where %s is wanted", record.game.data,
                         i->game->spec);
    if (status == KN_OK) status = check_mark(i, &record, error);
    if (status == KN_OK) status = set_up(i, record.start.data, error);
    if (status == KN_OK) status = replay_record(i, &record, error);
    if (status == KN_OK && (decided = kn_game_record_outcome(&record, &outcome)))
        status = check_result(i, &record, outcome, error);
    /* In Go the players agree on dead stones, which the board still has, or resign while they count, and
     * draughts players may go on from a draw that nobody claims: where the record has a result, it knows
     * better. */
    bool recorded = status == KN_OK && ((strcmp(record.format, "sgf") == 0 && record.result.length) ||
                                        (strcmp(record.format, "pdn") == 0 && decided));
    if (recorded && !decided)
        i->count->undecided++;
    else if (recorded)
        status = add(i, outcome, error);
    else if (status == KN_OK)
        status = add_replayed(i, decided, outcome, error);
    kn_game_record_text_free(&record);
    return status;
}

static KnStatus read_records(Import *i, const char *text, KnError *error)
{
    KnText one = KN_TEXT_EMPTY;
    KnStatus status = KN_OK;
    uint64_t number = 0;
    for (const char *at = kn_game_record_first(text), *next; at && status == KN_OK; at = next) {
        kn_game_record_next(at, &next);
        kn_text_clear(&one);
        kn_text_add_bytes(&one, at, next ? (size_t)(next - at) : strlen(at));
        number++;
        status = kn_text_ok(&one) ? read_record(i, one.data, error) : kn_fail_memory(error, "reading games");
        if (status != KN_OK) kn_fail_within(error, "game %llu", (unsigned long long)number);
    }
    kn_text_free(&one);
    return status;
}

/* ---- lines of an export ---- */

/* An export of format 1 names no plays: each of its games counts as one. */
static KnStatus read_json_plays(Import *i, const KnJson *root, KnError *error)
{
    KnJson list;
    bool listed = kn_json_has(root, "plays");
    KnStatus status = listed ? kn_json_array(root, "plays", &list, error) : KN_OK;
    if (!listed || status != KN_OK) return status;
    i->play_count = kn_json_size(&list);
    if (!i->play_count) return kn_json_fail(root, "plays", error, "a game that was never played");
    i->plays = calloc(i->play_count, sizeof *i->plays);
    if (!i->plays) return kn_fail_memory(error, "importing games");
    for (size_t k = 0; k < i->play_count && status == KN_OK; k++) {
        KnJson item = kn_json_item(&list, k);
        status = kn_json_uint64(&item, "id", &i->plays[k].id, error);
        if (status == KN_OK) status = kn_json_string(&item, "opponent", &i->plays[k].opponent, error);
        if (status == KN_OK && !i->plays[k].id) status = kn_json_fail(&item, "id", error, "must not be 0");
    }
    return status;
}

static KnStatus read_json_game(Import *i, const KnJson *root, KnError *error)
{
    const char *start, *moves;
    double outcome;
    KnStatus status = kn_json_string(root, "start", &start, error);
    if (status == KN_OK) status = kn_json_string(root, "moves", &moves, error);
    if (status == KN_OK) status = kn_json_real(root, "outcome", &outcome, error);
    if (status == KN_OK && !(outcome >= -1e6 && outcome <= 1e6))
        status = kn_json_fail(root, "outcome", error, "no outcome of a game");
    if (status == KN_OK) status = set_up(i, start, error);
    if (status == KN_OK) status = kn_replay(i->state, moves, error);
    if (status == KN_OK) status = read_json_plays(i, root, error);
    if (status == KN_OK) status = add(i, outcome, error);
    free(i->plays);
    i->plays = NULL;
    return status;
}

static KnStatus read_line(Import *i, const char *line, size_t length, uint64_t number, KnError *error)
{
    json_t *document;
    const char *what, *spec;
    char name[40];
    snprintf(name, sizeof name, "line %llu", (unsigned long long)number);
    KnStatus status = kn_json_load_bytes(line, length, name, &document, error);
    if (status != KN_OK) return status;
    KnJson root = kn_json_root(document, name);
    status = kn_json_string(&root, "what", &what, error);
    if (status == KN_OK && strcmp(what, "base") == 0) {
        status = kn_json_string(&root, "game", &spec, error);
        if (status == KN_OK && !kn_same_game(i->game, spec))
            status = kn_json_fail(&root, "game", error, "a base of %.60s, where %.60s is wanted", spec,
                                  i->game->spec);
    } else if (status == KN_OK && strcmp(what, "game") == 0) {
        status = read_json_game(i, &root, error);
        if (status != KN_OK && strncmp(error->text, name, strlen(name)) != 0)
            kn_fail_within(error, "%s", name);
    }
    json_decref(document);
    return status;
}

static KnStatus read_lines(Import *i, const char *text, KnError *error)
{
    uint64_t number = 0;
    KnStatus status = KN_OK;
    for (const char *c = text; *c && status == KN_OK;) {
        size_t length = strcspn(c, "\n");
        number++;
        if (strspn(c, " \t\r") < length) status = read_line(i, c, length, number, error);
        c += length + (c[length] == '\n');
    }
    return status;
}

/* ---- passes ---- */

static KnStatus open_import(Import *i, KnError *error)
{
    i->state = kn_state_new(i->game);
    i->room = aligned_alloc(16, (i->game->position_size + 15) & ~(size_t)15);
    return i->state && i->room ? KN_OK : kn_fail_memory(error, "importing games");
}

static void close_import(Import *i)
{
    kn_state_free(i->state);
    free(i->room);
    kn_text_counts_free(&i->met);
}

static KnStatus finish(Import *i, KnStatus status, KnError *error)
{
    if (!i->base || !i->waiting) return status;
    if (status == KN_OK) return kn_base_commit(i->base, error);
    kn_base_abort(i->base);
    return status;
}

KnStatus kn_base_import_text(const KnGame *game, const char *text, KnBase *base, KnProgress *progress,
                             KnImport *count, KnError *error)
{
    KnStatus status = KN_OK;
    KnError dropped = {KN_OK, ""};
    if (!error) error = &dropped;
    for (int pass = 0; pass < (base ? 2 : 1) && status == KN_OK; pass++) {
        Import i = {.game = game, .base = pass ? base : NULL, .progress = progress, .count = count};
        *count = (KnImport){0};
        status = open_import(&i, error);
        if (status == KN_OK)
            status = *kn_game_record_first(text) == '{' ? read_lines(&i, kn_game_record_first(text), error)
                                                        : read_records(&i, text, error);
        status = finish(&i, status, error);
        close_import(&i);
        if (pass == 0) kn_progress_set_total(progress, count->games);
    }
    return status;
}

KnStatus kn_base_import_file(const KnGame *game, const char *path, KnBase *base, KnProgress *progress,
                             KnImport *count, KnError *error)
{
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read_text(path, &text, FILE_MAX, error);
    if (status == KN_OK &&
        (status = kn_base_import_text(game, text.data, base, progress, count, error)) == KN_INPUT)
        kn_fail_within(error, "%s", path);
    kn_text_free(&text);
    return status;
}

/* ---- stored runs ---- */

typedef struct RunImport {
    Import import;
    int roles[2];
    int64_t id;
    char identity[KN_HEX128];
    char *opponent; /* of the run's one player with experience; NULL if there is none such */
} RunImport;

static bool remembers(const char *spec) { return spec && strncmp(spec, "experience(", 11) == 0; }

static void note_opponent(RunImport *r, const json_t *players)
{
    const char *a = json_string_value(json_array_get(players, 0)),
               *b = json_string_value(json_array_get(players, 1));
    if (a && b && remembers(a) != remembers(b)) r->opponent = strdup(remembers(a) ? b : a);
}

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    RunImport *r = user;
    r->id = run->id;
    json_t *settings = json_loads(run->settings, 0, NULL);
    const char *spec = json_string_value(json_object_get(settings, "game"));
    KnStatus status = KN_OK;
    if (!spec || !kn_same_game(r->import.game, spec))
        status = kn_fail(error, KN_INPUT, "run %s is of %s, not of %s; --game names the game of a new base",
                         run->name, spec ? spec : "several games", r->import.game->spec);
    snprintf(r->identity, sizeof r->identity, "%s", run->identity);
    if (status == KN_OK) note_opponent(r, json_object_get(settings, "players"));
    json_decref(settings);
    return status;
}

/* Forfeited and judged games say nothing about the positions they stopped at. */
static KnStatus visit_record(void *user, const KnStandingRecord *record, KnError *error)
{
    RunImport *r = user;
    Import *i = &r->import;
    double payoffs[KN_ROLES_MAX] = {0};
    bool sound = strcmp(record->ending, "forfeit") != 0 && strcmp(record->ending, "judge") != 0;
    KnStatus status = set_up(i, record->start, error);
    if (status == KN_OK) status = kn_replay(i->state, record->moves, error);
    if (status != KN_OK)
        return kn_fail_within(error, "game %llu of the run", (unsigned long long)record->index);
    KnBasePlay play = {kn_match_game_id(r->identity, record->index), r->opponent};
    i->plays = r->opponent ? &play : NULL; /* what was learned as it was played has this id */
    i->play_count = 1;
    for (int seat = 0; seat < 2; seat++) payoffs[r->roles[seat]] = record->payoffs[seat ^ record->first];
    return add_replayed(i, sound, kn_base_outcome(i->state, payoffs), error);
}

KnStatus kn_base_import_run(const KnGame *game, KnStore *store, const char *run, KnBase *base,
                            KnProgress *progress, KnImport *count, KnError *error)
{
    KnStatus status = KN_OK;
    for (int pass = 0; pass < 2 && status == KN_OK; pass++) {
        RunImport r = {
            .import = {.game = game, .base = pass ? base : NULL, .progress = progress, .count = count}};
        *count = (KnImport){0};
        status = open_import(&r.import, error);
        if (status == KN_OK) status = kn_match_roles(game, r.roles, error);
        if (status == KN_OK) status = kn_store_find(store, run, note_run, &r, error);
        if (status == KN_OK) status = kn_store_games(store, r.id, visit_record, &r, error);
        status = finish(&r.import, status, error);
        close_import(&r.import);
        free(r.opponent);
    }
    return status;
}

/* ---- export ---- */

typedef struct Export {
    const KnGame *game;
    KnWriteLine write;
    void *user;
    KnText line, text;
} Export;

static KnStatus write_json(Export *e, json_t *document, KnError *error)
{
    kn_text_clear(&e->line);
    if (document) kn_json_canonical(document, &e->line);
    kn_text_add_char(&e->line, '\n');
    bool ok = document && kn_text_ok(&e->line);
    json_decref(document);
    return ok ? e->write(e->user, e->line.data, e->line.length, error)
              : kn_fail_memory(error, "exporting a base");
}

static json_t *numbers(const uint32_t *list, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) json_array_append_new(array, json_integer(list[i]));
    return array;
}

static KnStatus export_position(void *user, const KnBasePosition *p, KnError *error)
{
    Export *e = user;
    kn_text_clear(&e->text);
    e->game->type->position_text(e->game, p->position, &e->text);
    json_t *row =
        json_pack("{ss sI ss so sf sI sI sI so so}", "what", "position", "number", (json_int_t)p->number,
                  "position", e->text.data, "value", p->valued ? json_real(p->value) : json_null(), "mean",
                  p->mean, "paths", p->paths > INT64_MAX ? INT64_MAX : (json_int_t)p->paths, "games",
                  (json_int_t)p->games, "distinct", (json_int_t)p->distinct, "children",
                  numbers(p->children, p->child_count), "parents", numbers(p->parents, p->parent_count));
    if (row && p->leaf != KN_MOVE_NONE) {
        kn_text_clear(&e->text);
        e->game->type->move_text(e->game, p->position, p->leaf, &e->text);
        json_object_set_new(row, "unexplored",
                            json_pack("{ss si si}", "move", e->text.data, "score", (int)p->leaf_score,
                                      "depth", p->leaf_depth));
    }
    return write_json(e, row, error);
}

static json_t *plays_json(const KnBaseGame *g)
{
    json_t *list = json_array();
    for (size_t i = 0; i < g->play_count; i++)
        json_array_append_new(list, json_pack("{so ss}", "id",
                                              json_sprintf("%llu", (unsigned long long)g->plays[i].id),
                                              "opponent", g->plays[i].opponent));
    return list;
}

static KnStatus export_game(void *user, const KnBaseGame *g, KnError *error)
{
    Export *e = user;
    KnText start = KN_TEXT_EMPTY;
    unsigned char usual[e->game->position_size] __attribute__((aligned(16)));
    e->game->type->start(e->game, usual);
    const void *first = kn_state_position_at(g->state, 0);
    if (memcmp(first, usual, e->game->position_size) != 0)
        e->game->type->position_text(e->game, first, &start);
    kn_text_clear(&e->text);
    kn_moves_text(g->state, &e->text);
    json_t *row = json_pack("{ss ss sf ss ss so}", "what", "game", "id", g->id, "outcome", g->outcome,
                            "start", start.data, "moves", e->text.data, "plays", plays_json(g));
    kn_text_free(&start);
    return write_json(e, row, error);
}

KnStatus kn_base_export(KnBase *base, const KnGame *game, KnWriteLine write, void *user, KnError *error)
{
    Export e = {game, write, user, KN_TEXT_EMPTY, KN_TEXT_EMPTY};
    const KnBaseKind *kind = kn_base_kind(base);
    KnBaseStat size;
    KnStatus status = kn_base_size(base, &size, error);
    if (status == KN_OK)
        status = write_json(&e,
                            json_pack("{ss ss si sb ss so so so so}", "what", "base", "game", game->spec,
                                      "format", kn_base_format(base), "symmetry", kind->symmetry, "key",
                                      kn_base_key_name(kind->key), "limit", kn_json_from_uint64(kind->limit),
                                      "positions", kn_json_from_uint64(size.positions), "games",
                                      kn_json_from_uint64(size.games), "plays",
                                      kn_json_from_uint64(size.plays)),
                            error);
    if (status == KN_OK) status = kn_base_positions(base, export_position, &e, error);
    if (status == KN_OK) status = kn_base_games(base, export_game, &e, error);
    kn_text_free(&e.line);
    kn_text_free(&e.text);
    return status;
}
