#define _GNU_SOURCE
#include "sockets/wake_policy.h"

#include <stdbool.h>
#include <time.h>

enum { MANY = 4 /* datagrams within QUICK that count as a flood */ };

#define QUICK MCAST_MILLISECOND
#define PAUSE (4 * MCAST_MILLISECOND) /* how long a flood may pause */
#define SHORTEST (100 * MCAST_MICROSECOND)
#define LONGEST (400 * MCAST_MICROSECOND)

void udp_nap_note(struct udp_nap *nap, mcast_time now, uint64_t count) {
    mcast_time gone = now - nap->since;
    nap->came += count;
    bool many = nap->came >= MANY && nap->came * QUICK >= MANY * gone;
    if (many) {
        mcast_time longer = nap->span == 0 ? SHORTEST : 2 * nap->span;
        nap->span = longer < LONGEST ? longer : LONGEST;
        nap->flood = now;
    } else if (now - nap->flood >= PAUSE) {
        nap->span = 0;
    }
    if (many || gone >= QUICK) {
        nap->since = now;
        nap->came = 0;
    }
}

void udp_nap_take(mcast_time span) {
    struct timespec moment = {.tv_nsec = (long)span};
    nanosleep(&moment, NULL);
}
