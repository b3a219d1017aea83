/* The measurements of an engine beside those of its member. */
#ifndef DRIVER_ENGINE_ENGINE_STATS_H
#define DRIVER_ENGINE_ENGINE_STATS_H

#include "engine/host.h"
#include "mcast/engine.h"
#include "mcast/laggard.h"

struct udp_engine_stats {
    struct udp_host_stats host;
    uint64_t unread_messages; /* the count of entries that wait for the reader */
    uint64_t unread_bytes;
    uint64_t given_bytes; /* the bytes of messages submitted and not released yet */
};

/* Return 0, -EPIPE if the engine was ended, -ECHILD in a forked child. */
int mcast_engine_stats(struct mcast_engine *engine, struct mcast_stats *member,
                       struct udp_engine_stats *driver);

/* Store the members that the engine waits for now, up to @most of them, and its own short name, 0
 * before it has one. Return their count, or a code like that of mcast_engine_stats. */
int mcast_engine_laggards(struct mcast_engine *engine, struct mcast_laggard *laggards, size_t most,
                          mcast_node *own);

#endif
