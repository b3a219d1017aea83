/* ACK from the leader of a region: all its members have everything up to a number (1.10). */
#include "member/member_state.h"

bool mcast_recv_ack(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_ack ack;
    if (!mcast_ack_read(&reader, &ack)) {
        return false;
    }
    member->stats.acks_received++;
    struct mcast_view_state *view = in->view;
    bool known = ack.sender == member->node && view != NULL && view->out != NULL && !in->peer->dead;
    if (known && mcast_view_is_member(view)) {
        known = mcast_layout_seat(view, in->header.sender) != MCAST_NO_SEAT;
    }
    if (known) {
        mcast_outbound_hear(member, view->out);
        view->out->low = ack.low;
        view->out->low_at = member->now;
        mcast_outbound_ack(member, view->out, ack.contig);
        mcast_outbound_ack_above(member, view->out, &ack.above);
    }
    return true;
}
