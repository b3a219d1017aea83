/* SLOW: a node fell behind its region. Its leader reports it, the service confirms it to all
 * members of the view, and from then on nobody waits for that node (rule 1.0.4). A report of zero
 * bytes behind, by the node itself, takes it back. Reports of others are ignored. */
#include "service/node.h"
#include "service/output.h"
#include "service/recv/recv.h"

/* True if @node is the first living member of @view: its leader, as everybody knows. */
static bool leads(const struct mcast_service *service, const struct service_view *view,
                  const struct service_node *node) {
    for (size_t i = 0; i < view->member_count; i++) {
        const struct service_node *member = service_node_at(service, view->members[i]);
        if (member == node || !member->dead) {
            return member == node;
        }
    }
    return false;
}

void mcast_service_recv_slow(struct mcast_service *service, struct service_node *node,
                             const struct mcast_service_message *message) {
    struct service_node *other = mcast_service_node_named(service, message->as.slow.node);
    const struct service_view *view = NULL;
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        if (node->now[h] != NULL && node->now[h]->name == message->as.slow.view) {
            view = node->now[h];
        }
    }
    if (other == NULL || view == NULL || !mcast_bits_has(&view->bits, other->slot) ||
        (other != node && !leads(service, view, node))) {
        return;
    }
    struct mcast_service_message confirm = {.kind = MCAST_SM_DEMOTE};
    confirm.as.demote.view = view->name;
    confirm.as.demote.node = other->name;
    confirm.as.demote.demoted = message->as.slow.behind > 0;
    for (size_t i = 0; i < view->member_count; i++) {
        const struct service_node *member = service_node_at(service, view->members[i]);
        if (member->connection != 0) {
            mcast_service_out_send(service, member->connection, &confirm);
        }
    }
}
