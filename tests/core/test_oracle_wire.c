/* The judges of the wire against datagrams written by hand, byte by byte, from docs/wire.md. */
#include "check.h"
#include "oracle_wire.h"

#include <string.h>

enum { DATA = 1, REPAIR, TOKEN, ACK, HIGH_WATER, REQUEST };
enum { VIEW = 9, FIRST_NAME = 11, MEMBERS = 3, SECOND = 1000000000 };
enum { HOLES = 32, SKIP = 128, SKIP_NOW = 256 };

/* A datagram being written. */
struct pen {
    uint8_t bytes[512];
    size_t length;
};

static void number(struct pen *pen, uint64_t value, int size) {
    for (int i = size - 1; i >= 0; i--) {
        pen->bytes[pen->length++] = (uint8_t)(value >> (8 * i));
    }
}

static void varint(struct pen *pen, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        number(pen, (value & 0x7f) | 0x80, 1);
    }
    number(pen, value, 1);
}

static void delta(struct pen *pen, uint64_t base, uint64_t value) {
    int64_t step = (int64_t)(value - base);
    varint(pen, step < 0 ? ((uint64_t)-step << 1) - 1 : (uint64_t)step << 1);
}

static struct pen header(int type, uint32_t sender) {
    struct pen pen = {.length = 0};
    number(&pen, 1, 1);
    number(&pen, (uint64_t)type, 1);
    number(&pen, 0, 6);
    number(&pen, sender, 4);
    number(&pen, 0, 4);
    number(&pen, 0, 8);
    number(&pen, VIEW, 8);
    return pen;
}

/* Three members, actors 1 to 3 with the short names 11 to 13, in one view. */
struct bench {
    struct oracle *oracle;
    struct oracle_wire *wire;
};

static void finish(struct pen *pen) {
    memset(pen->bytes + pen->length, 0, 16);
    pen->length += 16;
}

static struct pen prepare(void) {
    struct pen pen = {.length = 0};
    number(&pen, 1, 1);
    number(&pen, 34, 1);
    varint(&pen, 5);
    varint(&pen, MEMBERS);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        varint(&pen, FIRST_NAME + i);
        number(&pen, 0, 8);
        number(&pen, 100 + i, 8);
        varint(&pen, 7);
        for (int octet = 0; octet < 22; octet++) {
            number(&pen, 0, 1);
        }
    }
    varint(&pen, 1);
    varint(&pen, VIEW);
    varint(&pen, 1);
    varint(&pen, 0);
    for (int octet = 0; octet < 22; octet++) {
        number(&pen, 0, 1);
    }
    varint(&pen, 0);
    varint(&pen, MEMBERS);
    varint(&pen, FIRST_NAME);
    varint(&pen, 1);
    varint(&pen, 1);
    return pen;
}

static void start(struct bench *bench, bool calm, bool adaptive) {
    struct oracle_rules rules = {
        .calm = calm, .adaptive = adaptive, .partition_size = 5, .owner_block = 1};
    bench->oracle = oracle_new();
    bench->wire = oracle_wire_new(bench->oracle, &rules);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        CHECK(oracle_start(bench->oracle, i) == i + 1);
        oracle_wire_actor(bench->wire, i + 1, 100 + i, 7);
    }
    struct pen pen = prepare();
    oracle_wire_service(bench->wire, pen.bytes, pen.length, 0);
    CHECK(oracle_wire_counts(bench->wire).views == 1);
}

static void end(struct bench *bench, enum oracle_id id, uint64_t broken) {
    CHECK(oracle_broken(bench->oracle, id) == broken);
    CHECK(oracle_broken_total(bench->oracle) == broken);
    oracle_wire_free(bench->wire);
    oracle_free(bench->oracle);
}

static void send(struct bench *bench, uint32_t actor, uint32_t to, struct pen pen, uint64_t now) {
    (void)to;
    finish(&pen);
    oracle_wire_sent(bench->wire, actor, pen.bytes, pen.length, now);
}

static struct pen data(uint64_t which) {
    struct pen pen = header(DATA, FIRST_NAME);
    number(&pen, which, 8);
    number(&pen, 4, 1);
    return pen;
}

static void send_data(struct bench *bench, uint64_t which) {
    send(bench, 1, 0, data(which), 10);
}

static void read_data(struct bench *bench, uint32_t actor, uint64_t which) {
    struct pen pen = data(which);
    finish(&pen);
    oracle_wire_read(bench->wire, actor, pen.bytes, pen.length, 20);
}

static struct pen repair(uint64_t which) {
    struct pen pen = header(REPAIR, FIRST_NAME + 1);
    number(&pen, FIRST_NAME, 4);
    number(&pen, which, 8);
    number(&pen, 4, 1);
    return pen;
}

static struct pen token(uint64_t round, uint64_t purge, uint64_t cut, uint64_t flags) {
    struct pen pen = header(TOKEN, FIRST_NAME + 2);
    number(&pen, round << 8, 8);
    number(&pen, 0, 2);
    number(&pen, 1, 2);
    number(&pen, 0, 2);
    varint(&pen, FIRST_NAME);
    varint(&pen, flags);
    varint(&pen, purge);
    delta(&pen, purge, cut);
    delta(&pen, cut, cut);
    delta(&pen, cut, cut + 2);
    delta(&pen, cut, purge);
    varint(&pen, 0);
    for (int list = 0; (flags & HOLES) != 0 && list < 4; list++) {
        varint(&pen, 1 << 1);
        delta(&pen, purge, purge + 3);
        varint(&pen, 1);
    }
    return pen;
}

static void a_clean_course_breaks_nothing(void) {
    struct bench bench;
    start(&bench, true, true);
    for (uint64_t n = 1; n <= 5; n++) {
        send_data(&bench, n);
        read_data(&bench, 2, n);
        read_data(&bench, 3, n);
    }
    send(&bench, 3, 1, token(1, 0, 5, 0), 30);
    send(&bench, 3, 1, token(2, 5, 5, HOLES), 40);
    CHECK(oracle_applied(bench.oracle, ORACLE_PURGE) == 1);
    CHECK(oracle_wire_counts(bench.wire).rounds == 2);
    end(&bench, ORACLE_PURGE, 0);
}

static void purging_what_a_member_lacks_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    for (uint64_t n = 1; n <= 5; n++) {
        send_data(&bench, n);
        read_data(&bench, 2, n);
        if (n != 3) {
            read_data(&bench, 3, n);
        }
    }
    send(&bench, 3, 1, token(1, 2, 5, 0), 30);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    send(&bench, 3, 1, token(2, 3, 5, 0), 40);
    end(&bench, ORACLE_PURGE, 1);
}

static void a_repaired_number_may_be_purged(void) {
    struct bench bench;
    start(&bench, false, true);
    send_data(&bench, 1);
    read_data(&bench, 2, 1);
    struct pen pen = repair(1);
    send(&bench, 2, 3, pen, 25);
    finish(&pen);
    oracle_wire_read(bench.wire, 3, pen.bytes, pen.length, 28);
    send(&bench, 3, 1, token(1, 1, 1, 0), 30);
    CHECK(oracle_wire_counts(bench.wire).repairers == 1);
    end(&bench, ORACLE_PURGE, 0);
}

static void acknowledging_what_a_member_lacks_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    send_data(&bench, 1);
    read_data(&bench, 2, 1);
    struct pen pen = header(ACK, FIRST_NAME + 1);
    varint(&pen, FIRST_NAME);
    varint(&pen, 1);
    varint(&pen, 0);
    varint(&pen, 0);
    send(&bench, 2, 1, pen, 30);
    end(&bench, ORACLE_PURGE, 1);
}

static void the_dead_hold_nothing_back(void) {
    struct bench bench;
    start(&bench, false, true);
    send_data(&bench, 1);
    read_data(&bench, 2, 1);
    oracle_end(bench.oracle, 3);
    send(&bench, 2, 1, token(1, 1, 1, 0), 30);
    end(&bench, ORACLE_PURGE, 0);
}

static struct pen request(uint64_t first, uint64_t length) {
    struct pen pen = header(REQUEST, FIRST_NAME + 2);
    number(&pen, 0, 1);
    number(&pen, FIRST_NAME, 4);
    varint(&pen, first);
    varint(&pen, 1 << 1);
    delta(&pen, first, first);
    varint(&pen, length - 1);
    return pen;
}

static void asking_above_the_cut_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    send(&bench, 3, 1, token(1, 0, 5, 0), 30);
    send(&bench, 3, 2, request(2, 4), 40);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    CHECK(oracle_applied(bench.oracle, ORACLE_CUT) == 1);
    send(&bench, 3, 2, request(2, 5), 50);
    end(&bench, ORACLE_CUT, 1);
}

static void asking_above_the_cut_by_bitmap_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    send(&bench, 3, 1, token(1, 0, 5, 0), 30);
    struct pen pen = header(REQUEST, FIRST_NAME + 2);
    number(&pen, 0x80, 1);
    number(&pen, FIRST_NAME, 4);
    varint(&pen, 2);
    varint(&pen, 1);
    number(&pen, 0x11, 1); /* 2 and 6 */
    send(&bench, 3, 2, pen, 40);
    end(&bench, ORACLE_CUT, 1);
}

static void repairing_what_was_never_lost_is_seen(void) {
    struct bench bench;
    start(&bench, true, true);
    send_data(&bench, 1);
    send(&bench, 2, 3, repair(1), 25);
    end(&bench, ORACLE_CUT, 1);
}

static void a_record_that_outlives_its_sender_is_seen(void) {
    struct bench bench;
    start(&bench, true, true);
    send_data(&bench, 1);
    for (uint64_t round = 1; round <= 6; round++) {
        send(&bench, 3, 1, token(round, 0, 1, 0), 30);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    send(&bench, 3, 1, token(7, 0, 1, 0), 30);
    end(&bench, ORACLE_TOKEN, 1);
}

static struct pen skip(uint64_t first, uint64_t last) {
    struct pen pen = token(3, 0, 5, SKIP | SKIP_NOW);
    varint(&pen, 1 << 1);
    delta(&pen, 0, first);
    varint(&pen, last - first);
    return pen;
}

static void skipping_what_nobody_has_is_lawful(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    read_data(&bench, 3, 1);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    CHECK(oracle_wire_counts(bench.wire).skipped == 3);
    end(&bench, ORACLE_PURGE, 0);
}

static void skipping_what_somebody_has_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    read_data(&bench, 3, 3);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    end(&bench, ORACLE_PURGE, 1);
}

static void too_much_control_in_a_second_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    for (uint64_t i = 0; i < 1000; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * 1000000);
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), SECOND + 1);
    end(&bench, ORACLE_CONTROL, 1);
}

static void bytes_that_do_not_read_are_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    struct pen pen = token(1, 0, 5, 0);
    number(&pen, 0, 1);
    send(&bench, 3, 1, pen, 30);
    pen = header(DATA, 0);
    send(&bench, 3, 1, pen, 30);
    pen = header(60, FIRST_NAME);
    send(&bench, 3, 1, pen, 30);
    oracle_wire_sent(bench.wire, 3, pen.bytes, 3, 30);
    end(&bench, ORACLE_WIRE, 4);
}

int main(void) {
    RUN(a_clean_course_breaks_nothing);
    RUN(purging_what_a_member_lacks_is_seen);
    RUN(a_repaired_number_may_be_purged);
    RUN(acknowledging_what_a_member_lacks_is_seen);
    RUN(the_dead_hold_nothing_back);
    RUN(asking_above_the_cut_is_seen);
    RUN(asking_above_the_cut_by_bitmap_is_seen);
    RUN(repairing_what_was_never_lost_is_seen);
    RUN(a_record_that_outlives_its_sender_is_seen);
    RUN(skipping_what_nobody_has_is_lawful);
    RUN(skipping_what_somebody_has_is_seen);
    RUN(too_much_control_in_a_second_is_seen);
    RUN(bytes_that_do_not_read_are_seen);
    return 0;
}
