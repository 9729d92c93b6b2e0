/* The table of game learners, their life, and the frame of the files they are kept in. */
#include "base/assert.h"
#include "methods/hoyle/game_learner.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/sealed.h"
#include "players/registry.h"

static const KnGameLearnerType *const rows[] = {&kn_game_learner_hoyle, &kn_game_learner_idle,
                                                &kn_game_learner_seqlearner, &kn_game_learner_habits, NULL};

static KnStatus find(const char *name, const KnGameLearnerType **type, KnError *error)
{
    KnText known = KN_TEXT_EMPTY;
    *type = NULL;
    for (const KnGameLearnerType *const *row = rows; *row && !*type; row++) {
        if (strcasecmp((*row)->head.name, name) == 0) *type = *row;
        kn_text_printf(&known, " %s", (*row)->head.name);
    }
    KnStatus status = *type ? KN_OK
                            : kn_fail(error, KN_INPUT,
                                      "there is no learner \"%.40s\" that learns from games; known:%s", name,
                                      known.data);
    kn_text_free(&known);
    return status;
}

static KnStatus open_bound(KnGameLearner *learner, const KnSpec *spec, KnArena *arena, KnError *error)
{
    KnOptions options;
    KnText canonical = KN_TEXT_EMPTY;
    KnStatus status = find(spec->text, &learner->type, error);
    if (status == KN_OK) status = kn_options_bind(learner->type->head.options, spec, arena, &options, error);
    if (status != KN_OK) return status;
    kn_spec_print(spec, &canonical);
    learner->spec = kn_text_ok(&canonical) ? strdup(canonical.data) : NULL;
    kn_text_free(&canonical);
    if (!learner->spec) return kn_fail_memory(error, "opening a learner");
    status = kn_board_view_open(learner->game, &learner->view, error);
    if (status != KN_OK)
        return kn_fail_within(error, "%s cannot learn %s", learner->spec, learner->game->spec);
    return learner->type->open ? learner->type->open(learner, &options, error) : KN_OK;
}

KnStatus kn_game_learner_open(const KnContext *context, const KnGame *game, const char *text,
                              KnGameLearner **out, KnError *error)
{
    *out = NULL;
    KnArena *arena = kn_arena_new();
    KnGameLearner *learner = calloc(1, sizeof *learner);
    const KnSpec *spec;
    KnStatus status = arena && learner ? kn_spec_parse(text, arena, &spec, error)
                                       : kn_fail_memory(error, "opening a learner");
    if (status == KN_OK) {
        learner->context = context;
        learner->game = game;
        status = open_bound(learner, spec, arena, error);
    }
    kn_arena_free(arena);
    if (status == KN_OK)
        *out = learner;
    else
        kn_game_learner_close(learner);
    return status;
}

void kn_game_learner_close(KnGameLearner *learner)
{
    if (!learner) return;
    if (learner->type && learner->type->close) learner->type->close(learner);
    kn_board_view_close(learner->view);
    free(learner->spec);
    free(learner);
}

KnStatus kn_game_learner_learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    KN_ASSERT(played->game == learner->game);
    learner->games++;
    return learner->type->learn(learner, played, error);
}

KnStatus kn_game_learner_end_tournament(KnGameLearner *learner, KnError *error)
{
    return learner->type->end_tournament ? learner->type->end_tournament(learner, error) : KN_OK;
}

KnStatus kn_game_learner_freeze(KnGameLearner *learner, KnError *error)
{
    return learner->type->freeze ? learner->type->freeze(learner, error) : KN_OK;
}

KnStatus kn_game_learner_player(const KnGameLearner *learner, KnPlayer **out, KnError *error)
{
    *out = NULL;
    KnPlayer *player = calloc(1, sizeof *player);
    if (!player || !(player->spec = strdup(learner->spec))) {
        free(player);
        return kn_fail_memory(error, "making a player of what was learned");
    }
    player->context = learner->context;
    player->game = learner->game;
    player->traits = KN_PLAYER_REPEATABLE | KN_PLAYER_RESTRICTS;
    player->type = learner->type->player;
    KnStatus status = learner->type->attach ? learner->type->attach(learner, player, error) : KN_OK;
    if (status == KN_OK)
        *out = player;
    else
        kn_player_close(player);
    return status;
}

/* ---- Files ---- */

KnStatus kn_game_learner_save(const KnGameLearner *learner, const char *path, KnError *error)
{
    json_t *knowledge = learner->type->knowledge(learner);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:o}", "learner", learner->type->head.name,
                             "format", learner->type->format, "spec", learner->spec, "game",
                             learner->game->spec, "rules", learner->view->identity, "contests",
                             (json_int_t)learner->games, "knowledge", knowledge);
    if (root && learner->edited) kn_sealed_stamp(root, KN_SEAL_EDITED);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    KnStatus status = text ? kn_sealed_write(path, text, error)
                           : kn_fail_memory(error, "saving what was learned");
    free(text);
    json_decref(root);
    return status;
}

/* Whether a document was learned for this game, by this code. */
static KnStatus check_frame(const KnGameLearner *learner, const KnJson *at, const char *game, KnError *error)
{
    int64_t format;
    const char *rules;
    KnStatus status = kn_json_integer(at, "format", 1, INT32_MAX, &format, error);
    if (status == KN_OK && format != learner->type->format)
        return kn_json_fail(at, "format", error,
                            "made by another version (format %d, this one reads %d): learn it again",
                            (int)format, learner->type->format);
    if (status == KN_OK) status = kn_json_string(at, "rules", &rules, error);
    if (status == KN_OK && strcmp(rules, learner->view->identity) != 0)
        return kn_json_fail(at, "game", error,
                            "learned for %s, which has other rules or another board than %s", game,
                            learner->game->spec);
    return status;
}

KnStatus kn_game_learner_parse(const KnContext *context, const KnGame *game, const char *name, json_t *root,
                               const char *document, KnGameLearner **out, KnError *error)
{
    static const char *const known[] = {"learner",  "format",    "spec",   "game", "rules",
                                        "contests", "knowledge", "edited", NULL};
    *out = NULL;
    KnSeal seal = kn_sealed_take(root);
    KnJson at = kn_json_root(root, document), knowledge;
    const char *made_by, *spec, *learned_for;
    uint64_t games;
    KnGameLearner *learner = NULL;
    KnStatus status = kn_json_string(&at, "learner", &made_by, error);
    if (status == KN_OK && name && strcasecmp(made_by, name) != 0)
        return kn_json_fail(&at, "learner", error, "holds what %s has learned, not %s", made_by, name);
    if (status == KN_OK) status = kn_json_only(&at, known, error);
    if (status == KN_OK) status = kn_json_string(&at, "spec", &spec, error);
    if (status == KN_OK) status = kn_json_string(&at, "game", &learned_for, error);
    if (status == KN_OK) status = kn_json_uint64(&at, "contests", &games, error);
    if (status == KN_OK) status = kn_json_object(&at, "knowledge", &knowledge, error);
    if (status != KN_OK) return status;
    status = kn_game_learner_open(context, game, spec, &learner, error);
    if (status != KN_OK) return kn_fail_within(error, "%s: spec", document);
    if (strcasecmp(learner->type->head.name, made_by) != 0)
        status = kn_json_fail(&at, "spec", error, "is not one of learner %s", made_by);
    if (status == KN_OK) status = check_frame(learner, &at, learned_for, error);
    if (status == KN_OK) status = learner->type->recall(learner, &knowledge, error);
    learner->games = games;
    learner->edited = seal == KN_SEAL_EDITED || kn_sealed_stamped(root);
    if (status == KN_OK)
        *out = learner;
    else
        kn_game_learner_close(learner);
    return status;
}

KnStatus kn_game_learner_load(const KnContext *context, const KnGame *game, const char *name,
                              const char *path, KnGameLearner **out, KnError *error)
{
    *out = NULL;
    json_t *root;
    KnStatus status = kn_json_load_file(path, &root, error);
    if (status != KN_OK) return status;
    status = kn_game_learner_parse(context, game, name, root, path, out, error);
    json_decref(root);
    return status;
}

/* ---- One that learns nothing ---- */

static KnStatus idle_learn(KnGameLearner *learner, const KnPlayedGame *played, KnError *error)
{
    (void)learner, (void)played, (void)error;
    return KN_OK;
}

static json_t *idle_knowledge(const KnGameLearner *learner)
{
    (void)learner;
    return json_object();
}

static KnStatus idle_recall(KnGameLearner *learner, const KnJson *at, KnError *error)
{
    static const char *const known[] = {NULL};
    (void)learner;
    return kn_json_only(at, known, error);
}

const KnGameLearnerType kn_game_learner_idle = {
    .head = {"idle", "learns nothing and plays at random: what learning is measured against", NULL},
    .format = 1,
    .learn = idle_learn,
    .player = &kn_player_random,
    .knowledge = idle_knowledge,
    .recall = idle_recall,
};
