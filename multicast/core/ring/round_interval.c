/* Round interval: how often rounds are released (rules 1.0.3, 1.0.10).
 *
 * After quiet a round follows at the floor, then at twice the interval while nothing is missing; a
 * missing number or a lost round resets it to the floor; a sender whose window is half full halves
 * it. The control budget limits all of it (ring/control_budget.c). In the papers' mode a token is
 * released each interval, whatever happened to the one before. */
#include "member/member_state.h"

enum {
    CALM_MILLISECONDS = 100,    /* longest interval while data flows */
    CONTROL_A_SECOND = 200,     /* a region's budget while anything is unstable, rule 1.0.10 */
    PRESSED_MILLISECONDS = 500, /* how long the flag of a pressed sender counts */
    TOKEN_BYTES = 600,          /* size at which a control packet is compared with data bytes */
};

#define DOUBLED_FOR MCAST_SECOND /* how long a lost round counts */

/* Any second holds one burst and what that second earns. The remaining fifth is for high-water
 * marks and their answers, which cannot be delayed, and for requests of rounds that are not home
 * yet; if these take more, rounds pay it back. */
_Static_assert(MCAST_BURST_PACKETS + MCAST_PACKETS_A_SECOND <= CONTROL_A_SECOND * 4 / 5,
               "rounds stay within the budget of control");

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

/* Return the region's share of @packets: with independent partition rings these get two thirds, and
 * the leaders' ring one third. */
static int64_t share(const struct mcast_member *member, const struct mcast_view_state *view,
                     int64_t packets) {
    return mcast_apart_is_on(member, view) ? packets / 3 : packets;
}

static void earn(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    int64_t most = share(member, view, MCAST_BURST_PACKETS) * 1000;
    int64_t second = share(member, view, MCAST_PACKETS_A_SECOND);
    mcast_time gone = member->now - ring->credited;
    gone = ring->credited == 0 || gone > MCAST_SECOND ? MCAST_SECOND : gone;
    mcast_time unpaid = member->now > ring->paid_until ? member->now - ring->paid_until : 0;
    bool paid = ring->paid_until != 0 && unpaid < gone;
    int64_t by_time = (int64_t)(paid ? unpaid : gone) * second / (int64_t)MCAST_MILLISECOND;
    int64_t by_data = (int64_t)(ring->data_bytes / 100 * 1000 / TOKEN_BYTES);
    /* The larger of the two bounds holds, not their sum: a hundredth of the data counts when it is
     * more than time allows. */
    bool dense = by_data > (int64_t)gone * CONTROL_A_SECOND / (int64_t)MCAST_MILLISECOND;
    ring->dense = dense || (ring->dense && gone < MCAST_MILLISECOND); /* too short to tell */
    if (dense) {
        /* When data ends, or a window is full because much is missing, half of the next second's
         * earnings are available at once: everybody waits for the rounds that repair. */
        ring->paid_until = member->now + MCAST_SECOND;
    }
    most += member->now < ring->paid_until ? second * 500 : 0;
    ring->credit += dense ? by_data / 2 : by_time;
    ring->credit = ring->credit < most ? ring->credit : most;
    ring->data_bytes = 0;
    ring->credited = member->now;
}

void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view,
                      uint64_t packets) {
    earn(member, view);
    view->ring.credit -= (int64_t)packets * 1000;
}

void mcast_pace_begin(const struct mcast_member *member, struct mcast_view_state *view) {
    view->ring.credit = 0;
    view->ring.credited = member->now;
    view->ring.data_bytes = 0;
}

bool mcast_pace_allows(struct mcast_member *member, struct mcast_view_state *view,
                       uint64_t packets) {
    earn(member, view);
    int64_t most = share(member, view, MCAST_BURST_PACKETS);
    int64_t wanted = packets < (uint64_t)most ? (int64_t)packets : most;
    return view->ring.credit >= wanted * 1000;
}

/* Return what the budget must hold for the next round: the cost of the last one and of a due call
 * (slow/window_full.c), or all that it can hold. While data pays for rounds it is kept full,
 * because the last losses take some more rounds when data ends. */
static int64_t wanted(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    int64_t most = share(member, view, MCAST_BURST_PACKETS);
    uint64_t needed = ring->cost + ring->brink.reserved;
    return needed < (uint64_t)most && !ring->dense ? (int64_t)needed : most;
}

/* Return how long until the budget holds that. */
static mcast_time debt(struct mcast_member *member, struct mcast_view_state *view) {
    int64_t lacking = wanted(member, view) * 1000 - view->ring.credit;
    if (lacking <= 0) {
        return 0;
    }
    return (mcast_time)lacking * MCAST_MILLISECOND /
           (mcast_time)share(member, view, MCAST_PACKETS_A_SECOND);
}

mcast_time mcast_pace_first(struct mcast_member *member, struct mcast_view_state *view) {
    earn(member, view);
    mcast_time wait = debt(member, view);
    mcast_time floor = member->config.interval_floor;
    wait = wait < member->config.interval_ceiling ? wait : member->config.interval_ceiling;
    return member->now + (wait > floor ? wait : floor);
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
        interval /= 4; /* half of the former interval */
    }
    interval = interval < calm ? interval : calm;
    return interval > floor ? interval : floor;
}

mcast_time mcast_pace_look(const struct mcast_member *member, const struct mcast_view_state *view,
                           mcast_time due) {
    mcast_time look = member->now + member->config.interval_floor;
    look = look > view->ring.soonest ? look : view->ring.soonest;
    return view->ring.dense && look < due ? look : due;
}

bool mcast_pace_is_due(struct mcast_member *member, struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    earn(member, view);
    return member->now >= ring->due || (member->now >= ring->soonest && debt(member, view) == 0);
}

bool mcast_pace_doubles(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    bool lost = ring->lost_at != 0 && member->now < ring->lost_at + DOUBLED_FOR;
    return lost && (ring->dense || ring->credit > (int64_t)MCAST_BURST_PACKETS * 1000);
}

/* Each visit requests from the hop before and from one member of each other partition; a token that
 * comes back to a partition's leader, from the hop before and from each sender. While only time
 * pays, no request is assumed. */
uint32_t mcast_pace_requests(const struct mcast_member *member,
                             const struct mcast_view_state *view) {
    uint64_t most = (uint64_t)view->partitions * (view->alive + 1 + view->stream_count);
    bool fewer = member->now < view->ring.paid_until && most < MCAST_REQUESTS_A_ROUND;
    return fewer ? (uint32_t)most : MCAST_REQUESTS_A_ROUND;
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
    mcast_time patience = (ring->dense ? 2 : 4) * ring->rtt + 2 * member->config.interval_floor;
    if (!ring->out) {
        patience = ring->interval = choose(member, view);
    }
    earn(member, view);
    ring->soonest = ring->released + patience;
    mcast_time due = member->now + debt(member, view);
    due = due > ring->released + patience ? due : ring->released + patience;
    return due < ring->released + ceiling ? due : ring->released + ceiling;
}
