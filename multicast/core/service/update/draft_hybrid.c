/* The addresses of groups that have one, for nodes that send to or receive the group (rule 1.6,
 * hybrid). */
#include "base/sort.h"
#include "service/group.h"
#include "service/update/draft.h"

#include "mcast/error.h"

/* Gather, by name, the groups of the runs that have an address of their own. */
static int name_hybrids(struct service_draft *draft) {
    struct service_delta **chosen = draft->chosen.items;
    draft->named.count = 0;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        const uint32_t *slots = chosen[i]->hybrids.items;
        for (size_t j = 0; j < chosen[i]->hybrids.count; j++) {
            uint64_t *place = mcast_service_draft_push(draft, &draft->named, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = (uint64_t)service_group_at(draft->service, slots[j])->name << 32 | slots[j];
        }
    }
    mcast_sort_u64(draft->named.items, draft->named.count);
    draft->named.count = mcast_sort_unique_u64(draft->named.items, draft->named.count);
    return MCAST_OK;
}

int mcast_service_draft_hybrids(struct service_draft *draft, struct service_node *node) {
    int code = name_hybrids(draft);
    for (size_t i = 0; i < draft->named.count && code == MCAST_OK; i++) {
        uint32_t slot = (uint32_t)((uint64_t *)draft->named.items)[i];
        const struct service_group *group = service_group_at(draft->service, slot);
        struct mcast_sm_hybrid *place =
            mcast_service_draft_push(draft, &draft->hybrids, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        place->group = group->name;
        place->address = mcast_address_pool_at(&draft->service->addresses, group->next_address);
        place->listens = mcast_service_delta_carried(node->next, slot);
        bool fresh = group->address != group->next_address;
        node->hears = node->hears || (fresh && place->listens);
    }
    return code;
}
