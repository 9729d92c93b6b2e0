/* What engines pass on: a player that writes down what it is asked, and answers with the numbers that it was
 * given, behind GTP, the pipe protocol and NBoard. */
#include "support/check.h"
#include "support/workbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "protocols/gtp_engine.h"
#include "protocols/nboard_engine.h"
#include "protocols/pipe_engine.h"

typedef struct Clerk {
    KnPlayerType type;
    KnText noted; /* of each question: role, depth, nodes and thousandths of a second, and what is wanted */
    KnAnswer answer; /* its move is the last that is allowed; the values of all go down from its score */
} Clerk;

static Clerk *clerk_of(const KnPlayer *player) { return (Clerk *)(uintptr_t)player->type; }

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)error;
    Clerk *clerk = clerk_of(player);
    kn_text_printf(&clerk->noted, "%d %d %llu %.0f%s; ", request->role, request->budget.depth,
                   (unsigned long long)request->budget.nodes, request->budget.seconds * 1000,
                   request->wants & KN_WANT_VALUES ? " values" : "");
    KnScore *values = answer->values;
    *answer = clerk->answer;
    answer->values = values;
    answer->move = request->allowed[request->allowed_count - 1];
    answer->has_values = answer->has_values && values;
    for (int i = 0; answer->has_values && i < request->allowed_count; i++)
        values[i] = answer->score - 100 * (request->allowed_count - 1 - i);
    return KN_OK;
}

static KnStatus end(KnPlayer *player, const KnState *state, const double *payoffs, KnError *error)
{
    (void)error;
    kn_text_printf(&clerk_of(player)->noted, "%zu plies, %g; ", kn_state_plies(state), payoffs[0]);
    return KN_OK;
}

static const Clerk new_clerk = {.type = {.head = {"clerk", "", NULL}, .choose = choose, .end = end},
                                .noted = {.data = ""}};

typedef KnStatus (*Serve)(const KnContext *context, FILE *in, FILE *out, KnError *error);

static KnStatus serve_go(const KnContext *context, FILE *in, FILE *out, KnError *error)
{
    return kn_gtp_serve(context, "go(5)", "clerk", 1, in, out, error);
}

static KnStatus serve_othello(const KnContext *context, FILE *in, FILE *out, KnError *error)
{
    return kn_gtp_serve(context, "othello", "clerk", 1, in, out, error);
}

static KnStatus serve_pipe(const KnContext *context, FILE *in, FILE *out, KnError *error)
{
    return kn_pipe_serve(context, "tictactoe", "clerk", 1, fileno(in), out, error);
}

static KnStatus serve_dilemma(const KnContext *context, FILE *in, FILE *out, KnError *error)
{
    return kn_pipe_serve(context, "dilemma(turns=3)", "clerk", 1, fileno(in), out, error);
}

static KnStatus serve_nboard(const KnContext *context, FILE *in, FILE *out, KnError *error)
{
    return kn_nboard_serve(context, "clerk", 1, fileno(in), out, error);
}

/* Leaves out the times at the ends of NBoard's lines. */
static void drop_times(char *said)
{
    char *to = said;
    for (char *line = said, *end; *line; line = end) {
        size_t length = strcspn(line, "\n");
        end = line + length + (line[length] == '\n');
        if (strncmp(line, "nodestats", 9) == 0 || strncmp(line, "===", 3) == 0)
            while (length && strchr("0123456789.", line[length - 1])) length--;
        memmove(to, line, length);
        to += length;
        *to++ = '\n';
    }
    *to = 0;
}

/* What the engine says to these lines. The caller frees. */
static char *converse(Clerk *clerk, Serve serve, const char *lines)
{
    KnError error;
    char *text = NULL;
    size_t size = 0;
    KnContext *context = test_workbench("clerk");
    check_ok(error, kn_register(context, KN_KIND_PLAYER, &clerk->type.head, &error));
    FILE *in = tmpfile(), *out = open_memstream(&text, &size);
    assert_true(in && out);
    fputs(lines, in);
    rewind(in);
    check_ok(error, serve(context, in, out, &error));
    fclose(in);
    fclose(out);
    kn_close(context);
    drop_times(text);
    return text;
}

#define GGF(moves)                                                                                           \
    "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 "                                     \
    "---------------------------O*------*O--------------------------- *]" moves ";)\n"

/* What is left of the time, what is left to play, and limits that are set. */
static void test_budgets(void **state)
{
    (void)state;
    static const struct {
        Serve serve;
        const char *lines, *noted;
    } cases[] = {
        /* GTP: a share of 10 moves and 0.3 for each of 25 empty points; nine tenths of a stone's overtime */
        {serve_go, "genmove b\n", "0 0 0 0; "},
        {serve_go, "time_settings 35 0 0\ngenmove b\n", "0 0 0 2000; "},
        {serve_go, "time_settings 35 60 10\ngenmove b\n", "0 0 0 5400; "},
        {serve_go, "time_settings 0 60 0\ngenmove w\n", "1 0 0 0; "},
        {serve_go, "time_left b 35 0\nreg_genmove b\ntime_left w 10 5\ngenmove w\n",
         "0 0 0 2000; 1 0 0 1800; "},
        {serve_go, "play b a1\nplay w b1\nplay b c3\ntime_left w 16.6 0\ngenmove w\n", "1 0 0 1000; "},
        {serve_go, "time_left b 0.01 0\ngenmove b\ntime_left b 0 1\ngenmove b\n", "0 0 0 10; 0 0 0 0; "},
        {serve_go, "time_left x 35 0\ntime_left b 35\ntime_settings 35 0\ngenmove b\n", "0 0 0 0; "},
        {serve_othello, "time_left b 28 0\ngenmove b\ntime_left w 2.77 0\ngenmove w\n",
         "0 0 0 1000; 1 0 0 100; "},
        /* pipe: 30 moves and a half, or as many as it is told, and most of the increment */
        {serve_pipe, "go\ngo depth 7 nodes 12 time 0.25\ngo depth 2000 nodes 1e15\n",
         "0 0 0 0; 0 7 12 250; 0 1000 1000000000000000 0; "},
        {serve_pipe, "go clock 61\ngo clock 61 increment 0.5 against 3\ngo clock 11 togo 5\ngo togo 5\n",
         "0 0 0 2000; 0 0 0 2400; 0 0 0 2000; 0 0 0 0; "},
        {serve_pipe, "go clock 1 increment 5\ngo clock 0\ngo clock 61 time 3\ngo time 0 clock 61\n",
         "0 0 0 700; 0 0 0 0; 0 0 0 3000; 0 0 0 2000; "},
        {serve_pipe, "moves a1\ngo role 1\ngo role 0\ngo\ngo depth -1\ngo nodes 2e15\ngo role 16\n",
         "1 0 0 0; 1 0 0 0; "},
        {serve_dilemma, "go\ngo role 1\ngo role 2\ngo role 0 depth 1\n", "0 0 0 0; 1 0 0 0; 0 1 0 0; "},
        /* NBoard: half of 60 squares and two moves share the clock; hints know no clock */
        {serve_nboard,
         "go\nset depth 3\ngo\nhint 1\nhint 2\nset depth 61\ngo\nset depth 0\nset depth 60\ngo\n",
         "0 0 0 0; 0 3 0 0; 0 3 0 0; 0 3 0 0 values; 0 60 0 0; 0 60 0 0; "},
        {serve_nboard, GGF("") "go\nhint 1\n", "0 0 0 28125; 0 0 0 0; "},
        {serve_nboard, GGF("B[F5//4]W[F6//450]") "go\nmove D3/1/26\ngo\nmove C5/0/3\ngo\n",
         "0 0 0 28903; 1 0 0 14754; 0 0 0 29000; "},
        {serve_nboard, GGF("B[F5//1000]W[F6]") "go\nD3//10\ngo\n", "0 0 0 10; 1 0 0 29508; "},
        {serve_nboard,
         "set game (;GM[Othello]BO[8 ******** ******** ******** ******** ******** ******** ******** *OOOOOO- "
         "*];)\nlearn\nmove H8\ngo\nlearn\n",
         "1 plies, 1; "},
        {serve_nboard, "set game (;GM[Othello]TI[1:02:03]BO[4 -----O*--*O----- *];)\ngo\n", "0 0 0 465375; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Clerk clerk = new_clerk;
        free(converse(&clerk, cases[i].serve, cases[i].lines));
        if (strcmp(clerk.noted.data, cases[i].noted) != 0)
            fail_msg("%s--- noted %s, wanted %s", cases[i].lines, clerk.noted.data, cases[i].noted);
        kn_text_free(&clerk.noted);
    }
}

/* Scores in the words of the protocol. */
static void test_scores(void **state)
{
    (void)state;
    static const struct {
        KnAnswer answer;
        const char *search; /* the value and its reach, by NBoard */
    } cases[] = {
        {{.has_score = true, .score = 150, .depth = 7}, "1.50 0 7"},
        {{.has_score = true, .score = -25, .depth = 1}, "-0.25 0 1"},
        {{.has_score = true, .score = KN_SCORE_PAYOFF / 2}, "0.50 0 0"},
        {{.has_score = true, .score = -KN_SCORE_PAYOFF / 4}, "-0.25 0 0"},
        {{.has_score = true, .score = 900000, .depth = 2}, "9000.00 0 2"},
        {{.has_score = true, .score = KN_SCORE_PROVEN + 3, .depth = 5}, "1.00 0 100%W"},
        {{.has_score = true, .score = -KN_SCORE_PROVEN, .depth = 5}, "-1.00 0 100%W"},
        {{.has_score = true, .score = KN_SCORE_PAYOFF / 2, .payoffs = true, .depth = 3}, "0.50 0 3"},
        {{.has_score = true, .score = -KN_SCORE_PAYOFF / 4, .payoffs = true, .depth = 3}, "-0.25 0 3"},
        {{.has_score = true, .score = 100, .log_odds = 100, .depth = 4}, "0.76 0 4"},
        {{.has_score = true, .score = -100, .log_odds = 200, .depth = 4}, "-0.46 0 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Clerk clerk = new_clerk;
        clerk.answer = cases[i].answer;
        clerk.answer.cost.nodes = 77;
        char *said = converse(&clerk, serve_nboard, "hint 1\n"), wanted[200];
        bool expects = cases[i].answer.payoffs || cases[i].answer.log_odds != 0;
        snprintf(wanted, sizeof wanted, "status Knack is analyzing\nnodestats 77 \nsearch E6 %s\nstatus%s\n",
                 cases[i].search, expects ? " Scores: the expected result, from -1 (lost) to +1 (won)" : "");
        assert_string_equal(said, wanted);
        free(said);
        kn_text_free(&clerk.noted);
    }
}

/* What an engine says of one move, of several, and of none. */
static void test_answers(void **state)
{
    (void)state;
    static const struct {
        Serve serve;
        const char *lines, *said;
        bool scored, valued;
    } cases[] = {
        {serve_nboard, "go\n", "status Knack is thinking\nnodestats 9 \n=== E6//\nstatus\n", false, false},
        {serve_nboard, "go\n",
         "status Knack is thinking\nnodestats 9 \nsearch E6 3.00 0 6\n=== E6/3.00/\nstatus\n", true, true},
        {serve_nboard, "hint 2\n", "status Knack is analyzing\nnodestats 9 \nstatus\n", false, false},
        {serve_nboard, "hint 2\n", "status Knack is analyzing\nnodestats 9 \nsearch E6 3.00 0 6\nstatus\n",
         true, false},
        {serve_nboard, "hint 0\nhint 3\nhint 9\n",
         "status Knack is analyzing\nnodestats 9 \nsearch E6 3.00 0 6\nstatus\n"
         "status Knack is analyzing\nnodestats 9 \nsearch E6 3.00 0 6\nsearch F5 2.00 0 6\nsearch C4 "
         "1.00 0 "
         "6\nstatus\n"
         "status Knack is analyzing\nnodestats 9 \nsearch E6 3.00 0 6\nsearch F5 2.00 0 6\nsearch C4 "
         "1.00 0 "
         "6\nsearch D3 0.00 0 6\nstatus\n",
         true, true},
        {serve_nboard, "set depth 3\nmove F5\nanalyze\n",
         "status Knack is analyzing\nnodestats 9 \nanalysis 1 3.00\nnodestats 9 \nanalysis 0 "
         "3.00\nstatus\n",
         true, false},
        {serve_pipe, "go\nmoves c1\ngo\nquit\n",
         "info depth 6 nodes 9 score 300\nbestmove c1\ninfo depth 6 nodes 9 score 300\nbestmove b1\n", true,
         false},
        {serve_pipe, "go\n", "info depth 6 nodes 9\nbestmove c1\n", false, false},
        {serve_othello, "reg_genmove b\ngenmove b\ngenmove w\nundo\nundo\nundo\n7 genmove b\n",
         "= e6\n\n= e6\n\n= f6\n\n=\n\n=\n\n? cannot undo\n\n=7 e6\n\n", true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Clerk clerk = new_clerk;
        clerk.answer = (KnAnswer){.has_score = cases[i].scored,
                                  .has_values = cases[i].valued,
                                  .score = 300,
                                  .depth = 6,
                                  .cost = {.nodes = 9}};
        char *said = converse(&clerk, cases[i].serve, cases[i].lines);
        assert_string_equal(said, cases[i].said);
        free(said);
        kn_text_free(&clerk.noted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
