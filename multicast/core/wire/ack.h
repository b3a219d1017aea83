/* ACK: what a region has received of one sender (rule 1.12). */
#ifndef MCAST_WIRE_ACK_H
#define MCAST_WIRE_ACK_H

#include "base/range_list.h"
#include "mcast/types.h"
#include "wire/codec.h"

struct mcast_ack {
    mcast_node sender; /* the receiver of the ACK: its address may belong to a later incarnation by
                        * now */
    uint64_t contig;
    uint32_t low;             /* the seat of the member that holds the acknowledgement back */
    struct mcast_spans above; /* the packets received above it, for the ablation "ranges 1 or n" */
};

void mcast_ack_write(struct mcast_writer *writer, const struct mcast_ack *ack);
bool mcast_ack_read(struct mcast_reader *reader, struct mcast_ack *ack);

#endif
