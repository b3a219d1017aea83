/* A reader of bytes for the judges, written from docs/wire.md and not from the core. */
#ifndef DRIVER_JUDGES_BYTE_READER_H
#define DRIVER_JUDGES_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool bad; /* true once a byte was missing; all later reads give 0 */
};

static inline uint64_t oracle_number(struct oracle_bytes *from, int size) {
    uint64_t value = 0;
    if (from->bad || from->end - from->at < size) {
        from->bad = true;
        return 0;
    }
    for (int i = 0; i < size; i++) {
        value = value << 8 | *from->at++;
    }
    return value;
}

/* Seven bits a byte, lowest first. */
static inline uint64_t oracle_varint(struct oracle_bytes *from) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint64_t byte = oracle_number(from, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        if ((byte & 0x80) == 0) {
            return value;
        }
    }
    from->bad = true;
    return 0;
}

/* A signed difference from @base, in zigzag form. */
static inline uint64_t oracle_delta(struct oracle_bytes *from, uint64_t base) {
    uint64_t coded = oracle_varint(from);
    return base + ((coded >> 1) ^ (0 - (coded & 1)));
}

static inline void oracle_jump(struct oracle_bytes *from, size_t count) {
    if (from->bad || (size_t)(from->end - from->at) < count) {
        from->bad = true;
        return;
    }
    from->at += count;
}

/* A list of ranges about @base, each passed to @each; NULL to skip them. */
typedef void (*oracle_each)(void *user, uint64_t first, uint64_t last);

static inline void oracle_spans(struct oracle_bytes *from, uint64_t base, oracle_each each,
                                void *user) {
    uint64_t head = oracle_varint(from);
    if ((head & 1) != 0) {
        oracle_delta(from, base);
    }
    uint64_t before = 0;
    for (uint64_t i = 0; i < head >> 1 && !from->bad; i++) {
        uint64_t first = i == 0 ? oracle_delta(from, base) : before + oracle_varint(from);
        before = first + oracle_varint(from);
        if (each != NULL && !from->bad) {
            each(user, first, before);
        }
    }
}

#endif
