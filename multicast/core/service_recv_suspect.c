/* SUSPECT: tokens stop at a node, says a member of its view.
 *
 * A node that also stopped to speak to the service is removed soon. One that speaks on but lets no
 * token pass is removed when a second member accuses it, or the only other one does again, within
 * the time of suspicion: two hiccups hours apart are no reason. */
#include "service_node.h"
#include "service_recv.h"

#include "mcast/error.h"

static const struct service_view *shared_view(const struct service_node *one,
                                              const struct service_node *other, mcast_view name) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        const struct service_view *view = one->now[h];
        if (view != NULL && view->name == name && mcast_bits_has(&view->bits, other->slot)) {
            return view;
        }
    }
    return NULL;
}

void mcast_service_recv_suspect(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message) {
    struct service_node *other = mcast_service_node_named(service, message->as.suspect.node);
    if (other == NULL || other == node || !service_node_stays(other)) {
        return;
    }
    const struct service_view *view = shared_view(node, other, message->as.suspect.view);
    if (view == NULL || service->now < service->quiet_until) {
        return;
    }
    mcast_time probe = service->now + 2 * service->config.heartbeat;
    if (mcast_timer_is_set(&other->silence.timer) && other->silence.timer.deadline > probe) {
        (void)mcast_heap_set(&service->timers, &other->silence.timer, probe);
    }
    if (service->now - other->accused > service->config.suspicion) {
        mcast_bits_clear(&other->accusers);
        other->accused = service->now;
    }
    bool again = mcast_bits_has(&other->accusers, node->slot);
    bool another = !mcast_bits_is_empty(&other->accusers) && !again;
    if (another || (again && view->member_count == 2)) {
        mcast_service_node_kill(service, other, MCAST_EEVICTED);
        return;
    }
    (void)mcast_bits_add(&other->accusers, service->alloc, node->slot);
}
