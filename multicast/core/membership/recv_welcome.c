/* WELCOME and DEMOTE from the membership service, and HELLO to it. */
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

void mcast_hello(struct mcast_member *member) {
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = MCAST_WIRE_VERSION;
    message.as.hello.cluster = member->config.cluster;
    message.as.hello.id = member->config.id;
    message.as.hello.incarnation = member->incarnation;
    message.as.hello.address = member->config.address;
    message.as.hello.epoch = member->epoch;
    message.as.hello.node = member->node;
    mcast_say(member, &message);
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

void mcast_recv_demote(struct mcast_member *member, const struct mcast_service_message *message) {
    struct mcast_view_state *view = mcast_view_find(member, message->as.demote.view);
    if (view == NULL || !mcast_view_is_member(view)) {
        return;
    }
    uint32_t seat = mcast_layout_seat(view, message->as.demote.node);
    if (seat == MCAST_NO_SEAT) {
        return;
    }
    view->seats[seat].demoted = message->as.demote.demoted;
    if (seat == view->self && message->as.demote.demoted) {
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DEMOTED,
                                                         .group = MCAST_NO_GROUP,
                                                         .number = view->number});
    }
}
