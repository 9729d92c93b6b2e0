/* Why an Advisor of the second tier weighs what it does: how often it foresaw an expert's move and how often
 * not, with a game for each. Of all such decisions the most telling one is kept, where it backed the smallest
 * share of the moves; of equals the first. */
#include <stdlib.h>
#include <string.h>

#include "games/replay.h"
#include "methods/hoyle/hoyle.h"

static const char *const kinds[2] = {"wrong", "right"};

void kn_reasons_free(HoyleKnowledge *knowledge)
{
    for (int stage = 0; stage < KN_BOARD_STAGES; stage++)
        for (int v = 0; v < SECOND_TIER; v++)
            for (int kind = 0; kind < 2; kind++) {
                Example *example = &knowledge->reasons[stage][v].examples[kind];
                free(example->start);
                free(example->moves);
                free(example->said);
                *example = (Example){0};
            }
}

/* The game up to the expert's move, and what the Advisor said of the moves he had. */
static void keep(const Decision *decision, int advisor, const KnPlayedGame *played, size_t ply,
                 double telling, Example *example)
{
    const KnGame *game = played->game;
    const int *strengths = kn_decision_strengths(decision, advisor);
    KnArena *arena = kn_arena_new();
    KnText start = KN_TEXT_EMPTY, moves = KN_TEXT_EMPTY, said = KN_TEXT_EMPTY;
    if (!arena) return;
    game->type->position_text(game, kn_played_game_position(played, 0), &start);
    for (size_t i = 0; i <= ply; i++)
        kn_text_printf(&moves, "%s%s", i ? " " : "",
                       kn_game_move_name(game, kn_played_game_position(played, i), played->moves[i], arena));
    for (int i = 0; i < decision->count; i++)
        if (!decision->consequences[i].out && strengths[i] != SILENT)
            kn_text_printf(&said, "%s%s %d", said.length ? ", " : "",
                           kn_game_move_name(game, decision->position, decision->moves[i], arena),
                           strengths[i]);
    Example made = {.telling = telling,
                    .start = kn_text_take(&start),
                    .moves = kn_text_take(&moves),
                    .said = kn_text_take(&said)};
    bool whole = made.start && made.moves && made.said;
    Example other = whole ? *example : made;
    if (whole) *example = made;
    free(other.start);
    free(other.moves);
    free(other.said);
    kn_arena_free(arena);
}

void kn_reasons_note(HoyleKnowledge *knowledge, const Decision *decision, int advisor,
                     const KnPlayedGame *played, size_t ply, double verdict)
{
    if (!(verdict > 0 || verdict < 0)) return;
    Reasons *reasons = &knowledge->reasons[decision->stage][advisor];
    int right = verdict > 0;
    double telling = right ? verdict : 1 + verdict;
    reasons->count[right]++;
    if (!reasons->examples[right].moves || telling > reasons->examples[right].telling)
        keep(decision, advisor, played, ply, telling, &reasons->examples[right]);
}

/* ---- files ---- */

/* {"Greedy": {"right": {"decisions": 60, "start": ..., "moves": "a1 b2", "said": "b2 10"}, "wrong": ...}} */
json_t *kn_reasons_json(const HoyleKnowledge *knowledge)
{
    json_t *stages = json_array();
    for (int stage = 0; stage < knowledge->view->stages; stage++) {
        json_t *of = json_object();
        for (int v = 0; v < SECOND_TIER; v++) {
            const Reasons *reasons = &knowledge->reasons[stage][v];
            json_t *row = json_object();
            for (int kind = 1; kind >= 0; kind--) {
                const Example *example = &reasons->examples[kind];
                if (!reasons->count[kind] || !example->moves) continue;
                json_object_set_new(row, kinds[kind],
                                    json_pack("{sI ss ss ss}", "decisions", (json_int_t)reasons->count[kind],
                                              "start", example->start, "moves", example->moves, "said",
                                              example->said));
            }
            if (json_object_size(row))
                json_object_set_new(of, kn_second_tier_name(v), row);
            else
                json_decref(row);
        }
        json_array_append_new(stages, of);
    }
    return stages;
}

/* The moves must be legal ones, since pages play them. */
static KnStatus check_moves(const KnGame *game, const KnJson *at, const char *start, const char *moves,
                            KnError *error)
{
    unsigned char position[game->position_size] __attribute__((aligned(16)));
    KnError inner;
    if (game->type->parse_position(game, start, position, &inner) != KN_OK)
        return kn_json_fail(at, "start", error, "%s", inner.text);
    KnState *state = kn_state_new(game);
    if (!state) return kn_fail_memory(error, "reading a game");
    kn_state_reset(state, position);
    KnStatus status = kn_replay(state, moves, &inner);
    kn_state_free(state);
    return status == KN_OK ? KN_OK : kn_json_fail(at, "moves", error, "%s", inner.text);
}

static KnStatus parse_example(const KnGame *game, const KnJson *at, uint64_t *count, Example *example,
                              KnError *error)
{
    static const char *const known[] = {"decisions", "start", "moves", "said", NULL};
    const char *start, *moves, *said;
    int64_t decisions;
    KnStatus status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_integer(at, "decisions", 1, INT64_MAX, &decisions, error);
    if (status == KN_OK) status = kn_json_string(at, "start", &start, error);
    if (status == KN_OK) status = kn_json_string(at, "moves", &moves, error);
    if (status == KN_OK) status = kn_json_string(at, "said", &said, error);
    if (status == KN_OK) status = check_moves(game, at, start, moves, error);
    if (status != KN_OK) return status;
    *count = (uint64_t)decisions;
    *example = (Example){.start = strdup(start), .moves = strdup(moves), .said = strdup(said)};
    return example->start && example->moves && example->said ? KN_OK
                                                             : kn_fail_memory(error, "reading a game");
}

KnStatus kn_reasons_parse(HoyleKnowledge *knowledge, const KnJson *at, KnError *error)
{
    KnStatus status = KN_OK;
    if (kn_json_size(at) != (size_t)knowledge->view->stages)
        return kn_json_fail(at, NULL, error, "reasons of %zu stages, but the game has %d", kn_json_size(at),
                            knowledge->view->stages);
    for (int stage = 0; stage < knowledge->view->stages && status == KN_OK; stage++) {
        KnJson of = kn_json_item(at, (size_t)stage), row, one;
        for (int v = 0; v < SECOND_TIER && status == KN_OK; v++) {
            Reasons *reasons = &knowledge->reasons[stage][v];
            if (!kn_json_has(&of, kn_second_tier_name(v))) continue;
            status = kn_json_object(&of, kn_second_tier_name(v), &row, error);
            for (int kind = 0; kind < 2 && status == KN_OK; kind++) {
                if (!kn_json_has(&row, kinds[kind])) continue;
                status = kn_json_object(&row, kinds[kind], &one, error);
                if (status == KN_OK)
                    status = parse_example(knowledge->game, &one, &reasons->count[kind],
                                           &reasons->examples[kind], error);
            }
        }
    }
    return status;
}

/* ---- for the eye ---- */

void kn_reasons_explain(const HoyleKnowledge *knowledge, int stage, int advisor, KnArena *arena,
                        KnExplanation *weight)
{
    static const char *const heading[2] = {"a game in which it misled",
                                           "a game in which it foresaw the expert"};
    const Reasons *reasons = &knowledge->reasons[stage][advisor];
    uint64_t judged = reasons->count[0] + reasons->count[1];
    if (!judged) return;
    kn_explanation_text(arena, weight, "so far",
                        kn_arena_printf(arena, "foresaw %llu of %llu decisions of an expert",
                                        (unsigned long long)reasons->count[1], (unsigned long long)judged));
    for (int kind = 1; kind >= 0; kind--) {
        const Example *example = &reasons->examples[kind];
        if (!example->moves) continue;
        KnExplanation *line = kn_explanation_line(arena, weight, heading[kind], example->moves,
                                                  example->start);
        kn_explanation_text(arena, line, "before the last move it said", example->said);
    }
}
