/* Capture problems of Go, a JSON object a line:
 *
 *     {"id": "p1", "size": 9, "black": ["C3", ...], "white": [...], "ko": null, "to_move": "B",
 *      "target": "C3", "kind": "attack", "moves": ["D4"], "answer": "win", "plies": 5}
 *
 * `attack`: can the side to move capture the target; `defend`: can it save it. `answer` (win or loss, for the
 * side to move), `moves` (the accepted first ones), `plies`, `nodes`, `volume`, `complete`, `codes` (2 or 3
 * among them: it depends on a ko), `goal` (`first`: the first capture counts; `lasting`, the default: unless
 * it is taken back at once, games/go/capture.h) and `id` may be left out; other fields are ignored.
 *
 * Ownership: kn_problems_free frees the list, its texts and its games. */
#ifndef KNACK_FORMATS_PROBLEMS_H
#define KNACK_FORMATS_PROBLEMS_H

#include "games/go/go.h"

enum { KN_PROBLEM_MOVES = 64 };

typedef struct KnCaptureProblem {
    const char *id;
    const KnGame *game;
    void *position;
    int target;     /* a cell */
    bool attack;    /* the side to move wants it captured; else saved */
    bool ko;        /* the answer is known to depend on a ko */
    bool first;     /* the first capture counts, even if it is taken back at once */
    int answer;     /* 1 the side to move succeeds, -1 it does not, 0 not told */
    int plies;      /* 0 if not told */
    int volume;     /* of a graded set, from 1; 0 if not told */
    uint64_t nodes; /* what it took to solve when it was graded; 0 if not told */
    bool complete;  /* no other first move succeeds */
    int count;      /* of the accepted first moves; 0: any */
    KnMove moves[KN_PROBLEM_MOVES];
} KnCaptureProblem;

typedef struct KnCaptureProblems {
    KnCaptureProblem *list;
    size_t count;
    KnGame *games[KN_GO_SIZE_MAX + 1];
    KnArena *arena;
} KnCaptureProblems;

/* Reads all lines of a text, or SGF, which begins with a parenthesis; `name` stands in messages, with the
 * line. */
KnStatus kn_problems_read(const KnContext *context, const char *text, const char *name,
                          KnCaptureProblems **problems, KnError *error);

/* SGF: each tree is a problem. The target is a stone with a triangle (TR) on the main line, or the vertex
 * `target`; the side to move comes from PL, from the move before or after, or is the attacker.
 * Variations marked TE (or whose comment says RIGHT or Correct) begin with accepted moves. */
KnStatus kn_problems_read_sgf(const KnContext *context, const char *text, const char *name,
                              const char *target, KnCaptureProblems **problems, KnError *error);

/* The same from a file, or from a set that travels with the library: "captures" (capture_making.h) or
 * "certified" (capture_certified.h). `target` is for SGF only, and may be NULL. */
KnStatus kn_problems_load(const KnContext *context, const char *path, const char *target,
                          KnCaptureProblems **problems, KnError *error);
void kn_problems_free(KnCaptureProblems *problems);

/* The line of a problem, without the end of line. */
void kn_problem_write(const KnCaptureProblem *problem, KnText *out);

#endif
