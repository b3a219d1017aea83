/* The head of a HYBRID datagram (docs/wire.md, type 10). */
#include "check.h"
#include "wire/header.h"
#include "wire/hybrid.h"

#include <string.h>

static struct mcast_hybrid_entry entry_at(size_t i) {
    return (struct mcast_hybrid_entry){MCAST_EPOCH(3, i + 1), (UINT64_C(1) << 32) - i,
                                       (uint8_t)(i % 2)};
}

static size_t write_list(uint8_t *bytes, size_t room, size_t count) {
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    for (size_t i = 0; i < count; i++) {
        entries[i] = entry_at(i);
    }
    struct mcast_writer writer = mcast_writer_over(bytes, room);
    mcast_hybrid_write(&writer, entries, count);
    CHECK(!writer.failed);
    return mcast_writer_count(&writer);
}

static bool reads(const uint8_t *bytes, size_t length) {
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    size_t count;
    struct mcast_reader reader = mcast_reader_over(bytes, length);
    return mcast_hybrid_read(&reader, entries, &count);
}

static void a_list_reads_as_it_was_written_and_frames_follow(void) {
    uint8_t bytes[1 + MCAST_HYBRID_ENTRY_SIZE * MCAST_HYBRID_VIEWS_MOST + 3];
    for (size_t count = MCAST_HYBRID_VIEWS_LEAST; count <= MCAST_HYBRID_VIEWS_MOST; count++) {
        size_t length = write_list(bytes, sizeof bytes, count);
        CHECK(MCAST_HEADER_SIZE + length == MCAST_HYBRID_HEAD(count));
        struct mcast_reader reader = mcast_reader_over(bytes, length + 3);
        struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
        size_t read;
        CHECK(mcast_hybrid_read(&reader, entries, &read) && read == count);
        CHECK(reader.at == bytes + length && mcast_reader_left(&reader) == 3);
        for (size_t i = 0; i < count; i++) {
            struct mcast_hybrid_entry is = entry_at(i);
            CHECK(entries[i].view == is.view && entries[i].number == is.number &&
                  entries[i].flags == is.flags);
        }
    }
}

static void a_truncated_list_is_refused(void) {
    uint8_t bytes[256];
    size_t length = write_list(bytes, sizeof bytes, 5);
    for (size_t i = 0; i < length; i++) {
        CHECK(!reads(bytes, i));
    }
    CHECK(reads(bytes, length));
}

static void an_invalid_list_is_refused(void) {
    uint8_t bytes[1024] = {0};
    size_t length = write_list(bytes, sizeof bytes, 3);
    bytes[0] = 1; /* one region has an address already */
    CHECK(!reads(bytes, length));
    bytes[0] = 33;
    CHECK(!reads(bytes, sizeof bytes));
    bytes[0] = 3;
    bytes[1] = 8; /* no such flag */
    CHECK(!reads(bytes, length));
    bytes[1] = 0;
    memcpy(bytes + 1 + MCAST_HYBRID_ENTRY_SIZE, bytes + 1, MCAST_HYBRID_ENTRY_SIZE);
    CHECK(!reads(bytes, length)); /* a view twice */
    memset(bytes + 2, 0, 8);      /* no view */
    CHECK(!reads(bytes, length));
}

int main(void) {
    RUN(a_list_reads_as_it_was_written_and_frames_follow);
    RUN(a_truncated_list_is_refused);
    RUN(an_invalid_list_is_refused);
    return 0;
}
