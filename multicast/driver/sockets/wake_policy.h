/* Nap: whether who waits for datagrams does better to sleep for a while than to be woken.
 *
 * Being woken costs the sender as much as ten datagrams, and the receiver too. Where they follow
 * one another they are let gather: who took the last looks again after a nap, and is not woken in
 * between. A nap is short where a flood begins, and as long as is good for the caches while it
 * lasts; a sender that is kept from running for a moment does not end it. Where little comes there
 * is none. */
#ifndef MCAST_UDP_NAP_H
#define MCAST_UDP_NAP_H

#include "mcast/types.h"

#include <stdint.h>

struct udp_nap {
    mcast_time since; /* is when the count began */
    uint64_t came;    /* is how many datagrams came since then */
    mcast_time flood; /* is when many came last */
    mcast_time span;  /* is how long a nap is now; 0 for none */
};

/* Says that @count datagrams, or none, were there at @now. */
void udp_nap_note(struct udp_nap *nap, mcast_time now, uint64_t count);

/* Sleeps for @span, which is less than a second. */
void udp_nap_take(mcast_time span);

#endif
