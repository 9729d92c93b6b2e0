#include "protocols/ggp_record.h"

#include <time.h>

static json_int_t now_in_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (json_int_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Text that may hold any bytes. */
static json_t *text(const char *string)
{
    json_t *value = json_string(string);
    return value ? value : json_string("?");
}

/* Whole seconds as readers expect them. */
static json_t *clock_value(double seconds)
{
    return seconds == (double)(json_int_t)seconds ? json_integer((json_int_t)seconds) : json_real(seconds);
}

KnGgpRecord kn_ggp_record_new(const KnGgpPlan *plan, const char *id, const KnGgpTable *table,
                              const int *seats)
{
    KnGgpRecord record = {json_object(), json_array(), json_array(), json_array(), json_array()};
    json_t *roles = json_array(), *names = json_array();
    for (int role = 0; role < table->game->roles; role++) {
        json_array_append_new(roles, text(table->game->role_names[role]));
        json_array_append_new(names, text(seats[role] < 0 ? "Random" : plan->players[seats[role]]));
    }
    json_t *d = record.document;
    json_object_set_new(d, "matchId", text(id));
    json_object_set_new(d, "gameName", text(plan->name));
    json_object_set_new(d, "matchRoles", json_integer(table->game->roles));
    json_object_set_new(d, "roleNames", roles);
    json_object_set_new(d, "playerNamesFromHost", names);
    json_object_set_new(d, "startTime", json_integer(now_in_ms()));
    json_object_set_new(d, "previewClock", json_integer(-1));
    json_object_set_new(d, "startClock", clock_value(plan->start_clock));
    json_object_set_new(d, "playClock", clock_value(plan->play_clock));
    json_object_set_new(d, "scrambled", json_boolean(plan->obfuscation));
    json_object_set_new(d, "isCompleted", json_false());
    json_object_set_new(d, "isAborted", json_false());
    json_object_set_new(d, "states", record.states);
    json_object_set_new(d, "stateTimes", record.times);
    json_object_set_new(d, "moves", record.moves);
    json_object_set_new(d, "errors", record.errors);
    return record;
}

void kn_ggp_record_free(KnGgpRecord *record)
{
    json_decref(record->document);
    *record = (KnGgpRecord){0};
}

void kn_ggp_record_state(KnGgpRecord *record, const KnGgpBoard *board)
{
    KnText facts = KN_TEXT_EMPTY, whole = KN_TEXT_EMPTY;
    kn_gdl_state_text(board->table->machine, board->state, " ", &facts);
    kn_text_add(&whole, "( ");
    kn_piece_spaced((KnPiece){facts.data, facts.length}, &whole);
    kn_text_add(&whole, facts.length ? " )" : ")");
    json_array_append_new(record->states, text(whole.data));
    json_array_append_new(record->times, json_integer(now_in_ms()));
    kn_text_free(&facts);
    kn_text_free(&whole);
}

void kn_ggp_record_moves(KnGgpRecord *record, const KnGgpBoard *board, const KnMove *joint,
                         const KnGgpFault *faults)
{
    static const char *const codes[KN_GGP_FAULTS] = {"", "TO", "IL", "IL", "CE", "CE"};
    json_t *moves = json_array(), *errors = json_array();
    KnText name = KN_TEXT_EMPTY, spaced = KN_TEXT_EMPTY;
    for (int role = 0; role < board->table->game->roles; role++) {
        kn_text_clear(&name);
        kn_text_clear(&spaced);
        kn_ggp_board_name(board, joint[role], &name);
        kn_piece_spaced((KnPiece){name.data, name.length}, &spaced);
        json_array_append_new(moves, text(spaced.data));
        json_array_append_new(errors, json_string(codes[faults[role]]));
    }
    json_array_append_new(record->moves, moves);
    json_array_append_new(record->errors, errors);
    kn_text_free(&name);
    kn_text_free(&spaced);
}

void kn_ggp_record_end(KnGgpRecord *record, bool completed, const int *goals, int roles)
{
    json_object_set_new(record->document, completed ? "isCompleted" : "isAborted", json_true());
    if (!completed) return;
    json_t *values = json_array();
    for (int role = 0; role < roles; role++) json_array_append_new(values, json_integer(goals[role]));
    json_object_set_new(record->document, "goalValues", values);
}
