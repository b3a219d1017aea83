/* Members: who is in a group, when the application asks (rule 1.0.5: lists of members are not sent
 * to all). A question that the service took with it when it died is asked again: the view it is
 * about stays in force, so nothing else would bring the answer. */
#include "machine.h"

static void say_query(struct mcast_member *member, uint32_t index,
                      const struct mcast_group *group) {
    struct mcast_service_message message = {.kind = MCAST_SM_MEMBERS_QUERY};
    message.as.members_query.cookie = index;
    message.as.members_query.group = group->short_name;
    mcast_say(member, &message);
}

/* Until the service has told us all that concerns us, it may know less of a group than we do; then
 * the question waits for the COMMIT that ends this. */
void mcast_members_ask(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || group->short_name == 0) {
        mcast_refuse(member, index, 0, MCAST_EGROUP);
        return;
    }
    group->asks_members = true;
    if (member->served) {
        say_query(member, index, group);
    }
}

void mcast_members_ask_again(struct mcast_member *member) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->shorts, &cursor, &slot)) {
        const struct mcast_group *group = mcast_group_at(member, (uint32_t)slot.value);
        if (group != NULL && group->asks_members) {
            say_query(member, (uint32_t)slot.value, group);
        }
    }
}

void mcast_recv_members(struct mcast_member *member, const struct mcast_service_message *message) {
    uint32_t index = message->as.members.cookie;
    struct mcast_group *group = mcast_group_at(member, index);
    size_t count = message->as.members.count;
    if (group == NULL || group->short_name == 0) {
        return; /* was left meanwhile */
    }
    struct mcast_member_name *names =
        (struct mcast_member_name *)(void *)mcast_scratch(member, (count + 1) * sizeof *names);
    if (names == NULL) {
        return;
    }
    if (message->as.members.view_number >= group->view_number) {
        group->asks_members = false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct mcast_sm_node *node = &message->as.members.nodes[i];
        names[i] = (struct mcast_member_name){node->node, node->id, node->incarnation};
    }
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_MEMBERS,
                                                     .group = index,
                                                     .number = message->as.members.view_number,
                                                     .count = count,
                                                     .nodes = names});
}
