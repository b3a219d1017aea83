/* The allocator that the caller hands in: the core has no other source of memory. */
#ifndef MCAST_ALLOC_H
#define MCAST_ALLOC_H

#include <stddef.h>

struct mcast_alloc {
    void *context; /* is passed back as it is */
    /* Makes a piece of @size bytes (@memory NULL), changes one from @old to @size bytes and keeps
     * what both sizes hold, or ends one (@size 0, returns NULL). Returns NULL when there is no
     * memory; the old piece then stays as it was. */
    void *(*resize)(void *context, void *memory, size_t old, size_t size);
};

#endif
