/* Hybrid: groups with an address of their own beside those of their regions (spec/qsm.md 1.6).
 *
 * A message to a group that is carried by many regions costs a datagram for each. A group with at
 * least as many regions as configured gets an address of its own for as long as it exists; its
 * members and senders learn it with an epoch. The members must have answered before anybody sends
 * there, so a group gets no address while one of its members does not answer. Groups get at most
 * half of the addresses; the rest is for regions. */
#ifndef MCAST_SERVICE_PLAN_HYBRID_H
#define MCAST_SERVICE_PLAN_HYBRID_H

#include "service/plan/plan.h"

/* Propose an address for each group that needs one and has none. Return 0 or MCAST_ENOMEM. */
int mcast_service_hybrid_propose(struct mcast_service *service);

/* Make the proposed address of @group its own, or take it back. */
void mcast_service_hybrid_settle(struct mcast_service *service, struct service_group *group,
                                 bool commit);

/* Release the address of @group, which ends; the address rests. */
void mcast_service_hybrid_release(struct mcast_service *service, struct service_group *group);

/* Adopt the address that a member reports for a group to a new service. An impossible one is
 * ignored: the group has another one or none, and all who report are told. */
void mcast_service_hybrid_adopt(struct mcast_service *service, const struct mcast_sm_hybrid *told);

#endif
