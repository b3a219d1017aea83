/* Report: tell a new membership service the state that this member knows, so that the service can
 * rebuild its own (rule 1.0.12). */
#include "base/sort.h"
#include "member/member_state.h"

static void *room(struct mcast_member *member, size_t count, size_t size) {
    return mcast_scratch(member, (count + 1) * size);
}

static void add_view(struct mcast_member *member, struct mcast_sm_report *report,
                     const struct mcast_view_state *view) {
    if (!mcast_view_is_member(view)) {
        if (view->committed) {
            report->outbound[report->outbound_count++] = view->number;
        }
        return;
    }
    if (view->ended) {
        return;
    }
    if (view->closing) {
        report->old_views[report->old_view_count++] = view->number;
        return;
    }
    /* A view that a former service proposed may be in force for members that its COMMIT reached
     * (1.0.6). The next service has to find out. */
    struct mcast_sm_view *told = view->committed ? &report->views[report->view_count]
                                                 : &report->prepared[report->prepared_count];
    *told = (struct mcast_sm_view){.view = view->number,
                                   .region = view->region,
                                   .hierarchy = view->hierarchy,
                                   .address = view->address,
                                   .member_count = view->count};
    told->members = room(member, view->count, sizeof *told->members);
    if (told->members == NULL) {
        return;
    }
    for (uint32_t i = 0; i < view->count; i++) {
        told->members[i] = view->seats[i].node;
    }
    report->view_count += view->committed ? 1 : 0;
    report->prepared_count += view->committed ? 0 : 1;
}

static void add_nodes(struct mcast_member *member, struct mcast_sm_report *report) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->peers, &cursor, &slot)) {
        const struct mcast_peer *peer = (const struct mcast_peer *)(uintptr_t)slot.value;
        if (peer->dead) {
            report->dead[report->dead_count++] = peer->node;
        } else {
            report->nodes[report->node_count++] =
                (struct mcast_sm_node){peer->node, peer->id, peer->incarnation, peer->address};
        }
    }
    report->dead_count += mcast_forgotten_names(member, report->dead + report->dead_count);
    mcast_sort_u32(report->dead, report->dead_count);
}

static void add_classes(struct mcast_member *member, struct mcast_sm_report *report) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        const struct mcast_route *route = (const struct mcast_route *)(uintptr_t)slot.value;
        report->classes[report->class_count++] =
            (struct mcast_sm_class){route->class_number, route->numbers, route->count};
    }
}

static void add_groups(struct mcast_member *member, struct mcast_sm_report *report) {
    size_t cursor = 0;
    struct mcast_name_slot slot;
    while (mcast_name_map_next(&member->shorts, &cursor, &slot)) {
        const struct mcast_group *group = mcast_group_at(member, slot.value);
        if (group != NULL && group->route != NULL) {
            report->groups[report->group_count++] =
                (struct mcast_sm_report_group){.group = group->id,
                                               .short_name = group->short_name,
                                               .class_number = group->route->class_number,
                                               .view_number = group->view_number,
                                               .member = group->receives};
        }
    }
}

static size_t count_hybrids(const struct mcast_member *member) {
    size_t count = 0;
    for (const struct mcast_hybrid *at = member->hybrids; at != NULL; at = at->next) {
        count += at->committed && at->left == 0 ? 1 : 0;
    }
    return count;
}

/* Add the group addresses in force, by group. The list has the newest first, with mostly the
 * highest short names: reversing it leaves little to sort. */
static void add_hybrids(struct mcast_member *member, struct mcast_sm_report *report) {
    size_t count = count_hybrids(member);
    struct mcast_sm_hybrid *hybrids = room(member, count, sizeof *hybrids);
    if (hybrids == NULL) {
        return;
    }
    size_t low = count;
    for (const struct mcast_hybrid *at = member->hybrids; at != NULL; at = at->next) {
        if (!at->committed || at->left != 0) {
            continue;
        }
        size_t place = --low;
        for (; place + 1 < count && hybrids[place + 1].group < at->group; place++) {
            hybrids[place] = hybrids[place + 1];
        }
        hybrids[place] = (struct mcast_sm_hybrid){at->group, at->address, at->listens};
    }
    report->hybrids = hybrids;
    report->hybrid_count = count;
}

void mcast_report(struct mcast_member *member) {
    struct mcast_service_message message = {.kind = MCAST_SM_REPORT};
    struct mcast_sm_report *report = &message.as.report;
    size_t views = member->views.count;
    report->epoch = member->epoch;
    report->views = room(member, views, sizeof *report->views);
    report->old_views = room(member, views, sizeof *report->old_views);
    report->outbound = room(member, views, sizeof *report->outbound);
    report->prepared = room(member, views, sizeof *report->prepared);
    report->nodes = room(member, member->peers.count, sizeof *report->nodes);
    size_t dead = member->peers.count + mcast_forgotten_count(member);
    report->dead = room(member, dead, sizeof *report->dead);
    report->classes = room(member, member->routes.count, sizeof *report->classes);
    report->groups = room(member, member->shorts.count, sizeof *report->groups);
    if (report->views == NULL || report->old_views == NULL || report->outbound == NULL ||
        report->prepared == NULL || report->nodes == NULL || report->dead == NULL ||
        report->classes == NULL || report->groups == NULL) {
        return; /* the service asks again over the next stream */
    }
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        add_view(member, report, view);
    }
    mcast_sort_u64(report->old_views, report->old_view_count);
    mcast_sort_u64(report->outbound, report->outbound_count);
    add_nodes(member, report);
    add_classes(member, report);
    add_groups(member, report);
    add_hybrids(member, report);
    mcast_say(member, &message);
}
