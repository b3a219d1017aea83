/* REPORT: the state of a member after a lost connection or a restart of the service. */
#include "base/sort.h"
#include "service/epoch/epoch.h"
#include "service/group.h"
#include "service/node.h"
#include "service/recv/recv.h"
#include "service/recv/report_limits.h"
#include "service/restart/gather.h"

#include "mcast/error.h"

static bool is_in(const struct service_node *node, uint32_t slot) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        const struct service_view *view = node->now[h];
        if (view != NULL && mcast_sort_has_u32(view->groups, view->group_count, slot)) {
            return true;
        }
    }
    return mcast_sort_has_u32(node->senders, node->sender_count, slot);
}

static bool push(struct mcast_service *service, struct mcast_vector *list, uint32_t value) {
    uint32_t *place = mcast_vector_push(list, service->alloc, sizeof *place);
    if (place != NULL) {
        *place = value;
    }
    return place != NULL;
}

/* List the groups that the member wrongly believes to be in, and the nodes that no longer exist. */
static bool compare(struct mcast_service *service, struct service_node *node,
                    const struct mcast_sm_report *report) {
    bool kept = true;
    node->gone.count = 0;
    node->lost.count = 0;
    for (size_t i = 0; i < report->group_count && kept; i++) {
        uint32_t slot = mcast_service_group_named(service, report->groups[i].short_name);
        if (slot == SERVICE_NO_GROUP || !is_in(node, slot)) {
            kept = push(service, &node->gone, report->groups[i].short_name);
        }
    }
    for (size_t i = 0; i < report->node_count && kept; i++) {
        const struct service_node *other = mcast_service_node_named(service, report->nodes[i].node);
        if (other == NULL || other->dead) {
            kept = push(service, &node->lost, report->nodes[i].node);
        }
    }
    return kept;
}

static bool knows_view(const struct mcast_service *service, mcast_view name) {
    for (size_t i = 0; i < service->closing.count; i++) {
        if (service_closing_at(service, i)->name == name) {
            return true;
        }
    }
    for (size_t i = 0; i < service->regions.count; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        if (view != NULL && view->name == name) {
            return true;
        }
    }
    return false;
}

int mcast_service_report_over(struct mcast_service *service, struct service_node *node,
                              const struct mcast_sm_report *report) {
    node->over.count = 0;
    for (size_t i = 0; i < report->outbound_count; i++) {
        if (knows_view(service, report->outbound[i])) {
            continue;
        }
        mcast_view *place = mcast_vector_push(&node->over, service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = report->outbound[i];
    }
    return MCAST_OK;
}

static bool reports_view(const struct mcast_sm_report *report, mcast_view name) {
    for (size_t i = 0; i < report->old_view_count; i++) {
        if (report->old_views[i] == name) {
            return true;
        }
    }
    for (size_t i = 0; i < report->view_count; i++) {
        if (report->views[i].view == name) {
            return true;
        }
    }
    return false;
}

/* A view that the member does not hold any more is ended, though its message about that was lost. A
 * view that it never knew is sent to it instead. */
static void end_views(struct mcast_service *service, struct service_node *node,
                      const struct mcast_sm_report *report) {
    for (size_t i = 0; i < service->closing.count; i++) {
        struct service_view *view = service_closing_at(service, i);
        if (mcast_bits_has(&view->unended, node->slot) && report->epoch >= view->opened_by &&
            !reports_view(report, view->name)) {
            mcast_bits_remove(&view->unended, node->slot);
        }
    }
}

void mcast_service_recv_report(struct mcast_service *service, struct service_node *node,
                               struct mcast_service_message *message) {
    if (!node->awaited) {
        return;
    }
    if (!mcast_service_sound_report(service, &message->as.report)) {
        service->stats.malformed++;
        mcast_service_node_kill(service, node, MCAST_EEVICTED); /* it starts anew */
        return;
    }
    if (service->phase == SERVICE_RECOVERING) {
        mcast_service_recover_report(service, node, message);
        return;
    }
    mcast_service_epoch_give_up(service);
    if (node->late) {
        mcast_service_recover_late(service, node, message);
        return;
    }
    if (!compare(service, node, &message->as.report) ||
        mcast_service_node_learn(service, node, &message->as.report) != MCAST_OK ||
        mcast_service_report_over(service, node, &message->as.report) != MCAST_OK) {
        mcast_service_refuse(service, node->connection, MCAST_ENOMEM);
        mcast_service_node_disconnect(service, node);
        return;
    }
    if (node->unheard && node->gone.count > 0) {
        mcast_service_node_kill(service, node, MCAST_EEVICTED); /* its place is lost */
        return;
    }
    node->unheard = false;
    end_views(service, node, &message->as.report);
    node->awaited = false;
    node->resync = true;
    service->dirty = true;
}
