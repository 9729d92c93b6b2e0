/* Experience before search (De Jong and Schultz 1988): a player that remembers the outcomes of the positions
 * it met, and asks its inner player only where that does not help. The rules are in move_rule.c, the base in
 * base.h.
 *
 * With `learn` every finished game is added when it ends, seen from both sides. A game that was decided
 * before its end by somebody's fault or by a judge is not added: its last position does not have the value
 * that was paid. With group=N games wait in memory until N of them are committed together; a crash loses
 * those that wait, and the player does not know of them before. */
#include "methods/experience/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/math.h"
#include "methods/experience/expected_value.h"
#include "methods/experience/move_rule.h"
#include "methods/experience/explain.h"
#include "methods/experience/trust_rule.h"
#include "methods/registry.h"

enum { FEW = 4 /* `expect`: below this number of games a position's value is their mean */ };

/* What a search said of the best new move, to be noted when the game is added. */
typedef struct Note {
    KnMove move;
    KnScore score;
    int depth;
    unsigned char *position;
} Note;

/* Which game it was, and against whom. */
typedef struct Met {
    uint64_t id; /* 0: the arena gave none */
    char *opponent;
} Met;

typedef struct Experience {
    KnBase *base;
    KnRule rule;
    KnTrustRule *trusting; /* of rule=trust */
    int role, made;        /* own moves in the game, for it */
    void *before;          /* the position before the last move, for check_unknown */
    bool moved;            /* there is one */
    bool learns;
    size_t group;
    KnState **waiting; /* games not yet committed */
    double *outcomes;
    Met *met; /* of the games that wait */
    size_t waiting_count;
    Note *notes;
    size_t note_count, note_room;
    KnExperienceTally tally;
} Experience;

/* ---- learning ---- */

static void forget_notes(Experience *e)
{
    for (size_t i = 0; i < e->note_count; i++) free(e->notes[i].position);
    e->note_count = 0;
}

static void forget_waiting(Experience *e)
{
    for (size_t i = 0; i < e->waiting_count; i++) {
        kn_state_free(e->waiting[i]);
        free(e->met[i].opponent);
    }
    e->waiting_count = 0;
    forget_notes(e);
}

static KnStatus remember(Experience *e, const KnGame *game, const void *position, KnMove move, KnScore score,
                         int depth, KnError *error)
{
    if (e->note_count == e->note_room) {
        size_t room = e->note_room ? e->note_room * 2 : 16;
        Note *larger = realloc(e->notes, room * sizeof *larger);
        if (!larger) return kn_fail_memory(error, "noting a search");
        e->notes = larger;
        e->note_room = room;
    }
    Note *note = &e->notes[e->note_count];
    *note = (Note){move, score, depth, aligned_alloc(16, (game->position_size + 15) & ~(size_t)15)};
    if (!note->position) return kn_fail_memory(error, "noting a search");
    memcpy(note->position, position, game->position_size);
    e->note_count++;
    return KN_OK;
}

static KnStatus commit(Experience *e, KnError *error)
{
    if (!e->waiting_count) return KN_OK;
    KnStatus status = kn_base_begin(e->base, error);
    if (status != KN_OK) return status;
    for (size_t i = 0; i < e->waiting_count && status == KN_OK; i++) {
        const Met *met = &e->met[i];
        KnBasePlay play = {met->id, met->opponent};
        status = kn_base_add(e->base, e->waiting[i], e->outcomes[i], &play, NULL, error);
    }
    for (size_t i = 0; i < e->note_count && status == KN_OK; i++)
        status = kn_base_note(e->base, e->notes[i].position, e->notes[i].move, e->notes[i].score,
                              e->notes[i].depth, error);
    if (status == KN_OK) status = kn_base_commit(e->base, error);
    forget_waiting(e);
    return status;
}

static KnState *copy_state(const KnState *state)
{
    KnState *copy = kn_state_new(kn_state_game(state));
    if (!copy) return NULL;
    kn_state_reset(copy, kn_state_position_at(state, 0));
    for (size_t ply = 0; ply < kn_state_plies(state); ply++)
        if (kn_state_play_joint(copy, kn_state_joint_at(state, ply), NULL) != KN_OK) {
            kn_state_free(copy);
            return NULL;
        }
    return copy;
}

static KnStatus learn(const KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    Experience *e = player->data;
    const KnGame *game = kn_state_game(state);
    bool drawn = payoffs[0] == (game->payoff_low + game->payoff_high) / 2;
    if (!kn_state_plies(state) || (!kn_state_over(state, NULL) && !drawn)) {
        forget_notes(e);
        return KN_OK;
    }
    KN_ASSERT(e->waiting_count < e->group);
    Met *met = &e->met[e->waiting_count];
    *met = (Met){.id = player->game_id};
    e->waiting[e->waiting_count] = copy_state(state);
    if (!e->waiting[e->waiting_count] || (player->opponent && !(met->opponent = strdup(player->opponent)))) {
        kn_state_free(e->waiting[e->waiting_count]);
        return kn_fail_memory(error, "keeping a game");
    }
    e->outcomes[e->waiting_count++] = kn_base_outcome(state, payoffs);
    return e->waiting_count < e->group ? KN_OK : commit(e, error);
}

/* ---- life ---- */

static KnStatus open_base(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Experience *e = player->data;
    KnBaseKind kind = {.symmetry = kn_option_flag(options, "symmetry"),
                       .key = (KnBaseKey)kn_option_choice(options, "key"),
                       .limit = (uint64_t)kn_option_real(options, "limit")};
    unsigned mode = e->learns ? KN_BASE_MAKE | KN_BASE_WRITE : 0;
    if (!kn_option_flag(options, "sync")) mode |= KN_BASE_LOOSE;
    KnText path = KN_TEXT_EMPTY;
    kn_context_file(player->context, kn_option_string(options, "base"), &path);
    KnStatus status = kn_text_ok(&path) ? kn_base_open(player->context, player->game, path.data, mode, &kind,
                                                       &e->base, error)
                                        : kn_fail_memory(error, "opening a player");
    kn_text_free(&path);
    return status;
}

static KnStatus open_trust(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Experience *e = player->data;
    const char *file = kn_option_string(options, "file");
    bool given = file && *file;
    if (given != (e->rule.rule == KN_RULE_LEARNED))
        return kn_fail(error, KN_INPUT,
                       "rule=trust goes with file=..., a policy made by `knack train trust`, and "
                       "no other rule does");
    if (!given) return KN_OK;
    return kn_trust_rule_open(player, file, kn_option_string(options, "base"),
                              kn_option_real(options, "doubt"), &e->trusting, error);
}

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    Experience *e = player->data = calloc(1, sizeof *e);
    if (!e) return kn_fail_memory(error, "opening a player");
    e->before = aligned_alloc(16, (player->game->position_size + 15) & ~(size_t)15);
    if (!e->before) return kn_fail_memory(error, "opening a player");
    e->rule = (KnRule){.rule = (KnExperienceRule)kn_option_choice(options, "rule"),
                       .tolerance = kn_option_real(options, "tolerance"),
                       .content = kn_option_real(options, "content"),
                       .recall = kn_option_flag(options, "recall"),
                       .curiosity = kn_option_real(options, "curiosity"),
                       .weight = kn_option_real(options, "weight"),
                       .others = kn_option_real(options, "others"),
                       .ahead = (int)kn_option_integer(options, "ahead")};
    e->learns = kn_option_flag(options, "learn");
    e->group = (size_t)kn_option_integer(options, "group");
    e->waiting = calloc(e->group, sizeof(KnState *));
    e->outcomes = calloc(e->group, sizeof *e->outcomes);
    e->met = calloc(e->group, sizeof *e->met);
    if (!e->waiting || !e->outcomes || !e->met) return kn_fail_memory(error, "opening a player");
    KnStatus status = kn_player_wrap(player, kn_option_spec(options, "inner"), error);
    if (status == KN_OK) status = open_base(player, options, error);
    if (status == KN_OK) status = open_trust(player, options, error);
    if (status != KN_OK) return status;
    if (kn_base_format(e->base) < KN_BASE_FORMAT)
        kn_player_add_note(
            player, "the experience base is of an older format, in which each distinct game counts once, "
                    "however often it was played");
    if (e->learns) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    return KN_OK;
}

static void close(KnPlayer *player)
{
    Experience *e = player->data;
    if (!e) return;
    if (e->base) commit(e, NULL);
    forget_waiting(e);
    free(e->before);
    free(e->waiting);
    free(e->outcomes);
    free(e->met);
    free(e->notes);
    kn_base_close(e->base);
    kn_trust_rule_close(e->trusting);
    free(e);
}

static KnStatus begin(KnPlayer *player, int role, const void *position, KnError *error)
{
    Experience *e = player->data;
    e->role = role;
    e->made = 0;
    e->moved = false;
    KnStatus status = kn_base_against(e->base, player->opponent, error);
    if (status != KN_OK) return status;
    return kn_player_begin(player->inner, role, position, error);
}

static KnStatus observe(KnPlayer *player, const KnState *state, const KnMove *joint, KnError *error)
{
    Experience *e = player->data;
    const KnGame *game = kn_state_game(state);
    e->made += joint[e->role] != KN_MOVE_NONE;
    e->moved = true;
    memcpy(e->before, kn_state_position_at(state, kn_state_plies(state) - 1), game->position_size);
    return kn_player_observe(player->inner, state, joint, error);
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    Experience *e = player->data;
    KnStatus status = kn_player_end(player->inner, state, payoffs, error);
    if (status == KN_OK && e->learns) status = learn(player, state, payoffs, error);
    return status;
}

/* ---- choosing ---- */

typedef struct Choice {
    KnBaseMove *rows;
    KnBaseView view;
    KnRuleDecision decision;
    KnTrustChoice trust; /* leaf 0: no policy was asked */
    const char *how;     /* for the explanation */
} Choice;

static void play_known(const Choice *choice, int place, double value, KnAnswer *answer)
{
    answer->move = choice->rows[place].move;
    answer->has_score = true;
    answer->score = (KnScore)(value * 100);
    answer->has_values = answer->payoffs = false;
    answer->log_odds = 0;
}

/* The inner player, restricted to what is new where it can be restricted; Sets *fresh if its move is new. */
static KnStatus ask_inner(KnPlayer *inner, const KnRequest *request, const Choice *choice, bool restricted,
                          KnAnswer *answer, bool *fresh, KnError *error)
{
    KnMove allowed[request->allowed_count];
    KnRequest ask = *request;
    if (restricted && inner->traits & KN_PLAYER_RESTRICTS) {
        ask.allowed_count = 0;
        for (int i = 0; i < choice->view.count; i++)
            if (!choice->rows[i].explored) allowed[ask.allowed_count++] = choice->rows[i].move;
        ask.allowed = allowed;
        ask.wants &= ~(unsigned)KN_WANT_VALUES; /* they would be those of other moves */
    }
    KnStatus status = inner->type->choose(inner, &ask, answer, error);
    *fresh = true;
    for (int i = 0; i < choice->view.count; i++)
        if (choice->rows[i].move == answer->move && choice->rows[i].explored) *fresh = false;
    return status;
}

/* After a search whose advice is not followed. */
static void ignore_advice(const Choice *choice, KnAnswer *answer)
{
    play_known(choice, choice->decision.best, choice->decision.value, answer);
    answer->explanation = NULL;
}

/* Each move's value: what was searched counts for `weight` games, what is expected from outcomes for as many
 * as there were. */
static KnStatus blend(KnPlayer *player, const KnRequest *request, Choice *choice, KnAnswer *answer,
                      KnError *error)
{
    Experience *e = player->data;
    const KnGame *game = request->game;
    int count = choice->view.count, best = -1;
    KnScore scores[count];
    KnRequest ask = *request;
    KnAnswer advice = *answer;
    ask.wants |= KN_WANT_VALUES;
    advice.values = scores;
    KnStatus status = player->inner->type->choose(player->inner, &ask, &advice, error);
    if (status != KN_OK) return status;
    KnExpect expect = {e->base, game, request->role, e->rule.weight, FEW, e->rule.others};
    double spread = kn_math_log((double)choice->view.games + 1),
           curiosity = e->rule.curiosity * kn_rule_max_points(game), highest = -INFINITY, worth = 0;
    _Alignas(16) unsigned char next[game->position_size];
    for (int i = 0; i < count && status == KN_OK; i++) {
        const KnBaseMove *row = &choice->rows[i];
        bool advised = row->move == advice.move;
        if (!row->explored && !advice.has_values && !advised) continue;
        KnEvidence evidence = row->explored ? kn_evidence(&expect, row) : (KnEvidence){0};
        double n = evidence.games, found = 0, weight = e->rule.weight, searched = 0;
        if (advice.has_values)
            searched = kn_rule_points(game, scores[i]);
        else if (advised && advice.has_score)
            searched = kn_rule_points(game, advice.score);
        else
            weight = advised ? weight : 0;
        if (n > 0) {
            memcpy(next, request->position, game->position_size);
            game->type->play(game, next, row->move);
            status = kn_expect(&expect, next, evidence, e->rule.ahead, &found, error);
        }
        double value = (n * found + weight * searched) / (n + weight),
               bound = value + curiosity * sqrt(spread / (n + 1));
        if (best >= 0 && (bound < highest || (bound == highest && !advised))) continue;
        best = i, highest = bound, worth = value;
    }
    if (status != KN_OK) return status;
    bool followed = choice->rows[best].move == advice.move;
    KnScore *room = answer->values;
    *answer = advice;
    answer->values = room;
    play_known(choice, best, worth, answer);
    if (!followed) answer->explanation = NULL;
    if (followed)
        e->tally.searched++;
    else
        e->tally.ignored++;
    return KN_OK;
}

static KnStatus trust(KnPlayer *player, const KnRequest *request, Choice *choice, KnAnswer *answer,
                      KnError *error)
{
    Experience *e = player->data;
    KnStatus status = kn_trust_rule_decide(e->trusting, e->base, request, choice->rows, &choice->view,
                                           e->made, &choice->trust, error);
    if (status != KN_OK) return status;
    if (choice->trust.trusted) {
        choice->how = "the best known move, over which a search gains too little, by what was learned";
        play_known(choice, choice->trust.entry.best, choice->trust.entry.value, answer);
        e->tally.from_base++;
        return KN_OK;
    }
    choice->how = "a search gains enough over the known move, by what was learned: the inner player chose";
    e->tally.searched++;
    return player->inner->type->choose(player->inner, request, answer, error);
}

static KnStatus consult(KnPlayer *player, const KnRequest *request, Choice *choice, KnAnswer *answer,
                        KnExperienceTally *tally, KnError *error)
{
    Experience *e = player->data;
    KnRuleAction action = choice->decision.action;
    KnStatus status = KN_OK;
    bool fresh;
    choice->how = choice->decision.why;
    if (action == KN_RULE_REPEAT) {
        play_known(choice, choice->decision.best, choice->decision.value, answer);
        tally->from_base++;
        return KN_OK;
    }
    if (action == KN_RULE_BLEND) return blend(player, request, choice, answer, error);
    if (action == KN_RULE_TRUST) return trust(player, request, choice, answer, error);
    if (action == KN_RULE_LEAF) {
        for (int i = 0; i < choice->view.count; i++)
            if (choice->rows[i].move == choice->view.leaf)
                play_known(choice, i, kn_rule_points(request->game, choice->view.leaf_score), answer);
        tally->from_base++;
        return KN_OK;
    }
    status = ask_inner(player->inner, request, choice, action != KN_RULE_ASK, answer, &fresh, error);
    if (status != KN_OK) return status;
    bool follow = fresh;
    if (action == KN_RULE_WEIGH && fresh) {
        follow = !answer->has_score ||
                 kn_rule_deviates(&e->rule, request->game, answer->score, choice->decision.value);
        if (!follow && e->learns)
            status = remember(e, request->game, request->position, answer->move, answer->score, answer->depth,
                              error);
    }
    if (follow) {
        tally->searched++;
        return status;
    }
    if (action == KN_RULE_ASK && e->rule.recall && e->learns)
        status = remember(e, request->game, request->position, answer->move, answer->score, answer->depth,
                          error);
    choice->how = fresh ? "the inner player's best new move was searched, and promises less"
                        : "the inner player was asked, and named a known move: ignored";
    ignore_advice(choice, answer);
    tally->ignored++;
    return status;
}

/* A position that was never met: or has a damaged file lost it? Its parent, if known, still has it as a
 * child. */
static KnStatus check_unknown(const Experience *e, const KnGame *game, KnError *error)
{
    KnMove moves[game->max_moves];
    KnBaseMove rows[game->max_moves];
    KnBaseView view;
    return kn_base_look(e->base, e->before, moves, game->type->moves(game, e->before, moves), rows, &view,
                        error);
}

static KnStatus decide(KnPlayer *player, const KnRequest *request, Choice *choice, KnAnswer *answer,
                       KnError *error)
{
    Experience *e = player->data;
    KnStatus status = kn_base_look(e->base, request->position, request->allowed, request->allowed_count,
                                   choice->rows, &choice->view, error);
    if (status == KN_OK && !choice->view.known && e->moved) status = check_unknown(e, request->game, error);
    if (status != KN_OK) return status;
    if (request->allowed_count == 1) {
        e->tally.forced++;
        choice->how = "there is only one move";
        answer->move = request->allowed[0];
        return KN_OK;
    }
    if (!choice->view.explored) {
        e->tally.searched++;
        choice->how = choice->view.known ? "no move was tried here: the inner player chose"
                                         : "never met before: the inner player chose";
        return player->inner->type->choose(player->inner, request, answer, error);
    }
    kn_rule_apply(&e->rule, request->game, request->role, choice->rows, &choice->view, &choice->decision);
    return consult(player, request, choice, answer, &e->tally, error);
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    KnBaseMove rows[request->allowed_count];
    Choice choice = {.rows = rows};
    KnStatus status = decide(player, request, &choice, answer, error);
    if (status != KN_OK || !(request->wants & KN_WANT_EXPLANATION)) return status;
    kn_explain_experience(request, rows, &choice.view, choice.how, answer);
    const Experience *e = player->data;
    if (choice.trust.leaf) kn_trust_rule_explain(e->trusting, request, &choice.trust, answer);
    return status;
}

static KnStatus suits(const KnGame *game, KnError *error) { return kn_base_suits(game, error); }

static const KnOption options[] = {
    {"inner", KN_OPTION_SPEC, NULL, 0, 0, "player",
     "the player that is asked where experience does not help"},
    {"base", KN_OPTION_STRING, NULL, 0, 0, KN_OPTION_FILE, "the file that holds the experience"},
    {"rule", KN_OPTION_CHOICE, "gina", 0, 0, KN_RULE_NAMES_ALL,
     "the paper's; new moves where only bad ones are known; by searched values of new moves; by visits; by "
     "averages; by a learned policy"},
    {"learn", KN_OPTION_FLAG, "no", 0, 0, NULL, "add every finished game; makes the file if there is none"},
    {"recall", KN_OPTION_FLAG, "no", 0, 0, NULL,
     "gina: note advice that was ignored, and do not ask for it again"},
    {"tolerance", KN_OPTION_REAL, "0", -1000, 1000, NULL,
     "deviate: points by which a new move must promise more"},
    {"content", KN_OPTION_REAL, "0", -1000, 1000, NULL,
     "deviate: a known move of more points than this is played immediately"},
    {"curiosity", KN_OPTION_REAL, "0.1", 0, 1000, NULL, "curious: the weight of what is little known"},
    {"weight", KN_OPTION_REAL, "4", 1e-3, 1e6, NULL, "expect: games that a searched value counts for"},
    {"ahead", KN_OPTION_INTEGER, "4", 0, 20, NULL,
     "expect: plies of known positions that outcomes are averaged over"},
    {"others", KN_OPTION_REAL, "1", 0, 1, NULL,
     "expect: what a game against another opponent counts for, beside one against the opponent of now"},
    {"group", KN_OPTION_INTEGER, "1", 1, 10000, NULL,
     "games committed together; up to one less than this wait in memory"},
    {"sync", KN_OPTION_FLAG, "yes", 0, 0, NULL,
     "wait until a game is on the disk; without, a loss of power may lose the file"},
    {"symmetry", KN_OPTION_FLAG, "yes", 0, 0, NULL, "of a new file: images of a position are one"},
    {"key", KN_OPTION_CHOICE, "exact", 0, 0, "exact|board|features",
     "of a new file: what distinguishes positions"},
    {"limit", KN_OPTION_REAL, "0", 0, 4e9, NULL,
     "of a new file: positions held; games longest not seen are forgotten; 0 for all"},
    {"file", KN_OPTION_STRING, "", 0, 0, KN_OPTION_FILE, "for rule=trust, made by `knack train trust`"},
    {"doubt", KN_OPTION_REAL, "0.02", -1, 1, NULL,
     "trust: the threshold; a known move is played without a search if a search gains at most this part of a "
     "point there on average"},
    {0}};

const KnPlayerType kn_player_experience = {
    .head = {"experience", "remembers games, and asks another player only where that does not help", options},
    .suits = suits,
    .open = open,
    .close = close,
    .begin = begin,
    .observe = observe,
    .choose = choose,
    .end = end,
};

const KnExperienceTally *kn_experience_tally(const KnPlayer *player)
{
    return player->type == &kn_player_experience ? &((const Experience *)player->data)->tally : NULL;
}

KnBase *kn_experience_base(const KnPlayer *player)
{
    return player->type == &kn_player_experience ? ((const Experience *)player->data)->base : NULL;
}
