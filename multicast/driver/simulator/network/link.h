/* What the network does to one packet on its way to one receiver. */
#ifndef SIM_LINK_H
#define SIM_LINK_H

#include "simulator/base/random.h"

#include <stdbool.h>
#include <stdint.h>

/* The model of the way into one node. Probabilities are parts in a million. */
struct sim_link {
    uint64_t latency;      /* is the time on the way, ns */
    uint64_t jitter;       /* is added to it, uniform between 0 and this */
    uint32_t loss;         /* is the chance that this receiver loses the packet, others not */
    uint32_t burst;        /* is the chance that a packet begins a burst of losses */
    uint64_t burst_length; /* is the time during which a burst loses everything, ns */
    uint32_t duplicate;    /* is the chance that it arrives twice */
    uint32_t reorder;      /* is the chance that it is late */
    uint64_t reorder_by;   /* is how late it is at most, ns */
    uint32_t corrupt;      /* is the chance that a copy arrives with changed bytes */
};

/* The fate of one packet: how many copies arrive, and when. */
struct sim_fate {
    uint32_t copies; /* is 0, 1 or 2 */
    uint64_t delay[2];
};

/* Draws the fate of a packet sent at @now; @burst_until is the receiver's own state. */
struct sim_fate sim_link_fate(const struct sim_link *link, struct sim_random *random, uint64_t now,
                              uint64_t *burst_until);

/* The time on the way of a packet that is not lost, ns. */
uint64_t sim_link_delay(const struct sim_link *link, struct sim_random *random);

#endif
