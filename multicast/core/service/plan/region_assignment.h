/* Target: the region that each mover goes to, hierarchy by hierarchy. */
#ifndef MCAST_SERVICE_PLAN_REGION_ASSIGNMENT_H
#define MCAST_SERVICE_PLAN_REGION_ASSIGNMENT_H

#include "service/plan/plan.h"

/* Start the targets of a plan with one for each existing region. Return 0 or MCAST_ENOMEM. */
int mcast_service_target_begin(struct mcast_service *service);

/* Find the target of @node in every hierarchy from its groups and its request. Store in @moves if
 * anything changes for it. Return 0 or MCAST_ENOMEM. */
int mcast_service_target_choose(struct mcast_service *service, struct service_node *node,
                                bool *moves);

/* True if @node would have to enter or leave a region where nothing may change. */
bool mcast_service_target_blocked(const struct service_node *node);

/* Count @node as moving to its targets. Return 0 or MCAST_ENOMEM. */
int mcast_service_target_go(struct mcast_service *service, struct service_node *node);

/* Choose the region of each target: its own, an inherited one, or a new one. Store in @short_of how
 * many addresses are missing; the targets without an address have no region. Return 0 or
 * MCAST_ENOMEM. */
int mcast_service_target_settle(struct mcast_service *service, size_t *short_of);

void mcast_service_target_clear(struct mcast_service *service);

#endif
