#include "arena/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/match.h"
#include "base/json.h"

KnStatus kn_record_replay(const KnStandingRecord *record, KnState *state, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    if (!*record->start)
        kn_state_reset(state, NULL);
    else {
        void *position = aligned_alloc(16, (game->position_size + 15) & ~(size_t)15);
        KnStatus status = position ? game->type->parse_position(game, record->start, position, error)
                                   : kn_fail_memory(error, "replaying a game");
        if (status == KN_OK) kn_state_reset(state, position);
        free(position);
        if (status != KN_OK) return status;
    }
    return kn_replay(state, record->moves, error);
}

typedef struct Verify {
    const KnContext *context;
    bool replay;
    KnVerified *verified;
    int64_t id;
    char name[128];
    json_t *settings, *summary;
    double judge;
    KnGame *game;
    KnState *state;
    int roles[2];
    KnStanding standing;
} Verify;

static KnStatus note_run(void *user, const KnRun *run, KnError *error)
{
    Verify *v = user;
    v->id = run->id;
    v->verified->unchecked = run->unchecked;
    snprintf(v->name, sizeof v->name, "%s", run->name);
    KnStatus status = kn_json_load_bytes(run->settings, strlen(run->settings), "settings", &v->settings,
                                         error);
    if (status == KN_OK && run->summary[0])
        status = kn_json_load_bytes(run->summary, strlen(run->summary), "summary", &v->summary, error);
    return status;
}

static KnStatus open_game(Verify *v, KnError *error)
{
    const char *spec = json_string_value(json_object_get(v->settings, "game"));
    v->judge = json_number_value(json_object_get(v->settings, "judge"));
    KnStatus status = kn_game_open(v->context, spec ? spec : "?", &v->game, error);
    if (status == KN_OK) status = kn_match_roles(v->game, v->roles, error);
    if (status != KN_OK) return status;
    v->state = kn_state_new(v->game);
    return v->state ? KN_OK : kn_fail_memory(error, "replaying games");
}

/* The payoffs by role that a game which ended so must have; false if it cannot have ended so. */
static bool payoffs_of(const Verify *v, const KnStandingRecord *r, double *payoffs)
{
    const char *ending = r->ending;
    KnEnding found;
    bool over = kn_state_over(v->state, payoffs);
    if (strcmp(ending, "rules") == 0 || strcmp(ending, "history") == 0) return over;
    if (over) return false;
    if (strcmp(ending, "forfeit") == 0) {
        for (int seat = 0; seat < 2; seat++)
            payoffs[v->roles[seat]] = (seat ^ r->first) == r->culprit ? v->game->payoff_low
                                                                      : v->game->payoff_high;
        return r->culprit >= 0;
    }
    if (strcmp(ending, "resigned") == 0) { /* by the players' scores, which are not stored: one has lost */
        int loser = r->payoffs[0] < r->payoffs[1] ? 0 : 1;
        for (int seat = 0; seat < 2; seat++)
            payoffs[v->roles[seat]] = (seat ^ r->first) == loser ? v->game->payoff_low : v->game->payoff_high;
        return true;
    }
    bool agreed = strcmp(ending, "agreed") == 0; /* likewise, on a draw */
    kn_adjudicate(v->state, agreed ? 0 : v->judge, &found, payoffs);
    return strcmp(ending, "judge") != 0 || found == KN_ENDED_BY_JUDGE;
}

static KnStatus replay_game(Verify *v, const KnStandingRecord *r, KnError *error)
{
    KnStatus status = kn_record_replay(r, v->state, error);
    if (status == KN_OK && kn_state_plies(v->state) != r->plies)
        status = kn_fail(error, KN_INPUT, "%zu moves, and %" PRIu64 " are stated", kn_state_plies(v->state),
                         r->plies);
    if (status != KN_OK) return status;
    if (strcmp(r->ending, "tables") == 0) {
        v->verified->by_tables++;
        return KN_OK;
    }
    double payoffs[KN_ROLES_MAX] = {0};
    if (!payoffs_of(v, r, payoffs))
        return kn_fail(error, KN_INPUT, "by its moves it cannot have ended by \"%s\"", r->ending);
    for (int seat = 0; seat < 2; seat++) {
        double stored = r->payoffs[seat ^ r->first], wanted = payoffs[v->roles[seat]];
        if (stored != wanted)
            return kn_fail(error, KN_INPUT, "player %d has the payoff %g; by the moves it is %g",
                           (seat ^ r->first) + 1, stored, wanted);
    }
    v->verified->replayed++;
    return KN_OK;
}

static KnStatus verify_game(void *user, const KnStandingRecord *r, KnError *error)
{
    Verify *v = user;
    KnStatus status = KN_OK;
    if (r->index != v->verified->games)
        status = kn_fail(error, KN_INPUT, "game %" PRIu64 " is missing", v->verified->games);
    else if (v->replay && (status = replay_game(v, r, error)) != KN_OK)
        kn_fail_within(error, "game %" PRIu64, r->index);
    if (status != KN_OK) return status;
    v->verified->games++;
    kn_standing_add(&v->standing, r);
    return KN_OK;
}

/* The summary of a finished run is the sum of its games. Versions without checksums made their digest from -0
 * where the store gives back 0, so that theirs is not compared. */
static KnStatus check_summary(const Verify *v, KnError *error)
{
    const json_t *told = json_object_get(v->summary, "result");
    if ((uint64_t)json_integer_value(json_object_get(told, "games")) != v->standing.games) return KN_OK;
    static const char *const keys[] = {"digest", "wins", "draws", "losses", "score", "pairs"};
    json_t *counted = kn_standing_json(&v->standing);
    KnStatus status = counted ? KN_OK : kn_fail_memory(error, "counting games");
    for (size_t i = v->verified->unchecked ? 1 : 0; i < sizeof keys / sizeof *keys && status == KN_OK; i++)
        if (!json_equal(json_object_get(told, keys[i]), json_object_get(counted, keys[i])))
            status = kn_fail(error, KN_INPUT, "its summary has other %s than its games", keys[i]);
    json_decref(counted);
    return status;
}

KnStatus kn_verify_run(const KnContext *context, KnStore *store, const char *run, bool replay,
                       KnVerified *verified, KnError *error)
{
    *verified = (KnVerified){0};
    Verify v = {.context = context, .replay = replay, .verified = verified};
    kn_standing_start(&v.standing);
    KnStatus status = kn_store_find(store, run, note_run, &v, error);
    bool single_games = status == KN_OK && json_array_size(json_object_get(v.settings, "players")) == 2;
    if (status == KN_OK && replay && single_games) status = open_game(&v, error);
    v.replay = replay && single_games;
    if (status == KN_OK) status = kn_store_games(store, v.id, verify_game, &v, error);
    if (status == KN_OK && verified->games) status = check_summary(&v, error);
    if (status != KN_OK && v.name[0]) kn_fail_within(error, "run %s", v.name);
    kn_state_free(v.state);
    kn_game_close(v.game);
    json_decref(v.settings);
    json_decref(v.summary);
    return status;
}
