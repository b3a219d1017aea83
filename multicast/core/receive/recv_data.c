/* DATA received for the first time. It is marked as received at once; missing packets before it are
 * found by tokens (rules 1.11, 1.0.8). */
#include "member/member_state.h"

bool mcast_data_take(struct mcast_member *member, const struct mcast_datagram_in *in,
                     const struct mcast_hybrid_entry *as, const uint8_t *frames, uint32_t length) {
    struct mcast_view_state *view = in->view;
    if (as->number <= member->config.first_number || !mcast_frames_are_sound(frames, length)) {
        return false;
    }
    if (!mcast_view_is_member(view) || in->peer->dead) {
        member->stats.drop_stranger++;
        if (in->peer->dead) {
            mcast_tell_gone(member, in->peer, view->number);
        }
        return true;
    }
    if (view->ended) {
        member->stats.drop_closed++;
        mcast_tell_gone(member, in->peer, view->number);
        return true;
    }
    struct mcast_stream *stream = mcast_stream_make(member, view, in->peer);
    if (stream == NULL) {
        member->stats.drop_memory++;
        return true;
    }
    if ((as->flags & MCAST_FLAG_PRESSED) != 0) {
        mcast_pace_press(member, view);
    }
    mcast_brink_told(member, view, as->flags);
    view->ring.data_bytes += in->length;
    (void)mcast_stream_accept(member, stream, as->number, in->buffer, frames, length, false);
    return true;
}

bool mcast_recv_data(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (in->length < 8) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(in->body, 8);
    struct mcast_hybrid_entry as = {in->header.view, mcast_read_u64(&reader), in->header.flags};
    return mcast_data_take(member, in, &as, in->body + 8, in->length - 8);
}
