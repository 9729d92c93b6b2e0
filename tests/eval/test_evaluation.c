/* Evaluations: lookup by name, errors that list what is known, options. */
#include "support/check.h"
#include "support/instances.h"

#include <stdlib.h>
#include <string.h>

#include "eval/evaluation.h"

/* A registered evaluation with an option and private data. */
static KnScore score_constant(const KnEvaluation *self, const void *position)
{
    (void)position;
    return *(const KnScore *)self->data;
}

static void close_constant(KnEvaluation *self) { free(self->data); }

static KnStatus open_constant(KnEvaluation *self, const KnOptions *options, KnError *error)
{
    self->close = close_constant;
    self->score = score_constant;
    self->data = malloc(sizeof(KnScore));
    *(KnScore *)self->data = (KnScore)kn_option_integer(options, "value");
    if (*(KnScore *)self->data == 13) return kn_fail(error, KN_INPUT, "13 will not do");
    return KN_OK;
}

static const KnOption options[] = {
    {"value", KN_OPTION_INTEGER, "7", -100, 100, NULL, "what every position is worth"}, {0}};

static const KnEvaluationType constant = {{"constant", "the same for all", options}, open_constant};

typedef struct World {
    KnContext *context;
    KnGame *game;
    void *position;
} World;

static int open_world(void **state)
{
    KnError error;
    World *world = calloc(1, sizeof *world);
    world->context = test_context();
    check_ok(error, kn_register(world->context, KN_KIND_EVALUATION, &constant.head, &error));
    check_ok(error, kn_game_open(world->context, "tictactoe", &world->game, &error));
    world->position = aligned_alloc(16, 64);
    check_ok(error, world->game->type->parse_position(world->game, "xo./.x./... o", world->position, &error));
    *state = world;
    return 0;
}

static int close_world(void **state)
{
    World *world = *state;
    kn_game_close(world->game);
    kn_close(world->context);
    free(world->position);
    free(world);
    return 0;
}

static KnEvaluation *opened(const World *world, const char *spec)
{
    KnError error;
    KnEvaluation *evaluation;
    check_ok(error, kn_evaluation_open_text(world->context, world->game, spec, &evaluation, &error));
    return evaluation;
}

static void the_games_own_by_name_or_default(void **state)
{
    const World *world = *state;
    /* x has the centre and a corner: lines of its own 5; o has one. */
    KnScore expected = world->game->evaluations[0].score(world->game, world->position);
    assert_true(expected < 0);
    static const char *const specs[] = {NULL, "lines", "LINES"};
    for (int i = 0; i < 3; i++) {
        KnEvaluation *evaluation = opened(world, specs[i]);
        assert_int_equal(kn_evaluate(evaluation, world->position), expected);
        assert_int_equal(evaluation->score(evaluation, world->position), expected);
        assert_int_equal(kn_evaluate_for(evaluation, world->position, 1), expected); /* o has the move */
        assert_int_equal(kn_evaluate_for(evaluation, world->position, 0), -expected);
        if (!specs[i]) assert_string_equal(evaluation->spec, "lines");
        kn_evaluation_close(evaluation);
    }
}

static void registered_ones_with_options(void **state)
{
    const World *world = *state;
    KnEvaluation *evaluation = opened(world, "constant");
    assert_int_equal(kn_evaluate(evaluation, world->position), 7);
    kn_evaluation_close(evaluation);
    evaluation = opened(world, "constant(value=-3)");
    assert_int_equal(kn_evaluate(evaluation, world->position), -3);
    assert_string_equal(evaluation->spec, "constant(value=-3)");
    kn_evaluation_close(evaluation);
    evaluation = opened(world, "zero"); /* built in, registered or not */
    assert_int_equal(kn_evaluate(evaluation, world->position), 0);
    kn_evaluation_close(evaluation);
}

static void wrong_ones_are_refused(void **state)
{
    const World *world = *state;
    KnError error;
    KnEvaluation *evaluation;
    check_fails(error, KN_INPUT, "known: lines, zero, constant",
                kn_evaluation_open_text(world->context, world->game, "material", &evaluation, &error));
    assert_null(evaluation);
    check_fails(error, KN_INPUT, "takes no options",
                kn_evaluation_open_text(world->context, world->game, "lines(3)", &evaluation, &error));
    check_fails(error, KN_INPUT, "13 will not do",
                kn_evaluation_open_text(world->context, world->game, "constant(13)", &evaluation, &error));
    assert_int_not_equal(kn_evaluation_open_text(world->context, world->game, "12", &evaluation, &error),
                         KN_OK);
    assert_int_not_equal(
        kn_evaluation_open_text(world->context, world->game, "constant(valu=1)", &evaluation, &error), KN_OK);
    assert_int_not_equal(
        kn_evaluation_open_text(world->context, world->game, "constant(", &evaluation, &error), KN_OK);
    assert_null(evaluation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_games_own_by_name_or_default, open_world, close_world),
        cmocka_unit_test_setup_teardown(registered_ones_with_options, open_world, close_world),
        cmocka_unit_test_setup_teardown(wrong_ones_are_refused, open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
