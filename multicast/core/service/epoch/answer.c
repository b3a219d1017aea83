#include "service/epoch/answer.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/group.h"
#include "service/node.h"
#include "service/output.h"
#include "service/plan/plan.h"
#include "service/update/delta.h"

#include "mcast/error.h"

void mcast_service_answer(struct mcast_service *service, struct service_node *node,
                          const struct service_item *items, size_t count) {
    if (node->connection == 0) {
        return;
    }
    struct mcast_sm_changed_item *changed =
        mcast_memory_new(service->alloc, count + 1, sizeof *changed);
    if (changed == NULL) {
        /* As for every message that cannot be built: the member reconnects and asks again. */
        mcast_service_out_close(service, node->connection);
        mcast_service_node_disconnect(service, node);
        return;
    }
    size_t told = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].op == SERVICE_OP_ANSWERED) {
            continue;
        }
        bool there = items[i].group != SERVICE_NO_GROUP;
        changed[told].cookie = items[i].cookie;
        changed[told].group = there ? service_group_at(service, items[i].group)->name : 0;
        changed[told++].code = items[i].code;
    }
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGED};
    message.as.changed.request = node->request;
    message.as.changed.items = changed;
    message.as.changed.count = told;
    mcast_service_out_send(service, node->connection, &message);
    mcast_memory_free(service->alloc, changed, count + 1, sizeof *changed);
}

/* Answer the requests that the plan grants. A node that reconnected meanwhile, and did not get the
 * PREPARE of this epoch, is answered with the epoch that sends it everything. */
static void answer_planned(struct mcast_service *service) {
    const struct mcast_vector *asked = &service->plan->asked;
    for (size_t i = 0; i < asked->count; i++) {
        struct service_node *node = service_node_at(service, ((uint32_t *)asked->items)[i]);
        bool later = (node->awaited || node->resync) && !node->told;
        if (later && node->request_state == REQUEST_PLANNED) {
            node->request_state = REQUEST_OPEN;
            service->dirty = true;
        } else if (node->request_state == REQUEST_PLANNED) {
            mcast_service_answer(service, node, node->items, node->item_count);
            mcast_service_node_end_request(service, node);
        }
    }
}

/* True if the committed state already is as @item requests. */
static bool is_granted(const struct service_node *node, const struct service_item *item) {
    bool member = mcast_service_delta_carried(node->now, item->group);
    bool sender = mcast_sort_has_u32(node->senders, node->sender_count, item->group);
    switch (item->op) {
    case MCAST_SM_JOIN:
        return member;
    case MCAST_SM_LEAVE:
        return !member;
    case MCAST_SM_REGISTER_SENDER:
        return sender;
    default:
        return !sender;
    }
}

/* Copy the items of @node that are done into @known, except those that must not overtake another
 * item about the same group. Return their count. */
static size_t find_granted(struct mcast_service *service, const struct service_node *node,
                           struct service_item *known) {
    struct mcast_bits met = {.words = NULL};
    size_t count = 0;
    for (size_t i = 0; i < node->item_count; i++) {
        const struct service_item *item = &node->items[i];
        if (item->group == SERVICE_NO_GROUP || mcast_bits_has(&met, item->group)) {
            continue;
        }
        if (is_granted(node, item)) {
            known[count++] = *item;
        }
        if (mcast_bits_add(&met, service->alloc, item->group) != MCAST_OK) {
            break; /* the rest is answered once it is granted */
        }
    }
    mcast_bits_free(&met, service->alloc);
    return count;
}

/* Remove @known, which is in the order of the items of @node, from these. */
static void remove_answered(struct mcast_service *service, struct service_node *node,
                            const struct service_item *known, size_t count) {
    for (size_t i = 0, at = 0; at < count; i++) {
        struct service_item *item = &node->items[i];
        if (item->group == known[at].group && item->op == known[at].op) {
            at++;
            service_group_at(service, item->group)->wanted--;
            mcast_service_group_release(service, item->group);
            *item = (struct service_item){.group = SERVICE_NO_GROUP, .op = SERVICE_OP_ANSWERED};
        }
    }
}

/* A node that is sent everything learns of groups that it joined or left by a message that was
 * lost, with a connection or with the former service. It has repeated that request; tell it the
 * short names now. The rest of its request is answered once it is granted. */
static void answer_granted(struct mcast_service *service, struct service_node *node) {
    size_t room = node->item_count;
    struct service_item *known = mcast_memory_new(service->alloc, room, sizeof *known);
    size_t count = known == NULL ? 0 : find_granted(service, node, known);
    if (count > 0) {
        mcast_service_answer(service, node, known, count);
        remove_answered(service, node, known, count);
    }
    if (count == room) {
        mcast_service_node_end_request(service, node);
    }
    mcast_memory_free(service->alloc, known, room, sizeof *known);
}

void mcast_service_answer_epoch(struct mcast_service *service) {
    answer_planned(service);
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->told && node->resync && node->request_state == REQUEST_OPEN) {
            answer_granted(service, node);
        }
    }
}
