#include "arena/time_control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_MOST = 1000, SECONDS_MOST = 1000000 };

/* Moves that a game may still take, where the control does not say. */
static const double MOVES_LEFT = 30;

/* Parts of the time that a share leaves on the clock, and of the increment that it counts on. */
static const double CLOCK_PART = 0.7, INCREMENT_PART = 0.8;

/* A number from `text` on, as far as it goes; false if there is none or it is not within bounds. */
static bool read_number(const char **text, double *number)
{
    char *end;
    if (**text != '.' && (**text < '0' || **text > '9')) return false; /* no sign, no inf, no blanks */
    *number = strtod(*text, &end);
    if (end == *text || !(*number >= 0 && *number <= SECONDS_MOST)) return false;
    *text = end;
    return true;
}

static bool read_control(const char *text, KnTimeControl *control)
{
    double number;
    if (!read_number(&text, &number)) return false;
    if (*text == '/') {
        if (number < 1 || number > MOVES_MOST || number != floor(number)) return false;
        control->moves = (int)number;
        text++;
        if (!read_number(&text, &number)) return false;
    }
    control->seconds = number;
    if (*text == ':') {
        text++;
        if (!read_number(&text, &number) || number >= 60) return false;
        control->seconds = control->seconds * 60 + number;
    }
    if (*text == '+') {
        text++;
        if (!read_number(&text, &control->increment)) return false;
    }
    return !*text;
}

KnStatus kn_time_control_parse(const char *text, KnTimeControl *control, KnError *error)
{
    KnTimeControl found = {.margin = control->margin};
    if (!read_control(text, &found))
        return kn_fail(error, KN_USAGE,
                       "\"%.60s\" is no time control; give SECONDS+INCREMENT such as 60+0.6, or "
                       "MOVES/SECONDS+INCREMENT, or MINUTES:SECONDS",
                       text);
    if (!kn_time_control_is_set(&found))
        return kn_fail(error, KN_USAGE, "\"%.60s\" leaves no time to move; give a second, or an increment",
                       text);
    *control = found;
    return KN_OK;
}

void kn_time_control_text(const KnTimeControl *control, KnText *out)
{
    if (control->moves) kn_text_printf(out, "%d/", control->moves);
    kn_text_add_real(out, control->seconds);
    if (control->increment <= 0) return;
    kn_text_add_char(out, '+');
    kn_text_add_real(out, control->increment);
}

void kn_clocks_start(const KnTimeControl *control, int roles, KnClocks *clocks)
{
    *clocks = (KnClocks){.increment = control->increment};
    for (int role = 0; role < roles; role++) {
        clocks->remaining[role] = control->seconds > 0 ? control->seconds : control->increment;
        clocks->moves_to_go[role] = control->moves;
    }
}

double kn_clocks_share(const KnClocks *clocks, int role)
{
    double left = fmax(clocks->remaining[role], 0);
    double moves = clocks->moves_to_go[role] ? clocks->moves_to_go[role] : MOVES_LEFT;
    double share = left / (moves + 0.5) + INCREMENT_PART * clocks->increment;
    return fmax(fmin(share, CLOCK_PART * left), 1e-4);
}

bool kn_clocks_spend(const KnTimeControl *control, KnClocks *clocks, int role, double seconds)
{
    double *left = &clocks->remaining[role];
    *left -= seconds;
    if (*left < -control->margin) return false;
    *left = fmax(*left, 0) + control->increment;
    if (control->moves && --clocks->moves_to_go[role] == 0) {
        *left += control->seconds;
        clocks->moves_to_go[role] = control->moves;
    }
    return true;
}
