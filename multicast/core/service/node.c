#include "service/node.h"
#include "base/memory.h"
#include "service/epoch/view_close.h"
#include "service/group.h"
#include "service/output.h"
#include "service/restart/gather.h"

#include "mcast/error.h"

#include <assert.h>

struct service_node *mcast_service_node_find(const struct mcast_service *service,
                                             struct mcast_id id) {
    uint32_t slot = mcast_id_map_get(&service->node_by_id, id.high, id.low);
    return slot == MCAST_ID_MAP_NONE ? NULL : service_node_at(service, slot);
}

struct service_node *mcast_service_node_named(const struct mcast_service *service,
                                              mcast_node name) {
    uint64_t slot = mcast_map_get(&service->node_by_name, name);
    return slot == MCAST_MAP_NONE ? NULL : service_node_at(service, (size_t)slot);
}

struct service_node *mcast_service_node_connected(const struct mcast_service *service,
                                                  uint64_t connection) {
    uint64_t slot = mcast_map_get(&service->node_by_connection, connection);
    return slot == MCAST_MAP_NONE ? NULL : service_node_at(service, (size_t)slot);
}

/* Reserve memory for all that one more node needs, so that nothing fails once it has begun. */
static int reserve(struct mcast_service *service) {
    size_t count = service->nodes.count + 1;
    bool room =
        mcast_id_map_reserve(&service->node_by_id, service->node_by_id.count + 1) == MCAST_OK &&
        mcast_map_reserve(&service->node_by_name, service->node_by_name.count + 1) == MCAST_OK &&
        mcast_heap_reserve(&service->timers, 2 * count) == MCAST_OK &&
        mcast_vector_reserve(&service->nodes, service->alloc, count,
                             sizeof(struct service_node *)) == MCAST_OK &&
        mcast_vector_reserve(&service->free_nodes, service->alloc, count, sizeof(uint32_t)) ==
            MCAST_OK;
    return room ? MCAST_OK : MCAST_ENOMEM;
}

static uint32_t take_slot(struct mcast_service *service) {
    if (service->free_nodes.count > 0) {
        return ((uint32_t *)service->free_nodes.items)[--service->free_nodes.count];
    }
    return (uint32_t)service->nodes.count++;
}

struct service_node *mcast_service_node_make(struct mcast_service *service, struct mcast_id id,
                                             uint64_t incarnation, mcast_node name) {
    if (service->node_by_name.count >= SERVICE_NODES_MOST || reserve(service) != MCAST_OK) {
        return NULL;
    }
    struct service_node *node = mcast_memory_new(service->alloc, 1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    node->id = id;
    node->incarnation = incarnation;
    node->name = name != 0 ? name : service->last_name + 1;
    node->slot = take_slot(service);
    node->silence.node = node;
    node->answer.node = node;
    ((struct service_node **)service->nodes.items)[node->slot] = node;
    if (node->name > service->last_name) {
        service->last_name = node->name;
    }
    (void)mcast_id_map_put(&service->node_by_id, id.high, id.low, node->slot);
    (void)mcast_map_put(&service->node_by_name, node->name, node->slot);
    return node;
}

int mcast_service_node_connect(struct mcast_service *service, struct service_node *node,
                               uint64_t connection) {
    int code = mcast_map_put(&service->node_by_connection, connection, node->slot);
    if (code == MCAST_OK) {
        node->connection = connection;
        node->confirmed = true;
        mcast_service_node_heard(service, node);
    }
    return code;
}

void mcast_service_node_disconnect(struct mcast_service *service, struct service_node *node) {
    if (node->connection != 0) {
        (void)mcast_map_take(&service->node_by_connection, node->connection);
        node->connection = 0;
    }
}

void mcast_service_node_heard(struct mcast_service *service, struct service_node *node) {
    /* Setting a timer within the reserved room cannot fail: reserve() made room for two timers a
     * node. */
    (void)mcast_heap_set(&service->timers, &node->silence.timer,
                         service->now + service->config.suspicion);
}

void mcast_service_node_end_request(struct mcast_service *service, struct service_node *node) {
    for (size_t i = 0; i < node->item_count; i++) {
        if (node->items[i].group != SERVICE_NO_GROUP) {
            service_group_at(service, node->items[i].group)->wanted--;
            mcast_service_group_release(service, node->items[i].group);
        }
    }
    mcast_memory_free(service->alloc, node->items, node->item_count, sizeof *node->items);
    node->items = NULL;
    node->item_count = 0;
    node->request_state = REQUEST_NONE;
}

int mcast_service_node_learn(struct mcast_service *service, struct service_node *node,
                             const struct mcast_sm_report *report) {
    int code = MCAST_OK;
    mcast_bits_clear(&node->known);
    for (size_t i = 0; i < report->node_count && code == MCAST_OK; i++) {
        const struct service_node *other = mcast_service_node_named(service, report->nodes[i].node);
        bool there = other != NULL && other != node;
        code = there ? mcast_bits_add(&node->known, service->alloc, other->slot) : code;
    }
    return code;
}

bool mcast_service_node_is_placed(const struct service_node *node) {
    for (size_t i = 0; i < SERVICE_HIERARCHIES; i++) {
        if (node->now[i] != NULL || node->next[i] != NULL) {
            return true;
        }
    }
    return node->sender_count > 0 || node->next_sender_count > 0;
}

void mcast_service_node_kill(struct mcast_service *service, struct service_node *node, int code) {
    if (node->dead) {
        return;
    }
    node->dead = true;
    service->dirty = true;
    if (service->now < service->quiet_until) {
        /* The node may come back under its old name; without memory to record that, its data would
         * be refused. */
        (void)mcast_map_put(&service->buried, node->name, 1);
    }
    service->stats.suspicions++;
    mcast_heap_cancel(&service->timers, &node->silence.timer);
    mcast_heap_cancel(&service->timers, &node->answer.timer);
    if (node->connection != 0) {
        struct mcast_service_message message = {.kind = MCAST_SM_EVICTED};
        message.as.evicted.epoch = service->epoch;
        message.as.evicted.code = code;
        mcast_service_out_send(service, node->connection, &message);
        mcast_service_out_close(service, node->connection);
        mcast_service_node_disconnect(service, node);
    }
    mcast_service_close_without(service, node);
    /* The id is free at once: the same machine may come back with a new incarnation. */
    (void)mcast_id_map_take(&service->node_by_id, node->id.high, node->id.low);
}

static void node_free(struct mcast_service *service, struct service_node *node) {
    mcast_heap_cancel(&service->timers, &node->silence.timer);
    mcast_heap_cancel(&service->timers, &node->answer.timer);
    mcast_bits_free(&node->known, service->alloc);
    mcast_bits_free(&node->fresh, service->alloc);
    mcast_bits_free(&node->accusers, service->alloc);
    mcast_vector_free(&node->lost, service->alloc, sizeof(mcast_node));
    mcast_vector_free(&node->over, service->alloc, sizeof(mcast_view));
    mcast_vector_free(&node->gone, service->alloc, sizeof(uint32_t));
    mcast_memory_free(service->alloc, node->senders, node->sender_count, sizeof(uint32_t));
    if (node->next_senders != node->senders) {
        mcast_memory_free(service->alloc, node->next_senders, node->next_sender_count,
                          sizeof(uint32_t));
    }
    mcast_memory_free(service->alloc, node->items, node->item_count, sizeof *node->items);
    mcast_memory_free(service->alloc, node, 1, sizeof *node);
}

/* Nodes that knew @node learn with their next update that it is gone: a new service would wait for
 * the nodes that they name. */
static void forget_everywhere(struct mcast_service *service, const struct service_node *node) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *other = service_node_at(service, i);
        if (other == NULL || other == node) {
            continue;
        }
        mcast_node *place = mcast_bits_has(&other->known, node->slot)
                                ? mcast_vector_push(&other->lost, service->alloc, sizeof *place)
                                : NULL;
        if (place != NULL) {
            *place = node->name;
        }
        mcast_bits_remove(&other->known, node->slot);
        mcast_bits_remove(&other->fresh, node->slot);
        mcast_bits_remove(&other->accusers, node->slot);
    }
}

void mcast_service_node_forget(struct mcast_service *service, struct service_node *node) {
    assert(!mcast_service_node_is_placed(node));
    if (mcast_service_node_find(service, node->id) == node) {
        (void)mcast_id_map_take(&service->node_by_id, node->id.high, node->id.low);
    }
    (void)mcast_map_take(&service->node_by_name, node->name);
    if (node->connection != 0) {
        mcast_service_out_close(service, node->connection);
        mcast_service_node_disconnect(service, node);
    }
    mcast_service_node_end_request(service, node);
    mcast_service_recover_forget(service, node);
    mcast_service_close_without(service, node);
    forget_everywhere(service, node);
    ((struct service_node **)service->nodes.items)[node->slot] = NULL;
    ((uint32_t *)service->free_nodes.items)[service->free_nodes.count++] = node->slot;
    node_free(service, node);
}

void mcast_service_nodes_free(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        if (service_node_at(service, i) != NULL) {
            node_free(service, service_node_at(service, i));
        }
    }
    mcast_vector_free(&service->nodes, service->alloc, sizeof(struct service_node *));
    mcast_vector_free(&service->free_nodes, service->alloc, sizeof(uint32_t));
    mcast_id_map_free(&service->node_by_id);
    mcast_map_free(&service->node_by_name);
    mcast_map_free(&service->buried);
    mcast_map_free(&service->node_by_connection);
}
