/* The sockets, with libmicrohttpd: a thread a connection. */
#ifndef KNACK_WEB_LISTEN_H
#define KNACK_WEB_LISTEN_H

#include "web/state.h"

void kn_web_unlisten(KnWeb *web);

/* The most bytes of body that a request may bring. */
size_t kn_web_body_limit(const char *method, const char *path);

#endif
