#include "wire/codec.h"

#include <assert.h>
#include <string.h>

struct mcast_writer mcast_writer_over(void *memory, size_t size) {
    uint8_t *begin = memory;
    return (struct mcast_writer){.at = begin, .end = begin + size, .begin = begin};
}

size_t mcast_writer_count(const struct mcast_writer *writer) {
    return (size_t)(writer->at - writer->begin);
}

/* Claim @size bytes of room. Return NULL if they do not fit, which marks the writer as failed. */
static uint8_t *claim(struct mcast_writer *writer, size_t size) {
    if (writer->failed || (size_t)(writer->end - writer->at) < size) {
        writer->failed = true;
        return NULL;
    }
    uint8_t *place = writer->at;
    writer->at += size;
    return place;
}

static void write_big_endian(struct mcast_writer *writer, uint64_t value, size_t size) {
    uint8_t *place = claim(writer, size);
    if (place == NULL) {
        return;
    }
    for (size_t i = size; i > 0; i--) {
        place[i - 1] = (uint8_t)(value & 0xff);
        value >>= 8;
    }
}

void mcast_write_u8(struct mcast_writer *writer, uint8_t value) {
    write_big_endian(writer, value, 1);
}

void mcast_write_u16(struct mcast_writer *writer, uint16_t value) {
    write_big_endian(writer, value, 2);
}

void mcast_write_u32(struct mcast_writer *writer, uint32_t value) {
    write_big_endian(writer, value, 4);
}

void mcast_write_u64(struct mcast_writer *writer, uint64_t value) {
    write_big_endian(writer, value, 8);
}

size_t mcast_varint_size(uint64_t value) {
    size_t size = 1;
    while (value >= 0x80) {
        value >>= 7;
        size++;
    }
    return size;
}

void mcast_write_varint(struct mcast_writer *writer, uint64_t value) {
    uint8_t *place = claim(writer, mcast_varint_size(value));
    if (place == NULL) {
        return;
    }
    while (value >= 0x80) {
        *place++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *place = (uint8_t)value;
}

void mcast_write_delta(struct mcast_writer *writer, uint64_t base, uint64_t value) {
    uint64_t difference = value - base;
    uint64_t sign = (difference >> 63) != 0 ? UINT64_MAX : 0;
    mcast_write_varint(writer, (difference << 1) ^ sign);
}

void mcast_write_bytes(struct mcast_writer *writer, const void *bytes, size_t size) {
    uint8_t *place = claim(writer, size);
    if (place != NULL && size > 0) {
        memcpy(place, bytes, size);
    }
}

struct mcast_reader mcast_reader_over(const void *memory, size_t size) {
    const uint8_t *begin = memory;
    return (struct mcast_reader){.at = begin, .end = begin + size};
}

size_t mcast_reader_left(const struct mcast_reader *reader) {
    return reader->failed ? 0 : (size_t)(reader->end - reader->at);
}

bool mcast_reader_done(const struct mcast_reader *reader) {
    return !reader->failed && reader->at == reader->end;
}

const uint8_t *mcast_read_bytes(struct mcast_reader *reader, size_t size) {
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *place = reader->at;
    reader->at += size;
    return place;
}

static uint64_t read_big_endian(struct mcast_reader *reader, size_t size) {
    const uint8_t *place = mcast_read_bytes(reader, size);
    uint64_t value = 0;
    if (place != NULL) {
        for (size_t i = 0; i < size; i++) {
            value = value << 8 | place[i];
        }
    }
    return value;
}

uint8_t mcast_read_u8(struct mcast_reader *reader) {
    return (uint8_t)read_big_endian(reader, 1);
}

uint16_t mcast_read_u16(struct mcast_reader *reader) {
    return (uint16_t)read_big_endian(reader, 2);
}

uint32_t mcast_read_u32(struct mcast_reader *reader) {
    return (uint32_t)read_big_endian(reader, 4);
}

uint64_t mcast_read_u64(struct mcast_reader *reader) {
    return read_big_endian(reader, 8);
}

static uint64_t malformed(struct mcast_reader *reader) {
    reader->failed = true;
    return 0;
}

uint64_t mcast_read_varint(struct mcast_reader *reader) {
    uint64_t value = 0;
    if (!reader->failed && reader->at < reader->end && *reader->at < 0x80) {
        return *reader->at++; /* most numbers take one byte */
    }
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = mcast_read_u8(reader);
        if (reader->failed || (shift == 63 && byte > 1)) {
            return malformed(reader);
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            /* A last byte of zero bits means that a shorter form exists. */
            return byte == 0 && shift > 0 ? malformed(reader) : value;
        }
    }
    return malformed(reader);
}

uint64_t mcast_read_delta(struct mcast_reader *reader, uint64_t base) {
    uint64_t zigzag = mcast_read_varint(reader);
    uint64_t sign = (zigzag & 1) != 0 ? UINT64_MAX : 0;
    return reader->failed ? 0 : base + ((zigzag >> 1) ^ sign);
}

uint64_t mcast_read_varint_most(struct mcast_reader *reader, uint64_t most) {
    uint64_t value = mcast_read_varint(reader);
    return value > most ? malformed(reader) : value;
}

size_t mcast_read_count(struct mcast_reader *reader, size_t each) {
    assert(each >= 1);
    uint64_t count = mcast_read_varint(reader);
    if (count > mcast_reader_left(reader) / each) {
        return (size_t)malformed(reader);
    }
    return (size_t)count;
}
