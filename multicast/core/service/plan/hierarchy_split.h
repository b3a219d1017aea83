/* Hierarchy split: when and how the groups are distributed over hierarchies anew (spec/qsm.md 1.4).
 *
 * A group keeps its hierarchy. Only when the count of links between nodes and groups has doubled or
 * halved since the last time, and some region is too small, are all groups placed again; each stays
 * in its hierarchy if that still accepts it, because a move changes the view of all its members. */
#ifndef MCAST_SERVICE_PLAN_HIERARCHY_SPLIT_H
#define MCAST_SERVICE_PLAN_HIERARCHY_SPLIT_H

#include "service/state.h"

/* True if the groups are due to be distributed anew. */
bool mcast_service_split_is_due(const struct mcast_service *service);

/* Propose hierarchies if that is due, and record it in the plan. Return 0 or MCAST_ENOMEM. */
int mcast_service_split_groups(struct mcast_service *service);

/* Make the proposed hierarchies those of the groups, or discard them. */
void mcast_service_split_settle(struct mcast_service *service, bool commit);

#endif
