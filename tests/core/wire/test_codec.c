#include "check.h"
#include "counting_memory.h"
#include "wire/codec.h"

static void numbers_come_back_as_they_were(void) {
    uint8_t memory[64];
    struct mcast_writer writer = mcast_writer_over(memory, sizeof memory);
    mcast_write_u8(&writer, 0xab);
    mcast_write_u16(&writer, 0xabcd);
    mcast_write_u32(&writer, 0xdeadbeef);
    mcast_write_u64(&writer, UINT64_C(0x0123456789abcdef));
    mcast_write_bytes(&writer, "hello", 5);
    mcast_write_bytes(&writer, NULL, 0);
    CHECK(!writer.failed);
    CHECK(mcast_writer_count(&writer) == 20);
    CHECK(memory[1] == 0xab && memory[2] == 0xcd);

    struct mcast_reader reader = mcast_reader_over(memory, 20);
    CHECK(mcast_read_u8(&reader) == 0xab);
    CHECK(mcast_read_u16(&reader) == 0xabcd);
    CHECK(mcast_read_u32(&reader) == 0xdeadbeef);
    CHECK(mcast_read_u64(&reader) == UINT64_C(0x0123456789abcdef));
    CHECK(!mcast_reader_done(&reader));
    CHECK(mcast_reader_left(&reader) == 5);
    CHECK(memcmp(mcast_read_bytes(&reader, 5), "hello", 5) == 0);
    CHECK(mcast_reader_done(&reader));
}

static void check_varint(uint64_t value) {
    uint8_t memory[MCAST_VARINT_MAX];
    struct mcast_writer writer = mcast_writer_over(memory, sizeof memory);
    mcast_write_varint(&writer, value);
    CHECK(!writer.failed);
    CHECK(mcast_writer_count(&writer) == mcast_varint_size(value));
    struct mcast_reader reader = mcast_reader_over(memory, mcast_writer_count(&writer));
    CHECK(mcast_read_varint(&reader) == value);
    CHECK(mcast_reader_done(&reader));
}

static void every_length_of_varint_comes_back(void) {
    for (unsigned bit = 0; bit < 64; bit++) {
        check_varint(UINT64_C(1) << bit);
        check_varint((UINT64_C(1) << bit) - 1);
    }
    check_varint(UINT64_MAX);
    CHECK(mcast_varint_size(127) == 1);
    CHECK(mcast_varint_size(128) == 2);
    CHECK(mcast_varint_size(UINT64_MAX) == MCAST_VARINT_MAX);
}

static void check_delta(uint64_t base, uint64_t value, size_t size) {
    uint8_t memory[MCAST_VARINT_MAX];
    struct mcast_writer writer = mcast_writer_over(memory, sizeof memory);
    mcast_write_delta(&writer, base, value);
    CHECK(mcast_writer_count(&writer) == size);
    struct mcast_reader reader = mcast_reader_over(memory, size);
    CHECK(mcast_read_delta(&reader, base) == value);
    CHECK(mcast_reader_done(&reader));
}

static void near_numbers_make_short_deltas_either_way(void) {
    check_delta(1000000, 1000063, 1);
    check_delta(1000000, 999936, 1);
    check_delta(1000000, 1000064, 2);
    check_delta(UINT64_MAX, 2, 1);
    check_delta(2, UINT64_MAX, 1);
    check_delta(0, UINT64_C(1) << 63, MCAST_VARINT_MAX);
}

static bool reads_as_varint(const void *bytes, size_t size) {
    struct mcast_reader reader = mcast_reader_over(bytes, size);
    (void)mcast_read_varint(&reader);
    return mcast_reader_done(&reader);
}

static void a_varint_has_one_form_only(void) {
    CHECK(reads_as_varint("\x00", 1));
    CHECK(!reads_as_varint("\x80\x00", 2));
    CHECK(!reads_as_varint("\xff\x80\x00", 3));
    CHECK(reads_as_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10));
    CHECK(!reads_as_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10));
    CHECK(!reads_as_varint("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\x01", 11));
    CHECK(!reads_as_varint("\x80", 1));
    CHECK(!reads_as_varint("", 0));
}

static void an_item_that_does_not_fit_fails_the_writer_for_good(void) {
    uint8_t memory[4] = {9, 9, 9, 9};
    struct mcast_writer writer = mcast_writer_over(memory, 3);
    mcast_write_u16(&writer, 0x0102);
    mcast_write_u16(&writer, 0x0304);
    CHECK(writer.failed);
    mcast_write_u8(&writer, 5);
    CHECK(mcast_writer_count(&writer) == 2);
    CHECK(memory[2] == 9 && memory[3] == 9);
}

static void a_missing_item_fails_the_reader_for_good(void) {
    struct mcast_reader reader = mcast_reader_over("\x01\x02\x03", 3);
    CHECK(mcast_read_u32(&reader) == 0);
    CHECK(reader.failed);
    CHECK(mcast_read_u8(&reader) == 0);
    CHECK(mcast_reader_left(&reader) == 0);
    CHECK(mcast_read_bytes(&reader, 0) == NULL);
    CHECK(mcast_read_delta(&reader, 77) == 0);
    CHECK(!mcast_reader_done(&reader));
}

static void a_count_beyond_the_message_is_refused(void) {
    struct mcast_reader reader = mcast_reader_over("\x04\x01\x02\x03\x04", 5);
    CHECK(mcast_read_count(&reader, 1) == 4);
    reader = mcast_reader_over("\x04\x01\x02\x03\x04", 5);
    CHECK(mcast_read_count(&reader, 2) == 0);
    CHECK(reader.failed);
    reader = mcast_reader_over("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
    CHECK(mcast_read_count(&reader, 8) == 0);
    CHECK(reader.failed);
}

static void a_varint_above_its_bound_is_refused(void) {
    struct mcast_reader reader = mcast_reader_over("\x05\x06", 2);
    CHECK(mcast_read_varint_most(&reader, 5) == 5);
    CHECK(mcast_read_varint_most(&reader, 5) == 0);
    CHECK(reader.failed);
}

static void any_bytes_are_read_without_harm(void) {
    uint64_t seed = 11;
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[16];
        size_t size = test_random(&seed) % sizeof bytes;
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(test_random(&seed) | (round % 2 == 0 ? 0x80 : 0));
        }
        struct mcast_reader reader = mcast_reader_over(bytes, size);
        while (mcast_reader_left(&reader) > 0) {
            uint64_t value = mcast_read_varint(&reader);
            CHECK(!reader.failed || value == 0);
        }
    }
}

int main(void) {
    RUN(numbers_come_back_as_they_were);
    RUN(every_length_of_varint_comes_back);
    RUN(near_numbers_make_short_deltas_either_way);
    RUN(a_varint_has_one_form_only);
    RUN(an_item_that_does_not_fit_fails_the_writer_for_good);
    RUN(a_missing_item_fails_the_reader_for_good);
    RUN(a_count_beyond_the_message_is_refused);
    RUN(a_varint_above_its_bound_is_refused);
    RUN(any_bytes_are_read_without_harm);
    return 0;
}
