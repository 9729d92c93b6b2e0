/* knack analyse: a game from a file, judged move by move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arena/review.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/record_file.h"
#include "cli/review_html.h"
#include "formats/record.h"

typedef struct Arguments {
    CliCommon common;
    const char *file, *game, *out, *format;
    size_t number;
    KnReviewPlan plan;
} Arguments;

enum {
    KEY_GAME = 0x100,
    KEY_JUDGE,
    KEY_DEPTH,
    KEY_NODES,
    KEY_TIME,
    KEY_NUMBER,
    KEY_FORMAT,
    KEY_SEED,
    KEY_ROLE
};

static const struct argp_option options[] = {
    {"judge", KEY_JUDGE, "PLAYER", 0, "Player that judges the moves (default: one that fits the game)", 1},
    {"game", KEY_GAME, "GAME", 0, "The game, for a file of moves alone", 1},
    {"number", KEY_NUMBER, "N", 0, "Take the Nth game of the file (default 1)", 1},
    {"role", KEY_ROLE, "N", 0, "Judge only the moves of role N, 0 or 1 (default: both)", 1},
    {"depth", KEY_DEPTH, "N", 0, "Limit the depth of every question to N plies", 2},
    {"nodes", KEY_NODES, "N", 0, "Limit every question to N positions", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Limit every question to SECONDS", 2},
    {"seed", KEY_SEED, "S", 0, "Seed of all random numbers (default 1)", 2},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "text, json, html, or the game with comments as pdn or sgf (default: as FILE of --out ends, else text)",
     3},
    {"out", 'o', "FILE", 0, "Write to FILE instead of standard output", 3},
    {0}};

static bool is_format(const char *name)
{
    static const char *const known[] = {"text", "json", "html", "pdn", "sgf"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(name, known[i]) == 0) return true;
    return false;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    Arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_JUDGE:
        arguments->plan.judge = arg;
        return 0;
    case KEY_GAME:
        arguments->game = arg;
        return 0;
    case KEY_NUMBER:
        arguments->number = cli_parse_count(state, "--number", arg, 1, 100000000);
        return 0;
    case KEY_ROLE:
        arguments->plan.role = (int)cli_parse_count(state, "--role", arg, 0, 1);
        return 0;
    case KEY_DEPTH:
        arguments->plan.budget.depth = (int)cli_parse_count(state, "--depth", arg, 1, 200);
        return 0;
    case KEY_NODES:
        arguments->plan.budget.nodes = cli_parse_count(state, "--nodes", arg, 1, UINT64_MAX);
        return 0;
    case KEY_TIME:
        arguments->plan.budget.seconds = cli_parse_real(state, "--time", arg, 1e-4, 1e6);
        return 0;
    case KEY_SEED:
        arguments->plan.seed = cli_parse_count(state, "--seed", arg, 0, UINT64_MAX);
        return 0;
    case KEY_FORMAT:
        if (!is_format(arg)) argp_error(state, "--format is text, json, html, pdn or sgf, not \"%s\"", arg);
        arguments->format = arg;
        return 0;
    case 'o':
        arguments->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file) argp_error(state, "one argument too many: \"%s\"", arg);
        arguments->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->file) argp_error(state, "which game? Give a file in PDN, SGF or GGF");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char doc[] =
    "Judge every move of a game: what it cost, what was better, and where the game turned.\v"
    "FILE is a game record in PDN, SGF or GGF, plain lines (game: SPEC, moves: ...), or moves alone with "
    "--game. The "
    "judge is any player that gives scores; the chance to win is that of the player who moves.\n"
    "Examples:\n"
    "  knack analyse game.pdn\n"
    "  knack analyse game.pdn --judge 'alphabeta(depth=10)' --out review.html\n"
    "  knack analyse moves.txt --game 'tictactoe(lose)' --judge perfect\n"
    "  knack analyse games.pdn --number 3 --format pdn";

/* The result that the file gives, which may have been decided off the board; NULL where it gives none. PDN is
 * written with Black's score first, whichever the file has. */
static const char *result_of(const KnRecordText *text)
{
    double outcome;
    if (!text->format || !text->result.length) return NULL;
    if (strcmp(text->format, "pdn") != 0) return text->result.data;
    if (!kn_game_record_outcome(text, &outcome)) return NULL;
    return outcome > 0 ? "1-0" : outcome < 0 ? "0-1" : "1/2-1/2";
}

/* The game with a comment after each move that was no good. */
static KnStatus write_comments(const Arguments *arguments, const char *format, const CliRecord *record,
                               const KnReview *review, KnText *out, KnError *error)
{
    const char **comments = calloc(review->count + 1, sizeof *comments);
    if (!comments) return kn_fail_memory(error, "writing a review");
    for (size_t i = 0; i < review->count; i++) {
        const char *remark = kn_review_remark(review, &review->moves[i]);
        if (*remark)
            comments[i] = kn_arena_printf(review->arena, "%s %s", kn_review_mark(&review->moves[i]), remark);
    }
    const KnRecordText *text = &record->text;
    double payoffs[KN_ROLES_MAX];
    KnGameRecord written = {.state = record->state,
                            .event = text->event.length ? text->event.data : arguments->file,
                            .round = text->round.length ? text->round.data : NULL,
                            .date = text->date.length ? text->date.data : "????.??.??",
                            .players = {text->players[0].data, text->players[1].data},
                            .payoffs = kn_state_over(record->state, payoffs) ? payoffs : NULL,
                            .result = result_of(text),
                            .comments = comments};
    KnStatus status = kn_game_record_format(format)(&written, out, error);
    free(comments);
    return status;
}

static KnStatus write_review(const Arguments *arguments, const CliRecord *record, const KnReview *review,
                             KnText *out, KnError *error)
{
    const char *dot = arguments->out ? strrchr(arguments->out, '.') : NULL, *format = arguments->format;
    if (!format && arguments->common.json) format = "json";
    if (!format) format = dot && is_format(dot + 1) ? dot + 1 : "text";
    const char *players[2] = {record->text.players[0].data, record->text.players[1].data};
    if (strcasecmp(format, "json") == 0) {
        json_t *document = kn_review_json(review, record->game);
        char *text = json_dumps(document, JSON_INDENT(2) | JSON_SORT_KEYS);
        json_decref(document);
        if (!text) return kn_fail_memory(error, "writing a review");
        kn_text_printf(out, "%s\n", text);
        free(text);
    } else if (strcasecmp(format, "html") == 0)
        cli_review_html(review, record->state, players, out);
    else if (strcasecmp(format, "text") == 0)
        kn_review_text(review, record->game, out);
    else
        return write_comments(arguments, format, record, review, out, error);
    return kn_text_ok(out) ? KN_OK : kn_fail_memory(error, "writing a review");
}

int command_analyse(int argc, char **argv)
{
    Arguments arguments = {.number = 1, .plan = {.seed = 1, .role = -1}};
    const struct argp argp = {options, parse, "FILE", doc, cli_common, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    KnContext *context;
    int code = cli_open(&arguments.common, &context);
    if (code) return code;
    arguments.plan.cancel = cli_interrupt();
    KnError error;
    CliRecord record;
    KnReview review = {0};
    KnText out = KN_TEXT_EMPTY;
    KnStatus status = cli_record_read(context, arguments.file, arguments.number, arguments.game, &record,
                                      &error);
    if (status == KN_OK) {
        KnProgress *progress = cli_progress(&arguments.common, "moves", kn_state_plies(record.state));
        status = kn_review(context, record.state, &arguments.plan, progress, &review, &error);
        kn_progress_free(progress);
    }
    if (status == KN_OK) status = write_review(&arguments, &record, &review, &out, &error);
    if (status == KN_OK && arguments.out)
        status = kn_file_write_atomic(arguments.out, out.data, out.length, &error);
    else if (status == KN_OK && !arguments.common.json &&
             (!arguments.format || strcmp(arguments.format, "text") == 0))
        cli_say(out.data);
    else if (status == KN_OK)
        fputs(out.data, stdout);
    code = status == KN_OK ? cli_finish() : cli_fail(&error);
    kn_text_free(&out);
    kn_review_free(&review);
    code = cli_trouble(record.game, code);
    cli_record_free(&record);
    kn_close(context);
    return code;
}
