#include "players/board_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How people speak about a feature. `unit` only orders what is said: about how many men one more is worth,
 * negative where more of it is bad. `keep` is said where both positions have `full` of it. */
typedef struct Phrase {
    const char *feature;
    double unit;
    const char *more, *fewer;
    bool counted; /* people want to know from how many to how many */
    const char *keep;
    double full;
} Phrase;

/* A row with its last fields at rest. */
#define SAY(feature, unit, more, fewer)                                                                      \
    {                                                                                                        \
        feature, unit, more, fewer, false, NULL, 0                                                           \
    }
#define COUNT(feature, unit, more, fewer)                                                                    \
    {                                                                                                        \
        feature, unit, more, fewer, true, NULL, 0                                                            \
    }

static const Phrase phrases[] = {
    /* draughts */
    SAY("own centre pieces", 0.08, "takes more of the centre", "gives up part of the centre"),
    SAY("their centre pieces", -0.08, "lets the opponent into the centre",
        "drives the opponent from the centre"),
    {"own base control", 0.15, "closes the back rank", "opens the back rank", false,
     "keeps the back rank closed", 2},
    SAY("their base control", -0.15, "lets the opponent close the back rank",
        "opens the opponent's back rank"),
    SAY("own mobile pieces", 0.04, "frees own men", "ties down own men"),
    SAY("their mobile pieces", -0.04, "frees the opponent's men", "ties down the opponent's men"),
    SAY("own crown1", 0.5, "gets a man within one step of crowning", "loses the step to the king row"),
    SAY("own crown2", 0.3, "gets a man a free way to the king row", "loses a free way to the king row"),
    SAY("own crown3", 0.15, "gets a man a free way to the king row", "loses a free way to the king row"),
    SAY("their lonely men", 0.06, "leaves the opponent a man on its own", "lets the opponent's men join up"),
    SAY("own triangle trap", -0.4, "gets a piece shut in the corner", "frees a piece from the corner"),
    SAY("their triangle trap", 0.4, "shuts a piece in the corner", "lets a piece out of the corner"),
    /* the features of the draughts evaluation that is learned */
    SAY("free mobility", 0, "frees men to move in safety", "leaves fewer men that can move in safety"),
    SAY("back row", 0, "strengthens the back rank", "weakens the back rank"),
    SAY("centrality", 0, "takes more of the centre", "gives up part of the centre"),
    SAY("advancement", 0, "gains ground", "loses ground"),
    SAY("angle", 0, "makes the men support each other", "leaves men without support"),
    SAY("shadow", 0, "blocks the opponent's men", "unblocks the opponent's men"),
    SAY("balance", 0, "balances the two wings", "crowds one wing"),
    SAY("frozen", 0, "freezes the opponent's men", "gets own men frozen"),
    SAY("loose men", 0, "leaves the opponent's men loose", "leaves own men loose"),
    SAY("man", 0, "comes out ahead in men", "comes out behind in men"),
    SAY("king", 0, "comes out ahead in kings", "comes out behind in kings"),
    /* Othello */
    SAY("corners", 3, "takes a corner", "loses a corner"),
    SAY("their corners", -3, "gives the opponent a corner", "takes back a corner"),
    SAY("x squares", -0.8, "stands diagonally beside an empty corner", "leaves the square beside the corner"),
    SAY("their x squares", 0.8, "gets the opponent beside an empty corner",
        "lets the opponent leave the square beside the corner"),
    SAY("c squares", -0.3, "stands beside an empty corner on the edge", "clears the edge beside the corner"),
    SAY("their c squares", 0.3, "gets the opponent beside an empty corner on the edge",
        "lets the opponent clear the edge beside the corner"),
    COUNT("stable", 0.3, "makes discs safe for good", "loses safe discs"),
    COUNT("their stable", -0.3, "lets the opponent make discs safe for good",
          "breaks the opponent's safe discs"),
    SAY("edges", 0.15, "takes more of the edge", "gives up part of the edge"),
    SAY("their edges", -0.15, "lets the opponent onto the edge", "drives the opponent from the edge"),
    COUNT("frontier", -0.05, "exposes more discs", "hides discs from attack"),
    COUNT("their frontier", 0.05, "exposes more of the opponent's discs", "lets the opponent hide discs"),
    COUNT("mobility", 0.12, "wins choice of moves", "leaves fewer moves to choose from"),
    COUNT("their mobility", -0.12, "gives the opponent more moves", "leaves the opponent fewer moves"),
    /* morris */
    SAY("mills", 0.8, "closes a mill", "opens a mill"),
    SAY("their mills", -0.8, "lets the opponent close a mill", "breaks the opponent's mill"),
    SAY("open mills", 0.4, "threatens to close a mill", "gives up an open mill"),
    SAY("their open mills", -0.4, "leaves the opponent an open mill", "stops the opponent's open mill"),
    SAY("double mills", 0.8, "sets up a double mill", "gives up a double mill"),
    SAY("their double mills", -0.8, "lets the opponent set up a double mill",
        "stops the opponent's double mill"),
    SAY("blocked", -0.15, "gets own men blocked", "frees blocked men"),
    SAY("their blocked", 0.15, "blocks the opponent's men", "lets the opponent's blocked men go"),
    /* lines of men */
    SAY("open lines", 0.2, "opens another line", "loses an open line"),
    SAY("their open lines", -0.2, "leaves the opponent another line", "closes a line of the opponent"),
    SAY("centre", 0.3, "takes the centre", "gives up the centre"),
    SAY("winning cells", 3, "threatens to win at once", "gives up a threat to win"),
    SAY("their winning cells", -3, "lets the opponent threaten to win", "stops a threat to win"),
    SAY("rows of 4", 2, "makes a row of four", "gives up a row of four"),
    SAY("their rows of 4", -2, "lets the opponent make a row of four", "stops a row of four"),
    SAY("rows of 3", 0.6, "makes a row of three", "gives up a row of three"),
    SAY("their rows of 3", -0.6, "lets the opponent make a row of three", "stops a row of three"),
    SAY("rows of 2", 0.1, "makes rows of two", "gives up rows of two"),
    SAY("their rows of 2", -0.1, "lets the opponent make rows of two", "stops rows of two"),
    /* Go */
    SAY("atari", -0.8, "leaves own stones in atari", "saves stones from atari"),
    SAY("their atari", 0.8, "puts stones in atari", "lets stones out of atari"),
    COUNT("territory", 0.2, "makes territory", "loses territory"),
    COUNT("their territory", -0.2, "lets the opponent make territory", "reduces the opponent's territory"),
    COUNT("influence", 0.05, "claims more empty points", "claims fewer empty points"),
    COUNT("their influence", -0.05, "lets the opponent claim more empty points",
          "leaves the opponent fewer empty points"),
    COUNT("liberties", 0.04, "gains liberties", "loses liberties"),
    COUNT("their liberties", -0.04, "leaves the opponent more liberties",
          "takes liberties from the opponent"),
    /* phutball */
    COUNT("reach", -0.2, "keeps the ball farther from the goal", "brings the goal into reach"),
    COUNT("their reach", 0.2, "keeps the ball from the own goal",
          "brings the own goal into the opponent's reach"),
    SAY("forward jumps", 0.1, "gives the ball more ways forward", "blocks the way forward"),
};

static const Phrase *phrase_of(const char *feature)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (strcmp(phrases[i].feature, feature) == 0) return &phrases[i];
    return NULL;
}

const char *kn_feature_words(const char *feature, bool good)
{
    const Phrase *phrase = phrase_of(feature);
    return !phrase ? NULL : good == (phrase->unit >= 0) ? phrase->more : phrase->fewer;
}

/* ---- men ---- */

static const char *number_of(int count, const char *one, const char *many, KnArena *arena)
{
    static const char *const words[] = {"no", "a", "two", "three", "four", "five", "six"};
    const char *noun = count == 1 ? one : many;
    return count <= 6 ? kn_arena_printf(arena, "%s %s", words[count], noun)
                      : kn_arena_printf(arena, "%d %s", count, noun);
}

/* The change of the first of these features that the game has; 0 if it has none. */
static int gained(const KnGame *game, const double *then, const double *now, const char *name,
                  const char *other)
{
    for (int i = 0; i < game->feature_count; i++)
        if (strcmp(game->features[i].name, name) == 0 || strcmp(game->features[i].name, other) == 0)
            return (int)lrint(now[i] - then[i]);
    return 0;
}

static void add(KnBoardChange *changes, int *count, const char *words, double size)
{
    if (*count < KN_BOARD_CHANGES && words) changes[(*count)++] = (KnBoardChange){words, size};
}

/* Men won, lost, exchanged and crowned. */
static void compare_men(const KnGame *game, const double *then, const double *now, KnArena *arena,
                        KnBoardChange *changes, int *count)
{
    if (!game->type->material || strcmp(game->type->head.name, "go") == 0) return;
    int crowned = gained(game, then, now, "own kings", "own kings"),
        their_crowned = gained(game, then, now, "their kings", "their kings"),
        lost = -(gained(game, then, now, "own men", "men") + crowned),
        won = -(gained(game, then, now, "their men", "their men") + their_crowned);
    const char *own = lost > 0 ? number_of(lost, "man", "men", arena) : "",
               *their = won > 0 ? number_of(won, "man", "men", arena) : "";
    if (won > 0 && lost > 0)
        add(changes, count,
            kn_arena_printf(arena,
                            won == lost  ? "exchanges %s for %s"
                            : won > lost ? "gives %s for %s"
                                         : "gives up %s for %s",
                            own, their),
            won == lost ? 0.3 : 2.0 * (won - lost));
    else if (won > 0)
        add(changes, count, kn_arena_printf(arena, "wins %s", their), 2.0 * won);
    else if (lost > 0)
        add(changes, count, kn_arena_printf(arena, "gives up %s", own), -2.0 * lost);
    if (crowned > 0) add(changes, count, "crowns a man", crowned);
    if (their_crowned > 0) add(changes, count, "lets the opponent crown a man", -their_crowned);
}

static int larger_first(const void *a, const void *b)
{
    double x = fabs(((const KnBoardChange *)a)->size), y = fabs(((const KnBoardChange *)b)->size);
    return x != y ? (x < y) - (x > y)
                  : strcmp(((const KnBoardChange *)a)->words, ((const KnBoardChange *)b)->words);
}

/* The index of the same feature of the opponent; -1: there is none. */
static int counterpart(const KnGame *game, int feature)
{
    const char *name = game->features[feature].name;
    if (strncmp(name, "own ", 4) == 0) name += 4;
    for (int i = 0; i < game->feature_count; i++)
        if (strncmp(game->features[i].name, "their ", 6) == 0 &&
            strcmp(game->features[i].name + 6, name) == 0)
            return i;
    return -1;
}

/* Where both sides gain the same, or both lose it, only the difference is worth a word: the larger change is
 * said, at the size of the difference. */
static void balance(const KnGame *game, const Phrase *const *spoken, double *by, double *size)
{
    for (int i = 0; i < game->feature_count; i++) {
        int other = spoken[i] && strncmp(game->features[i].name, "their ", 6) != 0 ? counterpart(game, i)
                                                                                   : -1;
        if (other < 0 || !spoken[other] || size[i] * size[other] >= 0) continue;
        double both = size[i] + size[other];
        int fades = fabs(size[i]) < fabs(size[other]) ? i : other;
        by[fades] = size[fades] = 0;
        size[fades == i ? other : i] = both;
        if (both == 0) by[i] = by[other] = 0;
    }
}

int kn_board_changes(const KnGame *game, const void *before, const void *after, int role, KnArena *arena,
                     KnBoardChange *changes)
{
    if (!game->type->feature_values || !game->feature_count) return 0;
    double then[game->feature_count], now[game->feature_count];
    int count = 0;
    game->type->feature_values(game, before, role, then);
    game->type->feature_values(game, after, role, now);
    compare_men(game, then, now, arena, changes, &count);
    const Phrase *spoken[game->feature_count];
    double by[game->feature_count], size[game->feature_count];
    for (int i = 0; i < game->feature_count; i++) {
        spoken[i] = phrase_of(game->features[i].name);
        by[i] = now[i] - then[i];
        size[i] = spoken[i] ? by[i] * spoken[i]->unit : 0;
        /* As by the first stone, which reaches every point of the board. */
        if (fabs(by[i]) > (game->features[i].high - game->features[i].low) / 2 && spoken[i] &&
            spoken[i]->counted)
            size[i] = 0;
    }
    balance(game, spoken, by, size);
    for (int i = 0; i < game->feature_count; i++) {
        const Phrase *phrase = spoken[i];
        if (phrase && phrase->keep && now[i] == then[i] && now[i] >= phrase->full)
            add(changes, &count, phrase->keep, 0.05);
        if (!phrase || size[i] == 0) continue;
        const char *words = by[i] > 0 ? phrase->more : phrase->fewer;
        add(changes, &count,
            phrase->counted ? kn_arena_printf(arena, "%s (%g, before %g)", words, now[i], then[i]) : words,
            size[i]);
    }
    qsort(changes, (size_t)count, sizeof *changes, larger_first);
    return count;
}

bool kn_board_sentence(const KnBoardChange *changes, int count, KnText *out)
{
    const KnBoardChange *good[2], *bad = NULL;
    int praised = 0;
    for (int i = 0; i < count; i++) {
        if (changes[i].size > 0 && praised < 2) good[praised++] = &changes[i];
        if (changes[i].size < 0 && !bad) bad = &changes[i];
    }
    for (int i = 0; i < praised; i++) kn_text_printf(out, "%s%s", i ? " and " : "", good[i]->words);
    if (bad) kn_text_printf(out, "%s%s", praised ? ", but " : "", bad->words);
    return praised || bad;
}
