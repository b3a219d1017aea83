#include "service_samples.h"

#include "mcast/error.h"

struct bytes {
    uint8_t *at;
    size_t length;
    size_t room;
};

static void encode(const struct mcast_service_message *message, const struct mcast_alloc *alloc,
                   struct bytes *bytes) {
    CHECK(mcast_service_message_encode(message, alloc, &bytes->at, &bytes->length, &bytes->room) ==
          MCAST_OK);
}

static void bytes_free(struct bytes *bytes, const struct mcast_alloc *alloc) {
    mcast_memory_free(alloc, bytes->at, bytes->room, 1);
    *bytes = (struct bytes){.at = NULL};
}

/* Decode @bytes; if they are a message, encoding it must give the same bytes. */
static bool is_canonical_or_refused(const uint8_t *bytes, size_t length,
                                    const struct mcast_alloc *alloc) {
    struct mcast_service_message message;
    int code = mcast_service_message_decode(bytes, length, alloc, &message);
    if (code != MCAST_OK) {
        CHECK(code == MCAST_EMALFORMED);
        return false;
    }
    struct bytes again = {.at = NULL};
    encode(&message, alloc, &again);
    CHECK(again.length == length && memcmp(again.at, bytes, length) == 0);
    bytes_free(&again, alloc);
    mcast_service_message_free(alloc, &message);
    return true;
}

static void every_message_reads_as_it_was_written(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = 1, .alloc = &memory.alloc};
    for (int round = 0; round < 100; round++) {
        for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
            struct mcast_service_message message = sample_message(&from, sample_kinds[kind]);
            struct bytes bytes = {.at = NULL};
            encode(&message, &memory.alloc, &bytes);
            CHECK(bytes.at[1] == sample_kinds[kind]);
            CHECK(is_canonical_or_refused(bytes.at, bytes.length, &memory.alloc));
            bytes_free(&bytes, &memory.alloc);
            mcast_service_message_free(&memory.alloc, &message);
        }
    }
    CHECK(memory.out == 0);
}

static void the_fields_of_a_message_read_as_written(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    mcast_node members[] = {3, 9, 400};
    mcast_node gone[] = {77};
    mcast_view parents[] = {MCAST_EPOCH(2, 5), MCAST_EPOCH(2, 9)};
    struct mcast_sm_view view = {.view = MCAST_EPOCH(3, 1),
                                 .region = 7,
                                 .hierarchy = 2,
                                 .address = {.ip = {239, 1}, .port = {1, 2, 65535}},
                                 .parents = parents,
                                 .parent_count = 2,
                                 .base = MCAST_EPOCH(2, 9),
                                 .gone = gone,
                                 .gone_count = 1,
                                 .members = members,
                                 .member_count = 3};
    struct mcast_sm_group_run runs[] = {{1, 8192, 4, MCAST_EPOCH(3, 9)}, {9000, 1, 0, 8}};
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = MCAST_EPOCH(3, 9);
    message.as.prepare.update.views = &view;
    message.as.prepare.update.view_count = 1;
    message.as.prepare.update.runs = runs;
    message.as.prepare.update.run_count = 2;
    struct bytes bytes = {.at = NULL};
    encode(&message, &memory.alloc, &bytes);
    struct mcast_service_message read;
    CHECK(mcast_service_message_decode(bytes.at, bytes.length, &memory.alloc, &read) == MCAST_OK);
    const struct mcast_sm_update *update = &read.as.prepare.update;
    CHECK(read.kind == MCAST_SM_PREPARE && read.as.prepare.epoch == MCAST_EPOCH(3, 9));
    CHECK(update->view_count == 1 && update->run_count == 2 && update->node_count == 0);
    CHECK(update->views[0].view == view.view && update->views[0].region == 7);
    CHECK(update->views[0].hierarchy == 2 && update->views[0].address.port[2] == 65535);
    CHECK(update->views[0].parent_count == 2 && update->views[0].parents[1] == parents[1]);
    CHECK(update->views[0].base == view.base && update->views[0].gone_count == 1);
    CHECK(update->views[0].gone[0] == 77);
    CHECK(update->views[0].member_count == 3 && update->views[0].members[2] == 400);
    CHECK(update->runs[0].first == 1 && update->runs[0].count == 8192);
    CHECK(update->runs[1].first == 9000 && update->runs[1].class_number == 0);
    CHECK(update->runs[1].view_number == 8);
    mcast_service_message_free(&memory.alloc, &read);
    bytes_free(&bytes, &memory.alloc);
    CHECK(memory.out == 0);
}

/* The views of a report have no base to differ from. */
static void a_report_has_whole_member_lists(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    mcast_node members[] = {3, 9};
    struct mcast_sm_view view = {.view = 9, .region = 7, .members = members, .member_count = 2};
    struct mcast_service_message message = {.kind = MCAST_SM_REPORT};
    for (int where = 0; where < 2; where++) {
        struct mcast_sm_report *report = &message.as.report;
        *report = (struct mcast_sm_report){.epoch = 1};
        *(where == 0 ? &report->views : &report->prepared) = &view;
        *(where == 0 ? &report->view_count : &report->prepared_count) = 1;
        for (view.base = 0; view.base < 2; view.base++) {
            struct bytes bytes = {.at = NULL};
            struct mcast_service_message read;
            encode(&message, &memory.alloc, &bytes);
            int code = mcast_service_message_decode(bytes.at, bytes.length, &memory.alloc, &read);
            CHECK(code == (view.base == 0 ? MCAST_OK : MCAST_EMALFORMED));
            mcast_service_message_free(&memory.alloc, &read);
            bytes_free(&bytes, &memory.alloc);
        }
    }
    CHECK(memory.out == 0);
}

static void thousands_of_groups_in_a_row_take_a_few_bytes(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_sm_group_run run = {1, 8192, 1, 12};
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = 12;
    message.as.prepare.update.runs = &run;
    message.as.prepare.update.run_count = 1;
    struct bytes bytes = {.at = NULL};
    encode(&message, &memory.alloc, &bytes);
    CHECK(bytes.length <= 16);
    bytes_free(&bytes, &memory.alloc);
}

static void messages_can_be_appended_to_one_buffer(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct bytes bytes = {.at = NULL};
    size_t ends[300];
    for (uint64_t i = 0; i < 300; i++) {
        struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
        message.as.commit.epoch = i + 1;
        encode(&message, &memory.alloc, &bytes);
        ends[i] = bytes.length;
    }
    for (uint64_t i = 0; i < 300; i++) {
        size_t begin = i == 0 ? 0 : ends[i - 1];
        struct mcast_service_message message;
        CHECK(mcast_service_message_decode(bytes.at + begin, ends[i] - begin, &memory.alloc,
                                           &message) == MCAST_OK);
        CHECK(message.as.commit.epoch == i + 1);
    }
    bytes_free(&bytes, &memory.alloc);
    CHECK(memory.out == 0);
}

static void a_truncated_message_is_refused(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = 2, .alloc = &memory.alloc};
    for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
        struct mcast_service_message message = sample_message(&from, sample_kinds[kind]);
        struct bytes bytes = {.at = NULL};
        encode(&message, &memory.alloc, &bytes);
        for (size_t length = 0; length < bytes.length; length++) {
            CHECK(!is_canonical_or_refused(bytes.at, length, &memory.alloc));
        }
        bytes_free(&bytes, &memory.alloc);
        mcast_service_message_free(&memory.alloc, &message);
    }
    CHECK(memory.out == 0);
}

static void changed_bytes_are_refused_or_mean_something_else(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = 3, .alloc = &memory.alloc};
    for (int round = 0; round < 20; round++) {
        for (size_t kind = 0; kind < SAMPLE_KINDS; kind++) {
            struct mcast_service_message message = sample_message(&from, sample_kinds[kind]);
            struct bytes bytes = {.at = NULL};
            encode(&message, &memory.alloc, &bytes);
            for (size_t at = 0; at < bytes.length; at++) {
                uint8_t was = bytes.at[at];
                bytes.at[at] = (uint8_t)test_random(&from.seed);
                (void)is_canonical_or_refused(bytes.at, bytes.length, &memory.alloc);
                bytes.at[at] = was;
            }
            bytes_free(&bytes, &memory.alloc);
            mcast_service_message_free(&memory.alloc, &message);
        }
    }
    CHECK(memory.out == 0);
}

static bool reads(const void *bytes, size_t length) {
    struct test_memory memory;
    test_memory_init(&memory);
    bool is = is_canonical_or_refused(bytes, length, &memory.alloc);
    CHECK(memory.out == 0);
    return is;
}

static void invalid_messages_are_refused(void) {
    CHECK(reads("\x01\x22\x05\x00\x00\x00\x00\x00\x00\x00", 10));
    CHECK(!reads("\x02\x22\x05\x00\x00\x00\x00\x00\x00\x00", 10));     /* another version */
    CHECK(!reads("\x01\x63\x05\x00\x00\x00\x00\x00\x00\x00", 10));     /* no such kind */
    CHECK(!reads("\x01\x22\x00\x00\x00\x00\x00\x00\x00\x00", 10));     /* no epoch */
    CHECK(!reads("\x01\x22\x05\x00\x00\x00\x00\x00\x00\x00\x00", 11)); /* trailing bytes */
    CHECK(!reads("\x01\x22\x05\x00\x00\x00\x00\x00\x01\x00\x00", 11)); /* a nameless dead node */
    CHECK(!reads("\x01\x22\x05\x00\x00\x00\x00\x02\x05\x00\x00\x00", 12)); /* a view twice */
    CHECK(reads("\x01\x22\x05\x00\x00\x00\x01\x02\x01\x01\x00\x00\x00\x00", 14));
    CHECK(!reads("\x01\x22\x05\x00\x00\x00\x01\x00\x01\x01\x00\x00\x00\x00", 14)); /* group 0 */
    CHECK(
        !reads("\x01\x22\x05\x00\x00\x00\x01\x02\x00\x01\x00\x00\x00\x00", 14)); /* an empty run */
}

/* A PREPARE with two groups that have an address; @step is the distance of the second, @flag is
 * true if the reader listens. */
static bool reads_addresses(uint8_t step, uint8_t flag) {
    uint8_t bytes[10 + 2 * 24] = {1, 0x22, 5, 0, 0, 0, 0, 0, 0, 2, 7};
    bytes[10 + 23] = 1;
    bytes[10 + 24] = step;
    bytes[10 + 47] = flag;
    return reads(bytes, sizeof bytes);
}

static void addresses_of_groups_are_listed_once_each(void) {
    CHECK(reads_addresses(1, 0) && reads_addresses(5, 1));
    CHECK(!reads_addresses(0, 0)); /* the same group again */
    CHECK(!reads_addresses(1, 2)); /* neither yes nor no */
}

static void without_memory_decoding_keeps_nothing(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = 4, .alloc = &memory.alloc};
    struct mcast_service_message message = sample_message(&from, MCAST_SM_PREPARE);
    struct bytes bytes = {.at = NULL};
    encode(&message, &memory.alloc, &bytes);
    size_t out = memory.out;
    bool done = false;
    for (size_t refuse = 1; !done; refuse++) {
        struct mcast_service_message read;
        memory.calls = 0;
        memory.refuse = refuse;
        memory.refused = false;
        int code = mcast_service_message_decode(bytes.at, bytes.length, &memory.alloc, &read);
        done = !memory.refused;
        CHECK(code == (done ? MCAST_OK : MCAST_ENOMEM));
        if (done) {
            mcast_service_message_free(&memory.alloc, &read);
        }
        CHECK(memory.out == out);
    }
    bytes_free(&bytes, &memory.alloc);
    mcast_service_message_free(&memory.alloc, &message);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(every_message_reads_as_it_was_written);
    RUN(the_fields_of_a_message_read_as_written);
    RUN(a_report_has_whole_member_lists);
    RUN(thousands_of_groups_in_a_row_take_a_few_bytes);
    RUN(messages_can_be_appended_to_one_buffer);
    RUN(a_truncated_message_is_refused);
    RUN(changed_bytes_are_refused_or_mean_something_else);
    RUN(invalid_messages_are_refused);
    RUN(addresses_of_groups_are_listed_once_each);
    RUN(without_memory_decoding_keeps_nothing);
    return 0;
}
