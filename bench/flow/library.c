/* For the ends that are in Python: messages written and checked many at a time. */
#define _GNU_SOURCE
#include "library.h"
#include "flow.h"

#include <stdlib.h>

struct flow *flow_new(uint32_t size, uint32_t receivers, uint16_t port, bool slots) {
    struct flow *flow = calloc(1, sizeof *flow);
    uint32_t *delays = calloc(FLOW_SAMPLES, sizeof *delays);
    if (flow == NULL || delays == NULL) {
        free(flow);
        free(delays);
        return NULL;
    }
    flow->size = size;
    flow->receivers = receivers;
    flow->port = port;
    flow->slots = slots;
    flow->delays = delays;
    flow->groups = flow->mine = 1;
    flow->overlap = "perfect";
    return flow;
}

void flow_begin(struct flow *flow) {
    flow->cpu_before = flow_cpu();
}

void flow_write_many(const struct flow *flow, uint8_t *bytes, uint64_t first, uint32_t count,
                     bool last) {
    for (uint32_t i = 0; i < count; i++) {
        flow_write(flow, bytes + (size_t)i * flow->size, 0, first + i, last && i + 1 == count);
    }
}

bool flow_check_many(struct flow *flow, const uint64_t *addresses, const uint8_t *lengths,
                     size_t stride, size_t count) {
    for (size_t i = 0; i < count; i++, lengths += stride) {
        const uint64_t *length = (const uint64_t *)(const void *)lengths;
        flow_check(flow, 0, (const uint8_t *)(uintptr_t)addresses[i], (size_t)*length);
    }
    return flow->over;
}
