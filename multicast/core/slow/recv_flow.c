/* FLOW: a receiver asks a sender of a group to pause or to go on (rule 1.0.4). */
#include "member/member_state.h"

bool mcast_recv_flow(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_flow flow;
    if (!mcast_flow_read(&reader, &flow)) {
        return false;
    }
    uint32_t index = mcast_group_named(member, flow.group);
    if (index != MCAST_NO_GROUP && flow.sender == member->node && !in->peer->dead) {
        mcast_slow_told(member, &flow, in->header.sender, index);
    }
    return true;
}
