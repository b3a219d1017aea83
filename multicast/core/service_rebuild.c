#include "service_rebuild.h"
#include "mcast/error.h"
int mcast_service_rebuild(struct mcast_service *service) {
    (void)service;
    return MCAST_OK;
}
