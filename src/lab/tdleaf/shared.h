/* What the experiments on TDLeaf (Schaeffer, Hlynka and Jussila 2001) share: tables that end games, training
 * kept in files, matches. */
#ifndef KNACK_LAB_TDLEAF_SHARED_H
#define KNACK_LAB_TDLEAF_SHARED_H

#include "methods/tdleaf/train.h"
#include "lab/experiment.h"

/* A parameter of all of them. */
#define KN_TDLEAF_PIECES                                                                                     \
    {                                                                                                        \
        "pieces", 3, 6,                                                                                      \
            "Endgame tables that end games. Six pieces, as in the paper, take a quarter of an hour of one "  \
            "core to build, five a minute; they are built first."                                            \
    }

/* A training, by name: its file is DATA/lab/weights/NAME.SCALE.SEED.json. Experiments that ask for the same
 * one share it. */
typedef struct KnTdleafTraining {
    char name[40];
    int depth;
    bool taught;  /* by chinook-original at the same depth; else self-play */
    bool by_side; /* sets black and white; else one for both */
    uint64_t games;
    const char *family; /* trainings of one family have the same seed, and one may go on from another's file
                           `from`; NULL: none */
    const char *from;
    uint64_t counted; /* games of that one */
} KnTdleafTraining;

/* The paper's training, from the original weights as a teacher of the same depth or in self-play: as many
 * games as the parameter "training" says, with a set of weights for each side. */
KnTdleafTraining kn_tdleaf_training(const KnLabRun *run, bool taught, int depth);

/* Where one plays: tables (built on first use, up to the parameter "pieces") and
 * openings. */
typedef struct KnTdleafField {
    KnText tables;
} KnTdleafField;

KnStatus kn_tdleaf_open(KnLabRun *run, KnTdleafField *field, KnError *error);
void kn_tdleaf_close(KnTdleafField *field);

/* Trains, or goes on, or finds it done; fills `path` with the file. */
KnStatus kn_tdleaf_train(KnLabRun *run, const KnTdleafField *field, const KnTdleafTraining *training,
                         KnText *path, KnError *error);

/* A match of two evaluations' weights ("chinook-original", or a file with a set) at a depth. */
typedef struct KnTdleafMatch {
    const char *key;
    const char *weights, *set; /* of the first; set NULL: by the role that searches */
    const char *other;         /* weights of the second; NULL: chinook-original */
    int depth;
    uint64_t games;
    bool held_out; /* from the held-out positions; else the three-ply openings */
} KnTdleafMatch;

KnStatus kn_tdleaf_match(KnLabRun *run, const KnTdleafField *field, const KnTdleafMatch *match,
                         KnStanding *standing, KnError *error);

/* The share of points of the first, and wins less losses by game, with the interval of matches: both sides of
 * an opening are one sample, and draws make it narrower. */
KnMeasure kn_tdleaf_points(const KnStanding *standing);
KnMeasure kn_tdleaf_margin(const KnStanding *standing);
/* A sum of such shares of independent matches, each times its weight. */
KnMeasure kn_tdleaf_contrast(const KnStanding *standings, const double *weights, int count);

/* A cell of the published table. At the middle scale its note says at which depth it was measured; at the
 * quick scale it is not comparable, for being measured with few games at depths that are far lower. `how`
 * says the depth: "at 9 plies". */
KnStatus kn_tdleaf_cell(KnLabRun *run, const char *row, const char *column, KnMeasure measure,
                        const char *how, KnError *error);

extern const KnInterpretation kn_tdleaf_interpretations[]; /* of all of them */

#endif
