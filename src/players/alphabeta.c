/* Alpha-beta search: the strong default for games with an evaluation. */
#include <stdlib.h>
#include <string.h>

#include "players/registry.h"
#include "players/search_player.h"
#include "search/alphabeta.h"

static void *make_alphabeta(const KnSearcher *searcher, KnError *error)
{
    KnSearchOptions how = searcher->how.alphabeta;
    how.endgame = searcher->endgame;
    return kn_search_new(searcher->game, searcher->evaluation, &how, error);
}

static KnStatus run_alphabeta(void *engine, const void *position, const KnHistory *history,
                              const KnSearchRequest *request, KnSearchResult *result, KnError *error)
{
    return kn_search_run(engine, position, history, request, result, error);
}

static void clear_alphabeta(void *engine) { kn_search_clear(engine); }
static void free_alphabeta(void *engine) { kn_search_free(engine); }

static const KnEngine alphabeta = {.make = make_alphabeta,
                                   .run = run_alphabeta,
                                   .free = free_alphabeta,
                                   .clear = clear_alphabeta,
                                   .expands = true,
                                   .advised = true,
                                   .learned = true};

static void settle_alphabeta(KnSearcher *searcher, const KnOptions *options)
{
    searcher->budget.depth = (int)kn_option_integer(options, "depth");
    searcher->yields = !kn_option_given(options, "depth") &&
                       (kn_option_flag(options, "deepening") || !kn_option_given(options, "deepening"));
    KnSearchOptions *how = &searcher->how.alphabeta;
    *how = kn_search_options();
    how->null_windows = kn_option_flag(options, "pvs");
    how->deepening = kn_option_flag(options, "deepening");
    how->extend = kn_option_flag(options, "extend");
    how->ordering = kn_option_flag(options, "ordering");
    how->quiescence = kn_option_flag(options, "quiescence");
    how->table = (KnTableUse)kn_option_choice(options, "table");
    const char *tables = kn_option_string(options, "tables");
    how->endgame_selective = strcmp(tables, "auto") == 0;
    searcher->tables = tables[0] && strcmp(tables, "off") != 0 ? strdup(tables) : NULL;
    how->techniques = (KnTechniques){.aspiration = kn_option_flag(options, "aspiration"),
                                     .iid = kn_option_flag(options, "iid"),
                                     .etc = kn_option_flag(options, "etc"),
                                     .reduce = kn_option_flag(options, "reduce"),
                                     .probcut = kn_option_flag(options, "probcut"),
                                     .futility = kn_option_flag(options, "futility"),
                                     .singular = kn_option_flag(options, "singular"),
                                     .continuation = kn_option_flag(options, "continuation"),
                                     .captures = kn_option_flag(options, "captures")};
    how->threads = (int)kn_option_integer(options, "threads");
    how->width = (KnSearchWidth)kn_option_choice(options, "width");
    how->solve = (int)kn_option_integer(options, "solve");
    how->table_bytes = (size_t)kn_option_integer(options, "memory") << 20;
    how->expansion = searcher->expansion;
    how->advisor = searcher->advisor;
    how->change = kn_option_real(options, "change");
    how->extra = (int)kn_option_integer(options, "extra");
}

static KnStatus open_alphabeta(KnPlayer *player, const KnOptions *options, KnError *error)
{
    if (kn_option_integer(options, "threads") > 1) player->traits &= ~(unsigned)KN_PLAYER_REPEATABLE;
    return kn_searcher_open(player, options, &alphabeta, settle_alphabeta, error);
}

static const KnOption alphabeta_options[] = {
    KN_DEPTH_OPTION("4"),
    KN_NODES_OPTION,
    KN_TIME_OPTION,
    KN_EVAL_OPTION("the stronger of ntuple, the program's network for the game, and hand, the game's own"),
    KN_QUIESCENCE_OPTION("yes"),
    {"table", KN_OPTION_CHOICE, "on", 0, 0, "off|on|exact",
     "transposition table; exact uses only what minimax would find"},
    KN_MEMORY_OPTION("16", "MiB of the table"),
    {"pvs", KN_OPTION_FLAG, "yes", 0, 0, NULL, "principal variation search with null windows"},
    {"deepening", KN_OPTION_FLAG, "yes", 0, 0, NULL, "iterative deepening"},
    {"tables", KN_OPTION_STRING, "auto", 0, 0, NULL,
     "endgame tables to ask: a folder, on for those of the data folder, off, or auto: selective searches ask "
     "those of the data folder if there are any"},
    KN_THREADS_OPTION("threads that search together and share the table; results are then not repeatable"),
    {"width", KN_OPTION_CHOICE, "auto", 0, 0, "auto|full|selective",
     "full: every line to the depth; selective: with cuts and solved endgames; auto: selective if depth=0"},
    {"solve", KN_OPTION_INTEGER, "24", 0, 60, NULL,
     "Othello, selective: solve endgames of at most this many empty squares, if the budget suffices"},
    {"extend", KN_OPTION_FLAG, "no", 0, 0, NULL, "forced moves cost no depth"},
    {"aspiration", KN_OPTION_FLAG, "yes", 0, 0, NULL, "selective: aspiration windows"},
    {"iid", KN_OPTION_FLAG, "no", 0, 0, NULL, "selective: internal iterative deepening"},
    {"etc", KN_OPTION_FLAG, "no", 0, 0, NULL, "selective: enhanced transposition cut-offs"},
    {"reduce", KN_OPTION_FLAG, "yes", 0, 0, NULL, "selective: late move reductions"},
    {"probcut", KN_OPTION_FLAG, "yes", 0, 0, NULL, "selective: ProbCut"},
    {"futility", KN_OPTION_FLAG, "yes", 0, 0, NULL, "selective: futility cut-offs near the horizon"},
    {"singular", KN_OPTION_FLAG, "no", 0, 0, NULL, "selective: singular extensions"},
    {"continuation", KN_OPTION_FLAG, "yes", 0, 0, NULL, "selective: continuation history"},
    {"captures", KN_OPTION_FLAG, "no", 0, 0, NULL, "selective: tactical moves before quiet ones"},
    {"ordering", KN_OPTION_FLAG, "yes", 0, 0, NULL, "killer and history move ordering"},
    {"advisor", KN_OPTION_SPEC, "", 0, 0, "advisor",
     "orders moves by what experts would play, such as habits(FILE), more than four plies before the "
     "horizon; "
     "the positions it looks at count"},
    {"expand", KN_OPTION_SPEC, "", 0, 0, "evaluation",
     "variable depth: go on at the horizon while this changes (mobility, focus, proximity, ...)"},
    {"change", KN_OPTION_REAL, "10", 0, 100, NULL,
     "by this many points of 100, since the same role's last turn"},
    {"extra", KN_OPTION_INTEGER, "4", 1, KN_SEARCH_DEPTH_MAX, NULL, "moves beyond the depth, at most"},
    {0}};

const KnPlayerType kn_player_alphabeta = {
    .head = {"alphabeta", "alpha-beta search with iterative deepening and a transposition table",
             alphabeta_options},
    .open = open_alphabeta,
    .close = kn_searcher_close,
    .prepare = kn_searcher_prepare,
    .begin = kn_searcher_begin,
    .choose = kn_searcher_choose,
};
