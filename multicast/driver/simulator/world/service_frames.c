/* Service frames: messages on a stream, each with the connection it belongs to. */
#include "simulator/world/world_state.h"

#include <stdlib.h>
#include <string.h>

void sim_frame_send(struct sim_world *world, uint32_t from, uint32_t to, enum sim_frame_kind kind,
                    uint64_t connection, const uint8_t *bytes, size_t length, uint64_t after) {
    struct sim_packet *packet = sim_packet_new((uint32_t)(sizeof(struct sim_frame) + length));
    if (packet == NULL) {
        abort(); /* a stream loses nothing; without memory there is no simulation */
    }
    struct sim_frame frame = {connection, kind};
    memcpy(packet->bytes, &frame, sizeof frame);
    if (length != 0) {
        memcpy(packet->bytes + sizeof frame, bytes, length);
    }
    sim_net_stream(world->net, from, to, packet, after);
}

bool sim_frame_read(const struct sim_packet *packet, struct sim_frame *frame) {
    if (packet->size < sizeof *frame) {
        return false;
    }
    memcpy(frame, packet->bytes, sizeof *frame);
    return true;
}
