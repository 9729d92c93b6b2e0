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
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
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
        if (strcmp(path, views[i]) == 0 ||
            (length > 1 && strncmp(path, views[i], length) == 0 && path[length] == '/'))
            return true;
    }
    return false;
}

/* What a browser remembers of the page as it was left; "" for nothing. */
typedef struct Left {
    char theme[8], play[KN_SITTING_ID], watch[KN_SITTING_ID];
} Left;

/* It comes as cookies named after the port, since cookies know no ports: the page is laid out before a script
 * could look anything up. */
static bool read_left(const KnHttpRequest *request, Left *left)
{
    const char *colon = strrchr(request->host, ':');
    char name[64];
    int port = colon && !strchr(colon, ']') ? (int)strcspn(colon + 1, " ") : 0;
    *left = (Left){0};
    struct {
        const char *key;
        char *value;
        size_t size;
    } fields[] = {{"theme", left->theme, sizeof left->theme},
                  {"play", left->play, sizeof left->play},
                  {"watch", left->watch, sizeof left->watch}};
    bool some = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        snprintf(name, sizeof name, "knack-%.*s-%s", port > 5 ? 5 : port, port ? colon + 1 : "",
                 fields[i].key);
        some |= kn_http_cookie(request, name, fields[i].value, fields[i].size);
        if (fields[i].value[strspn(fields[i].value, "0123456789abcdefghijklmnopqrstuvwxyz")])
            fields[i].value[0] = '\0'; /* not ours */
    }
    return some;
}

/* The game that was left, with the levels of its players; NULL, and forgotten, if it is gone. */
static json_t *left_game(KnWeb *web, Left *left, json_t **levels)
{
    KnSitting *sitting = NULL;
    KnError error;
    if (!*left->play || kn_sitting_find(web, left->play, &sitting, &error) != KN_OK || !sitting) {
        left->play[0] = '\0';
        return NULL;
    }
    const json_t *rows = kn_web_by_game(web->levels, sitting->shown);
    kn_sitting_look(sitting);
    json_t *contest = kn_sitting_json(sitting, -1);
    *levels = rows ? json_deep_copy(rows) : json_array();
    kn_sitting_release(sitting);
    return contest;
}

/* What the page brings along: how a first game begins (draughts against a friendly level, the second from the
 * weakest), the game that was left or a picture of that first one, and what else is remembered. */
static KnStatus bring(KnWeb *web, Left *left, json_t **out, KnError *error)
{
    KnSittingPlan plan = {.game = "checkers", .seats = {KN_SEAT_HUMAN}, .seat_count = 2, .delay = -1};
    json_t *own = json_object_get(web->levels, plan.game), *levels = NULL,
           *contest = left_game(web, left, &levels);
    plan.seats[1] = json_string_value(json_object_get(json_array_get(own, 1), "spec"));
    KnStatus status = contest ? KN_OK : kn_sitting_preview(web, &plan, &contest, error);
    if (status != KN_OK) return status;
    if (!levels) levels = json_deep_copy(own);
    const char *theme = *left->theme ? left->theme : NULL, *play = *left->play ? left->play : NULL,
               *watch = *left->watch ? left->watch : NULL;
    *out = json_pack("{s{ss s[ss]} so so s{ss? ss? ss?}}", "first", "game", plan.game, "seats", plan.seats[0],
                     plan.seats[1], "contest", contest, "levels", levels, "remembered", "theme", theme,
                     "play", play, "watch", watch);
    return *out ? KN_OK : kn_fail_memory(error, "writing the page");
}

/* The bytes of the page up to the end of a mark that it has, from `from` on. */
static const char *after(const KnEmbeddedRow *row, const char *from, const char *mark)
{
    const char *end = (const char *)row->bytes + *row->size;
    const char *at = from ? memmem(from, (size_t)(end - from), mark, strlen(mark)) : NULL;
    return at ? at + strlen(mark) : NULL;
}

/* What is brought is data in a script element that no browser runs, which the content security policy allows;
 * an end tag in a text must not end it. */
static KnStatus lay(KnWeb *web, Left *left, KnText *page, KnError *error)
{
    const KnEmbeddedRow *row = kn_embedded_find("page/index.html");
    const char *bytes = row ? (const char *)row->bytes : NULL;
    const char *look = row ? after(row, bytes, "<html lang=\"en\"") : NULL,
               *data = row ? after(row, look, "id=\"first\">") : NULL;
    if (!data)
        return kn_fail(error, KN_SYSTEM,
                       "page/index.html, with its place for the first game, is not in this program");
    json_t *brought;
    KnStatus status = bring(web, left, &brought, error);
    if (status != KN_OK) return status;
    char *json = json_dumps(brought, JSON_COMPACT);
    json_decref(brought);
    kn_text_add_bytes(page, bytes, (size_t)(look - bytes));
    if (*left->theme) kn_text_printf(page, " data-theme=\"%s\"", left->theme);
    kn_text_add_bytes(page, look, (size_t)(data - look));
    for (const char *c = json; c && *c; c++) {
        if (*c == '<')
            kn_text_add(page, "\\u003c");
        else
            kn_text_add_char(page, *c);
    }
    kn_text_add_bytes(page, data, *row->size - (size_t)(data - bytes));
    bool whole = json && kn_text_ok(page);
    free(json);
    return whole ? KN_OK : kn_fail_memory(error, "writing the page");
}

KnStatus kn_web_lay_page(KnWeb *web, KnError *error) { return lay(web, &(Left){0}, &web->page, error); }

void kn_web_asset(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply)
{
    char name[256] = "page/index.html";
    if (!is_view(request->path)) snprintf(name, sizeof name, "page%.240s", request->path);
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row) {
        kn_reply_error(reply, 404, NULL, "there is no page %.100s; the beginning is at /", request->path);
        return;
    }
    bool page = strcmp(name, "page/index.html") == 0;
    Left left;
    KnError error;
    if (page && read_left(request, &left) && lay(web, &left, &reply->text, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    reply->type = type_of(name);
    if (!page)
        reply->bytes = row->bytes, reply->size = *row->size;
    else if (!reply->text.length)
        reply->bytes = web->page.data, reply->size = web->page.length;
    char hex[KN_HEX128];
    kn_hash128_hex(reply->bytes ? kn_hash128(reply->bytes, reply->size)
                                : kn_hash128(reply->text.data, reply->text.length),
                   hex);
    snprintf(reply->etag, sizeof reply->etag, "\"%s\"", hex);
    if (request->if_none_match && strstr(request->if_none_match, reply->etag)) {
        reply->status = 304;
        reply->bytes = "";
        reply->size = 0;
    }
}
