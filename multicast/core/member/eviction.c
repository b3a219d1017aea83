/* Eviction: the cluster goes on without this node (rule 1.0.11). The node stops sending, reports
 * every message that is not stable as uncertain, reports the first number that it misses of each
 * sender (receive/missed.c) and forgets its groups. It never resends those messages by itself: the
 * application rejoins under a new incarnation and takes the state from other members. */
#include "member/member_state.h"

/* For each group: report what it misses from now on and why, then forget the group. */
static void forget_groups(struct mcast_member *member) {
    mcast_heard_look_ahead(member);
    for (size_t i = 0; i < member->chunk_count; i++) {
        for (uint32_t j = 0; member->chunks[i] != NULL && j < 256; j++) {
            uint32_t index = (uint32_t)i * 256 + j;
            if (mcast_group_at(member, index) != NULL) {
                mcast_heard_tell(member, index);
                mcast_group_forget(member, index);
            }
        }
    }
}

static void forget_views(struct mcast_member *member) {
    mcast_epoch_forget(member);
    while (member->first_view != NULL) {
        mcast_view_free(member, member->first_view);
    }
    member->views_to_free = false;
    mcast_hybrid_free(member);
}

void mcast_evict(struct mcast_member *member, mcast_epoch epoch, int code) {
    if (member->evicted) {
        return;
    }
    member->evicted = true;
    member->stats.evictions++;
    forget_groups(member);
    forget_views(member);
    member->change.waiting.count = member->change.outstanding.count = 0;
    mcast_alarm_stop(member, &member->heartbeat_alarm);
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_EVICTED,
                                                     .code = code,
                                                     .group = MCAST_NO_GROUP,
                                                     .number = epoch});
}

void mcast_rejoin(struct mcast_member *member, uint64_t incarnation) {
    if (!member->evicted || incarnation <= member->incarnation) {
        mcast_refuse(member, MCAST_NO_GROUP, 0, MCAST_EINVAL);
        return;
    }
    mcast_unknown_free(member);
    mcast_routes_free(member);
    mcast_members_free(member);
    mcast_peers_free(member);
    member->self = NULL;
    member->incarnation = incarnation;
    member->node = 0;
    member->epoch = 0;
    member->served = false;
    member->evicted = member->welcomed = member->stopping = false;
    member->change.request = 0;
    /* The counters go on: a nonce contains one, and must not repeat under one session of a keyring.
     */
    mcast_hello(member);
}
