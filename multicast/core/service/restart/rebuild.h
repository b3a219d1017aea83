/* Rebuild: make the committed state from the reports of members (rule 1.0.12). */
#ifndef MCAST_SERVICE_RESTART_REBUILD_H
#define MCAST_SERVICE_RESTART_REBUILD_H

#include "service/state.h"

/* Make nodes, groups, regions and closed views from the reports. Afterwards all reporters are to be
 * sent everything. Return 0, or MCAST_ENOMEM; then it may be repeated and finds what was made. */
int mcast_service_rebuild(struct mcast_service *service);

#endif
