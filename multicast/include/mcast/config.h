/* What a member is told once, when it is made. */
#ifndef MCAST_CONFIG_H
#define MCAST_CONFIG_H

#include "mcast/auth.h"
#include "mcast/types.h"

/* How often tokens go round. */
enum mcast_pace {
    MCAST_ADAPTIVE = 0, /* between interval_floor and interval_ceiling, by size, load and loss */
    MCAST_FIXED = 1, /* every interval_ceiling, as in the papers, whether rounds came back or not */
};

/* How the two levels of rings are put together. */
enum mcast_ring_mode {
    MCAST_NESTED = 0,      /* one token walks partition after partition */
    MCAST_INDEPENDENT = 1, /* each partition has a token of its own, leaders exchange aggregates */
};

/* What goes first, both in and out. */
enum mcast_priority_mode {
    MCAST_FINE8 = 0, /* tokens and ACKs, then requests, then repair, then data */
    MCAST_QSM6 = 1,  /* as the papers: repair shares the class of tokens */
    MCAST_FIFO = 2,  /* in order of arrival */
};

struct mcast_config {
    uint32_t cluster;             /* is in every datagram; others are dropped */
    struct mcast_id id;           /* is this node's random name, kept as long as the node wants */
    uint64_t incarnation;         /* is new at each start; the upper layer chooses it, never 0 */
    struct mcast_address address; /* is where this node's own sockets listen */
    uint64_t seed;                /* is where all random choices come from */
    struct mcast_auth auth;       /* has NULL functions when off */

    enum mcast_pace pace;
    enum mcast_ring_mode ring_mode;
    enum mcast_priority_mode priority_mode;
    mcast_time interval_floor;   /* is the shortest time between rounds; 10 ms; the engine on
                                    sockets makes it 2 ms at most where it is alone on loopback */
    mcast_time interval_ceiling; /* is the longest; 1 s */

    uint32_t partition_size; /* is k of the specification; 5 */
    uint32_t replicas;       /* is r, how many members keep a packet; 0 means k, UINT32_MAX all */
    uint32_t owner_block; /* is B: so many consecutive packets have the same owner; 64, papers 1 */
    uint32_t nak_ranges;  /* is the most ranges a record carries in a token; 32 */
    uint32_t ack_ranges; /* is how many ranges beyond the one number an ACK may tell; 0. More is the
                            papers' "O(n) feedback", for comparison (1.12) */
    uint32_t packet_size;  /* is the largest datagram, tag included; 1472 to 65507 */
    uint64_t window_floor; /* is in bytes a region view; 4 MB */
    uint64_t window_cap;   /* is in bytes a region view; 96 MiB */
    uint64_t window_room;  /* is what receivers' queues hold: beyond it, up to the cap, only while a
                            * receiver stands still; 0 is no such bound */
    uint64_t rate_cap;     /* is in bytes a second over all regions; 0 is none */
    uint32_t recovery_share; /* is the part of the send budget that repair may take; 20 per cent */
    mcast_time batch_delay; /* is how long a small message may wait for company; 0 is off, for which
                               the engine on sockets takes 1 ns: those of one submission share */
    uint64_t reassembly_cap; /* is in bytes over all groups and senders; 128 MiB */
    uint64_t reorder_cap;    /* is in bytes of packets held out of order, over all views; 256 MiB */
    uint64_t unread_messages; /* is how much the application may leave unread, all groups together,
                                 before their policies act; 0 is no bound … */
    uint64_t unread_bytes;    /* and how many bytes */
    uint32_t unknown_packets; /* is how many packets for a view not yet known are kept; 1000 */
    mcast_time unknown_time;  /* is how long they are; 2 s */
    mcast_time want_time;     /* is how long an asked payload may take; 1 s */
    mcast_time forget_time;   /* is how long more than its name is kept of a dead node; 300 s */
    uint64_t first_number;    /* is 0; a simulation may start streams near 2^32 instead */
};

/* Fills @config with the defaults above: adaptive, nested, fine8. Identity is left zero. */
void mcast_config_default(struct mcast_config *config);

/* Changes @config into the papers' mode: fixed interval of 1 s, owner block 1, no batching. */
void mcast_config_paper(struct mcast_config *config);

/* What is to happen when this member's application takes a group's messages too slowly. */
enum mcast_slow_policy {
    MCAST_SLOW_EVICT = 0,    /* tell, and past the bound leave the group; rejoin with state */
    MCAST_SLOW_THROTTLE = 1, /* ask the group's senders to pause */
    MCAST_SLOW_DROP = 2,     /* drop the newest, and tell how many of whom */
    MCAST_SLOW_DEMOTE = 3,   /* stop delivering, tell; the application may resume the group */
};

struct mcast_group_policy {
    enum mcast_slow_policy slow;
    uint32_t
        queue_messages;   /* is the bound of messages delivered and not yet consumed; 0 is none */
    uint32_t queue_bytes; /* is the same in bytes; 0 is none */
    bool tell_stable;     /* asks that all members are told when a message became stable */
};

/* Fills @policy with what a group has that wants nothing else: told, then evicted past 131,072
 * messages or 32 MiB that its application has not taken. */
void mcast_group_policy_default(struct mcast_group_policy *policy);

#endif
