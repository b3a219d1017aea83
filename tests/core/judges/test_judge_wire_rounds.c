/* The wire judge counts rounds: when a loss is repaired and purged, and which packets are overdue.
 */
#include "judge_wire_bench.h"

/* The third member loses number 1, which arrives in the round @when after the one it was sent in.
 */
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

static void the_allowed_rounds_follow_from_the_bytes_owed(void) {
    struct bench bench;
    lose_two(&bench);
    /* Two packets of 57 bytes are owed. */
    CHECK(oracle_wire_calm(bench.wire, 1000) == 5);
    CHECK(oracle_wire_calm(bench.wire, 58) == 6);
    end(&bench, ORACLE_PROGRESS, 0);
}

static void an_overdue_packet_is_reported(void) {
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

static void a_packet_in_time_is_not_overdue(void) {
    struct bench bench;
    lose_two(&bench);
    uint64_t rounds = oracle_wire_calm(bench.wire, 1000);
    read_data(&bench, 3, 2);
    read_data(&bench, 3, 4);
    send_data(&bench, 5); /* sent after the faults: no round is counted for it */
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

/* A member that crashed, and is not declared dead yet, keeps the token of the ring of its
 * partition. */
static void an_independent_ring_that_does_not_come_back_does_not_count(void) {
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

static void at_the_end_live_members_are_owed_all_packets(void) {
    struct bench bench;
    lose_two(&bench);
    oracle_wire_settle(bench.wire, 40);
    CHECK(oracle_broken(bench.oracle, ORACLE_PROGRESS) == 1);
    oracle_end(bench.oracle, 3);
    oracle_wire_settle(bench.wire, 50);
    end(&bench, ORACLE_PROGRESS, 1);
}

int main(void) {
    RUN(a_repair_in_the_second_round_and_a_purge_after_the_third_are_in_time);
    RUN(a_repair_in_the_third_round_is_late);
    RUN(a_purge_after_the_fourth_round_is_late);
    RUN(the_allowed_rounds_follow_from_the_bytes_owed);
    RUN(an_overdue_packet_is_reported);
    RUN(a_packet_in_time_is_not_overdue);
    RUN(a_round_that_is_lost_does_not_count);
    RUN(an_independent_ring_that_does_not_come_back_does_not_count);
    RUN(at_the_end_live_members_are_owed_all_packets);
    return 0;
}
