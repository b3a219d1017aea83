/* Datagrams of other members in a fuzz run, well formed or nearly so. */
#ifndef MEMBER_SCRIPT_WIRE_H
#define MEMBER_SCRIPT_WIRE_H

#include "member_script.h"

static inline void write_frame(struct script *script, struct mcast_writer *writer) {
    static const uint8_t payload[256];
    uint8_t what = next(script);
    struct mcast_frame frame = {.kind = (enum mcast_frame_kind)(what % 5),
                                .group = (what >> 3) % GROUPS + 1u,
                                .number = next(script),
                                .length = 40};
    if (frame.kind == MCAST_FRAME_FRAGMENT) {
        frame.offset = (uint64_t)(next(script) % 4) * 40;
        frame.total = 160 + (uint64_t)(what & 128) * 1000000;
    }
    if (frame.kind == MCAST_FRAME_OPEN) {
        uint8_t list[64];
        struct mcast_open_entry entries[2] = {{next(script) % 40 + 1u, next(script)}, {40, 2}};
        struct mcast_writer inner = mcast_writer_over(list, sizeof list);
        mcast_open_write(&inner, entries, what >> 7);
        frame.number = script->epoch;
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

static inline void read_spans(struct script *script, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t at = 1;
    for (uint8_t count = next(script) % 5; count > 0; count--) {
        uint8_t gap = next(script);
        at += 2 + gap % 16;
        (void)mcast_spans_append(spans, at, at + gap / 16);
        at += gap / 16;
    }
}

static inline void write_record(struct script *script, struct mcast_writer *writer) {
    struct mcast_record record;
    mcast_record_clear(&record);
    uint8_t how = next(script);
    record.sender = how % NODES + 1u;
    record.flags = (uint32_t)next(script) * 2 % MCAST_RECORD_FLAGS;
    record.purge = next(script) % 64;
    record.cut = record.purge + next(script) % 32;
    record.before = record.cut;
    record.hi = record.cut + next(script) % 16;
    record.contig = record.purge + next(script) % 8;
    record.low = how % NODES;
    read_spans(script, &record.owned);
    read_spans(script, &record.prev);
    read_spans(script, &record.all);
    read_spans(script, &record.want);
    read_spans(script, &record.skip);
    record.own.known = record.last.known = UINT32_MAX;
    record.own.count = record.last.count = how >> 7;
    read_spans(script, &record.own.at[0].missing);
    mcast_record_write(writer, &record);
}

static inline void write_token(struct script *script, struct mcast_writer *writer) {
    uint8_t how = next(script);
    struct mcast_token_head head = {.round = ((uint64_t)next(script) << 8 | how % 3) |
                                             (uint64_t)(how >> 5) << 48,
                                    .stage = how % 4,
                                    .flags = next(script) % 16,
                                    .records = how % 3};
    mcast_token_head_write(writer, &head);
    for (uint32_t i = 0; i < head.records; i++) {
        write_record(script, writer);
    }
}

/* Write a HYBRID for two views or more: ours, others', unknown or repeated. */
static inline void write_hybrid(struct script *script, struct mcast_writer *writer) {
    uint8_t count = next(script) % 6;
    mcast_write_u8(writer, count);
    uint64_t view = 0;
    for (uint8_t i = 0; i < count; i++) {
        view += next(script) % 8;
        mcast_write_u8(writer, next(script) % 2);
        mcast_write_u64(writer, view);
        mcast_write_u64(writer, next(script) % 64);
    }
    write_frame(script, writer);
}

static inline void write_body(struct script *script, uint8_t type, struct mcast_writer *writer) {
    struct mcast_ack ack = {.sender = SELF, .contig = next(script)};
    struct mcast_request request = {.kind = type % 4, .origin = next(script) % NODES + 1u};
    struct mcast_flow flow = {
        .sender = 1, .group = next(script) % GROUPS + 1u, .pause = next(script) % 2 != 0};
    switch (type) {
    case MCAST_WIRE_REPAIR:
        mcast_write_u32(writer, next(script) % NODES + 1u);
        mcast_write_u64(writer, next(script) % 64);
        write_frame(script, writer);
        break;
    case MCAST_WIRE_DATA:
        mcast_write_u64(writer, next(script) % 64);
        write_frame(script, writer);
        write_frame(script, writer);
        break;
    case MCAST_WIRE_HYBRID:
        write_hybrid(script, writer);
        break;
    case MCAST_WIRE_TOKEN:
        write_token(script, writer);
        break;
    case MCAST_WIRE_ACK:
        read_spans(script, &ack.above);
        mcast_ack_write(writer, &ack);
        break;
    case MCAST_WIRE_REQUEST:
        read_spans(script, &request.numbers);
        mcast_request_write(writer, &request);
        break;
    case MCAST_WIRE_FLOW:
        mcast_flow_write(writer, &flow);
        break;
    case MCAST_WIRE_HIGH_WATER:
        mcast_write_varint(writer, next(script));
        break;
    default:
        mcast_write_u64(writer, script->epoch);
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

static inline void arrive(struct script *script, struct mcast_buffer *buffer, uint32_t length,
                          uint8_t type) {
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.buffer = buffer;
    event.as.datagram.bytes = buffer->bytes;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket_of(type);
    step(script, &event, 1);
}

static inline void datagram(struct script *script) {
    struct mcast_buffer *buffer = mcast_buffer_new(&script->network.alloc, ROOM);
    CHECK(buffer != NULL);
    uint8_t type = next(script) % (MCAST_WIRE_TYPES - 1) + 1, from = next(script) % NODES + 1;
    struct mcast_header header = {.type = type,
                                  .flags = next(script) % 2,
                                  .cluster = 7,
                                  .sender = from,
                                  .incarnation = mcast_incarnation_check(from + 100u),
                                  .counter = ++script->counter,
                                  .view = next(script) % 40 + 1u};
    mcast_header_write(buffer->bytes, &header);
    struct mcast_writer writer =
        mcast_writer_over(buffer->bytes + MCAST_HEADER_SIZE, ROOM - MCAST_HEADER_SIZE - 16);
    write_body(script, type, &writer);
    size_t length = MCAST_HEADER_SIZE + (writer.failed ? 0 : mcast_writer_count(&writer));
    uint8_t spoil = next(script);
    if (spoil > 220 && length > MCAST_HEADER_SIZE) {
        buffer->bytes[MCAST_HEADER_SIZE + spoil % (length - MCAST_HEADER_SIZE)] ^= next(script);
    }
    memset(buffer->bytes + length, 0, 16);
    arrive(script, buffer, (uint32_t)length + 16, type);
    mcast_buffer_release(buffer);
}

/* Return a datagram of the member to it, from another sender and with one byte changed. */
static inline void echo(struct script *script) {
    struct mcast_buffer *said = script->said[next(script) % BACKLOG];
    if (said == NULL) {
        return;
    }
    struct mcast_buffer *copy = mcast_buffer_new(&script->network.alloc, (uint32_t)said->size);
    CHECK(copy != NULL);
    memcpy(copy->bytes, said->bytes, said->size);
    struct mcast_header header;
    CHECK(mcast_header_read(copy->bytes, said->size, &header));
    header.sender = next(script) % NODES + 1;
    header.incarnation = mcast_incarnation_check(header.sender + 100u);
    header.counter = ++script->counter;
    mcast_header_write(copy->bytes, &header);
    size_t body = said->size - MCAST_HEADER_SIZE - 16;
    if (body > 0) {
        copy->bytes[MCAST_HEADER_SIZE + next(script) % body] ^= next(script);
    }
    arrive(script, copy, (uint32_t)said->size, header.type);
    mcast_buffer_release(copy);
}

#endif
