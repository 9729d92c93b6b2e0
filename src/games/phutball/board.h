/* The layout of Phutball positions. Only for files of this folder. */
#ifndef KNACK_GAMES_PHUTBALL_BOARD_H
#define KNACK_GAMES_PHUTBALL_BOARD_H

#include "games/game.h"

enum { PHUT_WIDTH = 15, PHUT_HEIGHT = 19, PHUT_LINES = PHUT_HEIGHT + 2, PHUT_FEATURES = 11 };

/* Lines are numbered from the top, 1 to the height; 0 and height + 1 are beyond the goal lines and never hold
 * a man. Columns are numbered from 1, one bit each, so a look beyond the side finds 0. */
typedef struct KnPhutPosition {
    uint64_t men_hash;
    uint16_t men[PHUT_LINES];
    uint8_t x, y; /* the ball */
    uint8_t mover;
    uint8_t jumping; /* the mover has jumped in this turn and may jump again */
    uint8_t zero[2];
} KnPhutPosition;

typedef struct KnPhutRules {
    int width, height;
    uint64_t keys[PHUT_LINES][PHUT_WIDTH + 1];
} KnPhutRules;

/* Moves: a man at (x, y), a jump in one of eight directions clockwise from north, or the end of the jumps. */
enum { PHUT_JUMP = 512, PHUT_STOP = PHUT_JUMP + 8 };
static inline KnMove phut_man(int x, int y) { return (KnMove)(y * 16 + x); }

static const int8_t phut_dx[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int8_t phut_dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};

static inline const KnPhutRules *phut_rules(const KnGame *game) { return game->data; }

static inline bool phut_man_at(const KnPhutPosition *p, int x, int y) { return p->men[y] >> x & 1; }

/* Whether a turn has ended with the ball on or beyond a goal line. */
static inline bool phut_over(const KnPhutRules *rules, const KnPhutPosition *p)
{
    return !p->jumping && (p->y <= 1 || p->y >= rules->height);
}

/* Distance of the ball, in lines, from the line where a role scores. */
static inline int phut_distance(const KnPhutRules *rules, int role, int y)
{
    int distance = role ? rules->height - y : y - 1;
    return distance < 0 ? 0 : distance;
}

/* The landing point of a jump; false if there is no jump in this direction. */
static inline bool phut_landing(const KnPhutRules *rules, const KnPhutPosition *p, int direction, int *to_x,
                                int *to_y)
{
    int dx = phut_dx[direction], dy = phut_dy[direction], x = p->x + dx, y = p->y + dy;
    if (!phut_man_at(p, x, y)) return false;
    do x += dx, y += dy;
    while (phut_man_at(p, x, y));
    *to_x = x;
    *to_y = y;
    return x >= 1 && x <= rules->width;
}

void kn_phut_play(const KnGame *game, void *position, KnMove move);
void kn_phut_complete(const KnPhutRules *rules, KnPhutPosition *p); /* computes the hash */
KnStatus kn_phut_check(const KnGame *game, const void *position, KnError *error);

/* text.c */
void kn_phut_move_text(const KnGame *game, const void *position, KnMove move, KnText *out);
KnStatus kn_phut_parse_move(const KnGame *game, const void *position, const char *text, KnMove *move,
                            KnError *error);
void kn_phut_position_text(const KnGame *game, const void *position, KnText *out);
KnStatus kn_phut_parse_position(const KnGame *game, const char *text, void *position, KnError *error);
void kn_phut_draw(const KnGame *game, const void *position, bool colour, KnText *out);

/* knowledge.c */
extern const KnFeature kn_phut_features[PHUT_FEATURES];
extern const KnGameEvaluation kn_phut_evaluations[];
void kn_phut_feature_values(const KnGame *game, const void *position, int role, double *values);
int kn_phut_tactical(const KnGame *game, const void *position, KnMove *moves, bool *may_stand);

#endif
