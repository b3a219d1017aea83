#include "wire/service_message.h"
#include "base/memory.h"

static void free_views(const struct mcast_alloc *alloc, struct mcast_sm_view *views, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mcast_memory_free(alloc, views[i].parents, views[i].parent_count, sizeof(mcast_view));
        mcast_memory_free(alloc, views[i].gone, views[i].gone_count, sizeof(mcast_node));
        mcast_memory_free(alloc, views[i].members, views[i].member_count, sizeof(mcast_node));
    }
    mcast_memory_free(alloc, views, count, sizeof *views);
}

static void free_classes(const struct mcast_alloc *alloc, struct mcast_sm_class *classes,
                         size_t count) {
    for (size_t i = 0; i < count; i++) {
        mcast_memory_free(alloc, classes[i].views, classes[i].view_count, sizeof(mcast_view));
    }
    mcast_memory_free(alloc, classes, count, sizeof *classes);
}

static void free_nodes(const struct mcast_alloc *alloc, struct mcast_sm_node *nodes, size_t count) {
    mcast_memory_free(alloc, nodes, count, sizeof *nodes);
}

static void free_update(const struct mcast_alloc *alloc, struct mcast_sm_update *update) {
    free_nodes(alloc, update->nodes, update->node_count);
    free_views(alloc, update->views, update->view_count);
    free_classes(alloc, update->classes, update->class_count);
    mcast_memory_free(alloc, update->runs, update->run_count, sizeof *update->runs);
    mcast_memory_free(alloc, update->closing, update->closing_count, sizeof *update->closing);
    mcast_memory_free(alloc, update->dead, update->dead_count, sizeof *update->dead);
    mcast_memory_free(alloc, update->hybrids, update->hybrid_count, sizeof *update->hybrids);
}

static void free_report(const struct mcast_alloc *alloc, struct mcast_sm_report *report) {
    free_views(alloc, report->views, report->view_count);
    mcast_memory_free(alloc, report->old_views, report->old_view_count, sizeof(mcast_view));
    mcast_memory_free(alloc, report->outbound, report->outbound_count, sizeof(mcast_view));
    free_views(alloc, report->prepared, report->prepared_count);
    free_nodes(alloc, report->nodes, report->node_count);
    mcast_memory_free(alloc, report->dead, report->dead_count, sizeof *report->dead);
    free_classes(alloc, report->classes, report->class_count);
    mcast_memory_free(alloc, report->groups, report->group_count, sizeof *report->groups);
    mcast_memory_free(alloc, report->hybrids, report->hybrid_count, sizeof *report->hybrids);
}

void mcast_service_message_free(const struct mcast_alloc *alloc,
                                struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_REPORT:
        free_report(alloc, &message->as.report);
        break;
    case MCAST_SM_CHANGE:
        mcast_memory_free(alloc, message->as.change.items, message->as.change.count,
                          sizeof *message->as.change.items);
        break;
    case MCAST_SM_CLOSED:
        mcast_memory_free(alloc, message->as.closed.finals, message->as.closed.count,
                          sizeof *message->as.closed.finals);
        break;
    case MCAST_SM_PREPARE:
        free_update(alloc, &message->as.prepare.update);
        break;
    case MCAST_SM_CHANGED:
        mcast_memory_free(alloc, message->as.changed.items, message->as.changed.count,
                          sizeof *message->as.changed.items);
        break;
    case MCAST_SM_VIEW_CLOSED:
        mcast_memory_free(alloc, message->as.view_closed.finals, message->as.view_closed.count,
                          sizeof *message->as.view_closed.finals);
        mcast_memory_free(alloc, message->as.view_closed.dead, message->as.view_closed.dead_count,
                          sizeof *message->as.view_closed.dead);
        break;
    case MCAST_SM_MEMBERS:
        free_nodes(alloc, message->as.members.nodes, message->as.members.count);
        break;
    default:
        break;
    }
    *message = (struct mcast_service_message){.kind = message->kind};
}
