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
    /* Of the 200 packets a second: the rest is for the requests of a round and for high-water marks
     * that are under way. */
    PACKETS_MOST = 125,
    ASKED_MOST = 30, /* is how many requests a round is expected to lead to at the most */
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

void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view,
                      uint64_t packets) {
    mcast_budget_spend(&view->ring.budget, member->now, (uint32_t)packets);
}

/* How long until the budget has room for a round: its hops, what it may lead to, and an
 * acknowledgement a sender. */
static mcast_time debt(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    bool apart = mcast_apart_is_on(member, view);
    uint32_t packets = apart ? view->partitions : mcast_layout_hops(view);
    packets = packets * (ring->parts > 1 ? ring->parts : 1);
    packets += ring->asked < ASKED_MOST ? ring->asked : ASKED_MOST;
    uint32_t most = apart ? MCAST_APART_PACKETS_MOST : PACKETS_MOST;
    for (size_t i = 0; i < view->stream_count; i++) {
        packets += mcast_stream_is_active(view->streams[i]) ? 1 : 0;
    }
    mcast_budget_data(&ring->budget, member->now, ring->data_bytes);
    ring->data_bytes = 0;
    return mcast_budget_wait(&ring->budget, member->now, packets, TOKEN_BYTES, most);
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
    mcast_time soonest = member->now + debt(member, view);
    /* A token that is this late is lost. */
    mcast_time patience = 4 * ring->rtt + 2 * member->config.interval_floor;
    if (!ring->out) {
        ring->interval = patience = choose(member, view);
    }
    mcast_time next = ring->released + (patience < ceiling ? patience : ceiling);
    return next > soonest ? next : soonest;
}
