/* REQUEST: the packets that a member asks for (rule 1.11). */
#ifndef MCAST_WIRE_REQUEST_H
#define MCAST_WIRE_REQUEST_H

#include "base/range_list.h"
#include "mcast/types.h"
#include "wire/codec.h"

enum mcast_request_kind {
    MCAST_REQUEST_PULL = 0,    /* asks a member for the copies that it keeps */
    MCAST_REQUEST_CROSS = 1,   /* asks a member of another partition */
    MCAST_REQUEST_NAK = 2,     /* asks the sender, because nobody in a partition has the packets */
    MCAST_REQUEST_NAK_ONE = 3, /* asks the sender, because the partition has a single member */
};

struct mcast_request {
    uint8_t kind;
    mcast_node origin; /* the sender whose packets are requested */
    struct mcast_spans numbers;
};

/* Write a list of ranges or a bitmap, whichever is shorter (rule 1.0.2). */
void mcast_request_write(struct mcast_writer *writer, const struct mcast_request *request);
bool mcast_request_read(struct mcast_reader *reader, struct mcast_request *request);

#endif
