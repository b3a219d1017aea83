/* Wait for COMMIT: hold back packets with groups that the pending epoch brings and that have no
 * name here yet.
 *
 * A node that received COMMIT may send at once, and where the region view stays the same its
 * packets may arrive before our own COMMIT. A message goes to every member of the group view it is
 * bound to (1.1), so such a packet, and what follows it in its stream, waits until the epoch is in
 * force or dropped. A service that dies in between must not stop the stream: the wait ends after
 * the time for which packets of unknown views are kept (1.14). */
#include "member/member_state.h"

static bool names_group(const struct mcast_sm_update *update, uint32_t name) {
    for (size_t i = 0; i < update->run_count; i++) {
        const struct mcast_sm_group_run *run = &update->runs[i];
        if (name >= run->first && name - run->first < run->count) {
            return run->class_number != 0; /* 0 removes the group */
        }
    }
    return false;
}

static bool brings_unnamed_group(const struct mcast_member *member,
                                 const struct mcast_sm_update *update) {
    for (size_t i = 0; i < update->run_count; i++) {
        const struct mcast_sm_group_run *run = &update->runs[i];
        for (uint32_t j = 0; j < run->count && run->class_number != 0; j++) {
            if (mcast_group_named(member, run->first + j) == MCAST_NO_GROUP) {
                return true;
            }
        }
    }
    return false;
}

static void ring_time_limit(struct mcast_member *member, struct mcast_alarm *self) {
    (void)self;
    mcast_brought_end(member);
    mcast_streams_flow_again(member);
}

void mcast_brought_init(struct mcast_member *member) {
    member->brought_alarm.ring = ring_time_limit;
}

void mcast_brought_begin(struct mcast_member *member) {
    member->brought = brings_unnamed_group(member, &member->prepared.as.prepare.update);
}

void mcast_brought_end(struct mcast_member *member) {
    if (member->brought) {
        member->brought = false;
        member->flow_again = true;
        mcast_alarm_stop(member, &member->brought_alarm);
    }
}

static bool has_unnamed_group(const struct mcast_member *member, const uint8_t *frames,
                              uint32_t length) {
    struct mcast_reader reader = mcast_reader_over(frames, length);
    struct mcast_frame frame;
    uint32_t last = 0;
    while (mcast_reader_left(&reader) > 0 && mcast_frame_read(&reader, &frame)) {
        if (frame.kind == MCAST_FRAME_OPEN || frame.group == last) {
            continue;
        }
        last = frame.group;
        if (mcast_group_named(member, last) == MCAST_NO_GROUP &&
            names_group(&member->prepared.as.prepare.update, last)) {
            return true;
        }
    }
    return false;
}

bool mcast_brought_awaits(struct mcast_member *member, const uint8_t *frames, uint32_t length) {
    if (!has_unnamed_group(member, frames, length)) {
        return false;
    }
    if (!mcast_timer_is_set(&member->brought_alarm.timer)) {
        mcast_alarm_set(member, &member->brought_alarm, member->now + member->config.unknown_time);
    }
    return true;
}
