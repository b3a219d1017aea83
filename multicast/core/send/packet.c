/* Packet: one datagram of data, from its first frame until it is acknowledged. Small payloads are
 * copied next to the header; a large one stays in the application's buffer and ends the packet. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

/* A copy costs less than a datagram of its own: a payload that is small beside the largest packet
 * is copied. */
enum { COPY_MOST = 512, COPY_PART = 16 }; /* bytes; part of a packet */

bool mcast_packet_refers(const struct mcast_member *member, const struct mcast_buffer *buffer,
                         uint32_t length) {
    uint32_t part = member->config.packet_size / COPY_PART;
    return buffer != NULL && length > (part > COPY_MOST ? part : COPY_MOST);
}

struct mcast_packet *mcast_packet_new(struct mcast_member *member, uint32_t room) {
    struct mcast_packet *packet =
        member->alloc.resize(member->alloc.context, NULL, 0, sizeof *packet + room);
    if (packet == NULL) {
        member->short_of_memory = true;
        return NULL;
    }
    memset(packet, 0, sizeof *packet);
    packet->room = room;
    packet->length = MCAST_DATA_HEAD;
    packet->sents = &packet->one;
    packet->sent_room = 1;
    return packet;
}

void mcast_packet_free(struct mcast_member *member, struct mcast_packet *packet) {
    /* A datagram of this very step may still point into it. */
    packet->next = member->packets_done;
    member->packets_done = packet;
}

static void end_packet(struct mcast_member *member, struct mcast_packet *packet) {
    mcast_buffer_release(packet->body);
    if (packet->sents != &packet->one) {
        mcast_memory_free(&member->alloc, packet->sents, packet->sent_room,
                          sizeof(struct mcast_sent *));
    }
    mcast_memory_free(&member->alloc, packet, 1, sizeof *packet + packet->room);
}

static int note_sent(struct mcast_member *member, struct mcast_packet *packet,
                     struct mcast_sent *sent) {
    if (packet->sent_count == packet->sent_room) {
        size_t room = packet->sent_room;
        struct mcast_sent **old = packet->sents == &packet->one ? NULL : packet->sents;
        size_t old_room = old == NULL ? 0 : room;
        struct mcast_sent **sents = mcast_memory_grow(&member->alloc, old, &old_room, 2 * room + 2,
                                                      sizeof(struct mcast_sent *));
        if (sents == NULL) {
            member->short_of_memory = true;
            return MCAST_ENOMEM;
        }
        if (old == NULL) {
            sents[0] = packet->one;
        }
        packet->sents = sents;
        packet->sent_room = (uint32_t)old_room;
    }
    packet->sents[packet->sent_count++] = sent;
    sent->views++;
    return MCAST_OK;
}

int mcast_packet_add(struct mcast_member *member, struct mcast_packet *packet,
                     const struct mcast_frame *frame, struct mcast_buffer *buffer,
                     struct mcast_sent *sent) {
    struct mcast_writer writer =
        mcast_writer_over(packet->bytes + packet->length, packet->room - packet->length);
    bool refer = mcast_packet_refers(member, buffer, frame->length);
    mcast_frame_write_head(&writer, frame);
    if (!refer) {
        mcast_write_bytes(&writer, frame->bytes, frame->length);
    }
    uint32_t length = packet->length + (uint32_t)mcast_writer_count(&writer);
    uint32_t body = refer ? frame->length : 0;
    if (packet->body != NULL || writer.failed ||
        length + body + MCAST_TAG_SIZE > member->config.packet_size) {
        return MCAST_EFULL;
    }
    if (sent != NULL && note_sent(member, packet, sent) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    packet->length = length;
    if (refer) {
        packet->body = mcast_buffer_hold(buffer);
        packet->body_bytes = frame->bytes;
        packet->body_length = frame->length;
    }
    return MCAST_OK;
}

void mcast_packets_sweep(struct mcast_member *member) {
    while (member->packets_done != NULL) {
        struct mcast_packet *packet = member->packets_done;
        member->packets_done = packet->next;
        end_packet(member, packet);
    }
}
