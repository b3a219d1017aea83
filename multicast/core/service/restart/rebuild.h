/* Service rebuild: the committed state, made out of what members reported (rule 1.0.12). */
#ifndef MCAST_CORE_SERVICE_REBUILD_H
#define MCAST_CORE_SERVICE_REBUILD_H

#include "service/state.h"

/* Makes nodes, groups, regions and closed views out of the reports. All who reported are then to be
 * told everything. 0, or MCAST_ENOMEM; it may be tried again, what was made is found there. */
int mcast_service_rebuild(struct mcast_service *service);

#endif
