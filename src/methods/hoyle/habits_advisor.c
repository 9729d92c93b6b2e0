/* The advisor `habits`: the chance that an expert plays a move, from the games that were watched (habits.h).
 */
#include "eval/move_advisor.h"
#include "methods/hoyle/game_learner.h"
#include "methods/hoyle/habits.h"
#include "methods/registry.h"

static uint64_t chances(const KnMoveAdvisor *self, const void *position, const KnMove *moves, int count,
                        double *out)
{
    kn_habits_chances(kn_game_learner_habits_of(self->data), position, moves, count, out);
    return (uint64_t)count; /* each move was played to see what it does */
}

static void close(KnMoveAdvisor *self) { kn_game_learner_close(self->data); }

static KnStatus open(KnMoveAdvisor *advisor, const KnOptions *options, KnError *error)
{
    const char *file = kn_option_string(options, "knowledge");
    KnGameLearner *learner = NULL;
    KnText path = KN_TEXT_EMPTY;
    KnStatus status = kn_board_view_suits(advisor->game, error);
    if (status != KN_OK) return status;
    if (!file || !file[0])
        return kn_fail(error, KN_USAGE, "habits wants a file of `knack train sequences --method habits`");
    kn_context_file(advisor->context, file, &path);
    status = kn_text_ok(&path)
                 ? kn_game_learner_load(advisor->context, advisor->game, "habits", path.data, &learner, error)
                 : kn_fail_memory(error, "opening an advisor");
    kn_text_free(&path);
    advisor->data = learner;
    advisor->chances = chances;
    advisor->close = close;
    return status;
}

static const KnOption options[] = {{"knowledge", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE,
                                    "what `knack train sequences --method habits` has learned"},
                                   {0}};

const KnMoveAdvisorType kn_advisor_habits = {.head = {"habits", "what experts were seen to play", options},
                                             .open = open};
