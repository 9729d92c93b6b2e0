/* Markovitch and Sella 1996, Table 2: strategies of allocating deep searches, against a player that never
 * makes one; and Table 1, the features that RELIEF keeps. */
#include "lab/allocation/shared.h"
#include "lab/registry.h"

static const KnAllocationRow rows[] = {
    {"never", "never", NULL, false},
    {"random", "random", NULL, false},
    {"Basic ID3", NULL, &kn_allocation_paper[KN_LEARN_ID3], false},
    {"ID3+RELIEF", NULL, &kn_allocation_paper[KN_LEARN_RELIEF], false},
    {"Context-sensitive classifier", NULL, &kn_allocation_paper[KN_LEARN_CONTEXT], false},
    {"DC + self-generated features", NULL, &kn_allocation_paper[KN_LEARN_PATTERNS], false},
    {"oracle", "oracle", NULL, false},
    {"always", "always", NULL, false},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const KnParameter parameters[] = {
    {"games", 150, 10000, "Games a row, as in the paper at paper scale."},
    KN_ALLOCATION_SETS(2000, 400, 2000),
    {0}};

/* Policies are learned as at the paper's scale; an interval is .02 either way. */
static const KnSize middle[] = {{"games", 2000}, {0}};

static const KnTolerance tolerances[] = {
    {"probability", 0.02, 0,
     "Twice the paper's own interval; what it leaves open about rules and judge weighs about as much."},
    {"kept", 0, 0, "A feature is kept or not."},
    {"*", 0.03, 0,
     "Shares of wins, losses and ties move more than points do: a win for a tie is half a point."},
    {0}};

static const KnInterpretation interpretations[] = {
    {"\"A simple evaluation function ... which relied only on piece advantage. It also made the player with "
     "an advantage more "
     "aggressive\" (4.1): what is the value of a king, and what is aggression?",
     "A king counts three men; the evaluation is (own - other) / (own + other), which makes the leader "
     "trade.",
     "Without such a term oracle scores clearly more than always, which contradicts the paper."},
    {"\"A significant piece advantage (4 in our experiments)\" for the judge after 40 paired moves: pieces "
     "or men?",
     "A lead of 4 in men, a king counting three.",
     "A lead of four pieces gives 74 to 88% ties, far more than printed."},
    {"Who begins?", "The strategy, in every second game: then never must come out at one half.",
     "If the strategy always moves second, random and always score a point or so more."},
    {"Which draws do the rules have?",
     "None but the judge's: a game ends when a side cannot move, or after 80 plies.",
     "With tournament rules (a third repetition, or 40 moves without progress) always scores .674 [.662, "
     ".686] in 6,000 games on a "
     "development seed: no difference."},
    {"Which of several best moves is chosen?", "Any, each as likely, as the paper says (5.1).", ""},
    {"Random draws 8 of the 40 moves before the game: what if such a move is forced, or the game is over by "
     "then?",
     "Then that deep search is lost. All other strategies spend none on a forced move.", ""},
    {"A misprint: a leaf is positive \"iff P(l) <= b\" in 3.4, and if P(l) >= b below equation 5.",
     "P(l) >= b.", "The other way would spend deep searches where they are least likely to pay."},
    {"A misprint: equation 5 asks for the minimal b for which the leaves with P(l) >= b weigh at least d/m.",
     "The maximal b.", "b = 0 always qualifies: everything would be searched deep until nothing is left."},
    {"A misprint: \"6 x 5^8 = 2343750 different patterns\" (4.2).",
     "Five squares of eight values in six places: 6 x 8^5 = 196608.",
     "Nothing depends on it: 8,000 of them are looked at."},
    {"The 23 features are named, not defined (Table 1).",
     "As `knack games checkers` defines them; boards with a single move are no examples, "
     "since the table's least number of legal moves is 2.",
     ""},
    {"\"A variant of ID3\" (3.4): when does it stop, and what becomes of a value that was not seen?",
     "A case for each value, each feature asked once on the way to a leaf, no pruning; an unseen value goes "
     "with the next greater one.",
     ""},
    {"When is a feature filtered out by RELIEF?", "If its weight is below 0, over all 10,000 examples.", ""},
    {"The regions of Figure 5 are not printed.",
     "Baselines are the windows that touch a side's first row, edges those that touch the left or right, "
     "middle-court those that touch none.",
     ""},
    {"How many of \"the best patterns\" were added?",
     "The best ten that are not nearly the same (correlation of at most .9).", ""},
    {0}};

static KnStatus measure_row(KnLabRun *run, KnAllocationMaterial *material, const KnAllocationRow *row,
                            KnError *error)
{
    KnMatchResult result;
    KnStatus status = kn_allocation_measure(run, material, row, (uint64_t)kn_lab_parameter(run, "games"),
                                            &result, error);
    if (status != KN_OK) return status;
    const KnStanding *s = &result.standing;
    const struct {
        const char *column;
        uint64_t count;
    } shares[] = {{"wins", s->wins}, {"losses", s->losses}, {"ties", s->draws}};
    for (size_t i = 0; i < 3 && status == KN_OK; i++)
        status = kn_lab_cell(run, row->name, shares[i].column,
                             kn_measure_share((double)shares[i].count, s->games, 1), NULL, error);
    if (status == KN_OK)
        status = kn_lab_cell(run, row->name, "probability", kn_allocation_points(s), NULL, error);
    return status;
}

static KnStatus measure_table2(KnLabRun *run, KnError *error)
{
    KnAllocationMaterial material = {.field = &kn_allocation_checkers};
    kn_lab_expect(run, (uint64_t)kn_lab_parameter(run, "games") * ROWS);
    KnStatus status = KN_OK;
    for (size_t i = 0; i < ROWS && status == KN_OK; i++)
        status = measure_row(run, &material, &rows[i], error);
    kn_allocation_material_free(&material);
    return status;
}

const KnExperiment kn_allocation_table2 = {
    .head = {"allocation.table2",
             "strategies of allocating deep searches against a player that never makes one", NULL},
    .paper = "markovitch-sella-1996",
    .source = "table2",
    .parameters = parameters,
    .middle = middle,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure_table2,
};

/* ---- Table 1 ---- */

/* The paper's names, in the order of the game's own features. */
static const char *const printed[] = {
    "white legal moves",   "white total moves",   "black total moves",   "white mobile pieces",
    "black mobile pieces", "num of white pawns",  "num of white kings",  "num of black pawns",
    "num of black kings",  "evaluation function", "white on threat",     "white sacrifice",
    "black sacrifice",     "white crown1",        "white crown2",        "white crown3",
    "lonely black pawn",   "white triangle trap", "black triangle trap", "white center pieces",
    "black center pieces", "white base control",  "black base control"};
enum { PRINTED = sizeof printed / sizeof *printed };

static double weight_of(const KnLearnedPolicy *learned, size_t i)
{
    return json_number_value(
        json_object_get(json_array_get(json_object_get(learned->made, "weights"), i), "weight"));
}

static KnStatus give_weights(KnLabRun *run, const KnLearnedPolicy *learned, const KnGame *game,
                             KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t i = 0; i < PRINTED && status == KN_OK; i++)
        status = kn_lab_cell(run, printed[i], "kept", kn_measure_exact(weight_of(learned, i) >= 0),
                             game->features[i].name, error);
    if (status == KN_OK)
        status = kn_lab_own_table(run, "weights", "RELIEF's weights: kept from 0 on", "weight", 4, error);
    for (size_t i = 0; i < PRINTED && status == KN_OK; i++)
        status = kn_lab_measured(run, printed[i], "weight", kn_measure_exact(weight_of(learned, i)), NULL,
                                 error);
    return status;
}

static KnStatus measure_table1(KnLabRun *run, KnError *error)
{
    KnAllocationMaterial material = {.field = &kn_allocation_checkers};
    KnText path = KN_TEXT_EMPTY;
    KnLearnedPolicy *learned = NULL;
    KnStatus status = kn_allocation_learned(run, &material, &kn_allocation_paper[KN_LEARN_RELIEF], &path,
                                            error);
    if (status == KN_OK) status = kn_learned_policy_load(path.data, material.game, &learned, error);
    if (status == KN_OK) status = give_weights(run, learned, material.game, error);
    kn_learned_policy_free(learned);
    kn_text_free(&path);
    kn_allocation_material_free(&material);
    return status;
}

static const KnParameter table1_parameters[] = {KN_ALLOCATION_SETS(2000, 400, 2000), {0}};

const KnExperiment kn_allocation_table1 = {
    .head = {"allocation.table1", "which features of draughts RELIEF keeps for allocation", NULL},
    .paper = "markovitch-sella-1996",
    .source = "table1",
    .parameters = table1_parameters,
    .interpretations = interpretations,
    .tolerances = tolerances,
    .run = measure_table1,
};
