/* The functions that bench/multicast_figures/python_end.py calls. */
#ifndef BENCH_FLOW_LIBRARY_H
#define BENCH_FLOW_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow;

/* Make a flow of one group; return NULL without memory. */
struct flow *flow_new(uint32_t size, uint32_t receivers, uint16_t port, bool slots);

/* Begin to count CPU time. */
void flow_begin(struct flow *flow);

/* Write @count messages side by side, from number @first on. */
void flow_write_many(const struct flow *flow, uint8_t *bytes, uint64_t first, uint32_t count,
                     bool last);

/* Check messages against those expected; @lengths are numbers of 64 bits, @stride bytes apart.
 * Return true after the last. */
bool flow_check_many(struct flow *flow, const uint64_t *addresses, const uint8_t *lengths,
                     size_t stride, size_t count);

#endif
