/* Event queue: the events of a simulation by time. Events of the same time come out in the order in
 * which they were added, so a run depends on the seed alone. */
#ifndef DRIVER_SIMULATOR_BASE_EVENT_QUEUE_H
#define DRIVER_SIMULATOR_BASE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_entry {
    uint64_t at;   /* the virtual time of the event, in ns */
    uint32_t kind; /* for the caller */
    uint32_t node; /* for the caller */
    void *item;    /* for the caller; the queue never looks into it */
};

/* The key of an entry: small, because a heap moves its keys. */
struct sim_heap_key {
    uint64_t at;
    uint64_t order; /* the count of entries added before, and in its low bits the slot of the body
                     */
};

struct sim_heap {
    struct sim_heap_key *keys; /* a 4-ary heap */
    struct sim_entry *bodies;
    uint32_t *unused; /* the stack of free body slots */
    uint32_t count;
    uint32_t room;
    uint64_t pushed;
};

void sim_heap_init(struct sim_heap *heap);
void sim_heap_free(struct sim_heap *heap);

/* Add @entry. Return false without memory, or if 2^24 entries wait already. */
bool sim_heap_push(struct sim_heap *heap, struct sim_entry entry);

/* Take the earliest entry out into @entry. Return false if there is none. */
bool sim_heap_pop(struct sim_heap *heap, struct sim_entry *entry);

/* The time of the earliest entry, UINT64_MAX if there is none. */
uint64_t sim_heap_next(const struct sim_heap *heap);

#endif
