/* FLOW: pauses and resumes one group at its sender (rule 1.0.4). */
#ifndef MCAST_WIRE_FLOW_H
#define MCAST_WIRE_FLOW_H

#include "mcast/types.h"
#include "wire/codec.h"

struct mcast_flow {
    mcast_node sender; /* the receiver: its address may belong to a later incarnation by now */
    uint32_t group;
    bool pause;
    uint32_t credit; /* XON: how many messages may come before the next XON or XOFF */
};

void mcast_flow_write(struct mcast_writer *writer, const struct mcast_flow *flow);
bool mcast_flow_read(struct mcast_reader *reader, struct mcast_flow *flow);

#endif
