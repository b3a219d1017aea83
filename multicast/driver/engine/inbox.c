#include "engine/inbox.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

/* A chunk belongs to the writer until the reader has read all of it. */
struct chunk {
    _Atomic(struct chunk *) next;
    struct mcast_engine_item items[CHUNK];
    struct mcast_buffer *buffers[CHUNK];
};

struct udp_inbox {
    /* for the writer only */
    struct chunk *last;   /* the chunk that is written */
    struct chunk *oldest; /* the chunk that is collected */
    struct chunk *spare;  /* saves an allocation for each thousand entries */
    uint64_t collected;   /* the count of collected entries */
    size_t bytes;         /* the bytes of waiting payloads */
    /* shared; each is written by one side only */
    atomic_uint_fast64_t written;
    atomic_uint_fast64_t done;
    atomic_bool asleep; /* true if the reader asked to be woken */
    /* for the reader only */
    struct chunk *reading;
    uint64_t taken;
};

struct udp_inbox *udp_inbox_new(void) {
    struct udp_inbox *inbox = calloc(1, sizeof *inbox);
    struct chunk *chunk = calloc(1, sizeof *chunk);
    if (inbox == NULL || chunk == NULL) {
        free(inbox);
        free(chunk);
        return NULL;
    }
    inbox->last = inbox->oldest = inbox->reading = chunk;
    atomic_init(&inbox->asleep, true);
    return inbox;
}

void udp_inbox_free(struct udp_inbox *inbox) {
    if (inbox == NULL) {
        return;
    }
    uint64_t written = atomic_load(&inbox->written);
    struct chunk *chunk = inbox->oldest;
    for (uint64_t at = inbox->collected; at < written; at++) {
        mcast_buffer_release(chunk->buffers[at % CHUNK]);
        if (at % CHUNK == CHUNK - 1) {
            struct chunk *next = atomic_load(&chunk->next);
            free(chunk);
            chunk = next;
        }
    }
    free(chunk);
    free(inbox->spare);
    free(inbox);
}

static struct chunk *new_chunk(struct udp_inbox *inbox) {
    struct chunk *chunk = inbox->spare != NULL ? inbox->spare : malloc(sizeof *chunk);
    inbox->spare = NULL;
    if (chunk != NULL) {
        atomic_init(&chunk->next, NULL);
    }
    return chunk;
}

int udp_inbox_put(struct udp_inbox *inbox, const struct mcast_engine_item *item,
                  struct mcast_buffer *buffer) {
    uint64_t at = atomic_load_explicit(&inbox->written, memory_order_relaxed);
    struct chunk *chunk = inbox->last;
    if (at % CHUNK == CHUNK - 1) {
        /* Link the next chunk before the last entry of this one, so that the reader finds it. */
        struct chunk *next = new_chunk(inbox);
        if (next == NULL) {
            return -ENOMEM;
        }
        atomic_store_explicit(&chunk->next, next, memory_order_release);
        inbox->last = next;
    }
    chunk->items[at % CHUNK] = *item;
    chunk->buffers[at % CHUNK] = mcast_buffer_hold(buffer);
    inbox->bytes += item->length;
    /* Sequentially consistent with the store of the reader to `asleep`: one of the two sees the
     * other. */
    atomic_store(&inbox->written, at + 1);
    return atomic_load(&inbox->asleep) && atomic_exchange(&inbox->asleep, false) ? 1 : 0;
}

static void retire(struct udp_inbox *inbox) {
    struct chunk *old = inbox->oldest;
    inbox->oldest = atomic_load_explicit(&old->next, memory_order_acquire);
    if (inbox->spare == NULL) {
        inbox->spare = old;
    } else {
        free(old);
    }
}

void udp_inbox_collect(struct udp_inbox *inbox) {
    uint64_t done = atomic_load_explicit(&inbox->done, memory_order_acquire);
    while (inbox->collected < done) {
        size_t at = inbox->collected % CHUNK;
        mcast_buffer_release(inbox->oldest->buffers[at]);
        inbox->bytes -= inbox->oldest->items[at].length;
        inbox->collected++;
        if (at == CHUNK - 1) {
            retire(inbox);
        }
    }
}

size_t udp_inbox_waiting(const struct udp_inbox *inbox) {
    return (size_t)(atomic_load_explicit(&inbox->written, memory_order_relaxed) -
                    atomic_load_explicit(&inbox->done, memory_order_relaxed));
}

uint64_t udp_inbox_collected(const struct udp_inbox *inbox) {
    return inbox->collected;
}

size_t udp_inbox_bytes(const struct udp_inbox *inbox) {
    return inbox->bytes;
}

size_t udp_inbox_take(struct udp_inbox *inbox, struct mcast_engine_item *items, size_t most) {
    /* The writer collects a chunk once it sees this count; so leave the chunk first. */
    if (inbox->taken % CHUNK == 0 &&
        inbox->taken != atomic_load_explicit(&inbox->done, memory_order_relaxed)) {
        inbox->reading = atomic_load_explicit(&inbox->reading->next, memory_order_acquire);
    }
    atomic_store_explicit(&inbox->done, inbox->taken, memory_order_release);
    uint64_t written = atomic_load_explicit(&inbox->written, memory_order_acquire);
    if (inbox->taken == written) {
        atomic_store(&inbox->asleep, true);
        written = atomic_load(&inbox->written);
        if (inbox->taken == written) {
            return 0;
        }
    }
    size_t here = CHUNK - inbox->taken % CHUNK;
    size_t count = (size_t)(written - inbox->taken);
    count = count < here ? count : here;
    count = count < most ? count : most;
    memcpy(items, inbox->reading->items + inbox->taken % CHUNK, count * sizeof *items);
    inbox->taken += count;
    return count;
}
