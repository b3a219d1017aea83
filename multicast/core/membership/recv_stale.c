/* STALE and EVICTED: answers to packets for an ended view, or from an evicted node. They name the
 * node that they mean, since its address may belong to a later incarnation by now. */
#include "member/member_state.h"

void mcast_tell_gone(struct mcast_member *member, struct mcast_peer *peer, mcast_view view) {
    if (peer->told != 0 && member->now < peer->told + MCAST_SECOND) {
        return;
    }
    peer->told = member->now;
    struct mcast_writer writer = mcast_emit_begin(member, 16);
    mcast_write_u64(&writer, member->epoch);
    mcast_write_u32(&writer, peer->node);
    mcast_emit(member, &writer, peer->dead ? MCAST_WIRE_EVICTED : MCAST_WIRE_STALE, 0, view,
               &peer->address);
    member->stats.stale_sent++;
}

/* True when the sender can know how the view ended: a member of it, as far as we know the members.
 */
static bool sits_in(const struct mcast_view_state *view, const struct mcast_datagram_in *in) {
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
    if (!meant || view == NULL || view->out == NULL || in->peer->dead || !sits_in(view, in)) {
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

/* Alone this proves nothing: a node is evicted when the service is silent as well (rule 1.0.11). */
bool mcast_recv_evicted(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    mcast_epoch epoch = mcast_read_u64(&reader);
    bool meant = mcast_read_u32(&reader) == member->node;
    if (!mcast_reader_done(&reader)) {
        return false;
    }
    bool silent = member->now > member->service_heard + 3 * member->heartbeat;
    if (meant && !in->peer->dead && member->welcomed && silent && epoch > member->epoch) {
        mcast_evict(member, epoch, MCAST_EEVICTED);
    }
    return true;
}
