/* HTTP messages in pieces of every size, in every framing, and what is none. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "protocols/http_message.h"

/* Feeds a text in pieces of a size, then (if still wanted) its end. */
static KnStatus feed(KnHttpMessage *wire, KnHttpMessageKind kind, const char *text, size_t piece,
                     KnError *error)
{
    *wire = kn_http_message(kind, 1000);
    size_t length = strlen(text);
    for (size_t at = 0; at < length && !wire->whole; at += piece) {
        KnStatus status = kn_http_message_feed(wire, text + at, length - at < piece ? length - at : piece,
                                               error);
        if (status != KN_OK) return status;
    }
    return kn_http_message_end(wire, error);
}

static void check_body(KnHttpMessageKind kind, const char *text, const char *body)
{
    for (size_t piece = 1; piece <= strlen(text); piece += piece < 4 ? 1 : 7) {
        KnHttpMessage wire;
        KnError error;
        if (feed(&wire, kind, text, piece, &error) != KN_OK) fail_msg("%s: %s", text, error.text);
        assert_true(wire.whole);
        assert_string_equal(wire.body.data, body);
        kn_http_message_free(&wire);
    }
}

static void test_bodies(void **state)
{
    (void)state;
    check_body(KN_HTTP_REQUEST, "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )", "( INFO )");
    check_body(KN_HTTP_REQUEST, "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO ) and more", "( INFO )");
    check_body(KN_HTTP_REQUEST, "POST / HTTP/1.1\ncontent-length:8  \n\n( INFO )", "( INFO )");
    check_body(KN_HTTP_REQUEST, "\r\n\r\nPOST /a/b?c HTTP/1.1\r\nCONTENT-LENGTH: 0\r\n\r\n", "");
    check_body(KN_HTTP_REQUEST, "POST / HTTP/1.0\r\n\r\n( INFO )", "( INFO )");
    check_body(KN_HTTP_REQUEST, "GET / HTTP/1.0\r\n\r\n", "");
    check_body(KN_HTTP_REQUEST,
               "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( IN\r\n4;x=y\r\nFO )\r\n0\r\n\r\n",
               "( INFO )");
    check_body(KN_HTTP_REQUEST,
               "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\nA\n0123456789\n0\nTrailer: x\n\n",
               "0123456789");
    check_body(KN_HTTP_RESPONSE, "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nready", "ready");
    check_body(KN_HTTP_RESPONSE, "HTTP/1.1 200 OK\r\n\r\nready", "ready");
}

static void test_head(void **state)
{
    (void)state;
    KnHttpMessage wire;
    KnError error;
    char value[16];
    check_ok(
        error,
        feed(&wire, KN_HTTP_REQUEST,
             "POST / HTTP/1.1\r\nHost: a b \r\nX:\r\nLong: 0123456789abcdefgh\r\nContent-Length: 0\r\n\r\n",
             3, &error));
    assert_string_equal(wire.method, "POST");
    assert_int_equal(wire.minor, 1);
    assert_true(kn_http_message_header(&wire, "host", value, sizeof value));
    assert_string_equal(value, "a b");
    assert_true(kn_http_message_header(&wire, "X", value, sizeof value));
    assert_string_equal(value, "");
    assert_true(kn_http_message_header(&wire, "Long", value, sizeof value));
    assert_string_equal(value, "0123456789abcde");
    assert_false(kn_http_message_header(&wire, "POST / HTTP/1.1", value, sizeof value));
    assert_false(kn_http_message_header(&wire, "Absent", value, sizeof value));
    kn_http_message_free(&wire);
    check_ok(error, feed(&wire, KN_HTTP_RESPONSE, "HTTP/1.0 404 No\r\nContent-Length: 0\r\n\r\n", 5, &error));
    assert_int_equal(wire.status, 404);
    assert_int_equal(wire.minor, 0);
    kn_http_message_free(&wire);
}

static void check_bad(KnHttpMessageKind kind, const char *text, const char *part)
{
    for (size_t piece = 1; piece <= 64; piece += 21) {
        KnHttpMessage wire;
        KnError error;
        check_fails(error, KN_INPUT, part, feed(&wire, kind, text, piece, &error));
        kn_http_message_free(&wire);
    }
}

static void test_bad(void **state)
{
    (void)state;
    check_bad(KN_HTTP_REQUEST, "", "cut short");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.0\r\nContent-Le", "cut short");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n( INFO )", "cut short");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( IN", "cut short");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( INFO )\r\n",
              "longer than it says");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no number");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
              "longer than");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "transfer encoding");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n",
              "longer than the 1000 bytes");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
              "longer than");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "no number");
    check_bad(KN_HTTP_REQUEST, "hello\r\n\r\n", "method and a path");
    check_bad(KN_HTTP_REQUEST, "POST /\r\n\r\n", "HTTP/1.0 or HTTP/1.1");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/2.0\r\n\r\n", "HTTP/1.0 or HTTP/1.1");
    check_bad(KN_HTTP_RESPONSE, "( INFO )\r\n\r\n", "response");

    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, "POST / HTTP/1.0\r\n");
    for (int i = 0; i < 5000; i++) kn_text_printf(&text, "X-%d: something\r\n", i);
    check_bad(KN_HTTP_REQUEST, text.data, "64 KiB");
    kn_text_clear(&text);
    kn_text_add(&text, "POST / HTTP/1.0\r\n\r\n");
    for (int i = 0; i < 1001; i++) kn_text_add_char(&text, '(');
    check_bad(KN_HTTP_REQUEST, text.data, "longer than the 1000 bytes");
    kn_text_free(&text);

    KnHttpMessage wire = kn_http_message(KN_HTTP_REQUEST, 10);
    KnError error;
    check_fails(error, KN_INPUT, "zero byte", kn_http_message_feed(&wire, "POST\0", 5, &error));
    kn_http_message_free(&wire);
}

/* `count` letters, then the rest. */
static char *letters(const char *before, size_t count, const char *after)
{
    KnText text = KN_TEXT_EMPTY;
    kn_text_add(&text, before);
    for (size_t i = 0; i < count; i++) kn_text_add_char(&text, 'A');
    kn_text_add(&text, after);
    return kn_text_take(&text);
}

/* A message with so many letters in it is taken, or refused with these words. */
static void check_length(KnHttpMessageKind kind, const char *before, size_t count, const char *after,
                         const char *refused)
{
    KnHttpMessage wire;
    KnError error;
    char *text = letters(before, count, after);
    if (refused)
        check_fails(error, KN_INPUT, refused, feed(&wire, kind, text, 700, &error));
    else
        check_ok(error, feed(&wire, kind, text, 700, &error));
    kn_http_message_free(&wire);
    kn_free(text);
}

/* Every bound at its last good and its first bad value. */
static void test_bounds(void **state)
{
    (void)state;
    static const char chunked[] = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    char text[200];
    check_length(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n", 1000, "", NULL);
    check_length(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\n\r\n", 1000, "", NULL);
    check_length(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\n\r\n", 1001, "", "longer than");
    check_length(KN_HTTP_REQUEST, "PUT / HTTP/1.1\r\n\r\n", 1000, "", NULL);
    check_body(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 000000000002\r\n\r\nab", "ab");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 0000000000002\r\n\r\nab", "longer than");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length: 2x\r\n\r\nab", "no number");
    check_bad(KN_HTTP_REQUEST, "POST / HTTP/1.1\r\nContent-Length:\r\n\r\nab", "no number");

    snprintf(text, sizeof text, "%s3e8\r\n", chunked);
    check_length(KN_HTTP_REQUEST, text, 1000, "\r\n0\r\n\r\n", NULL);
    check_length(KN_HTTP_REQUEST, text, 1000, "\r\n1\r\nx\r\n0\r\n\r\n", "longer than");
    snprintf(text, sizeof text, "%s3e9\r\n", chunked);
    check_length(KN_HTTP_REQUEST, text, 1001, "\r\n0\r\n\r\n", "longer than");
    snprintf(text, sizeof text, "%s0000000002\r\nab\r\n0\r\n\r\n", chunked);
    check_body(KN_HTTP_REQUEST, text, "ab");
    snprintf(text, sizeof text, "%s00000000002\r\nab\r\n0\r\n\r\n", chunked);
    check_bad(KN_HTTP_REQUEST, text, "longer than");
    snprintf(text, sizeof text, "%s0\r\n", chunked);
    check_length(KN_HTTP_REQUEST, text, 4096, "\r\n\r\n", NULL);
    check_length(KN_HTTP_REQUEST, text, 4097, "\r\n\r\n", "chunks make no sense");

    KnHttpMessage wire;
    size_t method = sizeof wire.method - 1;
    check_length(KN_HTTP_REQUEST, "", method, " / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", NULL);
    check_length(KN_HTTP_REQUEST, "", method + 1, " / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "a method");
    check_bad(KN_HTTP_REQUEST, "P0ST / HTTP/1.1\r\n\r\n", "a method and a path");
    check_bad(KN_HTTP_REQUEST, " / HTTP/1.1\r\n\r\n", "a method and a path");
    check_bad(KN_HTTP_REQUEST, "GET / HTTP/1.x\r\n\r\n", "HTTP/1.0 or HTTP/1.1");
    check_body(KN_HTTP_REQUEST, "A HTTP/1.1\r\n\r\n", "");

    static const char first[] = "GET / HTTP/1.1\r\nX: ", last[] = "\r\n\r\n";
    size_t most = KN_HTTP_HEAD - strlen(first) - strlen(last);
    check_length(KN_HTTP_REQUEST, first, most, last, NULL);
    check_length(KN_HTTP_REQUEST, first, most + 1, last, "64 KiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
