/* Files of networks, and those that travel with the library. */
#include <stdlib.h>

#include "base/embedded.h"
#include "base/file.h"
#include "eval/ntuple_inside.h"

KnStatus kn_network_pack(const KnNetwork *network, KnText *out, KnError *error)
{
    char *header = kn_look_header(&network->look, network->made);
    KnStatus status = header ? kn_ntuple_pack(network->net, header, out, error)
                             : kn_fail_memory(error, "saving a network");
    free(header);
    return status;
}

/* Completes a network that has its tables. On failure it is freed. */
static KnStatus fit_game(KnNetwork *network, const KnGame *game, const char *header, const char *name,
                         KnNetwork **out, KnError *error)
{
    KnStatus status = kn_look_read(game, header, name, kn_ntuple_phases(network->net), &network->look,
                                   &network->made, error);
    if (status == KN_OK && (kn_ntuple_cells(network->net) != network->look.board->cells ||
                            kn_ntuple_symbols(network->net) != kn_look_symbols(&network->look)))
        status = kn_fail(error, KN_INPUT, "%s: the network does not fit the board of %s; train it again",
                         name, game->spec);
    if (status == KN_OK)
        *out = network;
    else
        kn_network_free(network);
    return status;
}

/* Tables with the header of their file. */
struct KnNetworkTables {
    KnNtuple *net, *folded;
    char *header;
};

static void free_tables(void *thing)
{
    KnNetworkTables *tables = thing;
    kn_ntuple_free(tables->net);
    kn_ntuple_free(tables->folded);
    free(tables->header);
    free(tables);
}

static KnStatus read_tables(const void *bytes, size_t size, const char *name, KnNetworkTables **out,
                            KnError *error)
{
    KnNetworkTables *tables = calloc(1, sizeof *tables);
    *out = NULL;
    if (!tables) return kn_fail_memory(error, "reading a network");
    KnStatus status = kn_ntuple_unpack(bytes, size, name, &tables->net, &tables->header, error);
    if (status == KN_OK) status = kn_ntuple_fold(tables->net, &tables->folded, error);
    if (status == KN_OK)
        *out = tables;
    else
        free_tables(tables);
    return status;
}

KnStatus kn_network_read(const KnGame *game, const void *bytes, size_t size, const char *name,
                         KnNetwork **out, KnError *error)
{
    KnNetworkTables *tables = NULL;
    *out = NULL;
    KnStatus status = read_tables(bytes, size, name, &tables, error);
    if (status != KN_OK) return status;
    KnNetwork *network = calloc(1, sizeof *network);
    if (network) {
        network->net = tables->net;
        network->folded = tables->folded;
        tables->net = tables->folded = NULL;
        status = fit_game(network, game, tables->header, name, out, error);
    } else
        status = kn_fail_memory(error, "reading a network");
    free_tables(tables);
    return status;
}

/* ---- networks of the library ---- */

/* A level one is no stronger than the game's own evaluation in equal time, as
 * docs/measurements/ntuple.md measures. */
typedef struct Shipped {
    const char *game, *name;
    bool level;
} Shipped;

static const Shipped shipped[] = {{"checkers", "ntuple/checkers.ntuple", false},
                                  {"othello", "ntuple/othello.ntuple", false},
                                  {"othello(size=6)", "ntuple/othello-size-6.ntuple", false},
                                  {"morris", "ntuple/morris.ntuple", false},
                                  {"morris(men=9)", "ntuple/morris-men-9.ntuple", false},
                                  {"gdl:breakthrough", "ntuple/gdl_breakthrough.ntuple", false},
                                  {"fives", "ntuple/fives.ntuple", true},
                                  {"gdl:connectfour", "ntuple/gdl_connectfour.ntuple", false}};

static const Shipped *find_shipped(const KnGame *game)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        if (kn_look_made_for(game, shipped[i].game)) return &shipped[i];
    return NULL;
}

bool kn_network_leads(const KnGame *game)
{
    const Shipped *found = find_shipped(game);
    return found && !found->level;
}

static KnStatus make_tables(void *user, void **thing, KnError *error)
{
    const KnEmbeddedRow *row = *(const KnEmbeddedRow *const *)user;
    KnNetworkTables *tables = NULL;
    KnStatus status = read_tables(row->bytes, *row->size, row->name, &tables, error);
    if (status == KN_OK) *thing = tables;
    return status;
}

/* All players of a context read the same tables: those of draughts take 20 MB, and time to unpack and fold.
 */
static KnStatus open_shipped(const KnGame *game, const KnEmbeddedRow *row, KnNetwork **out, KnError *error)
{
    void *thing;
    KnStatus status = kn_share_kept(game->context, row->name, make_tables, free_tables, &row, &thing, error);
    if (status != KN_OK) return status;
    KnNetwork *network = calloc(1, sizeof *network);
    if (!network) {
        kn_unshare(game->context, thing);
        return kn_fail_memory(error, "opening a network");
    }
    network->tables = thing;
    network->net = network->tables->net;
    network->folded = network->tables->folded;
    return fit_game(network, game, network->tables->header, row->name, out, error);
}

KnStatus kn_network_open(const KnGame *game, const char *path, KnNetwork **network, KnError *error)
{
    enum { MOST = 1 << 28 };
    *network = NULL;
    if (!path) {
        const Shipped *found = find_shipped(game);
        const KnEmbeddedRow *row = found ? kn_embedded_find(found->name) : NULL;
        if (row) return open_shipped(game, row, network, error);
        return kn_fail(error, KN_INPUT,
                       "there is no network for %s yet; make one with knack train ntuple, and give its file",
                       game->spec);
    }
    KnText bytes = KN_TEXT_EMPTY;
    KnStatus status = kn_file_read(path, &bytes, MOST, error);
    if (status == KN_OK) status = kn_network_read(game, bytes.data, bytes.length, path, network, error);
    kn_text_free(&bytes);
    return status;
}
