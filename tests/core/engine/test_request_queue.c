/* Request queue: payloads are copied, counted until their last holder releases them, and taken in
 * order. */
#include "check.h"
#include "engine/request_queue.h"

#include <errno.h>
#include <string.h>

static struct mcast_event message(const uint8_t *bytes, uint32_t length, uint64_t cookie) {
    return (struct mcast_event){.kind = MCAST_EVENT_SEND,
                                .as.send = {.bytes = bytes, .length = length, .cookie = cookie}};
}

static void requests_are_taken_in_the_order_they_were_added(void) {
    struct udp_requests requests = {0};
    for (uint64_t cookie = 1; cookie <= 5; cookie++) {
        struct mcast_event event = message(NULL, 0, cookie);
        CHECK(udp_requests_add(&requests, &event) == 0);
    }
    CHECK(udp_requests_wait(&requests));
    struct udp_request *request = udp_requests_take(&requests);
    CHECK(!udp_requests_wait(&requests));
    for (uint64_t cookie = 1; cookie <= 5; cookie++) {
        struct udp_request *next = request->next;
        CHECK(request->event.as.send.cookie == cookie);
        udp_request_free(&requests, request);
        request = next;
    }
    CHECK(request == NULL && udp_requests_held(&requests) == 0);
}

static void a_payload_is_copied_and_counted_while_held(void) {
    struct udp_requests requests = {0};
    uint8_t bytes[3] = {1, 2, 3};
    struct mcast_event event = message(bytes, sizeof bytes, 1);
    CHECK(udp_requests_add(&requests, &event) == 0);
    memset(bytes, 9, sizeof bytes);
    struct udp_request *request = udp_requests_take(&requests);
    CHECK(request->event.as.send.bytes[0] == 1 && request->event.as.send.bytes[2] == 3);
    struct mcast_buffer *held = mcast_buffer_hold(request->event.as.send.buffer);
    udp_request_free(&requests, request);
    CHECK(udp_requests_held(&requests) == sizeof bytes + UDP_GIVEN_EACH);
    mcast_buffer_release(held);
    CHECK(udp_requests_held(&requests) == 0);
}

static void the_payload_of_an_answer_is_copied(void) {
    struct udp_requests requests = {0};
    uint8_t byte = 7;
    struct mcast_event event = {.kind = MCAST_EVENT_PAYLOAD,
                                .as.payload = {.bytes = &byte, .length = 1, .cookie = 4}};
    struct mcast_event nothing = {.kind = MCAST_EVENT_PAYLOAD, .as.payload = {.nothing = true}};
    CHECK(udp_requests_add(&requests, &event) == 0);
    CHECK(udp_requests_add(&requests, &nothing) == 0);
    byte = 0;
    struct udp_request *first = udp_requests_take(&requests);
    CHECK(first->event.as.payload.bytes[0] == 7);
    CHECK(first->next->event.as.payload.buffer == NULL);
    udp_request_free(&requests, first->next);
    udp_request_free(&requests, first);
}

static void submitted_bytes_are_bounded(void) {
    static uint8_t bytes[4 * 1024 * 1024];
    struct udp_requests requests = {0};
    struct mcast_event event = message(bytes, sizeof bytes, 1);
    struct mcast_event leave = {.kind = MCAST_EVENT_LEAVE};
    int given = 0;
    while (udp_requests_add(&requests, &event) == 0) {
        given++;
    }
    CHECK(given == 31);
    CHECK(udp_requests_held(&requests) <= UDP_GIVEN_MOST);
    CHECK(udp_requests_add(&requests, &event) == -EAGAIN);
    CHECK(udp_requests_add(&requests, &leave) == 0);
    udp_requests_clear(&requests);
    CHECK(udp_requests_held(&requests) == 0);
    CHECK(udp_requests_add(&requests, &event) == 0);
    udp_requests_clear(&requests);
}

static void waiting_requests_are_bounded_in_number(void) {
    struct udp_requests requests = {0};
    struct mcast_event join = {.kind = MCAST_EVENT_JOIN};
    struct mcast_event leave = {.kind = MCAST_EVENT_LEAVE};
    for (int i = 0; i < UDP_REQUESTS_MOST; i++) {
        CHECK(udp_requests_add(&requests, &join) == 0);
    }
    CHECK(udp_requests_add(&requests, &join) == -EAGAIN);
    for (int i = UDP_REQUESTS_MOST; i < UDP_ANSWERS_MOST; i++) {
        CHECK(udp_requests_add(&requests, &leave) == 0);
    }
    CHECK(udp_requests_add(&requests, &leave) == -EAGAIN);
    udp_requests_clear(&requests);
    CHECK(udp_requests_add(&requests, &leave) == 0);
    udp_requests_clear(&requests);
}

enum { MANY = 5 };

static void a_batch_is_copied_once_and_stays_together(void) {
    struct udp_requests requests = {0};
    uint8_t bytes[] = "abbcccdddd";
    const uint32_t lengths[MANY] = {1, 2, 3, 4, 0};
    CHECK(udp_requests_add_many(&requests, 9, bytes, lengths, MANY, 77, 7) == 0);
    memset(bytes, 'z', sizeof bytes);
    CHECK(udp_requests_held(&requests) == 10 + MANY * UDP_GIVEN_EACH);
    struct udp_request *request = udp_requests_take(&requests);
    const struct mcast_buffer *buffer = request->event.as.send.buffer;
    CHECK(buffer->holders == MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        struct udp_request *next = request->next;
        CHECK(request->event.as.send.group == 9 && request->event.as.send.buffer == buffer);
        CHECK(request->event.as.send.length == lengths[i]);
        CHECK(i == MANY - 1 || request->event.as.send.bytes[0] == 'a' + i);
        CHECK(request->event.as.send.cookie == (i == MANY - 1 ? 7 : 77));
        udp_request_free(&requests, request);
        request = next;
    }
    CHECK(request == NULL && udp_requests_held(&requests) == 0);
}

static void a_batch_that_does_not_fit_is_refused_whole(void) {
    static uint8_t bytes[64 * 1024 * 1024];
    static uint32_t ones[UDP_REQUESTS_MOST + 1];
    struct udp_requests requests = {0};
    const uint32_t large[3] = {16 * 1024 * 1024, 16 * 1024 * 1024, 32 * 1024 * 1024 - 8192};
    CHECK(udp_requests_add_many(&requests, 0, bytes, large, 3, 0, 1) == 0);
    CHECK(udp_requests_add_many(&requests, 0, bytes, large, 3, 0, 2) == 0);
    size_t held = udp_requests_held(&requests);
    CHECK(udp_requests_add_many(&requests, 0, bytes, large, 3, 0, 3) == -EAGAIN);
    CHECK(udp_requests_held(&requests) == held);
    udp_requests_clear(&requests);
    CHECK(udp_requests_add_many(&requests, 0, bytes, ones, UDP_REQUESTS_MOST + 1, 0, 4) == -EAGAIN);
    CHECK(udp_requests_add_many(&requests, 0, bytes, ones, 0, 0, 5) == 0);
    CHECK(!udp_requests_wait(&requests) && udp_requests_held(&requests) == 0);
    CHECK(atomic_load(&requests.count) == 0);
}

int main(void) {
    RUN(requests_are_taken_in_the_order_they_were_added);
    RUN(a_payload_is_copied_and_counted_while_held);
    RUN(the_payload_of_an_answer_is_copied);
    RUN(submitted_bytes_are_bounded);
    RUN(waiting_requests_are_bounded_in_number);
    RUN(a_batch_is_copied_once_and_stays_together);
    RUN(a_batch_that_does_not_fit_is_refused_whole);
    return 0;
}
