#include "formats/record.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *format, *game;
    KnRecordWriter write;
} formats[] = {
    {"pdn", "checkers", kn_pdn_write}, {"sgf", "go", kn_sgf_write}, {"ggf", "othello", kn_ggf_write}};

enum { FORMATS = sizeof formats / sizeof *formats };

KnRecordWriter kn_game_record_writer(const KnGame *game, const char **extension)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].game, game->type->head.name) == 0) {
            *extension = formats[i].format;
            return formats[i].write;
        }
    return NULL;
}

KnRecordWriter kn_game_record_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcasecmp(formats[i].format, name) == 0) return formats[i].write;
    return NULL;
}
