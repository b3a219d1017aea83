/* REPAIR: a packet that some member sent again. It counts as if its own sender had sent it, even
 * when that sender is dead (rule 1.0.8). */
#include "member/member_state.h"

bool mcast_recv_repair(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (in->length < 12) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(in->body, 12);
    mcast_node origin = mcast_read_u32(&reader);
    uint64_t number = mcast_read_u64(&reader);
    struct mcast_view_state *view = in->view;
    struct mcast_peer *peer = mcast_peer_recall(member, origin);
    if (number <= member->config.first_number ||
        !mcast_frames_are_sound(in->body + 12, in->length - 12)) {
        return false;
    }
    if (peer == NULL || !mcast_view_is_member(view) || in->peer->dead ||
        (in->peer != peer && mcast_layout_seat(view, in->header.sender) == MCAST_NO_SEAT)) {
        member->stats.drop_stranger++;
        return true;
    }
    if (view->ended || origin == member->node) {
        return true;
    }
    struct mcast_stream *stream = mcast_stream_make(member, view, peer);
    if (stream == NULL) {
        member->stats.drop_memory++;
        return true;
    }
    if (mcast_stream_accept(member, stream, number, in->buffer, in->body + 12, in->length - 12,
                            true)) {
        member->stats.repairs_received++;
    } else {
        member->stats.repairs_useless++;
    }
    return true;
}
