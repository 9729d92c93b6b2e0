#include "players/search_words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "players/board_words.h"
#include "players/search_explanation.h"

/* No evaluation in men comes near this; what lies beyond it is a payoff, spread over +-KN_SCORE_PAYOFF. */
static const double BEYOND_MEN = KN_SCORE_PAYOFF / 500.0;

enum {
    FORESEEN = 4,     /* moves of a sampled line that are more than chance */
    LEVEL_MEN = 15,   /* hundredths of a man that nobody would notice */
    LEVEL_PERCENT = 3 /* the same in percent of the points */
};

bool kn_score_chance(KnScore score, bool payoffs, double log_odds, double *chance)
{
    const double size = fabs((double)score);
    if (size >= KN_SCORE_KNOWN - KN_SCORE_HEURISTIC) return false; /* proven, or known by tables */
    if (log_odds != 0 && size < BEYOND_MEN)
        *chance = 0.5 + 0.5 * kn_math_tanh(score / log_odds);
    else if (payoffs || size > BEYOND_MEN)
        *chance = 0.5 + 0.5 * score / KN_SCORE_PAYOFF;
    else
        return false;
    return true;
}

bool kn_score_worth(const KnGame *game, KnScore score, bool playouts, const KnEvaluation *evaluation,
                    double *worth, const char **unit)
{
    if (score >= KN_SCORE_PROVEN || score <= -KN_SCORE_PROVEN ||
        fabs((double)score) >= KN_SCORE_KNOWN - KN_SCORE_HEURISTIC)
        return false;
    double chance;
    bool payoffs = playouts || (evaluation && evaluation->payoffs);
    if (kn_score_chance(score, payoffs, evaluation && !payoffs ? evaluation->log_odds : 0, &chance)) {
        *worth = 100 * chance;
        *unit = "% of the points";
    } else {
        *worth = score / 100.0;
        *unit = game->type->material && !game->type->points ? "men" : "points of its evaluation";
    }
    return true;
}

/* The position after the line, as far as the line can be trusted, and the number of its moves. */
static int follow(const KnGame *game, const void *position, const KnSearchResult *found, void *after)
{
    int count = found->pv_length;
    if (found->playouts && count > FORESEEN) count = FORESEEN;
    memcpy(after, position, game->position_size);
    for (int i = 0; i < count; i++) game->type->play(game, after, found->pv[i]);
    return count;
}

/* The first move of the line that somebody else makes; NULL if there is none. */
static const char *reply_of(const KnRequest *request, const KnGame *game, const void *position,
                            const KnSearchResult *found)
{
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memcpy(at, position, game->position_size);
    for (int i = 0; i < found->pv_length; i++) {
        int mover = game->type->mover(game, at);
        if (mover != request->role && mover != game->nature)
            return kn_game_move_name(game, at, found->pv[i], request->arena);
        game->type->play(game, at, found->pv[i]);
    }
    return NULL;
}

/* Where there is nothing to say about the board. */
static void say_best(const KnSearchResult *found, KnText *text)
{
    if (found->root_count == 1)
        kn_text_add(text, "was the move to look at");
    else if (found->mixed)
        kn_text_add(text, "was drawn by lot: the best is to mix moves");
    else
        kn_text_printf(text, "came out best of %d moves", found->root_count);
}

/* " In 12 random games from there White takes 60 % of the points." Games that were cut short are none. */
static void say_sampled(const KnSearchResult *found, const char *who, double percent, KnText *text)
{
    uint64_t games = 0;
    bool lines = found->judged && found->judged >= found->playouts;
    const char *what = lines ? "line" : "random game";
    for (int i = 0; i < found->root_count; i++)
        if (found->root[i].move == found->move) games = found->root[i].visits;
    if (games == 1 && !lines && (percent < 0.5 || percent > 99.5)) {
        kn_text_printf(text, " %c%s %s the one random game from there.", toupper((unsigned char)who[0]),
                       who + 1, percent > 50 ? "wins" : "loses");
        return;
    }
    if (games == 1)
        kn_text_printf(text, " In the one %s from there", what);
    else if (games)
        kn_text_printf(text, " In %llu %ss from there", (unsigned long long)games, what);
    else
        kn_text_printf(text, " In %ss from there", what);
    if (lines)
        kn_text_add(text, ", judged by the evaluation,");
    else if (found->judged)
        kn_text_add(text, ", where the evaluation judged long ones,");
    kn_text_printf(text, " %c%s takes %.0f %% of the points.", toupper((unsigned char)who[0]), who + 1,
                   percent);
}

/* " After 10 plies White stands level (51 % of the points)." */
static void say_worth(const KnRequest *request, const KnGame *game, const KnSearchResult *found,
                      const KnEvaluation *evaluation, KnText *text)
{
    double worth;
    const char *unit, *who = game->role_names[request->role];
    if (!kn_score_worth(game, found->score, found->playouts, evaluation, &worth, &unit)) return;
    if (found->mixed) {
        kn_text_printf(text, " %c%s is sure of %.0f %s that way, in the mean.",
                       toupper((unsigned char)who[0]), who + 1, worth, unit);
        return;
    }
    if (found->playouts && unit[0] == '%') {
        say_sampled(found, who, worth, text);
        return;
    }
    if (found->depth == 1)
        kn_text_add(text, " After it");
    else
        kn_text_printf(text, " After %d plies", found->depth);
    bool blind = !evaluation || strcmp(evaluation->spec, "zero") == 0;
    if (blind && found->score == 0 && !found->playouts) {
        kn_text_add(text, " nothing is decided.");
        return;
    }
    bool men = unit[0] != '%';
    double lead = men ? worth * 100 : worth - 50;
    int level = men ? LEVEL_MEN : LEVEL_PERCENT;
    kn_text_printf(text, " %c%s stands %s", toupper((unsigned char)who[0]), who + 1,
                   lead > level    ? "better"
                   : lead < -level ? "worse"
                                   : "level");
    kn_text_printf(text, men ? " (%+.2f %s)." : " (%.0f %s).", worth, unit);
}

/* Features of a linear evaluation that have a name among people, with their worth in men. */
static int priced_changes(const KnExplanation *group, KnArena *arena, KnBoardChange *changes)
{
    int count = 0;
    for (const KnExplanation *part = group ? group->first : NULL; part && count < KN_BOARD_CHANGES;
         part = part->next) {
        const char *words = kn_feature_words(part->label, part->number > 0);
        if (!words || fabs(part->number) < 1) continue;
        changes[count++] = (KnBoardChange){kn_arena_printf(arena, "%s (%+.2f)", words, part->number / 100),
                                           part->number / 100};
    }
    return count;
}

/* "Its network gains around the corners (+8 %) and loses in the middle (-3 %)", in percent of the points. */
static void say_parts(const KnExplanation *group, KnText *text)
{
    const KnExplanation *best = NULL, *worst = NULL;
    double sum = 0;
    for (const KnExplanation *part = group ? group->first : NULL; part; part = part->next) {
        sum += part->number;
        if (part->number >= 1 && (!best || part->number > best->number)) best = part;
        if (part->number <= -1 && (!worst || part->number < worst->number)) worst = part;
    }
    double largest = fmax(best ? best->number : 0, worst ? -worst->number : 0);
    if (fabs(sum) < largest / 3 || largest == 0) return; /* men have only changed places */
    kn_text_add(text, " By its network it");
    if (best) kn_text_printf(text, " gains %s (%+.0f %%)", best->label, best->number);
    if (worst)
        kn_text_printf(text, "%s loses %s (%+.0f %%)", best ? " and" : "", worst->label, worst->number);
    kn_text_add_char(text, '.');
}

/* What the evaluation sees change along the line, as a group of numbers; NULL if it cannot say. */
static KnExplanation *compare(const KnRequest *request, const KnGame *game, const void *position,
                              const KnSearchResult *found, const KnEvaluation *evaluation,
                              KnExplanation *parent)
{
    if (!evaluation || !evaluation->compare || !parent || !found->leaf || kn_game_over(game, found->leaf))
        return NULL;
    KnExplanation *group = kn_explanation_group(request->arena, parent, "what the evaluation gains");
    evaluation->compare(evaluation, position, found->leaf, request->role, request->arena, group);
    if (evaluation->log_odds != 0) {
        /* A network's points are log odds: near the score that was found, so much of the chance is in each.
         */
        double at = kn_math_tanh(found->score / evaluation->log_odds),
               slope = 50 * (1 - at * at) / evaluation->log_odds;
        for (KnExplanation *part = group->first; part; part = part->next) {
            part->number *= slope;
            part->unit = "% of the points";
        }
    }
    return group;
}

/* A move that is only the number of a point is said as what it does. */
static const char *said_move(const char *name, KnArena *arena)
{
    return name[strspn(name, "0123456789")] ? name : kn_arena_printf(arena, "a man on %s", name);
}

const char *kn_assumption_words(KnAssumption assumes)
{
    return assumes == KN_ASSUMES_AGAINST      ? "all others play against it"
           : assumes == KN_ASSUMES_OWN_POINTS ? "each role plays for its own points, and against it where it "
                                                "does not mind"
                                              : NULL;
}

/* A line that ends the game. */
static void say_end(const KnSearchResult *found, KnText *text)
{
    const char *assumed = kn_assumption_words(found->assumes);
    int wins = KN_SCORE_WIN - found->score, loses = KN_SCORE_WIN + found->score;
    if (wins <= 1)
        kn_text_add(text, " wins at once");
    else if (found->score >= KN_SCORE_PROVEN && found->assumes == KN_ASSUMES_OWN_POINTS)
        kn_text_printf(text, " wins in %d plies if each role plays for its own points", wins);
    else if (found->score >= KN_SCORE_PROVEN)
        kn_text_printf(text, " wins by force in %d plies", wins);
    else if (found->score <= -KN_SCORE_PROVEN)
        kn_text_printf(text, " holds out longest: it loses in %d %s %s%s", loses,
                       loses == 1 ? "ply" : "plies", assumed ? "if " : "",
                       assumed ? assumed : "against best play");
    else
        kn_text_add(text, found->score > 0 ? " wins by the endgame tables" : " loses by the endgame tables");
}

const char *kn_search_sentence(const KnRequest *request, const KnGame *game, const void *position,
                               const KnSearchResult *found, const KnEvaluation *evaluation)
{
    KnArena *arena = request->arena;
    KnText text = KN_TEXT_EMPTY;
    KnBoardChange changes[KN_BOARD_CHANGES];
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    double worth;
    const char *unit, *reply = reply_of(request, game, position, found);
    KnExplanation *scratch = kn_explanation_new(arena, "");
    kn_text_add(&text, said_move(kn_game_move_name(game, position, found->move, arena), arena));
    bool decided = !kn_score_worth(game, found->score, found->playouts, evaluation, &worth, &unit);
    if (decided) say_end(found, &text);
    KnExplanation *group = decided ? NULL : compare(request, game, position, found, evaluation, scratch);
    if (!decided && follow(game, position, found, after) > 0 && !kn_game_over(game, after)) {
        bool network = evaluation && evaluation->log_odds != 0;
        int count = group && !network ? priced_changes(group, arena, changes) : 0;
        if (!count) count = kn_board_changes(game, position, after, request->role, arena, changes);
        kn_text_add_char(&text, ' ');
        if (!kn_board_sentence(changes, count, &text)) say_best(found, &text);
    } else if (!decided) {
        decided = true;
        kn_text_add(&text, found->score == 0 ? " holds the draw" : " leads to the end of the game");
    }
    kn_text_add_char(&text, '.');
    if (group && evaluation->log_odds != 0) say_parts(group, &text);
    if (reply) kn_text_printf(&text, " The reply to expect is %s.", reply);
    if (!decided) say_worth(request, game, found, evaluation, &text);
    const char *sentence = kn_arena_printf(arena, "%s", text.data);
    kn_text_free(&text);
    return sentence;
}

void kn_explain_changes(const KnRequest *request, const KnGame *game, const void *position,
                        const KnSearchResult *found, const KnEvaluation *evaluation, KnExplanation *root)
{
    KnArena *arena = request->arena;
    double worth;
    const char *unit;
    if (kn_score_worth(game, found->score, found->playouts, evaluation, &worth, &unit))
        kn_explanation_number(arena, root, KN_WORTH, round(worth * 100) / 100, unit);
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    KnBoardChange changes[KN_BOARD_CHANGES];
    if (root && follow(game, position, found, after) > 0 && !kn_game_over(game, after)) {
        int count = kn_board_changes(game, position, after, request->role, arena, changes);
        KnExplanation *group = count ? kn_explanation_group(arena, root, "what changes on the board") : NULL;
        for (int i = 0; i < count; i++)
            kn_explanation_text(arena, group, changes[i].size > 0 ? "for it" : "against it",
                                changes[i].words);
    }
    compare(request, game, position, found, evaluation, root);
}

const char *kn_move_sentence(const KnRequest *request, KnMove move)
{
    const KnGame *game = request->game;
    const char *name = kn_game_move_name(game, request->position, move, request->arena);
    if (game->traits & KN_GAME_SIMULTANEOUS) return name;
    name = said_move(name, request->arena);
    unsigned char after[game->position_size] __attribute__((aligned(16)));
    KnBoardChange changes[KN_BOARD_CHANGES];
    memcpy(after, request->position, game->position_size);
    game->type->play(game, after, move);
    if (kn_game_over(game, after)) return name;
    KnText text = KN_TEXT_EMPTY;
    int count = kn_board_changes(game, request->position, after, request->role, request->arena, changes);
    const char *sentence = kn_board_sentence(changes, count, &text)
                               ? kn_arena_printf(request->arena, "%s %s", name, text.data)
                               : name;
    kn_text_free(&text);
    return sentence;
}
