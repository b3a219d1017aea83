#include "wire/frame.h"
#include "base/prefetch.h"
#include "service/group_set_hash.h"

#include <assert.h>

uint32_t mcast_incarnation_check(uint64_t incarnation) {
    return (uint32_t)(mcast_mix64(incarnation) >> 32);
}

void mcast_header_write(uint8_t bytes[MCAST_HEADER_SIZE], const struct mcast_header *header) {
    struct mcast_writer writer = mcast_writer_over(bytes, MCAST_HEADER_SIZE);
    mcast_write_u8(&writer, MCAST_WIRE_VERSION);
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

bool mcast_header_read(const uint8_t *bytes, size_t length, struct mcast_header *header) {
    if (length < MCAST_HEADER_SIZE + MCAST_TAG_SIZE || length > MCAST_PACKET_MOST) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(bytes, MCAST_HEADER_SIZE);
    uint8_t version = mcast_read_u8(&reader);
    header->type = mcast_read_u8(&reader);
    header->flags = mcast_read_u8(&reader);
    header->key_id = mcast_read_u8(&reader);
    header->cluster = mcast_read_u32(&reader);
    header->sender = mcast_read_u32(&reader);
    header->incarnation = mcast_read_u32(&reader);
    header->counter = mcast_read_u64(&reader);
    header->view = mcast_read_u64(&reader);
    return version == MCAST_WIRE_VERSION && header->type >= MCAST_WIRE_DATA &&
           header->type < MCAST_WIRE_TYPES && header->sender != 0;
}

void mcast_frame_write_head(struct mcast_writer *writer, const struct mcast_frame *frame) {
    mcast_write_u8(writer, (uint8_t)frame->kind);
    switch (frame->kind) {
    case MCAST_FRAME_OPEN:
        mcast_write_varint(writer, frame->number);
        break;
    case MCAST_FRAME_EMPTY:
        return;
    default:
        mcast_write_varint(writer, frame->group);
        mcast_write_varint(writer, frame->number);
        break;
    }
    if (frame->kind == MCAST_FRAME_STABLE) {
        return;
    }
    if (frame->kind == MCAST_FRAME_FRAGMENT) {
        mcast_write_varint(writer, frame->offset);
        mcast_write_varint(writer, frame->total);
    }
    mcast_write_varint(writer, frame->length);
}

enum { MESSAGE_MOST = 64 * 1024 * 1024 };

/* A piece is never empty, never the whole, and never reaches beyond the end. */
static bool fragment_is_sound(const struct mcast_frame *frame) {
    return frame->total <= MESSAGE_MOST && frame->length > 0 && frame->length < frame->total &&
           frame->offset < frame->total && frame->length <= frame->total - frame->offset;
}

/* A number in its shortest form; NULL for all that is not one. */
static inline const uint8_t *take_varint(const uint8_t *at, const uint8_t *end, uint64_t *value) {
    uint64_t sum = 0;
    for (unsigned shift = 0; at < end && shift < 63; shift += 7) {
        uint8_t byte = *at++;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = sum;
            return byte == 0 && shift > 0 ? NULL : at;
        }
    }
    return NULL;
}

enum { FRAMES_AHEAD = 14 };

/* The frames of a packet are mostly of one size: the head of a later one, where it will be, is
 * asked for now. A packet that waited for an earlier one has left the cache by the time it is read.
 */
static void ask_ahead(const uint8_t *at, const uint8_t *end, size_t size) {
    if (FRAMES_AHEAD * size < (size_t)(end - at)) {
        mcast_prefetch_read(at + FRAMES_AHEAD * size);
    }
}

/* A message, which by far the most frames are, without a call for each of its numbers. What is not
 * one, or not sound, is left to the slow way, with nothing taken. */
static bool read_message(struct mcast_reader *reader, struct mcast_frame *frame) {
    const uint8_t *at = reader->at;
    uint64_t group = 0;
    uint64_t number = 0;
    uint64_t length = 0;
    if (reader->failed || at == reader->end || *at != MCAST_FRAME_MESSAGE) {
        return false;
    }
    at = take_varint(at + 1, reader->end, &group);
    at = at == NULL ? NULL : take_varint(at, reader->end, &number);
    at = at == NULL ? NULL : take_varint(at, reader->end, &length);
    if (at == NULL || group > UINT32_MAX || length > MCAST_PACKET_MOST ||
        length > (size_t)(reader->end - at)) {
        return false;
    }
    *frame = (struct mcast_frame){.kind = MCAST_FRAME_MESSAGE,
                                  .group = (uint32_t)group,
                                  .number = number,
                                  .length = (uint32_t)length,
                                  .bytes = at};
    size_t size = (size_t)(at - reader->at) + length;
    reader->at = at + length;
    ask_ahead(reader->at, reader->end, size);
    return true;
}

bool mcast_frame_read(struct mcast_reader *reader, struct mcast_frame *frame) {
    if (read_message(reader, frame)) {
        return true;
    }
    *frame = (struct mcast_frame){.kind = mcast_read_u8(reader)};
    if (frame->kind > MCAST_FRAME_EMPTY) {
        reader->failed = true;
        return false;
    }
    if (frame->kind == MCAST_FRAME_EMPTY) {
        return !reader->failed;
    }
    if (frame->kind != MCAST_FRAME_OPEN) {
        frame->group = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    }
    frame->number = mcast_read_varint(reader);
    if (frame->kind == MCAST_FRAME_STABLE) {
        return !reader->failed;
    }
    if (frame->kind == MCAST_FRAME_FRAGMENT) {
        frame->offset = mcast_read_varint(reader);
        frame->total = mcast_read_varint(reader);
    }
    frame->length = (uint32_t)mcast_read_varint_most(reader, MCAST_PACKET_MOST);
    frame->bytes = mcast_read_bytes(reader, frame->length);
    if (frame->kind == MCAST_FRAME_FRAGMENT && !fragment_is_sound(frame)) {
        reader->failed = true;
    }
    return !reader->failed;
}

void mcast_open_write(struct mcast_writer *writer, const struct mcast_open_entry *entries,
                      size_t count) {
    assert(count <= MCAST_OPEN_MOST);
    mcast_write_varint(writer, count);
    for (size_t i = 0; i < count; i++) {
        mcast_write_u64(writer, entries[i].view);
        mcast_write_varint(writer, entries[i].last);
    }
}

bool mcast_open_read(const uint8_t *bytes, size_t length, struct mcast_open_entry *entries,
                     size_t *count) {
    struct mcast_reader reader = mcast_reader_over(bytes, length);
    *count = mcast_read_count(&reader, 9);
    if (*count > MCAST_OPEN_MOST) {
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        entries[i].view = mcast_read_u64(&reader);
        entries[i].last = mcast_read_varint(&reader);
    }
    return mcast_reader_done(&reader);
}

bool mcast_frames_are_sound(const uint8_t *frames, size_t length) {
    struct mcast_reader reader = mcast_reader_over(frames, length);
    struct mcast_frame frame;
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    size_t entry_count;
    for (size_t count = 0; mcast_reader_left(&reader) > 0; count++) {
        if (!mcast_frame_read(&reader, &frame)) {
            return false;
        }
        if (frame.kind == MCAST_FRAME_OPEN) {
            return count == 0 && mcast_reader_left(&reader) == 0 &&
                   mcast_open_read(frame.bytes, frame.length, entries, &entry_count);
        }
    }
    return true;
}

/* Ranges go as distance from the end of the one before and length - 1. The count carries in its
 * lowest bit whether a limit follows. */
void mcast_spans_write(struct mcast_writer *writer, uint64_t base,
                       const struct mcast_spans *spans) {
    bool limited = spans->limit != UINT64_MAX;
    mcast_write_varint(writer, ((uint64_t)spans->count << 1) | (limited ? 1U : 0U));
    if (limited) {
        mcast_write_delta(writer, base, spans->limit);
    }
    for (uint32_t i = 0; i < spans->count; i++) {
        if (i == 0) {
            mcast_write_delta(writer, base, spans->at[0].first);
        } else {
            mcast_write_varint(writer, spans->at[i].first - spans->at[i - 1].last);
        }
        mcast_write_varint(writer, spans->at[i].last - spans->at[i].first);
    }
}

/* No window holds so many packets. Who walks a range cuts it to what can be here all the same. */
enum { SPAN_MOST = 1 << 20 };

bool mcast_spans_read(struct mcast_reader *reader, uint64_t base, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t head = mcast_read_varint_most(reader, 2 * MCAST_SPANS_MOST + 1);
    uint64_t limit = (head & 1) != 0 ? mcast_read_delta(reader, base) : UINT64_MAX;
    uint64_t before = 0;
    for (uint64_t i = 0; i < head >> 1 && !reader->failed; i++) {
        uint64_t step = i == 0 ? mcast_read_delta(reader, base) : mcast_read_varint(reader);
        uint64_t first = before + step;
        uint64_t extent = mcast_read_varint(reader);
        uint64_t last = first + extent;
        bool backward = (i > 0 && (step < 2 || first < before)) || last < first;
        if (extent >= SPAN_MOST || backward || last == UINT64_MAX) { /* nothing counts beyond it */
            reader->failed = true;
            break;
        }
        (void)mcast_spans_append(spans, first, last);
        before = last;
    }
    mcast_spans_trim(spans, limit);
    return !reader->failed;
}

void mcast_ack_write(struct mcast_writer *writer, const struct mcast_ack *ack) {
    mcast_write_varint(writer, ack->sender);
    mcast_write_varint(writer, ack->contig);
    mcast_write_varint(writer, ack->low);
    mcast_spans_write(writer, ack->contig, &ack->above);
}

bool mcast_ack_read(struct mcast_reader *reader, struct mcast_ack *ack) {
    ack->sender = (mcast_node)mcast_read_varint_most(reader, UINT32_MAX);
    ack->contig = mcast_read_varint(reader);
    ack->low = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    return mcast_spans_read(reader, ack->contig, &ack->above) && mcast_reader_done(reader);
}

void mcast_flow_write(struct mcast_writer *writer, const struct mcast_flow *flow) {
    mcast_write_varint(writer, flow->sender);
    mcast_write_varint(writer, flow->group);
    mcast_write_u8(writer, flow->pause ? 1 : 0);
    mcast_write_varint(writer, flow->credit);
}

bool mcast_flow_read(struct mcast_reader *reader, struct mcast_flow *flow) {
    flow->sender = (mcast_node)mcast_read_varint_most(reader, UINT32_MAX);
    flow->group = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    uint8_t pause = mcast_read_u8(reader);
    flow->pause = pause == 1;
    flow->credit = (uint32_t)mcast_read_varint_most(reader, UINT32_MAX);
    return pause <= 1 && mcast_reader_done(reader);
}
