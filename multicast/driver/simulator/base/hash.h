/* A running 64-bit hash: the trace of a run, and the check inside a payload. Not cryptographic. */
#ifndef DRIVER_SIMULATOR_BASE_HASH_H
#define DRIVER_SIMULATOR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fold the number @value into @hash. */
static inline uint64_t sim_hash_number(uint64_t hash, uint64_t value) {
    uint64_t x = (hash ^ value) * 0x9fb21c651e98df25u;
    return x ^ (x >> 28);
}

/* Fold @size bytes into @hash, eight at a time. The result depends on the byte order of the
 * machine, which is good enough: a trace is compared on the machine that made it. */
static inline uint64_t sim_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = sim_hash_number(hash, word);
    }
    uint64_t rest = size;
    for (; size > 0; at++, size--) {
        rest = (rest << 8) | *at;
    }
    return sim_hash_number(hash, rest);
}

#endif
