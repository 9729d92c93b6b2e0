#include "games/replay.h"

#include <stdlib.h>
#include <string.h>

void kn_joint_text(const KnGame *game, const void *position, const KnMove *joint, KnText *out)
{
    if (out->length) kn_text_add_char(out, ' ');
    bool first = true;
    for (int role = 0; role < game->roles; role++) {
        if (!(game->traits & KN_GAME_SIMULTANEOUS) && joint[role] == KN_MOVE_NONE) continue;
        if (!first) kn_text_add_char(out, '|');
        first = false;
        if (joint[role] == KN_MOVE_NONE)
            kn_text_add_char(out, '-');
        else
            game->type->move_text(game, position, joint[role], out);
    }
}

void kn_moves_text(const KnContest *contest, KnText *out)
{
    for (size_t ply = 0; ply < kn_contest_plies(contest); ply++)
        kn_joint_text(kn_contest_game(contest), kn_contest_position_at(contest, ply),
                      kn_contest_joint_at(contest, ply), out);
}

/* The next piece up to a separator that stands outside of parentheses (GDL moves are terms such as (mark 1
 * 1)); cuts the text in place. NULL at the end. */
static char *next_word(char **text, char separator)
{
    char *word = *text;
    if (!word) return NULL;
    int depth = 0;
    for (char *c = word;; c++) {
        if (*c == '(')
            depth++;
        else if (*c == ')')
            depth--;
        else if (!*c || (*c == separator && depth <= 0)) {
            *text = *c ? c + 1 : NULL;
            *c = '\0';
            return word;
        }
    }
}

/* Reads one joint move; `text` is cut up in place. */
static KnStatus read_joint(const KnContest *contest, char *text, KnMove *joint, KnError *error)
{
    const KnGame *game = kn_contest_game(contest);
    const void *position = kn_contest_position(contest);
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    for (int role = 0; role < game->roles; role++) {
        joint[role] = KN_MOVE_NONE;
        if (!simultaneous && game->type->mover(game, position) != role) continue;
        char *word = simultaneous ? next_word(&text, '|') : text;
        if (!word) return kn_fail(error, KN_INPUT, "a move for every role is wanted, as in a|b");
        if (simultaneous && strcmp(word, "-") == 0) continue;
        KnStatus status = kn_game_parse_move(game, position, role, word, &joint[role], error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

KnStatus kn_replay(KnContest *contest, const char *moves, KnError *error)
{
    char *copy = strdup(moves), *rest = copy, *word;
    if (!copy) return kn_fail_memory(error, "replaying moves");
    KnStatus status = KN_OK;
    while (status == KN_OK && (word = next_word(&rest, ' '))) {
        if (!*word) continue;
        KnMove joint[KN_ROLES_MAX];
        if (kn_contest_over(contest, NULL))
            status = kn_fail(error, KN_INPUT, "the contest is over before \"%s\"", word);
        else
            status = read_joint(contest, word, joint, error);
        if (status == KN_OK)
            status = kn_contest_play_joint(contest, joint, error);
        else
            kn_fail_within(error, "move %zu", kn_contest_plies(contest) + 1);
    }
    free(copy);
    return status;
}
