/* Delays are kept, the greater over the less; a socket tells since when it is silent. */
#include "support/check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "protocols/latency.h"

static void test_delays(void **state)
{
    (void)state;
    KnDelay delay;
    kn_delay_init(&delay);
    assert_true(kn_delay(&delay) == 0);
    kn_delay_note(&delay, 0.2);
    kn_delay_note(&delay, 0.05);
    double kept = kn_delay(&delay);
    assert_true(kept <= 0.2 && kept > 0.1); /* half of it after half a minute */
    kn_delay_note(&delay, 0.4);
    assert_true(kn_delay(&delay) > kept);
    delay.at -= 60; /* a minute later */
    assert_true(kn_delay(&delay) <= 0.1 && kn_delay(&delay) > 0.05);
    kn_delay_note(&delay, 0.15); /* more than what is left of .4 */
    assert_true(kn_delay(&delay) > 0.1);
    kn_delay_free(&delay);
}

static void test_silence(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0), out = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(door, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(door, 1), 0);
    assert_int_equal(getsockname(door, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(connect(out, (struct sockaddr *)&address, sizeof address), 0);
    double before = kn_clock_now();
    assert_int_equal(send(out, "x", 1, MSG_NOSIGNAL), 1);
    int in = accept(door, NULL, NULL); /* after the byte was sent */
    struct pollfd file = {.fd = in, .events = POLLIN};
    assert_int_equal(poll(&file, 1, 60000), 1);
    poll(NULL, 0, 60); /* time goes by */
    double silence = kn_socket_silence(in), since = kn_clock_now() - before;
    assert_true(silence > 0.02 && silence < since + 0.02); /* read or not; the kernel's clock is coarse */
    close(in);
    close(out);
    close(door);
    assert_true(kn_socket_silence(-1) == 0);
    kn_thread_prompt(); /* whatever the kernel says to it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_delays), cmocka_unit_test(test_silence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
