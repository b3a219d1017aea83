/* Nodes that this one must know and does not, and nodes that no longer exist (rules 1.0.5, 1.0.8).
 */
#include "base/sort.h"
#include "service/node.h"
#include "service/update/draft.h"

#include "mcast/error.h"

static int push_dying(struct service_draft *draft, mcast_node name) {
    mcast_node *place = mcast_service_draft_push(draft, &draft->dying, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = name;
    return MCAST_OK;
}

static int put_node(struct service_draft *draft, const struct service_node *node) {
    struct mcast_sm_node *place = mcast_service_draft_push(draft, &draft->nodes, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = (struct mcast_sm_node){node->name, node->id, node->incarnation, node->address};
    return MCAST_OK;
}

/* Add nodes that share with @node a view it has yet to receive messages of; dead ones were
 * forgotten. */
static int add_owed(struct service_draft *draft, struct service_node *node) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->closing.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_closing_at(service, i);
        for (size_t m = 0;
             mcast_service_draft_is_owed(view, node) && m < view->member_count && code == MCAST_OK;
             m++) {
            const struct service_node *other = mcast_service_node_named(service, view->names[m]);
            code = other == NULL ? push_dying(draft, view->names[m])
                                 : mcast_bits_add(&node->fresh, service->alloc, other->slot);
        }
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        const struct service_view *view = node->now[h];
        bool closes = view != NULL && service_view_closes(view);
        code = closes ? mcast_bits_add_all(&node->fresh, service->alloc, &view->bits) : code;
    }
    return code;
}

/* True if the node in @slot shares a proposed view with @node. A dead one may, while nothing may
 * change in another of its regions. */
static bool is_fellow(const struct service_node *node, size_t slot) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        if (node->next[h] != NULL && mcast_bits_has(&node->next[h]->bits, slot)) {
            return true;
        }
    }
    return false;
}

int mcast_service_draft_nodes(struct service_draft *draft, struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    const struct mcast_alloc *alloc = draft->service->alloc;
    const struct mcast_bits none = {.words = NULL};
    const struct mcast_bits *known = node->resync ? &none : &node->known;
    int code = MCAST_OK;
    mcast_bits_clear(&node->fresh);
    for (size_t i = 0; i < draft->chosen.count && code == MCAST_OK; i++) {
        code = mcast_bits_add_all(&node->fresh, alloc, &chosen[i]->needed);
    }
    code = code == MCAST_OK && node->resync ? add_owed(draft, node) : code;
    mcast_bits_remove(&node->fresh, node->slot);
    for (size_t at = mcast_bits_next(&draft->dead, 0); at != MCAST_BITS_END;
         at = mcast_bits_next(&draft->dead, at + 1)) {
        if (!is_fellow(node, at)) {
            mcast_bits_remove(&node->fresh, at);
        }
    }
    for (size_t at = mcast_bits_next_without(&node->fresh, known, 0);
         at != MCAST_BITS_END && code == MCAST_OK;
         at = mcast_bits_next_without(&node->fresh, known, at + 1)) {
        code = put_node(draft, service_node_at(draft->service, at));
    }
    return code;
}

/* A node that missed something is sent all deaths that were known before this service: it may be
 * owed messages of a dead node. */
static int push_buried(struct service_draft *draft) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    int code = MCAST_OK;
    while (code == MCAST_OK && mcast_map_next(&draft->service->buried, &cursor, &slot)) {
        code = push_dying(draft, (mcast_node)slot.key);
    }
    return code;
}

int mcast_service_draft_dead(struct service_draft *draft, const struct service_node *node) {
    int code = node->resync ? push_buried(draft) : MCAST_OK;
    for (size_t at = mcast_bits_next(&draft->dead, 0); at != MCAST_BITS_END && code == MCAST_OK;
         at = mcast_bits_next(&draft->dead, at + 1)) {
        if (node->resync || mcast_bits_has(&node->known, at) || mcast_bits_has(&node->fresh, at)) {
            code = push_dying(draft, service_node_at(draft->service, at)->name);
        }
    }
    return code;
}

int mcast_service_draft_lost(struct service_draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t i = 0; i < node->lost.count && code == MCAST_OK; i++) {
        code = push_dying(draft, ((mcast_node *)node->lost.items)[i]);
    }
    mcast_sort_u32(draft->dying.items, draft->dying.count);
    return code;
}
