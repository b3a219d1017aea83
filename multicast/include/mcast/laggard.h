/* Laggards: whom a member waits for. They are told to who asks, and steer nothing. */
#ifndef MCAST_LAGGARD_H
#define MCAST_LAGGARD_H

#include "mcast/types.h"

#include <stddef.h>
#include <stdint.h>

struct mcast_member;

enum mcast_laggard_kind {
    MCAST_LAGGARD_SILENT = 1, /* answers nothing, or passes no token on */
    MCAST_LAGGARD_BEHIND,     /* lacks something that this member sent */
    MCAST_LAGGARD_DEMOTED,    /* was so slow that the others go on without it */
    MCAST_LAGGARD_BRAKING,    /* its application asks senders of a group to wait */
};

struct mcast_laggard {
    mcast_node node;
    enum mcast_laggard_kind kind;
    uint32_t group;   /* BRAKING: this member's number of it */
    uint64_t packets; /* are under way where it is the one that is waited for */
    mcast_time age;   /* is for how long, as far as this member knows; DEMOTED, BRAKING: 0 */
};

/* Whom @member waits for at @now, each node and kind once; of BRAKING, once a group. Stores up to
 * @most and returns how many. What is over in half a second is nobody's fault. */
size_t mcast_member_laggards(const struct mcast_member *member, mcast_time now,
                             struct mcast_laggard *laggards, size_t most);

#endif
