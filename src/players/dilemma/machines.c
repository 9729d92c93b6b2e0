/* Classical strategies as finite-state machines, in the notation of machine.h. */
#include "players/dilemma/tables.h"

#define FSM(name, rule, text)                                                                                \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .fsm = text     \
    }
#define MEMORY(name, rule, text)                                                                             \
    {                                                                                                        \
        .player = KN_STRATEGY_PLAYER(name, rule, NULL), .traits = KN_STRATEGY_DETERMINISTIC, .memory = text  \
    }

const KnStrategy kn_strategies_machines[] = {
    FSM("Cooperator", "always cooperates", "C; 1.-1C"), FSM("Defector", "always defects", "D; 1.-1D"),
    FSM("Alternator", "cooperates on odd turns, defects on even ones", "C; 1.-2D 2.-1C"),
    FSM("TitForTat", "begins with C, then copies the opponent's last move", "C; 1C-1C 1D-1D"),
    /* States 3 and 4 are contrite after an unintended D; in state 4 the next move is D. */
    FSM("ContriteTitForTat",
        "TitForTat that does not retaliate for the answer to its own mistakes (same as TitForTat without "
        "noise)",
        "C; 1CC-1C 1CD-2D 1DC-3C 1DD-2D 2.C-1C 2.D-2D 3C.-1C 3DC-3C 3DD-4D 4C.-1C 4DC-3C 4DD-4D"),
    FSM("SuspiciousTitForTat", "begins with D, then copies the opponent's last move", "D; 1C-1C 1D-1D"),
    FSM("AntiTitForTat", "begins with C, then plays the opposite of the opponent's last move",
        "C; 1C-1D 1D-1C"),
    FSM("Bully", "begins with D, then plays the opposite of the opponent's last move", "D; 1C-1D 1D-1C"),
    MEMORY("TitFor2Tats", "defects after two defections in a row", "CC; ../DD-D ../..-C"),
    FSM("TwoTitsForTat", "defects if there is a D among the opponent's last two moves",
        "C; 1C-1C 1D-2D 2C-1D 2D-2D"),
    FSM("HardTitForTat", "defects if there is a D among the opponent's last three moves",
        "C; 1C-1C 1D-2D 2C-3D 2D-2D 3C-1D 3D-2D"),
    FSM("HardTitFor2Tats", "defects if two D in a row are among the opponent's last three moves",
        "C; 1C-1C 1D-2C 2C-1C 2D-3D 3C-4D 3D-3D 4C-1C 4D-2C"),
    FSM("Grudger", "defects forever once the opponent defects", "C; 1C-1C 1D-2D 2.-2D"),
    FSM("OppositeGrudger", "defects until the opponent cooperates, then cooperates forever",
        "D; 1C-2C 1D-1D 2.-2C"),
    FSM("Aggravater", "defects three times, then plays Grudger; the first turns count",
        "D; 1C-2D 1D-4D 2C-3D 2D-4D 3C-5C 3D-4D 4.-4D 5C-5C 5D-4D"),
    FSM("EasyGo", "defects until the opponent does, then cooperates forever", "D; 1C-1D 1D-2C 2.-2C"),
    FSM("WinStayLoseShift", "Pavlov: cooperates if both made the same move",
        "C; 1CC-1C 1CD-1D 1DC-1D 1DD-1C"),
    FSM("WinShiftLoseStay", "begins with D; defects if both made the same move",
        "D; 1CC-1D 1CD-1C 1DC-1C 1DD-1D"),
    FSM("CyclerDC", "repeats DC", "D; 1.-2C 2.-1D"), FSM("CyclerCCD", "repeats CCD", "C; 1.-2C 2.-3D 3.-1C"),
    FSM("CyclerDDC", "repeats DDC", "D; 1.-2D 2.-3C 3.-1D"),
    FSM("CyclerCCCD", "repeats CCCD", "C; 1.-2C 2.-3C 3.-4D 4.-1C"),
    FSM("CyclerCCCCCD", "repeats CCCCCD", "C; 1.-2C 2.-3C 3.-4C 4.-5C 5.-6D 6.-1C"),
    FSM("CyclerCCCDCD", "repeats CCCDCD", "C; 1.-2C 2.-3C 3.-4D 4.-5C 5.-6D 6.-1C"),
    MEMORY("SlowTitForTwoTats2", "plays what the opponent did twice in a row, else repeats its own last move",
           "CC; ../CC-C ../DD-D .C/..-C .D/..-D"),
    FSM("Appeaser", "changes its move whenever the opponent defects", "C; 1CC-1C 1CD-1D 1DC-1D 1DD-1C"),
    FSM("SpitefulTitForTat", "TitForTat until the opponent defects twice in a row, then defects forever",
        "C; 1C-1C 1D-2D 2C-1C 2D-3D 3.-3D"),
    FSM("SoftGrudger", "answers a D with D D D D C C, then watches again",
        "C; 1C-1C 1D-2D 2.-3D 3.-4D 4.-5D 5.-6C 6.-1C"),
    FSM("ForgetfulGrudger", "answers a D with ten D, then watches again",
        "C; 1C-1C 1D-2D 2.-3D 3.-4D 4.-5D 5.-6D 6.-7D 7.-8D 8.-9D 9.-10D 10.-1D"),
    FSM("Handshake", "begins with C D; cooperates forever with opponents that did the same, else defects",
        "C; 1C-2D 1D-3D 2C-3D 2D-4C 3.-3D 4.-4C"),
    FSM("Prober",
        "begins with D C C; defects forever if the opponent played C C on turns 2 and 3, else copies",
        "D; 1.-2C 2C-3C 2D-4C 3C-5D 3D-6D 4C-6C 4D-6D 5.-5D 6C-6C 6D-6D"),
    FSM("Prober2", "begins with D C C; cooperates forever if the opponent answered D C, else copies",
        "D; 1.-2C 2C-3C 2D-4C 3C-6C 3D-6D 4C-5C 4D-6D 5.-5C 6C-6C 6D-6D"),
    FSM("Prober3", "begins with D C; defects forever if the opponent answered C, else copies",
        "D; 1.-2C 2C-3D 2D-4D 3.-3D 4C-4C 4D-4D"),
    FSM("HardProber",
        "begins with D D C C; defects forever if the opponent answered C C on turns 2 and 3, else copies",
        "D; 1.-2D 2C-3C 2D-5C 3C-4C 3D-6C 5.-6C 4.-4D 6C-6C 6D-6D"),
    FSM("Fortress3", "recognises copies of itself by D D, then cooperates until the opponent defects",
        "D; 1C-1D 1D-2D 2C-1D 2D-3C 3C-3C 3D-1D"),
    FSM("Fortress4", "recognises copies of itself by D D D, then cooperates until the opponent defects",
        "D; 1C-1D 1D-2D 2C-1D 2D-3D 3C-1D 3D-4C 4C-4C 4D-1D"),
    FSM("Ripoff", "alternates D and C until the opponent defects, then plays TitForTat",
        "D; 1C-2C 1D-3C 2C-1D 2D-3C 3C-3C 3D-3D"),
    FSM("Pun1", "an evolved machine of two states", "D; 1C-2C 1D-2C 2C-1C 2D-1D"), KN_STRATEGIES_END};
