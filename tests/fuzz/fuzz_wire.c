/* HTTP messages: the first byte says how they come in pieces, and whether they are requests. However they are
 * cut, the outcome is the same. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "protocols/http_message.h"

enum { LIMIT = 4096 };

static KnStatus feed(KnHttpMessage *wire, const uint8_t *bytes, size_t size, size_t piece, KnError *error)
{
    KnStatus status = KN_OK;
    for (size_t at = 0; at < size && status == KN_OK && !wire->whole; at += piece)
        status = kn_http_message_feed(wire, bytes + at, size - at < piece ? size - at : piece, error);
    return status == KN_OK ? kn_http_message_end(wire, error) : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size) return 0;
    KnHttpMessageKind kind = bytes[0] & 1 ? KN_HTTP_RESPONSE : KN_HTTP_REQUEST;
    KnHttpMessage once = kn_http_message(kind, LIMIT), twice = kn_http_message(kind, LIMIT);
    KnError error;
    KnStatus first = feed(&once, bytes + 1, size - 1, size, &error);
    fuzz_must(first == KN_OK || error.text[0]);
    KnStatus second = feed(&twice, bytes + 1, size - 1, (size_t)(bytes[0] >> 1) + 1, &error);
    fuzz_must(first == second && once.whole == twice.whole && once.body.length <= LIMIT &&
              once.head.length <= KN_HTTP_HEAD + 1);
    if (first == KN_OK) {
        char value[32];
        fuzz_must(once.has_head && once.body.length == twice.body.length &&
                  memcmp(once.body.data, twice.body.data, once.body.length) == 0);
        kn_http_message_header(&once, "Content-Type", value, sizeof value);
        fuzz_must(strlen(value) < sizeof value);
    }
    kn_http_message_free(&once);
    kn_http_message_free(&twice);
    return 0;
}
