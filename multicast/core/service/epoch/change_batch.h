/* Change batch: joins and leaves are collected for `batch` (50 ms), so that many of them cost one
 * epoch (rule 1.0.5). The first change after a quiet time does not wait. */
#ifndef MCAST_SERVICE_EPOCH_CHANGE_BATCH_H
#define MCAST_SERVICE_EPOCH_CHANGE_BATCH_H

#include "service/state.h"

#include <stdbool.h>

/* Begin to collect: what changes from now on waits for the next epoch. */
void mcast_service_change_batch_begin(struct mcast_service *service);

/* True when changes wait and may be proposed. */
bool mcast_service_change_batch_is_due(const struct mcast_service *service);

/* The time from which the next epoch may be proposed. */
mcast_time mcast_service_change_batch_end(const struct mcast_service *service);

#endif
