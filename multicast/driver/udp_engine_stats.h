/* What an engine measured beside its member. */
#ifndef MCAST_UDP_ENGINE_STATS_H
#define MCAST_UDP_ENGINE_STATS_H

#include "mcast/engine.h"
#include "udp_host.h"

struct udp_engine_stats {
    struct udp_host_stats host;
    uint64_t unread_messages; /* is how many entries wait for the reader */
    uint64_t unread_bytes;
    uint64_t given_bytes; /* is how large the messages are that were given and not let go of yet */
};

/* Returns 0, -EPIPE when the engine was ended, -ECHILD in a forked child. */
int mcast_engine_stats(struct mcast_engine *engine, struct mcast_stats *member,
                       struct udp_engine_stats *driver);

#endif
