/* HIGH-WATER: a sender's highest number. It wakes the leader; a leader that has nothing more to
 * find out acknowledges at once (rules 1.0.10, 1.10 "tail loss"). An outside sender, which sees no
 * tokens, always gets an answer: from silence it concludes that nobody lives (1.0.13). */
#include "member/member_state.h"

static bool is_stable(const struct mcast_stream *stream, uint64_t hi) {
    return stream->judged != NULL && stream->judged->contig >= hi;
}

static void answer(struct mcast_member *member, struct mcast_view_state *view,
                   struct mcast_stream *stream) {
    mcast_ack_send(member, view, stream, NULL);
    mcast_pace_spent(member, view, 1);
}

/* Repeat an acknowledgement to an outside sender, to show that somebody lives; once a second is
 * enough. */
static void repeat_ack(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream) {
    if (mcast_layout_seat(view, stream->sender) == MCAST_NO_SEAT && stream->judged != NULL &&
        member->now >= stream->judged->acked_at + MCAST_SECOND) {
        answer(member, view, stream);
    }
}

bool mcast_recv_high_water(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    uint64_t hi = mcast_read_varint(&reader);
    if (!mcast_reader_done(&reader)) {
        return false;
    }
    struct mcast_view_state *view = in->view;
    /* Successive views of a region share its address: a receiver outside this view knows nothing of
     * its end. */
    if (in->peer->dead || (mcast_view_is_member(view) && view->ended)) {
        member->stats.drop_closed++;
        mcast_tell_gone(member, in->peer, view->number);
        return true;
    }
    if (!mcast_view_is_member(view)) {
        member->stats.drop_stranger++;
        return true;
    }
    struct mcast_stream *stream =
        hi <= member->config.first_number ? NULL : mcast_stream_make(member, view, in->peer);
    if (stream == NULL || hi > stream->final) {
        return true;
    }
    if ((in->header.flags & MCAST_FLAG_PRESSED) != 0) {
        mcast_pace_press(member, view);
    }
    mcast_brink_told(member, view, in->header.flags);
    if (!mcast_layout_leads_region(view)) {
        mcast_stream_know(member, stream, hi);
        return true;
    }
    mcast_pace_spent(member, view, 1);
    if (is_stable(stream, hi)) {
        answer(member, view, stream);
        return true;
    }
    mcast_stream_know(member, stream, hi);
    mcast_stream_rouse(member, stream);
    repeat_ack(member, view, stream);
    return true;
}
