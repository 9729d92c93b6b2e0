#include "methods/widening/capture_making.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/arena.h"
#include "base/hash.h"
#include <knack/base.h>
#include "games/go/capture.h"
#include "methods/widening/capture_self_play.h"
#include "methods/widening/capture_solver.h"
#include "methods/widening/capture_volumes.h"

enum {
    PROOF_NODES = 12000, /* for an answer, and for each first move */
    GRADE_NODES = 12000,
    TABLE_BITS = 12, /* small, because each of the many searches begins with an empty table */
    LIBERTIES_MOST = 4,
    VOLUME2_NODES = 60, /* of strategy 1: the second volume begins here */
    VOLUME3_NODES = 600,
    LOSS_EVERY = 6, /* every sixth problem has the answer no */
    GAMES_MOST = 400000
};

static const int sizes[] = {9, 9, 13, 9, 9, 13, 9, 19};

/* ---- proving ---- */

typedef struct Maker {
    KnProofSearch *proof, *grade; /* strategy 10, strategy 1 */
} Maker;

static KnStatus open_maker(Maker *m, KnError *error)
{
    KnProofOptions proof = {.nodes = PROOF_NODES, .table_bits = TABLE_BITS},
                   grade = {.strategy = 1, .nodes = GRADE_NODES, .table_bits = TABLE_BITS};
    *m = (Maker){0};
    KnStatus status = kn_proof_new(&proof, &m->proof, error);
    return status == KN_OK ? kn_proof_new(&grade, &m->grade, error) : status;
}

static void close_maker(Maker *m)
{
    kn_proof_free(m->proof);
    kn_proof_free(m->grade);
}

/* The verdict if it is proved without a ko, otherwise unproved. */
static KnProofVerdict verdict_without_ko(Maker *m, KnCapture *c, KnProofAnswer *answer)
{
    kn_proof_run(m->proof, &c->goal, answer);
    return answer->ko ? KN_UNPROVED : answer->verdict;
}

/* All first moves that are proven to succeed. *complete: all others are proven to fail. */
static void list_moves(Maker *m, KnCapture *c, const KnGame *game, KnMove *moves, int *count, bool *complete)
{
    int all[KN_GOAL_MOVES_MAX], legal = c->goal.type->legal(&c->goal, all);
    bool attacking = c->goal.attacking;
    KN_ASSERT(legal >= 0 && legal <= KN_GOAL_MOVES_MAX);
    *count = 0, *complete = true;
    for (int i = 0; i < legal; i++) {
        KnProofAnswer answer;
        if (!c->goal.type->play(&c->goal, all[i])) continue;
        KnProofVerdict verdict = verdict_without_ko(m, c, &answer);
        c->goal.type->undo(&c->goal);
        bool succeeds = verdict == (attacking ? KN_PROVED : KN_DISPROVED);
        if (verdict == KN_UNPROVED || (succeeds && *count == KN_PROBLEM_MOVES))
            *complete = false;
        else if (succeeds)
            moves[(*count)++] = kn_strings_move(c->strings, game, all[i]);
    }
}

/* Plies of the capture: 1, 3 or 5, as the definitions gi1 to gi3 find it; 0: they find none so short. */
static int plies_of(KnCapture *c)
{
    KnGoalCount played = {0};
    for (int k = 1; k <= KN_GOAL_THREATS; k++)
        if (kn_proof_gi(&c->goal, k, &played)) return 2 * k - 1;
    return 0;
}

/* Fills a problem if the target is one of the wanted kind. The board does not change. */
static bool try_target(Maker *m, KnCapture *c, bool loss, bool defend, KnCaptureProblem *problem)
{
    KnProofAnswer attack, defence;
    kn_capture_turn(c, true);
    KnProofVerdict first = verdict_without_ko(m, c, &attack);
    if (first == KN_UNPROVED || (first == KN_DISPROVED && !(loss && !defend))) return false;
    if (first == KN_PROVED && loss && !defend) return false;
    kn_capture_turn(c, false);
    if (loss && !defend) { /* safe even if the attacker moves first: a problem only if it needs some search */
        problem->nodes = attack.nodes;
        return attack.nodes >= VOLUME2_NODES;
    }
    KnProofVerdict second = verdict_without_ko(m, c, &defence);
    if (second != (loss ? KN_PROVED : KN_DISPROVED)) return false;
    kn_capture_turn(c, true);
    problem->plies = plies_of(c);
    if (problem->plies == 1) return false;
    if (loss) {
        problem->nodes = defence.nodes;
        return true;
    }
    KnProofAnswer grade;
    kn_proof_run(m->grade, &c->goal, &grade);
    problem->nodes = grade.verdict == KN_PROVED ? grade.nodes : GRADE_NODES;
    return true;
}

static int volume_of(const KnCaptureProblem *problem)
{
    return problem->nodes < VOLUME2_NODES ? 1 : problem->nodes < VOLUME3_NODES ? 2 : 3;
}

/* ---- problems up to reflection, rotation and colours ---- */

static uint64_t hash_image(const KnCapture *c, int symmetry)
{
    const KnStrings *s = c->strings;
    uint8_t cells[KN_GO_CELLS_MAX + 1];
    int size = s->size, target = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            int u = symmetry & 1 ? size - 1 - x : x, v = symmetry & 2 ? size - 1 - y : y;
            int to = symmetry & 4 ? u * size + v : v * size + u, point = kn_strings_point(s, x, y);
            KN_ASSERT(to >= 0 && to < size * size);
            int held = s->colour[point];
            cells[to] = (uint8_t)(held == KN_STONE_NONE ? 0 : held == c->defender ? 1 : 2);
            if (held != KN_STONE_NONE && s->head[point] == s->head[c->target] &&
                (target == 0 || to + 1 < target))
                target = to + 1;
        }
    return kn_hash64(cells, (size_t)(size * size), (uint64_t)target);
}

/* The least hash of the eight symmetric images. */
static uint64_t canonical_hash(const KnCapture *c)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 8; i++) {
        uint64_t h = hash_image(c, i);
        if (h < least) least = h;
    }
    return least;
}

/* ---- generating ---- */

typedef struct Set {
    const KnContext *context;
    KnGame *games[KN_GO_SIZE_MAX + 1];
    Maker maker;
    KnCaptureVolumes volumes;
    int counts[KN_CAPTURE_VOLUMES], losses[KN_CAPTURE_VOLUMES], found;
    uint64_t *seen;
    uint64_t seed;
} Set;

static bool seen_before(Set *set, uint64_t key)
{
    for (int i = 0; i < set->volumes.made; i++)
        if (set->seen[i] == key) return true;
    return false;
}

static KnStatus game_of(Set *set, int size, KnGame **game, KnError *error)
{
    char spec[64];
    KN_ASSERT(size >= 1 && size <= KN_GO_SIZE_MAX);
    snprintf(spec, sizeof spec, "go(size=%d, superko=none)", size);
    *game = set->games[size];
    if (*game) return KN_OK;
    KnStatus status = kn_game_open(set->context, spec, &set->games[size], error);
    *game = set->games[size];
    return status;
}

/* Lists the moves of a problem and writes it. */
static KnStatus finish(Set *set, KnCapture *c, KnCaptureProblem *problem, uint64_t index, KnError *error)
{
    char id[64];
    int point = c->target;
    _Alignas(16) unsigned char position[problem->game->position_size];
    problem->target = kn_strings_y(c->strings, point) * c->strings->size + kn_strings_x(c->strings, point);
    KnText vertex = KN_TEXT_EMPTY;
    problem->game->type->cell_name(problem->game, problem->target, &vertex);
    snprintf(id, sizeof id, "s%llu-%llu-%.4s", (unsigned long long)set->seed, (unsigned long long)index,
             vertex.data);
    kn_text_free(&vertex);
    problem->id = id, problem->position = position;
    bool attacking = problem->attack;
    kn_capture_turn(c, attacking);
    if (problem->answer > 0) {
        list_moves(&set->maker, c, problem->game, problem->moves, &problem->count, &problem->complete);
        if (!problem->count) return KN_OK; /* no first move could be proved alone: skip it */
    } else
        problem->complete = true;
    int mover = (attacking ? KN_STONE_OTHER(c->defender) : c->defender) - 1;
    KnStatus status = kn_capture_position(c->strings, problem->game, mover, position, error);
    if (status != KN_OK) return status;
    int volume = problem->volume - 1;
    KN_ASSERT(volume >= 0 && volume < KN_CAPTURE_VOLUMES);
    kn_problem_write(problem, &set->volumes.lines[volume]);
    kn_text_add_char(&set->volumes.lines[volume], '\n');
    set->counts[volume]++, set->losses[volume] += problem->answer < 0;
    set->seen[set->volumes.made++] = canonical_hash(c);
    return KN_OK;
}

/* Whether a volume still needs a problem of this kind. */
static bool wanted(const Set *set, int volume, bool loss)
{
    int quota = set->volumes.quota[volume - 1], losses = quota / LOSS_EVERY;
    return loss ? set->losses[volume - 1] < losses
                : set->counts[volume - 1] - set->losses[volume - 1] < quota - losses;
}

KnCaptureQuestion kn_capture_question(uint64_t index)
{
    uint64_t turn = index / (sizeof sizes / sizeof *sizes);
    KnCaptureQuestion question = {.size = sizes[index % (sizeof sizes / sizeof *sizes)],
                                  .loss = turn % LOSS_EVERY == 0,
                                  .defend = index / 2 % 2};
    if (question.size == KN_GO_SIZE_MAX)
        question.defend = (turn + turn / LOSS_EVERY) % 2; /* one game in eight: all kinds in turn */
    return question;
}

static KnStatus from_game(void *user, uint64_t index, KnError *error)
{
    Set *set = user;
    KnRng rng = kn_rng_stream(set->seed, index);
    KnCaptureQuestion question = kn_capture_question(index);
    int size = question.size;
    bool loss = question.loss, defend = question.defend;
    KnGame *game;
    KnStatus status = game_of(set, size, &game, error);
    if (status != KN_OK) return status;
    KnStrings *s = kn_capture_self_play(size, &rng);
    _Alignas(16) unsigned char position[game->position_size];
    if (!s) return kn_fail_memory(error, "making problems");
    status = kn_capture_position(s, game, 0, position, error);
    int from = (int)kn_rng_below(&rng, (uint32_t)(size * size)), made = set->volumes.made;
    for (int i = 0; i < size * size && status == KN_OK && set->volumes.made == made; i++) {
        int cell = (from + i) % (size * size), point = kn_strings_point(s, cell % size, cell / size);
        if (s->colour[point] == KN_STONE_NONE || s->head[point] != point) continue;
        if (s->string[point].liberties < 2 || s->string[point].liberties > LIBERTIES_MOST) continue;
        KnCapture *c;
        KnCaptureProblem problem = {.game = game, .attack = !defend, .answer = loss ? -1 : 1};
        status = kn_capture_open(game, position, cell, &c, error);
        if (status != KN_OK) break;
        if (try_target(&set->maker, c, loss, defend, &problem)) {
            problem.volume = volume_of(&problem);
            if (wanted(set, problem.volume, loss) && !seen_before(set, canonical_hash(c)))
                status = finish(set, c, &problem, index, error);
        }
        kn_capture_free(c);
    }
    kn_strings_free(s);
    return status;
}

KnStatus kn_capture_make(const KnContext *context, const KnCaptureMaking *making, KnText *out, KnError *error)
{
    Set set = {.context = context, .seed = making->seed, .volumes = kn_capture_volumes(making)};
    set.seen = calloc((size_t)making->problems + 1, sizeof *set.seen);
    KnStatus status = set.seen ? open_maker(&set.maker, error) : kn_fail_memory(error, "making problems");
    if (status == KN_OK)
        status = kn_capture_fill(making, &set.volumes, GAMES_MOST, from_game, &set, out, error);
    for (int i = 0; i <= KN_GO_SIZE_MAX; i++) kn_game_close(set.games[i]);
    close_maker(&set.maker);
    free(set.seen);
    return status;
}
