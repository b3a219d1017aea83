/* STALE: some member says that a view to which this node sent has ended (rule 1.0.6). */
#include "member/member_state.h"

/* True when the sender can know how the view ended: a member of it, as far as we know the members.
 */
static bool may_know_end(const struct mcast_view_state *view, const struct mcast_datagram_in *in) {
    return !mcast_view_is_member(view) ||
           mcast_layout_seat(view, in->header.sender) != MCAST_NO_SEAT;
}

/* An ended view is stable at all its members, so what we hold was acknowledged without our hearing
 * of it. A view that ended before we closed it ended without our last number (1.0.6): the members
 * regarded us as dead and did not wait, so our messages are uncertain. */
bool mcast_recv_stale(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_view_state *view = in->view;
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    (void)mcast_read_u64(&reader);
    bool meant = mcast_read_u32(&reader) == member->node;
    if (!mcast_reader_done(&reader)) {
        return false;
    }
    if (!meant || view == NULL || view->out == NULL || in->peer->dead || !may_know_end(view, in)) {
        return true;
    }
    view->left_out = view->left_out || !view->closing;
    view->closing = view->closing || mcast_outside_is_left(member, view);
    if (view->closing && view->left_out) {
        mcast_outbound_give_up(member, view->out);
    } else if (view->closing) {
        mcast_outbound_ack(member, view->out, view->out->last);
    }
    return true;
}
