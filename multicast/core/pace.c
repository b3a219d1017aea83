/* Pace: how often rounds are released (rules 1.0.3, 1.0.10).
 *
 * After quiet a round comes at the floor, then at twice the time while nothing is missing;
 * something missing, or a round lost, brings it back to the floor; a sender whose window is half
 * full halves it. A budget of control packets bounds it all: 200 a second a region, or a hundredth
 * of the data bytes. The papers' mode releases a token each interval, whatever happened to the one
 * before. */
#include "machine.h"

enum {
    CALM_MILLISECONDS = 100, /* is the longest time between rounds while data flows */
    /* Any second holds one burst and a second's earnings, and the requests that rounds cause. */
    PACKETS_A_SECOND = 70,
    BURST_PACKETS = 70,
    PRESSED_MILLISECONDS = 500, /* is how long the word of a pressed sender counts */
    TOKEN_BYTES = 600,          /* is what a control packet counts against the data bytes */
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

static void earn(struct mcast_member *member, struct mcast_ring *ring) {
    mcast_time gone = member->now - ring->credited;
    if (gone > MCAST_SECOND) {
        gone = MCAST_SECOND;
    }
    int64_t by_time = (int64_t)(gone * PACKETS_A_SECOND / MCAST_MILLISECOND);
    int64_t by_data = (int64_t)(ring->data_bytes / 100 * 1000 / TOKEN_BYTES);
    ring->credit += by_time > by_data ? by_time : by_data;
    if (ring->credit > BURST_PACKETS * 1000 && by_data <= by_time) {
        ring->credit = BURST_PACKETS * 1000;
    }
    ring->data_bytes = 0;
    ring->credited = member->now;
}

void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view,
                      uint64_t packets) {
    struct mcast_ring *ring = &view->ring;
    if (ring->credited == 0) {
        ring->credit = BURST_PACKETS * 1000;
        ring->credited = member->now;
    }
    earn(member, ring);
    ring->credit -= (int64_t)packets * 1000;
}

/* How long until the budget is out of debt. */
static mcast_time debt(const struct mcast_ring *ring) {
    if (ring->credit >= 0) {
        return 0;
    }
    return (mcast_time)-ring->credit * (MCAST_MILLISECOND / PACKETS_A_SECOND);
}

static mcast_time choose(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    mcast_time floor = member->config.interval_floor;
    mcast_time calm = CALM_MILLISECONDS * MCAST_MILLISECOND;
    if (calm > member->config.interval_ceiling) {
        calm = member->config.interval_ceiling;
    }
    mcast_time interval = ring->unrest ? floor : 2 * ring->interval;
    if (mcast_pace_is_pressed(member, view)) {
        interval /= 4; /* half of what it was */
    }
    interval = interval < calm ? interval : calm;
    return interval > floor ? interval : floor;
}

mcast_time mcast_pace_next(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    mcast_time ceiling = member->config.interval_ceiling;
    if (member->config.pace == MCAST_FIXED) {
        ring->interval = ceiling;
        return ring->released + ceiling;
    }
    if (is_quiet(view) && (view->alive <= 1 || !ring->owing)) {
        /* One packet a second (rule 1.0.10), and a round is as many as its hops. */
        ring->interval = 0;
        mcast_time hops = mcast_layout_hops(view);
        return view->alive > 1 ? ring->released + hops * ceiling : MCAST_NEVER;
    }
    if (view->ends_tried > 3) {
        return ring->released + ceiling; /* somebody is not there to hear the end */
    }
    if (ring->out) {
        /* A token that is this late is lost. */
        mcast_time patience = 4 * ring->rtt + 2 * member->config.interval_floor;
        earn(member, ring);
        patience = patience > debt(ring) ? patience : debt(ring);
        return ring->released + (patience < ceiling ? patience : ceiling);
    }
    ring->interval = choose(member, view);
    earn(member, ring);
    mcast_time wait = ring->interval > debt(ring) ? ring->interval : debt(ring);
    return ring->released + (wait < ceiling ? wait : ceiling);
}
