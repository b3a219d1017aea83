#define _GNU_SOURCE
#include "udp_nap.h"

#include <time.h>

enum { MANY = 4 /* is how many datagrams within QUICK are a flood */ };

#define QUICK MCAST_MILLISECOND
#define SHORTEST (100 * MCAST_MICROSECOND)
#define LONGEST (400 * MCAST_MICROSECOND)

static void begin(struct udp_nap *nap, mcast_time now, mcast_time span) {
    *nap = (struct udp_nap){.since = now, .span = span};
}

void udp_nap_note(struct udp_nap *nap, mcast_time now, uint64_t count) {
    mcast_time gone = now - nap->since;
    nap->came += count;
    if (nap->came >= MANY && nap->came * QUICK >= MANY * gone) {
        mcast_time longer = nap->span == 0 ? SHORTEST : 2 * nap->span;
        begin(nap, now, longer < LONGEST ? longer : LONGEST);
    } else if (gone >= QUICK) {
        begin(nap, now, 0);
    }
}

void udp_nap_take(mcast_time span) {
    struct timespec moment = {.tv_nsec = (long)span};
    nanosleep(&moment, NULL);
}
