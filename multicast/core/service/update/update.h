/* Service update: the PREPARE for each node that a proposal concerns. */
#ifndef MCAST_CORE_SERVICE_UPDATE_H
#define MCAST_CORE_SERVICE_UPDATE_H

#include "service/plan/plan.h"

/* Sends a PREPARE to each connected node that has something to learn, marks it told, and marks
 * those whose answer must be waited for. Stores in @told how many were. 0, or MCAST_ENOMEM: then
 * some may have been told, and the proposal is to be given up; a later PREPARE takes the place of
 * this one. */
int mcast_service_update_send(struct mcast_service *service, size_t *told);

#endif
