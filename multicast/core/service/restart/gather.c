#include "service/restart/gather.h"
#include "service/group.h"
#include "service/node.h"
#include "service/output.h"
#include "service/recv/recv.h"
#include "service/restart/rebuild.h"

#include "mcast/error.h"

struct postponed {
    uint64_t connection;
    struct mcast_service_message hello;
};

void mcast_service_recover_begin(struct mcast_service *service) {
    service->quiet_until = service->now;
    service->gather_until = service->now;
    if (service->generation > 1) {
        service->quiet_until += 2 * service->config.suspicion;
        service->gather_until += service->config.heartbeat;
    }
    service->phase = SERVICE_RECOVERING;
}

static struct service_report *report_at(const struct mcast_service *service, size_t index) {
    return &((struct service_report *)service->reports.items)[index];
}

void mcast_service_recover_welcome(struct mcast_service *service, struct service_node *node) {
    struct mcast_service_message message = {.kind = MCAST_SM_WELCOME};
    message.as.welcome.node = node->name;
    message.as.welcome.epoch = MCAST_EPOCH(service->generation, service->epoch_count);
    message.as.welcome.heartbeat = service->config.heartbeat;
    message.as.welcome.suspicion = service->config.suspicion;
    message.as.welcome.report_wanted = node->awaited;
    mcast_service_out_send(service, node->connection, &message);
}

/* Welcome all nodes again under a generation above @generation. */
static void raise_generation(struct mcast_service *service, uint32_t generation) {
    service->generation = generation + 1;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->connection != 0) {
            mcast_service_recover_welcome(service, node);
        }
    }
}

/* True if this service, and not one whose generation number was lost, told a member of this
 * generation. */
static bool was_welcomed_here(const struct mcast_service *service,
                              const struct mcast_service_message *hello) {
    const struct service_node *node = mcast_service_node_find(service, hello->as.hello.id);
    return MCAST_GENERATION(hello->as.hello.epoch) == service->generation &&
           (service->epoch_count > 0 || (node != NULL && node->name == hello->as.hello.node));
}

bool mcast_service_recover_outranks(struct mcast_service *service,
                                    const struct mcast_service_message *hello) {
    uint32_t generation = MCAST_GENERATION(hello->as.hello.epoch);
    bool own = was_welcomed_here(service, hello);
    if (generation < service->generation || own) {
        return true;
    }
    if (service->epoch_count > 0) {
        service->yield = service->yield || generation > service->generation;
        return false;
    }
    if (service->phase != SERVICE_RECOVERING) {
        service->phase = SERVICE_RECOVERING;
        service->quiet_until = service->now + 2 * service->config.suspicion;
        service->gather_until = service->now + service->config.heartbeat;
    }
    raise_generation(service, generation);
    return true;
}

bool mcast_service_recover_postpones(struct mcast_service *service, uint64_t connection,
                                     const struct mcast_service_message *message) {
    if (service->phase != SERVICE_RECOVERING || message->as.hello.node != 0) {
        return false;
    }
    struct postponed *place = mcast_vector_push(&service->postponed, service->alloc, sizeof *place);
    if (place == NULL) {
        mcast_service_refuse(service, connection, MCAST_ENOMEM);
        return true;
    }
    *place = (struct postponed){connection, *message};
    (void)mcast_map_take(&service->strangers, connection);
    return true;
}

void mcast_service_recover_disconnect(struct mcast_service *service, uint64_t connection) {
    struct postponed *list = service->postponed.items;
    for (size_t i = 0; i < service->postponed.count; i++) {
        if (list[i].connection == connection) {
            mcast_vector_swap_out(&service->postponed, i, sizeof *list);
            return;
        }
    }
}

/* Keep @message of @node with its lists. Return true on success. */
static bool keep(struct mcast_service *service, struct mcast_vector *list,
                 struct service_node *node, struct mcast_service_message *message) {
    struct service_report *place = mcast_vector_push(list, service->alloc, sizeof *place);
    if (place == NULL) {
        mcast_service_refuse(service, node->connection, MCAST_ENOMEM);
        mcast_service_node_disconnect(service, node);
        return false;
    }
    *place = (struct service_report){node->slot, *message};
    *message = (struct mcast_service_message){.kind = MCAST_SM_BYE}; /* the lists changed owner */
    return true;
}

void mcast_service_recover_report(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message) {
    if (keep(service, &service->reports, node, message)) {
        node->awaited = false;
    }
}

void mcast_service_recover_change(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message) {
    for (size_t i = 0; i < service->changes.count; i++) {
        if (((struct service_report *)service->changes.items)[i].slot == node->slot) {
            return; /* one for each member; it is repeated over the next connection */
        }
    }
    (void)keep(service, &service->changes, node, message);
}

/* True if a connected node has yet to report; its silence would end the waiting. */
static bool awaits_report(const struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->awaited && node->connection != 0) {
            return true;
        }
    }
    return false;
}

/* A node that connected and left before it reported is placed by the reports of others, or not at
 * all. */
static void mark_unreported(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL) {
            node->unheard = node->awaited || !node->confirmed;
        }
    }
}

/* True if @node has connected, or another node on its machine shows that this incarnation is over.
 */
static bool has_connected(const struct mcast_service *service, const struct mcast_sm_node *node) {
    const struct postponed *list = service->postponed.items;
    if (mcast_service_node_named(service, node->node) != NULL ||
        mcast_service_node_find(service, node->id) != NULL) {
        return true;
    }
    for (size_t i = 0; i < service->postponed.count; i++) {
        struct mcast_id id = list[i].hello.as.hello.id;
        if (id.high == node->id.high && id.low == node->id.low) {
            return true;
        }
    }
    return false;
}

/* True if a node that a report names as alive may still connect. A node alone in a region is no
 * member of any other's view, yet has to keep its place like all others. */
static bool may_still_connect(const struct mcast_service *service) {
    bool missing = false;
    for (size_t i = 0; i < service->reports.count && !missing; i++) {
        const struct mcast_sm_report *report = &report_at(service, i)->message.as.report;
        for (size_t n = 0; n < report->node_count && !missing; n++) {
            missing = !has_connected(service, &report->nodes[n]);
        }
    }
    return missing;
}

static void free_kept(struct mcast_service *service, struct mcast_vector *list) {
    for (size_t i = 0; i < list->count; i++) {
        mcast_service_message_free(service->alloc,
                                   &((struct service_report *)list->items)[i].message);
    }
    mcast_vector_free(list, service->alloc, sizeof(struct service_report));
}

bool mcast_service_recover_admits(const struct mcast_service *service,
                                  const struct mcast_service_message *hello) {
    return service->now < service->quiet_until &&
           MCAST_GENERATION(hello->as.hello.epoch) < service->generation;
}

/* True if nothing in the report of @node concerns another node. */
static bool concerns_nobody_else(const struct mcast_service *service,
                                 const struct service_node *node,
                                 const struct mcast_sm_report *report) {
    bool apart = true;
    for (size_t g = 0; g < report->group_count && apart; g++) {
        apart =
            mcast_service_group_find(service, report->groups[g].group) == SERVICE_NO_GROUP &&
            mcast_service_group_named(service, report->groups[g].short_name) == SERVICE_NO_GROUP;
    }
    for (size_t v = 0; v < report->view_count && apart; v++) {
        const struct mcast_sm_view *view = &report->views[v];
        for (size_t m = 0; m < view->member_count && apart; m++) {
            apart = view->members[m] == node->name ||
                    mcast_service_node_named(service, view->members[m]) == NULL;
        }
    }
    return apart;
}

/* Mark all nodes to be sent everything: the state made from reports was never proposed. */
static void resync_all(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && !node->dead) {
            node->resync = true;
        }
    }
    service->dirty = true;
}

/* Take a request of @slot that had to wait off the list. Return true if there was one. */
static bool take_change(struct mcast_service *service, uint32_t slot,
                        struct mcast_service_message *message) {
    struct service_report *list = service->changes.items;
    for (size_t i = 0; i < service->changes.count; i++) {
        if (list[i].slot == slot) {
            *message = list[i].message;
            mcast_vector_swap_out(&service->changes, i, sizeof *list);
            return true;
        }
    }
    return false;
}

static void take_up_change(struct mcast_service *service, struct service_node *node) {
    struct mcast_service_message message;
    if (!take_change(service, node->slot, &message)) {
        return;
    }
    if (node->connection != 0) {
        mcast_service_recv_change(service, node, &message);
    }
    mcast_service_message_free(service->alloc, &message);
}

static void take_up_changes(struct mcast_service *service) {
    struct mcast_vector list = service->changes;
    service->changes = (struct mcast_vector){.items = NULL};
    for (size_t i = 0; i < list.count; i++) {
        struct service_report *kept = &((struct service_report *)list.items)[i];
        struct service_node *node = service_node_at(service, kept->slot);
        if (node != NULL && node->connection != 0) {
            mcast_service_recv_change(service, node, &kept->message);
        }
    }
    free_kept(service, &list);
}

void mcast_service_recover_forget(struct mcast_service *service, const struct service_node *node) {
    struct mcast_service_message message;
    if (take_change(service, node->slot, &message)) {
        mcast_service_message_free(service->alloc, &message);
    }
}

void mcast_service_recover_late(struct mcast_service *service, struct service_node *node,
                                struct mcast_service_message *message) {
    if (!concerns_nobody_else(service, node, &message->as.report)) {
        mcast_service_node_kill(service, node, MCAST_EEVICTED);
        return;
    }
    if (!keep(service, &service->reports, node, message)) {
        return;
    }
    node->awaited = false;
    node->late = false;
    int code = mcast_service_rebuild(service);
    free_kept(service, &service->reports);
    resync_all(service);
    if (code != MCAST_OK) {
        mcast_service_node_kill(service, node, MCAST_EEVICTED);
        return;
    }
    take_up_change(service, node);
}

static void admit_postponed(struct mcast_service *service) {
    struct mcast_vector list = service->postponed;
    service->postponed = (struct mcast_vector){.items = NULL};
    for (size_t i = 0; i < list.count; i++) {
        struct postponed *one = &((struct postponed *)list.items)[i];
        mcast_service_recv_hello(service, one->connection, &one->hello);
    }
    mcast_vector_free(&list, service->alloc, sizeof(struct postponed));
}

int mcast_service_recover_advance(struct mcast_service *service) {
    if (service->phase != SERVICE_RECOVERING || service->now < service->gather_until ||
        awaits_report(service) ||
        (service->now < service->quiet_until && may_still_connect(service))) {
        return MCAST_OK;
    }
    int code = service->reports.count > 0 ? mcast_service_rebuild(service) : MCAST_OK;
    if (code != MCAST_OK) {
        return code;
    }
    service->phase = SERVICE_IDLE;
    service->dirty = true;
    mark_unreported(service);
    free_kept(service, &service->reports);
    take_up_changes(service);
    admit_postponed(service);
    return MCAST_OK;
}

mcast_time mcast_service_recover_deadline(const struct mcast_service *service) {
    if (service->phase != SERVICE_RECOVERING) {
        return MCAST_NEVER;
    }
    if (service->now < service->gather_until) {
        return service->gather_until;
    }
    /* After that, wait only for nodes that owe a report: they report, or fall silent and are
     * removed. */
    return service->now < service->quiet_until ? service->quiet_until : MCAST_NEVER;
}

void mcast_service_recover_free(struct mcast_service *service) {
    free_kept(service, &service->reports);
    free_kept(service, &service->changes);
    mcast_vector_free(&service->postponed, service->alloc, sizeof(struct postponed));
}
