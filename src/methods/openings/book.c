#include "methods/openings/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/sealed.h"
#include "eval/same_rules.h"

static const char FORMAT[] = "knack openings 1";

KnOpeningBook *kn_opening_book_new(const KnGame *game)
{
    KnOpeningBook *book = calloc(1, sizeof *book);
    if (book) book->game = game;
    return book;
}

static void free_page(KnOpeningPage *page)
{
    for (int i = 0; page->moves && i < page->count; i++) free(page->moves[i]);
    free(page->moves);
    free(page->arms);
    free(page->line);
}

void kn_opening_book_free(KnOpeningBook *book)
{
    if (!book) return;
    for (size_t i = 0; i < book->count; i++) free_page(&book->pages[i]);
    free(book->pages);
    free(book->slots);
    free(book);
}

/* ---- the hash table: open addressing, at most half full ---- */

static size_t *slot_of(const KnOpeningBook *book, const char *line)
{
    size_t mask = book->slot_capacity - 1, at = kn_hash64(line, strlen(line), 0) & mask;
    while (book->slots[at] && strcmp(book->pages[book->slots[at] - 1].line, line) != 0) at = (at + 1) & mask;
    return &book->slots[at];
}

KnOpeningPage *kn_opening_book_find(const KnOpeningBook *book, const char *line)
{
    if (!book->count) return NULL;
    size_t found = *slot_of(book, line);
    return found ? &book->pages[found - 1] : NULL;
}

static bool grow(KnOpeningBook *book)
{
    enum { FIRST = 64 };
    size_t capacity = book->capacity ? 2 * book->capacity : FIRST;
    KnOpeningPage *pages = realloc(book->pages, capacity * sizeof *pages);
    if (pages) book->pages = pages;
    size_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!pages || !slots) {
        free(slots);
        return false;
    }
    free(book->slots);
    book->slots = slots;
    book->capacity = capacity;
    book->slot_capacity = 2 * capacity;
    for (size_t i = 0; i < book->count; i++) *slot_of(book, book->pages[i].line) = i + 1;
    return true;
}

/* A page without moves, of which there will be `count`. */
static KnOpeningPage *new_page(KnOpeningBook *book, const char *line, int count)
{
    if (book->count == book->capacity && !grow(book)) return NULL;
    size_t *slot = slot_of(book, line);
    KN_ASSERT(!*slot && count > 0);
    KnOpeningPage *page = &book->pages[book->count];
    *page = (KnOpeningPage){.line = strdup(line),
                            .count = count,
                            .moves = calloc((size_t)count, sizeof *page->moves),
                            .arms = calloc((size_t)count, sizeof *page->arms)};
    if (!page->line || !page->moves || !page->arms) {
        free_page(page);
        return NULL;
    }
    *slot = ++book->count;
    return page;
}

KnOpeningPage *kn_opening_book_add(KnOpeningBook *book, const char *line, const void *position,
                                   const KnMove *moves, int count)
{
    KnOpeningPage *page = new_page(book, line, count);
    for (int i = 0; page && i < count; i++)
        if (!(page->moves[i] = kn_game_move_text(book->game, position, moves[i]))) return NULL;
    return page;
}

/* ---- files ---- */

static json_t *page_json(const KnOpeningPage *page)
{
    json_t *moves = json_object();
    for (int i = 0; i < page->count; i++)
        json_object_set_new(moves, page->moves[i],
                            json_pack("[If]", (json_int_t)page->arms[i].plays, page->arms[i].reward));
    return json_pack("{ss so}", "line", page->line, "moves", moves);
}

KnStatus kn_opening_book_save(const KnOpeningBook *book, const char *path, KnError *error)
{
    json_t *pages = json_array(), *root;
    for (size_t i = 0; i < book->count; i++) json_array_append_new(pages, page_json(&book->pages[i]));
    root = json_pack("{ss ss sI sf so}", "format", FORMAT, "game", book->game->spec, "games",
                     (json_int_t)book->games, "points", book->points, "positions", pages);
    if (root && book->edited) kn_sealed_stamp(root, KN_SEAL_EDITED);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    KnStatus status = text ? kn_sealed_write(path, text, error)
                           : kn_fail_memory(error, "saving an opening book");
    free(text);
    json_decref(root);
    return status;
}

static KnStatus parse_arm(const KnJson *moves, const char *move, KnBanditArm *arm, KnError *error)
{
    KnJson pair;
    int64_t plays = 0;
    double reward = 0;
    KnStatus status = kn_json_array(moves, move, &pair, error);
    if (status == KN_OK && kn_json_size(&pair) != 2)
        status = kn_json_fail(moves, move, error, "expected the number of games and the points");
    if (status != KN_OK) return status;
    KnJson first = kn_json_item(&pair, 0), second = kn_json_item(&pair, 1);
    status = kn_json_integer(&first, NULL, 0, INT64_MAX, &plays, error);
    if (status == KN_OK) status = kn_json_real(&second, NULL, &reward, error);
    if (status == KN_OK && !(reward >= 0 && reward <= (double)plays))
        status = kn_json_fail(moves, move, error, "more points than games");
    *arm = (KnBanditArm){(uint64_t)plays, reward};
    return status;
}

static KnStatus parse_page(const KnJson *at, KnOpeningBook *book, KnError *error)
{
    const char *line, *move;
    KnJson moves;
    json_t *value;
    int i = 0;
    KnStatus status = kn_json_string(at, "line", &line, error);
    if (status == KN_OK) status = kn_json_object(at, "moves", &moves, error);
    if (status != KN_OK) return status;
    int count = (int)json_object_size(moves.value);
    if (!count || kn_opening_book_find(book, line))
        return kn_json_fail(at, "line", error, count ? "occurs twice" : "has no moves");
    KnOpeningPage *page = new_page(book, line, count);
    if (!page) return kn_fail_memory(error, "reading an opening book");
    json_object_foreach(moves.value, move, value)
    {
        if (!(page->moves[i] = strdup(move))) return kn_fail_memory(error, "reading an opening book");
        status = parse_arm(&moves, move, &page->arms[i++], error);
        if (status != KN_OK) return status;
    }
    return KN_OK;
}

static KnStatus parse_book(const KnJson *at, KnOpeningBook *book, KnError *error)
{
    static const char *const known[] = {"format", "game", "games", "points", "positions", "edited", NULL};
    const char *format, *game;
    KnJson pages;
    KnStatus status = kn_json_string(at, "format", &format, error);
    if (status == KN_OK && strcmp(format, FORMAT) != 0)
        return kn_json_fail(at, "format", error, "\"%s\" is not \"%s\"", format, FORMAT);
    if (status == KN_OK) status = kn_json_only(at, known, error);
    if (status == KN_OK) status = kn_json_string(at, "game", &game, error);
    if (status == KN_OK && !kn_same_game(book->game, game))
        return kn_json_fail(at, "game", error, "the book is for %s, and this is %s", game, book->game->spec);
    if (status == KN_OK) status = kn_json_uint64(at, "games", &book->games, error);
    if (status == KN_OK) status = kn_json_real(at, "points", &book->points, error);
    if (status == KN_OK) status = kn_json_array(at, "positions", &pages, error);
    for (size_t i = 0; status == KN_OK && i < kn_json_size(&pages); i++) {
        KnJson page = kn_json_item(&pages, i);
        status = parse_page(&page, book, error);
    }
    return status;
}

KnStatus kn_opening_book_load(const KnGame *game, const char *path, KnOpeningBook **out, KnError *error)
{
    json_t *root = NULL;
    *out = NULL;
    KnSeal seal;
    KnStatus status = kn_sealed_load(path, &root, &seal, error);
    if (status != KN_OK) return status;
    KnJson at = kn_json_root(root, path);
    KnOpeningBook *book = kn_opening_book_new(game);
    status = book ? parse_book(&at, book, error) : kn_fail_memory(error, "reading an opening book");
    if (status == KN_OK) book->edited = seal == KN_SEAL_EDITED || kn_sealed_stamped(root);
    json_decref(root);
    if (status == KN_OK)
        *out = book;
    else
        kn_opening_book_free(book);
    return status;
}
