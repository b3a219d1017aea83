#include "wire/ack.h"
#include "wire/range_list.h"

void mcast_ack_write(struct mcast_writer *writer, const struct mcast_ack *ack) {
    mcast_write_varint(writer, ack->sender);
    mcast_write_varint(writer, ack->contig);
    mcast_write_varint(writer, ack->low);
    mcast_spans_write(writer, ack->contig, &ack->above);
}

bool mcast_ack_read(struct mcast_reader *reader, struct mcast_ack *ack) {
    ack->sender = (mcast_node)mcast_read_varint_most(reader, UINT32_MAX);
    ack->contig = mcast_read_varint(reader);
    ack->low = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    return mcast_spans_read(reader, ack->contig, &ack->above) && mcast_reader_done(reader);
}
