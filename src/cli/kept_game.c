#include "cli/kept_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sealed.h"
#include "cli/cli.h"
#include "games/replay.h"

/* Told at once, and at the end by the exit code: until then the game goes on. */
static void give_up(CliKept *kept, const KnError *error)
{
    fprintf(stderr, "knack: this game is not kept: %s\n", error->text);
    kn_store_close(kept->store);
    kept->store = NULL;
    kept->run = 0;
    kept->trouble = *error;
}

static KnStatus find_path(const KnContext *context, CliKept *kept, KnError *error)
{
    KnText folder = KN_TEXT_EMPTY;
    char file[160];
    kn_path_join(&folder, kn_context_data(context), "play");
    snprintf(file, sizeof file, "%s.json", kept->name);
    KnStatus status = kn_mkdirs(folder.data, error);
    kn_path_join(&kept->path, folder.data, file);
    kn_text_free(&folder);
    return status;
}

/* A game is a run of its own, even if it is played like another: the time tells them apart. */
static void name_run(CliKept *kept, char identity[KN_HEX128])
{
    struct timespec now;
    KnDigest digest;
    clock_gettime(CLOCK_REALTIME, &now);
    kn_digest_start(&digest);
    kn_digest_string(&digest, kept->game);
    kn_digest_u64(&digest, (uint64_t)now.tv_sec);
    kn_digest_u64(&digest, (uint64_t)now.tv_nsec);
    kn_digest_u64(&digest, (uint64_t)getpid());
    kn_digest_hex(&digest, identity);
    snprintf(kept->name, sizeof kept->name, "play-%.8s", identity);
}

static json_t *settings_of(const CliKept *kept)
{
    json_t *settings = json_pack("{ss s[ss] so so ss}", "game", kept->game, "players", kept->players[0],
                                 kept->players[1], "seed", kn_json_from_uint64(kept->seed), "ply_limit",
                                 kn_json_from_uint64(kept->ply_limit), "from", kept->from);
    if (kept->adviser) json_object_set_new(settings, "adviser", json_string(kept->adviser));
    return settings;
}

void cli_kept_start(const KnContext *context, CliKept *kept)
{
    KnError error;
    kept->path = KN_TEXT_EMPTY;
    if (kn_store_open(context, &kept->store, &error) != KN_OK) {
        kept->store = NULL;
        give_up(kept, &error);
        return;
    }
    char identity[KN_HEX128];
    name_run(kept, identity);
    if (find_path(context, kept, &error) != KN_OK) give_up(kept, &error);
}

/* The run appears with the first move. */
static KnStatus make_run(CliKept *kept, KnError *error)
{
    if (kept->run) return KN_OK;
    KnDigest digest;
    char identity[KN_HEX128];
    KnText text = KN_TEXT_EMPTY;
    kn_digest_start(&digest);
    kn_digest_string(&digest, kept->name);
    kn_digest_string(&digest, kept->path.data);
    kn_digest_hex(&digest, identity);
    json_t *settings = settings_of(kept);
    kn_json_canonical(settings, &text);
    json_decref(settings);
    KnStatus status = kn_store_run(kept->store, "play", kept->name, identity, text.data, &kept->run, error);
    kn_text_free(&text);
    return status;
}

void cli_kept_save(CliKept *kept, const KnState *state)
{
    if (!kept->store) return;
    KnError error;
    KnText moves = KN_TEXT_EMPTY, text = KN_TEXT_EMPTY;
    json_t *document = settings_of(kept);
    kn_moves_text(state, &moves);
    json_object_set_new(document, "moves", json_string(moves.data));
    kn_json_canonical(document, &text);
    json_decref(document);
    KnStatus status = kn_text_ok(&text) ? kn_sealed_write(kept->path.data, text.data, &error)
                                        : kn_fail_memory(&error, "keeping a game");
    if (status == KN_OK) status = make_run(kept, &error);
    if (status != KN_OK) give_up(kept, &error);
    kn_text_free(&moves);
    kn_text_free(&text);
}

/* ---- Going on ---- */

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    CliKept *kept = user;
    if (strcmp(run->kind, "play") != 0)
        return kn_fail(error, KN_INPUT, "%s is a %s; only a game of `knack play` can be continued", run->name,
                       run->kind);
    if (run->summary[0])
        return kn_fail(error, KN_INPUT, "the game %s is over; `knack runs export %s` writes it", run->name,
                       run->name);
    kept->run = run->id;
    snprintf(kept->name, sizeof kept->name, "%s", run->name);
    return KN_OK;
}

static KnStatus read_document(CliKept *kept, KnError *error)
{
    KnSeal seal;
    KnStatus status = kn_sealed_load(kept->path.data, &kept->document, &seal, error);
    if (status != KN_OK) return status;
    if (seal == KN_SEAL_EDITED) /* its moves would be stored as a game that was played */
        return kn_fail(
            error, KN_INPUT,
            "%s: the game is damaged, or was edited: its checksum does not fit (to go on with what "
            "is there, remove the member \"checksum\")",
            kept->path.data);
    KnJson at = kn_json_root(kept->document, kept->path.data), players;
    status = kn_json_string(&at, "game", &kept->game, error);
    if (status == KN_OK) status = kn_json_string(&at, "from", &kept->from, error);
    if (status == KN_OK) status = kn_json_string(&at, "moves", &kept->moves, error);
    if (status == KN_OK) status = kn_json_uint64(&at, "seed", &kept->seed, error);
    if (status == KN_OK) status = kn_json_uint64(&at, "ply_limit", &kept->ply_limit, error);
    if (status == KN_OK && kn_json_has(&at, "adviser"))
        status = kn_json_string(&at, "adviser", &kept->adviser, error);
    if (status == KN_OK) status = kn_json_array(&at, "players", &players, error);
    if (status == KN_OK && kn_json_size(&players) != 2)
        status = kn_json_fail(&at, "players", error, "expected two");
    for (size_t i = 0; i < 2 && status == KN_OK; i++) {
        KnJson item = kn_json_item(&players, i);
        status = kn_json_string(&item, NULL, &kept->players[i], error);
    }
    return status;
}

KnStatus cli_kept_load(const KnContext *context, const char *run, CliKept *kept, KnError *error)
{
    kept->path = KN_TEXT_EMPTY;
    KnStatus status = kn_store_open(context, &kept->store, error);
    if (status == KN_OK) status = kn_store_find(kept->store, run, note_run, kept, error);
    if (status == KN_OK) status = find_path(context, kept, error);
    return status == KN_OK ? read_document(kept, error) : status;
}

/* ---- The end ---- */

static KnStatus add_game(CliKept *kept, const KnState *state, const KnPlayed *played, const int roles[2],
                         KnError *error)
{
    KnText moves = KN_TEXT_EMPTY, start = KN_TEXT_EMPTY, summary = KN_TEXT_EMPTY;
    const KnGame *game = kn_state_game(state);
    kn_moves_text(state, &moves);
    if (strcmp(kept->from, "start") != 0)
        game->type->position_text(game, kn_state_position_at(state, 0), &start);
    KnStandingRecord record = {.start = start.data,
                               .moves = moves.data,
                               .ending = kn_ending_name(played->ending),
                               .fault = played->fault,
                               .culprit = -1,
                               .plies = kn_state_plies(state)};
    for (int seat = 0; seat < 2; seat++) {
        record.payoffs[seat] = played->payoffs[roles[seat]];
        record.cost[seat] = played->cost[roles[seat]];
        record.decisions[seat] = played->decisions[roles[seat]];
        if (played->culprit == roles[seat]) record.culprit = seat;
    }
    KnMatchPlan plan = {.game = kept->game,
                        .players = {kept->players[0], kept->players[1]},
                        .games = 1,
                        .seed = kept->seed,
                        .rules.ply_limit = (size_t)kept->ply_limit};
    KnMatchResult *result = calloc(1, sizeof *result);
    if (!result) return kn_fail_memory(error, "keeping a game");
    kn_standing_start(&result->standing);
    kn_standing_add(&result->standing, &record);
    result->nondeterministic = true;
    snprintf(result->run_name, sizeof result->run_name, "%s", kept->name);
    json_t *document = kn_match_json(&plan, result);
    kn_json_canonical(document, &summary);
    json_decref(document);
    free(result);
    KnStatus status = kn_store_begin(kept->store, error);
    if (status == KN_OK) status = kn_store_add(kept->store, kept->run, &record, error);
    if (status == KN_OK) status = kn_store_commit(kept->store, error);
    if (status == KN_OK) status = kn_store_finish(kept->store, kept->run, summary.data, error);
    kn_text_free(&moves);
    kn_text_free(&start);
    kn_text_free(&summary);
    return status;
}

void cli_kept_finish(CliKept *kept, const KnState *state, const KnPlayed *played)
{
    if (!kept->store || !kept->run) return;
    int roles[2];
    KnError not_two, error;
    KnStatus status;
    if (kn_match_roles(kn_state_game(state), roles, &not_two) == KN_OK)
        status = add_game(kept, state, played, roles, &error);
    else { /* the store's games are of two players: the moves go into the summary */
        KnText text = KN_TEXT_EMPTY, moves = KN_TEXT_EMPTY;
        kn_moves_text(state, &moves);
        json_t *summary = json_pack("{so ss ss}", "settings", settings_of(kept), "moves", moves.data,
                                    "ending", kn_ending_name(played->ending));
        kn_json_canonical(summary, &text);
        json_decref(summary);
        status = kn_store_finish(kept->store, kept->run, text.data, &error);
        kn_text_free(&text);
        kn_text_free(&moves);
    }
    if (status == KN_OK)
        unlink(kept->path.data);
    else
        give_up(kept, &error);
}

KnStatus cli_kept_outcome(const CliKept *kept, KnError *error)
{
    if (kept->trouble.status == KN_OK) return KN_OK;
    *error = kept->trouble;
    return kn_fail_within(error, "this game is not kept (--no-store plays without that)");
}

/* ---- The list ---- */

/* "you won", or who did, from a finished game's summary; NULL if it does not tell. */
static const char *result_of(const json_t *summary, int person)
{
    const json_t *result = json_object_get(summary, "result");
    double wins = json_number_value(json_object_get(result, "wins")),
           losses = json_number_value(json_object_get(result, "losses"));
    if (!result) return NULL;
    if (wins == losses) return "a draw";
    if (person < 0) return wins > losses ? "the first player won" : "the second player won";
    return (wins > losses) == (person == 0) ? "you won" : "you lost";
}

typedef struct Listing {
    int count;
    json_t *rows; /* NULL: text */
} Listing;

static KnStatus list_game(void *user, const KnRun *run, KnError *error)
{
    (void)error;
    Listing *listing = user;
    if (run->damage[0] || strcmp(run->kind, "play") != 0) return KN_OK;
    json_t *settings = json_loads(run->settings, 0, NULL), *summary = json_loads(run->summary, 0, NULL);
    const char *game = json_string_value(json_object_get(settings, "game")), *names[2];
    int people = 0, person = -1;
    for (int seat = 0; seat < 2; seat++) {
        names[seat] = json_string_value(json_array_get(json_object_get(settings, "players"), (size_t)seat));
        if (!names[seat]) names[seat] = "?";
        if (strcmp(names[seat], "human") == 0) people++, person = seat;
    }
    const char *result = result_of(summary, people == 1 ? person : -1);
    listing->count++;
    if (listing->rows) {
        json_array_append_new(listing->rows,
                              json_pack("{ss ss ss? s[ss] sb ss?}", "created", run->created, "name",
                                        run->name, "game", game, "players", names[0], names[1], "finished",
                                        run->summary[0] != '\0', "result", result));
        json_decref(settings);
        json_decref(summary);
        return KN_OK;
    }
    printf("%.10s  %-14s %s, ", run->created, run->name, game ? game : "?");
    if (people == 1)
        printf("%s against %s: ", person ? "second" : "first", names[1 - person]);
    else
        printf("%s against %s: ", names[0], names[1]);
    if (run->summary[0])
        puts(result ? result : "finished");
    else
        printf("not finished; knack play --resume %s\n", run->name);
    json_decref(settings);
    json_decref(summary);
    return KN_OK;
}

KnStatus cli_kept_list(const KnContext *context, bool json, KnError *error)
{
    KnStore *store = NULL;
    Listing listing = {.rows = json ? json_array() : NULL};
    KnStatus status = kn_store_open_reading(context, &store, error);
    if (status == KN_OK) status = kn_store_runs(store, list_game, &listing, error);
    kn_store_close(store);
    if (status == KN_OK && json) {
        cli_print_json(listing.rows);
        return KN_OK;
    }
    json_decref(listing.rows);
    if (status == KN_OK && !listing.count) puts("No game has been played here yet: knack play othello");
    if (status == KN_OK && listing.count)
        puts("knack runs export NAME --format pdn|sgf|ggf --out FILE writes one; knack analyse FILE judges "
             "it.");
    return status;
}

void cli_kept_free(CliKept *kept)
{
    kn_store_close(kept->store);
    kn_text_free(&kept->path);
    json_decref(kept->document);
}
