/* Update: the PREPARE for each node that a proposal concerns. */
#ifndef MCAST_SERVICE_UPDATE_UPDATE_H
#define MCAST_SERVICE_UPDATE_UPDATE_H

#include "service/plan/plan.h"

/* Send a PREPARE to each connected node that has something to learn, mark it as told, and mark
 * those whose answer is required. Store in @told how many were. Return 0, or MCAST_ENOMEM: some may
 * have been told, and the proposal has to be given up; a later PREPARE replaces this one. */
int mcast_service_update_send(struct mcast_service *service, size_t *told);

#endif
