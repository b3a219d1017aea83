/* Whole messages over a stream, however the bytes arrive. */
#include "check.h"
#include "service_connection/framed_stream.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
    struct udp_stream here;
    struct udp_stream there;
};

static void begin(struct pair *pair) {
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    udp_stream_init(&pair->here, fds[0], false);
    udp_stream_init(&pair->there, fds[1], false);
}

static void finish(struct pair *pair) {
    udp_stream_close(&pair->here);
    udp_stream_close(&pair->there);
    udp_stream_close(&pair->here);
}

static void messages_arrive_whole_and_in_order(void) {
    struct pair pair;
    size_t length = 0;
    begin(&pair);
    CHECK(udp_stream_next(&pair.there, &length) == NULL);
    CHECK(udp_stream_send(&pair.here, (const uint8_t *)"one", 3) == 0);
    CHECK(udp_stream_send(&pair.here, NULL, 0) == 0);
    CHECK(udp_stream_send(&pair.here, (const uint8_t *)"three", 5) == 0);
    CHECK(udp_stream_flush(&pair.here) == 0 && !udp_stream_waits(&pair.here));
    CHECK(udp_stream_fill(&pair.there) == 0);
    CHECK(memcmp(udp_stream_next(&pair.there, &length), "one", 3) == 0 && length == 3);
    CHECK(udp_stream_next(&pair.there, &length) != NULL && length == 0);
    CHECK(memcmp(udp_stream_next(&pair.there, &length), "three", 5) == 0 && length == 5);
    CHECK(udp_stream_next(&pair.there, &length) == NULL);
    finish(&pair);
}

static void a_message_in_pieces_waits_for_its_end(void) {
    struct pair pair;
    const uint8_t bytes[] = {5, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'};
    size_t length = 0;
    begin(&pair);
    for (size_t i = 0; i < sizeof bytes; i++) {
        CHECK(udp_stream_next(&pair.there, &length) == NULL);
        CHECK(send(pair.here.fd, bytes + i, 1, 0) == 1);
        CHECK(udp_stream_fill(&pair.there) == 0);
    }
    CHECK(memcmp(udp_stream_next(&pair.there, &length), "hello", 5) == 0);
    finish(&pair);
}

static void a_large_message_passes_through_a_small_pipe(void) {
    enum { LENGTH = 3 * 1024 * 1024 };
    struct pair pair;
    uint8_t *bytes = malloc(LENGTH);
    const uint8_t *got = NULL;
    size_t length = 0;
    CHECK(bytes != NULL);
    for (size_t i = 0; i < LENGTH; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    }
    begin(&pair);
    CHECK(udp_stream_send(&pair.here, bytes, LENGTH) == 0);
    for (int turn = 0; turn < 100000 && got == NULL; turn++) {
        CHECK(udp_stream_flush(&pair.here) == 0);
        CHECK(udp_stream_fill(&pair.there) == 0);
        got = udp_stream_next(&pair.there, &length);
    }
    CHECK(got != NULL && length == LENGTH && memcmp(got, bytes, LENGTH) == 0);
    free(bytes);
    finish(&pair);
}

static void a_too_long_message_ends_the_stream(void) {
    struct pair pair;
    const uint8_t bytes[] = {1, 0, 0, 1, 'x'};
    size_t length = 0;
    begin(&pair);
    CHECK(send(pair.here.fd, bytes, sizeof bytes, 0) == sizeof bytes);
    CHECK(udp_stream_fill(&pair.there) == -EPROTO);
    CHECK(udp_stream_next(&pair.there, &length) == NULL);
    CHECK(udp_stream_send(&pair.here, bytes, (size_t)UDP_STREAM_MESSAGE_MAX + 1) == -EMSGSIZE);
    finish(&pair);
}

static void a_peer_that_does_not_read_is_noticed(void) {
    enum { LENGTH = 8 * 1024 * 1024 };
    struct pair pair;
    uint8_t *bytes = calloc(1, LENGTH);
    CHECK(bytes != NULL);
    begin(&pair);
    int code = 0;
    for (int turn = 0; turn < 20 && code == 0; turn++) {
        code = udp_stream_send(&pair.here, bytes, LENGTH);
        CHECK(udp_stream_flush(&pair.here) == 0);
    }
    CHECK(code == -ENOBUFS && udp_stream_waits(&pair.here));
    free(bytes);
    finish(&pair);
}

static void messages_before_the_end_can_be_read(void) {
    struct pair pair;
    size_t length = 0;
    begin(&pair);
    CHECK(udp_stream_send(&pair.here, (const uint8_t *)"last", 4) == 0);
    CHECK(udp_stream_flush(&pair.here) == 0);
    udp_stream_close(&pair.here);
    CHECK(udp_stream_fill(&pair.there) == 0);
    CHECK(udp_stream_fill(&pair.there) == -EPIPE);
    CHECK(memcmp(udp_stream_next(&pair.there, &length), "last", 4) == 0);
    CHECK(udp_stream_send(&pair.there, (const uint8_t *)"x", 1) == 0);
    CHECK(udp_stream_flush(&pair.there) == -EPIPE);
    finish(&pair);
}

int main(void) {
    RUN(messages_arrive_whole_and_in_order);
    RUN(a_message_in_pieces_waits_for_its_end);
    RUN(a_large_message_passes_through_a_small_pipe);
    RUN(a_too_long_message_ends_the_stream);
    RUN(a_peer_that_does_not_read_is_noticed);
    RUN(messages_before_the_end_can_be_read);
    return 0;
}
