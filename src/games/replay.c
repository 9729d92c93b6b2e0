#include "games/replay.h"

#include <ctype.h>
#include <stdint.h>
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

void kn_moves_text(const KnState *state, KnText *out)
{
    for (size_t ply = 0; ply < kn_state_plies(state); ply++)
        kn_joint_text(kn_state_game(state), kn_state_position_at(state, ply), kn_state_joint_at(state, ply),
                      out);
}

/* The next token up to one of the separators outside parentheses (GDL moves are terms such as (mark 1 1)).
 * Modifies the text. NULL at the end. */
static char *next_word(char **text, const char *separators)
{
    char *word = *text;
    if (!word) return NULL;
    int depth = 0;
    for (char *c = word;; c++) {
        if (*c == '(')
            depth++;
        else if (*c == ')')
            depth--;
        else if (!*c || (depth <= 0 && strchr(separators, *c))) {
            *text = *c ? c + 1 : NULL;
            *c = '\0';
            return word;
        }
    }
}

/* Parses one joint move, which must be legal by position and history; modifies the text. */
static KnStatus read_joint(const KnState *state, char *text, KnMove *joint, KnError *error)
{
    const KnGame *game = kn_state_game(state);
    const void *position = kn_state_position(state);
    KnHistory history = kn_state_history(state);
    bool simultaneous = game->traits & KN_GAME_SIMULTANEOUS;
    uint32_t movers = kn_state_movers(state);
    for (int role = 0; role < game->roles; role++) {
        joint[role] = KN_MOVE_NONE;
        bool moves = movers >> role & 1;
        if (!simultaneous && !moves) continue;
        char *word = simultaneous ? next_word(&text, "|") : text;
        if (!word) return kn_fail(error, KN_INPUT, "expected a move for each role, as in a|b");
        if (simultaneous && !moves && strcmp(word, "-") == 0) continue;
        KnStatus status = kn_game_parse_move(game, position, role, word, &joint[role], error);
        if (status != KN_OK) return status;
        if (game->type->barred && game->type->barred(game, position, &history, joint[role]))
            return kn_fail(error, KN_INPUT, "\"%.60s\" repeats a position, which the rules forbid here",
                           word);
    }
    if (simultaneous && text)
        return kn_fail(error, KN_INPUT, "expected %d moves, one for each role, as in a|b", game->roles);
    return KN_OK;
}

KnStatus kn_replay(KnState *state, const char *moves, KnError *error)
{
    return kn_replay_plies(state, moves, SIZE_MAX, error);
}

/* Plays one joint move; modifies the text. */
static KnStatus play_word(KnState *state, char *word, KnError *error)
{
    KnMove joint[KN_ROLES_MAX];
    KnStatus status = KN_OK;
    if (kn_state_over(state, NULL))
        status = kn_fail(error, KN_INPUT, "the game is over before \"%s\"", word);
    else
        status = read_joint(state, word, joint, error);
    if (status == KN_OK) return kn_state_play_joint(state, joint, error);
    kn_fail_within(error, "move %zu", kn_state_plies(state) + 1);
    return status;
}

/* Whether a word is several moves written together. */
static bool together(const KnGame *game, const char *word)
{
    size_t length = strlen(word);
    if (!(game->traits & KN_GAME_TOGETHER) || length < 4 || length % 2) return false;
    for (size_t i = 0; i < length; i += 2)
        if (!isalpha((unsigned char)word[i]) || !isdigit((unsigned char)word[i + 1])) return false;
    return true;
}

/* Moves that are written together; a pass that such records leave out is played where nothing else can be. */
static KnStatus play_together(KnState *state, const char *word, size_t most, KnError *error)
{
    KnStatus status = KN_OK;
    for (; *word && status == KN_OK && kn_state_plies(state) < most; word += 2) {
        char piece[] = {word[0], word[1], '\0'}, pass[] = "pass";
        KnMove joint[KN_ROLES_MAX];
        if (!kn_state_over(state, NULL) && read_joint(state, pass, joint, NULL) == KN_OK)
            status = kn_state_play_joint(state, joint, error);
        if (status == KN_OK && kn_state_plies(state) < most) status = play_word(state, piece, error);
    }
    return status;
}

KnStatus kn_replay_plies(KnState *state, const char *moves, size_t most, KnError *error)
{
    char *copy = strdup(moves), *rest = copy, *word;
    if (!copy) return kn_fail_memory(error, "replaying moves");
    KnStatus status = KN_OK;
    while (status == KN_OK && kn_state_plies(state) < most && (word = next_word(&rest, " \t\r\n"))) {
        if (!*word) continue;
        status = together(kn_state_game(state), word) ? play_together(state, word, most, error)
                                                      : play_word(state, word, error);
    }
    free(copy);
    return status;
}
