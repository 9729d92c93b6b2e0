/* The sockets, by libmicrohttpd with one thread for each connection. */
#ifndef KNACK_WEB_LISTEN_H
#define KNACK_WEB_LISTEN_H

#include "web/state.h"

void kn_web_unlisten(KnWeb *web);

/* The limit of a request's body in bytes. */
size_t kn_web_body_limit(const char *method, const char *path);

#endif
