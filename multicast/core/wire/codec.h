/* Codec: writing into and reading from a piece of memory that has an end.
 *
 * Neither side ever passes the end. The first thing that does not fit marks the writer or reader as
 * failed; all that follows is then void, so that a message is written or read in one go and judged
 * once, at its end. Numbers are big-endian; a varint carries seven bits a byte, lowest first, and
 * is accepted in its shortest form only, so that one value has one encoding. */
#ifndef MCAST_CORE_CODEC_H
#define MCAST_CORE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MCAST_VARINT_MAX = 10 }; /* bytes of the longest varint */

struct mcast_writer {
    uint8_t *at;    /* is where the next byte goes */
    uint8_t *end;   /* is the first byte that is not ours */
    uint8_t *begin; /* is where the first byte went */
    bool failed;    /* is true once something did not fit; nothing is written after that */
};

struct mcast_reader {
    const uint8_t *at;  /* is the next byte to read */
    const uint8_t *end; /* is the first byte that is not ours */
    bool failed;        /* is true once something was missing or malformed; all reads then give 0 */
};

/* Begins to write into the @size bytes at @memory, which stay the caller's. */
struct mcast_writer mcast_writer_over(void *memory, size_t size);

/* The count of bytes written so far; what a failed writer holds is of no use. */
size_t mcast_writer_count(const struct mcast_writer *writer);

void mcast_write_u8(struct mcast_writer *writer, uint8_t value);
void mcast_write_u16(struct mcast_writer *writer, uint16_t value);
void mcast_write_u32(struct mcast_writer *writer, uint32_t value);
void mcast_write_u64(struct mcast_writer *writer, uint64_t value);
void mcast_write_varint(struct mcast_writer *writer, uint64_t value);

/* Signed difference from @base to @value, modulo 2^64, in zigzag form: near numbers take one byte.
 */
void mcast_write_delta(struct mcast_writer *writer, uint64_t base, uint64_t value);

/* @bytes may be NULL when @size is 0. */
void mcast_write_bytes(struct mcast_writer *writer, const void *bytes, size_t size);

/* The count of bytes that mcast_write_varint takes for @value. */
size_t mcast_varint_size(uint64_t value);

/* Begins to read the @size bytes at @memory, which stay the caller's and outlive the reader. */
struct mcast_reader mcast_reader_over(const void *memory, size_t size);

/* The count of bytes not read yet; 0 after a failure. */
size_t mcast_reader_left(const struct mcast_reader *reader);

/* Whether all was read, nothing is left over, and nothing was malformed. */
bool mcast_reader_done(const struct mcast_reader *reader);

uint8_t mcast_read_u8(struct mcast_reader *reader);
uint16_t mcast_read_u16(struct mcast_reader *reader);
uint32_t mcast_read_u32(struct mcast_reader *reader);
uint64_t mcast_read_u64(struct mcast_reader *reader);
uint64_t mcast_read_varint(struct mcast_reader *reader);
uint64_t mcast_read_delta(struct mcast_reader *reader, uint64_t base);

/* A varint that must not pass @most; a larger one fails the reader. */
uint64_t mcast_read_varint_most(struct mcast_reader *reader, uint64_t most);

/* A count of things that take at least @each bytes apiece (@each >= 1): one that the rest of the
 * message cannot hold fails the reader, so that no count from the wire sizes an allocation alone.
 */
size_t mcast_read_count(struct mcast_reader *reader, size_t each);

/* A view of the next @size bytes, or NULL after a failure. No copy is made. */
const uint8_t *mcast_read_bytes(struct mcast_reader *reader, size_t size);

#endif
