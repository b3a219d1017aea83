/* Service groups: their short names, and the classes of groups that have the same regions. */
#ifndef MCAST_CORE_SERVICE_GROUP_H
#define MCAST_CORE_SERVICE_GROUP_H

#include "service/state.h"

/* The slot of the group with @id, or SERVICE_NO_GROUP. */
uint32_t mcast_service_group_find(const struct mcast_service *service, struct mcast_id id);

/* The slot of the group with the short name @name, or SERVICE_NO_GROUP. */
uint32_t mcast_service_group_named(const struct mcast_service *service, uint32_t name);

/* Stores in @slot that of the group with @id, which is made when there is none, under the short
 * name
 * @name or, if that is 0, a fresh one. 0, MCAST_ENOMEM, or MCAST_EFULL when there are too many. */
int mcast_service_group_obtain(struct mcast_service *service, struct mcast_id id, uint32_t name,
                               uint32_t *slot);

/* Forgets the group in @slot if nobody is in it, sends to it or asks for it. */
void mcast_service_group_release(struct mcast_service *service, uint32_t slot);

/* Proposes that the group in @slot is of the class @next; the plan takes note of the group. */
void mcast_service_group_propose(struct mcast_service *service, uint32_t slot,
                                 struct service_class *next);

/* The class with the regions of @from and @region besides, or without it. The caller draws a new
 * service->stamp for each (region, add), and the answer is remembered for that long. NULL without
 * memory. A class that nobody proposes is ended by the next change, so propose it at once. */
struct service_class *mcast_service_class_change(struct mcast_service *service,
                                                 struct service_class *from,
                                                 struct service_region *region, bool add);

/* Takes note that a group no longer has @old as its now or next. */
void mcast_service_class_release(struct mcast_service *service, struct service_class *old);

void mcast_service_groups_free(struct mcast_service *service);

#endif
