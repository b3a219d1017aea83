/* HYBRID: one packet for all regions of a group, sent to the group's own address (rule 1.6). It has
 * a number for each region view; a receiver looks for the view that it is in, and treats the packet
 * like other data. */
#include "member/member_state.h"

struct mcast_view_state *mcast_hybrid_view(const struct mcast_member *member,
                                           const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    size_t count;
    if (!mcast_hybrid_read(&reader, entries, &count)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        struct mcast_view_state *view = mcast_view_find(member, entries[i].view);
        if (view != NULL && mcast_view_is_member(view)) {
            return view;
        }
    }
    return NULL;
}

/* Handle a HYBRID without a view of ours. If a view ended, the sender has not heard of it. If one
 * is newer than all that we know, a join may be under way. Otherwise it is for others: we are about
 * to listen there or to stop. */
void mcast_hybrid_stray(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    size_t count;
    if (!mcast_hybrid_read(&reader, entries, &count)) {
        member->stats.drop_malformed++;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].view > member->newest_view) {
            mcast_unknown_keep(member, in);
            return;
        }
        if (in->peer != NULL && mcast_view_was(member, entries[i].view)) {
            member->stats.drop_closed++;
            mcast_tell_gone(member, in->peer, entries[i].view);
            return;
        }
    }
    member->stats.drop_elsewhere++;
}

bool mcast_recv_hybrid(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    size_t count;
    if (in->view == NULL || !mcast_hybrid_read(&reader, entries, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].view == in->view->number) {
            member->stats.hybrids_received++;
            return mcast_data_take(member, in, &entries[i], reader.at,
                                   (uint32_t)mcast_reader_left(&reader));
        }
    }
    return false;
}
