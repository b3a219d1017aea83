/* Service claim: what members say of one view, and whether it stands (rule 1.0.12). */
#ifndef MCAST_CORE_SERVICE_CLAIM_H
#define MCAST_CORE_SERVICE_CLAIM_H

#include "service_reports.h"

/* What members say of one view. */
struct service_claim {
    mcast_view name;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    const struct mcast_sm_view *word; /* is the first reporter's */
    uint32_t *groups;                 /* are slots, ascending: those of the first reporter */
    size_t group_count;
    mcast_epoch epoch; /* is the newest epoch that one of them knows */
    bool disputed;
};

/* Puts what the reports say of views in force into claims. 0 or MCAST_ENOMEM. */
int mcast_service_claims_make(struct service_rebuild *rebuild);

/* Puts the claims that stand in force as they are. 0 or MCAST_ENOMEM. */
int mcast_service_claims_adopt(struct service_rebuild *rebuild);

#endif
