/* SUSPECT: a member of a view reports that tokens stop at a node.
 *
 * A node that is also silent towards the service is removed soon. A node that talks to the service
 * but stops tokens is removed when a second member accuses it, or when a member that sits before it
 * accuses it again, within the suspicion time but not at once: two hiccups hours apart are no
 * reason. A round starts at the first seat that it visits, so it is the leader of the round that
 * calls in vain.
 *
 * A node that stands still while senders have no room left to keep packets for it is removed at
 * once (rule 1.0.4), if its leader says so, or the next seat when all before it are accused by the
 * same member. This holds after a restart of the service too, as soon as it knows the views: the
 * accuser has called the node itself and did not conclude it from who talks to the service. */
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
    /* A closed view ends by its tokens, and they may stop there while other views change. */
    for (size_t i = 0; i < service->closing.count; i++) {
        const struct service_view *view = service_closing_at(service, i);
        if (view->name == name && mcast_bits_has(&view->bits, one->slot) &&
            mcast_bits_has(&view->bits, other->slot)) {
            return view;
        }
    }
    return NULL;
}

/* True if every member of @view that sits before @node, except @other, is dead or accused by it. */
static bool is_next_in_charge(const struct mcast_service *service, const struct service_view *view,
                              const struct service_node *node, const struct service_node *other) {
    for (size_t i = 0; i < view->member_count; i++) {
        const struct service_node *before = service_node_at(service, view->members[i]);
        if (before == node) {
            return true;
        }
        if (before == NULL || before == other || before->dead) {
            continue; /* some members of a closing view may be forgotten already */
        }
        if (!mcast_bits_has(&before->accusers, node->slot) ||
            service->now - before->accused > service->config.suspicion) {
            return false;
        }
    }
    return false;
}

/* True if an accusation may be believed now: after a restart, silent nodes may just not have
 * reconnected yet. */
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
    if (full ? is_next_in_charge(service, view, node, other)
             : another || (again && (node->name < other->name || view->member_count == 2))) {
        mcast_service_node_kill(service, other, full ? MCAST_EBEHIND : MCAST_EEVICTED);
        return;
    }
    (void)mcast_bits_add(&other->accusers, service->alloc, node->slot);
}
