#include "base/bits.h"
#include "base/memory.h"

#include "mcast/error.h"

enum { WORD = 64 };

void mcast_bits_free(struct mcast_bits *bits, const struct mcast_alloc *alloc) {
    mcast_memory_free(alloc, bits->words, bits->count, sizeof *bits->words);
    *bits = (struct mcast_bits){.words = NULL};
}

static int grow(struct mcast_bits *bits, const struct mcast_alloc *alloc, size_t words) {
    uint64_t *grown =
        mcast_memory_grow(alloc, bits->words, &bits->count, words, sizeof *bits->words);
    if (grown == NULL) {
        return MCAST_ENOMEM;
    }
    bits->words = grown;
    return MCAST_OK;
}

int mcast_bits_add(struct mcast_bits *bits, const struct mcast_alloc *alloc, size_t number) {
    if (number / WORD >= bits->count) {
        int code = grow(bits, alloc, number / WORD + 1);
        if (code != MCAST_OK) {
            return code;
        }
    }
    bits->words[number / WORD] |= UINT64_C(1) << number % WORD;
    return MCAST_OK;
}

int mcast_bits_add_all(struct mcast_bits *bits, const struct mcast_alloc *alloc,
                       const struct mcast_bits *other) {
    if (other->count > bits->count) {
        int code = grow(bits, alloc, other->count);
        if (code != MCAST_OK) {
            return code;
        }
    }
    for (size_t i = 0; i < other->count; i++) {
        bits->words[i] |= other->words[i];
    }
    return MCAST_OK;
}

void mcast_bits_remove(struct mcast_bits *bits, size_t number) {
    if (number / WORD < bits->count) {
        bits->words[number / WORD] &= ~(UINT64_C(1) << number % WORD);
    }
}

void mcast_bits_clear(struct mcast_bits *bits) {
    for (size_t i = 0; i < bits->count; i++) {
        bits->words[i] = 0;
    }
}

bool mcast_bits_has(const struct mcast_bits *bits, size_t number) {
    return number / WORD < bits->count && (bits->words[number / WORD] >> number % WORD & 1) != 0;
}

bool mcast_bits_is_empty(const struct mcast_bits *bits) {
    return mcast_bits_next(bits, 0) == MCAST_BITS_END;
}

size_t mcast_bits_next(const struct mcast_bits *bits, size_t from) {
    const struct mcast_bits none = {.words = NULL};
    return mcast_bits_next_without(bits, &none, from);
}

static size_t lowest(uint64_t word) {
    size_t place = 0;
    while ((word & 1) == 0) {
        word >>= 1;
        place++;
    }
    return place;
}

size_t mcast_bits_next_without(const struct mcast_bits *bits, const struct mcast_bits *without,
                               size_t from) {
    uint64_t mask = UINT64_MAX << from % WORD;
    for (size_t i = from / WORD; i < bits->count; i++) {
        uint64_t other = i < without->count ? without->words[i] : 0;
        uint64_t word = bits->words[i] & ~other & mask;
        if (word != 0) {
            return i * WORD + lowest(word);
        }
        mask = UINT64_MAX;
    }
    return MCAST_BITS_END;
}
