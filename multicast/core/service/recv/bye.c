/* BYE: a member leaves in good order. It stays until its views are closed and stable. */
#include "service/node.h"
#include "service/recv/recv.h"

void mcast_service_recv_bye(struct mcast_service *service, struct service_node *node) {
    node->leaving = true;
    service->dirty = true;
}
