/* Laggards: the members that a member waits for. For display only; nothing depends on them. */
#ifndef MCAST_LAGGARD_H
#define MCAST_LAGGARD_H

#include "mcast/types.h"

#include <stddef.h>
#include <stdint.h>

struct mcast_member;

enum mcast_laggard_kind {
    MCAST_LAGGARD_SILENT = 1, /* answers nothing, or passes no token on */
    MCAST_LAGGARD_BEHIND,     /* lacks packets that this member sent */
    MCAST_LAGGARD_DEMOTED,    /* was so slow that the others go on without it */
    MCAST_LAGGARD_BRAKING,    /* its application asks the senders of a group to pause */
};

struct mcast_laggard {
    mcast_node node;
    enum mcast_laggard_kind kind;
    uint32_t group;   /* BRAKING: the number of the group at this member */
    uint64_t packets; /* packets under way that only it has not acknowledged */
    mcast_time age;   /* for how long, as far as this member knows; DEMOTED, BRAKING: 0 */
};

/* Store the members that @member waits for at @now, each once for each kind; for BRAKING, once for
 * each group. Store up to @most and return their count. A wait of less than half a second is not
 * reported. */
size_t mcast_member_laggards(const struct mcast_member *member, mcast_time now,
                             struct mcast_laggard *laggards, size_t most);

#endif
