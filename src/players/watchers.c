/* The table of watchers, their life, and the frame of the files they are kept in. */
#include "players/watcher.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "players/registry.h"

static const KnWatcherType *const rows[] = {&kn_watcher_hoyle, &kn_watcher_idle, &kn_watcher_seqlearner,
                                            NULL};

const KnWatcherType *const *kn_watchers(void) { return rows; }

static KnStatus find(const char *name, const KnWatcherType **type, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    *type = NULL;
    for (const KnWatcherType *const *row = rows; *row && !*type; row++) {
        if (strcasecmp((*row)->head.name, name) == 0) *type = *row;
        kn_text_printf(&known, " %s", (*row)->head.name);
    }
    KnStatus status = *type ? KN_OK
                            : kn_fail(error, KN_INPUT,
                                      "there is no learner \"%.40s\" that watches contests; known:%s", name,
                                      known.data);
    kn_text_free(&known);
    return status;
}

static KnStatus open_bound(KnWatcher *watcher, const KnSpec *spec, KnArena *arena, KnError *error)
{
    KnOptions options;
    KnText canonical = KN_TEXT_EMPTY;
    KnStatus status = find(spec->text, &watcher->type, error);
    if (status == KN_OK) status = kn_options_bind(watcher->type->head.options, spec, arena, &options, error);
    if (status != KN_OK) return status;
    kn_spec_print(spec, &canonical);
    watcher->spec = kn_text_ok(&canonical) ? strdup(canonical.data) : NULL;
    kn_text_free(&canonical);
    if (!watcher->spec) return kn_fail_memory(error, "opening a learner");
    status = kn_scene_open(watcher->game, &watcher->scene, error);
    if (status != KN_OK)
        return kn_fail_within(error, "%s cannot learn %s", watcher->spec, watcher->game->spec);
    return watcher->type->open ? watcher->type->open(watcher, &options, error) : KN_OK;
}

KnStatus kn_watcher_open(const KnContext *context, const KnGame *game, const char *text, KnWatcher **out,
                         KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    KnWatcher *watcher = calloc(1, sizeof *watcher);
    const KnSpec *spec;
    KnStatus status = arena && watcher ? kn_spec_parse(text, arena, &spec, error)
                                       : kn_fail_memory(error, "opening a learner");
    if (status == KN_OK) {
        watcher->context = context;
        watcher->game = game;
        status = open_bound(watcher, spec, arena, error);
    }
    kn_arena_free(arena);
    if (status == KN_OK)
        *out = watcher;
    else
        kn_watcher_close(watcher);
    return status;
}

void kn_watcher_close(KnWatcher *watcher)
{
    if (!watcher) return;
    if (watcher->type && watcher->type->close) watcher->type->close(watcher);
    kn_scene_close(watcher->scene);
    free(watcher->spec);
    free(watcher);
}

KnStatus kn_watcher_watch(KnWatcher *watcher, const KnWatched *contest, KnError *error)
{
    watcher->contests++;
    return watcher->type->watch(watcher, contest, error);
}

KnStatus kn_watcher_pause(KnWatcher *watcher, KnError *error)
{
    return watcher->type->pause ? watcher->type->pause(watcher, error) : KN_OK;
}

KnStatus kn_watcher_settle(KnWatcher *watcher, KnError *error)
{
    return watcher->type->settle ? watcher->type->settle(watcher, error) : KN_OK;
}

KnStatus kn_watcher_player(const KnWatcher *watcher, KnPlayer **out, KnError *error)
{
    *out = NULL;
    KnPlayer *player = calloc(1, sizeof *player);
    if (!player || !(player->spec = strdup(watcher->spec))) {
        free(player);
        return kn_fail_memory(error, "making a player of what was learned");
    }
    player->context = watcher->context;
    player->game = watcher->game;
    player->note = KN_TEXT_EMPTY;
    player->traits = KN_PLAYER_REPEATABLE | KN_PLAYER_RESTRICTS;
    player->type = watcher->type->player;
    KnStatus status = watcher->type->attach ? watcher->type->attach(watcher, player, error) : KN_OK;
    if (status == KN_OK)
        *out = player;
    else
        kn_player_close(player);
    return status;
}

/* ---- Files ---- */

KnStatus kn_watcher_save(const KnWatcher *watcher, const char *path, KnError *error)
{
    json_t *knowledge = watcher->type->knowledge(watcher);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:o}", "learner", watcher->type->head.name,
                             "format", watcher->type->format, "spec", watcher->spec, "game",
                             watcher->game->spec, "rules", watcher->scene->identity, "contests",
                             (json_int_t)watcher->contests, "knowledge", knowledge);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    KnStatus status = text ? kn_file_write_atomic(path, text, strlen(text), error)
                           : kn_fail_memory(error, "saving what was learned");
    free(text);
    json_decref(root);
    return status;
}

/* Whether a document was learned for this game, by this code. */
static KnStatus check_frame(const KnWatcher *watcher, const KnJson *at, const char *game, KnError *error)
{
    int64_t format;
    const char *rules;
    KnStatus status = kn_json_integer(at, "format", 1, INT32_MAX, &format, error);
    if (status == KN_OK && format != watcher->type->format)
        return kn_json_fail(at, "format", error,
                            "made by another version (format %d, this one reads %d): learn it anew",
                            (int)format, watcher->type->format);
    if (status == KN_OK) status = kn_json_string(at, "rules", &rules, error);
    if (status == KN_OK && strcmp(rules, watcher->scene->identity) != 0)
        return kn_json_fail(at, "game", error,
                            "learned for %s, which has other rules or another board than %s", game,
                            watcher->game->spec);
    return status;
}

KnStatus kn_watcher_parse(const KnContext *context, const KnGame *game, const char *name, json_t *root,
                          const char *document, KnWatcher **out, KnError *error)
{
    static const char *const known[] = {"learner", "format",   "spec",      "game",
                                        "rules",   "contests", "knowledge", NULL};
    *out = NULL;
    KnJson at = kn_json_root(root, document), knowledge;
    const char *learner, *spec, *learned_for;
    uint64_t contests;
    KnWatcher *watcher = NULL;
    KnStatus status = kn_json_string(&at, "learner", &learner, error);
    if (status == KN_OK && name && strcasecmp(learner, name) != 0)
        return kn_json_fail(&at, "learner", error, "holds what %s has learned, not %s", learner, name);
    if (status == KN_OK) status = kn_json_only(&at, known, error);
    if (status == KN_OK) status = kn_json_string(&at, "spec", &spec, error);
    if (status == KN_OK) status = kn_json_string(&at, "game", &learned_for, error);
    if (status == KN_OK) status = kn_json_uint64(&at, "contests", &contests, error);
    if (status == KN_OK) status = kn_json_object(&at, "knowledge", &knowledge, error);
    if (status != KN_OK) return status;
    status = kn_watcher_open(context, game, spec, &watcher, error);
    if (status != KN_OK) return kn_fail_within(error, "%s: spec", document);
    if (strcasecmp(watcher->type->head.name, learner) != 0)
        status = kn_json_fail(&at, "spec", error, "is not one of learner %s", learner);
    if (status == KN_OK) status = check_frame(watcher, &at, learned_for, error);
    if (status == KN_OK) status = watcher->type->recall(watcher, &knowledge, error);
    watcher->contests = contests;
    if (status == KN_OK)
        *out = watcher;
    else
        kn_watcher_close(watcher);
    return status;
}

KnStatus kn_watcher_load(const KnContext *context, const KnGame *game, const char *name, const char *path,
                         KnWatcher **out, KnError *error)
{
    *out = NULL;
    json_t *root;
    KnStatus status = kn_json_load_file(path, &root, error);
    if (status != KN_OK) return status;
    status = kn_watcher_parse(context, game, name, root, path, out, error);
    json_decref(root);
    return status;
}

/* ---- One that learns nothing ---- */

static KnStatus idle_watch(KnWatcher *watcher, const KnWatched *contest, KnError *error)
{
    (void)watcher, (void)contest, (void)error;
    return KN_OK;
}

static json_t *idle_knowledge(const KnWatcher *watcher)
{
    (void)watcher;
    return json_object();
}

static KnStatus idle_recall(KnWatcher *watcher, const KnJson *at, KnError *error)
{
    static const char *const known[] = {NULL};
    (void)watcher;
    return kn_json_only(at, known, error);
}

const KnWatcherType kn_watcher_idle = {
    .head = {"idle", "learns nothing and plays at random: what learning is measured against", NULL},
    .format = 1,
    .watch = idle_watch,
    .player = &kn_player_random,
    .knowledge = idle_knowledge,
    .recall = idle_recall,
};
