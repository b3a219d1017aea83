/* Allocator: the only source of memory of the core.
 *
 * One function that gets the old and the new size, so that its owner can count bytes exactly, bound
 * them, or make the n-th call fail, without a header before each block. */
#ifndef MCAST_ALLOC_H
#define MCAST_ALLOC_H

#include <stddef.h>

struct mcast_alloc {
    void *context; /* passed to each call; the core never looks into it */

    /* Make, grow, shrink or free a block, like realloc.
     *
     * @block  NULL with @old == 0 makes a new block
     * @old    exactly the size requested before
     * @size   0 frees the block; the result is NULL
     *
     * Return the block, aligned for any type, with its first min(@old, @size) bytes; or NULL
     * without memory, and then @block is unchanged. */
    void *(*resize)(void *context, void *block, size_t old, size_t size);
};

#endif
