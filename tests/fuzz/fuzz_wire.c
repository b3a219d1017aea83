/* No validator reads beyond the bytes of a datagram, and what one accepts it accepts again,
 * unchanged, after it was written and read a second time. */
#include "counting_memory.h"
#include "fuzz.h"
#include "wire/ack.h"
#include "wire/flow.h"
#include "wire/frame.h"
#include "wire/header.h"
#include "wire/hybrid.h"
#include "wire/range_list.h"
#include "wire/request.h"
#include "wire/token.h"

enum { ROOM = 1 << 17 };

static uint8_t first[ROOM], second[ROOM];

/* Check that the ranges ascend and do not touch, and that the limit lies above all of them. */
static void check_spans(const struct mcast_spans *spans) {
    for (uint32_t i = 0; i < spans->count; i++) {
        CHECK(spans->at[i].first <= spans->at[i].last);
        CHECK(i == 0 || spans->at[i].first > spans->at[i - 1].last + 1);
    }
}

/* Check that both writers hold the same bytes. */
static void check_same(const struct mcast_writer *one, const struct mcast_writer *other) {
    CHECK(!one->failed && !other->failed);
    CHECK(mcast_writer_count(one) == mcast_writer_count(other));
    CHECK(memcmp(first, second, mcast_writer_count(one)) == 0);
}

static void try_header(const uint8_t *data, size_t size) {
    struct mcast_header header;
    if (mcast_header_read(data, size, &header)) {
        mcast_header_write(first, &header);
        CHECK(memcmp(first, data, MCAST_HEADER_SIZE) == 0);
        CHECK(header.type >= MCAST_WIRE_DATA && header.type < MCAST_WIRE_TYPES);
    }
}

static void try_open(const struct mcast_frame *frame) {
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    size_t count;
    if (mcast_open_read(frame->bytes, frame->length, entries, &count)) {
        CHECK(count <= MCAST_OPEN_MOST);
        struct mcast_writer writer = mcast_writer_over(first, ROOM);
        mcast_open_write(&writer, entries, count);
        CHECK(mcast_writer_count(&writer) == frame->length);
        CHECK(memcmp(first, frame->bytes, frame->length) == 0);
    }
}

static void try_frames(const uint8_t *data, size_t size) {
    struct mcast_reader reader = mcast_reader_over(data, size);
    struct mcast_frame frame;
    while (mcast_reader_left(&reader) > 0 && mcast_frame_read(&reader, &frame)) {
        CHECK(frame.bytes == NULL ||
              (frame.bytes >= data && frame.bytes + frame.length <= data + size));
        if (frame.kind == MCAST_FRAME_FRAGMENT) {
            CHECK(frame.length > 0 && frame.offset + frame.length <= frame.total);
        }
        if (frame.kind == MCAST_FRAME_OPEN) {
            try_open(&frame);
        }
    }
}

/* Ranges may arrive as a bitmap though ranges are shorter, or with a limit below the last of them:
 * what was decoded counts, and it is written one way only. */
static void try_ack(const uint8_t *data, size_t size) {
    struct mcast_reader reader = mcast_reader_over(data, size);
    struct mcast_ack ack;
    if (mcast_ack_read(&reader, &ack)) {
        check_spans(&ack.above);
        struct mcast_writer writer = mcast_writer_over(first, ROOM);
        mcast_ack_write(&writer, &ack);
        struct mcast_reader again = mcast_reader_over(first, mcast_writer_count(&writer));
        CHECK(mcast_ack_read(&again, &ack));
        struct mcast_writer rewriter = mcast_writer_over(second, ROOM);
        mcast_ack_write(&rewriter, &ack);
        check_same(&writer, &rewriter);
    }
}

static void try_flow(const uint8_t *data, size_t size) {
    struct mcast_reader reader = mcast_reader_over(data, size);
    struct mcast_flow flow;
    if (mcast_flow_read(&reader, &flow)) {
        struct mcast_writer writer = mcast_writer_over(first, ROOM);
        mcast_flow_write(&writer, &flow);
        CHECK(mcast_writer_count(&writer) == size && memcmp(first, data, size) == 0);
    }
}

/* A list may arrive as a bitmap though ranges are shorter, so the first rewriting is compared. */
static void try_request(const uint8_t *data, size_t size) {
    struct mcast_reader reader = mcast_reader_over(data, size);
    struct mcast_request request;
    if (!mcast_request_read(&reader, &request)) {
        return;
    }
    check_spans(&request.numbers);
    struct mcast_writer writer = mcast_writer_over(first, ROOM);
    mcast_request_write(&writer, &request);
    struct mcast_reader again = mcast_reader_over(first, mcast_writer_count(&writer));
    CHECK(mcast_request_read(&again, &request) && mcast_reader_done(&again));
    struct mcast_writer rewriter = mcast_writer_over(second, ROOM);
    mcast_request_write(&rewriter, &request);
    check_same(&writer, &rewriter);
}

static void check_own(const struct mcast_own_list *list) {
    CHECK(list->count <= MCAST_OWN_MOST);
    for (uint32_t i = 0; i < list->count; i++) {
        check_spans(&list->at[i].missing);
        CHECK(i == 0 || list->at[i].partition > list->at[i - 1].partition);
    }
}

static void try_record(struct mcast_reader *reader) {
    struct mcast_record record;
    if (!mcast_record_read(reader, &record)) {
        return;
    }
    check_spans(&record.owned);
    check_spans(&record.all);
    check_spans(&record.prev);
    check_spans(&record.skip);
    check_own(&record.last);
    check_own(&record.own);
    struct mcast_writer writer = mcast_writer_over(first, ROOM);
    mcast_record_write(&writer, &record);
    struct mcast_reader again = mcast_reader_over(first, mcast_writer_count(&writer));
    CHECK(mcast_record_read(&again, &record) && mcast_reader_done(&again));
    struct mcast_writer rewriter = mcast_writer_over(second, ROOM);
    mcast_record_write(&rewriter, &record);
    check_same(&writer, &rewriter);
}

static void try_token(const uint8_t *data, size_t size) {
    struct mcast_reader reader = mcast_reader_over(data, size);
    struct mcast_token_head head;
    if (!mcast_token_head_read(&reader, &head)) {
        return;
    }
    for (uint32_t i = 0; i < head.records && !reader.failed && mcast_reader_left(&reader) > 0;
         i++) {
        try_record(&reader);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const tries[])(const uint8_t *, size_t) = {try_header, try_frames,  try_ack,
                                                             try_flow,   try_request, try_token};
    if (size == 0 || size > ROOM / 4) {
        return 0;
    }
    tries[data[0] % (sizeof tries / sizeof *tries)](data + 1, size - 1);
    return 0;
}

/* ---- inputs worth mutating ---- */

static void random_spans(uint64_t *seed, struct mcast_spans *spans) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t at = 1 + test_random(seed) % 100;
    for (uint64_t i = test_random(seed) % 8; i > 0; i--) {
        uint64_t last = at + test_random(seed) % 5;
        (void)mcast_spans_append(spans, at, last);
        at = last + 2 + test_random(seed) % 40;
    }
}

static void write_token(uint64_t *seed, struct mcast_writer *writer) {
    struct mcast_token_head head = {.round = test_random(seed) % 1000 << 8,
                                    .stage = (uint8_t)(test_random(seed) % 4),
                                    .records = 1 + (uint32_t)(test_random(seed) % 3)};
    mcast_token_head_write(writer, &head);
    for (uint32_t i = 0; i < head.records; i++) {
        struct mcast_record record;
        mcast_record_clear(&record);
        record.sender = i + 1;
        record.flags = (uint32_t)test_random(seed) % MCAST_RECORD_FLAGS;
        record.purge = test_random(seed) % 100;
        record.cut = record.purge + test_random(seed) % 100;
        record.before = record.cut;
        record.hi = record.cut + test_random(seed) % 100;
        record.contig = record.purge;
        random_spans(seed, &record.owned);
        random_spans(seed, &record.prev);
        random_spans(seed, &record.wanted);
        random_spans(seed, &record.skip);
        record.own.known = UINT32_MAX;
        record.own.count = 1;
        random_spans(seed, &record.own.at[0].missing);
        mcast_record_write(writer, &record);
    }
}

static void write_frames(uint64_t *seed, struct mcast_writer *writer) {
    static const uint8_t payload[64];
    struct mcast_frame frame = {.kind = (enum mcast_frame_kind)(test_random(seed) % 5),
                                .group = (uint32_t)test_random(seed) % 300,
                                .number = test_random(seed) % 1000,
                                .offset = 64,
                                .total = 200,
                                .length = 64};
    if (frame.kind == MCAST_FRAME_OPEN) {
        uint8_t list[128];
        struct mcast_open_entry entries[2] = {{5, 10}, {6, test_random(seed) % 300}};
        struct mcast_writer inner = mcast_writer_over(list, sizeof list);
        mcast_open_write(&inner, entries, 2);
        frame.length = (uint32_t)mcast_writer_count(&inner);
        mcast_frame_write_head(writer, &frame);
        mcast_write_bytes(writer, list, frame.length);
        return;
    }
    mcast_frame_write_head(writer, &frame);
    if (frame.kind == MCAST_FRAME_MESSAGE || frame.kind == MCAST_FRAME_FRAGMENT) {
        mcast_write_bytes(writer, payload, sizeof payload);
    }
}

static void write_some(uint64_t *seed, uint8_t which, struct mcast_writer *writer) {
    struct mcast_header header = {.type = (uint8_t)(1 + test_random(seed) % 9), .sender = 3};
    struct mcast_ack ack = {.sender = 2, .contig = test_random(seed) % 500};
    struct mcast_flow flow = {.sender = 2, .group = 3, .pause = true};
    struct mcast_request request = {.kind = (uint8_t)(test_random(seed) % 4), .origin = 9};
    uint8_t bytes[MCAST_HEADER_SIZE + 16] = {0};
    switch (which) {
    case 0:
        mcast_header_write(bytes, &header);
        mcast_write_bytes(writer, bytes, sizeof bytes);
        break;
    case 1:
        write_frames(seed, writer);
        write_frames(seed, writer);
        break;
    case 2:
        random_spans(seed, &ack.above);
        mcast_ack_write(writer, &ack);
        break;
    case 3:
        mcast_flow_write(writer, &flow);
        break;
    case 4:
        random_spans(seed, &request.numbers);
        mcast_request_write(writer, &request);
        break;
    default:
        write_token(seed, writer);
        break;
    }
}

size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room) {
    struct mcast_writer writer = mcast_writer_over(bytes, room);
    uint8_t which = (uint8_t)(test_random(seed) % 6);
    mcast_write_u8(&writer, which);
    write_some(seed, which, &writer);
    return writer.failed ? 1 : mcast_writer_count(&writer);
}
