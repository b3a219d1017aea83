#include "wire/hybrid.h"

#include <assert.h>

void mcast_hybrid_write(struct mcast_writer *writer, const struct mcast_hybrid_entry *entries,
                        size_t count) {
    assert(count >= MCAST_HYBRID_VIEWS_LEAST && count <= MCAST_HYBRID_VIEWS_MOST);
    mcast_write_u8(writer, (uint8_t)count);
    for (size_t i = 0; i < count; i++) {
        mcast_write_u8(writer, entries[i].flags);
        mcast_write_u64(writer, entries[i].view);
        mcast_write_u64(writer, entries[i].number);
    }
}

bool mcast_hybrid_read(struct mcast_reader *reader, struct mcast_hybrid_entry *entries,
                       size_t *count) {
    mcast_view before = 0;
    *count = mcast_read_u8(reader);
    if (*count < MCAST_HYBRID_VIEWS_LEAST || *count > MCAST_HYBRID_VIEWS_MOST) {
        reader->failed = true;
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        entries[i].flags = mcast_read_u8(reader);
        entries[i].view = mcast_read_u64(reader);
        entries[i].number = mcast_read_u64(reader);
        reader->failed |= entries[i].view <= before || entries[i].flags > MCAST_FLAGS_OF_DATA;
        before = entries[i].view;
    }
    return !reader->failed;
}
