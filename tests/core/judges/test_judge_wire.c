/* The wire judge: purges, acknowledgements, requests, skips, control traffic, and views. */
#include "judge_wire_bench.h"

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

static void a_list_of_regions_out_of_order_is_reported(void) {
    struct bench bench;
    start(&bench, true, true);
    send(&bench, 1, 0, hybrid(1, VIEW), 10);
    end(&bench, ORACLE_WIRE, 1);
}

static void purging_a_packet_that_a_member_lacks_is_reported(void) {
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

static void acknowledging_a_packet_that_a_member_lacks_is_reported(void) {
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

static void dead_members_do_not_delay_a_purge(void) {
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

static void a_request_above_the_cut_is_reported(void) {
    struct bench bench;
    start(&bench, false, true);
    send(&bench, 3, 1, token(1, 0, 5, 0), 30);
    send(&bench, 3, 2, request(2, 4), 40);
    CHECK(oracle_broken_total(bench.oracle) == 0);
    CHECK(oracle_applied(bench.oracle, ORACLE_CUT) == 1);
    send(&bench, 3, 2, request(2, 5), 50);
    end(&bench, ORACLE_CUT, 1);
}

static void a_bitmap_request_above_the_cut_is_reported(void) {
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

static void repairing_a_packet_that_was_never_lost_is_reported(void) {
    struct bench bench;
    start(&bench, true, true);
    send_data(&bench, 1);
    send(&bench, 2, 3, repair(1), 25);
    end(&bench, ORACLE_CUT, 1);
}

static void a_record_that_outlives_its_sender_is_reported(void) {
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

static void a_cache_that_is_full_three_rounds_later_is_reported(void) {
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

static void skipping_a_packet_that_nobody_has_is_lawful(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    read_data(&bench, 3, 1);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    CHECK(oracle_wire_counts(bench.wire).skipped == 3);
    end(&bench, ORACLE_PURGE, 0);
}

static void skipping_a_packet_that_a_member_has_is_reported(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    read_data(&bench, 3, 3);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    end(&bench, ORACLE_PURGE, 1);
}

/* Rule 1.0.8: a node that was told of a death accepts data of the dead only as repair from the
 * living. */
static void data_of_the_dead_is_refused_by_members_that_know(void) {
    struct bench bench;
    start(&bench, false, true);
    read_data(&bench, 2, 1);
    oracle_wire_buried(bench.wire, 3, FIRST_NAME);
    read_data(&bench, 3, 3);
    oracle_end(bench.oracle, 1);
    send(&bench, 3, 2, skip(2, 4), 30);
    end(&bench, ORACLE_PURGE, 0);
}

static void too_much_control_in_a_second_is_reported(void) {
    struct bench bench;
    start(&bench, false, true);
    for (uint64_t i = 0; i < 1000; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * 1000000);
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), SECOND + 1);
    end(&bench, ORACLE_CONTROL, 1);
}

static void control_within_the_budget_of_a_second_is_allowed(void) {
    struct bench bench;
    start(&bench, false, true);
    send_data(&bench, 1);
    for (uint64_t i = 0; i < 200; i++) {
        send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), i * 1000000);
    }
    send(&bench, 3, 1, header(HIGH_WATER, FIRST_NAME), SECOND + 1);
    end(&bench, ORACLE_CONTROL, 0);
}

/* More than 200 packets, for all of which a hundredth of the data pays. */
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
static void control_traffic_in_a_quiet_region_is_reported(void) {
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

/* ---- messages of the service ---- */

static void one_view_with_two_member_lists_is_reported(void) {
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

static void differences_from_another_view_are_applied(void) {
    struct bench bench;
    start(&bench, false, true);
    tell_changed(&bench, 1, 1, FIRST_NAME + 9);
    CHECK(oracle_broken_total(bench.oracle) == 0 && oracle_wire_counts(bench.wire).views == 2);
    tell_changed(&bench, 1, 2, FIRST_NAME + 9);
    end(&bench, ORACLE_VIEWS, 1);
}

static void differences_that_do_not_fit_are_reported(void) {
    struct bench bench;
    start(&bench, false, true);
    tell_changed(&bench, 7, 1, FIRST_NAME + 9); /* of an unknown view */
    tell_changed(&bench, 1, 9, FIRST_NAME + 9); /* the leaver was not in the view */
    tell_changed(&bench, 1, 1, FIRST_NAME);     /* the joiner is in the view already */
    end(&bench, ORACLE_WIRE, 3);
}

static void a_malformed_message_of_the_service_is_reported(void) {
    struct bench bench;
    start(&bench, false, true);
    struct pen pen = prepare(1);
    oracle_wire_service(bench.wire, pen.bytes, pen.length - 2, 5);
    end(&bench, ORACLE_WIRE, 1);
}

static void malformed_datagrams_are_reported(void) {
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
    RUN(a_list_of_regions_out_of_order_is_reported);
    RUN(purging_a_packet_that_a_member_lacks_is_reported);
    RUN(a_repaired_number_may_be_purged);
    RUN(acknowledging_a_packet_that_a_member_lacks_is_reported);
    RUN(dead_members_do_not_delay_a_purge);
    RUN(a_request_above_the_cut_is_reported);
    RUN(a_bitmap_request_above_the_cut_is_reported);
    RUN(repairing_a_packet_that_was_never_lost_is_reported);
    RUN(a_record_that_outlives_its_sender_is_reported);
    RUN(skipping_a_packet_that_nobody_has_is_lawful);
    RUN(skipping_a_packet_that_a_member_has_is_reported);
    RUN(data_of_the_dead_is_refused_by_members_that_know);
    RUN(too_much_control_in_a_second_is_reported);
    RUN(a_cache_that_is_full_three_rounds_later_is_reported);
    RUN(control_within_the_budget_of_a_second_is_allowed);
    RUN(control_may_be_a_hundredth_of_the_data);
    RUN(control_traffic_in_a_quiet_region_is_reported);
    RUN(one_view_with_two_member_lists_is_reported);
    RUN(differences_from_another_view_are_applied);
    RUN(differences_that_do_not_fit_are_reported);
    RUN(a_malformed_message_of_the_service_is_reported);
    RUN(malformed_datagrams_are_reported);
    return 0;
}
