#include "cli/bench_peers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/match.h"
#include "base/clock.h"
#include "players/dilemma/duel.h"

/* A figure of a table's cell. A match has two of them, both of processor time; a rate counts as better if it
 * is higher. */
typedef struct Figures {
    double knack, peer;
    char text[120];    /* of a match: its result */
    char trouble[400]; /* why there are no figures, though the program is there; "" if there are */
} Figures;

typedef struct Peer Peer;

struct Peer {
    const char *name;
    const char *task, *unit;
    const char *program;                  /* that must be installed */
    const char *package, *install;        /* what to look for, and how to get it */
    const char *game, *player, *opponent; /* of a match; the opponent's %s is the program */
    const char *script;                   /* of a rate: a Python program that prints it */
    KnStatus (*rate)(const KnContext *context, const Peer *peer, double *rate, KnError *error);
};

enum { GAMES = 4, ROUNDS = 5 };

/* ---- what is installed ---- */

/* The first place of the search path, or Debian's folder of games, that has the program. */
static bool find_program(const char *name, char *path, size_t room)
{
    const char *folders = getenv("PATH");
    KnText list = KN_TEXT_EMPTY;
    bool found = false;
    kn_text_printf(&list, "%s:/usr/games", folders ? folders : "/usr/bin:/bin");
    char *rest = NULL;
    for (char *folder = kn_text_ok(&list) ? strtok_r(list.data, ":", &rest) : NULL; folder && !found;
         folder = strtok_r(NULL, ":", &rest)) {
        int length = snprintf(path, room, "%s/%s", folder, name);
        found = length > 0 && (size_t)length < room && access(path, X_OK) == 0;
    }
    kn_text_free(&list);
    return found;
}

/* ---- rates ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of five runs of the script, which prints a rate; false if it prints none. Its text is in single
 * quotes for the shell. */
static bool ask_script(const char *program, const char *script, double *rate)
{
    double rates[ROUNDS];
    KnText command = KN_TEXT_EMPTY;
    kn_text_printf(&command, "'%s' -c '%s' 2>/dev/null", program, script);
    bool told = kn_text_ok(&command);
    for (int i = 0; i < ROUNDS && told; i++) {
        char line[100] = "";
        FILE *pipe = popen(command.data, "r");
        told = pipe && fgets(line, sizeof line, pipe);
        if (pipe && pclose(pipe) != 0) told = false;
        rates[i] = strtod(line, NULL);
        told = told && rates[i] > 0;
    }
    kn_text_free(&command);
    if (!told) return false;
    qsort(rates, ROUNDS, sizeof *rates, by_size);
    *rate = rates[ROUNDS / 2];
    return true;
}

/* Random games as a user of the library plays them; moves a second, the median of five runs. */
static KnStatus random_moves(const KnContext *context, const Peer *peer, double *rate, KnError *error)
{
    KnGame *game;
    KnStatus status = kn_game_open(context, peer->game, &game, error);
    if (status != KN_OK) return status;
    KnState *state = kn_state_new(game);
    KnMove moves[game->max_moves];
    double rates[ROUNDS];
    if (!state) status = kn_fail_memory(error, "measuring");
    for (int round = 0; round < ROUNDS && status == KN_OK; round++) {
        KnRng rng = kn_rng_seeded((uint64_t)round);
        double began = kn_clock_cpu();
        uint64_t played = 0;
        for (int i = 0; i < 2000 && status == KN_OK; i++) {
            kn_state_reset(state, NULL);
            while (status == KN_OK && kn_state_plies(state) < 300) {
                int role = game->type->mover(game, kn_state_position(state)),
                    count = kn_state_moves(state, role, moves);
                if (!count) break;
                status = kn_state_play(state, moves[kn_rng_below(&rng, (uint32_t)count)], error);
                played++;
            }
        }
        rates[round] = (double)played / (kn_clock_cpu() - began);
    }
    kn_state_free(state);
    kn_game_close(game);
    if (status != KN_OK) return status;
    qsort(rates, ROUNDS, sizeof *rates, by_size);
    *rate = rates[ROUNDS / 2];
    return KN_OK;
}

/* Two strategies, match after match of 200 turns; turns a second. */
static KnStatus dilemma_turns(const KnContext *context, const Peer *peer, double *rate, KnError *error)
{
    static const char *const specs[2] = {"titfortat", "random"};
    KnGame *game;
    KnPlayer *players[2] = {0};
    KnStatus status = kn_game_open(context, peer->game, &game, error);
    if (status != KN_OK) return status;
    for (int i = 0; i < 2 && status == KN_OK; i++)
        status = kn_player_open(context, game, specs[i], &players[i], error);
    double rates[ROUNDS];
    for (int round = 0; round < ROUNDS && status == KN_OK; round++) {
        KnDuelRules rules = {.matrix = kn_game_matrix(game)};
        KnRng streams[KN_DUEL_STREAMS];
        for (int i = 0; i < KN_DUEL_STREAMS; i++) streams[i] = kn_rng_stream((uint64_t)round, (uint64_t)i);
        uint64_t turns = 0;
        double began = kn_clock_cpu();
        for (int match = 0; match < 20000; match++) {
            KnDuel duel;
            kn_duel(kn_player_agent(players[0]), kn_player_agent(players[1]), &rules, streams, &duel);
            turns += (uint64_t)duel.turns;
        }
        rates[round] = (double)turns / (kn_clock_cpu() - began);
    }
    for (int i = 0; i < 2; i++) kn_player_close(players[i]);
    kn_game_close(game);
    if (status != KN_OK) return status;
    qsort(rates, ROUNDS, sizeof *rates, by_size);
    *rate = rates[ROUNDS / 2];
    return KN_OK;
}

/* ---- matches ---- */

static KnStatus play_match(const KnContext *context, const Peer *peer, const char *program, Figures *out,
                           KnError *error)
{
    KnText opponent = KN_TEXT_EMPTY;
    for (const char *at = peer->opponent; *at; at++)
        if (at[0] == '%') /* the only one stands for the program */
            kn_text_add(&opponent, program);
        else
            kn_text_add_char(&opponent, *at);
    KnMatchPlan plan = {.game = peer->game,
                        .players = {peer->player, opponent.data},
                        .games = GAMES,
                        .seed = 1,
                        .jobs = 1,
                        .random_plies = 4,
                        .rules = {.ply_limit = 300}};
    KnMatchResult result;
    KnStatus status = kn_text_ok(&opponent) ? kn_match_run(context, &plan, NULL, NULL, &result, error)
                                            : kn_fail_memory(error, "measuring");
    if (status == KN_OK && result.standing.forfeits[1]) {
        const KnStanding *s = &result.standing;
        snprintf(out->trouble, sizeof out->trouble, "it forfeited %" PRIu64 " of %" PRIu64 " games (%.300s)",
                 s->forfeits[1], s->games, result.first_fault);
    } else if (status == KN_OK) {
        const KnStanding *s = &result.standing;
        KnInterval interval = kn_standing_interval(s);
        out->knack = s->cost[0].seconds / (double)s->games;
        out->peer = s->cost[1].seconds / (double)s->games;
        snprintf(out->text, sizeof out->text, "Knack scores %.2f [%.2f, %.2f] in %d games",
                 kn_standing_score(s), interval.low, interval.high, GAMES);
    } else if (status == KN_INPUT) {
        /* The program is not what its name says; the other peers can be measured. */
        snprintf(out->trouble, sizeof out->trouble, "%.390s", error->text);
        status = KN_OK;
    }
    kn_text_free(&opponent);
    return status;
}

/* ---- the table ---- */

#define SPIEL(game)                                                                                          \
    "import pyspiel,random,time\ng=pyspiel.load_game(\"" game "\")\nn=0\nt=time.process_time()\n"            \
    "while time.process_time()-t<1:\n s=g.new_initial_state()\n"                                             \
    " while not s.is_terminal() and s.move_number()<300:\n"                                                  \
    "  s.apply_action(random.choice(s.legal_actions()))\n  n+=1\n"                                           \
    "print(n/(time.process_time()-t))"

#define AXELROD                                                                                              \
    "import axelrod as a,time\nn=0\nt=time.process_time()\nwhile time.process_time()-t<1:\n"                 \
    " a.Match((a.TitForTat(),a.Random()),turns=200).play()\n n+=200\nprint(n/(time.process_time()-t))"

#define SPIEL_ROW(title, knack, spiel)                                                                       \
    {                                                                                                        \
        "OpenSpiel", title, "moves/s", "python3", "the Python module pyspiel", "pip install open_spiel",     \
            knack, NULL, NULL, SPIEL(spiel), random_moves                                                    \
    }

static const Peer peers[] = {
    {"GNU Go", "Go 9x9, level 1 against 2,000 playouts", "s/game", "gnugo", "gnugo", "apt install gnugo",
     "go(9)", "tactical(playouts=2000)", "gtp(\"% --mode gtp --level 1 --chinese-rules --capture-all-dead\")",
     NULL, NULL},
    {"GRhino", "Othello, its default level against 20,000 nodes", "s/game", "gtp-rhino", "gtp-rhino",
     "apt install grhino", "othello", "alphabeta(nodes=20000)", "gtp(\"%\")", NULL, NULL},
    SPIEL_ROW("random games of draughts", "checkers", "checkers"),
    SPIEL_ROW("random games of Othello", "othello", "othello"),
    SPIEL_ROW("random games of Go 9x9", "go(9)", "go(board_size=9)"),
    SPIEL_ROW("random games of nine men's morris", "morris(men=9)", "nine_mens_morris"),
    {"Axelrod", "Tit for Tat and Random, 200 turns", "turns/s", "python3", "the Python module axelrod",
     "pip install axelrod", "dilemma", NULL, NULL, AXELROD, dilemma_turns},
};

static KnStatus compare(const KnContext *context, const Peer *peer, Figures *figures, bool *installed,
                        KnError *error)
{
    char program[1024];
    *installed = find_program(peer->program, program, sizeof program);
    if (*installed && peer->script) *installed = ask_script(program, peer->script, &figures->peer);
    if (!*installed) return KN_OK;
    return peer->script ? peer->rate(context, peer, &figures->knack, error)
                        : play_match(context, peer, program, figures, error);
}

static void print_row(const Peer *peer, const Figures *f, bool installed)
{
    printf("%-10s %-48s ", peer->name, peer->task);
    if (!installed)
        printf("not measured: %s is not installed (%s)\n", peer->package, peer->install);
    else if (f->trouble[0])
        printf("not measured: %s\n", f->trouble);
    else
        printf("%12.4g %12.4g %-8s %s\n", f->knack, f->peer, peer->unit, f->text);
    fflush(stdout);
}

KnStatus bench_peers(const KnContext *context, const char *only, json_t *json, KnError *error)
{
    KnStatus status = KN_OK;
    size_t shown = 0;
    for (size_t i = 0; i < sizeof peers / sizeof *peers && status == KN_OK; i++) {
        const Peer *peer = &peers[i];
        Figures figures = {0};
        bool installed;
        if (only && !strcasestr(peer->name, only) && !strcasestr(peer->task, only)) continue;
        if (!json && !shown++)
            printf("%-10s %-48s %12s %12s (processor time; rates are medians of five)\n", "peer", "task",
                   "Knack", "peer");
        status = compare(context, peer, &figures, &installed, error);
        if (status != KN_OK) break;
        if (!json) print_row(peer, &figures, installed);
        if (!json) continue;
        json_t *row = json_pack("{ss ss ss sb}", "peer", peer->name, "task", peer->task, "unit", peer->unit,
                                "installed", installed);
        if (figures.trouble[0]) {
            json_object_set_new(row, "trouble", json_string(figures.trouble));
        } else if (installed) {
            json_object_set_new(row, "knack", json_real(figures.knack));
            json_object_set_new(row, "figure", json_real(figures.peer));
            if (figures.text[0]) json_object_set_new(row, "result", json_string(figures.text));
        }
        json_array_append_new(json, row);
        shown++;
    }
    return status == KN_OK && !shown
               ? kn_fail(error, KN_USAGE, "no peer of the bench has \"%s\" in its name or task", only)
               : status;
}
