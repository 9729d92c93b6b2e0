/* knack pdn: replays and checks the games of a PDN file. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "formats/pdn_parser.h"

typedef struct Arguments {
    CliCommon common;
    const char *file;
} Arguments;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file) argp_error(state, "too many arguments: \"%s\"", arg);
        arguments->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->file) argp_error(state, "give a PDN file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Replay every game of a PDN file (English draughts) and check it.\v"
    "For each game with an error, the first error is printed with its line and move. Comments, variations "
    "and "
    "annotations are skipped; a FEN tag sets the start. The draws by repetition and by 40 quiet moves are "
    "not "
    "enforced, since players must claim them. Results count as the archives write them, Black's score first, "
    "unless the game's GameType says 21,W. The exit code is 3 if any game has an error.\nExamples:\n"
    "  knack pdn games.pdn\n"
    "  knack pdn games.pdn --json";

/* Replays a game. KN_INPUT with the line, the move number and the error. */
static KnStatus replay(const KnPdnGame *game, KnState *game_state, KnError *error)
{
    const KnGame *rules = kn_state_game(game_state);
    const KnRecordText *record = &game->record;
    KnStatus status = KN_OK;
    kn_state_reset(game_state, NULL);
    if (record->start.length) {
        _Alignas(16) unsigned char position[rules->position_size];
        status = rules->type->parse_position(rules, record->start.data, position, error);
        if (status != KN_OK) return kn_fail_within(error, "line %d: FEN", game->line);
        kn_state_reset(game_state, position);
    }
    size_t begins = (size_t)rules->type->mover(rules, kn_state_position(game_state));
    const char *at = record->moves.data;
    for (size_t i = 0; i < game->moves && status == KN_OK; i++) {
        char word[256];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", length > 255 ? 255 : (int)length, at);
        at += length + (at[length] == ' ');
        KnMove move;
        if (kn_state_over(game_state, NULL))
            status = kn_fail(error, KN_INPUT, "the game is over before \"%.60s\"", word);
        else
            status = kn_game_parse_move(rules, kn_state_position(game_state),
                                        rules->type->mover(rules, kn_state_position(game_state)), word, &move,
                                        error);
        size_t ply = i + begins;
        if (status != KN_OK)
            return kn_fail_within(error, "line %d, move %zu%s", game->lines[i], ply / 2 + 1,
                                  ply % 2 ? "..." : ".");
        status = kn_state_play(game_state, move, error);
    }
    return status;
}

/* A result that the board contradicts; NULL if it does not. Who is left without a move has lost; all else may
 * be agreed. */
static const char *contradiction(const KnPdnGame *game, const KnState *game_state)
{
    double payoffs[KN_ROLES_MAX];
    double outcome;
    if (!kn_state_over(game_state, payoffs) || !kn_game_record_outcome(&game->record, &outcome)) return NULL;
    if (payoffs[0] > payoffs[1] ? outcome > 0 : outcome < 0) return NULL;
    return payoffs[0] > payoffs[1] ? "black has won on the board" : "white has won on the board";
}

typedef enum Winner { BY_BLACK, BY_WHITE, DRAWN, OPEN, WINNERS } Winner;
static const char *const winners[WINNERS] = {"black", "white", "draw", "open"};

typedef struct Tally {
    size_t games, wrong, plies;
    size_t won[WINNERS], white_first; /* of games without an error */
    json_t *rows;                     /* NULL: print text */
} Tally;

static Winner winner_of(const KnRecordText *record)
{
    double outcome;
    if (!kn_game_record_outcome(record, &outcome)) return OPEN;
    return outcome > 0 ? BY_BLACK : outcome < 0 ? BY_WHITE : DRAWN;
}

/* Who won by which convention, since results are written both ways. */
static void tell_winners(const Tally *tally)
{
    if (tally->wrong == tally->games) return;
    printf("  won by black %zu, by white %zu; drawn %zu, without a result %zu\n", tally->won[BY_BLACK],
           tally->won[BY_WHITE], tally->won[DRAWN], tally->won[OPEN]);
    if (tally->white_first)
        printf("  with White's score first, as GameType declares: %zu; else 1-0 is a win of Black\n",
               tally->white_first);
}

static void tell(Tally *tally, const KnPdnGame *game, const char *complaint)
{
    const KnRecordText *record = &game->record;
    const char *black = record->players[0].length ? record->players[0].data : "?";
    const char *white = record->players[1].length ? record->players[1].data : "?";
    Winner winner = winner_of(record);
    tally->games++;
    tally->wrong += complaint != NULL;
    tally->won[winner] += complaint == NULL;
    tally->white_first += complaint == NULL && record->white_first;
    tally->plies += game->moves;
    if (tally->rows) {
        json_t *row = json_pack("{sI si ss ss sI ss}", "game", (json_int_t)tally->games, "line", game->line,
                                "black", black, "white", white, "plies", (json_int_t)game->moves, "result",
                                game->record.result.data);
        if (!row) /* a name that is no UTF-8 */
            row = json_pack("{sI si sI}", "game", (json_int_t)tally->games, "line", game->line, "plies",
                            (json_int_t)game->moves);
        json_object_set_new(row, "winner", json_string(winners[winner]));
        if (record->white_first) json_object_set_new(row, "score_first", json_string("white"));
        if (complaint) json_object_set_new(row, "error", json_string(complaint));
        json_array_append_new(tally->rows, row);
    } else if (complaint)
        printf("game %zu (line %d, %s - %s): %s\n", tally->games, game->line, black, white, complaint);
}

static int check_file(const char *path, const char *text, KnState *game_state, bool json)
{
    KnPdnReader reader = kn_pdn_reader(text);
    KnPdnGame game = KN_PDN_GAME;
    Tally tally = {.rows = json ? json_array() : NULL};
    for (;;) {
        KnError error;
        char line[KN_ERROR_TEXT + 100];
        KnStatus status = kn_pdn_next(&reader, &game, &error);
        if (status == KN_NO) break;
        if (status == KN_OK) status = replay(&game, game_state, &error);
        if (status == KN_SYSTEM) {
            kn_pdn_game_free(&game);
            json_decref(tally.rows);
            return cli_fail(&error);
        }
        const char *against = status == KN_OK ? contradiction(&game, game_state) : NULL;
        if (against)
            snprintf(line, sizeof line, "line %d: the result is %.20s, but %s",
                     game.moves ? game.lines[game.moves - 1] : game.line, game.record.result.data, against);
        tell(&tally, &game, status != KN_OK ? error.text : against ? line : NULL);
    }
    kn_pdn_game_free(&game);
    int code = tally.wrong || !tally.games ? KN_INPUT : 0;
    if (json) {
        int printed = cli_print_json(json_pack("{ss sI sI sI so}", "file", path, "games",
                                               (json_int_t)tally.games, "wrong", (json_int_t)tally.wrong,
                                               "plies", (json_int_t)tally.plies, "rows", tally.rows));
        return printed ? printed : code;
    }
    printf("%s: %zu game%s, %zu pl%s; %zu with an error\n", path, tally.games, kn_s(tally.games), tally.plies,
           tally.plies == 1 ? "y" : "ies", tally.wrong);
    tell_winners(&tally);
    int finished = cli_finish();
    return finished ? finished : code;
}

int command_pdn(int argc, char **argv)
{
    enum { FILE_MAX = 1 << 30 };
    Arguments arguments = {0};
    const struct argp argp = {NULL, parse, "FILE", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    KnError error;
    KnGame *game = NULL;
    KnState *game_state = NULL;
    KnText text = KN_TEXT_EMPTY;
    KnStatus status = kn_game_open(context, "checkers(draw=0, repetition=0)", &game, &error);
    if (status == KN_OK && !(game_state = kn_state_new(game)))
        status = kn_fail_memory(&error, "replaying games");
    if (status == KN_OK) status = kn_file_read_text(arguments.file, &text, FILE_MAX, &error);
    code = status == KN_OK ? check_file(arguments.file, text.data, game_state, arguments.common.json)
                           : cli_fail(&error);
    kn_text_free(&text);
    kn_state_free(game_state);
    kn_game_close(game);
    kn_close(context);
    return code;
}
