#include "engine/request_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct payload {
    struct mcast_buffer buffer;
    size_t charge;
    uint8_t bytes[];
};

static void end(struct mcast_buffer *buffer) {
    struct payload *payload = (struct payload *)(void *)buffer;
    struct udp_requests *requests = buffer->owner;
    atomic_fetch_sub(&requests->given, payload->charge);
    free(payload);
}

static struct mcast_buffer *copy_payload(struct udp_requests *requests, const uint8_t *bytes,
                                         uint32_t length) {
    struct payload *payload = malloc(sizeof *payload + length);
    if (payload == NULL) {
        return NULL;
    }
    if (length > 0) {
        memcpy(payload->bytes, bytes, length);
    }
    payload->charge = (size_t)length + UDP_GIVEN_EACH;
    payload->buffer = (struct mcast_buffer){
        .holders = 1, .size = length, .bytes = payload->bytes, .owner = requests, .end = end};
    atomic_fetch_add(&requests->given, payload->charge);
    return &payload->buffer;
}

/* Find the payload of an event. Return false if it has none. */
static bool find_payload(struct mcast_event *event, struct mcast_buffer ***buffer,
                         const uint8_t ***bytes, uint32_t *length) {
    if (event->kind == MCAST_EVENT_SEND && !event->as.send.pull) {
        *buffer = &event->as.send.buffer;
        *bytes = &event->as.send.bytes;
        *length = event->as.send.length;
        return true;
    }
    if (event->kind == MCAST_EVENT_PAYLOAD && !event->as.payload.nothing) {
        *buffer = &event->as.payload.buffer;
        *bytes = &event->as.payload.bytes;
        *length = event->as.payload.length;
        return true;
    }
    return false;
}

static struct udp_request *copy(struct udp_requests *requests, const struct mcast_event *event) {
    struct udp_request *request = calloc(1, sizeof *request);
    struct mcast_buffer **buffer = NULL;
    const uint8_t **bytes = NULL;
    uint32_t length = 0;
    if (request == NULL) {
        return NULL;
    }
    request->event = *event;
    if (find_payload(&request->event, &buffer, &bytes, &length)) {
        *buffer = copy_payload(requests, *bytes, length);
        if (*buffer == NULL) {
            free(request);
            return NULL;
        }
        *bytes = (*buffer)->bytes;
    }
    return request;
}

/* One message is always accepted, however long, if nothing else is held. */
static bool has_room(struct udp_requests *requests, const struct mcast_event *event) {
    size_t given = atomic_load(&requests->given);
    return event->kind != MCAST_EVENT_SEND || given == 0 ||
           given + event->as.send.length + UDP_GIVEN_EACH <= UDP_GIVEN_MOST;
}

static int most_of(const struct mcast_event *event) {
    switch (event->kind) {
    case MCAST_EVENT_PAYLOAD:
    case MCAST_EVENT_CONSUMED:
    case MCAST_EVENT_MEMBERS:
    case MCAST_EVENT_LEAVE:
    case MCAST_EVENT_STOP:
    case MCAST_EVENT_REJOIN:
        return UDP_ANSWERS_MOST;
    default:
        return UDP_REQUESTS_MOST;
    }
}

/* Push a chain of requests onto the stack in one step, so that nothing comes in between. */
static void push(struct udp_requests *requests, struct udp_request *newest,
                 struct udp_request *oldest) {
    oldest->next = atomic_load(&requests->newest);
    while (!atomic_compare_exchange_weak(&requests->newest, &oldest->next, newest)) {
    }
}

int udp_requests_add(struct udp_requests *requests, const struct mcast_event *event) {
    if (!has_room(requests, event)) {
        return -EAGAIN;
    }
    if (atomic_fetch_add(&requests->count, 1) >= most_of(event)) {
        atomic_fetch_sub(&requests->count, 1);
        return -EAGAIN;
    }
    struct udp_request *request = copy(requests, event);
    if (request == NULL) {
        atomic_fetch_sub(&requests->count, 1);
        return -ENOMEM;
    }
    push(requests, request, request);
    return 0;
}

/* --- batches -------------------------------------------------------------------------------
 */

static void free_chain(struct udp_request *newest) {
    while (newest != NULL) {
        struct udp_request *next = newest->next;
        free(newest);
        newest = next;
    }
}

/* Make requests for all messages, linked like the stack. Return NULL without memory. */
static struct udp_request *chain(uint32_t group, const uint32_t *lengths, size_t count,
                                 struct udp_request **oldest) {
    struct udp_request *newest = NULL;
    for (size_t i = 0; i < count; i++) {
        struct udp_request *request = calloc(1, sizeof *request);
        if (request == NULL) {
            free_chain(newest);
            return NULL;
        }
        request->event = (struct mcast_event){.kind = MCAST_EVENT_SEND,
                                              .as.send = {.group = group, .length = lengths[i]}};
        request->next = newest;
        *oldest = i == 0 ? request : *oldest;
        newest = request;
    }
    return newest;
}

/* Assign the payloads to the requests, from the last to the first. */
static void share(struct udp_request *newest, size_t count, struct mcast_buffer *buffer,
                  uint64_t quiet, uint64_t cookie) {
    const uint8_t *end = buffer->bytes + buffer->size;
    buffer->holders = (uint32_t)count;
    for (struct udp_request *request = newest; count > 0; count--, request = request->next) {
        end -= request->event.as.send.length;
        request->event.as.send.bytes = end;
        request->event.as.send.buffer = buffer;
        request->event.as.send.cookie = request == newest ? cookie : quiet;
    }
}

static bool may_add(struct udp_requests *requests, uint64_t length, size_t count) {
    size_t given = atomic_load(&requests->given);
    uint64_t charge = length + count * (uint64_t)UDP_GIVEN_EACH;
    if (given + charge > UDP_GIVEN_MOST) {
        return false;
    }
    if ((size_t)atomic_fetch_add(&requests->count, (int)count) + count > UDP_REQUESTS_MOST) {
        atomic_fetch_sub(&requests->count, (int)count);
        return false;
    }
    return true;
}

int udp_requests_add_many(struct udp_requests *requests, uint32_t group, const uint8_t *bytes,
                          const uint32_t *lengths, size_t count, uint64_t quiet, uint64_t cookie) {
    uint64_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += lengths[i];
    }
    if (count == 0 || count > UDP_REQUESTS_MOST || length > UDP_GIVEN_MOST ||
        !may_add(requests, length, count)) {
        return count == 0 ? 0 : -EAGAIN;
    }
    struct udp_request *oldest = NULL;
    struct mcast_buffer *buffer = copy_payload(requests, bytes, (uint32_t)length);
    struct udp_request *newest = buffer == NULL ? NULL : chain(group, lengths, count, &oldest);
    if (newest == NULL) {
        mcast_buffer_release(buffer);
        atomic_fetch_sub(&requests->count, (int)count);
        return -ENOMEM;
    }
    size_t more = (count - 1) * (size_t)UDP_GIVEN_EACH;
    ((struct payload *)(void *)buffer)->charge += more;
    atomic_fetch_add(&requests->given, more);
    share(newest, count, buffer, quiet, cookie);
    push(requests, newest, oldest);
    return 0;
}

bool udp_requests_wait(struct udp_requests *requests) {
    return atomic_load(&requests->newest) != NULL;
}

struct udp_request *udp_requests_take(struct udp_requests *requests) {
    struct udp_request *newest = atomic_exchange(&requests->newest, NULL);
    struct udp_request *oldest = NULL;
    while (newest != NULL) {
        struct udp_request *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

void udp_request_free(struct udp_requests *requests, struct udp_request *request) {
    struct mcast_buffer **buffer = NULL;
    const uint8_t **bytes = NULL;
    uint32_t length = 0;
    if (find_payload(&request->event, &buffer, &bytes, &length)) {
        mcast_buffer_release(*buffer);
    }
    atomic_fetch_sub(&requests->count, 1);
    free(request);
}

void udp_requests_clear(struct udp_requests *requests) {
    struct udp_request *request = udp_requests_take(requests);
    while (request != NULL) {
        struct udp_request *next = request->next;
        udp_request_free(requests, request);
        request = next;
    }
}

size_t udp_requests_held(struct udp_requests *requests) {
    return atomic_load(&requests->given);
}
