/* Reasoning on a propnet against all states: random small nets, whose assumptions are either refuted or have
 * a state and a joint move that fulfil them. */
#include "support/check.h"

#include <knack/base.h>
#include "games/gdl/logic.h"

enum { FACTS = 5, ACTIONS = 3, GATES = 5, INPUTS = FACTS + ACTIONS, NODES = 1 + INPUTS + GATES };

static KnPropnetWire draw_wire(KnRng *rng, uint32_t below)
{
    return 2 * (1 + kn_rng_below(rng, below - 1)) + kn_rng_below(rng, 2);
}

/* Facts, then the moves of one role, then gates of two or three inputs. */
static void draw_net(KnRng *rng, KnPropnet *net, KnPropnetAction *actions)
{
    assert_true(kn_propnet_init(net, 1000));
    assert_int_equal(net->count, 1);
    for (uint32_t i = 0; i < FACTS; i++) kn_propnet_node(net, KN_NODE_FACT, i, 0);
    for (uint32_t i = 0; i < ACTIONS; i++) kn_propnet_node(net, KN_NODE_MOVE, i, 0);
    for (uint32_t g = 0; g < GATES; g++) {
        KnPropnetWire wires[3];
        uint32_t count = 2 + kn_rng_below(rng, 2), first;
        for (uint32_t i = 0; i < count; i++) {
            wires[i] = draw_wire(rng, net->count);
            for (uint32_t j = 0; j < i; j++)
                if (wires[j] / 2 == wires[i] / 2) j = i--; /* another one */
        }
        assert_true(kn_propnet_add_wires(net, wires, count, &first));
        kn_propnet_node(net, KN_NODE_AND, first, count);
    }
    assert_int_equal(net->count, NODES);
    net->fact_count = FACTS;
    net->action_count = ACTIONS;
    net->actions = actions;
    net->roles = 1;
    net->first_action[0] = 0;
    net->first_action[1] = ACTIONS;
    for (uint32_t a = 0; a < ACTIONS; a++)
        actions[a] = (KnPropnetAction){.legal = kn_rng_below(rng, 2) ? KN_WIRE_TRUE
                                                                     : draw_wire(rng, 1 + FACTS)};
}

/* The values of all nodes for the inputs in `bits`; false if they break a rule of moves or of the group. */
static bool evaluate(const KnPropnet *net, uint32_t bits, const uint32_t *group, int exact, bool *values)
{
    values[0] = false;
    for (uint32_t i = 0; i < INPUTS; i++) values[1 + i] = bits >> i & 1;
    for (uint32_t n = 1 + INPUTS; n < NODES; n++) {
        values[n] = true;
        for (uint32_t i = 0; i < net->nodes[n].count; i++) {
            KnPropnetWire wire = net->wires[net->nodes[n].first + i];
            values[n] &= values[wire / 2] != (wire & 1);
        }
    }
    int made = 0, held = 0;
    for (uint32_t a = 0; a < ACTIONS; a++) {
        made += values[1 + FACTS + a];
        KnPropnetWire legal = net->actions[a].legal;
        if (values[1 + FACTS + a] && values[legal / 2] == (legal & 1)) return false;
    }
    for (int i = 0; i < 3; i++) held += values[group[i]];
    return made <= 1 && (exact < 0 || held <= 1) && (exact <= 0 || held == 1);
}

static void test_against_all_states(void **state)
{
    (void)state;
    int refuted = 0, fulfilled = 0, forced = 0;
    for (uint64_t trial = 0; trial < 400; trial++) {
        KnRng rng = kn_rng_stream(7, trial);
        KnPropnet net;
        KnPropnetAction actions[ACTIONS];
        draw_net(&rng, &net, actions);
        KnGdlLogic *logic = kn_gdl_logic_new(&net);
        assert_non_null(logic);
        uint32_t group[3] = {1, 2, 3 + kn_rng_below(&rng, FACTS - 2)};
        int exact = (int)kn_rng_below(&rng, 3) - 1; /* no group, at most one, exactly one */
        int number = kn_gdl_logic_group(logic, group, 3, trial % 2);
        kn_gdl_logic_set_group(logic, number, exact >= 0, exact > 0);
        for (int question = 0; question < 10; question++) {
            KnPropnetWire wires[3];
            uint32_t count = 1 + kn_rng_below(&rng, 3);
            for (uint32_t i = 0; i < count; i++) wires[i] = draw_wire(&rng, NODES);
            bool values[NODES], can[NODES][2] = {{false}}, possible = false;
            for (uint32_t bits = 0; bits < 1u << INPUTS; bits++) {
                bool wanted = evaluate(&net, bits, group, exact, values);
                for (uint32_t i = 0; i < count; i++) wanted &= values[wires[i] / 2] != (wires[i] & 1);
                possible |= wanted;
                for (uint32_t n = 0; n < NODES && wanted; n++) can[n][values[n]] = true;
            }
            /* Sound always; complete unless a group must have a member. */
            bool refutes = kn_gdl_logic_refute(logic, wires, count);
            if (possible || exact < 1) assert_int_equal(refutes, !possible);
            refuted += refutes;
            fulfilled += possible;
            bool consistent = true;
            for (uint32_t i = 0; i < count && consistent; i++)
                consistent = kn_gdl_logic_assume(logic, wires[i]);
            if (possible) assert_true(consistent);
            for (uint32_t n = 0; n < NODES && possible; n++) {
                int value = kn_gdl_logic_value(logic, 2 * n);
                assert_int_equal(kn_gdl_logic_value(logic, 2 * n + 1), -value);
                if (value) assert_false(can[n][value < 0]);
                forced += n && value;
            }
            kn_gdl_logic_clear(logic);
            for (uint32_t n = 1; n < NODES; n++) assert_int_equal(kn_gdl_logic_value(logic, 2 * n), 0);
        }
        kn_gdl_logic_free(logic);
        net.actions = NULL;
        kn_propnet_free(&net);
    }
    assert_in_range(refuted, 200, 3800);
    assert_in_range(fulfilled, 200, 3800);
    assert_true(forced > 4000);
}

/* What propagation alone must find, on a net of two gates: g = x and y, h = not g and z. */
static void test_propagation(void **state)
{
    (void)state;
    enum { X = 1, Y, Z, G, H };
    KnPropnet net;
    assert_true(kn_propnet_init(&net, 100));
    uint32_t first;
    for (uint32_t i = 0; i < 3; i++) kn_propnet_node(&net, KN_NODE_FACT, i, 0);
    assert_true(kn_propnet_add_wires(&net, (KnPropnetWire[]){2 * X, 2 * Y}, 2, &first));
    kn_propnet_node(&net, KN_NODE_AND, first, 2);
    assert_true(kn_propnet_add_wires(&net, (KnPropnetWire[]){2 * G + 1, 2 * Z}, 2, &first));
    kn_propnet_node(&net, KN_NODE_AND, first, 2);
    net.fact_count = 3;
    net.roles = 1; /* without moves */
    KnGdlLogic *logic = kn_gdl_logic_new(&net);
    static const struct {
        int assumed[3]; /* nodes, negative: false */
        bool consistent;
        int values[6]; /* of X, Y, Z, G, H */
    } cases[] = {
        {{G}, true, {0, 1, 1, 0, 1, -1}},
        {{-G}, true, {0, 0, 0, 0, -1, 0}},
        {{-G, X}, true, {0, 1, -1, 0, -1, 0}},
        {{-X}, true, {0, -1, 0, 0, -1, 0}},
        {{X, Y}, true, {0, 1, 1, 0, 1, -1}},
        {{H}, true, {0, 0, 0, 1, -1, 1}},
        {{-H, Z}, true, {0, 1, 1, 1, 1, -1}},
        {{Z, -X}, true, {0, -1, 0, 1, -1, 1}},
        {{H, X, Y}, false, {0}},
        {{-H, Z, -Y}, false, {0}},
        {{X, -X}, false, {0}},
        {{X, X}, true, {0, 1, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool consistent = true;
        for (int k = 0; k < 3 && cases[i].assumed[k] && consistent; k++) {
            int node = cases[i].assumed[k];
            consistent = kn_gdl_logic_assume(logic, node > 0 ? 2 * (uint32_t)node : 2 * (uint32_t)-node + 1);
        }
        assert_int_equal(consistent, cases[i].consistent);
        for (uint32_t n = X; n <= H && consistent; n++)
            assert_int_equal(kn_gdl_logic_value(logic, 2 * n), cases[i].values[n]);
        kn_gdl_logic_clear(logic);
    }
    kn_gdl_logic_free(logic);
    kn_propnet_free(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_states),
        cmocka_unit_test(test_propagation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
