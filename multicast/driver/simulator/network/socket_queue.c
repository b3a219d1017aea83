#include "simulator/network/socket_queue.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void sim_port_init(struct sim_port *port, uint64_t limit) {
    *port = (struct sim_port){.limit = limit};
}

void sim_port_clear(struct sim_port *port) {
    struct sim_packet *packet;
    while ((packet = sim_port_take(port)) != NULL) {
        sim_packet_release(packet);
    }
}

void sim_port_free(struct sim_port *port) {
    sim_port_clear(port);
    free(port->ring);
    port->ring = NULL;
    port->room = 0;
}

static bool grow(struct sim_port *port) {
    uint32_t room = port->room == 0 ? FIRST_ROOM : port->room * 2;
    struct sim_waiting *ring = malloc(room * sizeof *ring);
    if (ring == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < port->count; i++) {
        ring[i] = port->ring[(port->head + i) & (port->room - 1)];
    }
    free(port->ring);
    port->ring = ring;
    port->room = room;
    port->head = 0;
    return true;
}

void sim_port_put(struct sim_port *port, struct sim_packet *packet, uint64_t stamp) {
    uint64_t size = packet->size + SIM_PORT_OVERHEAD;
    if (port->bytes + size > port->limit || (port->count == port->room && !grow(port))) {
        port->dropped++;
        sim_packet_release(packet);
        return;
    }
    port->ring[(port->head + port->count++) & (port->room - 1)] =
        (struct sim_waiting){packet, stamp};
    port->arrived++;
    port->bytes += size;
    if (port->bytes > port->peak) {
        port->peak = port->bytes;
    }
}

struct sim_packet *sim_port_take(struct sim_port *port) {
    if (port->count == 0) {
        return NULL;
    }
    struct sim_packet *packet = port->ring[port->head].packet;
    port->head = (port->head + 1) & (port->room - 1);
    port->count--;
    port->bytes -= packet->size + SIM_PORT_OVERHEAD;
    return packet;
}

uint64_t sim_port_oldest(const struct sim_port *port) {
    return port->count == 0 ? UINT64_MAX : port->ring[port->head].stamp;
}
