#include "games/pipe/declaration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STATE_BYTES = 1 << 15, MOVES_MOST = (1 << 16) - 1, WORD = 80 };

/* ---- Words ---- */

/* Copies the next word of a line and moves on; false at the end, or if it is too long. */
static bool next_word(const char **line, char *word, size_t size)
{
    *line += strspn(*line, " ");
    size_t length = strcspn(*line, " ");
    if (!length || length >= size) return false;
    memcpy(word, *line, length);
    word[length] = '\0';
    *line += length;
    return true;
}

/* What is left of a line, without the blanks at its end. */
static void add_rest(KnText *text, const char *rest)
{
    size_t length = strlen(rest);
    while (length && rest[length - 1] == ' ') length--;
    kn_text_add_bytes(text, rest, length);
}

static bool at_end(const char *line) { return !line[strspn(line, " ")]; }

static bool next_number(const char **line, double *number)
{
    char word[WORD], *end;
    if (!next_word(line, word, sizeof word)) return false;
    *number = strtod(word, &end);
    return !*end && isfinite(*number);
}

static bool next_count(const char **line, int low, int high, int *count)
{
    double number;
    if (!next_number(line, &number) || number < low || number > high || number != floor(number)) return false;
    *count = (int)number;
    return true;
}

static KnStatus wrong(KnError *error, const char *line, const char *expected)
{
    return kn_fail(error, KN_FORFEIT, "the program with the rules says \"%.100s\"; expected: %s", line,
                   expected);
}

/* ---- The greeting ---- */

void kn_declaration_begin(KnDeclaration *declaration)
{
    *declaration = (KnDeclaration){.name = KN_TEXT_EMPTY,
                                   .start = KN_TEXT_EMPTY,
                                   .symbols = KN_TEXT_EMPTY,
                                   .low = -1,
                                   .high = 1,
                                   .size = 240,
                                   .moves = 256};
}

void kn_declaration_free(KnDeclaration *declaration)
{
    kn_text_free(&declaration->name);
    kn_text_free(&declaration->start);
    kn_text_free(&declaration->symbols);
    for (int role = 0; role < declaration->role_count; role++) free(declaration->roles[role]);
}

static int find_role(const KnDeclaration *declaration, const char *name)
{
    for (int role = 0; role < declaration->role_count; role++)
        if (strcasecmp(declaration->roles[role], name) == 0) return role;
    return -1;
}

static KnStatus declare_roles(KnDeclaration *declaration, const char *rest, const char *line, KnError *error)
{
    char name[WORD];
    while (next_word(&rest, name, sizeof name)) {
        if (declaration->role_count == KN_ROLES_MAX || find_role(declaration, name) >= 0 || strchr(name, '|'))
            return wrong(error, line, "one to sixteen different names without |");
        if (!(declaration->roles[declaration->role_count] = strdup(name)))
            return kn_fail_memory(error, "opening a game");
        declaration->role_count++;
    }
    return at_end(rest) ? KN_OK : wrong(error, line, "names of at most 79 letters");
}

static KnStatus declare_board(KnDeclaration *declaration, const char *rest, const char *line, KnError *error)
{
    char symbols[WORD];
    bool good = next_count(&rest, 1, KN_PIPE_SIDE, &declaration->width) &&
                next_count(&rest, 1, KN_PIPE_SIDE, &declaration->height) &&
                next_word(&rest, symbols, sizeof symbols) && symbols[1] && at_end(rest);
    for (const char *at = symbols; good && *at; at++) good = *at > ' ' && *at < 127 && !strchr(at + 1, *at);
    if (!good)
        return wrong(error, line,
                     "board WIDTH HEIGHT SYMBOLS, sides from 1 to 64 and two or more different letters, the "
                     "empty cell's first");
    kn_text_clear(&declaration->symbols);
    kn_text_add(&declaration->symbols, symbols);
    return KN_OK;
}

static KnStatus declare_payoffs(KnDeclaration *declaration, const char *rest, const char *line,
                                KnError *error)
{
    double low, high;
    if (!next_number(&rest, &low) || !next_number(&rest, &high) || low >= high || !at_end(rest))
        return wrong(error, line, "payoffs LOW HIGH");
    declaration->low = low;
    declaration->high = high;
    return KN_OK;
}

static KnStatus declare_count(int *count, int most, const char *rest, const char *line, KnError *error)
{
    if (next_count(&rest, 1, most, count) && at_end(rest)) return KN_OK;
    return kn_fail(error, KN_FORFEIT,
                   "the program with the rules says \"%.100s\"; expected a number from 1 to %d", line, most);
}

KnStatus kn_declaration_line(void *user, const char *line, KnError *error)
{
    KnDeclaration *declaration = user;
    const struct {
        const char *word;
        bool *flag;
    } flags[] = {{"zerosum", &declaration->zero_sum},
                 {"simultaneous", &declaration->simultaneous},
                 {"endless", &declaration->endless},
                 {"display", &declaration->display}};
    char word[WORD];
    const char *rest = line;
    if (!next_word(&rest, word, sizeof word)) return wrong(error, line, "a word that the manual lists");
    rest += strspn(rest, " ");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i].word) == 0 && !*rest) {
            *flags[i].flag = true;
            return KN_OK;
        }
    if (strcmp(word, "roles") == 0 && !declaration->role_count)
        return declare_roles(declaration, rest, line, error);
    if (strcmp(word, "payoffs") == 0) return declare_payoffs(declaration, rest, line, error);
    if (strcmp(word, "board") == 0) return declare_board(declaration, rest, line, error);
    if (strcmp(word, "size") == 0) return declare_count(&declaration->size, STATE_BYTES, rest, line, error);
    if (strcmp(word, "moves") == 0) return declare_count(&declaration->moves, MOVES_MOST, rest, line, error);
    KnText *text = strcmp(word, "start") == 0 ? &declaration->start
                   : strcmp(word, "id") == 0  ? &declaration->name
                                              : NULL;
    if (!text)
        return wrong(error, line,
                     "id, roles, start, payoffs, zerosum, simultaneous, endless, size, moves, board, display "
                     "or rulesok");
    kn_text_clear(text);
    add_rest(text, rest);
    return kn_text_ok(text) ? KN_OK : kn_fail_memory(error, "opening a game");
}

KnStatus kn_declaration_check_state(const KnDeclaration *declaration, const char *text, KnError *error)
{
    size_t length = strlen(text);
    if (length > (size_t)declaration->size)
        return kn_fail(error, KN_FORFEIT,
                       "the state \"%.40s...\" has %zu bytes; the program with the rules declared at most %d "
                       "(it can say: size %zu)",
                       text, length, declaration->size, length);
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            return kn_fail(error, KN_FORFEIT, "the state \"%.80s\" has a control character in column %d",
                           text, (int)(at - text) + 1);
    if (!length || text[0] == ' ' || text[length - 1] == ' ')
        return kn_fail(error, KN_FORFEIT, "the state \"%.80s\" is empty, or begins or ends with a blank",
                       text);
    return KN_OK;
}

KnStatus kn_declaration_end(const KnDeclaration *declaration, KnError *error)
{
    if (!declaration->role_count)
        return kn_fail(error, KN_FORFEIT, "the program with the rules did not name its roles (roles x o)");
    if (declaration->zero_sum && declaration->role_count != 2)
        return kn_fail(error, KN_FORFEIT, "zerosum is for two roles; the program with the rules names %d",
                       declaration->role_count);
    if (!declaration->start.length)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules did not tell where the game starts (start STATE)");
    return kn_declaration_check_state(declaration, declaration->start.data, error);
}

/* ---- A state ---- */

void kn_account_begin(KnAccount *account, const KnDeclaration *declaration)
{
    *account = (KnAccount){
        .declaration = declaration, .state = KN_TEXT_EMPTY, .names = KN_TEXT_EMPTY, .board = KN_TEXT_EMPTY};
}

void kn_account_free(KnAccount *account)
{
    kn_text_free(&account->state);
    kn_text_free(&account->names);
    kn_text_free(&account->board);
}

static KnStatus read_moves(KnAccount *account, const char *rest, const char *line, KnError *error)
{
    const KnDeclaration *declaration = account->declaration;
    char word[KN_PIPE_MOVE + 1];
    int role = next_word(&rest, word, sizeof word) ? find_role(declaration, word) : -1, count = 0;
    if (role < 0) return wrong(error, line, "moves ROLE MOVE MOVE ..., with a role of the greeting");
    for (int i = 0; i < account->movers; i++)
        if (account->order[i] == role) return wrong(error, line, "the moves of each role once");
    if (account->movers && !declaration->simultaneous)
        return wrong(error, line, "one role that moves; or say simultaneous in the greeting");
    for (; next_word(&rest, word, sizeof word); count++) {
        if (strchr(word, '|') || strcmp(word, "-") == 0)
            return wrong(error, line, "names of moves that are not - and have no |");
        kn_text_add_bytes(&account->names, word, strlen(word) + 1);
    }
    if (!at_end(rest)) return wrong(error, line, "names of moves with at most 200 bytes");
    if (!count) return wrong(error, line, "at least one move; a state without moves says over");
    if (count > declaration->moves)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules lists %d moves of %s and declared at most %d (it can say: "
                       "moves %d)",
                       count, declaration->roles[role], declaration->moves, count);
    account->order[account->movers] = role;
    account->counts[account->movers++] = count;
    return kn_text_ok(&account->names) ? KN_OK : kn_fail_memory(error, "asking for rules");
}

static KnStatus read_payoffs(KnAccount *account, const char *rest, const char *line, KnError *error)
{
    const KnDeclaration *declaration = account->declaration;
    double sum = 0;
    for (int role = 0; role < declaration->role_count; role++) {
        double payoff;
        if (!next_number(&rest, &payoff)) return wrong(error, line, "over, and a payoff for each role");
        if (payoff < declaration->low || payoff > declaration->high)
            return kn_fail(error, KN_FORFEIT,
                           "the program with the rules says \"%.100s\"; payoffs are from %g to %g by its "
                           "greeting",
                           line, declaration->low, declaration->high);
        account->payoffs[role] = payoff;
        sum += payoff;
    }
    if (!at_end(rest)) return wrong(error, line, "over, and a payoff for each role, no more");
    if (declaration->zero_sum && fabs(sum - (declaration->low + declaration->high)) > 1e-9)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules says \"%.100s\"; a zerosum game pays %g in all", line,
                       declaration->low + declaration->high);
    account->over = true;
    return KN_OK;
}

static KnStatus read_board(KnAccount *account, const char *rest, const char *line, KnError *error)
{
    const KnDeclaration *declaration = account->declaration;
    size_t cells = (size_t)declaration->width * (size_t)declaration->height;
    if (!cells) return wrong(error, line, "no board, since the greeting has none");
    if (strlen(rest) != cells || strspn(rest, declaration->symbols.data) != cells)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules says \"%.100s\"; expected %zu letters of \"%s\"", line,
                       cells, declaration->symbols.data);
    kn_text_clear(&account->board);
    kn_text_add(&account->board, rest);
    return KN_OK;
}

KnStatus kn_account_line(void *user, const char *line, KnError *error)
{
    KnAccount *account = user;
    char word[WORD];
    const char *rest = line;
    if (!next_word(&rest, word, sizeof word)) return wrong(error, line, "state, moves, over, board or ok");
    rest += strspn(rest, " ");
    if (strcmp(word, "moves") == 0) return read_moves(account, rest, line, error);
    if (strcmp(word, "over") == 0 && !account->over) return read_payoffs(account, rest, line, error);
    if (strcmp(word, "board") == 0) return read_board(account, rest, line, error);
    if (strcmp(word, "state") != 0 || account->state.length)
        return wrong(error, line, "state, moves, over, board or ok, each said once");
    add_rest(&account->state, rest);
    return kn_declaration_check_state(account->declaration, account->state.data, error);
}

KnStatus kn_account_end(const KnAccount *account, KnError *error)
{
    if (account->over && account->movers)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules lists moves in a state that it calls over");
    if (!account->over && !account->movers)
        return kn_fail(error, KN_FORFEIT,
                       "the program with the rules says neither which moves there are nor that the game is "
                       "over");
    if (account->declaration->width && !account->board.length)
        return kn_fail(error, KN_FORFEIT, "the program with the rules declared a board and did not send it");
    return KN_OK;
}
