#include "service/epoch/view_close.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/output.h"

#include "mcast/error.h"

#include <assert.h>

void mcast_service_view_free(struct mcast_service *service, struct service_view *view) {
    mcast_memory_free(service->alloc, view->groups, view->group_count, sizeof *view->groups);
    mcast_memory_free(service->alloc, view->members, view->member_count, sizeof *view->members);
    mcast_memory_free(service->alloc, view->names, view->member_count, sizeof *view->names);
    mcast_memory_free(service->alloc, view->parents, view->parent_count, sizeof *view->parents);
    mcast_bits_free(&view->bits, service->alloc);
    mcast_bits_free(&view->unclosed, service->alloc);
    mcast_bits_free(&view->unended, service->alloc);
    mcast_vector_free(&view->finals, service->alloc, sizeof(struct mcast_sm_final));
    mcast_vector_free(&view->dead, service->alloc, sizeof(mcast_node));
    mcast_memory_free(service->alloc, view, 1, sizeof *view);
}

void mcast_service_region_release(struct mcast_service *service, struct service_region *region) {
    if (region->now == NULL && region->next == NULL && region->closing == 0) {
        if (region->address != MCAST_ADDRESS_NONE && !region->borrowed) {
            mcast_address_pool_give(&service->addresses, region->address, service->now);
        }
        mcast_memory_free(service->alloc, region, 1, sizeof *region);
    }
}

static size_t count_bits(const struct mcast_bits *bits) {
    size_t count = 0;
    for (size_t at = mcast_bits_next(bits, 0); at != MCAST_BITS_END;
         at = mcast_bits_next(bits, at + 1)) {
        count++;
    }
    return count;
}

int mcast_service_close_prepare(struct mcast_service *service, struct service_view *view,
                                const struct mcast_bits *senders) {
    const struct mcast_alloc *alloc = service->alloc;
    mcast_bits_clear(&view->unclosed);
    mcast_bits_clear(&view->unended);
    size_t count = count_bits(senders);
    bool room = mcast_bits_add_all(&view->unclosed, alloc, senders) == MCAST_OK &&
                mcast_bits_add_all(&view->unended, alloc, &view->bits) == MCAST_OK &&
                mcast_vector_reserve(&view->finals, alloc, count, sizeof(struct mcast_sm_final)) ==
                    MCAST_OK &&
                mcast_vector_reserve(&view->dead, alloc, count, sizeof(mcast_node)) == MCAST_OK &&
                mcast_vector_reserve(&service->closing, alloc,
                                     service->closing.count + service->regions.count + 1,
                                     sizeof(struct service_view *)) == MCAST_OK;
    return room ? MCAST_OK : MCAST_ENOMEM;
}

static void tell(struct mcast_service *service, struct service_view *view,
                 const struct service_node *node) {
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    message.as.view_closed.view = view->name;
    message.as.view_closed.finals = view->finals.items;
    message.as.view_closed.count = view->finals.count;
    message.as.view_closed.dead = view->dead.items;
    message.as.view_closed.dead_count = view->dead.count;
    mcast_service_out_send(service, node->connection, &message);
}

static void tell_all(struct mcast_service *service, struct service_view *view) {
    mcast_sort_u32(view->dead.items, view->dead.count);
    view->told = true;
    for (size_t at = mcast_bits_next(&view->unended, 0); at != MCAST_BITS_END;
         at = mcast_bits_next(&view->unended, at + 1)) {
        struct service_node *node = service_node_at(service, at);
        if (node->connection != 0 && !node->resync) {
            tell(service, view, node);
        }
    }
}

static bool sent_in(const struct service_view *view, mcast_node name) {
    const struct mcast_sm_final *finals = view->finals.items;
    for (size_t i = 0; i < view->finals.count; i++) {
        if (finals[i].node == name) {
            return true;
        }
    }
    return false;
}

/* Senders from outside hear of the end from the service only if no member is alive to acknowledge.
 * A node that left the group before is no sender now but may wait all the same; then all nodes are
 * told, which is rare. */
static void report_to_outsiders(struct mcast_service *service, struct service_view *view) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node != NULL && !node->dead && node->connection != 0 &&
            !mcast_sort_has_u32(view->names, view->member_count, node->name) &&
            (!view->ended_well || sent_in(view, node->name))) {
            tell(service, view, node);
        }
    }
}

void mcast_service_close_sweep(struct mcast_service *service) {
    for (size_t i = 0; i < service->closing.count;) {
        struct service_view *view = service_closing_at(service, i);
        if (!view->told && mcast_bits_is_empty(&view->unclosed)) {
            tell_all(service, view);
        }
        if (!view->told || !mcast_bits_is_empty(&view->unended)) {
            i++;
            continue;
        }
        report_to_outsiders(service, view);
        struct service_region *region = view->region;
        mcast_vector_swap_out(&service->closing, i, sizeof(struct service_view *));
        mcast_service_view_free(service, view);
        region->closing--;
        mcast_service_region_release(service, region);
    }
}

static void leave_out(struct service_view *view, const struct service_node *node) {
    if (mcast_bits_has(&view->unclosed, node->slot)) {
        mcast_bits_remove(&view->unclosed, node->slot);
        assert(view->dead.count < view->dead.room);
        ((mcast_node *)view->dead.items)[view->dead.count++] = node->name;
    }
    mcast_bits_remove(&view->unended, node->slot);
}

void mcast_service_close_begin(struct mcast_service *service, struct service_view *view) {
    view->closed_by = service->epoch;
    view->region->closing++;
    assert(service->closing.count < service->closing.room);
    ((struct service_view **)service->closing.items)[service->closing.count++] = view;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->dead) {
            leave_out(view, node);
        }
    }
}

void mcast_service_close_without(struct mcast_service *service, struct service_node *node) {
    for (size_t i = 0; i < service->closing.count; i++) {
        leave_out(service_closing_at(service, i), node);
    }
}

static uint64_t final_of(const struct mcast_service_message *message, mcast_view name) {
    for (size_t i = 0; i < message->as.closed.count; i++) {
        if (message->as.closed.finals[i].view == name) {
            return message->as.closed.finals[i].last;
        }
    }
    return 0;
}

void mcast_service_close_answer(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message) {
    for (size_t i = 0; i < service->closing.count; i++) {
        struct service_view *view = service_closing_at(service, i);
        if (view->closed_by > message->as.closed.epoch ||
            !mcast_bits_has(&view->unclosed, node->slot)) {
            continue;
        }
        mcast_bits_remove(&view->unclosed, node->slot);
        uint64_t last = final_of(message, view->name);
        if (last > 0) {
            assert(view->finals.count < view->finals.room);
            ((struct mcast_sm_final *)view->finals.items)[view->finals.count++] =
                (struct mcast_sm_final){node->name, last};
        }
    }
}

void mcast_service_close_ended(struct mcast_service *service, struct service_node *node,
                               mcast_view name) {
    for (size_t i = 0; i < service->closing.count; i++) {
        struct service_view *view = service_closing_at(service, i);
        if (view->name == name) {
            mcast_bits_remove(&view->unended, node->slot);
            view->ended_well = true;
        }
    }
}

/* Tell @node that no member is left to acknowledge what it sent in a view. */
static void report_over(struct mcast_service *service, const struct service_node *node,
                        mcast_view name) {
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    message.as.view_closed.view = name;
    mcast_service_out_send(service, node->connection, &message);
}

void mcast_service_close_resume(struct mcast_service *service, struct service_node *node) {
    for (size_t i = 0; i < node->over.count && node->connection != 0; i++) {
        report_over(service, node, ((mcast_view *)node->over.items)[i]);
    }
    node->over.count = 0;
    for (size_t i = 0; i < service->closing.count; i++) {
        struct service_view *view = service_closing_at(service, i);
        if (view->told && mcast_bits_has(&view->unended, node->slot) && node->connection != 0) {
            tell(service, view, node);
        }
    }
}

bool mcast_service_close_concerns(const struct mcast_service *service,
                                  const struct service_node *node) {
    for (size_t i = 0; i < service->closing.count; i++) {
        const struct service_view *view = service_closing_at(service, i);
        if (mcast_bits_has(&view->unclosed, node->slot) ||
            mcast_bits_has(&view->unended, node->slot)) {
            return true;
        }
    }
    return false;
}
