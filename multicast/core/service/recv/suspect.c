/* SUSPECT: tokens stop at a node, says a member of its view.
 *
 * A node that also stopped to speak to the service is removed soon. One that speaks on but lets no
 * token pass is removed when a second member accuses it, or one that sits before it does again,
 * within the time of suspicion and not at once: two hiccups hours apart are no reason. Rounds begin
 * at the first seat of those they visit, so it is who leads them that calls in vain.
 *
 * One that stands still while senders have no room left to keep for it is removed at once (rule
 * 1.0.4): its leader says so, or who sits next where all before it are accused by the same. That is
 * so after a start of the service as well, as soon as it knows the views: who accuses has called
 * the region itself, and did not conclude it from who speaks to the service. */
#include "service/node.h"
#include "service/recv/recv.h"

#include "mcast/error.h"

static const struct service_view *shared_view(const struct mcast_service *service,
                                              const struct service_node *one,
                                              const struct service_node *other, mcast_view name) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        const struct service_view *view = one->now[h];
        if (view != NULL && view->name == name && mcast_bits_has(&view->bits, other->slot)) {
            return view;
        }
    }
    /* A view that closed ends by its tokens, and they may stop there while others change. */
    for (size_t i = 0; i < service->closing.count; i++) {
        const struct service_view *view = service_closing_at(service, i);
        if (view->name == name && mcast_bits_has(&view->bits, one->slot) &&
            mcast_bits_has(&view->bits, other->slot)) {
            return view;
        }
    }
    return NULL;
}

/* Whether all of @view who sit before @node, but for @other, are accused by it, or dead. */
static bool speaks_for(const struct mcast_service *service, const struct service_view *view,
                       const struct service_node *node, const struct service_node *other) {
    for (size_t i = 0; i < view->member_count; i++) {
        const struct service_node *before = service_node_at(service, view->members[i]);
        if (before == node) {
            return true;
        }
        if (before == NULL || before == other || before->dead) {
            continue; /* of a view that closes some may be forgotten */
        }
        if (!mcast_bits_has(&before->accusers, node->slot) ||
            service->now - before->accused > service->config.suspicion) {
            return false;
        }
    }
    return false;
}

/* Whether an accusation may be believed now: after a start the silent may merely not have come yet.
 */
static bool is_trusted(const struct mcast_service *service, bool full) {
    return full ? service->phase != SERVICE_RECOVERING : service->now >= service->quiet_until;
}

void mcast_service_recv_suspect(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message) {
    struct service_node *other = mcast_service_node_named(service, message->as.suspect.node);
    if (other == NULL || other == node || !service_node_stays(other)) {
        return;
    }
    const struct service_view *view = shared_view(service, node, other, message->as.suspect.view);
    bool full = message->as.suspect.full;
    if (view == NULL || !is_trusted(service, full)) {
        return;
    }
    mcast_time probe = service->now + 2 * service->config.heartbeat;
    if (mcast_timer_is_set(&other->silence.timer) && other->silence.timer.deadline > probe) {
        (void)mcast_heap_set(&service->timers, &other->silence.timer, probe);
    }
    if (mcast_bits_is_empty(&other->accusers) ||
        service->now - other->accused > service->config.suspicion) {
        mcast_bits_clear(&other->accusers);
        other->accused = service->now;
    }
    bool said = mcast_bits_has(&other->accusers, node->slot);
    bool again = said && service->now - other->accused >= service->config.heartbeat;
    bool another = !mcast_bits_is_empty(&other->accusers) && !said;
    if (full ? speaks_for(service, view, node, other)
             : another || (again && (node->name < other->name || view->member_count == 2))) {
        mcast_service_node_kill(service, other, full ? MCAST_EBEHIND : MCAST_EEVICTED);
        return;
    }
    (void)mcast_bits_add(&other->accusers, service->alloc, node->slot);
}
