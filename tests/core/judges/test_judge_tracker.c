#include "check.h"
#include "judges/tracker.h"
#include "simulator/base/random.h"

enum { NUMBERS = 300 };

static void numbers_in_order_leave_no_pieces(void) {
    struct oracle_tracker tracker = {0};
    for (uint64_t n = 1; n <= 100; n++) {
        oracle_tracker_add(&tracker, n, n);
    }
    CHECK(tracker.contig == 100 && tracker.count == 0);
    oracle_tracker_free(&tracker);
}

static void a_gap_is_closed_by_the_missing_numbers(void) {
    struct oracle_tracker tracker = {0};
    oracle_tracker_add(&tracker, 1, 1);
    oracle_tracker_add(&tracker, 3, 5);
    oracle_tracker_add(&tracker, 7, 7);
    CHECK(tracker.contig == 1 && tracker.count == 2);
    CHECK(oracle_tracker_has(&tracker, 4) && !oracle_tracker_has(&tracker, 2));
    oracle_tracker_add(&tracker, 2, 2);
    CHECK(tracker.contig == 5 && tracker.count == 1);
    oracle_tracker_add(&tracker, 6, 6);
    CHECK(tracker.contig == 7 && tracker.count == 0);
    oracle_tracker_free(&tracker);
}

static void it_agrees_with_a_plain_table_in_any_order(void) {
    struct sim_random random;
    sim_random_seed(&random, 8);
    for (int run = 0; run < 50; run++) {
        struct oracle_tracker tracker = {0};
        bool has[NUMBERS + 1] = {true};
        for (int i = 0; i < 400; i++) {
            uint64_t first = sim_random_between(&random, 1, NUMBERS - 8);
            uint64_t last = first + sim_random_below(&random, 3);
            oracle_tracker_add(&tracker, first, last);
            for (uint64_t n = first; n <= last; n++) {
                has[n] = true;
            }
        }
        uint64_t contig = 0;
        for (uint64_t n = 1; n <= NUMBERS; n++) {
            CHECK(oracle_tracker_has(&tracker, n) == has[n]);
            contig += contig + 1 == n && has[n] ? 1 : 0;
        }
        CHECK(tracker.contig == contig);
        oracle_tracker_free(&tracker);
    }
}

int main(void) {
    RUN(numbers_in_order_leave_no_pieces);
    RUN(a_gap_is_closed_by_the_missing_numbers);
    RUN(it_agrees_with_a_plain_table_in_any_order);
    return 0;
}
