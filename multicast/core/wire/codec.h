/* Codec: a writer and a reader of numbers and bytes over a bounded piece of memory.
 *
 * Neither ever crosses the end. The first item that does not fit marks the writer or reader as
 * failed and every later call does nothing, so a message is written or read in one go and checked
 * once, at its end. Numbers are big-endian. A varint carries seven bits a byte, lowest first, and
 * is accepted only in its shortest form, so each value has one encoding. */
#ifndef MCAST_WIRE_CODEC_H
#define MCAST_WIRE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MCAST_VARINT_MAX = 10 }; /* bytes of the longest varint */

struct mcast_writer {
    uint8_t *at;    /* the address of the next byte */
    uint8_t *end;   /* one past the last byte */
    uint8_t *begin; /* the address of the first byte */
    bool failed;    /* true once an item did not fit; nothing is written after that */
};

struct mcast_reader {
    const uint8_t *at;  /* the next byte to read */
    const uint8_t *end; /* one past the last byte */
    bool failed;        /* true once an item was missing or malformed; all later reads give 0 */
};

/* Start writing into the @size bytes at @memory, which the caller owns. */
struct mcast_writer mcast_writer_over(void *memory, size_t size);

/* The count of bytes written so far. The bytes of a failed writer are useless. */
size_t mcast_writer_count(const struct mcast_writer *writer);

void mcast_write_u8(struct mcast_writer *writer, uint8_t value);
void mcast_write_u16(struct mcast_writer *writer, uint16_t value);
void mcast_write_u32(struct mcast_writer *writer, uint32_t value);
void mcast_write_u64(struct mcast_writer *writer, uint64_t value);
void mcast_write_varint(struct mcast_writer *writer, uint64_t value);

/* Write the signed difference from @base to @value, modulo 2^64, in zigzag form: close numbers take
 * one byte. */
void mcast_write_delta(struct mcast_writer *writer, uint64_t base, uint64_t value);

/* @bytes may be NULL when @size is 0. */
void mcast_write_bytes(struct mcast_writer *writer, const void *bytes, size_t size);

/* The count of bytes that mcast_write_varint takes for @value. */
size_t mcast_varint_size(uint64_t value);

/* Start reading the @size bytes at @memory, which the caller owns and keeps until the reader is
 * done. */
struct mcast_reader mcast_reader_over(const void *memory, size_t size);

/* The count of bytes not read yet; 0 after a failure. */
size_t mcast_reader_left(const struct mcast_reader *reader);

/* True if everything was read, nothing is left over, and nothing was malformed. */
bool mcast_reader_done(const struct mcast_reader *reader);

uint8_t mcast_read_u8(struct mcast_reader *reader);
uint16_t mcast_read_u16(struct mcast_reader *reader);
uint32_t mcast_read_u32(struct mcast_reader *reader);
uint64_t mcast_read_u64(struct mcast_reader *reader);
uint64_t mcast_read_varint(struct mcast_reader *reader);
uint64_t mcast_read_delta(struct mcast_reader *reader, uint64_t base);

/* Read a varint of at most @most; a larger one fails the reader. */
uint64_t mcast_read_varint_most(struct mcast_reader *reader, uint64_t most);

/* Read a count of items that take at least @each bytes apiece (@each >= 1). A count that the rest
 * of the message cannot hold fails the reader, so no count from the wire decides the size of an
 * allocation. */
size_t mcast_read_count(struct mcast_reader *reader, size_t each);

/* Return the next @size bytes in place, without a copy, or NULL after a failure. */
const uint8_t *mcast_read_bytes(struct mcast_reader *reader, size_t size);

#endif
