/* HELLO: this node presents itself to the membership service. */
#include "member/member_state.h"

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
