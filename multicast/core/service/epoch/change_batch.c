#include "service/epoch/change_batch.h"

void mcast_service_change_batch_begin(struct mcast_service *service) {
    service->dirty = false;
    service->not_before = service->now + service->config.batch;
}

bool mcast_service_change_batch_is_due(const struct mcast_service *service) {
    return service->dirty && service->now >= service->not_before;
}

mcast_time mcast_service_change_batch_end(const struct mcast_service *service) {
    return service->not_before;
}
