/* What kn_job_step is made of: the coordinator's side of an open job. All calls come from one thread. */
#ifndef KNACK_JOBS_COORDINATOR_H
#define KNACK_JOBS_COORDINATOR_H

#include "jobs/job.h"

#define KN_NO_INDEX UINT64_MAX

/* A result that has arrived. */
typedef struct KnJobResult {
    uint64_t index; /* KN_NO_INDEX: the worker failed, not one of its indices */
    KnStatus status;
    KnError error;
    KnUnpack bytes; /* valid until the next kn_job_receive */
} KnJobResult;

const KnJobType *kn_job_type(const KnJob *job);
/* Whether some worker should get one more index; `left` indices have not been started. */
bool kn_job_has_room(KnJob *job, uint64_t left);
void kn_job_assign(KnJob *job, uint64_t index); /* to that worker */
void kn_job_flush(KnJob *job);                  /* sends what was assigned */
bool kn_job_receive(KnJob *job, KnJobResult *result);
uint64_t kn_job_pending(const KnJob *job); /* assigned and not yet received */
void kn_job_drop(KnJob *job);              /* pending indices are not needed; workers end them soon */
void kn_job_abandon(KnJob *job);           /* pending indices are not waited for */
void kn_job_sleep(KnJob *job, bool idle);  /* until the next poll; longer after each idle one */

#endif
