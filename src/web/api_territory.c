/* The count of a game of Go: who owns each point, which stones are dead, and the score without them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/go/final_status.h"
#include "web/session.h"

typedef struct Count {
    const KnGame *game;
    void *position;
    KnGoFinal final;
} Count;

static void count_points(void *user)
{
    Count *count = user;
    kn_go_final(count->game, count->position, &count->final);
}

static json_t *cells_with(const Count *count, KnGoStatus status)
{
    json_t *array = json_array();
    for (int i = 0; i < count->game->cells; i++)
        if (count->final.status[i] == status) json_array_append_new(array, json_integer(i));
    return array;
}

static json_t *count_json(const Count *count)
{
    char owners[KN_GO_CELLS_MAX + 1], text[80];
    const KnGoFinal *final = &count->final;
    for (int i = 0; i < count->game->cells; i++) owners[i] = ".xo"[final->owner[i]];
    owners[count->game->cells] = '\0';
    if (final->points == 0)
        snprintf(text, sizeof text, "Even.");
    else
        snprintf(text, sizeof text, "%s is ahead by %g point%s.", final->points > 0 ? "Black" : "White",
                 fabs(final->points), fabs(final->points) == 1 ? "" : "s");
    return json_pack("{sf ss s[ii] sf ss so so}", "points", final->points, "text", text, "area",
                     final->area[0], final->area[1], "komi", kn_go_komi(count->game), "owners", owners,
                     "dead", cells_with(count, KN_GO_DEAD), "seki", cells_with(count, KN_GO_SEKI));
}

static void territory(KnWeb *web, const KnCall *call, KnHttpReply *reply)
{
    KnSession *session = kn_call_session(web, call, reply);
    if (!session) return;
    KnError error;
    Count count = {.game = session->cached->game};
    KnStatus status = kn_go_is(count.game)
                          ? KN_OK
                          : kn_fail(&error, KN_NO, "only a game of Go has territory to count");
    if (status == KN_OK &&
        !(count.position = aligned_alloc(16, (count.game->position_size + 15) & ~(size_t)15)))
        status = kn_fail_memory(&error, "counting a game");
    if (status == KN_OK) {
        pthread_mutex_lock(&session->lock);
        memcpy(count.position, kn_state_position(session->state), count.game->position_size);
        pthread_mutex_unlock(&session->lock);
        status = kn_call_compute(web, call, count_points, &count, &error);
    }
    if (status == KN_OK)
        kn_reply_json(reply, 200, count_json(&count));
    else
        kn_reply_fail(reply, &error, NULL);
    free(count.position);
    kn_session_release(session);
}

const KnRoute kn_routes_territory[] = {
    {"GET", "sessions/*/territory", territory, 0},
    {0},
};
