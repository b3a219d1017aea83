/* WELCOME: the membership service accepts this node; heartbeats begin. */
#include "member/member_state.h"

static void ring_heartbeat(struct mcast_member *member, struct mcast_alarm *self) {
    if (!member->connected || !member->welcomed) {
        return;
    }
    struct mcast_service_message message = {.kind = MCAST_SM_HEARTBEAT};
    message.as.heartbeat.epoch = member->epoch;
    mcast_say(member, &message);
    mcast_alarm_set(member, self, member->now + member->heartbeat);
}

static bool take_name(struct mcast_member *member, mcast_node node) {
    struct mcast_sm_node self = {.node = node,
                                 .id = member->config.id,
                                 .incarnation = member->incarnation,
                                 .address = member->config.address};
    if (mcast_peer_put(member, &self) != MCAST_OK) {
        member->short_of_memory = true;
        return false;
    }
    member->self = mcast_peer_find(member, node);
    member->node = node;
    member->check = mcast_incarnation_check(member->incarnation);
    return true;
}

void mcast_recv_welcome(struct mcast_member *member, const struct mcast_service_message *message) {
    mcast_node node = message->as.welcome.node;
    if (MCAST_GENERATION(message->as.welcome.epoch) < MCAST_GENERATION(member->epoch)) {
        return; /* rule 1.0.12: refuse a lower generation; the driver tries again */
    }
    if (member->node != 0 && member->node != node) {
        mcast_evict(member, message->as.welcome.epoch, MCAST_EEVICTED);
        return;
    }
    if (member->node == 0 && !take_name(member, node)) {
        return;
    }
    member->welcomed = true;
    member->welcomed_at = member->now;
    member->heartbeat = message->as.welcome.heartbeat;
    member->suspicion = message->as.welcome.suspicion;
    member->heartbeat_alarm.ring = ring_heartbeat;
    mcast_alarm_set(member, &member->heartbeat_alarm, member->now + member->heartbeat);
    mcast_change_again(member); /* before the report, which is answered with the result */
    if (message->as.welcome.report_wanted) {
        mcast_report(member);
    }
}
