#include "check.h"
#include "counting_memory.h"
#include "wire/range_list.h"
#include "wire/token.h"

static struct mcast_record record;
static struct mcast_record back;

static bool round_trip(uint8_t *bytes, size_t room, size_t *length) {
    struct mcast_writer writer = mcast_writer_over(bytes, room);
    mcast_record_write(&writer, &record);
    if (writer.failed) {
        return false;
    }
    *length = mcast_writer_count(&writer);
    struct mcast_reader reader = mcast_reader_over(bytes, *length);
    return mcast_record_read(&reader, &back) && mcast_reader_done(&reader);
}

static bool same(const struct mcast_spans *one, const struct mcast_spans *other) {
    return one->limit == other->limit && one->count == other->count &&
           memcmp(one->at, other->at, one->count * sizeof *one->at) == 0;
}

static void a_record_without_holes_takes_few_bytes(void) {
    uint8_t bytes[2048];
    size_t length = 0;
    mcast_record_clear(&record);
    record.sender = 9999;
    record.purge = UINT64_C(5000000000);
    record.cut = record.purge + 60000;
    record.before = record.cut - 4000;
    record.hi = record.cut + 8000;
    record.contig = record.cut;
    record.low = 199;
    CHECK(round_trip(bytes, sizeof bytes, &length));
    CHECK(length <= 48);
    CHECK(back.sender == 9999 && back.purge == record.purge && back.cut == record.cut);
    CHECK(back.hi == record.hi && back.contig == record.contig && back.before == record.before);
    CHECK(back.low == 199 && back.owned.count == 0 && back.owned.limit == UINT64_MAX);
}

static void each_quiet_partition_costs_nothing(void) {
    uint8_t bytes[2048];
    size_t without = 0;
    size_t with = 0;
    mcast_record_clear(&record);
    record.sender = 1;
    record.flags = MCAST_RECORD_OWN;
    CHECK(round_trip(bytes, sizeof bytes, &without));
    record.own.count = 1;
    record.own.at[0].partition = 30;
    mcast_spans_clear(&record.own.at[0].missing, MCAST_SPANS_MOST);
    CHECK(mcast_spans_append(&record.own.at[0].missing, 3, 3));
    CHECK(round_trip(bytes, sizeof bytes, &with));
    CHECK(with - without <= 5);
    CHECK(mcast_own_find(&back.own, 30) != NULL && mcast_own_find(&back.own, 29) == NULL);
}

static void fill(struct mcast_spans *spans, uint64_t *seed, uint64_t base) {
    mcast_spans_clear(spans, MCAST_SPANS_MOST);
    uint64_t at = base;
    uint64_t count = test_random(seed) % 40;
    for (uint64_t i = 0; i < count; i++) {
        at += 2 + test_random(seed) % 50;
        (void)mcast_spans_append(spans, at, at + test_random(seed) % 20);
        at += 20;
    }
}

static void every_list_reads_as_it_was_written(void) {
    static uint8_t bytes[65536];
    uint64_t seed = 5;
    for (int run = 0; run < 500; run++) {
        mcast_record_clear(&record);
        record.sender = 4;
        record.flags = (uint32_t)(test_random(&seed) % MCAST_RECORD_FLAGS);
        record.purge = test_random(&seed) / 2;
        record.cut = record.purge + 1000;
        struct mcast_spans *lists[] = {&record.owned,   &record.all,  &record.prev,
                                       &record.pulled,  &record.want, &record.wanted,
                                       &record.lacking, &record.skip, &record.gaps};
        for (size_t i = 0; i < 9; i++) {
            fill(lists[i], &seed, record.purge);
        }
        record.own.known = 7;
        record.own.count = MCAST_OWN_MOST;
        for (uint32_t i = 0; i < MCAST_OWN_MOST; i++) {
            record.own.at[i].partition = 3 * i;
            fill(&record.own.at[i].missing, &seed, record.purge);
        }
        size_t length = 0;
        CHECK(round_trip(bytes, sizeof bytes, &length));
        bool holes = (record.flags & MCAST_RECORD_HOLES) != 0;
        bool dead = (record.flags & MCAST_RECORD_DEAD) != 0;
        CHECK(!holes || (same(&back.owned, &record.owned) && same(&back.pulled, &record.pulled)));
        CHECK(holes || back.prev.count == 0);
        CHECK(!dead || (same(&back.want, &record.want) && same(&back.lacking, &record.lacking)));
        bool gaps = (record.flags & MCAST_RECORD_GAPS) != 0;
        CHECK(gaps ? same(&back.gaps, &record.gaps) : back.gaps.count == 0);
        if ((record.flags & MCAST_RECORD_OWN) != 0) {
            CHECK(back.own.known == 7 && back.own.count == MCAST_OWN_MOST);
            CHECK(same(&back.own.at[5].missing, &record.own.at[5].missing));
            CHECK(back.last.known == UINT32_MAX);
        }
    }
}

static void a_shortened_record_makes_no_false_statement(void) {
    mcast_record_clear(&record);
    record.sender = 4;
    for (uint64_t i = 0; i < 20; i++) {
        CHECK(mcast_spans_append(&record.prev, 10 * i, 10 * i + 2));
    }
    mcast_record_shorten(&record, 4);
    CHECK(record.prev.count == 4 && record.prev.limit == 39);
    CHECK(mcast_spans_exclude(&record.prev, 35) && !mcast_spans_exclude(&record.prev, 45));
}

static void a_token_head_is_checked(void) {
    uint8_t bytes[MCAST_TOKEN_HEAD_SIZE];
    struct mcast_token_head head = {.round = MCAST_ROUND(3, 7, 2),
                                    .stage = MCAST_STAGE_HOME,
                                    .flags = MCAST_TOKEN_LAST,
                                    .records = 500,
                                    .asked = 100000};
    struct mcast_token_head read;
    struct mcast_writer writer = mcast_writer_over(bytes, sizeof bytes);
    mcast_token_head_write(&writer, &head);
    CHECK(!writer.failed && mcast_writer_count(&writer) == MCAST_TOKEN_HEAD_SIZE);
    struct mcast_reader reader = mcast_reader_over(bytes, sizeof bytes);
    CHECK(mcast_token_head_read(&reader, &read) && read.records == 500);
    CHECK(read.round == head.round && MCAST_ROUND_PART(read.round) == 2 && read.asked == 65535);
    bytes[8] = MCAST_STAGE_HOME + 1;
    reader = mcast_reader_over(bytes, sizeof bytes);
    CHECK(!mcast_token_head_read(&reader, &read));
    bytes[8] = 0;
    bytes[9] = 32;
    reader = mcast_reader_over(bytes, sizeof bytes);
    CHECK(!mcast_token_head_read(&reader, &read));
}

static void rounds_of_a_later_leader_are_above_those_of_an_earlier(void) {
    CHECK(MCAST_ROUND_SET(MCAST_ROUND(1, 1, 0)) > MCAST_ROUND_SET(MCAST_ROUND(0, 4000000, 9)));
    CHECK(MCAST_ROUND_SET(MCAST_ROUND(0, 2, 0)) > MCAST_ROUND_SET(MCAST_ROUND(0, 1, 63)));
    CHECK(MCAST_ROUND_SET(MCAST_ROUND(0, 2, 0)) == MCAST_ROUND_SET(MCAST_ROUND(0, 2, 63)));
}

static void arbitrary_bytes_do_no_harm(void) {
    uint64_t seed = 13;
    for (int run = 0; run < 50000; run++) {
        size_t length = 1 + test_random(&seed) % 100;
        uint8_t *bytes = malloc(length);
        for (size_t i = 0; i < length; i++) {
            bytes[i] = (uint8_t)(test_random(&seed) % 2 == 0 ? test_random(&seed) % 8
                                                             : test_random(&seed));
        }
        struct mcast_reader reader = mcast_reader_over(bytes, length);
        if (mcast_record_read(&reader, &back)) {
            CHECK(back.own.count <= MCAST_OWN_MOST && back.owned.count <= MCAST_SPANS_MOST);
        }
        free(bytes);
    }
}

int main(void) {
    RUN(a_record_without_holes_takes_few_bytes);
    RUN(each_quiet_partition_costs_nothing);
    RUN(every_list_reads_as_it_was_written);
    RUN(a_shortened_record_makes_no_false_statement);
    RUN(a_token_head_is_checked);
    RUN(rounds_of_a_later_leader_are_above_those_of_an_earlier);
    RUN(arbitrary_bytes_do_no_harm);
    return 0;
}
