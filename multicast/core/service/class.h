/* Classes: a class stands for all groups that share their regions. */
#ifndef MCAST_SERVICE_CLASS_H
#define MCAST_SERVICE_CLASS_H

#include "service/state.h"

/* The class without regions, made if there is none. NULL without memory. */
struct service_class *mcast_service_class_empty(struct mcast_service *service);

/* The class with the regions of @from plus @region, or minus it. The caller draws a new
 * service->stamp for each (region, add); the answer is cached for that long. NULL without memory.
 * Propose the class at once: an unused class is freed by the next change. */
struct service_class *mcast_service_class_change(struct mcast_service *service,
                                                 struct service_class *from,
                                                 struct service_region *region, bool add);

/* Record that a group no longer has @old as its current or next class. */
void mcast_service_class_release(struct mcast_service *service, struct service_class *old);

void mcast_service_classes_free(struct mcast_service *service);

#endif
