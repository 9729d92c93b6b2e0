/* The lab as a journal: a paper's claims with a verdict each, its key figure, its published values beside
 * ours, and what we measured beyond it.
 *
 * data/embed/journal.json says, for each of the seven papers, what it asks and claims, and which published
 * values test each claim. The rest follows from what has been measured. Report and page show the same
 * document.
 *
 * Ownership: documents are new references of the caller's. */
#ifndef KNACK_LAB_JOURNAL_H
#define KNACK_LAB_JOURNAL_H

#include <jansson.h>

#include "base/context.h"
#include "lab/verdict.h"

typedef enum KnClaimVerdict {
    KN_CLAIM_NOT_REPRODUCED, /* values differ, and none agrees */
    KN_CLAIM_PARTLY,         /* some values agree; others differ or are open */
    KN_CLAIM_REPRODUCED,     /* every value agrees */
    KN_CLAIM_UNDECIDED,      /* no value has a verdict, though all were measured at the paper's own scale */
    KN_CLAIM_NOT_TESTED,     /* no value has a verdict */
    KN_CLAIM_VERDICTS
} KnClaimVerdict;

const char *kn_claim_verdict_name(KnClaimVerdict verdict); /* "not reproduced", "partly reproduced", ... */

/* How the published values that test a claim came out. */
typedef struct KnClaimCounts {
    size_t values;         /* published values that test the claim */
    size_t at_paper_scale; /* of them, measured at the paper's own scale, or timed, which no scale decides */
    size_t verdicts[KN_VERDICTS]; /* of those that were measured */
} KnClaimCounts;

KnClaimVerdict kn_claim_judge(const KnClaimCounts *counts);

/* All papers, in the journal's order, from results as kn_lab_shown (or kn_lab_results) gives them:
 *   paper, system, name, question, says, found, sure; cite, title, author, year, where;
 *   headline: {experiment, text, decimals, cell}, one value that stands for the paper; cell is null before it
 *     was measured; absent for our own question;
 *   claims: [{text, verdict, values, measured, agree, differ, open}], those that are not reproduced first,
 * with `value` (a cell) where one value tests it, `example` {cell, decimals}, of several the one that
 * differs most, `command`, which would measure what was not, and `why`, the reason of the first measured
 * value that has no verdict; figure: as in a result, or null; figures: the others; tables: as in a result,
 * with published cells only, `experiment`, and `source` {scale, seed, origin}; where the experiment has two
 * results, the table has `beside`, the source of the other one, and a cell `beside`, what that measured in
 * its place; interpretations: [{experiment, open, chosen, others}]; variants: tables under other
 * interpretations; extensions: [{experiment, summary, tables, figures}], with nothing published beside them;
 * runs: [{experiment, summary, origin, scale, seed, command, seconds, started, version, processor}]; missing:
 * [{experiment, summary}], the paper's experiments that are not among the results. */
KnStatus kn_lab_journal(const KnContext *context, const json_t *results, json_t **journal, KnError *error);

#endif
