/* Answer: the reply of the service to a CHANGE of a member.
 *
 * A reply carries the short names of groups and goes just before the COMMIT that carries the
 * groups: a member can neither deliver a message of a group nor read a run of groups before it
 * knows the names. */
#ifndef MCAST_SERVICE_EPOCH_ANSWER_H
#define MCAST_SERVICE_EPOCH_ANSWER_H

#include "service/state.h"

/* Answer those of @items, of the latest CHANGE of @node, that have no answer yet. */
void mcast_service_answer(struct mcast_service *service, struct service_node *node,
                          const struct service_item *items, size_t count);

/* Answer all requests that the epoch just committed grants. */
void mcast_service_answer_epoch(struct mcast_service *service);

#endif
