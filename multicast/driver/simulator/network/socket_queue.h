/* Socket queue: the kernel queue of one socket: first in first out, bounded in bytes, with a count
 * of drops. */
#ifndef DRIVER_SIMULATOR_NETWORK_SOCKET_QUEUE_H
#define DRIVER_SIMULATOR_NETWORK_SOCKET_QUEUE_H

#include "simulator/network/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The overhead that the kernel charges for a datagram. */
enum { SIM_PORT_OVERHEAD = 256 };

/* A waiting packet and its arrival number, which counts up over all sockets of a network. */
struct sim_waiting {
    struct sim_packet *packet;
    uint64_t stamp;
};

struct sim_port {
    struct sim_waiting *ring;
    uint32_t room; /* a power of two, or 0 */
    uint32_t head;
    uint32_t count;
    uint64_t bytes; /* the bytes queued, including the kernel's overhead */
    uint64_t limit;
    uint64_t arrived; /* the count of packets that arrived */
    uint64_t dropped; /* the count of packets that found it full */
    uint64_t peak;    /* the most bytes that it ever held */
};

void sim_port_init(struct sim_port *port, uint64_t limit);
void sim_port_free(struct sim_port *port);

/* Queue @packet, which arrived at @stamp, taking over the reference of the caller. A full queue
 * releases and counts it. */
void sim_port_put(struct sim_port *port, struct sim_packet *packet, uint64_t stamp);

/* The arrival number of the oldest packet; UINT64_MAX if the queue is empty. */
uint64_t sim_port_oldest(const struct sim_port *port);

/* Take the oldest packet, which the caller releases. NULL if the queue is empty. */
struct sim_packet *sim_port_take(struct sim_port *port);

/* Release all queued packets, as the end of a process does. */
void sim_port_clear(struct sim_port *port);

#endif
