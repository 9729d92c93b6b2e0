/* The page's files, which travel inside the program: nothing here reaches the file system. */
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/hash.h"
#include "web/state.h"

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},       {".css", "text/css; charset=utf-8"}, {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},  {".svg", "image/svg+xml"},           {".json", "application/json"},
    {".webmanifest", "application/manifest+json"}, {".png", "image/png"},             {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},                    {".txt", "text/plain; charset=utf-8"},
};

static const char *type_of(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t ending = strlen(types[i].ending);
        if (length > ending && strcmp(name + length - ending, types[i].ending) == 0) return types[i].type;
    }
    return "application/octet-stream";
}

/* Paths that the page itself makes out: all are the one page. */
static bool is_view(const char *path)
{
    static const char *const views[] = {"/", "/play", "/watch", "/learn", "/arena", "/lab"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        size_t length = strlen(views[i]);
        if (strcmp(path, views[i]) == 0 || (length > 1 && strncmp(path, views[i], length) == 0 && path[length] == '/')) return true;
    }
    return false;
}

void kn_web_asset(const KnHttpRequest *request, KnHttpReply *reply)
{
    char name[256] = "page/index.html";
    if (!is_view(request->path)) snprintf(name, sizeof name, "page%.240s", request->path);
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row) {
        kn_reply_error(reply, 404, NULL, "there is no page %.100s; the beginning is at /", request->path);
        return;
    }
    char hex[KN_HEX128];
    kn_hash128_hex(kn_hash128(row->bytes, *row->size), hex);
    snprintf(reply->etag, sizeof reply->etag, "\"%s\"", hex);
    reply->type = type_of(name);
    reply->bytes = row->bytes;
    reply->size = *row->size;
    if (request->if_none_match && strstr(request->if_none_match, reply->etag)) {
        reply->status = 304;
        reply->size = 0;
    }
}
