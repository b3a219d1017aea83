/* Basic types: nodes, groups, addresses, views, times. Plain values, compared by content. */
#ifndef MCAST_TYPES_H
#define MCAST_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A time or a duration in nanoseconds. The driver chooses the zero; time never runs backwards. */
typedef uint64_t mcast_time;

#define MCAST_MICROSECOND ((mcast_time)1000)
#define MCAST_MILLISECOND ((mcast_time)1000000)
#define MCAST_SECOND ((mcast_time)1000000000)
#define MCAST_NEVER UINT64_MAX /* the deadline of something that waits for nothing */

/* A random 128-bit id of a node, a group or a region. All zero is none. */
struct mcast_id {
    uint64_t high;
    uint64_t low;
};

/* A short name of a node, given by the membership service. It is never reused within one generation
 * of the service. 0 is none. */
typedef uint32_t mcast_node;

/* The name of a region view: the generation of the service in the upper 24 bits, a counter below.
 * It is unique over all regions and hierarchies of a cluster. 0 is none. */
typedef uint64_t mcast_view;

/* An epoch of the membership: the generation in the upper 24 bits, a counter below, so that epochs
 * compare as numbers. */
typedef uint64_t mcast_epoch;

#define MCAST_EPOCH(generation, count) (((uint64_t)(generation) << 40) | (uint64_t)(count))
#define MCAST_GENERATION(epoch) ((uint32_t)((uint64_t)(epoch) >> 40))

/* The sockets of a node, with a kernel queue each, so that a token can overtake queued data. */
enum mcast_socket {
    MCAST_CONTROL = 0, /* carries tokens, acknowledgements, high-water marks, requests */
    MCAST_REPAIR = 1,  /* carries packets sent again */
    MCAST_DATA = 2,    /* carries packets sent for the first time */
};
enum { MCAST_SOCKETS = 3 };

/* A destination of datagrams: a node's own address, or one that many nodes listen to, with a port
 * for each socket. IPv4 is written as an IPv4-mapped IPv6 address; the core compares addresses and
 * never looks inside. */
struct mcast_address {
    uint8_t ip[16];
    uint16_t port[MCAST_SOCKETS];
};

/* One piece of a datagram that is sent from several places, like an iovec. */
struct mcast_part {
    const uint8_t *bytes;
    size_t length;
};

#endif
