/* Stability: find when a message is at all its targets (rules 1.12, 1.0.14). A message counts the
 * packets that carry it in all region views of its group; a group reports the highest number below
 * which everything is stable. If the group asks for it, members learn this by a frame of its own in
 * the stream. */
#include "member/member_state.h"

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
    mcast_active_append(member, active, send);
    mcast_route_ready(member, index);
}

static void emit_stability(struct mcast_member *member, enum mcast_notice_kind kind, uint32_t index,
                           uint64_t number, uint64_t cookie) {
    mcast_emit_notice(member, &(struct mcast_notice){.kind = kind,
                                                     .group = index,
                                                     .sender = member->node,
                                                     .number = number,
                                                     .cookie = cookie});
}

/* Remove the messages that are at all targets, oldest first, and report them. For messages without
 * a cookie one notice covers the earlier ones. Return the highest stable number, or 0. */
static uint64_t tell_application(struct mcast_member *member, uint32_t index,
                                 struct mcast_active *active) {
    uint64_t stable = 0;
    uint64_t untold = 0;
    while (active->oldest != NULL && active->oldest->whole && active->oldest->views == 0) {
        struct mcast_sent *sent = active->oldest;
        active->oldest = sent->next;
        if (untold > 0 && (sent->uncertain || sent->cookie != 0)) {
            emit_stability(member, MCAST_NOTICE_STABLE, index, untold, 0);
            untold = 0;
        }
        if (sent->uncertain) {
            emit_stability(member, MCAST_NOTICE_UNCERTAIN, index, sent->number, sent->cookie);
        } else if (sent->cookie != 0) {
            emit_stability(member, MCAST_NOTICE_STABLE, index, sent->number, sent->cookie);
        } else {
            untold = sent->number;
        }
        stable = sent->uncertain ? stable : sent->number;
        mcast_slab_give(&member->sent_slab, sent);
    }
    if (untold > 0) {
        emit_stability(member, MCAST_NOTICE_STABLE, index, untold, 0);
    }
    if (active->oldest == NULL) {
        active->newest = NULL;
    }
    return stable;
}

static void free_settled(struct mcast_member *member, struct mcast_active *active) {
    if (active->told != NULL && active->told->whole && active->told->views == 0) {
        mcast_slab_give(&member->sent_slab, active->told);
        active->told = NULL;
    }
}

void mcast_sent_review(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || group->active == NULL) {
        return;
    }
    free_settled(member, group->active);
    uint64_t stable = tell_application(member, index, group->active);
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

void mcast_settle_init(struct mcast_member *member) {
    member->first_due = member->last_due = MCAST_NO_GROUP;
}

/* An acknowledgement settles thousands of messages, of one group or of many. Each group is reviewed
 * once, when all are counted. */
static void add_due(struct mcast_member *member, uint32_t index) {
    struct mcast_active *active = mcast_group_at(member, index)->active;
    if (active->due) {
        return;
    }
    active->due = true;
    active->next_due = MCAST_NO_GROUP;
    if (member->first_due == MCAST_NO_GROUP) {
        member->first_due = index;
    } else {
        mcast_group_at(member, member->last_due)->active->next_due = index;
    }
    member->last_due = index;
}

void mcast_sent_acked(struct mcast_member *member, struct mcast_sent *sent) {
    if (sent->group == MCAST_NO_GROUP) {
        mcast_sent_abandon(member, sent);
        return;
    }
    sent->views--;
    if (sent->views == 0 && sent->whole) {
        add_due(member, sent->group);
    }
}

void mcast_sents_review(struct mcast_member *member) {
    while (member->first_due != MCAST_NO_GROUP) {
        uint32_t index = member->first_due;
        struct mcast_active *active = mcast_group_at(member, index)->active;
        member->first_due = active->next_due;
        active->due = false;
        mcast_sent_review(member, index);
    }
    member->last_due = MCAST_NO_GROUP;
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
