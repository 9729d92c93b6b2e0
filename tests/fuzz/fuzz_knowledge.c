/* What Hoyle and SeqLearner have learned, as files: whatever the bytes, reading ends with a learner or a
 * message. One that was read writes itself down so that it reads back to the same, can be shown, and plays
 * legal moves with reasons. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "players/watcher.h"

static const KnContext *context(void)
{
    static KnContext *kept;
    KnError error;
    if (!kept) fuzz_must((kept = kn_context_new()) && kn_games_register(kept, &error) == KN_OK);
    return kept;
}

/* Opened once: inputs are read for a small game, whose positions, symmetries and lines every reader needs. */
static const KnGame *game(void)
{
    static KnGame *kept;
    KnError error;
    if (!kept) fuzz_must(kn_game_open(context(), "tictactoe(lose)", &kept, &error) == KN_OK);
    return kept;
}

static void check_play(const KnWatcher *watcher)
{
    KnError error;
    KnPlayer *player;
    KnContest *contest = kn_contest_new(game());
    KnMove moves[game()->max_moves];
    KnRng rng = kn_rng_seeded(3);
    fuzz_must(contest && kn_watcher_player(watcher, &player, &error) == KN_OK);
    fuzz_must(kn_player_begin(player, 0, kn_contest_position(contest), &error) == KN_OK);
    for (int ply = 0; ply < 5; ply++) {
        const void *position = kn_contest_position(contest);
        KnArena *arena = kn_arena_new();
        int count = game()->type->moves(game(), position, moves),
            role = game()->type->mover(game(), position);
        KnRequest request = {.game = game(),
                             .position = position,
                             .role = role,
                             .allowed = moves,
                             .allowed_count = count,
                             .rng = &rng,
                             .wants = KN_WANT_REASON,
                             .arena = arena};
        KnAnswer answer = {0};
        if (!count) {
            kn_arena_free(arena);
            break;
        }
        fuzz_must(kn_player_choose(player, &request, &answer, &error) == KN_OK && answer.reason);
        bool legal = false;
        for (int i = 0; i < count; i++) legal = legal || moves[i] == answer.move;
        fuzz_must(legal && kn_contest_play(contest, answer.move, &error) == KN_OK);
        KnMove joint[2] = {answer.move, answer.move};
        fuzz_must(kn_player_observe(player, contest, joint, &error) == KN_OK);
        kn_arena_free(arena);
    }
    kn_player_close(player);
    kn_contest_free(contest);
}

static json_t *check_knowledge(const KnWatcher *watcher)
{
    KnText text = KN_TEXT_EMPTY;
    if (watcher->type->show) watcher->type->show(watcher, &text);
    kn_text_free(&text);
    json_t *knowledge = watcher->type->knowledge(watcher);
    fuzz_must(knowledge);
    return knowledge;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    KnError error = {KN_OK, ""};
    json_t *root;
    KnWatcher *watcher, *again;
    if (kn_json_load_bytes(bytes, size, "file", &root, &error) != KN_OK) return 0; /* fuzz_json's business */
    KnStatus status = kn_watcher_parse(context(), game(), NULL, root, "file", &watcher, &error);
    fuzz_must((status == KN_OK) == (watcher != NULL));
    if (status == KN_OK) {
        json_t *one = check_knowledge(watcher);
        check_play(watcher);
        json_object_set(root, "knowledge", one);
        fuzz_must(kn_watcher_parse(context(), game(), NULL, root, "again", &again, &error) == KN_OK);
        json_t *two = check_knowledge(again);
        fuzz_must(json_equal(one, two));
        json_decref(one);
        json_decref(two);
        kn_watcher_close(again);
    } else
        fuzz_must(*error.text);
    kn_watcher_close(watcher);
    json_decref(root);
    return 0;
}
