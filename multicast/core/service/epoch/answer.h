/* Service answer: what a member is told of the CHANGE that it asked for.
 *
 * An answer brings the short names of groups, and goes just before the COMMIT that brings the
 * groups: no message of a group is handed on, and no run of it understood, before its name is
 * known. */
#ifndef MCAST_CORE_SERVICE_ANSWER_H
#define MCAST_CORE_SERVICE_ANSWER_H

#include "service/state.h"

/* Answers those of @items, of the latest CHANGE of @node, that are not answered yet. */
void mcast_service_answer(struct mcast_service *service, struct service_node *node,
                          const struct service_item *items, size_t count);

/* Answers what the epoch that was just committed grants. */
void mcast_service_answer_epoch(struct mcast_service *service);

#endif
