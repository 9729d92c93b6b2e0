/* The words of general game playing: messages that a game manager sends to a player, read and written.
 *
 *     ( INFO )                                      ( PREVIEW (rules) clock )
 *     ( START id role (rules) start play )          ( PLAY id NIL )   ( PLAY id ( move move ) )
 *     ( STOP id ( move move ) )                     ( ABORT id )
 *
 * in any case and with any blanks, line ends and ; comments. Lists are only ever stepped over, never built or
 * recursed into, so that no nesting is too deep. A message is taken apart into pieces of its own text.
 *
 * Ownership: everything read borrows the text. */
#ifndef KNACK_PROTOCOLS_GGP_MESSAGE_H
#define KNACK_PROTOCOLS_GGP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

typedef struct KnPiece {
    const char *text;
    size_t length; /* 0: there is none */
} KnPiece;

typedef enum KnGgpKind {
    KN_GGP_INFO,
    KN_GGP_PREVIEW,
    KN_GGP_START,
    KN_GGP_PLAY,
    KN_GGP_STOP,
    KN_GGP_ABORT,
    KN_GGP_KINDS
} KnGgpKind;

typedef struct KnGgpMessage {
    KnGgpKind kind;
    KnPiece id, role;
    KnPiece rules;      /* what is between the parentheses */
    double start, play; /* clocks in seconds; PREVIEW has its own in `start` */
    KnPiece moves;      /* what is between the parentheses; none for NIL */
} KnGgpMessage;

/* KN_INPUT with what is wrong. */
KnStatus kn_ggp_read(const char *text, size_t length, KnGgpMessage *message, KnError *error);
const char *kn_ggp_kind_name(KnGgpKind kind); /* "START" */

/* Whether a text holds a whole term, or can never become one: nothing more need be waited for. */
bool kn_ggp_is_whole(const char *text, size_t length);

/* The next token of a text: a parenthesis or an atom; false at the end. */
bool kn_piece_token(KnPiece *rest, KnPiece *token);
/* The next term of a text: an atom, or a list with its parentheses. False at the end, and for what is not
 * balanced. */
bool kn_piece_next(KnPiece *rest, KnPiece *term);
/* What is between the parentheses of a list; false if it is none. */
bool kn_piece_inside(KnPiece list, KnPiece *inside);
bool kn_piece_is(KnPiece piece, const char *word); /* without regard to case */

/* A term in the form that the project prints: single blanks, none inside the parentheses, no comments. */
void kn_piece_plain(KnPiece term, KnText *out);
/* The same with all parentheses apart, "( mark 1 1 )", as managers print terms. */
void kn_piece_spaced(KnPiece term, KnText *out);

#endif
