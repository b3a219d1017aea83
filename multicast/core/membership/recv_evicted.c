/* EVICTED: some member says that this node is no longer in the cluster (rule 1.0.11). */
#include "member/member_state.h"

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
