/* MEMBERS_QUERY: the members of a group, answered from the committed state, to nodes that the group
 * concerns. */
#include "base/memory.h"
#include "service/group.h"
#include "service/node.h"
#include "service/output.h"
#include "service/recv/recv.h"

static size_t count_members(const struct service_group *group) {
    size_t count = 0;
    for (size_t i = 0; i < group->now->count; i++) {
        count += group->now->regions[i]->now->member_count;
    }
    return count;
}

static void list_members(struct mcast_service *service, const struct service_group *group,
                         struct mcast_sm_node *nodes) {
    size_t count = 0;
    for (size_t i = 0; i < group->now->count; i++) {
        const struct service_view *view = group->now->regions[i]->now;
        for (size_t j = 0; j < view->member_count; j++) {
            const struct service_node *node = service_node_at(service, view->members[j]);
            nodes[count++] =
                (struct mcast_sm_node){node->name, node->id, node->incarnation, node->address};
        }
    }
}

void mcast_service_recv_members_query(struct mcast_service *service, struct service_node *node,
                                      const struct mcast_service_message *message) {
    struct mcast_service_message answer = {.kind = MCAST_SM_MEMBERS};
    answer.as.members.cookie = message->as.members_query.cookie;
    uint32_t slot = mcast_service_group_named(service, message->as.members_query.group);
    struct mcast_sm_node *nodes = NULL;
    size_t count = 0;
    if (slot != SERVICE_NO_GROUP) {
        const struct service_group *group = service_group_at(service, slot);
        count = count_members(group);
        nodes = mcast_memory_new(service->alloc, count + 1, sizeof *nodes);
        if (nodes == NULL) {
            /* As for every message that cannot be built: the member reconnects and asks again. */
            mcast_service_out_close(service, node->connection);
            mcast_service_node_disconnect(service, node);
            return;
        }
        answer.as.members.view_number = group->number;
        list_members(service, group, nodes);
    }
    answer.as.members.nodes = nodes;
    answer.as.members.count = count;
    mcast_service_out_send(service, node->connection, &answer);
    mcast_memory_free(service->alloc, nodes, nodes == NULL ? 0 : count + 1, sizeof *nodes);
}
