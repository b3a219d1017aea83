/* A piece of bytes that several hold at once: a datagram in flight, or a payload of an application.
 * Written once, shared by all who receive it, freed with the last holder. It is one of the core's
 * buffers, so that a member keeps it without a copy. */
#ifndef SIM_PACKET_H
#define SIM_PACKET_H

#include "mcast/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_packet {
    struct mcast_buffer buffer; /* holds the count of holders */
    uint32_t size;
    uint32_t from; /* is the node that sent it */
    uint8_t kind;  /* is the socket class it travels on */
    bool spoilt;   /* has other bytes than were sent */
    uint8_t *bytes;
};

/* Makes a packet of @size bytes, uninitialised, with one holder. NULL when there is no memory. */
struct sim_packet *sim_packet_new(uint32_t size);

struct sim_packet *sim_packet_keep(struct sim_packet *packet);
void sim_packet_release(struct sim_packet *packet);

#endif
