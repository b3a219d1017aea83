/* Control budget: 200 control packets a second in a region while anything is unstable, or a
 * hundredth of the data bytes where that is more (rule 1.0.10). Rounds and calls spend it. */
#include "member/member_state.h"

enum {
    CONTROL_A_SECOND = 200, /* a region's budget while anything is unstable, rule 1.0.10 */
    TOKEN_BYTES = 600,      /* size at which a control packet is compared with data bytes */
};

#define DOUBLED_FOR MCAST_SECOND /* how long a lost round counts */

/* Any second holds one burst and what that second earns. The remaining fifth is for high-water
 * marks and their answers, which cannot be delayed, and for requests of rounds that are not home
 * yet; if these take more, rounds pay it back. */
_Static_assert(MCAST_BURST_PACKETS + MCAST_PACKETS_A_SECOND <= CONTROL_A_SECOND * 4 / 5,
               "rounds stay within the budget of control");

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
    ring->data_pays =
        dense || (ring->data_pays && gone < MCAST_MILLISECOND); /* too short to tell */
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
static int64_t next_cost(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    int64_t most = share(member, view, MCAST_BURST_PACKETS);
    uint64_t needed = ring->cost + ring->brink.reserved;
    return needed < (uint64_t)most && !ring->data_pays ? (int64_t)needed : most;
}

mcast_time mcast_pace_wait(struct mcast_member *member, struct mcast_view_state *view) {
    earn(member, view);
    int64_t lacking = next_cost(member, view) * 1000 - view->ring.credit;
    if (lacking <= 0) {
        return 0;
    }
    return (mcast_time)lacking * MCAST_MILLISECOND /
           (mcast_time)share(member, view, MCAST_PACKETS_A_SECOND);
}

bool mcast_pace_doubles(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    bool lost = ring->lost_at != 0 && member->now < ring->lost_at + DOUBLED_FOR;
    return lost && (ring->data_pays || ring->credit > (int64_t)MCAST_BURST_PACKETS * 1000);
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
