/* Groups, as runs of short names: where to send to from now on, or that the group no longer
 * concerns this node (rule 1.0.5). */
#include "base/sort.h"
#include "service/group.h"
#include "service/update/draft.h"

#include "mcast/error.h"

/* True if the group in @slot concerns @node in the proposal, in any way. */
static bool still_has(const struct service_node *node, uint32_t slot) {
    return mcast_service_delta_carried(node->next, slot) ||
           mcast_sort_has_u32(node->next_senders, node->next_sender_count, slot);
}

static int put_removed(struct service_draft *draft, uint32_t name) {
    struct mcast_sm_group_run *runs = draft->runs.items;
    if (draft->runs.count > 0) {
        struct mcast_sm_group_run *last = &runs[draft->runs.count - 1];
        if (last->first + last->count == name) {
            last->count++;
            return MCAST_OK;
        }
    }
    struct mcast_sm_group_run *run = mcast_service_draft_push(draft, &draft->runs, sizeof *run);
    if (run == NULL) {
        return MCAST_ENOMEM;
    }
    *run = (struct mcast_sm_group_run){name, 1, 0, draft->service->plan->epoch};
    return MCAST_OK;
}

static int put_dropped(struct service_draft *draft, const struct service_node *node,
                       const uint32_t *groups, size_t count) {
    int code = MCAST_OK;
    for (size_t i = 0; i < count && code == MCAST_OK; i++) {
        if (!still_has(node, groups[i])) {
            code = put_removed(draft, service_group_at(draft->service, groups[i])->name);
        }
    }
    return code;
}

/* Add the groups that a node may wrongly believe to have after it missed something: those that it
 * reported and is not in, and those it leaves with this epoch. */
static int put_outdated(struct service_draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t i = 0; i < node->gone.count && code == MCAST_OK; i++) {
        code = put_removed(draft, ((uint32_t *)node->gone.items)[i]);
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        const struct service_view *view = node->now[h];
        code = view == NULL ? code : put_dropped(draft, node, view->groups, view->group_count);
    }
    return code == MCAST_OK ? put_dropped(draft, node, node->senders, node->sender_count) : code;
}

int mcast_service_draft_groups(struct service_draft *draft, const struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    int code = node->resync ? put_outdated(draft, node) : MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        code = code == MCAST_OK
                   ? put_dropped(draft, node, chosen[i]->removed.items, chosen[i]->removed.count)
                   : code;
    }
    for (size_t i = 0; i < draft->chosen.count; i++) {
        const struct mcast_sm_group_run *runs = chosen[i]->runs.items;
        for (size_t j = 0; j < chosen[i]->runs.count && code == MCAST_OK; j++) {
            struct mcast_sm_group_run *place =
                mcast_service_draft_push(draft, &draft->runs, sizeof *place);
            code = place == NULL ? MCAST_ENOMEM : MCAST_OK;
            if (place != NULL) {
                *place = runs[j];
            }
        }
    }
    return code;
}
