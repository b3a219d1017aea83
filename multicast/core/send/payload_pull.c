/* Payload pull: request a payload from the application when its packet is about to leave (rule
 * 1.15). Until the answer no number and no window is held, and other groups go on. A request that
 * is not answered in time is withdrawn. */
#include "member/member_state.h"

static void ring_wants(struct mcast_member *member, struct mcast_alarm *self);

void mcast_want_init(struct mcast_member *member) {
    member->first_want = member->last_want = MCAST_NO_GROUP;
    member->want_alarm.ring = ring_wants;
}

static void append(struct mcast_member *member, uint32_t index, struct mcast_active *active) {
    if (active->in_wants) {
        return;
    }
    active->in_wants = true;
    active->next_want = MCAST_NO_GROUP;
    if (member->last_want == MCAST_NO_GROUP) {
        member->first_want = index;
    } else {
        mcast_group_at(member, member->last_want)->active->next_want = index;
    }
    member->last_want = index;
}

void mcast_want_ask(struct mcast_member *member, uint32_t index) {
    struct mcast_active *active = mcast_group_at(member, index)->active;
    if (active->first->asked) {
        return;
    }
    active->first->asked = true;
    active->wanted = member->now + member->config.want_time;
    append(member, index, active);
    if (!mcast_timer_is_set(&member->want_alarm.timer)) {
        mcast_alarm_set(member, &member->want_alarm, active->wanted);
    }
    uint32_t most =
        member->config.packet_size - MCAST_DATA_HEAD - MCAST_FRAME_HEAD_MOST - MCAST_TAG_SIZE;
    mcast_emit_want(member, &(struct mcast_want){
                                .group = index, .cookie = active->first->cookie, .budget = most});
}

static void withdraw(struct mcast_member *member, uint32_t index, struct mcast_active *active) {
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_WITHDRAWN,
                                                     .group = index,
                                                     .cookie = active->first->cookie});
    active->wanted = 0;
    mcast_send_done(member, index);
    mcast_route_ready(member, index);
}

/* The list is in order of time, except for groups that were asked again later. */
static void ring_wants(struct mcast_member *member, struct mcast_alarm *self) {
    while (member->first_want != MCAST_NO_GROUP) {
        uint32_t index = member->first_want;
        struct mcast_active *active = mcast_group_at(member, index)->active;
        if (active->wanted > member->now) {
            mcast_alarm_set(member, self, active->wanted);
            return;
        }
        member->first_want = active->next_want;
        if (member->first_want == MCAST_NO_GROUP) {
            member->last_want = MCAST_NO_GROUP;
        }
        active->in_wants = false;
        if (active->wanted != 0) {
            withdraw(member, index, active);
        } else {
            mcast_group_rest(member, mcast_group_at(member, index));
        }
    }
}
