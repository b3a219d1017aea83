#include "wire/flow.h"

void mcast_flow_write(struct mcast_writer *writer, const struct mcast_flow *flow) {
    mcast_write_varint(writer, flow->sender);
    mcast_write_varint(writer, flow->group);
    mcast_write_u8(writer, flow->pause ? 1 : 0);
    mcast_write_varint(writer, flow->credit);
}

bool mcast_flow_read(struct mcast_reader *reader, struct mcast_flow *flow) {
    flow->sender = (mcast_node)mcast_read_varint_most(reader, UINT32_MAX);
    flow->group = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    uint8_t pause = mcast_read_u8(reader);
    flow->pause = pause == 1;
    flow->credit = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    return pause <= 1 && mcast_reader_done(reader);
}
