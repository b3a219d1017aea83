#include "wire/frame.h"
#include "base/prefetch.h"
#include "wire/header.h"

#include <assert.h>

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

/* A fragment is never empty, never a whole message, and never extends beyond the end of the
 * message. */
static bool fragment_is_sound(const struct mcast_frame *frame) {
    return frame->total <= MESSAGE_MOST && frame->length > 0 && frame->length < frame->total &&
           frame->offset < frame->total && frame->length <= frame->total - frame->offset;
}

/* Take a varint in its shortest form. Return NULL for anything else. */
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

/* The frames of a packet mostly have one size, so prefetch the head of a later frame from where it
 * should be. A packet that waited for an earlier one has left the cache by the time it is read. */
static void ask_ahead(const uint8_t *at, const uint8_t *end, size_t size) {
    if (FRAMES_AHEAD * size < (size_t)(end - at)) {
        mcast_prefetch_read(at + FRAMES_AHEAD * size);
    }
}

/* Read a MESSAGE frame, which most frames are, without a function call for each number. Leave
 * anything else, or anything unsound, to the general path and consume nothing. */
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
