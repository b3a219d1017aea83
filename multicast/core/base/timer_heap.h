/* Timer heap: timers ordered by deadline, in a 4-ary heap.
 *
 * A timer is embedded in the object that it belongs to and knows its place in the heap, so setting
 * and cancelling take logarithmic time. Timers with equal deadlines come out in an order that
 * depends only on the calls made, as a replay needs. */
#ifndef MCAST_BASE_TIMER_HEAP_H
#define MCAST_BASE_TIMER_HEAP_H

#include "mcast/alloc.h"
#include "mcast/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mcast_timer {
    uint64_t deadline; /* the time when it is due; valid while it is set */
    size_t place;      /* is its index in the heap + 1; 0 while it is not set */
};

struct mcast_heap {
    const struct mcast_alloc *alloc;
    struct mcast_timer **timers;
    size_t count;
    size_t room;
};

/* Make an empty heap without allocating. @alloc must outlive it. */
void mcast_heap_init(struct mcast_heap *heap, const struct mcast_alloc *alloc);

/* Free the heap. Its timers are no longer set. */
void mcast_heap_free(struct mcast_heap *heap);

/* Reserve memory for @count timers. Return 0 or MCAST_ENOMEM. */
int mcast_heap_reserve(struct mcast_heap *heap, size_t count);

/* Set @timer to @deadline, replacing any earlier deadline. @timer is zeroed or belongs to this
 * heap. Return 0, or MCAST_ENOMEM and change nothing; a timer that is set already never fails. */
int mcast_heap_set(struct mcast_heap *heap, struct mcast_timer *timer, uint64_t deadline);

/* Cancel @timer, if it is set. */
void mcast_heap_cancel(struct mcast_heap *heap, struct mcast_timer *timer);

bool mcast_timer_is_set(const struct mcast_timer *timer);

/* The earliest deadline, or MCAST_NEVER. */
uint64_t mcast_heap_deadline(const struct mcast_heap *heap);

/* Take out the earliest timer if it is due at @now. Return NULL otherwise. */
struct mcast_timer *mcast_heap_take_due(struct mcast_heap *heap, uint64_t now);

#endif
