/* Sweeps: a command runs once for each setting of an option, `--sweep depth=2,4,6`. Several sweeps make a
 * grid; the last one varies fastest.
 *
 * {NAME} in an argument stands for the setting. If it stands nowhere, NAME is an option of the first player
 * or of a player inside it (match), or of the learner (train). Points run one after the other. The results
 * store or the training runs keep them, so that the same command continues after an interruption. At the end
 * the grid is printed with intervals, written as JSON and drawn as SVG. */
#ifndef KNACK_CLI_SWEEP_H
#define KNACK_CLI_SWEEP_H

#include <argp.h>

#include "cli/cli.h"

enum { SWEEP_AXES = 4, SWEEP_VALUES = 32, SWEEP_POINTS = 400 };

typedef struct SweepAxis {
    char name[48];
    char values[SWEEP_VALUES][64];
    int count;
} SweepAxis;

typedef struct Sweep {
    SweepAxis axes[SWEEP_AXES];
    int count; /* 0: no sweep */
} Sweep;

#define SWEEP_HELP "Repeat for each of these settings and compare; give it several times for all combinations"

/* "depth=2,4,6": adds an axis; exits through argp_error where it makes no sense. Values may hold parentheses,
 * with commas in them. */
void sweep_parse(Sweep *sweep, const char *text, struct argp_state *state);
/* The same without argp. */
KnStatus sweep_read(Sweep *sweep, const char *text, KnError *error);

int sweep_points(const Sweep *sweep);
const char *sweep_value(const Sweep *sweep, int point, int axis);
void sweep_label(const Sweep *sweep, int point, KnText *out); /* "depth=2 k=4" */

/* Adds `text` with every {NAME} replaced; marks the axes that occurred in *used (a bit each). */
void sweep_fill(const Sweep *sweep, int point, const char *text, unsigned *used, KnText *out);

/* Sets an option of a player's spec: its own, or, where it has none of that name, that of a player or
 * evaluation inside it. */
KnStatus sweep_set(const KnContext *context, const char *spec, const char *name, const char *value,
                   KnText *out, KnError *error);

/* What a point came to. */
typedef struct SweepCell {
    double value, low, high;
    double cost; /* positions a move, or NAN */
} SweepCell;

/* Prints the grid, and writes FOLDER/NAME.json and FOLDER/NAME.svg (no picture, with a word about it, where
 * gnuplot is missing). */
KnStatus sweep_show(const Sweep *sweep, const SweepCell *cells, const char *title, const char *measure,
                    const char *folder, const char *name, const CliCommon *common, KnError *error);

#endif
