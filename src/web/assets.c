/* The page's files, which travel inside the program: nothing here reaches the file system. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/hash.h"
#include "web/sitting.h"

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

/* Draughts against a friendly level, the second from the weakest. */
static KnStatus first_game(KnWeb *web, json_t **out, KnError *error)
{
    KnSittingPlan plan = {.game = "checkers", .seats = {KN_SEAT_HUMAN}, .seat_count = 2, .delay = -1};
    json_t *levels = json_object_get(web->levels, plan.game), *contest;
    plan.seats[1] = json_string_value(json_object_get(json_array_get(levels, 1), "spec"));
    KnStatus status = kn_sitting_preview(web, &plan, &contest, error);
    if (status == KN_OK && !(*out = json_pack("{so sO}", "contest", contest, "levels", levels))) status = kn_fail_memory(error, "writing the page");
    return status;
}

/* The game is data in a script element that no browser runs, which the content security policy allows; an end tag in a text must not end it. */
KnStatus kn_web_lay_page(KnWeb *web, KnError *error)
{
    static const char mark[] = "id=\"first\">";
    const KnEmbeddedRow *row = kn_embedded_find("page/index.html");
    const char *at = row ? memmem(row->bytes, *row->size, mark, strlen(mark)) : NULL;
    if (!at) return kn_fail(error, KN_SYSTEM, "page/index.html, with its place for the first game, is not in this program");
    json_t *game;
    KnStatus status = first_game(web, &game, error);
    if (status != KN_OK) return status;
    char *json = json_dumps(game, JSON_COMPACT);
    json_decref(game);
    size_t before = (size_t)(at - (const char *)row->bytes) + strlen(mark);
    kn_text_add_bytes(&web->page, row->bytes, before);
    for (const char *c = json; c && *c; c++) {
        if (*c == '<') kn_text_add(&web->page, "\\u003c");
        else kn_text_add_char(&web->page, *c);
    }
    kn_text_add_bytes(&web->page, (const char *)row->bytes + before, *row->size - before);
    bool whole = json && kn_text_ok(&web->page);
    free(json);
    return whole ? KN_OK : kn_fail_memory(error, "writing the page");
}

void kn_web_asset(const KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply)
{
    char name[256] = "page/index.html";
    if (!is_view(request->path)) snprintf(name, sizeof name, "page%.240s", request->path);
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row) {
        kn_reply_error(reply, 404, NULL, "there is no page %.100s; the beginning is at /", request->path);
        return;
    }
    bool page = strcmp(name, "page/index.html") == 0;
    reply->type = type_of(name);
    reply->bytes = page ? web->page.data : (const char *)row->bytes;
    reply->size = page ? web->page.length : *row->size;
    char hex[KN_HEX128];
    kn_hash128_hex(kn_hash128(reply->bytes, reply->size), hex);
    snprintf(reply->etag, sizeof reply->etag, "\"%s\"", hex);
    if (request->if_none_match && strstr(request->if_none_match, reply->etag)) {
        reply->status = 304;
        reply->size = 0;
    }
}
