#include "methods/general/knowledge.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/sealed.h"
#include "eval/fact_features.h"
#include "games/gdl/gdl.h"
#include "games/gdl/rules_digest.h"

enum { VERSION = 1, LONGEST = 1 << 16 };

struct KnKnowledge {
    const KnGame *game;
    char digest[KN_HEX128];
    KnText folder, path, note;
    json_t *document; /* loaded; NULL: none */
    KnMove *line;
    int length;
    bool looked;
};

KnStatus kn_knowledge_new(const KnContext *context, const KnGame *game, KnKnowledge **out, KnError *error)
{
    *out = NULL;
    KnGdlMachine *machine = kn_game_gdl(game);
    if (!machine) return KN_OK;
    KnKnowledge *k = calloc(1, sizeof *k);
    if (!k) return kn_fail_memory(error, "opening a player");
    k->game = game;
    k->folder = k->path = k->note = KN_TEXT_EMPTY;
    kn_gdl_rules_digest(kn_gdl_machine_description(machine), k->digest);
    kn_path_join(&k->folder, kn_context_data(context), "ggp");
    kn_path_join(&k->path, k->folder.data, k->digest);
    kn_text_add(&k->path, ".json");
    kn_text_add(&k->note, "none was kept of an earlier match");
    *out = k;
    return KN_OK;
}

void kn_knowledge_free(KnKnowledge *k)
{
    if (!k) return;
    json_decref(k->document);
    kn_text_free(&k->folder);
    kn_text_free(&k->path);
    kn_text_free(&k->note);
    free(k->line);
    free(k);
}

const char *kn_knowledge_note(const KnKnowledge *k) { return k->note.data; }

/* ---- Reading ---- */

static bool leave_out(KnKnowledge *k, const char *why)
{
    json_decref(k->document);
    k->document = NULL;
    kn_text_clear(&k->note);
    kn_text_printf(&k->note, "%s %s; it is left out, and replaced when there is something to keep",
                   k->path.data, why);
    return false;
}

/* The moves of the line by their texts. False: one of them is not legal where it stands. */
static bool read_line(KnKnowledge *k, const json_t *texts)
{
    const KnGame *game = k->game;
    size_t count = json_array_size(texts);
    if (count > LONGEST || !(k->line = malloc((count + 1) * sizeof *k->line))) return false;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    KnMove moves[game->max_moves];
    KnText text = KN_TEXT_EMPTY;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const char *wanted = json_string_value(json_array_get(texts, i));
        int legal = kn_game_moves_of(game, at, 0, moves), m = 0;
        for (; wanted && m < legal; m++) {
            kn_text_clear(&text);
            game->type->move_text(game, at, moves[m], &text);
            if (strcmp(text.data, wanted) == 0) break;
        }
        good = wanted && m < legal;
        if (!good) break;
        k->line[k->length++] = moves[m];
        kn_game_play_joint(game, at, &moves[m]);
    }
    kn_text_free(&text);
    return good;
}

bool kn_knowledge_load(KnKnowledge *k)
{
    KnError error;
    KnSeal seal;
    if (k->looked) return k->document;
    k->looked = true;
    if (!kn_file_exists(k->path.data)) return false;
    if (kn_sealed_load(k->path.data, &k->document, &seal, &error) != KN_OK) {
        k->document = NULL;
        return leave_out(k, "is damaged");
    }
    if (seal != KN_SEAL_WHOLE) return leave_out(k, "is damaged or was edited");
    if (json_integer_value(json_object_get(k->document, "version")) != VERSION)
        return leave_out(k, "is of another version");
    const char *rules = json_string_value(json_object_get(k->document, "rules"));
    if (!rules || strcmp(rules, k->digest) != 0) return leave_out(k, "is of other rules");
    const json_t *line = json_object_get(k->document, "line");
    if (line && !read_line(k, line)) {
        free(k->line);
        k->line = NULL;
        k->length = 0;
        return leave_out(k, "has a move that is not legal");
    }
    kn_text_clear(&k->note);
    kn_text_printf(&k->note, "from %s", k->path.data);
    return true;
}

const KnMove *kn_knowledge_line(const KnKnowledge *k, int *length)
{
    *length = k->length;
    return k->length ? k->line : NULL;
}

static bool read_numbers(const json_t *array, double *numbers, size_t count)
{
    if (json_array_size(array) != count) return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) return false;
        numbers[i] = json_number_value(number);
    }
    return true;
}

bool kn_knowledge_teach(KnKnowledge *k, KnEvaluation *facts)
{
    const json_t *names = json_object_get(k->document, "features");
    if (!names) return false;
    KnFactsLearned learned = kn_facts_learned(facts);
    size_t count = (size_t)learned.count * (size_t)learned.phases;
    bool fits = json_array_size(names) == (size_t)learned.count &&
                json_integer_value(json_object_get(k->document, "phases")) == learned.phases;
    for (int i = 0; fits && i < learned.count; i++) {
        const char *name = json_string_value(json_array_get(names, (size_t)i));
        fits = name && strcmp(name, learned.features[i].name) == 0;
    }
    double *numbers = fits ? malloc(2 * count * sizeof *numbers) : NULL;
    fits = numbers && read_numbers(json_object_get(k->document, "weights"), numbers, count) &&
           read_numbers(json_object_get(k->document, "squares"), numbers + count, count);
    if (fits) {
        memcpy(learned.weights, numbers, count * sizeof *numbers);
        memcpy(learned.squares, numbers + count, count * sizeof *numbers);
        *learned.games = (uint64_t)json_integer_value(json_object_get(k->document, "games"));
        kn_text_clear(&k->note);
        kn_text_printf(&k->note, "from %s, of %llu games", k->path.data, (unsigned long long)*learned.games);
    } else {
        leave_out(k, "has other features");
    }
    free(numbers);
    return fits;
}

/* ---- Writing ---- */

/* Replaces the file by this document, which it takes over. */
static void write_document(KnKnowledge *k, json_t *document)
{
    KnError error;
    char *text = document ? json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    KnStatus status = text ? kn_mkdirs(k->folder.data, &error)
                           : kn_fail_memory(&error, "keeping what was learned");
    if (status == KN_OK) status = kn_sealed_write(k->path.data, text, &error);
    if (status != KN_OK) {
        kn_text_clear(&k->note);
        kn_text_printf(&k->note, "what was learned is not kept: %s", error.text);
    }
    free(text);
    json_decref(document);
}

static json_t *numbers_of(const double *numbers, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++) json_array_append_new(array, json_real(numbers[i]));
    return array;
}

/* Whether another player has meanwhile kept more. */
static bool is_outdone(const KnKnowledge *k, uint64_t games)
{
    json_t *there = NULL;
    KnSeal seal;
    KnError error;
    bool more = kn_file_exists(k->path.data) &&
                kn_sealed_load(k->path.data, &there, &seal, &error) == KN_OK && seal == KN_SEAL_WHOLE &&
                json_integer_value(json_object_get(there, "version")) == VERSION &&
                (uint64_t)json_integer_value(json_object_get(there, "games")) > games;
    json_decref(there);
    return more;
}

void kn_knowledge_keep_weights(KnKnowledge *k, KnEvaluation *facts)
{
    KnFactsLearned learned = kn_facts_learned(facts);
    size_t count = (size_t)learned.count * (size_t)learned.phases;
    if (is_outdone(k, *learned.games)) return;
    json_t *names = json_array();
    for (int i = 0; names && i < learned.count; i++)
        json_array_append_new(names, json_string(learned.features[i].name));
    write_document(k, json_pack("{s:i, s:s, s:I, s:i, s:o, s:o, s:o}", "version", VERSION, "rules", k->digest,
                                "games", (json_int_t)*learned.games, "phases", learned.phases, "features",
                                names, "weights", numbers_of(learned.weights, count), "squares",
                                numbers_of(learned.squares, count)));
}

void kn_knowledge_keep_line(KnKnowledge *k, const KnMove *moves, int length)
{
    const KnGame *game = k->game;
    KN_ASSERT(game->roles == 1);
    if (length > LONGEST || (k->document && k->length == length)) return;
    unsigned char at[game->position_size] __attribute__((aligned(16)));
    memset(at, 0, sizeof at);
    game->type->start(game, at);
    json_t *line = json_array();
    KnText text = KN_TEXT_EMPTY;
    for (int i = 0; i < length; i++) {
        kn_text_clear(&text);
        game->type->move_text(game, at, moves[i], &text);
        json_array_append_new(line, json_string(text.data));
        kn_game_play_joint(game, at, &moves[i]);
    }
    kn_text_free(&text);
    write_document(k, json_pack("{s:i, s:s, s:o}", "version", VERSION, "rules", k->digest, "line", line));
}
