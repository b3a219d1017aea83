#include "wire/header.h"
#include "base/mix.h"
#include "wire/codec.h"

#include <assert.h>

uint32_t mcast_incarnation_check(uint64_t incarnation) {
    return (uint32_t)(mcast_mix64(incarnation) >> 32);
}

void mcast_header_write(uint8_t bytes[MCAST_HEADER_SIZE], const struct mcast_header *header) {
    struct mcast_writer writer = mcast_writer_over(bytes, MCAST_HEADER_SIZE);
    mcast_write_u8(&writer, MCAST_WIRE_VERSION | (header->encrypted ? MCAST_WIRE_ENCRYPTED : 0));
    mcast_write_u8(&writer, header->type);
    mcast_write_u8(&writer, header->flags);
    mcast_write_u8(&writer, header->key_id);
    mcast_write_u32(&writer, header->cluster);
    mcast_write_u32(&writer, header->sender);
    mcast_write_u32(&writer, header->incarnation);
    mcast_write_u64(&writer, header->counter);
    mcast_write_u64(&writer, header->view);
    assert(!writer.failed && mcast_writer_count(&writer) == MCAST_HEADER_SIZE);
}

bool mcast_header_is_ours(uint8_t first) {
    return (first & ~MCAST_WIRE_ENCRYPTED) == MCAST_WIRE_VERSION;
}

bool mcast_header_read(const uint8_t *bytes, size_t length, struct mcast_header *header) {
    if (length < MCAST_HEADER_SIZE + MCAST_TAG_SIZE || length > MCAST_PACKET_MOST) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(bytes, MCAST_HEADER_SIZE);
    uint8_t first = mcast_read_u8(&reader);
    header->encrypted = (first & MCAST_WIRE_ENCRYPTED) != 0;
    header->type = mcast_read_u8(&reader);
    header->flags = mcast_read_u8(&reader);
    header->key_id = mcast_read_u8(&reader);
    header->cluster = mcast_read_u32(&reader);
    header->sender = mcast_read_u32(&reader);
    header->incarnation = mcast_read_u32(&reader);
    header->counter = mcast_read_u64(&reader);
    header->view = mcast_read_u64(&reader);
    return mcast_header_is_ours(first) && header->type >= MCAST_WIRE_DATA &&
           header->type < MCAST_WIRE_TYPES && header->sender != 0;
}
