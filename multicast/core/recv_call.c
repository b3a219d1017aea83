/* A CALL came: the leader of a region asks who hears it, or a member answers (suspect.c). */
#include "machine.h"

/* The last round whose token passed here. */
static uint64_t last_passed(const struct mcast_ring *ring) {
    uint64_t last = 0;
    for (size_t stage = 0; stage <= MCAST_STAGE_HOME; stage++) {
        last = ring->seen[stage] > last ? ring->seen[stage] : last;
    }
    return last << 8; /* no token of it in particular */
}

static void answer(struct mcast_member *member, const struct mcast_view_state *view,
                   const struct mcast_peer *leader) {
    struct mcast_writer writer = mcast_emit_begin(member, 8);
    mcast_write_u64(&writer, last_passed(&view->ring));
    mcast_emit(member, &writer, MCAST_WIRE_CALL, MCAST_FLAG_HERE, view->number, &leader->address);
}

bool mcast_recv_call(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    uint64_t round = mcast_read_u64(&reader);
    if (!mcast_reader_done(&reader)) {
        return false;
    }
    struct mcast_view_state *view = in->view;
    if (view == NULL || !mcast_view_is_member(view) || in->peer->dead) {
        return true;
    }
    uint32_t seat = mcast_layout_seat(view, in->header.sender);
    bool here = (in->header.flags & MCAST_FLAG_HERE) != 0;
    if (seat != MCAST_NO_SEAT && here && mcast_layout_leads_region(view)) {
        view->seats[seat].answered = member->now;
        view->seats[seat].passed = MCAST_ROUND_SET(round);
    } else if (!here && seat != MCAST_NO_SEAT && seat == mcast_layout_region_leader(view)) {
        answer(member, view, in->peer);
    }
    return true;
}
