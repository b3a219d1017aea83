/* The judges of the wire against datagrams written by hand, byte by byte, from docs/wire.md. */
#include "check.h"
#include "oracle_wire.h"

#include <string.h>

enum { DATA = 1, REPAIR, TOKEN, ACK, HIGH_WATER, REQUEST, HYBRID = 10 };
enum { VIEW = 9, FIRST_NAME = 11, MEMBERS = 3, SECOND = 1000000000 };
enum { HOLES = 32, SKIP = 128, SKIP_NOW = 256, LAST = 1, ALONE = 2, HOME = 3 };

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

/* The beginning of a PREPARE with the view @number, up to its members. */
static struct pen prepare_to(uint64_t number_of_view) {
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
    varint(&pen, number_of_view);
    varint(&pen, 1);
    varint(&pen, 0);
    for (int octet = 0; octet < 22; octet++) {
        number(&pen, 0, 1);
    }
    varint(&pen, 0);
    return pen;
}

static struct pen prepare(uint32_t gap) {
    struct pen pen = prepare_to(VIEW);
    varint(&pen, 0);
    varint(&pen, MEMBERS);
    varint(&pen, FIRST_NAME);
    varint(&pen, 1);
    varint(&pen, gap);
    return pen;
}

/* The view after VIEW, from whose members the one that is @gone by place goes and @come comes. */
static struct pen prepare_changed(uint32_t distance, uint32_t gone, uint32_t come) {
    struct pen pen = prepare_to(VIEW + 1);
    varint(&pen, distance);
    varint(&pen, 1);
    varint(&pen, FIRST_NAME + gone);
    varint(&pen, 1);
    varint(&pen, come);
    return pen;
}

static void start_with(struct bench *bench, struct oracle_rules rules) {
    rules.partition_size = 5;
    rules.owner_block = 1;
    bench->oracle = oracle_new();
    bench->wire = oracle_wire_new(bench->oracle, &rules);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        CHECK(oracle_start(bench->oracle, i) == i + 1);
        oracle_wire_actor(bench->wire, i + 1, 100 + i, 7);
    }
    struct pen pen = prepare(1);
    oracle_wire_service(bench->wire, pen.bytes, pen.length, 0);
    CHECK(oracle_wire_counts(bench->wire).views == 1);
}

static void start(struct bench *bench, bool calm, bool adaptive) {
    start_with(bench, (struct oracle_rules){.calm = calm, .adaptive = adaptive});
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

static void send_to_all(struct bench *bench, uint64_t which) {
    send_data(bench, which);
    read_data(bench, 2, which);
    read_data(bench, 3, which);
}

/* One packet for the view of the bench, and for one that only others are in. */
static struct pen hybrid(uint64_t which, uint64_t other) {
    struct pen pen = header(HYBRID, FIRST_NAME);
    memset(pen.bytes + 24, 0, 8); /* names no view in its header */
    number(&pen, 2, 1);
    number(&pen, 0, 1);
    number(&pen, VIEW, 8);
    number(&pen, which, 8);
    number(&pen, 1, 1);
    number(&pen, other, 8);
    number(&pen, 77, 8);
    number(&pen, 4, 1);
    return pen;
}

static struct pen repair(uint64_t which) {
    struct pen pen = header(REPAIR, FIRST_NAME + 1);
    number(&pen, FIRST_NAME, 4);
    number(&pen, which, 8);
    number(&pen, 4, 1);
    return pen;
}

static struct pen staged(uint64_t stage, uint64_t round, uint64_t purge, uint64_t cut,
                         uint64_t flags) {
    struct pen pen = header(TOKEN, FIRST_NAME + 2);
    number(&pen, round << 8, 8);
    number(&pen, stage << 8 | LAST, 2);
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

static struct pen token(uint64_t round, uint64_t purge, uint64_t cut, uint64_t flags) {
    return staged(0, round, purge, cut, flags);
}

/* A round goes out and comes home. */
static void go_round(struct bench *bench, uint64_t round, uint64_t purge, uint64_t cut) {
    send(bench, 3, 1, staged(0, round, purge, cut, 0), 30);
    send(bench, 3, 1, staged(HOME, round, purge, cut, 0), 30);
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

static void a_packet_for_several_regions_counts_in_each(void) {
    struct bench bench;
    start(&bench, true, true);
    struct pen pen = hybrid(1, VIEW + 1);
    send(&bench, 1, 0, pen, 10);
    finish(&pen);
    oracle_wire_read(bench.wire, 2, pen.bytes, pen.length, 20);
    oracle_wire_read(bench.wire, 3, pen.bytes, pen.length, 20);
    send(&bench, 3, 1, token(1, 0, 1, 0), 30);
    send(&bench, 3, 1, token(2, 1, 1, 0), 40); /* both have it: it may be purged */
    send(&bench, 1, 0, hybrid(2, VIEW + 1), 50);
    send(&bench, 3, 1, token(3, 1, 2, 0), 60);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    send(&bench, 3, 1, token(4, 2, 2, 0), 70); /* nobody read the second */
    end(&bench, ORACLE_PURGE, 2);
}

static void a_list_of_regions_out_of_order_is_seen(void) {
    struct bench bench;
    start(&bench, true, true);
    send(&bench, 1, 0, hybrid(1, VIEW), 10);
    end(&bench, ORACLE_WIRE, 1);
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
    send_to_all(&bench, 1);
    for (uint64_t round = 1; round <= 3; round++) {
        send(&bench, 3, 1, token(round, 1, 1, 0), 30);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    send(&bench, 3, 1, token(4, 1, 1, 0), 30);
    end(&bench, ORACLE_TOKEN, 1);
}

static void a_cache_that_is_full_three_rounds_after_is_seen(void) {
    struct bench bench;
    start(&bench, true, true);
    send_to_all(&bench, 1);
    for (uint64_t round = 1; round <= 3; round++) {
        send(&bench, 3, 1, token(round, 0, 1, 0), 30);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    send(&bench, 3, 1, token(4, 0, 1, 0), 30);
    CHECK(oracle_broken(bench.oracle, ORACLE_TOKEN) == 1);
    CHECK(oracle_broken(bench.oracle, ORACLE_QUIET) == 1);
    oracle_wire_free(bench.wire);
    oracle_free(bench.oracle);
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

/* Rule 1.0.8: who was told of a death takes data of the dead as repair from the living alone. */
static void what_the_dead_say_counts_for_nobody_who_knows(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    oracle_wire_buried(bench.wire, 3, FIRST_NAME);
    read_data(&bench, 3, 3);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    end(&bench, ORACLE_PURGE, 0);
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

static void so_much_control_in_a_second_is_allowed(void) {
    struct bench bench;
    start(&bench, false, true);
    send_data(&bench, 1);
    for (uint64_t i = 0; i < 200; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * 1000000);
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), SECOND + 1);
    end(&bench, ORACLE_CONTROL, 0);
}

/* More than 200 packets, of which a hundredth of the data pays for all. */
static void control_may_be_a_hundredth_of_the_data(void) {
    struct bench bench;
    start(&bench, false, true);
    struct pen large = data(1);
    large.length = 480;
    for (uint64_t i = 0; i < 3000; i++) {
        send(&bench, 1, 0, large, i * 100000);
        if (i % 12 == 0) {
            send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * 100000);
        }
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), SECOND + 1);
    end(&bench, ORACLE_CONTROL, 0);
}

/* Nobody sent anything: a packet a second, and a round to begin with. */
static void talking_in_the_quiet_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    for (uint64_t i = 1; i <= 10; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * SECOND);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    for (uint64_t i = 0; i < 8; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), 11 * (uint64_t)SECOND + i);
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), 13 * (uint64_t)SECOND);
    end(&bench, ORACLE_CONTROL, 1);
}

/* Number 1 is lost at the third; it comes in the round @when after the one it was sent in. */
static void repair_in_round(struct bench *bench, uint64_t when) {
    start_with(bench, (struct oracle_rules){.isolated = true});
    send_data(bench, 1);
    read_data(bench, 2, 1);
    for (uint64_t round = 1; round <= when; round++) {
        go_round(bench, round, 0, 1);
    }
    struct pen pen = repair(1);
    finish(&pen);
    oracle_wire_read(bench->wire, 3, pen.bytes, pen.length, 28);
}

static void a_repair_in_the_second_round_and_a_purge_after_the_third_are_in_time(void) {
    struct bench bench;
    repair_in_round(&bench, 2);
    go_round(&bench, 3, 0, 1);
    go_round(&bench, 4, 1, 1);
    CHECK(oracle_applied(bench.oracle, ORACLE_REPAIR) == 2);
    end(&bench, ORACLE_REPAIR, 0);
}

static void a_repair_in_the_third_round_is_late(void) {
    struct bench bench;
    repair_in_round(&bench, 3);
    end(&bench, ORACLE_REPAIR, 1);
}

static void a_purge_after_the_fourth_round_is_late(void) {
    struct bench bench;
    repair_in_round(&bench, 2);
    go_round(&bench, 3, 0, 1);
    go_round(&bench, 4, 0, 1);
    go_round(&bench, 5, 1, 1);
    end(&bench, ORACLE_REPAIR, 1);
}

/* ---- progress ---- */

static void lose_two(struct bench *bench) {
    start(bench, false, true);
    for (uint64_t n = 1; n <= 4; n++) {
        send_data(bench, n);
        read_data(bench, 2, n);
    }
    read_data(bench, 3, 1);
    read_data(bench, 3, 3);
}

static void rounds_that_are_allowed_follow_from_what_is_owed(void) {
    struct bench bench;
    lose_two(&bench);
    /* Two packets of 57 bytes are owed. */
    CHECK(oracle_wire_calm(bench.wire, 1000) == 5);
    CHECK(oracle_wire_calm(bench.wire, 58) == 6);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void what_is_not_there_when_its_rounds_are_over_is_seen(void) {
    struct bench bench;
    lose_two(&bench);
    uint64_t rounds = oracle_wire_calm(bench.wire, 1000);
    for (uint64_t round = 1; round < rounds; round++) {
        go_round(&bench, round, 0, 4);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    go_round(&bench, rounds, 0, 4);
    end(&bench, ORACLE_PROGRESS, 1);
}

static void what_came_in_time_is_no_arrears(void) {
    struct bench bench;
    lose_two(&bench);
    uint64_t rounds = oracle_wire_calm(bench.wire, 1000);
    read_data(&bench, 3, 2);
    read_data(&bench, 3, 4);
    send_data(&bench, 5); /* was sent after the faults: no round is counted for it */
    for (uint64_t round = 1; round <= rounds; round++) {
        go_round(&bench, round, 0, 4);
    }
    CHECK(oracle_applied(bench.oracle, ORACLE_PROGRESS) == 2);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void a_round_that_is_lost_does_not_count(void) {
    struct bench bench;
    lose_two(&bench);
    uint64_t rounds = oracle_wire_calm(bench.wire, 1000);
    for (uint64_t round = 1; round <= 3 * rounds; round++) {
        send(&bench, 3, 1, token(round, 0, 4, 0), 30);
    }
    end(&bench, ORACLE_PROGRESS, 0);
}

/* A token of the partition's own ring leaves its leader, or comes back to it. */
static void turn(struct bench *bench, uint64_t round, bool back) {
    struct pen pen = header(TOKEN, FIRST_NAME + 2);
    number(&pen, round << 8, 8);
    number(&pen, (back ? 1 : 0) << 8 | LAST | ALONE, 2);
    number(&pen, 0, 4);
    send(bench, 3, 1, pen, 30);
}

/* A member that crashed, and is not declared dead yet, keeps the ring of its partition. */
static void a_ring_apart_that_does_not_come_back_does_not_count(void) {
    struct bench bench;
    lose_two(&bench);
    uint64_t rounds = oracle_wire_calm(bench.wire, 1000);
    uint64_t round = 0;
    for (; round < 3 * rounds; round++) {
        turn(&bench, round + 1, false);
        go_round(&bench, round + 1, 0, 4);
    }
    CHECK(oracle_broken_total(bench.oracle) == 0);
    for (uint64_t last = round + rounds; round < last; round++) {
        turn(&bench, round + 1, true);
        go_round(&bench, round + 1, 0, 4);
    }
    end(&bench, ORACLE_PROGRESS, 1);
}

static void at_the_end_all_is_owed_but_not_to_the_dead(void) {
    struct bench bench;
    lose_two(&bench);
    oracle_wire_settle(bench.wire, 40);
    CHECK(oracle_broken(bench.oracle, ORACLE_PROGRESS) == 1);
    oracle_end(bench.oracle, 3);
    oracle_wire_settle(bench.wire, 50);
    end(&bench, ORACLE_PROGRESS, 1);
}

/* ---- what the service says ---- */

static void one_view_told_with_other_members_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    struct pen pen = prepare(1);
    oracle_wire_service(bench.wire, pen.bytes, pen.length, 5);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    pen = prepare(2);
    oracle_wire_service(bench.wire, pen.bytes, pen.length, 5);
    end(&bench, ORACLE_VIEWS, 1);
}

static void tell_changed(struct bench *bench, uint32_t distance, uint32_t gone, uint32_t come) {
    struct pen pen = prepare_changed(distance, gone, come);
    oracle_wire_service(bench->wire, pen.bytes, pen.length, 5);
}

static void changes_of_another_view_are_followed(void) {
    struct bench bench;
    start(&bench, false, true);
    tell_changed(&bench, 1, 1, FIRST_NAME + 9);
    CHECK(oracle_broken_total(bench.oracle) == 0 && oracle_wire_counts(bench.wire).views == 2);
    tell_changed(&bench, 1, 2, FIRST_NAME + 9);
    end(&bench, ORACLE_VIEWS, 1);
}

static void changes_that_do_not_fit_are_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    tell_changed(&bench, 7, 1, FIRST_NAME + 9); /* of a view that nobody was told of */
    tell_changed(&bench, 1, 9, FIRST_NAME + 9); /* who goes was not there */
    tell_changed(&bench, 1, 1, FIRST_NAME);     /* who comes is there */
    end(&bench, ORACLE_WIRE, 3);
}

static void a_message_of_the_service_that_does_not_read_is_seen(void) {
    struct bench bench;
    start(&bench, false, true);
    struct pen pen = prepare(1);
    oracle_wire_service(bench.wire, pen.bytes, pen.length - 2, 5);
    end(&bench, ORACLE_WIRE, 1);
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
    RUN(a_packet_for_several_regions_counts_in_each);
    RUN(a_list_of_regions_out_of_order_is_seen);
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
    RUN(what_the_dead_say_counts_for_nobody_who_knows);
    RUN(too_much_control_in_a_second_is_seen);
    RUN(a_cache_that_is_full_three_rounds_after_is_seen);
    RUN(so_much_control_in_a_second_is_allowed);
    RUN(control_may_be_a_hundredth_of_the_data);
    RUN(talking_in_the_quiet_is_seen);
    RUN(a_repair_in_the_second_round_and_a_purge_after_the_third_are_in_time);
    RUN(a_repair_in_the_third_round_is_late);
    RUN(a_purge_after_the_fourth_round_is_late);
    RUN(rounds_that_are_allowed_follow_from_what_is_owed);
    RUN(what_is_not_there_when_its_rounds_are_over_is_seen);
    RUN(what_came_in_time_is_no_arrears);
    RUN(a_round_that_is_lost_does_not_count);
    RUN(a_ring_apart_that_does_not_come_back_does_not_count);
    RUN(at_the_end_all_is_owed_but_not_to_the_dead);
    RUN(one_view_told_with_other_members_is_seen);
    RUN(changes_of_another_view_are_followed);
    RUN(changes_that_do_not_fit_are_seen);
    RUN(a_message_of_the_service_that_does_not_read_is_seen);
    RUN(bytes_that_do_not_read_are_seen);
    return 0;
}
