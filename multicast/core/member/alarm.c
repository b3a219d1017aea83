/* Alarms: call a function when a given time has come. */
#include "member/member_state.h"

#include <assert.h>

int mcast_alarms_add(struct mcast_member *member, size_t count) {
    if (mcast_heap_reserve(&member->timers, member->alarms + count) != MCAST_OK) {
        member->short_of_memory = true;
        return MCAST_ENOMEM;
    }
    member->alarms += count;
    return MCAST_OK;
}

void mcast_alarms_remove(struct mcast_member *member, size_t count) {
    member->alarms -= count;
}

void mcast_alarm_set(struct mcast_member *member, struct mcast_alarm *alarm, mcast_time when) {
    if (when == MCAST_NEVER) {
        mcast_alarm_stop(member, alarm);
    } else {
        int code = mcast_heap_set(&member->timers, &alarm->timer, when);
        assert(code == MCAST_OK); /* mcast_alarms_add reserved the place */
        (void)code;
    }
}

void mcast_alarm_stop(struct mcast_member *member, struct mcast_alarm *alarm) {
    mcast_heap_cancel(&member->timers, &alarm->timer);
}

void mcast_alarms_ring(struct mcast_member *member) {
    struct mcast_timer *timer;
    /* Each due alarm rings once; one that sets itself to `now` would otherwise ring for ever. */
    for (uint32_t left = 100000; left > 0; left--) {
        timer = mcast_heap_take_due(&member->timers, member->now);
        if (timer == NULL) {
            return;
        }
        struct mcast_alarm *alarm = (struct mcast_alarm *)(void *)timer;
        mcast_measure_alarm(member, member->now - timer->deadline);
        alarm->ring(member, alarm);
    }
}
