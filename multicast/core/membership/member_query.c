/* Member query: tell the application who is in a group when it asks (rule 1.0.5: member lists are
 * not sent to everybody). Groups of one class share their region views, and a view never changes,
 * so the service is asked once for a class, and the last answer holds as long as the class has
 * those views. A query that died with its service is repeated: the view stays in force, so nothing
 * else would bring the answer. */
#include "base/memory.h"
#include "member/member_state.h"

static void send_query(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    struct mcast_service_message message = {.kind = MCAST_SM_MEMBERS_QUERY};
    message.as.members_query.cookie = index;
    message.as.members_query.group = group->short_name;
    mcast_say(member, &message);
    group->asked_members = true;
}

void mcast_members_ask(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || group->short_name == 0) {
        mcast_refuse(member, index, 0, MCAST_EGROUP);
        return;
    }
    if (!group->asks_members) {
        uint32_t *place = mcast_list_add(member, &member->members.asking, sizeof *place);
        if (place == NULL) {
            mcast_refuse(member, index, 0, MCAST_ENOMEM);
            return;
        }
        *place = index;
        group->asks_members = true;
    }
    member->members.due = true;
}

static struct mcast_group *asking_at(const struct mcast_member *member, size_t at) {
    uint32_t index = ((const uint32_t *)member->members.asking.items)[at];
    struct mcast_group *group = mcast_group_at(member, index);
    return group == NULL || !group->asks_members ? NULL : group;
}

void mcast_members_ask_again(struct mcast_member *member) {
    for (size_t i = 0; i < member->members.asking.count; i++) {
        struct mcast_group *group = asking_at(member, i);
        if (group != NULL) {
            group->asked_members = false;
        }
    }
    member->members.due = true;
}

static bool is_answered(const struct mcast_members *members, const struct mcast_group *group) {
    const struct mcast_route *route = group->route;
    bool same = route != NULL && members->views != NULL && route->count == members->view_count;
    for (size_t i = 0; same && i < members->view_count; i++) {
        same = route->numbers[i] == members->views[i];
    }
    return same;
}

static void notify(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                   mcast_epoch number, const struct mcast_member_name *names, size_t count) {
    group->asks_members = group->asked_members = false;
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_MEMBERS,
                                                     .group = index,
                                                     .number = number,
                                                     .count = count,
                                                     .nodes = names});
}

/* Mark the classes that were asked about, so that the service is asked once. */
static void mark_asked(struct mcast_member *member) {
    member->members.round++;
    for (size_t i = 0; i < member->members.asking.count; i++) {
        const struct mcast_group *group = asking_at(member, i);
        if (group != NULL && group->asked_members && group->route != NULL) {
            group->route->asked = member->members.round;
        }
    }
}

/* Ask the service. Until it has sent us everything, it may know less of a group than we do; then
 * the query waits for the COMMIT that ends this. */
static void query(struct mcast_member *member, uint32_t index, struct mcast_group *group) {
    bool waits = group->route != NULL && group->route->asked == member->members.round;
    if (group->asked_members || waits || !member->served) {
        return;
    }
    send_query(member, index, group);
    if (group->route != NULL) {
        group->route->asked = member->members.round;
    }
}

void mcast_members_pump(struct mcast_member *member) {
    struct mcast_members *members = &member->members;
    if (!members->due) {
        return;
    }
    members->due = false;
    mark_asked(member);
    uint32_t *asking = members->asking.items;
    size_t kept = 0;
    for (size_t i = 0; i < members->asking.count; i++) {
        struct mcast_group *group = asking_at(member, i);
        if (group == NULL) {
            continue;
        }
        if (is_answered(members, group)) {
            notify(member, asking[i], group, group->view_number, members->names,
                   members->name_count);
            continue;
        }
        query(member, asking[i], group);
        asking[kept++] = asking[i];
    }
    members->asking.count = kept;
    if (kept == 0) {
        mcast_list_free(member, &members->asking, sizeof *asking);
    }
}

static void forget_answer(struct mcast_member *member) {
    struct mcast_members *members = &member->members;
    mcast_memory_free(&member->alloc, members->views, members->view_count + 1, sizeof(mcast_view));
    mcast_memory_free(&member->alloc, members->names, members->name_count + 1,
                      sizeof *members->names);
    members->views = NULL;
    members->names = NULL;
    members->view_count = members->name_count = 0;
}

/* Keep the answer for all groups whose class has the views of @route. Return false when memory is
 * short. */
static bool keep_answer(struct mcast_member *member, const struct mcast_route *route,
                        const struct mcast_sm_node *nodes, size_t count) {
    struct mcast_members *members = &member->members;
    forget_answer(member);
    mcast_view *views = mcast_memory_new(&member->alloc, route->count + 1, sizeof *views);
    struct mcast_member_name *names = mcast_memory_new(&member->alloc, count + 1, sizeof *names);
    if (views == NULL || names == NULL) {
        mcast_memory_free(&member->alloc, views, route->count + 1, sizeof *views);
        mcast_memory_free(&member->alloc, names, count + 1, sizeof *names);
        return false;
    }
    for (size_t i = 0; i < route->count; i++) {
        views[i] = route->numbers[i];
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = (struct mcast_member_name){nodes[i].node, nodes[i].id, nodes[i].incarnation};
    }
    members->views = views;
    members->view_count = route->count;
    members->names = names;
    members->name_count = count;
    return true;
}

/* Answer one query with a member list for views that this node does not have; it cannot serve other
 * groups. */
static void notify_only(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                        const struct mcast_service_message *message) {
    size_t count = message->as.members.count;
    struct mcast_member_name *names =
        (struct mcast_member_name *)(void *)mcast_scratch(member, (count + 1) * sizeof *names);
    if (names == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct mcast_sm_node *node = &message->as.members.nodes[i];
        names[i] = (struct mcast_member_name){node->node, node->id, node->incarnation};
    }
    notify(member, index, group, message->as.members.view_number, names, count);
}

void mcast_recv_members(struct mcast_member *member, const struct mcast_service_message *message) {
    uint32_t index = message->as.members.cookie;
    struct mcast_group *group = mcast_group_at(member, index);
    member->members.due = true;
    if (group == NULL || !group->asked_members) {
        return; /* the group was left meanwhile */
    }
    bool same = group->route != NULL && message->as.members.view_number == group->view_number;
    if (!same ||
        !keep_answer(member, group->route, message->as.members.nodes, message->as.members.count)) {
        notify_only(member, index, group, message);
    }
    group->asked_members = false;
}

void mcast_members_free(struct mcast_member *member) {
    forget_answer(member);
    mcast_list_free(member, &member->members.asking, sizeof(uint32_t));
    member->members.due = false;
}
