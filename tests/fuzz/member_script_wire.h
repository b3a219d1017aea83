/* What other members say in a play: datagrams that are well formed, or nearly. */
#ifndef MEMBER_PLAY_WIRE_H
#define MEMBER_PLAY_WIRE_H

#include "member_script.h"

static inline void write_frame(struct play *play, struct mcast_writer *writer) {
    static const uint8_t payload[256];
    uint8_t what = next(play);
    struct mcast_frame frame = {.kind = (enum mcast_frame_kind)(what % 5),
                                .group = (what >> 3) % GROUPS + 1u,
                                .number = next(play),
                                .length = 40};
    if (frame.kind == MCAST_FRAME_FRAGMENT) {
        frame.offset = (uint64_t)(next(play) % 4) * 40;
        frame.total = 160 + (uint64_t)(what & 128) * 1000000;
    }
    if (frame.kind == MCAST_FRAME_OPEN) {
        uint8_t list[64];
        struct mcast_open_entry entries[2] = {{next(play) % 40 + 1u, next(play)}, {40, 2}};
        struct mcast_writer inner = mcast_writer_over(list, sizeof list);
        mcast_open_write(&inner, entries, what >> 7);
        frame.number = play->epoch;
        frame.length = (uint32_t)mcast_writer_count(&inner);
        mcast_frame_write_head(writer, &frame);
        mcast_write_bytes(writer, list, frame.length);
        return;
    }
    mcast_frame_write_head(writer, &frame);
    if (frame.kind == MCAST_FRAME_MESSAGE || frame.kind == MCAST_FRAME_FRAGMENT) {
        mcast_write_bytes(writer, payload, frame.length);
    }
}

static inline void read_spans(struct play *play, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t at = 1;
    for (uint8_t count = next(play) % 5; count > 0; count--) {
        uint8_t gap = next(play);
        at += 2 + gap % 16;
        (void)mcast_spans_append(spans, at, at + gap / 16);
        at += gap / 16;
    }
}

static inline void write_record(struct play *play, struct mcast_writer *writer) {
    struct mcast_record record;
    mcast_record_clear(&record);
    uint8_t how = next(play);
    record.sender = how % NODES + 1u;
    record.flags = (uint32_t)next(play) * 2 % MCAST_RECORD_FLAGS;
    record.purge = next(play) % 64;
    record.cut = record.purge + next(play) % 32;
    record.before = record.cut;
    record.hi = record.cut + next(play) % 16;
    record.contig = record.purge + next(play) % 8;
    record.low = how % NODES;
    read_spans(play, &record.owned);
    read_spans(play, &record.prev);
    read_spans(play, &record.all);
    read_spans(play, &record.want);
    read_spans(play, &record.skip);
    record.own.known = record.last.known = UINT32_MAX;
    record.own.count = record.last.count = how >> 7;
    read_spans(play, &record.own.at[0].missing);
    mcast_record_write(writer, &record);
}

static inline void write_token(struct play *play, struct mcast_writer *writer) {
    uint8_t how = next(play);
    struct mcast_token_head head = {.round = ((uint64_t)next(play) << 8 | how % 3) |
                                             (uint64_t)(how >> 5) << 48,
                                    .stage = how % 4,
                                    .flags = next(play) % 16,
                                    .records = how % 3};
    mcast_token_head_write(writer, &head);
    for (uint32_t i = 0; i < head.records; i++) {
        write_record(play, writer);
    }
}

/* For two views at least, which may be ours, others', unknown or the same. */
static inline void write_hybrid(struct play *play, struct mcast_writer *writer) {
    uint8_t count = next(play) % 6;
    mcast_write_u8(writer, count);
    uint64_t view = 0;
    for (uint8_t i = 0; i < count; i++) {
        view += next(play) % 8;
        mcast_write_u8(writer, next(play) % 2);
        mcast_write_u64(writer, view);
        mcast_write_u64(writer, next(play) % 64);
    }
    write_frame(play, writer);
}

static inline void write_body(struct play *play, uint8_t type, struct mcast_writer *writer) {
    struct mcast_ack ack = {.sender = SELF, .contig = next(play)};
    struct mcast_request request = {.kind = type % 4, .origin = next(play) % NODES + 1u};
    struct mcast_flow flow = {
        .sender = 1, .group = next(play) % GROUPS + 1u, .pause = next(play) % 2 != 0};
    switch (type) {
    case MCAST_WIRE_REPAIR:
        mcast_write_u32(writer, next(play) % NODES + 1u);
        mcast_write_u64(writer, next(play) % 64);
        write_frame(play, writer);
        break;
    case MCAST_WIRE_DATA:
        mcast_write_u64(writer, next(play) % 64);
        write_frame(play, writer);
        write_frame(play, writer);
        break;
    case MCAST_WIRE_HYBRID:
        write_hybrid(play, writer);
        break;
    case MCAST_WIRE_TOKEN:
        write_token(play, writer);
        break;
    case MCAST_WIRE_ACK:
        read_spans(play, &ack.above);
        mcast_ack_write(writer, &ack);
        break;
    case MCAST_WIRE_REQUEST:
        read_spans(play, &request.numbers);
        mcast_request_write(writer, &request);
        break;
    case MCAST_WIRE_FLOW:
        mcast_flow_write(writer, &flow);
        break;
    case MCAST_WIRE_HIGH_WATER:
        mcast_write_varint(writer, next(play));
        break;
    default:
        mcast_write_u64(writer, play->epoch);
        break;
    }
}

static inline enum mcast_socket socket_of(uint8_t type) {
    switch (type) {
    case MCAST_WIRE_DATA:
    case MCAST_WIRE_HYBRID:
        return MCAST_DATA;
    case MCAST_WIRE_REPAIR:
        return MCAST_REPAIR;
    default:
        return MCAST_CONTROL;
    }
}

static inline void arrive(struct play *play, struct mcast_buffer *buffer, uint32_t length,
                          uint8_t type) {
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.buffer = buffer;
    event.as.datagram.bytes = buffer->bytes;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket_of(type);
    step(play, &event, 1);
}

static inline void datagram(struct play *play) {
    struct mcast_buffer *buffer = mcast_buffer_new(&play->network.alloc, ROOM);
    CHECK(buffer != NULL);
    uint8_t type = next(play) % (MCAST_WIRE_TYPES - 1) + 1, from = next(play) % NODES + 1;
    struct mcast_header header = {.type = type,
                                  .flags = next(play) % 2,
                                  .cluster = 7,
                                  .sender = from,
                                  .incarnation = mcast_incarnation_check(from + 100u),
                                  .counter = ++play->counter,
                                  .view = next(play) % 40 + 1u};
    mcast_header_write(buffer->bytes, &header);
    struct mcast_writer writer =
        mcast_writer_over(buffer->bytes + MCAST_HEADER_SIZE, ROOM - MCAST_HEADER_SIZE - 16);
    write_body(play, type, &writer);
    size_t length = MCAST_HEADER_SIZE + (writer.failed ? 0 : mcast_writer_count(&writer));
    uint8_t spoil = next(play);
    if (spoil > 220 && length > MCAST_HEADER_SIZE) {
        buffer->bytes[MCAST_HEADER_SIZE + spoil % (length - MCAST_HEADER_SIZE)] ^= next(play);
    }
    memset(buffer->bytes + length, 0, 16);
    arrive(play, buffer, (uint32_t)length + 16, type);
    mcast_buffer_release(buffer);
}

/* What the member said comes back, from another and with one byte changed. */
static inline void echo(struct play *play) {
    struct mcast_buffer *said = play->said[next(play) % BACKLOG];
    if (said == NULL) {
        return;
    }
    struct mcast_buffer *copy = mcast_buffer_new(&play->network.alloc, (uint32_t)said->size);
    CHECK(copy != NULL);
    memcpy(copy->bytes, said->bytes, said->size);
    struct mcast_header header;
    CHECK(mcast_header_read(copy->bytes, said->size, &header));
    header.sender = next(play) % NODES + 1;
    header.incarnation = mcast_incarnation_check(header.sender + 100u);
    header.counter = ++play->counter;
    mcast_header_write(copy->bytes, &header);
    size_t body = said->size - MCAST_HEADER_SIZE - 16;
    if (body > 0) {
        copy->bytes[MCAST_HEADER_SIZE + next(play) % body] ^= next(play);
    }
    arrive(play, copy, (uint32_t)said->size, header.type);
    mcast_buffer_release(copy);
}

#endif
