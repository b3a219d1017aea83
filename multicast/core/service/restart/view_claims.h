/* View claims: what members say about one view, and the decision if it stands (rule 1.0.12). */
#ifndef MCAST_SERVICE_RESTART_VIEW_CLAIMS_H
#define MCAST_SERVICE_RESTART_VIEW_CLAIMS_H

#include "service/restart/reports.h"

/* One statement about a view. Where members disagree there is a claim for each statement; members
 * with the newest epoch make the first. */
struct service_claim {
    mcast_view name;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    const struct mcast_sm_view *word; /* of the first reporter */
    uint32_t *groups;                 /* slots, ascending, of the first reporter */
    size_t group_count;
    mcast_epoch epoch; /* the newest epoch of its reporters */
    size_t votes;      /* the count of members who say so */
    bool disagreed;    /* other members say something else, or nothing yet */
    bool disputed;     /* rejected: its members get a fresh view */
    bool outvoted;     /* another claim of that name stands and is sent to those who made this one
                        */
};

/* Collect the reports about views in force as claims. Return 0 or MCAST_ENOMEM. */
int mcast_service_claims_make(struct service_rebuild *rebuild);

/* Put the claims that stand in force as they are. Return 0 or MCAST_ENOMEM. */
int mcast_service_claims_adopt(struct service_rebuild *rebuild);

#endif
