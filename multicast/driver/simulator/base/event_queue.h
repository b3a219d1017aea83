/* The agenda of a simulation: what happens when. Things due at one time come out in the order in
 * which they were put in, so that a run depends on the seed alone. */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_entry {
    uint64_t at;   /* is the virtual time it is due, ns */
    uint32_t kind; /* is the caller's */
    uint32_t node; /* is the caller's */
    void *item;    /* is the caller's; the heap never looks behind it */
};

/* The key of an entry: small, because keys are what a heap moves. */
struct sim_heap_key {
    uint64_t at;
    uint64_t order; /* is the count of entries put in before, and below it the slot of the body */
};

struct sim_heap {
    struct sim_heap_key *keys; /* is a 4-ary heap */
    struct sim_entry *bodies;
    uint32_t *unused; /* is the stack of body slots in no use */
    uint32_t count;
    uint32_t room;
    uint64_t pushed;
};

void sim_heap_init(struct sim_heap *heap);
void sim_heap_free(struct sim_heap *heap);

/* Puts @entry in. Returns false when there is no memory, or 2^24 entries already wait. */
bool sim_heap_push(struct sim_heap *heap, struct sim_entry entry);

/* Takes the earliest entry out into @entry; false when none is left. */
bool sim_heap_pop(struct sim_heap *heap, struct sim_entry *entry);

/* The time of the earliest entry, UINT64_MAX when none is left. */
uint64_t sim_heap_next(const struct sim_heap *heap);

#endif
