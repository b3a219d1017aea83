/* Counting memory: the allocator of the tests, which counts what is allocated and refuses on
 * demand. */
#ifndef COUNTING_MEMORY_H
#define COUNTING_MEMORY_H

#include "mcast/alloc.h"

#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct test_memory {
    struct mcast_alloc alloc;
    size_t out;    /* bytes allocated and not freed */
    size_t calls;  /* calls that asked for memory */
    size_t refuse; /* which such call to refuse, counted from here; 0 refuses none */
    bool refused;  /* one was refused */
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
    /* Always move, so that the sanitizer finds pointers kept across a growth. */
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

/* A small random generator; the same seed gives the same run. */
static inline uint64_t test_random(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

#endif
