/* Service hybrid: groups that have an address of their own beside those of their regions
 * (spec/qsm.md 1.6).
 *
 * A group that is carried by many regions costs a datagram to each. The service gives one that has
 * at least so many as its configuration says an address, which the group keeps as long as it is
 * there, and tells it, with the epoch, to all who are in the group or send to it. Those who are to
 * listen there must have answered before anybody sends to it, so no group gets one while a member
 * of it does not answer. At most half of the addresses go to groups: the rest is for regions. */
#ifndef MCAST_CORE_SERVICE_HYBRID_H
#define MCAST_CORE_SERVICE_HYBRID_H

#include "service/plan/plan.h"

/* Proposes an address for each group that is to have one and has none. 0 or MCAST_ENOMEM. */
int mcast_service_hybrid_propose(struct mcast_service *service);

/* Makes the address that was proposed for @group the one it has, or takes it back. */
void mcast_service_hybrid_settle(struct mcast_service *service, struct service_group *group,
                                 bool commit);

/* @group ends; its address rests. */
void mcast_service_hybrid_release(struct mcast_service *service, struct service_group *group);

/* A member reports to a new service that a group has this address. What cannot be is passed over:
 * the group has another or none, and all who report are told. */
void mcast_service_hybrid_adopt(struct mcast_service *service, const struct mcast_sm_hybrid *told);

#endif
