/* Round interval: how often rounds are released (rules 1.0.3, 1.0.10).
 *
 * After quiet a round follows at the floor, then at twice the interval while nothing is missing; a
 * missing number or a lost round resets it to the floor; a sender whose window is half full halves
 * it. The control budget limits all of it (ring/control_budget.c). In the papers' mode a token is
 * released each interval, whatever happened to the one before. */
#include "member/member_state.h"

enum {
    CALM_MILLISECONDS = 100,    /* longest interval while data flows */
    PRESSED_MILLISECONDS = 500, /* how long the flag of a pressed sender counts */
};

void mcast_pace_press(struct mcast_member *member, struct mcast_view_state *view) {
    view->ring.pressed_at = member->now;
}

bool mcast_pace_is_pressed(const struct mcast_member *member, const struct mcast_view_state *view) {
    return view->ring.pressed_at != 0 &&
           member->now - view->ring.pressed_at < PRESSED_MILLISECONDS * MCAST_MILLISECOND;
}

static bool is_quiet(const struct mcast_view_state *view) {
    for (size_t i = 0; i < view->stream_count; i++) {
        if (mcast_stream_is_active(view->streams[i])) {
            return false;
        }
    }
    return !view->closed;
}

mcast_time mcast_pace_first(struct mcast_member *member, struct mcast_view_state *view) {
    mcast_time wait = mcast_pace_wait(member, view);
    mcast_time floor = member->config.interval_floor;
    wait = wait < member->config.interval_ceiling ? wait : member->config.interval_ceiling;
    return member->now + (wait > floor ? wait : floor);
}

static mcast_time next_interval(const struct mcast_member *member,
                                const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    mcast_time floor = member->config.interval_floor;
    mcast_time calm = CALM_MILLISECONDS * MCAST_MILLISECOND;
    if (calm > member->config.interval_ceiling) {
        calm = member->config.interval_ceiling;
    }
    mcast_time interval = ring->unrest ? floor : 2 * ring->interval;
    if (mcast_pace_is_pressed(member, view)) {
        interval /= 4; /* half of the former interval */
    }
    interval = interval < calm ? interval : calm;
    return interval > floor ? interval : floor;
}

mcast_time mcast_pace_look(const struct mcast_member *member, const struct mcast_view_state *view,
                           mcast_time due) {
    mcast_time look = member->now + member->config.interval_floor;
    look = look > view->ring.soonest ? look : view->ring.soonest;
    return view->ring.data_pays && look < due ? look : due;
}

bool mcast_pace_is_due(struct mcast_member *member, struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    bool affordable = mcast_pace_wait(member, view) == 0;
    return member->now >= ring->due || (member->now >= ring->soonest && affordable);
}

mcast_time mcast_pace_next(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    mcast_time ceiling = member->config.interval_ceiling;
    ring->soonest = MCAST_NEVER;
    if (member->config.pace == MCAST_FIXED) {
        ring->interval = ceiling;
        return ring->released + ceiling;
    }
    /* A quiet leader that lost two rounds in a row may be deaf itself: it finds out at the interval
     * of busy rounds (slow/ring_stopped.c). */
    bool stands = ring->still_since != 0 && member->now > ring->still_since;
    if (is_quiet(view) && (view->alive <= 1 || (!ring->owing && !stands))) {
        /* One packet a second (rule 1.0.10); a round takes as many as its hops. */
        ring->interval = 0;
        mcast_time hops = mcast_layout_hops(view);
        return view->alive > 1 ? ring->released + hops * ceiling : MCAST_NEVER;
    }
    if (view->ends_tried > 3) {
        return ring->released + ceiling; /* some member is not there to hear of the end */
    }
    /* A token later than this is lost; while data pays, an extra round does no harm. */
    mcast_time patience = (ring->data_pays ? 2 : 4) * ring->rtt + 2 * member->config.interval_floor;
    if (!ring->out) {
        patience = ring->interval = next_interval(member, view);
    }
    ring->soonest = ring->released + patience;
    mcast_time due = member->now + mcast_pace_wait(member, view);
    due = due > ring->released + patience ? due : ring->released + patience;
    return due < ring->released + ceiling ? due : ring->released + ceiling;
}
