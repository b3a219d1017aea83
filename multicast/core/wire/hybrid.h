/* Hybrid: the head of a datagram that one packet shares between several region views. */
#ifndef MCAST_WIRE_HYBRID_H
#define MCAST_WIRE_HYBRID_H

#include "mcast/types.h"
#include "wire/codec.h"
#include "wire/header.h"

/* One region view of a HYBRID datagram, with the number that the packet has there. The frames are
 * the same for all views. */
struct mcast_hybrid_entry {
    mcast_view view;
    uint64_t number;
    uint8_t flags;
};

enum {
    MCAST_HYBRID_VIEWS_LEAST = 2,
    MCAST_HYBRID_VIEWS_MOST = 32,
    MCAST_HYBRID_ENTRY_SIZE = 17,
};

/* The size of a HYBRID datagram with @count entries, up to its frames. */
#define MCAST_HYBRID_HEAD(count) (MCAST_HEADER_SIZE + 1 + MCAST_HYBRID_ENTRY_SIZE * (count))

void mcast_hybrid_write(struct mcast_writer *writer, const struct mcast_hybrid_entry *entries,
                        size_t count);
/* Read at most MCAST_HYBRID_VIEWS_MOST entries, in ascending order of view, and leave @reader at
 * the frames. */
bool mcast_hybrid_read(struct mcast_reader *reader, struct mcast_hybrid_entry *entries,
                       size_t *count);

#endif
