/* Heap: timers by deadline, in a 4-ary heap.
 *
 * A timer lives inside what it belongs to and knows its place, so that moving and cancelling cost a
 * logarithm of base four. Timers of one deadline come out in an order that depends only on the
 * calls made, which is what a replay needs. */
#ifndef MCAST_CORE_HEAP_H
#define MCAST_CORE_HEAP_H

#include "mcast/alloc.h"
#include "mcast/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mcast_timer {
    uint64_t deadline; /* is the time when it is due; holds while it is set */
    size_t place;      /* is its index in the heap + 1; 0 while it is not set */
};

struct mcast_heap {
    const struct mcast_alloc *alloc;
    struct mcast_timer **timers;
    size_t count;
    size_t room;
};

/* Makes an empty heap without asking for memory. @alloc outlives it. */
void mcast_heap_init(struct mcast_heap *heap, const struct mcast_alloc *alloc);

/* Ends the heap; its timers are all no longer set. */
void mcast_heap_free(struct mcast_heap *heap);

/* Makes room so that @count timers can be set without asking for more. 0 or MCAST_ENOMEM. */
int mcast_heap_reserve(struct mcast_heap *heap, size_t count);

/* Sets @timer, a zeroed one or one of this heap's, to @deadline in place of any it had.
 * 0, or MCAST_ENOMEM with nothing changed; never the latter for a timer that is set. */
int mcast_heap_set(struct mcast_heap *heap, struct mcast_timer *timer, uint64_t deadline);

/* Cancels @timer; one that is not set is no error. */
void mcast_heap_cancel(struct mcast_heap *heap, struct mcast_timer *timer);

bool mcast_timer_is_set(const struct mcast_timer *timer);

/* The earliest deadline, or MCAST_NEVER. */
uint64_t mcast_heap_deadline(const struct mcast_heap *heap);

/* Takes out the earliest timer if it is due at @now, else returns NULL. */
struct mcast_timer *mcast_heap_take_due(struct mcast_heap *heap, uint64_t now);

#endif
