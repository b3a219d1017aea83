/* Service split: when and how the groups are dealt into hierarchies anew (spec/qsm.md 1.4).
 *
 * A group keeps its hierarchy. Only when links between nodes and groups have doubled or halved
 * since the last time, and some region is smaller than it should be, are all groups dealt again,
 * each into the hierarchy it is in if that still takes it: a move is a change of view for all in
 * the group. */
#ifndef MCAST_CORE_SERVICE_SPLIT_H
#define MCAST_CORE_SERVICE_SPLIT_H

#include "service/state.h"

/* Whether it is time to deal the groups anew. */
bool mcast_service_split_is_due(const struct mcast_service *service);

/* Proposes hierarchies, if it is time to; says so in the plan. 0 or MCAST_ENOMEM. */
int mcast_service_split_groups(struct mcast_service *service);

/* Makes the proposed hierarchies those of the groups, or forgets them. */
void mcast_service_split_settle(struct mcast_service *service, bool commit);

#endif
