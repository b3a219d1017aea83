/* Groups: their slots, ids and short names. */
#ifndef MCAST_SERVICE_GROUP_H
#define MCAST_SERVICE_GROUP_H

#include "service/state.h"

/* The slot of the group with @id, or SERVICE_NO_GROUP. */
uint32_t mcast_service_group_find(const struct mcast_service *service, struct mcast_id id);

/* The slot of the group with the short name @name, or SERVICE_NO_GROUP. */
uint32_t mcast_service_group_named(const struct mcast_service *service, uint32_t name);

/* Store in @slot the slot of the group with @id. A missing group is made, under the short name
 * @name or, if that is 0, a fresh one. Return 0, MCAST_ENOMEM, or MCAST_EFULL if there are too many
 * groups. */
int mcast_service_group_obtain(struct mcast_service *service, struct mcast_id id, uint32_t name,
                               uint32_t *slot);

/* Forget the group in @slot if it has no members, senders or requests. */
void mcast_service_group_release(struct mcast_service *service, uint32_t slot);

/* Propose the class @next for the group in @slot and record the group in the plan. */
void mcast_service_group_propose(struct mcast_service *service, uint32_t slot,
                                 struct service_class *next);

void mcast_service_groups_free(struct mcast_service *service);

#endif
