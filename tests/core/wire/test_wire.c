#include "check.h"
#include "counting_memory.h"
#include "wire/ack.h"
#include "wire/flow.h"
#include "wire/frame.h"
#include "wire/header.h"
#include "wire/hybrid.h"
#include "wire/range_list.h"
#include "wire/request.h"

static struct mcast_header sample_header(void) {
    return (struct mcast_header){.type = MCAST_WIRE_DATA,
                                 .flags = 1,
                                 .key_id = 3,
                                 .cluster = 0x01020304,
                                 .sender = 77,
                                 .incarnation = 0xdeadbeef,
                                 .counter = UINT64_C(1) << 40,
                                 .view = 9};
}

static void a_header_reads_as_it_was_written(void) {
    uint8_t bytes[MCAST_HEADER_SIZE + MCAST_TAG_SIZE] = {0};
    struct mcast_header header = sample_header();
    struct mcast_header read;
    mcast_header_write(bytes, &header);
    CHECK(mcast_header_read(bytes, sizeof bytes, &read));
    CHECK(read.type == header.type && read.flags == 1 && read.key_id == 3);
    CHECK(read.cluster == header.cluster && read.sender == 77 && read.view == 9);
    CHECK(read.incarnation == header.incarnation && read.counter == header.counter);
    CHECK(bytes[0] == MCAST_WIRE_VERSION && bytes[4] == 1 && bytes[7] == 4 && bytes[11] == 77);
}

static void a_header_of_another_kind_is_refused(void) {
    uint8_t bytes[MCAST_HEADER_SIZE + MCAST_TAG_SIZE] = {0};
    struct mcast_header header = sample_header();
    struct mcast_header read;
    mcast_header_write(bytes, &header);
    CHECK(!mcast_header_read(bytes, sizeof bytes - 1, &read));
    bytes[0] = MCAST_WIRE_VERSION + 1;
    CHECK(!mcast_header_read(bytes, sizeof bytes, &read));
    bytes[0] = MCAST_WIRE_VERSION;
    bytes[1] = 0;
    CHECK(!mcast_header_read(bytes, sizeof bytes, &read));
    bytes[1] = MCAST_WIRE_TYPES;
    CHECK(!mcast_header_read(bytes, sizeof bytes, &read));
    header.sender = 0;
    mcast_header_write(bytes, &header);
    CHECK(!mcast_header_read(bytes, sizeof bytes, &read));
}

static bool round_trip(const struct mcast_frame *frame, struct mcast_frame *read) {
    static uint8_t bytes[256];
    struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
    mcast_frame_write_head(&writer, frame);
    CHECK(mcast_writer_count(&writer) <= MCAST_FRAME_HEAD_MOST);
    mcast_write_bytes(&writer, frame->bytes, frame->length);
    CHECK(!writer.failed);
    struct mcast_reader reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
    bool sound = mcast_frame_read(&reader, read);
    CHECK(!sound || mcast_reader_left(&reader) == 0);
    return sound;
}

static void frames_read_as_they_were_written(void) {
    const uint8_t payload[5] = {1, 2, 3, 4, 5};
    struct mcast_frame read;
    struct mcast_frame message = {.kind = MCAST_FRAME_MESSAGE,
                                  .group = UINT32_MAX,
                                  .number = UINT64_MAX,
                                  .length = 5,
                                  .bytes = payload};
    CHECK(round_trip(&message, &read) && read.group == UINT32_MAX && read.length == 5);
    CHECK(read.number == UINT64_MAX && memcmp(read.bytes, payload, 5) == 0);
    struct mcast_frame piece = message;
    piece.kind = MCAST_FRAME_FRAGMENT;
    piece.offset = 95;
    piece.total = 100;
    CHECK(round_trip(&piece, &read) && read.offset == 95 && read.total == 100);
    struct mcast_frame stable = {.kind = MCAST_FRAME_STABLE, .group = 3, .number = 4};
    CHECK(round_trip(&stable, &read) && read.group == 3 && read.number == 4);
    struct mcast_frame empty = {.kind = MCAST_FRAME_EMPTY};
    CHECK(round_trip(&empty, &read));
}

static void a_fragment_must_lie_within_its_message(void) {
    const uint8_t payload[5] = {0};
    struct mcast_frame read;
    struct mcast_frame piece = {
        .kind = MCAST_FRAME_FRAGMENT, .length = 5, .bytes = payload, .offset = 96, .total = 100};
    CHECK(!round_trip(&piece, &read)); /* extends beyond the end */
    piece.offset = 0;
    piece.total = 5;
    CHECK(!round_trip(&piece, &read)); /* the whole message */
    piece.total = 64 * 1024 * 1024 + 1;
    CHECK(!round_trip(&piece, &read)); /* of a message that is too long */
    piece.total = 100;
    piece.length = 0;
    CHECK(!round_trip(&piece, &read)); /* empty */
    piece.length = 5;
    piece.offset = UINT64_MAX - 2;
    CHECK(!round_trip(&piece, &read)); /* would wrap */
}

static void an_open_lists_views_and_numbers(void) {
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    struct mcast_open_entry read[MCAST_OPEN_MOST];
    uint8_t bytes[MCAST_OPEN_MOST * 18 + 8];
    size_t count;
    for (size_t i = 0; i < MCAST_OPEN_MOST; i++) {
        entries[i] = (struct mcast_open_entry){i + 1, UINT64_MAX - i};
    }
    struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
    mcast_open_write(&writer, entries, MCAST_OPEN_MOST);
    CHECK(!writer.failed);
    CHECK(mcast_open_read(bytes, mcast_writer_count(&writer), read, &count));
    CHECK(count == MCAST_OPEN_MOST && memcmp(entries, read, sizeof read) == 0);
    CHECK(!mcast_open_read(bytes, mcast_writer_count(&writer) - 1, read, &count));
    uint8_t many[2000] = {127};
    CHECK(!mcast_open_read(many, sizeof many, read, &count)); /* more than the limit */
}

/* A loop that counts to the end of such a range never ends. */
static void a_range_up_to_the_largest_number_is_refused(void) {
    for (uint64_t length = 1; length <= 2; length++) {
        uint8_t bytes[64];
        struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
        mcast_write_varint(&writer, 1 << 1);
        mcast_write_delta(&writer, 0, UINT64_MAX - 1);
        mcast_write_varint(&writer, length - 1);
        struct mcast_reader reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
        struct mcast_spans read;
        CHECK(mcast_spans_read(&reader, 0, &read) == (length == 1));
    }
}

static void range_lists_read_as_they_were_written_from_any_base(void) {
    uint64_t seed = 3;
    for (int run = 0; run < 5000; run++) {
        struct mcast_spans spans;
        struct mcast_spans read;
        mcast_spans_clear(&spans, MCAST_SPANS_MOST);
        uint64_t at = test_random(&seed) % 2 == 0 ? test_random(&seed) / 2 : 0;
        uint64_t base = test_random(&seed);
        uint32_t count = (uint32_t)(test_random(&seed) % (MCAST_SPANS_MOST + 3));
        for (uint32_t i = 0; i < count; i++) {
            at += 2 + test_random(&seed) % 1000;
            uint64_t last = at + test_random(&seed) % 1000;
            (void)mcast_spans_append(&spans, at, last);
            at = last;
        }
        uint8_t bytes[1024];
        struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
        mcast_spans_write(&writer, base, &spans);
        struct mcast_reader reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
        CHECK(!writer.failed && mcast_spans_read(&reader, base, &read));
        CHECK(mcast_reader_done(&reader) && read.limit == spans.limit);
        CHECK(read.count == spans.count &&
              memcmp(read.at, spans.at, spans.count * sizeof *spans.at) == 0);
    }
}

static void requests_take_the_shorter_of_ranges_and_bitmap(void) {
    uint8_t sparse_bytes[512];
    uint8_t dense_bytes[512];
    struct mcast_request sparse = {.kind = MCAST_REQUEST_CROSS, .origin = 5};
    struct mcast_request dense = {.kind = MCAST_REQUEST_PULL, .origin = 5};
    struct mcast_request read;
    mcast_spans_clear(&sparse.numbers, MCAST_SPANS_MOST);
    mcast_spans_clear(&dense.numbers, MCAST_SPANS_MOST);
    for (uint64_t i = 0; i < 20; i++) {
        CHECK(mcast_spans_append(&sparse.numbers, 1000 + 100000 * i, 1000 + 100000 * i));
        CHECK(mcast_spans_append(&dense.numbers, 1000 + 2 * i, 1000 + 2 * i));
    }
    struct mcast_writer a = mcast_writer_over(sparse_bytes, sizeof sparse_bytes);
    struct mcast_writer b = mcast_writer_over(dense_bytes, sizeof dense_bytes);
    mcast_request_write(&a, &sparse);
    mcast_request_write(&b, &dense);
    CHECK((sparse_bytes[0] & 0x80) == 0 && (dense_bytes[0] & 0x80) != 0);
    CHECK(mcast_writer_count(&b) < 16);
    struct mcast_reader reader = mcast_reader_over(sparse_bytes, mcast_writer_count(&a));
    CHECK(mcast_request_read(&reader, &read) && read.kind == MCAST_REQUEST_CROSS);
    CHECK(mcast_spans_total(&read.numbers) == 20 && mcast_spans_contain(&read.numbers, 101000));
    reader = mcast_reader_over(dense_bytes, mcast_writer_count(&b));
    CHECK(mcast_request_read(&reader, &read) && read.kind == MCAST_REQUEST_PULL);
    CHECK(mcast_spans_total(&read.numbers) == 20 && mcast_spans_contain(&read.numbers, 1038));
    CHECK(!mcast_spans_contain(&read.numbers, 1037));
}

static void a_request_for_nothing_is_malformed(void) {
    uint8_t bytes[64];
    struct mcast_request request = {.kind = MCAST_REQUEST_PULL, .origin = 5};
    struct mcast_request read;
    mcast_spans_clear(&request.numbers, 4);
    struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
    mcast_request_write(&writer, &request);
    struct mcast_reader reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
    CHECK(!mcast_request_read(&reader, &read));
}

/* Any input: the decoder ends, reads nothing outside, and accepts or refuses. */
static void arbitrary_bytes_do_no_harm(void) {
    uint64_t seed = 11;
    for (int run = 0; run < 200000; run++) {
        size_t length = test_random(&seed) % 80;
        uint8_t *bytes = malloc(length + 1); /* a block of its own, so that the sanitizer sees the
                                              * end */
        CHECK(bytes != NULL);
        for (size_t i = 0; i < length; i++) {
            bytes[i] = (uint8_t)(test_random(&seed) % 3 == 0 ? test_random(&seed) : i % 7);
        }
        bytes = realloc(bytes, length == 0 ? 1 : length);
        struct mcast_header header;
        (void)mcast_header_read(bytes, length, &header);
        struct mcast_reader reader = mcast_reader_over(bytes, length);
        struct mcast_frame frame;
        while (mcast_reader_left(&reader) > 0 && mcast_frame_read(&reader, &frame)) {
        }
        reader = mcast_reader_over(bytes, length);
        struct mcast_request request;
        (void)mcast_request_read(&reader, &request);
        reader = mcast_reader_over(bytes, length);
        struct mcast_ack ack;
        (void)mcast_ack_read(&reader, &ack);
        reader = mcast_reader_over(bytes, length);
        struct mcast_flow flow;
        (void)mcast_flow_read(&reader, &flow);
        struct mcast_open_entry entries[MCAST_OPEN_MOST];
        size_t count;
        (void)mcast_open_read(bytes, length, entries, &count);
        free(bytes);
    }
}

static void small_messages_read_as_they_were_written(void) {
    uint8_t bytes[64];
    struct mcast_ack ack = {.contig = 1000, .low = 3};
    struct mcast_ack ack_read;
    mcast_spans_clear(&ack.above, 4);
    CHECK(mcast_spans_append(&ack.above, 1002, 1005));
    struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
    mcast_ack_write(&writer, &ack);
    struct mcast_reader reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
    CHECK(mcast_ack_read(&reader, &ack_read) && ack_read.contig == 1000 && ack_read.low == 3);
    CHECK(ack_read.above.count == 1 && ack_read.above.at[0].last == 1005);
    for (int pause = 0; pause < 2; pause++) {
        struct mcast_flow flow = {.sender = 9, .group = 70000, .pause = pause != 0};
        struct mcast_flow flow_read;
        writer = mcast_writer_over(bytes, sizeof bytes);
        mcast_flow_write(&writer, &flow);
        reader = mcast_reader_over(bytes, mcast_writer_count(&writer));
        CHECK(mcast_flow_read(&reader, &flow_read) && flow_read.group == 70000);
        CHECK(flow_read.pause == flow.pause);
    }
}

int main(void) {
    RUN(a_header_reads_as_it_was_written);
    RUN(a_header_of_another_kind_is_refused);
    RUN(frames_read_as_they_were_written);
    RUN(a_fragment_must_lie_within_its_message);
    RUN(an_open_lists_views_and_numbers);
    RUN(range_lists_read_as_they_were_written_from_any_base);
    RUN(a_range_up_to_the_largest_number_is_refused);
    RUN(requests_take_the_shorter_of_ranges_and_bitmap);
    RUN(a_request_for_nothing_is_malformed);
    RUN(small_messages_read_as_they_were_written);
    RUN(arbitrary_bytes_do_no_harm);
    return 0;
}
