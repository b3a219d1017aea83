/* Settle: when a message is at all its targets (rules 1.12, 1.0.14). A message counts the packets
 * that carry it, in all region views of its group; a group tells the highest number below which all
 * are stable. Members are told by a frame of their own in the stream, when the group asks for it.
 */
#include "machine.h"

static void tell_members(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                         uint64_t number) {
    struct mcast_active *active = group->active;
    if (active->last != NULL && active->last->stable) {
        active->last->number = number;
        return;
    }
    struct mcast_send *send = mcast_slab_take(&member->send_slab);
    if (send == NULL) {
        member->short_of_memory = true;
        return;
    }
    *send = (struct mcast_send){.stable = true, .number = number};
    if (active->last != NULL) {
        active->last->next = send;
    } else {
        active->first = send;
    }
    active->last = send;
    active->pending++;
    member->stats.pending_messages++;
    mcast_route_ready(member, index);
}

void mcast_sent_review(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || group->active == NULL) {
        return;
    }
    struct mcast_active *active = group->active;
    uint64_t stable = 0;
    while (active->oldest != NULL && active->oldest->whole && active->oldest->views == 0) {
        struct mcast_sent *sent = active->oldest;
        stable = sent->uncertain ? stable : sent->number;
        active->oldest = sent->next;
        if (active->oldest == NULL) {
            active->newest = NULL;
        }
        active->unstable--;
        mcast_emit_notice(member,
                          &(struct mcast_notice){.kind = sent->uncertain ? MCAST_NOTICE_UNCERTAIN
                                                                         : MCAST_NOTICE_STABLE,
                                                 .group = index,
                                                 .sender = member->node,
                                                 .number = sent->number,
                                                 .cookie = sent->cookie});
        mcast_slab_give(&member->sent_slab, sent);
    }
    if (stable > 0 && group->tell_stable) {
        tell_members(member, index, group, stable);
    }
    if (group->leave_asked) {
        mcast_group_settled(member, index);
    }
    mcast_group_rest(member, group);
}

void mcast_sent_abandon(struct mcast_member *member, struct mcast_sent *sent) {
    sent->views--;
    if (sent->views == 0 && sent->group == MCAST_NO_GROUP) {
        mcast_slab_give(&member->sent_slab, sent);
    }
}

void mcast_sent_acked(struct mcast_member *member, struct mcast_sent *sent) {
    if (sent->group == MCAST_NO_GROUP) {
        mcast_sent_abandon(member, sent);
        return;
    }
    sent->views--;
    if (sent->views == 0 && sent->whole) {
        mcast_sent_review(member, sent->group);
    }
}

void mcast_sent_orphan(struct mcast_member *member, struct mcast_sent *first) {
    while (first != NULL) {
        struct mcast_sent *next = first->next;
        first->group = MCAST_NO_GROUP;
        if (first->views == 0) {
            mcast_slab_give(&member->sent_slab, first);
        }
        first = next;
    }
}
