/* Membership service: decides the members of each group and region, as a state machine like the
 * member.
 *
 * It talks to members over streams of the driver, which numbers them and never reuses a number. It
 * is off the data path: while it is away, members go on in their views. */
#ifndef MCAST_SERVICE_H
#define MCAST_SERVICE_H

#include "mcast/alloc.h"
#include "mcast/types.h"

struct mcast_service;

struct mcast_service_config {
    uint32_t cluster;
    uint32_t generation;  /* max(stored, reported) + 1; the driver stores it */
    mcast_time heartbeat; /* the heartbeat interval of members; 1 s */
    mcast_time suspicion; /* the silence after which a member is removed; 5 s */
    mcast_time batch;     /* the shortest time between two epochs; 50 ms */
    mcast_time ack_wait;  /* how long PREPARE waits for all before it holds regions back; 200 ms */
    mcast_time ack_limit; /* when a missing answer becomes a suspicion; 2 s */
    mcast_time address_rest;  /* how long an address rests before it is given again; 60 s */
    uint32_t smallest_region; /* Rmin of the split into hierarchies; 0 or 1 turn it off */
    bool strict_hierarchies;  /* the predicate: nested or disjoint only; else "or not smaller than
                               * Rmin" */
    uint32_t hybrid_regions;  /* the count of regions that gives a group an address of its own; 0:
                               * none */
    struct mcast_address first_address; /* the first region address; the next ones count up */
    uint32_t address_count;             /* the count of addresses */
    uint64_t seed;
};

void mcast_service_config_default(struct mcast_service_config *config);

enum mcast_service_event_kind {
    MCAST_SERVICE_CONNECTED = 1,
    MCAST_SERVICE_DISCONNECTED,
    MCAST_SERVICE_MESSAGE, /* one whole message arrived */
};

struct mcast_service_event {
    enum mcast_service_event_kind kind;
    uint64_t connection;
    const uint8_t *bytes; /* MESSAGE only; not kept */
    size_t length;
};

/* A message for one member, in order with earlier ones on the same connection. */
struct mcast_service_send {
    uint64_t connection;
    const uint8_t *bytes;
    size_t length;
};

struct mcast_service_output {
    const struct mcast_service_send *sends; /* all pointers are valid until the next call */
    size_t send_count;
    const uint64_t *closes; /* connections to end, after the sends */
    size_t close_count;
    bool yield; /* a service of a higher generation exists: end this one */
};

struct mcast_service_stats {
    uint64_t epochs;
    uint64_t members;
    uint64_t groups;
    uint64_t regions;
    uint64_t hierarchies;
    uint64_t classes;
    uint64_t region_moves;
    uint64_t suspicions;
    uint64_t malformed;
    uint64_t bytes_sent;
    uint64_t memory_bytes;
};

/* Make a service, as mcast_member_new makes a member. Return 0, MCAST_ENOMEM or MCAST_ECONFIG. */
int mcast_service_new(const struct mcast_service_config *config, const struct mcast_alloc *alloc,
                      struct mcast_service **service);
void mcast_service_free(struct mcast_service *service);
int mcast_service_step(struct mcast_service *service, const struct mcast_service_event *events,
                       size_t count, mcast_time now, struct mcast_service_output *output);
mcast_time mcast_service_next_deadline(const struct mcast_service *service);
/* The generation of the service: that of the configuration, or a higher one once members reported
 * it. A driver stores it when it changes, so that the next service starts above it. */
uint32_t mcast_service_generation(const struct mcast_service *service);

void mcast_service_stats(const struct mcast_service *service, struct mcast_service_stats *stats);

#endif
