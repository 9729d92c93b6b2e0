#include "protocols/ggp_seat.h"

#include "base/clock.h"
#include "protocols/latency.h"
#include "games/gdl/description.h"

KnStatus kn_ggp_manager_seat_open(const char *text, const KnGgpSeat *seat, KnGgpManagerSeat *peer,
                                  KnError *error)
{
    *peer = (KnGgpManagerSeat){.label = text};
    if (kn_ggp_is_peer(text)) return kn_ggp_peer(text, &peer->peer, error);
    KnGgpOptions options = {.seat = *seat, .name = "Knack"};
    options.seat.spec = text;
    KnStatus status = kn_ggp_new(&options, &peer->own, error);
    return status == KN_OK ? KN_OK : kn_fail_within(error, "player %.80s", text);
}

void kn_ggp_manager_seat_close(KnGgpManagerSeat *peer) { kn_ggp_free(peer->own); }

static void *ask_one(void *user)
{
    KnGgpQuestion *q = user;
    double started = kn_clock_now(), arrived = 0;
    kn_thread_prompt();
    if (q->peer->own)
        q->status = kn_ggp_answer(q->peer->own, q->message.data, q->message.length, started, &q->reply,
                                  &q->error);
    else
        q->status = kn_ggp_tell(&q->peer->peer, q->message.data, q->message.length, q->patience, &q->reply,
                                &arrived, &q->error);
    q->seconds = (q->peer->own || q->status != KN_OK ? kn_clock_now() : arrived) - started;
    if (q->status == KN_OK && q->seconds > q->patience && q->peer->own)
        q->status = kn_fail(&q->error, KN_STOPPED, "the time was up");
    return NULL;
}

void kn_ggp_ask(KnGgpQuestion *questions, int count)
{
    pthread_t threads[KN_GDL_ROLES];
    bool threaded[KN_GDL_ROLES] = {false};
    for (int i = 0; i < count; i++) kn_text_clear(&questions[i].reply);
    for (int i = 1; i < count; i++)
        threaded[i] = pthread_create(&threads[i], NULL, ask_one, &questions[i]) == 0;
    for (int i = 0; i < count; i++)
        if (!threaded[i]) ask_one(&questions[i]);
    for (int i = 1; i < count; i++)
        if (threaded[i]) pthread_join(threads[i], NULL);
}
