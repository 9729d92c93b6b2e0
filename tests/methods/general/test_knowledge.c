/* What is kept between matches of the same rules: which texts are the same rules, weights with which learning
 * goes on, proved ways; and files that are damaged, edited, foreign, or cannot be written. */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sealed.h"
#include "eval/fact_features.h"
#include "games/gdl/gdl.h"
#include "games/gdl/rules_digest.h"
#include "methods/general/knowledge.h"
#include "players/player.h"

typedef struct World {
    KnContext *context;
    KnGame *game;
    KnText path;
} World;

static World world_open(const char *spec)
{
    KnError error;
    char folder[] = "knowledge-XXXXXX", digest[KN_HEX128];
    World world = {.path = KN_TEXT_EMPTY};
    assert_non_null(mkdtemp(folder));
    check_ok(error, kn_open(folder, &world.context, &error));
    check_ok(error, kn_game_open(world.context, spec, &world.game, &error));
    kn_gdl_rules_digest(kn_gdl_machine_description(kn_game_gdl(world.game)), digest);
    kn_text_printf(&world.path, "%s/ggp/%s.json", folder, digest);
    return world;
}

static void world_close(World *world)
{
    kn_text_free(&world->path);
    kn_game_close(world->game);
    kn_close(world->context);
}

static KnKnowledge *knowledge_of(const World *world)
{
    KnError error;
    KnKnowledge *knowledge;
    check_ok(error, kn_knowledge_new(world->context, world->game, &knowledge, &error));
    assert_non_null(knowledge);
    return knowledge;
}

static KnEvaluation *facts_of(const World *world)
{
    KnError error;
    KnEvaluation *facts;
    check_ok(error,
             kn_evaluation_open_text(world->context, world->game, "facts(state, games=40)", &facts, &error));
    return facts;
}

static void digest_of(const char *text, char hex[KN_HEX128])
{
    KnError error;
    KnGdlDescription *description;
    check_ok(error, kn_gdl_read("rules", text, strlen(text), false, &description, &error));
    kn_gdl_rules_digest(description, hex);
    kn_gdl_free(description);
}

static void same_rules_have_one_digest(void **state)
{
    (void)state;
    char one[KN_HEX128], other[KN_HEX128];
    digest_of("(role a)(role b)(init (f 1))(<= (legal ?r (m ?x)) (role ?r) (true (f ?x)))(<= terminal (not "
              "(true (f 1))))"
              "(<= (goal ?r 50) (role ?r))(<= (next (f ?y)) (true (f ?y)))",
              one);
    digest_of(
        "; a comment\n(role a) (ROLE b)\n(<= (next (f ?x)) (true (f ?x)))\n(<= (goal ?who 50) (role ?who))\n"
        "(<= (legal ?z (m ?q)) (role ?z) (true (f ?q)))(<= terminal (not (true (f 1))))(INIT (f 1))",
        other);
    assert_string_equal(one, other);
    digest_of("(role b)(role a)(init (f 1))(<= (legal ?r (m ?x)) (role ?r) (true (f ?x)))(<= terminal (not "
              "(true (f 1))))"
              "(<= (goal ?r 50) (role ?r))(<= (next (f ?y)) (true (f ?y)))",
              other);
    assert_string_not_equal(one, other);
    digest_of(
        "(role a)(role b)(init (f 1))(<= (legal ?r (m ?x)) (role ?r) (true (f ?x)))(<= terminal (true (f 1)))"
        "(<= (goal ?r 50) (role ?r))(<= (next (f ?y)) (true (f ?y)))",
        other);
    assert_string_not_equal(one, other);
}

static void learning_goes_on(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnError error;
    KnKnowledge *first = knowledge_of(&world);
    KnEvaluation *learned = facts_of(&world), *next = facts_of(&world);
    assert_false(kn_knowledge_load(first));
    assert_false(kn_knowledge_teach(first, learned));
    check_ok(error, kn_evaluation_prepare(learned, 0, &error));
    kn_knowledge_keep_weights(first, learned);
    KnKnowledge *second = knowledge_of(&world);
    assert_true(kn_knowledge_load(second));
    assert_true(kn_knowledge_teach(second, next));
    assert_non_null(strstr(kn_knowledge_note(second), "of 40 games"));
    KnFactsLearned a = kn_facts_learned(learned), b = kn_facts_learned(next);
    size_t bytes = (size_t)a.count * (size_t)a.phases * sizeof(double);
    assert_memory_equal(a.weights, b.weights, bytes);
    assert_memory_equal(a.squares, b.squares, bytes);
    check_ok(error, kn_evaluation_prepare(next, 0, &error));
    assert_int_equal(*b.games, 80);
    assert_memory_not_equal(a.weights, b.weights, bytes);
    kn_knowledge_keep_weights(second, next);
    kn_knowledge_keep_weights(first, learned); /* of fewer games: the file stays */
    KnKnowledge *third = knowledge_of(&world);
    assert_true(kn_knowledge_load(third) && kn_knowledge_teach(third, learned));
    assert_int_equal(*a.games, 80);
    kn_knowledge_free(first);
    kn_knowledge_free(second);
    kn_knowledge_free(third);
    kn_evaluation_close(learned);
    kn_evaluation_close(next);
    world_close(&world);
}

/* Loads what stands in the file now: it must be left out, with this reason. */
static void is_left_out(const World *world, const char *why)
{
    KnKnowledge *knowledge = knowledge_of(world);
    KnEvaluation *facts = facts_of(world);
    assert_false(kn_knowledge_load(knowledge) && kn_knowledge_teach(knowledge, facts));
    assert_int_equal(*kn_facts_learned(facts).games, 0);
    if (!strstr(kn_knowledge_note(knowledge), why))
        fail_msg("%s, not: %s", kn_knowledge_note(knowledge), why);
    kn_evaluation_close(facts);
    kn_knowledge_free(knowledge);
}

static void bad_files_are_left_out(void **state)
{
    (void)state;
    World world = world_open("gdl:breakthrough");
    KnError error;
    KnKnowledge *knowledge = knowledge_of(&world);
    KnEvaluation *facts = facts_of(&world);
    check_ok(error, kn_evaluation_prepare(facts, 0, &error));
    kn_knowledge_keep_weights(knowledge, facts);
    KnText whole = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(world.path.data, &whole, 1 << 24, &error));
    for (size_t part = 0; part < 8; part++) { /* cut off anywhere */
        check_ok(error, kn_file_write_atomic(world.path.data, whole.data, whole.length * part / 8, &error));
        is_left_out(&world, "damaged");
    }
    static const struct {
        const char *from, *to, *why;
        bool sealed; /* by somebody who knows how */
    } rows[] = {{"\"games\":40", "\"games\":41", "damaged or was edited", false},
                {"\"version\":1", "\"version\":2", "another version", true},
                {"\"phases\":1", "\"phases\":2", "other features", true},
                {"\"features\":[\"", "\"features\":[\"?", "other features", true},
                {"\"rules\":\"", "\"rules\":\"0", "other rules", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        KnText text = KN_TEXT_EMPTY;
        char *at = strstr(whole.data, rows[i].from);
        assert_non_null(at);
        kn_text_printf(&text, "%.*s%s%s", (int)(at - whole.data), whole.data, rows[i].to,
                       at + strlen(rows[i].from));
        if (rows[i].sealed) {
            json_t *document = json_loads(text.data, 0, NULL);
            assert_non_null(document);
            kn_sealed_take(document);
            assert_true(kn_sealed_add(document));
            char *again = json_dumps(document, JSON_COMPACT);
            kn_text_clear(&text);
            kn_text_add(&text, again);
            free(again);
            json_decref(document);
        }
        check_ok(error, kn_file_write_atomic(world.path.data, text.data, text.length, &error));
        is_left_out(&world, rows[i].why);
        kn_text_free(&text);
    }
    kn_knowledge_keep_weights(knowledge, facts); /* replaces it */
    KnKnowledge *after = knowledge_of(&world);
    assert_true(kn_knowledge_load(after));
    kn_knowledge_free(after);
    /* A folder that is a file: nothing is kept, and the player goes on. */
    assert_int_equal(unlink(world.path.data), 0);
    *strrchr(world.path.data, '/') = 0;
    assert_int_equal(rmdir(world.path.data), 0);
    check_ok(error, kn_file_write_atomic(world.path.data, "x", 1, &error));
    kn_knowledge_keep_weights(knowledge, facts);
    assert_non_null(strstr(kn_knowledge_note(knowledge), "is not kept"));
    kn_text_free(&whole);
    kn_evaluation_close(facts);
    kn_knowledge_free(knowledge);
    world_close(&world);
}

/* What the player answers at the start, after a start clock; whether the way came from an earlier match. */
static bool remembers(const World *world, const char *spec)
{
    KnError error;
    KnPlayer *player;
    KnRng rng = kn_rng_seeded(1);
    KnMove moves[64];
    KnArena *arena = kn_arena_new();
    unsigned char start[world->game->position_size] __attribute__((aligned(16)));
    memset(start, 0, sizeof start);
    world->game->type->start(world->game, start);
    check_ok(error, kn_player_open(world->context, world->game, spec, &player, &error));
    check_ok(error, kn_player_prepare(player, 0, 5, &rng, &error));
    check_ok(error, kn_player_begin(player, 0, start, &error));
    KnRequest request = {.game = world->game,
                         .position = start,
                         .allowed = moves,
                         .allowed_count = kn_game_moves_of(world->game, start, 0, moves),
                         .rng = &rng,
                         .arena = arena,
                         .wants = KN_WANT_EXPLANATION};
    KnAnswer answer = {0};
    check_ok(error, kn_player_choose(player, &request, &answer, &error));
    KnText text = KN_TEXT_EMPTY;
    kn_explanation_print(answer.explanation, &text);
    assert_non_null(strstr(text.data, "leads to 100 points in 8 moves; no way leads to more."));
    bool earlier = strstr(text.data, "an earlier match");
    kn_text_free(&text);
    kn_player_close(player);
    kn_arena_free(arena);
    return earlier;
}

static void ways_are_played_out_first(void **state)
{
    (void)state;
    World world = world_open("gdl:frogs");
    KnError error;
    assert_false(remembers(&world, "general"));
    assert_false(kn_file_exists(world.path.data)); /* only where it is asked for */
    assert_false(remembers(&world, "general(keep)"));
    assert_true(remembers(&world, "general(keep)"));
    assert_false(remembers(&world, "general"));
    KnText whole = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(world.path.data, &whole, 1 << 20, &error));
    json_t *document = json_loads(whole.data, 0, NULL);
    kn_sealed_take(document);
    for (int bad = 0; bad < 2; bad++) { /* a way that stops short, and one that is not legal */
        json_t *line = json_object_get(document, "line");
        if (bad)
            json_array_set_new(line, 0, json_string("(hop 5 3)"));
        else
            json_array_remove(line, json_array_size(line) - 1);
        json_t *copy = json_deep_copy(document);
        assert_true(kn_sealed_add(copy));
        char *text = json_dumps(copy, JSON_COMPACT);
        check_ok(error, kn_file_write_atomic(world.path.data, text, strlen(text), &error));
        free(text);
        json_decref(copy);
        assert_false(remembers(&world, "general(keep)"));
        assert_true(remembers(&world, "general(keep)")); /* and was replaced */
    }
    json_decref(document);
    kn_text_free(&whole);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_rules_have_one_digest), cmocka_unit_test(learning_goes_on),
        cmocka_unit_test(bad_files_are_left_out), cmocka_unit_test(ways_are_played_out_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
