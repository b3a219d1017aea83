/* The allocator of the tests: the C library's, which counts what is out and can be told to refuse.
 */
#ifndef COUNTING_MEMORY_H
#define COUNTING_MEMORY_H

#include "mcast/alloc.h"

#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct test_memory {
    struct mcast_alloc alloc;
    size_t out;    /* is the count of bytes handed out and not ended */
    size_t calls;  /* is the count of calls that asked for memory */
    size_t refuse; /* is how many such calls to serve before one is refused; 0 refuses none */
    bool refused;  /* is whether one was refused */
};

static inline bool test_memory_refuses(struct test_memory *memory) {
    memory->calls++;
    if (memory->refuse > 0 && memory->calls >= memory->refuse) {
        memory->refused = true;
        return true;
    }
    return false;
}

static inline void *test_memory_resize(void *context, void *piece, size_t old, size_t size) {
    struct test_memory *memory = context;
    CHECK(old <= memory->out);
    if (size == 0) {
        free(piece);
        memory->out -= old;
        return NULL;
    }
    if (test_memory_refuses(memory)) {
        return NULL;
    }
    /* Always a new place, so that a pointer kept across a growth is found by the sanitizer. */
    void *moved = malloc(size);
    CHECK(moved != NULL);
    if (piece != NULL) {
        memcpy(moved, piece, old < size ? old : size);
        free(piece);
    }
    memory->out = memory->out - old + size;
    return moved;
}

static inline void test_memory_init(struct test_memory *memory) {
    *memory = (struct test_memory){.alloc = {.resize = test_memory_resize}};
    memory->alloc.context = memory;
}

/* A small generator for laws that must hold for any input; the same seed gives the same run. */
static inline uint64_t test_random(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

#endif
