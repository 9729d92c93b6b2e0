/* Learners that watch contests (players/watcher.h), as anybody can offer them; `knack train hoyle` and `knack
 * train sequences` do the work (cli/train_watching.c). Without a word about agents the expert is perfect
 * play, so that the game must be solvable. */
#include <math.h>

#include "learn/hoyle/scene.h"
#include "learn/temporal/board.h"
#include "players/learner.h"
#include "search/states.h"

static KnStatus suits_hoyle(const KnGame *game, KnError *error)
{
    KnStatus status = kn_scene_suits(game, error);
    return status == KN_OK ? kn_states_solvable(game, error) : status;
}

static KnStatus suits_sequences(const KnGame *game, KnError *error)
{
    KnStatus status = kn_temporal_suits(game, error);
    return status == KN_OK ? kn_states_solvable(game, error) : status;
}

static void add_player(const char *name, const char *file, KnText *spec)
{
    kn_text_printf(spec, "%s(knowledge=", name);
    kn_text_add_quoted(spec, file);
    kn_text_add_char(spec, ')');
}

static void hoyle_player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    add_player("hoyle", file, spec);
}

static void sequences_player(const KnOptions *options, const char *file, KnText *spec)
{
    (void)options;
    add_player("seqlearner", file, spec);
}

static const KnOption hoyle_options[] = {
    {"sequences", KN_OPTION_CHOICE, "rote", 0, 0, "none|rote|imitate",
     "temporal patterns by rote: none, TP-Rote's trees, or its table of states and moves"},
    {"in", KN_OPTION_CHOICE, "increasing", 0, 0, "increasing|double|playing",
     "it watches ever better agents against the best, that twice, or plays against them itself"},
    {"watch", KN_OPTION_INTEGER, "30", 1, 1000, NULL, "contests with each agent at the end of the course"},
    {"test", KN_OPTION_INTEGER, "50", 10, 1000, NULL, "contests of each test"},
    {0}};

static const KnOption sequences_options[] = {
    {"method", KN_OPTION_CHOICE, "sitact", 0, 0, "context|sitact",
     "TP-Context learns sequences, TP-Sitact breaks them up into single actions"},
    {"watch", KN_OPTION_INTEGER, "40", 1, 1000, NULL,
     "contests of each of the eight tournaments that it watches, at the end of the course"},
    {"test", KN_OPTION_INTEGER, "50", 10, 1000, NULL, "contests of each test"},
    {0}};

static const char measures[] =
    "The share of contests that are not lost against perfect play, in a test where nothing is learned.";

const KnLearner kn_learner_hoyle = {
    .head = {"hoyle",
             "Advisors' weights, useful knowledge and sequences, from contests of experts (Lock 2003)",
             hoyle_options},
    .x = "contests",
    .y = "reliability",
    .measures = measures,
    .low = 0,
    .high = 1,
    .chance = NAN,
    .file = "knowledge.json",
    .suits = suits_hoyle,
    .player = hoyle_player,
};

const KnLearner kn_learner_sequences = {
    .head = {"sequences",
             "sequences of moves that foresee the expert, with the boards where they begin (Lock 2003)",
             sequences_options},
    .x = "contests",
    .y = "reliability",
    .measures = measures,
    .low = 0,
    .high = 1,
    .chance = NAN,
    .file = "knowledge.json",
    .suits = suits_sequences,
    .player = sequences_player,
};
