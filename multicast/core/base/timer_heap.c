#include "base/timer_heap.h"
#include "base/memory.h"

#include "mcast/error.h"

enum { ARITY = 4 };

void mcast_heap_init(struct mcast_heap *heap, const struct mcast_alloc *alloc) {
    *heap = (struct mcast_heap){.alloc = alloc};
}

void mcast_heap_free(struct mcast_heap *heap) {
    for (size_t i = 0; i < heap->count; i++) {
        heap->timers[i]->place = 0;
    }
    mcast_memory_free(heap->alloc, heap->timers, heap->room, sizeof *heap->timers);
    mcast_heap_init(heap, heap->alloc);
}

int mcast_heap_reserve(struct mcast_heap *heap, size_t count) {
    if (count <= heap->room) {
        return MCAST_OK;
    }
    struct mcast_timer **timers =
        mcast_memory_grow(heap->alloc, heap->timers, &heap->room, count, sizeof *timers);
    if (timers == NULL) {
        return MCAST_ENOMEM;
    }
    heap->timers = timers;
    return MCAST_OK;
}

static void put(struct mcast_heap *heap, size_t at, struct mcast_timer *timer) {
    heap->timers[at] = timer;
    timer->place = at + 1;
}

static void rise(struct mcast_heap *heap, size_t at, struct mcast_timer *timer) {
    while (at > 0) {
        size_t parent = (at - 1) / ARITY;
        if (heap->timers[parent]->deadline <= timer->deadline) {
            break;
        }
        put(heap, at, heap->timers[parent]);
        at = parent;
    }
    put(heap, at, timer);
}

/* The index of the earliest child of @at, or the count when it has none. */
static size_t earliest_child(const struct mcast_heap *heap, size_t at) {
    size_t first = at * ARITY + 1;
    if (first >= heap->count) {
        return heap->count;
    }
    size_t last = first + ARITY < heap->count ? first + ARITY : heap->count;
    size_t best = first;
    for (size_t i = first + 1; i < last; i++) {
        if (heap->timers[i]->deadline < heap->timers[best]->deadline) {
            best = i;
        }
    }
    return best;
}

static void sink(struct mcast_heap *heap, size_t at, struct mcast_timer *timer) {
    for (;;) {
        size_t child = earliest_child(heap, at);
        if (child >= heap->count || heap->timers[child]->deadline >= timer->deadline) {
            break;
        }
        put(heap, at, heap->timers[child]);
        at = child;
    }
    put(heap, at, timer);
}

/* Put @timer at @at and move it up or down to its place. */
static void settle(struct mcast_heap *heap, size_t at, struct mcast_timer *timer) {
    if (at > 0 && heap->timers[(at - 1) / ARITY]->deadline > timer->deadline) {
        rise(heap, at, timer);
    } else {
        sink(heap, at, timer);
    }
}

int mcast_heap_set(struct mcast_heap *heap, struct mcast_timer *timer, uint64_t deadline) {
    if (timer->place == 0) {
        int code = mcast_heap_reserve(heap, heap->count + 1);
        if (code != MCAST_OK) {
            return code;
        }
        heap->count++;
        timer->deadline = deadline;
        rise(heap, heap->count - 1, timer);
    } else {
        timer->deadline = deadline;
        settle(heap, timer->place - 1, timer);
    }
    return MCAST_OK;
}

void mcast_heap_cancel(struct mcast_heap *heap, struct mcast_timer *timer) {
    if (timer->place == 0) {
        return;
    }
    size_t at = timer->place - 1;
    timer->place = 0;
    heap->count--;
    if (at < heap->count) {
        settle(heap, at, heap->timers[heap->count]);
    }
}

bool mcast_timer_is_set(const struct mcast_timer *timer) {
    return timer->place != 0;
}

uint64_t mcast_heap_deadline(const struct mcast_heap *heap) {
    return heap->count == 0 ? MCAST_NEVER : heap->timers[0]->deadline;
}

struct mcast_timer *mcast_heap_take_due(struct mcast_heap *heap, uint64_t now) {
    if (heap->count == 0 || heap->timers[0]->deadline > now) {
        return NULL;
    }
    struct mcast_timer *timer = heap->timers[0];
    mcast_heap_cancel(heap, timer);
    return timer;
}
