/* CHANGE: the groups that a member asks to join, leave and send to. */
#include "base/memory.h"
#include "service/epoch/answer.h"
#include "service/group.h"
#include "service/node.h"
#include "service/output.h"
#include "service/recv/recv.h"
#include "service/restart/gather.h"

#include "mcast/error.h"

static bool makes(uint8_t op) {
    return op == MCAST_SM_JOIN || op == MCAST_SM_REGISTER_SENDER;
}

static void take_item(struct mcast_service *service, const struct mcast_sm_change_item *wish,
                      struct service_item *item) {
    item->cookie = wish->cookie;
    item->op = wish->op;
    item->group = mcast_service_group_find(service, wish->group);
    if (item->group == SERVICE_NO_GROUP && makes(wish->op)) {
        item->code = mcast_service_group_obtain(service, wish->group, 0, &item->group);
        item->group = item->code == MCAST_OK ? item->group : SERVICE_NO_GROUP;
    }
}

static struct service_item *take_items(struct mcast_service *service,
                                       const struct mcast_service_message *message) {
    size_t count = message->as.change.count;
    struct service_item *items = mcast_memory_new(service->alloc, count, sizeof *items);
    for (size_t i = 0; items != NULL && i < count; i++) {
        take_item(service, &message->as.change.items[i], &items[i]);
        if (items[i].group != SERVICE_NO_GROUP) {
            service_group_at(service, items[i].group)->wanted++;
        }
    }
    return items;
}

static void begin(struct mcast_service *service, struct service_node *node,
                  const struct mcast_service_message *message) {
    node->items = take_items(service, message);
    if (node->items == NULL && message->as.change.count > 0) {
        /* The member keeps its request and repeats it over the next connection. */
        mcast_service_out_close(service, node->connection);
        mcast_service_node_disconnect(service, node);
        return;
    }
    node->item_count = message->as.change.count;
    node->request = message->as.change.request;
    node->request_state = REQUEST_OPEN;
    service->dirty = true;
}

/* Repeat the answer to a request, which was lost with a connection. */
static void answer_again(struct mcast_service *service, struct service_node *node,
                         const struct mcast_service_message *message) {
    size_t count = message->as.change.count;
    struct service_item *items = mcast_memory_new(service->alloc, count + 1, sizeof *items);
    for (size_t i = 0; items != NULL && i < count; i++) {
        items[i].cookie = message->as.change.items[i].cookie;
        items[i].op = message->as.change.items[i].op;
        items[i].group = mcast_service_group_find(service, message->as.change.items[i].group);
    }
    if (items != NULL) {
        mcast_service_answer(service, node, items, count);
    }
    mcast_memory_free(service->alloc, items, count + 1, sizeof *items);
}

void mcast_service_recv_change(struct mcast_service *service, struct service_node *node,
                               struct mcast_service_message *message) {
    uint64_t request = message->as.change.request;
    if (service->phase == SERVICE_RECOVERING || (node->late && node->awaited)) {
        mcast_service_recover_change(service, node, message);
        return;
    }
    if (request < node->request || node->leaving) {
        return;
    }
    if (request == node->request && node->request_state != REQUEST_NONE) {
        if (!node->awaited || node->request_state != REQUEST_OPEN) {
            return;
        }
        /* The request comes over another connection: its answers may be lost with the previous one.
         */
        mcast_service_node_end_request(service, node);
    }
    if (request == node->request && !node->awaited && !node->resync) {
        answer_again(service, node, message);
        return;
    }
    /* A node that is about to be sent everything gets its answer with that: granted means in force
     * there. */
    if (node->request_state != REQUEST_NONE) {
        /* Only one open list for each member bounds the work that it can ask for. */
        service->stats.malformed++;
        mcast_service_refuse(service, node->connection, MCAST_EREFUSED);
        mcast_service_node_disconnect(service, node);
        return;
    }
    begin(service, node, message);
}
