/* Requests: what the application's threads submit, until the engine serves it.
 *
 * Any thread adds, without a lock; one at a time takes. Payloads are copied into buffers that are
 * counted until their last holder lets go: so the bound is one of all that the application gave and
 * that still takes memory, whether it waits here, for its turn to leave, or to be acknowledged. */
#ifndef MCAST_UDP_REQUEST_H
#define MCAST_UDP_REQUEST_H

#include "mcast/event.h"

#include <stdatomic.h>

enum {
    UDP_REQUESTS_MOST = 65536,    /* is how many may wait here */
    UDP_ANSWERS_MOST = 4 * 65536, /* … when what comes answers the engine, or ends something */
    UDP_GIVEN_MOST = 128 * 1024 * 1024,
    UDP_GIVEN_EACH = 2048, /* is charged for a message beside its bytes: so at most 65536 fit */
};

struct udp_request {
    struct udp_request *next;
    struct mcast_event event; /* its payload, if any, is held */
};

struct udp_requests {
    _Atomic(struct udp_request *) newest; /* is a stack */
    atomic_int count;
    atomic_size_t given;
};

/* Adds a copy of @event. Returns 0, -ENOMEM, or -EAGAIN when too much was given already; what
 * answers the engine or ends something is refused for its number alone, and late: the engine waits
 * for it, and hands out no more of what is to be answered than its inbox holds. */
int udp_requests_add(struct udp_requests *requests, const struct mcast_event *event);

/* Adds @count messages to @group, whose payloads lie side by side at @bytes and are copied once;
 * all of them or none. The last has @cookie, the others @quiet. Returns as udp_requests_add does.
 */
int udp_requests_add_many(struct udp_requests *requests, uint32_t group, const uint8_t *bytes,
                          const uint32_t *lengths, size_t count, uint64_t quiet, uint64_t cookie);

/* Whether something waits. */
bool udp_requests_wait(struct udp_requests *requests);

/* Takes all, the oldest first; each is to be freed. */
struct udp_request *udp_requests_take(struct udp_requests *requests);
void udp_request_free(struct udp_requests *requests, struct udp_request *request);

/* Frees all that wait. */
void udp_requests_clear(struct udp_requests *requests);

/* How much was given and is held still, in bytes, the charge for each included. */
size_t udp_requests_held(struct udp_requests *requests);

#endif
