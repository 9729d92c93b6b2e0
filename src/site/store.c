/* arena/store.h for the site, which keeps no matches: there are no runs, and none can be added. */
#include "arena/store.h"

struct KnStore {
    char none;
};

static KnStatus refuse(KnError *error)
{
    return kn_fail(error, KN_NO,
                   "matches are kept where the program runs on a computer of its own: `knack serve`");
}

KnStatus kn_store_open_reading(const KnContext *context, KnStore **store, KnError *error)
{
    static KnStore empty;
    (void)context;
    (void)error;
    *store = &empty;
    return KN_OK;
}

/* The page's list of runs opens it so: it is empty, and kn_store_run refuses to add one. */
KnStatus kn_store_open(const KnContext *context, KnStore **store, KnError *error)
{
    return kn_store_open_reading(context, store, error);
}

void kn_store_close(KnStore *store) { (void)store; }

KnStatus kn_store_runs(KnStore *store, KnVisitRun visit, void *user, KnError *error)
{
    (void)store;
    (void)visit;
    (void)user;
    (void)error;
    return KN_OK;
}

KnStatus kn_store_find(KnStore *store, const char *name, KnVisitRun visit, void *user, KnError *error)
{
    (void)store;
    (void)visit;
    (void)user;
    return kn_fail(error, KN_INPUT, "there is no run %s here", name);
}

/* ---- what nobody reaches without an open store ---- */

KnStatus kn_store_run(KnStore *store, const char *kind, const char *name, const char *identity,
                      const char *settings, int64_t *run, KnError *error)
{
    (void)store;
    (void)kind;
    (void)name;
    (void)identity;
    (void)settings;
    (void)run;
    return refuse(error);
}

KnStatus kn_store_holds(KnStore *store, const char *identity, bool *holds, KnError *error)
{
    (void)store;
    (void)identity;
    (void)error;
    *holds = false;
    return KN_OK;
}

KnStatus kn_store_begin(KnStore *store, KnError *error) { return (void)store, refuse(error); }
KnStatus kn_store_commit(KnStore *store, KnError *error) { return (void)store, refuse(error); }

KnStatus kn_store_add(KnStore *store, int64_t run, const KnStandingRecord *record, KnError *error)
{
    (void)store;
    (void)run;
    (void)record;
    return refuse(error);
}

KnStatus kn_store_finish(KnStore *store, int64_t run, const char *summary, KnError *error)
{
    (void)store;
    (void)run;
    (void)summary;
    return refuse(error);
}

KnStatus kn_store_games(KnStore *store, int64_t run, KnVisitRecord visit, void *user, KnError *error)
{
    return kn_store_games_from(store, run, 0, 0, visit, user, error);
}

KnStatus kn_store_games_from(KnStore *store, int64_t run, uint64_t from, uint64_t count, KnVisitRecord visit,
                             void *user, KnError *error)
{
    (void)store;
    (void)run;
    (void)from;
    (void)count;
    (void)visit;
    (void)user;
    (void)error;
    return KN_OK;
}

KnStatus kn_store_delete(KnStore *store, int64_t run, KnError *error)
{
    (void)store;
    (void)run;
    return refuse(error);
}
