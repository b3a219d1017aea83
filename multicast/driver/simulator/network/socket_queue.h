/* The kernel queue of one socket: first in first out, bounded in bytes, drops counted. */
#ifndef SIM_PORT_H
#define SIM_PORT_H

#include "simulator/network/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the kernel charges for a datagram beside its bytes. */
enum { SIM_PORT_OVERHEAD = 256 };

/* One that waits, and when it came: a number that goes up over all sockets of a network. */
struct sim_waiting {
    struct sim_packet *packet;
    uint64_t stamp;
};

struct sim_port {
    struct sim_waiting *ring;
    uint32_t room; /* is a power of two, or 0 */
    uint32_t head;
    uint32_t count;
    uint64_t bytes; /* is what is queued, the kernel's overhead included */
    uint64_t limit;
    uint64_t arrived; /* is the count of packets taken in */
    uint64_t dropped; /* is the count of packets that found it full */
    uint64_t peak;    /* is the most bytes it ever held */
};

void sim_port_init(struct sim_port *port, uint64_t limit);
void sim_port_free(struct sim_port *port);

/* Queues @packet, which came at @stamp, and takes over the caller's hold on it. A full queue
 * releases and counts it. */
void sim_port_put(struct sim_port *port, struct sim_packet *packet, uint64_t stamp);

/* When the oldest packet came; UINT64_MAX when it is empty. */
uint64_t sim_port_oldest(const struct sim_port *port);

/* Takes the oldest packet; the hold goes to the caller. NULL when it is empty. */
struct sim_packet *sim_port_take(struct sim_port *port);

/* Releases all that is queued, as the end of a process does. */
void sim_port_clear(struct sim_port *port);

#endif
