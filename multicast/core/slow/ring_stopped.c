/* Ring stopped: find the node at which a region's ring stands still (rule 1.5: a failed node is
 * suspected).
 *
 * A node that reaches the service but receives no datagrams, or whose datagrams get lost, is alive
 * for the service, and no token passes it. Its leader only sees that no round comes home. After a
 * heartbeat of that it sends CALL to the region by name; members answer which round passed them
 * last. After the suspicion time and several calls, the leader accuses the first seat that answered
 * none, or that no token reaches, and repeats that after half the time; the service then removes
 * the seat. If nobody of several members answers, the leader is deaf itself or the network is down:
 * after the time for a region that is gone it leaves, and takes the state from the others. */
#include "member/member_state.h"

/* Calls, answers and tokens can be lost: this many in a row are no accident. */
enum { CALLS_LEAST = 4, CALLS_AGAIN = 2 };

/* In a call, the bits that hold the token of a round in an answer hold the seat, counted from 1,
 * for which the caller waits. */
enum { SEATS_NAMED = 255 };

void mcast_suspect_call(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t waits_for = mcast_laggard_seat(member, view);
    uint32_t named = waits_for < SEATS_NAMED ? waits_for + 1 : 0;
    struct mcast_writer writer = mcast_emit_begin(member, 8);
    mcast_write_u64(&writer, MCAST_ROUND(view->self, view->ring.count, named));
    mcast_emit(member, &writer, MCAST_WIRE_CALL, 0, view->number, &view->address);
    mcast_pace_spent(member, view, view->alive); /* including the answers */
}

static bool is_silent(const struct mcast_view_state *view, const struct mcast_seat *seat) {
    return view->ring.calls - seat->answered >= CALLS_LEAST;
}

/* Compare the answers to the last call: a round reached the seat before, and not this one. Each
 * such round counts once, however often it is reported; later rounds that were lost before both
 * prove nothing. A round that passes resets the count (slow/recv_call.c). With independent
 * partition rings the region's tokens pass leaders only. */
static void compare_answers(const struct mcast_member *member, struct mcast_view_state *view) {
    uint64_t before = MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.count, 0));
    for (uint32_t i = 0; i < view->count; i++) {
        struct mcast_seat *seat = &view->seats[i];
        if (seat->dead || i == view->self || seat->passed == MCAST_PASSED_UNKNOWN ||
            mcast_apart_is_on(member, view)) {
            continue;
        }
        if (seat->passed < before && seat->reached < before && seat->answered == view->ring.calls) {
            seat->missed++;
            seat->reached = before;
        }
        before = seat->passed;
    }
}

/* Return the first seat where the ring breaks, MCAST_NO_SEAT if unknown; our own seat when nobody
 * else of several answers. */
static uint32_t broken_seat(const struct mcast_view_state *view) {
    uint32_t first = MCAST_NO_SEAT;
    uint32_t silent = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct mcast_seat *seat = &view->seats[i];
        if (seat->dead || i == view->self) {
            continue;
        }
        bool hears = !is_silent(view, seat);
        silent += hears ? 0 : 1;
        if (first == MCAST_NO_SEAT && (!hears || seat->missed >= CALLS_LEAST)) {
            first = i;
        }
    }
    return silent > 1 && silent + 1 >= view->alive ? view->self : first;
}

static void accuse(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t seat = broken_seat(view);
    view->ring.accused = member->now;
    if (seat == MCAST_NO_SEAT) {
        return;
    }
    if (seat != view->self) {
        struct mcast_service_message message = {.kind = MCAST_SM_SUSPECT};
        message.as.suspect.node = view->seats[seat].node;
        message.as.suspect.view = view->number;
        mcast_say(member, &message);
    } else if (member->now > mcast_member_patience(member, view->ring.still_since)) {
        struct mcast_service_message bye = {.kind = MCAST_SM_BYE};
        mcast_say(member, &bye);
        member->wants_eviction = true;
    }
}

/* True while the service is reachable; otherwise this node may be the isolated one, and rule 1.0.11
 * applies. */
static bool is_served(const struct mcast_member *member) {
    return member->connected && member->welcomed &&
           member->now <= member->service_heard + 3 * member->heartbeat;
}

/* True when it is time for the first or the next accusation. */
static bool is_due(const struct mcast_member *member, const struct mcast_ring *ring) {
    uint32_t calls = ring->calls - ring->first_call;
    if (ring->accused < ring->still_since) {
        return member->now - ring->still_since >= member->suspicion && calls >= CALLS_LEAST;
    }
    return member->now - ring->accused >= member->suspicion / 2 &&
           calls >= CALLS_LEAST + CALLS_AGAIN;
}

void mcast_suspect_review(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    if (!ring->out || view->alive <= 1 || !is_served(member)) {
        ring->still_since = 0;
        return;
    }
    if (ring->still_since == 0) {
        ring->still_since = member->now;
        ring->first_call = ring->calls;
    }
    if (member->now - ring->still_since < member->heartbeat ||
        member->now < ring->called + member->heartbeat) {
        return;
    }
    compare_answers(member, view);
    if (is_due(member, ring)) {
        accuse(member, view);
    }
    mcast_suspect_call(member, view);
    ring->called = member->now;
    ring->calls++;
}
