#include "sim_packet.h"

#include <assert.h>
#include <stdlib.h>

struct sim_packet *sim_packet_new(uint32_t size) {
    struct sim_packet *packet = malloc(sizeof *packet + size);
    if (packet != NULL) {
        *packet = (struct sim_packet){.refs = 1, .size = size, .bytes = (uint8_t *)(packet + 1)};
    }
    return packet;
}

struct sim_packet *sim_packet_keep(struct sim_packet *packet) {
    packet->refs++;
    return packet;
}

void sim_packet_release(struct sim_packet *packet) {
    assert(packet->refs > 0);
    if (--packet->refs == 0) {
        free(packet);
    }
}
