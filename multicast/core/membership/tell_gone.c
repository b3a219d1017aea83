/* Tell gone: answer packets of an ended view with STALE, those of an evicted node with EVICTED.
 * The answer names the node that it means, since its address may belong to a later incarnation by
 * now. */
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
