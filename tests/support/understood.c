#include "support/understood.h"

#include <ctype.h>
#include <string.h>

#include "support/check.h"

/* How often each letter and odd sign stands in a text, without what may be left out or written otherwise. */
static void count_signs(const KnGame *game, const char *text, int counts[256])
{
    memset(counts, 0, 256 * sizeof *counts);
    for (const char *t = text; *t; t++) {
        int sign = tolower((unsigned char)*t);
        if (strcmp(game->type->head.name, "othello") == 0) /* black and white have two names */
            sign = sign == 'b' || sign == '*' ? 'x' : sign == 'w' ? 'o' : sign;
        if (!strchr(" /-+_.,:()", sign) && !isspace(sign) && !isdigit(sign)) counts[sign]++;
    }
}

void check_nothing_ignored(const KnGame *game, const char *text, const char *understood)
{
    int written[256], meant[256];
    count_signs(game, text, written);
    count_signs(game, understood, meant);
    if (memcmp(written, meant, sizeof meant) != 0)
        fail_msg("%s: \"%s\" is taken for \"%s\"", game->spec, text, understood);
}
