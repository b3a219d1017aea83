/* Service proposal: the views, classes and view numbers that follow from the targets. */
#ifndef MCAST_CORE_SERVICE_PROPOSAL_H
#define MCAST_CORE_SERVICE_PROPOSAL_H

#include "service/plan/plan.h"

/* Proposes the views of all regions that the movers change. 0 or MCAST_ENOMEM. */
int mcast_service_proposal_views(struct mcast_service *service);

/* Proposes the classes of the groups of these regions, and the view numbers of groups that somebody
 * joins or leaves. 0 or MCAST_ENOMEM. */
int mcast_service_proposal_groups(struct mcast_service *service);

/* Proposes what @node sends to from outside. 0 or MCAST_ENOMEM. */
int mcast_service_proposal_senders(struct mcast_service *service, struct service_node *node);

/* Takes note that something about the group in @slot changes. 0 or MCAST_ENOMEM. */
int mcast_service_proposal_touch(struct mcast_service *service, uint32_t slot);

#endif
