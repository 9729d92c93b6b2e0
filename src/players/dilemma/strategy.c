/* Strategies as players, and the minds that both they and the fast loops run. */
#include "players/dilemma/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "players/dilemma/tables.h"

static const KnStrategy *const tables[] = {kn_strategies_machines,    kn_strategies_counting,
                                           kn_strategies_tournaments, kn_strategies_chance,
                                           kn_strategies_learning,    kn_strategies_data};

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

/* ---- Minds ---- */

static void think(KnMind *mind, const KnAgent *agent)
{
    if (agent->machine)
        mind->chance = agent->machine->states[mind->state].chance;
    else
        mind->chance = agent->strategy->decide(agent, &mind->past, mind->values);
}

void kn_mind_begin(KnMind *mind, const KnAgent *agent, const KnStakes *stakes, long length)
{
    *mind = (KnMind){.past = {.length = length, .stakes = stakes}};
    if (agent->strategy->traits & KN_STRATEGY_LENGTH && agent->parameters[0] > 0)
        mind->past.length = (long)agent->parameters[0];
    think(mind, agent);
}

void kn_mind_note(KnMind *mind, const KnAgent *agent, int own, int other)
{
    KnPast *past = &mind->past;
    int outcome = kn_outcome(own, other);
    past->turn++;
    past->count[outcome]++;
    past->own = past->own << 1 | (unsigned)own;
    past->other = past->other << 1 | (unsigned)other;
    past->earned[own] += past->stakes->own[outcome];
    past->other_earned += past->stakes->other[outcome];
    if (agent->machine) mind->state = agent->machine->states[mind->state].next[outcome];
    think(mind, agent);
}

KnStakes kn_stakes(const KnMatrix *matrix, int role, long round)
{
    KnStakes stakes;
    for (int outcome = 0; outcome < 4; outcome++) {
        int own = outcome / 2, other = outcome % 2, cell = role ? other * 2 + own : own * 2 + other;
        stakes.own[outcome] = kn_matrix_payoff(matrix, round, cell, role);
        stakes.other[outcome] = kn_matrix_payoff(matrix, round, cell, 1 - role);
    }
    return stakes;
}

/* ---- Players ---- */

/* A strategy at the board. */
typedef struct Seat {
    KnAgent agent;
    long told; /* length of the match; 0: not told */
    int role;
    KnStakes stakes[2]; /* before and after payoffs change */
    KnMind mind;
} Seat;

KnStatus kn_strategy_suits(const KnGame *game, KnError *error)
{
    const KnMatrix *matrix = kn_game_matrix(game);
    if (matrix && matrix->players == 2 && matrix->actions[0] == 2 && matrix->actions[1] == 2) return KN_OK;
    return kn_fail(error, KN_INPUT,
                   "strategies of the dilemma need a matrix game of two players with two actions each");
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
        if (is_number(option) && numbers < KN_STRATEGY_PARAMETERS)
            agent->parameters[numbers++] = kn_option_real(options, option->name);
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

static void set_stakes(Seat *seat, const KnMatrix *matrix, long round)
{
    seat->mind.past.stakes = &seat->stakes[matrix->later && round >= matrix->change];
}

/* A contest that begins in the middle counts as its last round alone: a position does not hold the others. */
KnStatus kn_strategy_begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    const KnMatrix *matrix = kn_game_matrix(player->game);
    long round = kn_matrix_round(position);
    seat->role = role;
    if (role >= 2) return KN_OK; /* nature's seat, where there is nothing to cooperate in: see choose */
    seat->stakes[0] = kn_stakes(matrix, role, 0);
    seat->stakes[1] = kn_stakes(matrix, role, matrix->change);
    kn_mind_begin(&seat->mind, &seat->agent, &seat->stakes[0], seat->told);
    set_stakes(seat, matrix, round ? round - 1 : 0);
    if (round)
        kn_mind_note(&seat->mind, &seat->agent, kn_matrix_last(position, role),
                     kn_matrix_last(position, 1 - role));
    set_stakes(seat, matrix, round);
    return KN_OK;
}

KnStatus kn_strategy_observe(KnPlayer *player, const KnContest *contest, const KnMove *joint, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    if (seat->role >= 2) return KN_OK;
    kn_mind_note(&seat->mind, &seat->agent, kn_matrix_action(joint[seat->role]),
                 kn_matrix_action(joint[1 - seat->role]));
    set_stakes(seat, kn_game_matrix(player->game), kn_matrix_round(kn_contest_position(contest)));
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

static void tell_values(const Seat *seat, KnArena *arena, KnReason *root)
{
    const char *names = seat->agent.strategy->values;
    if (seat->agent.machine) {
        kn_reason_number(arena, root, "state", seat->mind.state + 1, NULL);
        return;
    }
    for (int i = 0; names && *names && i < KN_STRATEGY_VALUES; i++) {
        size_t length = strcspn(names, " ");
        kn_reason_number(arena, root, kn_arena_printf(arena, "%.*s", (int)length, names),
                         seat->mind.values[i], NULL);
        names += length + (names[length] == ' ');
    }
}

static KnReason *tell(const Seat *seat, const KnRequest *request, KnMove move)
{
    KnArena *arena = request->arena;
    const KnPast *past = &seat->mind.past;
    KnReason *root =
        kn_reason_new(arena, kn_arena_printf(arena, "%s: %s",
                                             kn_game_move_name(request->game, request->position, move, arena),
                                             seat->agent.strategy->player.head.summary));
    kn_reason_bar(arena, root, "chance of cooperation", seat->mind.chance, 0, 1, NULL);
    kn_reason_number(arena, root, "turn", (double)past->turn + 1, NULL);
    kn_reason_text(arena, root, "own moves", moves_text(arena, past->own, past->turn));
    kn_reason_text(arena, root, "the other's", moves_text(arena, past->other, past->turn));
    kn_reason_number(arena, root, "the other's defections", (double)kn_past_other_d(past), NULL);
    tell_values(seat, arena, root);
    return root;
}

KnStatus kn_strategy_choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    Seat *seat = player->data;
    answer->move = request->allowed[0];
    int wanted = request->role < 2 ? kn_mind_draw(&seat->mind, request->rng) : -1;
    for (int i = 0; i < request->allowed_count && request->role < 2; i++)
        if (kn_matrix_action(request->allowed[i]) == wanted) answer->move = request->allowed[i];
    if (!(request->wants & KN_WANT_REASON)) return KN_OK;
    if (request->role < 2)
        answer->reason = tell(seat, request, answer->move);
    else
        answer->reason = kn_reason_new(request->arena,
                                       "nature's seat holds nothing to cooperate in: its first move");
    return KN_OK;
}

const KnAgent *kn_player_agent(const KnPlayer *player)
{
    return player->type->choose == kn_strategy_choose ? &((const Seat *)player->data)->agent : NULL;
}

void kn_player_tell_length(KnPlayer *player, long length)
{
    if (player->type->choose == kn_strategy_choose) ((Seat *)player->data)->told = length;
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
