/* Proposal: the views, classes and view numbers that follow from the targets. */
#ifndef MCAST_SERVICE_PLAN_PROPOSAL_H
#define MCAST_SERVICE_PLAN_PROPOSAL_H

#include "service/plan/plan.h"

/* Propose the views of all regions that the movers change. Return 0 or MCAST_ENOMEM. */
int mcast_service_proposal_views(struct mcast_service *service);

/* Propose the classes of the groups of these regions, and the view numbers of groups with a joining
 * or leaving member. Return 0 or MCAST_ENOMEM. */
int mcast_service_proposal_groups(struct mcast_service *service);

/* Propose the groups that @node sends to from outside. Return 0 or MCAST_ENOMEM. */
int mcast_service_proposal_senders(struct mcast_service *service, struct service_node *node);

/* Record in the plan that something about the group in @slot changes. Return 0 or MCAST_ENOMEM. */
int mcast_service_proposal_touch(struct mcast_service *service, uint32_t slot);

#endif
