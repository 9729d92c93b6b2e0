/* Strategies as players, and their state in a match, which the fast loops of duel.c use too. */
#include "players/dilemma/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "players/dilemma/tables.h"

static const KnStrategy *const tables[] = {
    kn_strategies_machines, kn_strategies_counting, kn_strategies_tournaments, kn_strategies_literature,
    kn_strategies_chance,   kn_strategies_learning, kn_strategies_data};

const KnStrategy *kn_strategy_at(size_t index)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const KnStrategy *row = tables[t]; row->player.head.name; row++)
            if (index-- == 0) return row;
    return NULL;
}

KnStatus kn_strategies_register(KnContext *context, KnError *error)
{
    const KnStrategy *row;
    for (size_t i = 0; (row = kn_strategy_at(i)); i++) {
        KnStatus status = kn_register(context, KN_KIND_PLAYER, &row->player.head, error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

/* ---- The state of a strategy in a match ---- */

static void decide(KnStrategyState *state, const KnAgent *agent)
{
    if (agent->machine)
        state->chance = agent->machine->states[state->machine_state].chance;
    else
        state->chance = agent->strategy->decide(agent, &state->history, state->values);
    KN_ASSERT(state->chance >= 0 && state->chance <= 1);
}

void kn_strategy_state_begin(KnStrategyState *state, const KnAgent *agent, const KnRoundPayoffs *payoffs,
                             long length)
{
    *state = (KnStrategyState){.history = {.length = length, .payoffs = payoffs}};
    if (agent->strategy->traits & KN_STRATEGY_LENGTH && agent->parameters[0] > 0)
        state->history.length = (long)agent->parameters[0];
    decide(state, agent);
}

void kn_strategy_state_note(KnStrategyState *state, const KnAgent *agent, int own, int opponent)
{
    KnMatchHistory *history = &state->history;
    KN_ASSERT((own | opponent) >> 1 == 0 && history->payoffs);
    int outcome = kn_outcome(own, opponent);
    history->turn++;
    history->count[outcome]++;
    history->own = history->own << 1 | (unsigned)own;
    history->opponent = history->opponent << 1 | (unsigned)opponent;
    history->earned[own] += history->payoffs->own[outcome];
    history->opponent_earned += history->payoffs->opponent[outcome];
    if (agent->machine) state->machine_state = agent->machine->states[state->machine_state].next[outcome];
    decide(state, agent);
}

KnRoundPayoffs kn_round_payoffs(const KnMatrix *matrix, int role, long round)
{
    KnRoundPayoffs payoffs;
    for (int outcome = 0; outcome < 4; outcome++) {
        int own = outcome / 2, other = outcome % 2, cell = role ? other * 2 + own : own * 2 + other;
        payoffs.own[outcome] = kn_matrix_payoff(matrix, round, cell, role);
        payoffs.opponent[outcome] = kn_matrix_payoff(matrix, round, cell, 1 - role);
    }
    return payoffs;
}

/* ---- Players ---- */

/* The private data of a strategy's player. */
typedef struct Seat {
    KnAgent agent;
    long known_length; /* of the match; 0: unknown */
    int role;
    KnRoundPayoffs payoffs[2]; /* before and after payoffs change */
    KnStrategyState state;
} Seat;

KnStatus kn_strategy_suits(const KnGame *game, KnError *error)
{
    const KnMatrix *matrix = kn_game_matrix(game);
    if (matrix && matrix->players == 2 && matrix->actions[0] == 2 && matrix->actions[1] == 2) return KN_OK;
    return kn_fail(error, KN_INPUT,
                   "dilemma strategies need a matrix game of two players with two actions each");
}

static bool is_number(const KnOption *option)
{
    return option->type == KN_OPTION_INTEGER || option->type == KN_OPTION_REAL;
}

KnStatus kn_strategy_open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Seat *seat = player->data = calloc(1, sizeof *seat);
    if (!seat) return kn_fail_memory(error, "opening a player");
    KnAgent *agent = &seat->agent;
    const KnStrategy *strategy = agent->strategy = (const KnStrategy *)player->type;
    int numbers = 0;
    for (const KnOption *option = strategy->player.head.options; option && option->name; option++)
        if (is_number(option)) {
            KN_ASSERT(numbers < KN_STRATEGY_PARAMETERS);
            agent->parameters[numbers++] = kn_option_real(options, option->name);
        }
    const char *name = strategy->player.head.name;
    if (strategy->fsm)
        return kn_machine_read_fsm(name, strategy->fsm, strlen(strategy->fsm), &agent->machine, error);
    if (strategy->memory)
        return kn_machine_read_memory(name, strategy->memory, strlen(strategy->memory), &agent->machine,
                                      error);
    return strategy->build ? strategy->build(agent, player->game, options, error) : KN_OK;
}

void kn_strategy_close(KnPlayer *player)
{
    Seat *seat = player->data;
    if (seat) kn_machine_free(seat->agent.machine);
    free(seat);
}

static void set_payoffs(Seat *seat, const KnMatrix *matrix, long round)
{
    seat->state.history.payoffs = &seat->payoffs[matrix->later && round >= matrix->change];
}

/* A position holds only the last round: a match that starts from one counts that round alone. */
KnStatus kn_strategy_begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    const KnMatrix *matrix = kn_game_matrix(player->game);
    long round = kn_matrix_round(position);
    seat->role = role;
    if (role >= 2) return KN_OK; /* nature: see kn_strategy_choose */
    seat->payoffs[0] = kn_round_payoffs(matrix, role, 0);
    seat->payoffs[1] = kn_round_payoffs(matrix, role, matrix->change);
    kn_strategy_state_begin(&seat->state, &seat->agent, &seat->payoffs[0], seat->known_length);
    set_payoffs(seat, matrix, round ? round - 1 : 0);
    if (round)
        kn_strategy_state_note(&seat->state, &seat->agent, kn_matrix_last(position, role),
                               kn_matrix_last(position, 1 - role));
    set_payoffs(seat, matrix, round);
    return KN_OK;
}

KnStatus kn_strategy_observe(KnPlayer *player, const KnState *game_state, const KnMove *joint, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    if (seat->role >= 2) return KN_OK;
    kn_strategy_state_note(&seat->state, &seat->agent, kn_matrix_action(joint[seat->role]),
                           kn_matrix_action(joint[1 - seat->role]));
    set_payoffs(seat, kn_game_matrix(player->game), kn_matrix_round(kn_state_position(game_state)));
    return KN_OK;
}

/* The last moves, oldest first. */
static const char *moves_text(KnArena *arena, uint64_t moves, long turn)
{
    int shown = turn < 20 ? (int)turn : 20;
    char text[24] = "";
    for (int i = 0; i < shown; i++) text[i] = "CD"[moves >> (shown - 1 - i) & 1];
    return kn_arena_printf(arena, "%s%s", turn > shown ? "..." : "", shown ? text : "none yet");
}

static void explain_values(const Seat *seat, KnArena *arena, KnExplanation *root)
{
    const char *names = seat->agent.strategy->values;
    if (seat->agent.machine) {
        kn_explanation_number(arena, root, "state", seat->state.machine_state + 1, NULL);
        return;
    }
    for (int i = 0; names && *names && i < KN_STRATEGY_VALUES; i++) {
        size_t length = strcspn(names, " ");
        kn_explanation_number(arena, root, kn_arena_printf(arena, "%.*s", (int)length, names),
                              seat->state.values[i], NULL);
        names += length + (names[length] == ' ');
    }
}

static KnExplanation *explain(const Seat *seat, const KnRequest *request, KnMove move)
{
    KnArena *arena = request->arena;
    const KnMatchHistory *history = &seat->state.history;
    KnExplanation *root = kn_explanation_new(
        arena,
        kn_arena_printf(arena, "%s: %s", kn_game_move_name(request->game, request->position, move, arena),
                        seat->agent.strategy->player.head.summary));
    kn_explanation_bar(arena, root, "chance of cooperation", seat->state.chance, 0, 1, NULL);
    kn_explanation_number(arena, root, "turn", (double)history->turn + 1, NULL);
    kn_explanation_text(arena, root, "own moves", moves_text(arena, history->own, history->turn));
    kn_explanation_text(arena, root, "the opponent's", moves_text(arena, history->opponent, history->turn));
    kn_explanation_number(arena, root, "the opponent's defections", (double)kn_opponent_defections(history),
                          NULL);
    explain_values(seat, arena, root);
    return root;
}

KnStatus kn_strategy_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    answer->move = request->allowed[0];
    int wanted = request->role < 2 ? kn_strategy_state_draw(&seat->state, request->rng) : -1;
    for (int i = 0; i < request->allowed_count && request->role < 2; i++)
        if (kn_matrix_action(request->allowed[i]) == wanted) answer->move = request->allowed[i];
    if (!(request->wants & KN_WANT_EXPLANATION)) return KN_OK;
    if (request->role < 2)
        answer->explanation = explain(seat, request, answer->move);
    else
        answer->explanation = kn_explanation_new(
            request->arena, "a strategy does not decide for nature: it plays the first move");
    return KN_OK;
}

const KnAgent *kn_player_agent(const KnPlayer *player)
{
    return player->type->choose == kn_strategy_choose ? &((const Seat *)player->data)->agent : NULL;
}

void kn_player_set_known_length(KnPlayer *player, long length)
{
    if (player->type->choose == kn_strategy_choose) ((Seat *)player->data)->known_length = length;
}

void kn_player_title(const KnPlayer *player, KnText *out)
{
    const KnThing *head = &player->type->head;
    const char *rest = player->spec + strlen(head->name);
    const KnAgent *agent = kn_player_agent(player);
    size_t length = strlen(rest);
    kn_text_add(out, head->name);
    if (agent && agent->strategy->traits & KN_STRATEGY_SUFFIX && length > 2 && !strpbrk(rest, "=,\":")) {
        kn_text_add_bytes(out, rest + 1, length - 2);
        return;
    }
    kn_text_add(out, rest);
}
