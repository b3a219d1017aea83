/* Range lists on the wire: ascending ranges near a base number, with the limit up to which they
 * speak. */
#ifndef MCAST_WIRE_RANGE_LIST_H
#define MCAST_WIRE_RANGE_LIST_H

#include "base/range_list.h"
#include "wire/codec.h"

void mcast_spans_write(struct mcast_writer *writer, uint64_t base, const struct mcast_spans *spans);
bool mcast_spans_read(struct mcast_reader *reader, uint64_t base, struct mcast_spans *spans);

#endif
