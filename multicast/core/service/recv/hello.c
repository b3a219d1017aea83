/* HELLO: a node connects; check that it is the node it claims to be (rules 1.0.11, 1.0.12). */
#include "service/epoch/epoch.h"
#include "service/node.h"
#include "service/output.h"
#include "service/recv/recv.h"
#include "service/recv/report_limits.h"
#include "service/restart/gather.h"
#include "wire/header.h"

#include "mcast/error.h"

void mcast_service_refuse(struct mcast_service *service, uint64_t connection, int code) {
    struct mcast_service_message message = {.kind = MCAST_SM_REFUSED};
    message.as.refused.code = code;
    mcast_service_out_send(service, connection, &message);
    mcast_service_out_close(service, connection);
    (void)mcast_map_take(&service->strangers, connection);
}

static void evict_stranger(struct mcast_service *service, uint64_t connection) {
    struct mcast_service_message message = {.kind = MCAST_SM_EVICTED};
    message.as.evicted.epoch = service->epoch;
    message.as.evicted.code = MCAST_EEVICTED;
    mcast_service_out_send(service, connection, &message);
    mcast_service_out_close(service, connection);
    (void)mcast_map_take(&service->strangers, connection);
}

static void welcome(struct mcast_service *service, struct service_node *node, uint64_t connection) {
    if (mcast_service_node_connect(service, node, connection) != MCAST_OK) {
        mcast_service_refuse(service, connection, MCAST_ENOMEM);
        return;
    }
    (void)mcast_map_take(&service->strangers, connection);
    mcast_service_recover_welcome(service, node);
}

/* Two nodes have one id: refuse the later one; the earlier one has to prove soon that it is alive.
 */
static void refuse_duplicate_id(struct mcast_service *service, struct service_node *earlier,
                                uint64_t connection) {
    mcast_time probe = service->now + 2 * service->config.heartbeat;
    if (earlier->silence.timer.deadline > probe) {
        (void)mcast_heap_set(&service->timers, &earlier->silence.timer, probe);
    }
    mcast_service_refuse(service, connection, MCAST_EDUPLICATE);
}

/* Handle a known id that connects again. Return true if that was all. */
static bool greet_known_id(struct mcast_service *service, struct service_node *node,
                           uint64_t connection, const struct mcast_service_message *message) {
    if (node->connection != 0) {
        refuse_duplicate_id(service, node, connection);
        return true;
    }
    if (message->as.hello.incarnation < node->incarnation || node->leaving) {
        evict_stranger(service, connection);
        return true;
    }
    if (message->as.hello.incarnation > node->incarnation) {
        mcast_service_node_kill(service, node, MCAST_EEVICTED);
        return false;
    }
    node->address = message->as.hello.address;
    node->awaited = message->as.hello.node != 0;
    node->resync = true;
    service->dirty = true;
    mcast_service_epoch_give_up(service);
    welcome(service, node, connection);
    return true;
}

/* The short name that a node had from a former service, if it is free. */
static mcast_node old_name(const struct mcast_service *service,
                           const struct mcast_service_message *message) {
    mcast_node name = message->as.hello.node;
    return name != 0 && mcast_service_node_named(service, name) == NULL ? name : 0;
}

static void greet_new_id(struct mcast_service *service, uint64_t connection,
                         const struct mcast_service_message *message) {
    bool returns = message->as.hello.node != 0;
    mcast_node name = returns ? old_name(service, message) : 0;
    bool late = returns && service->phase != SERVICE_RECOVERING;
    bool buried = mcast_map_get(&service->buried, message->as.hello.node) != MCAST_MAP_NONE;
    if (returns &&
        (buried || name == 0 || (late && !mcast_service_recover_admits(service, message)))) {
        evict_stranger(service, connection);
        return;
    }
    struct service_node *node =
        mcast_service_node_make(service, message->as.hello.id, message->as.hello.incarnation, name);
    if (node == NULL) {
        mcast_service_refuse(service, connection, MCAST_ENOMEM);
        return;
    }
    node->address = message->as.hello.address;
    node->awaited = returns;
    node->late = late;
    node->resync = returns;
    welcome(service, node, connection);
}

void mcast_service_recv_hello(struct mcast_service *service, uint64_t connection,
                              const struct mcast_service_message *message) {
    if (message->as.hello.version != MCAST_WIRE_VERSION) {
        mcast_service_refuse(service, connection, MCAST_EVERSION);
        return;
    }
    if (message->as.hello.cluster != service->config.cluster) {
        mcast_service_refuse(service, connection, MCAST_EREFUSED);
        return;
    }
    if (!mcast_service_sound_generation(message)) {
        service->stats.malformed++;
        mcast_service_refuse(service, connection, MCAST_EGENERATION);
        return;
    }
    if (!mcast_service_sound_name(message)) {
        service->stats.malformed++;
        evict_stranger(service, connection); /* it starts anew, under a name of this service */
        return;
    }
    if (!mcast_service_recover_outranks(service, message)) {
        mcast_service_refuse(service, connection, MCAST_EGENERATION);
        return;
    }
    if (mcast_service_recover_postpones(service, connection, message)) {
        return;
    }
    struct service_node *node = mcast_service_node_find(service, message->as.hello.id);
    if (node == NULL || !greet_known_id(service, node, connection, message)) {
        greet_new_id(service, connection, message);
    }
}
