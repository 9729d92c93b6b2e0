/* A person. The caller (the terminal, the page) sees KN_PLAYER_ASKS and asks the person for moves. */
#include "players/registry.h"

static KnStatus open(KnPlayer *player, const KnOptions *options, KnError *error)
{
    (void)options, (void)error;
    player->traits = KN_PLAYER_ASKS;
    return KN_OK;
}

static KnStatus choose(KnPlayer *player, const KnRequest *request, KnAnswer *answer, KnError *error)
{
    (void)player, (void)request, (void)answer;
    return kn_fail(error, KN_USAGE, "a human can play only where there is somebody to ask: try `knack play`");
}

const KnPlayerType kn_player_human = {
    .head = {"human", "a person, in the terminal or on the page", NULL},
    .open = open,
    .choose = choose,
};
