/* Strategies of the dilemma: each deterministic one against three words of play, written down from its rule;
 * the chances of those that draw; tables as data, and what is said about malformed ones. */
#include "support/check.h"
#include "support/workbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "players/dilemma/duel.h"

/* What the opponent plays, whatever happens. */
static const char *const words[3] = {"CDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCCC",
                                     "CCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCDC",
                                     "DDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCCC"};

static const struct {
    const char *name;
    const char *plays[3];
} rules[] = {
    {"Cooperator",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"Defector",
     {"DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Alternator",
     {"CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD", "CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD",
      "CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"}},
    {"TitForTat",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"ContriteTitForTat",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"SuspiciousTitForTat",
     {"DCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "DDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"AntiTitForTat",
     {"CDCDDCCDCDDDCCCDDDDDCDCCCDDCDDDCDDCCDDDD", "CDDDDDDDDDDDDCDDDDDDDDCCDDDDDDDDCDDDDDDC",
      "CCCCCCCDCCCCCCDDCDCDCCCCCCCCCCCCCCCDDDDD"}},
    {"Bully",
     {"DDCDDCCDCDDDCCCDDDDDCDCCCDDCDDDCDDCCDDDD", "DDDDDDDDDDDDDCDDDDDDDDCCDDDDDDDDCDDDDDDC",
      "DCCCCCCDCCCCCCDDCDCDCCCCCCCCCCCCCCCDDDDD"}},
    {"TitFor2Tats",
     {"CCCCCCDCCCCCCDDCCCCCCCCDDCCCCCCCCCCDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCCC",
      "CCDDDDDCCDDDDDCCCCCCCDDDDDDDDDDDDDDCCCCC"}},
    {"TwoTitsForTat",
     {"CCDDCDDDDDCCDDDDCCCCDDDDDDCDDCCDDCDDDCCC", "CCCCCCCCCCCCCDDCCCCCCCDDDCCCCCCCDDCCCCCD",
      "CDDDDDDDDDDDDDDCDDDDDDDDDDDDDDDDDDDDCCCC"}},
    {"HardTitForTat",
     {"CCDDDDDDDDDCDDDDDCCCDDDDDDDDDDCDDDDDDDCC", "CCCCCCCCCCCCCDDDCCCCCCDDDDCCCCCCDDDCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCCC"}},
    {"HardTitFor2Tats",
     {"CCCCCCDDCCCCCDDDCCCCCCCDDDCCCCCCCCCDDCCC", "CCCCCCCCCCCCCCCCCCCCCCCDDCCCCCCCCCCCCCCC",
      "CCDDDDDDCDDDDDDCCCCCCDDDDDDDDDDDDDDDCCCC"}},
    {"Grudger",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"OppositeGrudger",
     {"DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"Aggravater",
     {"DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "DDDCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"EasyGo",
     {"DDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"WinStayLoseShift",
     {"CCDDDCDDCCCCDCDDDDDDCCDCDDDCCCCDDDCDDDDD", "CCCCCCCCCCCCCDDDDDDDDDCDDDDDDDDDCCCCCCCD",
      "CDCDCDCCDCDCDCCCDDCCDCDCDCDCDCDCDCDDDDDD"}},
    {"WinShiftLoseStay",
     {"DCCDCCCDDCDCCCCDCDCDDCCCCDCCDCDDCDDDCDCD", "DCDCDCDCDCDCDDCDCDCDCDDDCDCDCDCDDCDCDCDD",
      "DDDDDDDCCCCCCCDCCDDCCCCCCCCCCCCCCCCDCDCD"}},
    {"CyclerDC",
     {"DCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDC", "DCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDC",
      "DCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDC"}},
    {"CyclerCCD",
     {"CCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDC", "CCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDC",
      "CCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDCCDC"}},
    {"CyclerDDC",
     {"DDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCD", "DDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCD",
      "DDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCDDCD"}},
    {"CyclerCCCD",
     {"CCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCD", "CCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCD",
      "CCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCDCCCD"}},
    {"CyclerCCCCCD",
     {"CCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCC", "CCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCC",
      "CCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCCCDCCCC"}},
    {"CyclerCCCDCD",
     {"CCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCD", "CCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCD",
      "CCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCDCDCCCD"}},
    {"SlowTitForTwoTats2",
     {"CCCCCCDDDDCCCDDDCCCCCCCDDDCCCCCCCCCDDCCC", "CCCCCCCCCCCCCCCCCCCCCCCDDCCCCCCCCCCCCCCC",
      "CCDDDDDDDDDDDDDCCCCCCDDDDDDDDDDDDDDDCCCC"}},
    {"Appeaser",
     {"CCDDDCDDCCCCDCDDDDDDCCDCDDDCCCCDDDCDDDDD", "CCCCCCCCCCCCCDDDDDDDDDCDDDDDDDDDCCCCCCCD",
      "CDCDCDCCDCDCDCCCDDCCDCDCDCDCDCDCDCDDDDDD"}},
    {"SpitefulTitForTat",
     {"CCDCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDDDDDDDDDDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"SoftGrudger",
     {"CCDDDDCCDDDDCCDDDDCCDDDDCCCDDDDCCCDDDDCC", "CCCCCCCCCCCCCDDDDCCCCCDDDDCCCCCCDDDDCCCD",
      "CDDDDCCCDDDDCCCCDDDDCCDDDDCCDDDDCCDDDDCC"}},
    {"ForgetfulGrudger",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCCDDDDDD", "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDCCCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Handshake",
     {"CDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Prober",
     {"DCCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DCCDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Prober2",
     {"DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "DCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "DCCDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Prober3",
     {"DCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DCDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"HardProber",
     {"DDCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DDCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDCCDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Fortress3",
     {"DDDDDDCCDDDDDCDDDDDDDDDCDDDDDDDDDDDCCCCC", "DDDDDDDDDDDDDDDDDDDDDDDCCCCCCCCCDDDDDDDD",
      "DDCDDCDDDCDDCDDDDDDDDCDDCDDCDDCDDCDDDDDD"}},
    {"Fortress4",
     {"DDDDDDDDDDDDDDCCCCCCDDDDCCCDDDDDDDDDDDDD", "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDCDDDDDDCDDDDDDDDDDDCDDDCDDDCDDDCCCCCC"}},
    {"Ripoff",
     {"DCCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCDCDCDCDCDCDCCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "DCDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Pun1",
     {"DCDCCCDCDCCCDCDCCCCCDCDCDCCCCCCCCCDCCCCC", "DCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCDCCCCCCC",
      "DCDCDCDCDCDCDCCCDCDCDCDCDCDCDCDCDCDCCCCC"}},
    {"NTitsForMTats",
     {"CCCCCCDDDCCCCDDDDCCCCCCDDDDCCCCCCCCDDDCC", "CCCCCCCCCCCCCCCCCCCCCCCDDDCCCCCCCCCCCCCC",
      "CCDDDDDDDDDDDDDDCCCCCDDDDDDDDDDDDDDDDCCC"}},
    {"GoByMajority",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"GoByMajority5",
     {"CCCCCCDCDDCCCCDDDCCCCCCDDDDDCCCCCCCDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDDDDDDDDDDDCCCDDDDDDDDDDDDDDDDDCCC"}},
    {"GoByMajority10",
     {"CCCCCCCCCCCCCCDCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDC"}},
    {"GoByMajority20",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"GoByMajority40",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"HardGoByMajority",
     {"DCDCCCDCDCCCCCDCCCCCCCCCCCCCCCCCCCCCCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"HardGoByMajority5",
     {"DCDCCCDCDDCCCCDDDCCCCCCDDDDDCCCCCCCDCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDDDDDDDDDDCCCDDDDDDDDDDDDDDDDDCCC"}},
    {"HardGoByMajority10",
     {"DCDCCCDCDCCCCDDDCCCCCCCCCCCDDDCDCCCCCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"HardGoByMajority20",
     {"DCDCCCDCDCCCCCDCCCCCCCCCDCCCCCCCCCCCCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"HardGoByMajority40",
     {"DCDCCCDCDCCCCCDCCCCCCCCCCCCCCCCCCCCCCCCC", "DCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"ThueMorse",
     {"DCCDCDDCCDDCDCCDCDDCDCCDDCCDCDDCCDDCDCCD", "DCCDCDDCCDDCDCCDCDDCDCCDDCCDCDDCCDDCDCCD",
      "DCCDCDDCCDDCDCCDCDDCDCCDDCCDCDDCCDDCDCCD"}},
    {"SneakyTitForTat",
     {"CCDCCDDCCCCCDDCCCCCCDCCDDCCDCCCDCCDDCCCC", "CCDDDDDDDDDDDCCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CCDDCCDCCDDCCDCCDCCCDDCCDDCCDDCCDDCCCCCC"}},
    {"Forgiver",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCDDDDDDDCCDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"ForgivingTitForTat",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCDCCCCCCD",
      "CDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Gradual",
     {"CCDCCDDCCCCCDDDDDCCCDDDDDDDDCCCDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDDDDCCCD",
      "CDCCDDDDCCDDDDDDDDDCCDDDDDDDDDDDDDDDDCCC"}},
    {"Punisher",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCCDDDDDD", "CCCCCCCCCCCCCDDCCCCCCCDDCCCCCCCCDDDCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCC"}},
    {"InversePunisher",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CDDDDDDCDDDDDDDCDDDDDDDDDDDDDDDDDDDDDCCC"}},
    {"Retaliate",
     {"CCDDDDDDDDDDDDDDDDCCDDDDDDDDDDDDDDDDDCCC", "CCCCCCCCCCCCCDDDDDDDDDDDDCCCCCCCDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDC"}},
    {"LimitedRetaliate",
     {"CCDDDDDDDDDDDDDDDDCCDDDDDDDDDDDDDDDDDCCC", "CCCCCCCCCCCCCDDDDDDDDDDDDCCCCCCCDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDCDDDDDDDDDDDDDDDDDD"}},
    {"Grumpy",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Resurrection",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"DoubleResurrection",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCDCCCCCDCDCCCCCDCCDDCCCCCDCCDCCCCCDD",
      "CDDDDDCCDDDDDCCCDCDCDDDDDCDDDDDCDDDCCCCC"}},
    {"OmegaTFT",
     {"CCDCCDDCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDCDDDDDDCCDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Adaptive",
     {"CCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"AdaptiveTitForTat",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"DefectorHunter",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"CooperatorHunter",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCDDDDDDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"AlternatorHunter",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"TrickyCooperator",
     {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCDDDDDDDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"TrickyDefector",
     {"DDDDDDDDDDDDDDCDDDDDDDDDCDDDDDDDDDDDDDDD", "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDDDDDDDDCCCCDDDDDDDDCCCCCCCCCCCCCDDDDD"}},
    {"BackStabber",
     {"CCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCDDDDDDDD",
      "CCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"DoubleCrosser",
     {"CCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCCC",
      "CCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"EugineNier",
     {"CCDCCDDCDCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"FirstByDavis",
     {"CCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"FirstByShubik",
     {"CCDCCDDCDDDCDDDDCCCCDDDDDCCDDDDDDCDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDDDCCCCD",
      "CDCDDCDDDCDDDDCCDDDDDCDDDDDDCDDDDDDDCCCC"}},
    {"FirstByNydegger",
     {"CCDCDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"FirstByDowning",
     {"DDCDCDCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "DDCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"RevisedDowning",
     {"CCDCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"FirstBySteinAndRapoport",
     {"CCCCCDDCDCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CCCCDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"FirstByTidemanAndChieruzzi",
     {"CCDCCDDCDDDCDDDDCCCCDDDDDCCDDDDDDCDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDDDCCCCD",
      "CDDDDDDCDDDDDDDDDCDDDDDDDDDDDDDDDDDCCCCC"}},
    {"SecondByTester",
     {"DCCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCCDCDCDCDCDCCCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "DCDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"SecondByGladstein",
     {"DCCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DCCDCDCDCDCDCCCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "DCDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"SecondByGrofman",
     {"CCDCCDDDDDDDDDDDDDDDDDCCDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"SecondByWhite",
     {"CCCCCCCCCCCCCCCCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"SecondByMikkelson",
     {"CCCCCCCCCCCCCCDCCCCCCCCDDDDDDDCDDCDDDDDC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCDCDCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Predator",
     {"CDDDCDDDDCDDDDDDDDDDDCDDDDDDCDDDCDDDDDDD", "CDDDDDDDDDDDDDDCCCCCCCDDDDDDDDDDDCDDDDDD",
      "CDDCDDDDDDDDDDDDDCDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Raider",
     {"DDCDDCCCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "DDDDDDDDDDDDDDDDDDDDDDCCCCCCCCCCDCCCCCCD",
      "DDCCDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"SolutionB1",
     {"DDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "DDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"SolutionB5",
     {"DCDCCDDCDCCCDDDCCCCCDCDDDCCDDDDDCCDDCCCC", "DCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDDDDDDDD",
      "DDDDDDDCDDDDDDDDDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"Thumper",
     {"CCDDCDDCDDCCDDDDCCCCDDDDDDCDDCCDDCDDCCCC", "CCCCCCCCCCCCCDDCCCCCCCDDCCCCCCCCDDCCCCCD",
      "CDDDDDDCDDDDDDCCDDDDDDDDDDDDDDDDDDDDCCCC"}},
    {"UsuallyCooperates",
     {"CCCDCCCCCDCCCCCDCCCCCDCCCDCCDCCCDCCCCCCC", "CCCCCCCCCCCCCCDCCCCCCCCCCCCCCCCCCDCCCCCC",
      "CCCCCCCCCCCCCCCCCDCDCCCCCCCCCCCCCCCDCCCC"}},
    {"UsuallyDefects",
     {"DDCDDDDDCDDDCDDDDDDDCDCDDDDDDDDCDDDDDDDD", "DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "DDDDDDDDCDDDDDDDDDCDCDDDDDDDDDDDDDDDDDDD"}},
    {"GrudgerAlternator",
     {"CCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDC", "CCCCCCCCCCCCCDCDCDCDCDCDCDCDCDCDCDCDCDCD",
      "CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"}},
    {"SpitefulCC",
     {"CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"FoolMeOnce",
     {"CCCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCCCCCCCCCCDDDDDDDDDDDDDDDDDD",
      "CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"GradualKiller",
     {"DDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", "DDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "DDDDDCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"}},
    {"CollectiveStrategy",
     {"CDCCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"Detective",
     {"CDCCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CDCCDDDDDDDDDDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDCCDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"OnceBitten",
     {"CCCCCCDDDDDDDDDDDCCCCCCDDDDDDDDDDDCDDDDD", "CCCCCCCCCCCCCCCCCCCCCCCDDDDDDDDDDDCCCCCC",
      "CCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDCCCCC"}},
    {"Doubler",
     {"CCDCCDDCDCCCDDDCCCCCDCDDDCCDCCCDCCDDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CDDDDDDCDDDDDDCCDCDCDDDDDDDDDDDDDDDCCCCC"}},
    {"ShortMem",
     {"CCCCCCCCCCCCDDDCCCCCDCDDDCCDCCCDCCCDCCCC", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
      "CCCCCCCCCCCDDDDDDDDCDDDDDDDDDDDDDDDDDDCC"}},
    {"Prober4",
     {"CCDCDDDCCDCDCCDCDDCDDDDDDDDDDDDDDDDDDDDD", "CCDCDDDCCDCDCCDCDDCDDDDDDDDDDDDDDDDDDDDD",
      "CCDCDDDCCDCDCCDCDDCDDDDDDDDDDDDDDDDDDDDD"}},
    {"APavlov2006",
     {"CCDCCDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD"}},
    {"APavlov2011",
     {"CCDCCDDCCCCCCDDCCCCCCCCDDDDDDDDDDDDDCCCC", "CCCCCCCCCCCCCDCCCCCCCCDDCCCCCCCCDCCCCCCD",
      "CDDDDDDDDDDDDDDDDDCCCDDDDDDDDDDDDDDDDDDD"}},
};

enum { RULES = sizeof rules / sizeof *rules };

static int set_up(void **state)
{
    (void)state;
    return test_workbench_open_game("dilemma");
}

static const KnRoundPayoffs *stakes_of_first(void)
{
    static KnRoundPayoffs stakes;
    stakes = kn_round_payoffs(kn_game_matrix(workbench_game), 0, 0);
    return &stakes;
}

/* What a deterministic strategy plays against a word; `length` told or 0. */
static void play_word(const char *spec, const char *word, long length, char *played)
{
    KnPlayer *player = test_workbench_player(spec);
    const KnAgent *agent = kn_player_agent(player);
    KnStrategyState strategy_state;
    kn_strategy_state_begin(&strategy_state, agent, stakes_of_first(), length);
    size_t turn = 0;
    for (; word[turn]; turn++) {
        assert_true(strategy_state.chance == 0 || strategy_state.chance == 1);
        played[turn] = strategy_state.chance > 0 ? 'C' : 'D';
        kn_strategy_state_note(&strategy_state, agent, played[turn] == 'D', word[turn] == 'D');
    }
    played[turn] = '\0';
    kn_player_close(player);
}

static void check_plays(const char *spec, const char *word, const char *expected)
{
    char played[256];
    play_word(spec, word, 0, played);
    if (strcmp(played, expected) != 0)
        fail_msg("%s\n  against  %s\n  plays    %s\n  and not  %s", spec, word, played, expected);
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < RULES; i++)
        for (int w = 0; w < 3; w++) check_plays(rules[i].name, words[w], rules[i].plays[w]);
}

/* Words that reach what those above do not: Adaptive Pavlov's kinds, a handshake that is broken later. */
static void test_further_words(void **state)
{
    (void)state;
    check_plays("APavlov2006", "DCDCDCDDCDDCCCCCCCDCDCDCDDCDDCDDDDDDCCDC",
                "CDCDCDCCDCDDDCCCCCCDCDCDCCDCDDDCCCCCDDDD");
    check_plays("APavlov2006", "CDCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCC",
                "CCDCCCDDDDDDCCCCCCCCCCCCCDCCCCCCCCCCCCCC");
    check_plays("APavlov2011", "DCDCDCDDCDDCCCCCCCDCDCDCDDCDDCDDDDDDCCDC",
                "CDCDCDCCDCCDDDDDDDCDCDCDCCDCCDDDDDDDDDDD");
    check_plays("APavlov2011", "CDCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCC",
                "CCDCCCDDDDDDCCCCCCCCCCCCCDCCCCCCCCCCCCCC");
    check_plays("CollectiveStrategy", "DCDCDCDDCDDCCCCCCCDCDCDCDDCDDCDDDDDDCCDC",
                "CDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD");
    check_plays("CollectiveStrategy", "CDCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCC",
                "CDCCCCCCCCCCCCCCCCCCCCCCCDDDDDDDDDDDDDDD");
    check_plays("Prober4", "DCDCDCDDCDDCCCCCCCDCDCDCDDCDDCDDDDDDCCDC",
                "CCDCDDDCCDCDCCDCDDCDDDDDDDDDDDDDDDDDDDDD");
    check_plays("Prober4", "CDCCCCCCCCCCCCCCCCCCCCCCDCCCCCCCCCCCCCCC",
                "CCDCDDDCCDCDCCDCDDCDDDDDDDDDDDDDDDDDDDDD");
}

/* Every deterministic strategy of the tables is in the list above. */
static void test_rules_cover_the_zoo(void **state)
{
    (void)state;
    const KnStrategy *row;
    size_t deterministic = 0;
    for (size_t i = 0; (row = kn_strategy_at(i)); i++) {
        assert_ptr_equal(kn_find(workbench, KN_KIND_PLAYER, row->player.head.name), &row->player.head);
        if (!(row->traits & KN_STRATEGY_DETERMINISTIC) || row->traits & KN_STRATEGY_FAMILY) continue;
        deterministic++;
        size_t r = 0;
        while (r < RULES && strcmp(rules[r].name, row->player.head.name) != 0) r++;
        if (r == RULES) fail_msg("%s has no words of play", row->player.head.name);
    }
    assert_int_equal(deterministic, RULES);
}

/* The manual lists every row with its rule. */
static void test_manual(void **state)
{
    (void)state;
    KnError error;
    KnText manual = KN_TEXT_EMPTY;
    check_ok(error, kn_file_read(KNACK_SOURCE_DIR "/docs/strategies.md", &manual, 1 << 20, &error));
    const KnStrategy *row;
    for (size_t i = 0; (row = kn_strategy_at(i)); i++) {
        char line[300];
        snprintf(line, sizeof line, "| `%s` | %s |", row->player.head.name, row->player.head.summary);
        if (!strstr(manual.data, line)) fail_msg("docs/strategies.md lacks %s", line);
    }
    kn_text_free(&manual);
}

static void test_families(void **state)
{
    (void)state;
    check_plays("cycler(CDDC)", "CCCCCCCCC", "CDDCCDDCC");
    check_plays("gobymajority(3)", "DDCCDDD", "CDDDCCD");
    check_plays("hardgobymajority(window=2)", "DCCDDCC", "DDDCDDD");
    check_plays("NTitsForMTats(n=1, m=3)", "DDDDCDDDC", "CCCDDCCCD");
    check_plays("fsm(text=\"D; 1C-1C 1D-1D\")", "CDC", "DCD");
    check_plays("memory(text=\"D; C/.-D D/.-C\")", "CCCC", "DCDC");
    check_plays("memory(text=\"CD; C./.D-C ../..-D\")", "DDDDCCD", "CDCDCDD");
}

/* The four that would use the length defect at the end, and only if they are told. */
static void test_length(void **state)
{
    (void)state;
    static const char *const specs[] = {"BackStabber", "DoubleCrosser", "FirstBySteinAndRapoport",
                                        "FirstByTidemanAndChieruzzi", "EugineNier"};
    char played[64];
    for (int i = 0; i < 5; i++) {
        play_word(specs[i], "CCCCCCCCCCCC", 12, played);
        assert_string_equal(played, i < 4 ? "CCCCCCCCCCDD" : "CCCCCCCCCCCD");
        play_word(specs[i], "CCCCCCCCCCCC", 0, played);
        assert_string_equal(played, "CCCCCCCCCCCC");
    }
    play_word("backstabber(length=5)", "CCCCC", 0, played);
    assert_string_equal(played, "CCCDD");
}

/* The chance of C after two words, own and the opponent's. */
static void check_chance(const char *spec, const char *own, const char *other, double expected)
{
    KnPlayer *player = test_workbench_player(spec);
    const KnAgent *agent = kn_player_agent(player);
    KnStrategyState strategy_state;
    kn_strategy_state_begin(&strategy_state, agent, stakes_of_first(), 0);
    for (size_t i = 0; own[i]; i++)
        kn_strategy_state_note(&strategy_state, agent, own[i] == 'D', other[i] == 'D');
    if (!(fabs(strategy_state.chance - expected) < 1e-12))
        fail_msg("%s after %s/%s: %.15g, not %.15g", spec, own, other, strategy_state.chance, expected);
    kn_player_close(player);
}

static void check_vector(const char *spec, double cc, double cd, double dc, double dd)
{
    check_chance(spec, "", "", 1);
    check_chance(spec, "DC", "CC", cc);
    check_chance(spec, "CC", "DD", cd);
    check_chance(spec, "CD", "DC", dc);
    check_chance(spec, "CD", "CD", dd);
}

static void test_vectors(void **state)
{
    (void)state;
    check_vector("memory1(.9, .1, .5, .2)", .9, .1, .5, .2);
    check_vector("zdextortion", .64, .18, .28, 0);
    check_vector("ZDExtort2", 8. / 9, .5, 1. / 3, 0);
    check_vector("ZDExtort2v2", 7. / 8, 7. / 16, 3. / 8, 0);
    check_vector("ZDExtort3", 11. / 13, .5, 7. / 26, 0);
    check_vector("ZDExtort4", 11. / 17, 0, 8. / 17, 0);
    check_vector("ZDGTFT2", 1, .125, 1, .25);
    check_vector("ZDGen2", 1, 9. / 16, .5, .125);
    check_vector("ZDSet2", .75, .25, .5, .25);
    check_vector("ZDMischief", .8, .6, .1, 0);
    check_vector("GTFT", 1, 1. / 3, 1, 1. / 3);
    check_vector("FirstByJoss", .9, 0, .9, 0);
    check_vector("SoftJoss", 1, .1, 1, .1);
    check_vector("StochasticWSLS", .95, .05, .05, .95);
    check_vector("StochasticCooperator", .935, .229, .266, .42);
    check_vector("FirmButFair", 1, 0, 1, 2. / 3);
    check_vector("FirstByGrofman", 1, 2. / 7, 2. / 7, 1);
    /* The general form gives the named ones back: extortion by two from mutual defection, generosity from
     * cooperation. */
    check_vector("zerodeterminant(baseline=1, slope=0.5, scale=0.1111111111111111)", 8. / 9, .5, 1. / 3, 0);
    check_vector("zerodeterminant(baseline=3, slope=0.5, scale=0.25)", 1, .125, 1, .25);
}

static void test_chances(void **state)
{
    (void)state;
    check_chance("FirstByAnonymous", "", "", .5);
    check_chance("FirstByTullock", "CCCCCCCCCC", "DDDDDDDDDD", 1);
    check_chance("FirstByTullock", "CCCCCCCCCCC", "DCCCDDCCCCC",
                 .7); /* eight of the last ten, less a tenth */
    check_chance("FirstByTullock", "CCCCCCCCCCC", "DDDDDDDDDDD", 0);
    check_chance("FirstByFeld", "CC", "CC", .995);
    check_chance("FirstByFeld", "CC", "CD", 0);
    check_chance("SecondByChampion", "CCCCCCCCCCCC", "DDDDDDDDDDDD", 0);
    check_chance("SecondByChampion", "CCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCDDDDDDDDDDDD", 1 - 12. / 25);
    check_chance("SecondByChampion", "CCCCCCCCCCCCCCCCCCCCCCCCC", "CCCCCCCCCCCCCCCCDDDDDDDDD",
                 1); /* .36 is below .4 */
    check_chance("SecondByEatherley", "CCCC", "CCDC", 1);
    check_chance("SecondByEatherley", "CCCC", "CCDD", .5);
    check_chance("SecondByCave", "CC", "CD", .5);
    check_chance("SecondByCave", "CC", "DC", 1);
    check_chance("SecondByCave", "CCCCCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDDDDD",
                 0);                                                             /* turn 20, more than .79 */
    check_chance("SecondByCave", "CCCCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDDDD", 0); /* 18 are too many */
    check_chance("SecondByCave", "CCCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDDD", .5);
}

/* Fifty-six turns of C but for the probe, against one who cooperates but for turns 3, 5 and 7. */
static void test_graaskamp(void **state)
{
    (void)state;
    char own[80], other[80];
    memset(own, 'C', sizeof own);
    memset(other, 'C', sizeof other);
    other[2] = other[4] = other[6] = own[50] = 'D'; /* it answers nobody, and is no twin */
    own[50] = own[56] = '\0';
    other[56] = '\0';
    check_chance("FirstByGraaskamp", own, other, 0); /* turn 51 */
    own[50] = 'D';
    static const double chances[] = {1, 1, 1, 1, 1, 1 - 1. / 11, 1 - 1. / 10, 1 - 1. / 9};
    for (int gap = 0; gap < 8; gap++) {
        own[56 + gap] = other[56 + gap] = '\0';
        check_chance("FirstByGraaskamp", own, other, chances[gap]);
        own[56 + gap] = other[56 + gap] = 'C';
    }
    own[63] = 'D'; /* it probed: another five turns of peace */
    own[64] = other[64] = '\0';
    check_chance("FirstByGraaskamp", own, other, 1);
    memset(other, 'D', 28);
    check_chance("FirstByGraaskamp", own, other, 0); /* 28 of 64: random, as far as anybody can tell */
}

/* One step of each learner by hand. */
static void test_learners(void **state)
{
    (void)state;
    check_chance("qlearning(explore=0.2)", "", "", .5);
    check_chance("qlearning(explore=0.2, memory=0)", "C", "C", .9); /* C was worth something, D nothing yet */
    check_chance("qlearning(explore=0.2, memory=0)", "D", "D", .1);
    check_chance("qlearning(explore=0.2)", "C", "C", .5); /* nothing known after CC */
    check_chance("qlearning(explore=0.2)", "CD", "CC", .5);
    check_chance("qlearning(explore=0.2)", "CDC", "CCC", .1);       /* D after CC brought 5 */
    check_chance("bushmosteller", "C", "C", .5 + .5 * .5 * 1. / 3); /* 3 is one above 2, of at most 3 */
    check_chance("bushmosteller", "C", "D", .5 - .5 * .5 * 2. / 3);
    check_chance("bushmosteller", "D", "C", .5 - .5 * .5 * 3. / 3);
    check_chance("bushmosteller(first=1)", "D", "D", 1); /* D was impossible, and stays so */
    check_chance("aspiring", "C", "C", 1);
    check_chance("aspiring", "C", "D", 1 - .9 * 2. / 3);
    check_chance("aspiring", "D", "D", .9 * 1. / 3);
}

static void check_refused(const char *spec, const char *part)
{
    KnError error;
    KnPlayer *player;
    check_fails(error, KN_INPUT, part, kn_player_open(workbench, workbench_game, spec, &player, &error));
}

static void test_malformed_tables(void **state)
{
    (void)state;
    check_refused("fsm", "needs either a file");
    check_refused("fsm(text=\"# nothing\")", "fsm:1: field 1: expected a first move");
    check_refused("fsm(text=\"X\")", "fsm:1: field 1 (\"X\"): it should end in a move");
    check_refused("fsm(text=\"C\")", "state 1 has no answer to CC");
    check_refused("fsm(text=\"C; 1C-1C\")", "state 1 has no answer to CD");
    check_refused("fsm(text=\"C; 1C-1C 1.-1D\")",
                  "field 3 (\"1.-1D\"): this state answers these moves already");
    check_refused("fsm(text=\"C; 1C-2C 1D-1D\")", "state 2 has no answer to CC");
    check_refused("fsm(text=\"C\n1C-1C\n1D-1E\")", "fsm:3: field 1 (\"1D-1E\")");
    check_refused("fsm(text=\"C 1C-1:1.5 1D-1D\")", "a chance lies between 0 and 1");
    check_refused("fsm(text=\"C 1C-0C 1D-1D\")", "states are numbered from 1");
    check_refused("fsm(text=\"C 1CCC-1C\")", "expected STATE SEEN - STATE MOVE");
    check_refused("memory(text=\"CX; ../..-C\")",
                  "memory:1: field 1 (\"CX\"): the opening is made of C and D");
    check_refused("memory(text=\"CCCCCC\")", "at most 5");
    check_refused("memory(text=\"CC; ../.-C\")", "field 2 (\"../.-C\"): expected OWN/OTHER-MOVE");
    check_refused("memory(text=\"C; C/.-C D/D-C\")", "no answer fits D/C");
    check_refused("cycler(CDX)", "letter 3");
    check_refused("memory1(.5, .5, .5)", "dd must be given");
    check_refused("memory1(.5, .5, .5, 1.5)", "dd must lie between 0 and 1");
    check_refused("zerodeterminant(baseline=2, slope=0.5, scale=1)", "the chance of C after CD would be");
    check_refused("titfortatt", "did you mean TitForTat?");
    KnError error;
    check_ok(error, kn_file_write_atomic("two.txt", "C # first\n1C-1C\n  1D-2D 2C-x\n", 28, &error));
    check_refused("fsm:two.txt", "two.txt:3: field 2 (\"2C-x\"): expected the number of a state");
}

/* A table reads, prints and reads back to the same machine. */
static void test_text_round_trip(void **state)
{
    (void)state;
    static const char *const specs[] = {"Fortress4", "contritetitfortat", "memory1(.9, .1, .5, .2)",
                                        "slowtitfortwotats2", "cycler(CDDCC)"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        KnPlayer *player = test_workbench_player(specs[i]);
        KnText text = KN_TEXT_EMPTY, again = KN_TEXT_EMPTY;
        KnMachine *machine;
        KnError error;
        kn_machine_text(kn_player_agent(player)->machine, &text);
        check_ok(error, kn_machine_read_fsm("again", text.data, text.length, &machine, &error));
        kn_machine_text(machine, &again);
        if (i != 3)
            assert_string_equal(text.data, again.data);
        else
            assert_true(
                machine->count <=
                kn_player_agent(player)->machine->count); /* states that nothing reaches are dropped */
        kn_machine_free(machine);
        kn_text_free(&text);
        kn_text_free(&again);
        kn_player_close(player);
    }
}

/* Contrition: a D that was not meant is not avenged, and its own answer to the opponent's revenge is C. */
static void test_noise(void **state)
{
    (void)state;
    check_chance("TitForTat", "DC", "CD", 0);
    check_chance("ContriteTitForTat", "DC", "CD", 1);
    check_chance("ContriteTitForTat", "DCC", "CDD", 0);
    check_chance("ContriteTitForTat", "CC", "CD", 0);
}

static void test_titles(void **state)
{
    (void)state;
    static const char *const titles[][2] = {{"titfortat", "TitForTat"},
                                            {"GOBYMAJORITY(5)", "GoByMajority5"},
                                            {"gobymajority", "GoByMajority"},
                                            {"cycler(CCD)", "CyclerCCD"},
                                            {"memory1(.9,.1, .5,.2)", "memory1(.9, .1, .5, .2)"},
                                            {"random", "random"}};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        KnPlayer *player = test_workbench_player(titles[i][0]);
        KnText text = KN_TEXT_EMPTY;
        kn_player_title(player, &text);
        assert_string_equal(text.data, titles[i][1]);
        kn_text_free(&text);
        kn_player_close(player);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_further_words),
        cmocka_unit_test(test_rules_cover_the_zoo),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_graaskamp),
        cmocka_unit_test(test_learners),
        cmocka_unit_test(test_malformed_tables),
        cmocka_unit_test(test_text_round_trip),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(tests, set_up, test_workbench_close);
}
