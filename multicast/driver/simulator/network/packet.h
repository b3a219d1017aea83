/* Packet: bytes with several holders: a datagram in flight, or a payload of an application. Written
 * once, shared by all receivers, freed with the last holder. It is a buffer of the core, so a
 * member keeps it without a copy. */
#ifndef DRIVER_SIMULATOR_NETWORK_PACKET_H
#define DRIVER_SIMULATOR_NETWORK_PACKET_H

#include "mcast/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_packet {
    struct mcast_buffer buffer; /* has the count of holders */
    uint32_t size;
    uint32_t from; /* the sender */
    uint8_t kind;  /* the class of socket that it uses */
    bool spoilt;   /* true if its bytes differ from those sent */
    uint8_t *bytes;
};

/* Make a packet of @size uninitialised bytes with one holder. Return NULL without memory. */
struct sim_packet *sim_packet_new(uint32_t size);

struct sim_packet *sim_packet_keep(struct sim_packet *packet);
void sim_packet_release(struct sim_packet *packet);

#endif
