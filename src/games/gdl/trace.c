#include "games/gdl/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include <knack/base.h>

typedef struct Replay {
    KnGdlMachine *machine;
    int roles;
    size_t words;
    uint64_t *state;
    uint64_t *moves; /* buffer for one role */
    KnGdlTrace *trace;
    KnError *error;
} Replay;

static KnStatus differs(const Replay *r, const char *where, const char *what, const char *mine,
                        const char *theirs)
{
    return kn_fail(r->error, KN_NO, "%s: %s is %s, in the reference %s", where, what, mine, theirs);
}

static KnStatus number_differs(const Replay *r, const char *where, const char *what, int64_t mine,
                               int64_t theirs)
{
    char a[32], b[32];
    snprintf(a, sizeof a, "%" PRId64, mine);
    snprintf(b, sizeof b, "%" PRId64, theirs);
    return differs(r, where, what, mine < 0 ? "none" : a, theirs < 0 ? "none" : b);
}

/* ---- One state ---- */

static KnStatus compare_facts(Replay *r, const KnJson *at, const char *key, const char *where)
{
    const char *theirs;
    KnStatus status = kn_json_string(at, key, &theirs, r->error);
    if (status != KN_OK) return status;
    KnText facts = KN_TEXT_EMPTY;
    char mine[9];
    kn_gdl_state_text(r->machine, r->state, "\n", &facts);
    snprintf(mine, sizeof mine, "%08x", kn_crc32(0, facts.data, facts.length));
    for (size_t i = 0; i < facts.length; i++)
        if (facts.data[i] == '\n') facts.data[i] = ' ';
    if (strcmp(mine, theirs) != 0) {
        status = differs(r, where, "the checksum of the state", mine, theirs);
        kn_fail(r->error, KN_NO,
                "%s: the state's checksum is %s, in the reference %s; the state here is %.600s", where, mine,
                theirs, facts.data);
    }
    kn_text_free(&facts);
    r->trace->states += status == KN_OK;
    return status;
}

static KnStatus compare_goals(Replay *r, const KnJson *at, const char *key, const char *where)
{
    KnJson goals;
    KnStatus status = kn_json_array(at, key, &goals, r->error);
    if (status == KN_OK && kn_json_size(&goals) != (size_t)r->roles)
        return kn_json_fail(&goals, NULL, r->error, "a goal for each role is wanted");
    for (int role = 0; role < r->roles && status == KN_OK; role++) {
        KnJson item = kn_json_item(&goals, (size_t)role);
        int64_t theirs = -1;
        int mine;
        if (!json_is_null(item.value)) status = kn_json_integer(&item, NULL, 0, 100, &theirs, r->error);
        if (status == KN_OK) status = kn_gdl_goal(r->machine, r->state, role, &mine, r->error);
        char what[40];
        snprintf(what, sizeof what, "the goal of role %d", role + 1);
        if (status == KN_OK && mine != theirs) status = number_differs(r, where, what, mine, theirs);
    }
    return status;
}

static KnStatus compare_terminal(Replay *r, const KnJson *at, const char *key, const char *where)
{
    bool mine, theirs;
    KnStatus status = kn_json_bool(at, key, &theirs, r->error);
    if (status == KN_OK) status = kn_gdl_is_terminal(r->machine, r->state, &mine, r->error);
    if (status == KN_OK && mine != theirs)
        status = differs(r, where, "terminal", mine ? "true" : "false", theirs ? "true" : "false");
    return status;
}

static KnStatus compare_counts(Replay *r, const KnJson *at, const char *key, const char *where)
{
    KnJson counts;
    if (!kn_json_has(at, key)) return KN_OK;
    KnStatus status = kn_json_array(at, key, &counts, r->error);
    if (status == KN_OK && kn_json_size(&counts) != (size_t)r->roles)
        return kn_json_fail(&counts, NULL, r->error, "a count for each role is wanted");
    for (int role = 0; role < r->roles && status == KN_OK; role++) {
        KnJson item = kn_json_item(&counts, (size_t)role);
        int64_t theirs;
        int mine;
        char what[60];
        snprintf(what, sizeof what, "the number of legal moves of role %d", role + 1);
        status = kn_json_integer(&item, NULL, 0, INT32_MAX, &theirs, r->error);
        if (status == KN_OK) status = kn_gdl_legal(r->machine, r->state, role, r->moves, &mine, r->error);
        if (status == KN_OK && mine != theirs) status = number_differs(r, where, what, mine, theirs);
    }
    return status;
}

/* ---- The initial state ---- */

static KnStatus compare_roles(Replay *r, const KnJson *root)
{
    KnJson roles;
    const KnGdlDescription *description = kn_gdl_machine_description(r->machine);
    KnStatus status = kn_json_array(root, "roles", &roles, r->error);
    if (status == KN_OK && kn_json_size(&roles) != (size_t)r->roles)
        return number_differs(r, "roles", "their number", r->roles, (int64_t)kn_json_size(&roles));
    for (int role = 0; role < r->roles && status == KN_OK; role++) {
        KnJson item = kn_json_item(&roles, (size_t)role);
        const char *theirs;
        KnText mine = KN_TEXT_EMPTY;
        status = kn_json_string(&item, NULL, &theirs, r->error);
        kn_term_text(&description->symbols, &description->terms, description->roles[role], &mine);
        if (status == KN_OK && strcmp(mine.data, theirs) != 0)
            status = differs(r, "roles", "one", mine.data, theirs);
        kn_text_free(&mine);
    }
    return status;
}

/* Checks that the reference's sorted moves of a role are the legal ones. */
static KnStatus compare_move_names(Replay *r, const KnJson *names, int role)
{
    int count;
    KnStatus status = kn_gdl_legal(r->machine, r->state, role, r->moves, &count, r->error);
    KnText mine = KN_TEXT_EMPTY;
    for (size_t i = 0; i < kn_json_size(names) && status == KN_OK; i++) {
        KnJson item = kn_json_item(names, i);
        const char *theirs;
        bool found = false;
        status = kn_json_string(&item, NULL, &theirs, r->error);
        for (int m = 0; m < count && !found && status == KN_OK; m++) {
            kn_text_clear(&mine);
            kn_gdl_move_text(r->machine, r->moves[m], &mine);
            found = strcmp(mine.data, theirs) == 0;
        }
        if (status == KN_OK && !found)
            status = differs(r, "init", "a move of the reference", "not legal", theirs);
    }
    kn_text_free(&mine);
    return status;
}

static KnStatus compare_start(Replay *r, const KnJson *root)
{
    KnStatus status = kn_gdl_start(r->machine, r->state, r->error);
    if (status == KN_OK) status = compare_facts(r, root, "init_crc32", "init");
    if (status == KN_OK) status = compare_terminal(r, root, "init_terminal", "init");
    if (status == KN_OK) status = compare_goals(r, root, "init_goals", "init");
    if (status == KN_OK) status = compare_counts(r, root, "init_legal_count", "init");
    KnJson legal;
    if (status != KN_OK || !kn_json_has(root, "init_legal")) return status;
    status = kn_json_array(root, "init_legal", &legal, r->error);
    for (int role = 0; status == KN_OK && role < r->roles && (size_t)role < kn_json_size(&legal); role++) {
        KnJson item = kn_json_item(&legal, (size_t)role), names;
        if (json_is_null(item.value)) continue;
        status = kn_json_array(&item, NULL, &names, r->error);
        if (status == KN_OK) status = compare_move_names(r, &names, role);
    }
    return status;
}

/* ---- Games ---- */

static KnStatus find_move(Replay *r, int role, const char *name, const char *where, uint64_t *move)
{
    int count;
    KnStatus status = kn_gdl_legal(r->machine, r->state, role, r->moves, &count, r->error);
    KnText text = KN_TEXT_EMPTY;
    bool found = false;
    for (int i = 0; i < count && status == KN_OK && !found; i++) {
        kn_text_clear(&text);
        kn_gdl_move_text(r->machine, r->moves[i], &text);
        found = strcmp(text.data, name) == 0;
        if (found) *move = r->moves[i];
    }
    kn_text_free(&text);
    if (status == KN_OK && !found) status = differs(r, where, "a move that was played", "not legal", name);
    return status;
}

static KnStatus play(Replay *r, const KnJson *step, const char *where)
{
    KnJson moves;
    uint64_t joint[KN_GDL_ROLES];
    KnStatus status = kn_json_array(step, "move", &moves, r->error);
    if (status == KN_OK && kn_json_size(&moves) != (size_t)r->roles)
        return kn_json_fail(&moves, NULL, r->error, "a move for each role is wanted");
    for (int role = 0; role < r->roles && status == KN_OK; role++) {
        KnJson item = kn_json_item(&moves, (size_t)role);
        const char *name;
        status = kn_json_string(&item, NULL, &name, r->error);
        if (status == KN_OK) status = find_move(r, role, name, where, &joint[role]);
    }
    return status == KN_OK ? kn_gdl_next(r->machine, r->state, joint, r->state, r->error) : status;
}

static KnStatus compare_step(Replay *r, const KnJson *step, const char *where)
{
    int64_t theirs;
    size_t mine = 0;
    for (size_t w = 0; w < r->words; w++) mine += (size_t)__builtin_popcountll(r->state[w]);
    KnStatus status = kn_json_integer(step, "nfacts", 0, INT32_MAX, &theirs, r->error);
    if (status == KN_OK) status = compare_facts(r, step, "crc32", where);
    if (status == KN_OK && (int64_t)mine != theirs)
        status = number_differs(r, where, "the number of facts", (int64_t)mine, theirs);
    if (status == KN_OK) status = compare_goals(r, step, "goals", where);
    if (status == KN_OK) status = compare_terminal(r, step, "terminal", where);
    if (status == KN_OK) status = compare_counts(r, step, "nlegal", where);
    return status;
}

static KnStatus compare_game(Replay *r, const KnJson *game, size_t number)
{
    KnJson steps;
    KnStatus status = kn_json_array(game, "steps", &steps, r->error);
    if (status == KN_OK) status = kn_gdl_start(r->machine, r->state, r->error);
    for (size_t i = 0; i < kn_json_size(&steps) && status == KN_OK; i++) {
        KnJson step = kn_json_item(&steps, i);
        char where[64];
        snprintf(where, sizeof where, "game %zu, step %zu", number + 1, i);
        status = compare_step(r, &step, where);
        bool last = i + 1 == kn_json_size(&steps);
        if (status == KN_OK && !last) status = play(r, &step, where);
    }
    r->trace->games += status == KN_OK;
    return status;
}

/* ---- Perft ---- */

/* A set of hashes. */
typedef struct Seen {
    uint64_t *hashes; /* 0: free */
    size_t count, mask;
} Seen;

static bool seen_add(Seen *seen, uint64_t hash)
{
    if (!hash) hash = 1;
    if (seen->count * 2 >= seen->mask) {
        size_t size = seen->hashes ? (seen->mask + 1) * 2 : 1024;
        uint64_t *larger = calloc(size, sizeof *larger), *old = seen->hashes;
        if (!larger) return false;
        size_t old_size = old ? seen->mask + 1 : 0;
        *seen = (Seen){larger, 0, size - 1};
        for (size_t i = 0; i < old_size; i++)
            if (old[i]) seen_add(seen, old[i]);
        free(old);
    }
    for (size_t i = hash;; i++) {
        uint64_t *place = &seen->hashes[i & seen->mask];
        if (*place == hash) return true;
        if (*place) continue;
        *place = hash;
        seen->count++;
        return true;
    }
}

typedef struct Counting {
    Replay *replay;
    double deadline;
    uint64_t count;
    Seen seen;
    bool stopped;
} Counting;

static KnStatus count_tree(Counting *c, const uint64_t *state, int depth);

/* Enumerates the product of the roles' moves like an odometer. */
static KnStatus count_joint_moves(Counting *c, const uint64_t *state, int depth, uint64_t *const *moves,
                                  const int *counts)
{
    Replay *r = c->replay;
    int wheel[KN_GDL_ROLES] = {0};
    uint64_t joint[KN_GDL_ROLES], *after = malloc(r->words * sizeof *after);
    KnStatus status = after ? KN_OK : kn_fail_memory(r->error, "counting");
    for (bool more = true; more && status == KN_OK && !c->stopped;) {
        for (int role = 0; role < r->roles; role++) joint[role] = moves[role][wheel[role]];
        status = kn_gdl_next(r->machine, state, joint, after, r->error);
        if (status == KN_OK) status = count_tree(c, after, depth - 1);
        int role = 0;
        while (role < r->roles && ++wheel[role] == counts[role]) wheel[role++] = 0;
        more = role < r->roles;
    }
    free(after);
    return status;
}

static KnStatus count_tree(Counting *c, const uint64_t *state, int depth)
{
    Replay *r = c->replay;
    if (depth == 0) {
        c->count++;
        if (!seen_add(&c->seen, kn_gdl_state_hash(r->machine, state)))
            return kn_fail_memory(r->error, "counting");
        return KN_OK;
    }
    if (kn_clock_now() > c->deadline) c->stopped = true;
    bool terminal;
    KnStatus status = kn_gdl_is_terminal(r->machine, state, &terminal, r->error);
    if (status != KN_OK || terminal || c->stopped) return status;
    uint64_t *moves[KN_GDL_ROLES] = {0};
    int counts[KN_GDL_ROLES], least = 1;
    for (int role = 0; role < r->roles && status == KN_OK; role++) {
        status = kn_gdl_legal(r->machine, state, role, r->moves, &counts[role], r->error);
        if (status != KN_OK) break;
        if (counts[role] < least) least = counts[role];
        moves[role] = malloc((size_t)(counts[role] + 1) * sizeof **moves);
        if (!moves[role])
            status = kn_fail_memory(r->error, "counting");
        else
            memcpy(moves[role], r->moves, (size_t)counts[role] * sizeof **moves);
    }
    if (status == KN_OK && least > 0) status = count_joint_moves(c, state, depth, moves, counts);
    for (int role = 0; role < r->roles; role++) free(moves[role]);
    return status;
}

static KnStatus compare_depth(Replay *r, const KnJson *root, const KnJson *perft, int depth, double deadline)
{
    Counting counting = {.replay = r, .deadline = deadline};
    KnJson distinct, item = kn_json_item(perft, (size_t)depth - 1);
    uint64_t theirs;
    char where[32];
    snprintf(where, sizeof where, "perft %d", depth);
    uint64_t *start = malloc(r->words * sizeof *start);
    KnStatus status = start ? kn_json_uint64(&item, NULL, &theirs, r->error)
                            : kn_fail_memory(r->error, "counting");
    if (status == KN_OK) status = kn_gdl_start(r->machine, start, r->error);
    if (status == KN_OK) status = count_tree(&counting, start, depth);
    if (counting.stopped) r->trace->stopped = true;
    if (status == KN_OK && !counting.stopped) {
        if (counting.count != theirs)
            status = number_differs(r, where, "the number of sequences", (int64_t)counting.count,
                                    (int64_t)theirs);
        else if (kn_json_has(root, "perft_distinct_states") &&
                 kn_json_array(root, "perft_distinct_states", &distinct, NULL) == KN_OK &&
                 (size_t)depth <= kn_json_size(&distinct)) {
            item = kn_json_item(&distinct, (size_t)depth - 1);
            status = kn_json_uint64(&item, NULL, &theirs, r->error);
            if (status == KN_OK && theirs != counting.seen.count)
                status = number_differs(r, where, "the number of different states",
                                        (int64_t)counting.seen.count, (int64_t)theirs);
        }
        r->trace->depths += status == KN_OK;
    }
    free(counting.seen.hashes);
    free(start);
    return status;
}

static KnStatus compare_perft(Replay *r, const KnJson *root, double seconds)
{
    KnJson perft;
    if (!kn_json_has(root, "perft")) return KN_OK;
    KnStatus status = kn_json_array(root, "perft", &perft, r->error);
    if (status != KN_OK) return status;
    double deadline = kn_clock_now() + seconds;
    r->trace->depths_given = (int)kn_json_size(&perft);
    for (int depth = 1; depth <= r->trace->depths_given && status == KN_OK && !r->trace->stopped; depth++)
        status = compare_depth(r, root, &perft, depth, deadline);
    return status;
}

/* ---- The whole ---- */

static KnStatus compare_all(Replay *r, const KnJson *root, double seconds)
{
    KnJson games;
    KnStatus status = compare_roles(r, root);
    if (status == KN_OK) status = compare_start(r, root);
    if (status == KN_OK) status = kn_json_array(root, "playouts", &games, r->error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&games); i++) {
        KnJson game = kn_json_item(&games, i);
        status = compare_game(r, &game, i);
    }
    return status == KN_OK ? compare_perft(r, root, seconds) : status;
}

KnStatus kn_gdl_trace(KnGdlMachine *machine, const char *path, double seconds, KnGdlTrace *trace,
                      KnError *error)
{
    json_t *document;
    *trace = (KnGdlTrace){0};
    KnStatus status = kn_json_load_file(path, &document, error);
    if (status != KN_OK) return status;
    Replay replay = {.machine = machine,
                     .roles = kn_gdl_machine_description(machine)->role_count,
                     .words = kn_gdl_machine_words(machine),
                     .trace = trace,
                     .error = error};
    replay.state = calloc(replay.words, sizeof *replay.state);
    replay.moves = calloc((size_t)kn_gdl_machine_moves(machine), sizeof *replay.moves);
    KnJson root = kn_json_root(document, path);
    status = replay.state && replay.moves ? compare_all(&replay, &root, seconds)
                                          : kn_fail_memory(error, "replaying a reference");
    free(replay.state);
    free(replay.moves);
    json_decref(document);
    return status;
}
