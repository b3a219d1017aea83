#include "simulator/network/packet.h"

#include <assert.h>
#include <stdlib.h>

static void end(struct mcast_buffer *buffer) {
    free(buffer->owner);
}

struct sim_packet *sim_packet_new(uint32_t size) {
    struct sim_packet *packet = malloc(sizeof *packet + size);
    if (packet != NULL) {
        uint8_t *bytes = (uint8_t *)(packet + 1);
        *packet = (struct sim_packet){
            .buffer = {.holders = 1, .size = size, .bytes = bytes, .owner = packet, .end = end},
            .size = size,
            .bytes = bytes,
        };
    }
    return packet;
}

struct sim_packet *sim_packet_keep(struct sim_packet *packet) {
    packet->buffer.holders++;
    return packet;
}

void sim_packet_release(struct sim_packet *packet) {
    assert(packet->buffer.holders > 0);
    if (--packet->buffer.holders == 0) {
        free(packet);
    }
}
