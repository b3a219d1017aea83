#include "simulator/base/event_queue.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024, SLOT_BITS = 24, SLOT_LIMIT = 1 << SLOT_BITS };

void sim_heap_init(struct sim_heap *heap) {
    memset(heap, 0, sizeof *heap);
}

void sim_heap_free(struct sim_heap *heap) {
    free(heap->keys);
    free(heap->bodies);
    free(heap->unused);
    memset(heap, 0, sizeof *heap);
}

static bool grow(struct sim_heap *heap) {
    uint32_t room = heap->room == 0 ? FIRST_ROOM : heap->room * 2;
    if (room > SLOT_LIMIT) {
        return false;
    }
    struct sim_heap_key *keys = realloc(heap->keys, room * sizeof *keys);
    heap->keys = keys != NULL ? keys : heap->keys;
    struct sim_entry *bodies = realloc(heap->bodies, room * sizeof *bodies);
    heap->bodies = bodies != NULL ? bodies : heap->bodies;
    uint32_t *unused = realloc(heap->unused, room * sizeof *unused);
    heap->unused = unused != NULL ? unused : heap->unused;
    if (keys == NULL || bodies == NULL || unused == NULL) {
        return false;
    }
    /* The heap is full when it grows, so every old slot is in use and the stack holds only new
     * ones. */
    for (uint32_t i = heap->room; i < room; i++) {
        heap->unused[i - heap->room] = room - 1 - (i - heap->room);
    }
    heap->room = room;
    return true;
}

static bool before(struct sim_heap_key a, struct sim_heap_key b) {
    return a.at < b.at || (a.at == b.at && a.order < b.order);
}

bool sim_heap_push(struct sim_heap *heap, struct sim_entry entry) {
    if (heap->count == heap->room && !grow(heap)) {
        return false;
    }
    uint32_t slot = heap->unused[heap->room - heap->count - 1];
    heap->bodies[slot] = entry;
    struct sim_heap_key key = {entry.at, (heap->pushed++ << SLOT_BITS) | slot};
    uint32_t at = heap->count++;
    while (at > 0) {
        uint32_t parent = (at - 1) / 4;
        if (!before(key, heap->keys[parent])) {
            break;
        }
        heap->keys[at] = heap->keys[parent];
        at = parent;
    }
    heap->keys[at] = key;
    return true;
}

/* The earliest of up to four children that begin at @first. */
static uint32_t earliest_child(const struct sim_heap *heap, uint32_t first) {
    uint32_t end = first + 4 < heap->count ? first + 4 : heap->count;
    uint32_t best = first;
    for (uint32_t i = first + 1; i < end; i++) {
        if (before(heap->keys[i], heap->keys[best])) {
            best = i;
        }
    }
    return best;
}

/* Put @key at the root and let it sink. */
static void sink(struct sim_heap *heap, struct sim_heap_key key) {
    uint32_t at = 0;
    while (4 * at + 1 < heap->count) {
        uint32_t child = earliest_child(heap, 4 * at + 1);
        if (!before(heap->keys[child], key)) {
            break;
        }
        heap->keys[at] = heap->keys[child];
        at = child;
    }
    heap->keys[at] = key;
}

bool sim_heap_pop(struct sim_heap *heap, struct sim_entry *entry) {
    if (heap->count == 0) {
        return false;
    }
    uint32_t slot = (uint32_t)(heap->keys[0].order & (SLOT_LIMIT - 1));
    *entry = heap->bodies[slot];
    heap->count--;
    heap->unused[heap->room - heap->count - 1] = slot;
    if (heap->count > 0) {
        sink(heap, heap->keys[heap->count]);
    }
    return true;
}

uint64_t sim_heap_next(const struct sim_heap *heap) {
    return heap->count == 0 ? UINT64_MAX : heap->keys[0].at;
}
