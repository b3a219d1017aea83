/* What an engine measured beside its member. */
#ifndef MCAST_UDP_ENGINE_STATS_H
#define MCAST_UDP_ENGINE_STATS_H

#include "engine/host.h"
#include "mcast/engine.h"
#include "mcast/laggard.h"

struct udp_engine_stats {
    struct udp_host_stats host;
    uint64_t unread_messages; /* is how many entries wait for the reader */
    uint64_t unread_bytes;
    uint64_t given_bytes; /* is how large the messages are that were given and not let go of yet */
};

/* Returns 0, -EPIPE when the engine was ended, -ECHILD in a forked child. */
int mcast_engine_stats(struct mcast_engine *engine, struct mcast_stats *member,
                       struct udp_engine_stats *driver);

/* Whom the engine waits for now, up to @most of them, and its own short name, 0 before it has one.
 * Returns how many, or a code like that of mcast_engine_stats. */
int mcast_engine_laggards(struct mcast_engine *engine, struct mcast_laggard *laggards, size_t most,
                          mcast_node *own);

#endif
