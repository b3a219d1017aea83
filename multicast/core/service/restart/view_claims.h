/* Service claim: what members say of one view, and whether it stands (rule 1.0.12). */
#ifndef MCAST_CORE_SERVICE_CLAIM_H
#define MCAST_CORE_SERVICE_CLAIM_H

#include "service/restart/reports.h"

/* What members say of one view. Where they disagree there is a claim for each thing said, and those
 * who know the newest epoch make the first of them. */
struct service_claim {
    mcast_view name;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    const struct mcast_sm_view *word; /* is the first reporter's */
    uint32_t *groups;                 /* are slots, ascending: those of the first reporter */
    size_t group_count;
    mcast_epoch epoch; /* is the newest epoch that one of them knows */
    size_t votes;      /* is the count of members who say this */
    bool disagreed;    /* others say something else, or nothing yet */
    bool disputed;     /* does not stand: its members get a fresh view */
    bool outvoted;     /* another claim of that name stands, and is told to those who made this */
};

/* Puts what the reports say of views in force into claims. 0 or MCAST_ENOMEM. */
int mcast_service_claims_make(struct service_rebuild *rebuild);

/* Puts the claims that stand in force as they are. 0 or MCAST_ENOMEM. */
int mcast_service_claims_adopt(struct service_rebuild *rebuild);

#endif
