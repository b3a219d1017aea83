/* Request queue: the submissions of the application's threads, until the engine serves them.
 *
 * Any thread adds, without a lock; one at a time takes. Payloads are copied into reference-counted
 * buffers, so the bound covers everything that the application submitted and that still takes
 * memory: waiting here, waiting to be sent, or waiting for an acknowledgement. */
#ifndef DRIVER_ENGINE_REQUEST_QUEUE_H
#define DRIVER_ENGINE_REQUEST_QUEUE_H

#include "mcast/event.h"

#include <stdatomic.h>

enum {
    UDP_REQUESTS_MOST = 65536,    /* requests that may wait here */
    UDP_ANSWERS_MOST = 4 * 65536, /* the same for answers to the engine and requests that end
                                   * something */
    UDP_GIVEN_MOST = 128 * 1024 * 1024,
    UDP_GIVEN_EACH = 2048, /* charged for a message beside its bytes: so at most 65536 fit */
};

struct udp_request {
    struct udp_request *next;
    struct mcast_event event; /* its payload, if any, is held */
};

struct udp_requests {
    _Atomic(struct udp_request *) newest; /* a stack */
    atomic_int count;
    atomic_size_t given;
};

/* Add a copy of @event. Return 0, -ENOMEM, or -EAGAIN if too much was submitted already. Answers to
 * the engine and requests that end something are refused only for their count, and late: the engine
 * waits for them, and asks for no more answers than its inbox holds. */
int udp_requests_add(struct udp_requests *requests, const struct mcast_event *event);

/* Add @count messages to @group, whose payloads are contiguous at @bytes and are copied once; all
 * of them or none. The last has @cookie, the others @quiet. Return as udp_requests_add does. */
int udp_requests_add_many(struct udp_requests *requests, uint32_t group, const uint8_t *bytes,
                          const uint32_t *lengths, size_t count, uint64_t quiet, uint64_t cookie);

/* True if a request waits. */
bool udp_requests_wait(struct udp_requests *requests);

/* Take all requests, the oldest first; the caller frees each. */
struct udp_request *udp_requests_take(struct udp_requests *requests);
void udp_request_free(struct udp_requests *requests, struct udp_request *request);

/* Free all waiting requests. */
void udp_requests_clear(struct udp_requests *requests);

/* The bytes submitted and still held, including the charge for each message. */
size_t udp_requests_held(struct udp_requests *requests);

#endif
