/* Wake policy: decides if a receiver should sleep for a while instead of being woken by the next
 * datagram.
 *
 * A wake-up costs the sender as much as ten datagrams, and the receiver too. Where datagrams follow
 * one another they are left to gather: the receiver looks again after a nap and is not woken in
 * between. A nap is short where a flood begins, and as long as the caches allow while it lasts; a
 * sender that is not scheduled for a moment does not end it. Without a flood there is no nap. */
#ifndef DRIVER_SOCKETS_WAKE_POLICY_H
#define DRIVER_SOCKETS_WAKE_POLICY_H

#include "mcast/types.h"

#include <stdint.h>

struct udp_nap {
    mcast_time since; /* when the count began */
    uint64_t came;    /* the count of datagrams since then */
    mcast_time flood; /* when many last arrived */
    mcast_time span;  /* the length of a nap now; 0 for none */
};

/* Record that @count datagrams, possibly none, were found at @now. */
void udp_nap_note(struct udp_nap *nap, mcast_time now, uint64_t count);

/* Sleep for @span, which is less than a second. */
void udp_nap_take(mcast_time span);

#endif
