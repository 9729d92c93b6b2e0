/* What home and helpers say to each other (base/team.c, base/help.c): a kind, the number of the errand, then
 * as below. */
#ifndef KNACK_BASE_TEAM_MESSAGES_H
#define KNACK_BASE_TEAM_MESSAGES_H

typedef enum KnMessage {
    /* home to helper */
    KN_MESSAGE_OPEN,  /* version, data folder, duty, jobs, window, brief */
    KN_MESSAGE_NEWS,  /* bytes of the duty's own */
    KN_MESSAGE_DO,    /* ranges of indices: first, end */
    KN_MESSAGE_DROP,  /* what is queued or under way is not wanted; it is answered all the same */
    KN_MESSAGE_CLOSE, /* the errand is over */
    KN_MESSAGE_HOME,  /* all is over */
    /* helper to home */
    KN_MESSAGE_RESULTS /* what a task takes, in ns; then index, status and sized bytes of each */
} KnMessage;

/* Nobody is told that a message has come: one looks again and again, and naps in between, in ns. Who waits
 * for long tasks may sleep longer: a thread has one more task at hand. */
enum { KN_SHORTEST_NAP = 50000, KN_USUAL_NAP = 1000000, KN_LONGEST_NAP = 10000000, KN_IDLE_NAP = 2000000 };

static inline long kn_longest_nap(double task)
{
    return task / 8 < KN_USUAL_NAP     ? KN_USUAL_NAP
           : task / 8 < KN_LONGEST_NAP ? (long)(task / 8)
                                       : KN_LONGEST_NAP;
}

#endif
