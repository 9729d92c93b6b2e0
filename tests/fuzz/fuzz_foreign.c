/* Answers of other people's programs. The input is all that an engine says, whatever it is asked: GTP (Go and
 * Othello), NBoard, the pipe protocol, and the answer of a player of general game playing to its manager. The
 * first byte chooses. Whatever the bytes, a question ends with a move that is allowed, or with a message and
 * the status of misconduct (KN_FORFEIT, or KN_INPUT before the first game), never with one of our own
 * failures. */
#include "fuzz/dialogue.h"

#include <pthread.h>
#include <sys/socket.h>

#include "protocols/ggp_client.h"
#include "protocols/ggp_message.h"
#include "protocols/registry.h"

/* ---- engines ---- */

static KnGame *game_of(char kind)
{
    static KnGame *games[3];
    static const char *const specs[] = {"go(size=5)", "othello(size=4)", "tictactoe"};
    int which = kind == 'g' ? 0 : kind == 'p' ? 2 : 1;
    KnError error;
    if (!games[0]) {
        fuzz_must(kn_protocols_register(fuzz_context(), &error) == KN_OK);
        for (int i = 0; i < 3; i++)
            fuzz_must(kn_game_open(fuzz_context(), specs[i], &games[i], &error) == KN_OK);
    }
    return games[which];
}

/* The engine says it all, listens for a moment more, so that it can be asked, and ends. Two questions in one
 * game, so that what is left over meets the second. */
static void ask_engine(char kind, int file)
{
    const KnGame *game = game_of(kind);
    char spec[256];
    snprintf(spec, sizeof spec, "%s(\"cat /proc/%d/fd/%d; sleep .01\", patience=2)",
             kind == 'n'   ? "nboard"
             : kind == 'p' ? "pipe"
                           : "gtp",
             (int)getpid(), file);
    KnPlayer *player;
    KnError error = {KN_OK, ""};
    fuzz_must(kn_player_open(fuzz_context(), game, spec, &player, &error) == KN_OK);
    KnState *state = kn_state_new(game);
    KnArena *arena = kn_arena_new();
    fuzz_must(state && arena);
    for (int turn = 0; turn < 2; turn++) {
        int role = game->type->mover(game, kn_state_position(state));
        KnAnswer answer;
        KnAsk ask = {.wants = KN_WANT_EXPLANATION, .arena = arena};
        KnStatus status = kn_player_ask(player, state, role, &ask, &answer, &error);
        if (status != KN_OK) {
            fuzz_must((status == KN_FORFEIT || status == KN_RESIGNS || status == KN_INPUT) && error.text[0]);
            break;
        }
        fuzz_must(kn_state_play(state, answer.move, &error) == KN_OK);
    }
    kn_player_close(player);
    kn_state_free(state);
    kn_arena_free(arena);
}

/* ---- a player of general game playing ---- */

typedef struct Answer {
    int listener;
    const uint8_t *bytes;
    size_t size;
} Answer;

/* Takes one connection, says everything, and hangs up when the other side does or has had it. */
static void *serve(void *user)
{
    const Answer *answer = user;
    char heard[4096];
    int fd = accept(answer->listener, NULL, NULL);
    if (fd < 0) return NULL;
    if (recv(fd, heard, sizeof heard, 0) > 0)
        for (size_t sent = 0; sent < answer->size;) {
            ssize_t put = send(fd, answer->bytes + sent, answer->size - sent, MSG_NOSIGNAL);
            if (put <= 0) break;
            sent += (size_t)put;
        }
    shutdown(fd, SHUT_WR);
    while (recv(fd, heard, sizeof heard, 0) > 0) {
    }
    close(fd);
    return NULL;
}

static void ask_player(const uint8_t *bytes, size_t size)
{
    static const char question[] = "(PLAY m NIL)";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    Answer answer = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), bytes, size};
    pthread_t thread;
    if (answer.listener < 0 || bind(answer.listener, (struct sockaddr *)&address, length) != 0 ||
        listen(answer.listener, 1) != 0 ||
        getsockname(answer.listener, (struct sockaddr *)&address, &length) != 0)
        return;
    fuzz_must(pthread_create(&thread, NULL, serve, &answer) == 0);
    KnGgpPeer peer = {.name = "fuzzer", .length = length};
    memcpy(&peer.address, &address, length);
    KnText reply = KN_TEXT_EMPTY, plain = KN_TEXT_EMPTY;
    KnError error = {KN_OK, ""};
    KnStatus status = kn_ggp_tell(&peer, question, sizeof question - 1, 2, &reply, NULL, &error);
    fuzz_must(status == KN_OK || error.text[0]);
    if (status == KN_OK) kn_piece_plain((KnPiece){reply.data, reply.length}, &plain);
    pthread_join(thread, NULL);
    close(answer.listener);
    kn_text_free(&reply);
    kn_text_free(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2 || size > 1 << 17) return 0;
    if (bytes[0] == 'x') {
        ask_player(bytes + 1, size - 1);
        return 0;
    }
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    static int inputs; /* each costs a process: the replay of the seeds takes some of them */
    if (inputs++ % 8) return 0;
#endif
    int file = fuzz_file(bytes + 1, size - 1);
    if (file < 0) return 0;
    ask_engine((char)bytes[0], file);
    close(file);
    return 0;
}
