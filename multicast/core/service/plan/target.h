/* Service target: where each mover goes, hierarchy by hierarchy. */
#ifndef MCAST_CORE_SERVICE_TARGET_H
#define MCAST_CORE_SERVICE_TARGET_H

#include "service/plan/plan.h"

/* Begins the targets of a plan: one for each region there is. 0 or MCAST_ENOMEM. */
int mcast_service_target_begin(struct mcast_service *service);

/* Finds the target of @node in every hierarchy by what it has and what it wants. Stores in @moves
 * whether anything changes for it. 0 or MCAST_ENOMEM. */
int mcast_service_target_choose(struct mcast_service *service, struct service_node *node,
                                bool *moves);

/* Whether the way of @node to its targets leads through a region where nothing may change. */
bool mcast_service_target_blocked(const struct service_node *node);

/* Takes @node's way to its targets into account. 0 or MCAST_ENOMEM. */
int mcast_service_target_go(struct mcast_service *service, struct service_node *node);

/* Decides in which region each target is: its own, one that it inherits, or a new one. Stores in
 * @short_of how many addresses are missing; the targets that miss one have no region. 0 or
 * MCAST_ENOMEM. */
int mcast_service_target_settle(struct mcast_service *service, size_t *short_of);

void mcast_service_target_clear(struct mcast_service *service);

#endif
