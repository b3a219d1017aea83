/* Link: what the network does to one packet on its way to one receiver. */
#ifndef DRIVER_SIMULATOR_NETWORK_LINK_H
#define DRIVER_SIMULATOR_NETWORK_LINK_H

#include "simulator/base/random.h"

#include <stdbool.h>
#include <stdint.h>

/* The model of the path into one node. Probabilities are parts per million. */
struct sim_link {
    uint64_t latency;      /* the travel time, in ns */
    uint64_t jitter;       /* added to it, uniform between 0 and this */
    uint32_t loss;         /* the chance that this receiver alone loses the packet */
    uint32_t burst;        /* the chance that a packet starts a burst of losses */
    uint64_t burst_length; /* the time during which a burst loses everything, in ns */
    uint32_t duplicate;    /* the chance that it arrives twice */
    uint32_t reorder;      /* the chance that it is delayed */
    uint64_t reorder_by;   /* the largest delay, in ns */
    uint32_t corrupt;      /* the chance that a copy arrives with changed bytes */
};

/* The fate of one packet: how many copies arrive, and when. */
struct sim_fate {
    uint32_t copies; /* 0, 1 or 2 */
    uint64_t delay[2];
};

/* Draw the fate of a packet sent at @now; @burst_until is state of the receiver. */
struct sim_fate sim_link_fate(const struct sim_link *link, struct sim_random *random, uint64_t now,
                              uint64_t *burst_until);

/* The travel time of a packet that is not lost, in ns. */
uint64_t sim_link_delay(const struct sim_link *link, struct sim_random *random);

#endif
