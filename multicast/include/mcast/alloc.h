/* Memory: the only way by which the core takes any.
 *
 * One function with the old and the new size, so that an owner can count bytes exactly, bound them,
 * or make the n-th call fail, without keeping a header before each block. */
#ifndef MCAST_ALLOC_H
#define MCAST_ALLOC_H

#include <stddef.h>

struct mcast_alloc {
    void *context; /* is given back at each call; the core never looks into it */

    /* Makes, grows, shrinks or ends a block, as realloc does.
     *
     * @block  NULL with @old == 0 asks for a new block
     * @old    is exactly the size asked for before
     * @size   0 ends the block, and the answer is NULL
     *
     * Returns the block, aligned for any type, its first min(@old, @size) bytes kept; or NULL when
     * there is no memory, and then @block is as it was. */
    void *(*resize)(void *context, void *block, size_t old, size_t size);
};

#endif
