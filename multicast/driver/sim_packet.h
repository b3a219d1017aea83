/* A datagram in flight: its bytes are written once and shared by all who receive it. */
#ifndef SIM_PACKET_H
#define SIM_PACKET_H

#include <stddef.h>
#include <stdint.h>

struct sim_packet {
    uint32_t refs; /* is the count of holders; the last release frees it */
    uint32_t size;
    uint32_t from;  /* is the node that sent it */
    uint8_t kind;   /* is the socket class it travels on */
    uint8_t *bytes; /* is behind the struct */
};

/* Makes a packet of @size bytes, uninitialised, with one holder. NULL when there is no memory. */
struct sim_packet *sim_packet_new(uint32_t size);

struct sim_packet *sim_packet_keep(struct sim_packet *packet);
void sim_packet_release(struct sim_packet *packet);

#endif
