/* The page's files, which are embedded in the program: nothing here reads the file system. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/hash.h"
#include "web/session.h"

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

/* Paths of the page's views: the server sends the same page for all of them. */
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

/* What a browser remembers between visits; "" for nothing. */
typedef struct Remembered {
    char theme[8], play[KN_SESSION_ID], watch[KN_SESSION_ID];
} Remembered;

/* Cookies, because the server needs the values before a script runs. Their names contain the port because
 * browsers share cookies between ports. */
static bool read_cookies(const KnHttpRequest *request, Remembered *remembered)
{
    const char *colon = strrchr(request->host, ':');
    char name[64];
    int port = colon && !strchr(colon, ']') ? (int)strcspn(colon + 1, " ") : 0;
    *remembered = (Remembered){0};
    struct {
        const char *key;
        char *value;
        size_t size;
    } fields[] = {{"theme", remembered->theme, sizeof remembered->theme},
                  {"play", remembered->play, sizeof remembered->play},
                  {"watch", remembered->watch, sizeof remembered->watch}};
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

/* The remembered game with the levels of its game; NULL if it is gone, which also clears remembered->play. */
static json_t *remembered_game(KnWeb *web, Remembered *remembered, json_t **levels)
{
    KnSession *session = NULL;
    KnError error;
    if (!*remembered->play || kn_session_find(web, remembered->play, &session, &error) != KN_OK || !session) {
        remembered->play[0] = '\0';
        return NULL;
    }
    const json_t *rows = kn_web_by_game(web->levels, session->cached);
    kn_session_mark_viewed(session);
    json_t *state = kn_session_json(session, -1);
    *levels = rows ? json_deep_copy(rows) : json_array();
    kn_session_release(session);
    return state;
}

/* The data that the server writes into the page: the plan of a first game (checkers against the second
 * weakest level), the remembered game or a preview of the first one, and the other remembered values. */
static KnStatus first_data(KnWeb *web, Remembered *remembered, json_t **out, KnError *error)
{
    KnSessionPlan plan = {.game = "checkers", .seats = {KN_SEAT_HUMAN}, .seat_count = 2, .delay = -1};
    json_t *own = json_object_get(web->levels, plan.game), *levels = NULL,
           *state = remembered_game(web, remembered, &levels);
    plan.seats[1] = json_string_value(json_object_get(json_array_get(own, 1), "spec"));
    KnStatus status = state ? KN_OK : kn_session_preview(web, &plan, &state, error);
    if (status != KN_OK) return status;
    if (!levels) levels = json_deep_copy(own);
    const char *theme = *remembered->theme ? remembered->theme : NULL,
               *play = *remembered->play ? remembered->play : NULL,
               *watch = *remembered->watch ? remembered->watch : NULL;
    *out = json_pack("{s{ss s[ss]} so so s{ss? ss? ss?}}", "first", "game", plan.game, "seats", plan.seats[0],
                     plan.seats[1], "session", state, "levels", levels, "remembered", "theme", theme, "play",
                     play, "watch", watch);
    return *out ? KN_OK : kn_fail_memory(error, "writing the page");
}

/* The end of the next `mark` in the page's bytes from `from` on; NULL if there is none. */
static const char *after(const KnEmbeddedRow *row, const char *from, const char *mark)
{
    const char *end = (const char *)row->bytes + *row->size;
    const char *at = from ? memmem(from, (size_t)(end - from), mark, strlen(mark)) : NULL;
    return at ? at + strlen(mark) : NULL;
}

/* The data goes into a script element of type application/json, which browsers do not run and the content
 * security policy allows. Escaping < keeps a text from closing that element. */
static KnStatus write_page(KnWeb *web, Remembered *remembered, KnText *page, KnError *error)
{
    const KnEmbeddedRow *row = kn_embedded_find("page/index.html");
    const char *bytes = row ? (const char *)row->bytes : NULL;
    const char *look = row ? after(row, bytes, "<html lang=\"en\"") : NULL,
               *data = row ? after(row, look, "id=\"first\">") : NULL;
    if (!data)
        return kn_fail(error, KN_SYSTEM,
                       "page/index.html is missing in this program, or has no place for the first game");
    json_t *data_json;
    KnStatus status = first_data(web, remembered, &data_json, error);
    if (status != KN_OK) return status;
    char *json = json_dumps(data_json, JSON_COMPACT);
    json_decref(data_json);
    kn_text_add_bytes(page, bytes, (size_t)(look - bytes));
    if (*remembered->theme) kn_text_printf(page, " data-theme=\"%s\"", remembered->theme);
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

KnStatus kn_web_prepare_page(KnWeb *web, KnError *error)
{
    return write_page(web, &(Remembered){0}, &web->page, error);
}

/* Does the client unpack gzip? All browsers do. */
static bool unpacks(const KnHttpRequest *request)
{
    const char *at = request->accept_encoding ? strstr(request->accept_encoding, "gzip") : NULL;
    return at && strncmp(at, "gzip;q=0", 8) != 0;
}

void kn_web_asset(KnWeb *web, const KnHttpRequest *request, KnHttpReply *reply)
{
    char name[256] = "page/index.html";
    if (!is_view(request->path)) snprintf(name, sizeof name, "page%.240s", request->path);
    const KnEmbeddedRow *row = kn_embedded_find(name);
    if (!row) {
        kn_reply_error(reply, 404, NULL, "there is no page %.100s; start at /", request->path);
        return;
    }
    bool page = strcmp(name, "page/index.html") == 0;
    Remembered remembered;
    KnError error;
    if (page && read_cookies(request, &remembered) &&
        write_page(web, &remembered, &reply->text, &error) != KN_OK) {
        kn_reply_fail(reply, &error, NULL);
        return;
    }
    reply->type = type_of(name);
    if (!page) {
        char packed[264];
        snprintf(packed, sizeof packed, "%s.gz", name);
        const KnEmbeddedRow *small = kn_embedded_find(packed);
        reply->varies = small;
        reply->zipped = small && unpacks(request);
        if (reply->zipped) row = small;
        reply->bytes = row->bytes, reply->size = *row->size;
    } else if (!reply->text.length)
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
