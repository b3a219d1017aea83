/* CALL: the leader of a region asks who hears it, or a member answers (slow/ring_stopped.c).
 *
 * A member that is called in a closed view knows that the view is not forgotten, though no token
 * arrived for long: the others have not moved on, and the leader will make the ring turn again.
 * Answers that name a round show the leader the same. */
#include "member/member_state.h"

/* Return the last round whose token passed here. */
static uint64_t last_passed(const struct mcast_ring *ring) {
    uint64_t last = 0;
    for (size_t stage = 0; stage <= MCAST_STAGE_HOME; stage++) {
        last = ring->seen[stage] > last ? ring->seen[stage] : last;
    }
    return last << 8; /* no particular token of it */
}

static void answer(struct mcast_member *member, const struct mcast_peer *leader, mcast_view view,
                   uint64_t round) {
    struct mcast_writer writer = mcast_emit_begin(member, 8);
    mcast_write_u64(&writer, round);
    mcast_emit(member, &writer, MCAST_WIRE_CALL, MCAST_FLAG_HERE, view, &leader->address);
}

static void hear_answer(const struct mcast_member *member, struct mcast_view_state *view,
                        mcast_node from, uint64_t round) {
    uint32_t number = mcast_layout_seat(view, from);
    uint64_t passed = MCAST_ROUND_SET(round);
    bool released = passed <= MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.count, 0));
    if (number != MCAST_NO_SEAT) {
        mcast_brink_answered(member, view, number);
    }
    if (number == MCAST_NO_SEAT || !mcast_layout_leads_region(view) ||
        (!released && passed != MCAST_PASSED_UNKNOWN)) {
        return;
    }
    struct mcast_seat *seat = &view->seats[number];
    seat->answered = view->ring.calls;
    if (seat->passed != passed) {
        seat->passed = passed;
        seat->missed = 0;
    }
    if (passed != MCAST_PASSED_UNKNOWN) {
        view->ring.spoken = member->now;
    }
}

static void hear_call(const struct mcast_member *member, struct mcast_view_state *view,
                      mcast_node from, uint64_t round) {
    if (mcast_layout_seat(view, from) < view->self) { /* rounds begin at an earlier seat */
        uint32_t named = (uint32_t)MCAST_ROUND_PART(round);
        view->ring.spoken = member->now;
        view->ring.waits_for = named == 0 ? MCAST_NO_SEAT : named - 1;
    }
}

/* Return the round to report. A node that does not know the view still hears the call: the network
 * is not the reason why no token passes it. */
static uint64_t round_told(const struct mcast_view_state *view) {
    return view == NULL || !mcast_view_is_member(view) ? UINT64_MAX : last_passed(&view->ring);
}

bool mcast_recv_call(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    uint64_t round = mcast_read_u64(&reader);
    if (!mcast_reader_done(&reader)) {
        return false;
    }
    struct mcast_view_state *view = in->view;
    if (in->peer->dead) {
        return true;
    }
    bool here = view != NULL && mcast_view_is_member(view);
    if ((in->header.flags & MCAST_FLAG_HERE) == 0) {
        answer(member, in->peer, in->header.view, round_told(view));
        if (here) {
            hear_call(member, view, in->header.sender, round);
        }
    } else if (here) {
        hear_answer(member, view, in->header.sender, round);
    }
    return true;
}
