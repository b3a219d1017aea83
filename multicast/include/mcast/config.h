/* The configuration of a member, given once when it is made. */
#ifndef MCAST_CONFIG_H
#define MCAST_CONFIG_H

#include "mcast/auth.h"
#include "mcast/types.h"

/* The rate of token rounds. */
enum mcast_pace {
    MCAST_ADAPTIVE = 0, /* between interval_floor and interval_ceiling, by size, load and loss */
    MCAST_FIXED = 1,    /* every interval_ceiling, as in the papers, even if earlier rounds did not
                         * return */
};

/* The combination of the two levels of rings. */
enum mcast_ring_mode {
    MCAST_NESTED = 0,      /* one token walks partition after partition */
    MCAST_INDEPENDENT = 1, /* each partition has a token of its own; the leaders exchange aggregates
                            */
};

/* The order in which input and output are handled. */
enum mcast_priority_mode {
    MCAST_FINE8 = 0, /* tokens and ACKs, then requests, then repair, then data */
    MCAST_QSM6 = 1,  /* as in the papers: repair has the class of tokens */
    MCAST_FIFO = 2,  /* in order of arrival */
};

struct mcast_config {
    uint32_t cluster;             /* in every datagram; other clusters are ignored */
    struct mcast_id id;           /* the random id of this node, kept as long as the node wants */
    uint64_t incarnation;         /* new at each start; chosen by the upper layer, never 0 */
    struct mcast_address address; /* the address of this node's own sockets */
    uint64_t seed;                /* the seed of all random choices */
    struct mcast_auth auth;       /* NULL functions if off */

    enum mcast_pace pace;
    enum mcast_ring_mode ring_mode;
    enum mcast_priority_mode priority_mode;
    mcast_time interval_floor;   /* the shortest time between rounds; 10 ms; the engine on sockets
                                  * uses at most 2 ms where all members are on loopback */
    mcast_time interval_ceiling; /* the longest time between rounds; 1 s */

    uint32_t partition_size; /* k in the specification; 5 */
    uint32_t replicas;       /* r, the count of members that keep a packet; 0 means k, UINT32_MAX
                              * all */
    uint32_t owner_block;  /* B, the count of consecutive packets with the same owner; 64, papers 1
                            */
    uint32_t nak_ranges;   /* the most ranges of a record in a token; 32 */
    uint32_t ack_ranges;   /* the ranges beyond the one number in an ACK; 0. More is the "O(n)
                            * feedback" of the papers, for comparison (1.12) */
    uint32_t packet_size;  /* the largest datagram, tag included; 1472 to 65507 */
    uint64_t window_floor; /* in bytes for each region view; 4 MB */
    uint64_t window_cap;   /* in bytes for each region view; 96 MiB */
    uint64_t window_room;  /* the capacity of the receivers' queues: the window exceeds it, up to
                            * the cap, only while a receiver stands still; 0: no such bound */
    uint64_t rate_cap;     /* in bytes a second over all regions; 0: none */
    uint32_t recovery_share; /* the part of the send budget that repair may take; 20 per cent */
    mcast_time batch_delay; /* how long a small message may wait for others; 0 is off; the engine on
                             * sockets uses 1 ns: messages of one submission share packets */
    uint64_t reassembly_cap;  /* in bytes over all groups and senders; 128 MiB */
    uint64_t reorder_cap;     /* in bytes of packets held out of order, over all views; 256 MiB */
    uint64_t unread_messages; /* messages that the application may leave unread, over all groups,
                               * before their policies act; 0: no bound */
    uint64_t unread_bytes;    /* the same in bytes */
    mcast_time unread_time;   /* how long the application may take nothing although something waits
                               * for it, before this member leaves its groups; 0: no bound; the
                               * engine on sockets uses 10 s */
    uint32_t unknown_packets; /* packets kept for a view that is not known yet; 1000 */
    mcast_time unknown_time;  /* how long they are kept; 2 s */
    mcast_time want_time;     /* how long the answer to a request for a payload may take; 1 s */
    mcast_time forget_time;   /* how long more than the name of a dead node is kept; 300 s */
    uint64_t first_number;    /* 0; a simulation may start streams near 2^32 instead */
};

/* Fill @config with the defaults above: adaptive, nested, fine8. The identity stays zero. */
void mcast_config_default(struct mcast_config *config);

/* Change @config to the mode of the papers: fixed interval of 1 s, owner block 1, no batching. */
void mcast_config_paper(struct mcast_config *config);

/* The reaction when the application of this member takes the messages of a group too slowly. */
enum mcast_slow_policy {
    MCAST_SLOW_EVICT = 0,    /* notify it, and beyond the bound leave the group; rejoin with state
                              */
    MCAST_SLOW_THROTTLE = 1, /* ask the senders of the group to pause */
    MCAST_SLOW_DROP = 2,     /* drop the newest messages, and report how many of which sender */
    MCAST_SLOW_DEMOTE = 3,   /* stop delivering and report it; the application may resume the group
                              */
};

struct mcast_group_policy {
    enum mcast_slow_policy slow;
    uint32_t queue_messages; /* the bound of messages delivered and not yet consumed; 0: none */
    uint32_t queue_bytes;    /* the same in bytes; 0: none */
    bool tell_stable;        /* requests that all members learn when a message became stable */
};

/* Fill @policy with the default of a group: notified, then evicted beyond 131,072 messages or 32
 * MiB that its application has not taken. */
void mcast_group_policy_default(struct mcast_group_policy *policy);

#endif
