#include "base/range_set.h"
#include "check.h"
#include "mcast/mcast.h"
#include "mcast/system_memory.h"

#include <string.h>

static void spans(const struct mcast_ranges *set, size_t count, const uint64_t *ends) {
    CHECK(mcast_ranges_count(set) == count);
    for (size_t i = 0; i < count; i++) {
        CHECK(mcast_ranges_at(set, i).first == ends[2 * i]);
        CHECK(mcast_ranges_at(set, i).last == ends[2 * i + 1]);
    }
}

static void an_empty_set_has_one_gap(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 4);
    struct mcast_range gap;
    CHECK(mcast_ranges_count(set) == 0);
    CHECK(!mcast_ranges_contains(set, 0));
    CHECK(mcast_ranges_gap(set, 3, 9, &gap));
    CHECK(gap.first == 3 && gap.last == 9);
    mcast_ranges_free(set);
}

static void ranges_that_touch_become_one(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 4);
    CHECK(mcast_ranges_add(set, 5, 6) == 0);
    CHECK(mcast_ranges_add(set, 1, 2) == 0);
    spans(set, 2, (uint64_t[]){1, 2, 5, 6});
    CHECK(mcast_ranges_add(set, 3, 4) == 0);
    spans(set, 1, (uint64_t[]){1, 6});
    mcast_ranges_free(set);
}

static void an_overlapping_range_swallows_several(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 8);
    for (uint64_t n = 0; n < 5; n++) {
        CHECK(mcast_ranges_add(set, 10 * n, 10 * n + 3) == 0);
    }
    CHECK(mcast_ranges_add(set, 12, 35) == 0);
    spans(set, 3, (uint64_t[]){0, 3, 10, 35, 40, 43});
    mcast_ranges_free(set);
}

static void removing_the_middle_makes_two(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 2);
    CHECK(mcast_ranges_add(set, 0, 9) == 0);
    CHECK(mcast_ranges_remove(set, 4, 5) == 0);
    spans(set, 2, (uint64_t[]){0, 3, 6, 9});
    CHECK(mcast_ranges_remove(set, 2, 7) == 0);
    spans(set, 2, (uint64_t[]){0, 1, 8, 9});
    CHECK(mcast_ranges_remove(set, 0, UINT64_MAX) == 0);
    CHECK(mcast_ranges_count(set) == 0);
    mcast_ranges_free(set);
}

static void a_full_set_refuses_and_stays_as_it_was(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 2);
    CHECK(mcast_ranges_add(set, 0, 9) == 0);
    CHECK(mcast_ranges_add(set, 20, 29) == 0);
    CHECK(mcast_ranges_add(set, 12, 14) == MCAST_EFULL);
    CHECK(mcast_ranges_remove(set, 4, 5) == MCAST_EFULL);
    spans(set, 2, (uint64_t[]){0, 9, 20, 29});
    CHECK(mcast_ranges_add(set, 10, 14) == 0); /* touches a range, so it needs no room */
    spans(set, 2, (uint64_t[]){0, 14, 20, 29});
    mcast_ranges_free(set);
}

static void the_ends_of_the_number_line_do_not_wrap(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 4);
    struct mcast_range gap;
    CHECK(mcast_ranges_add(set, UINT64_MAX, UINT64_MAX) == 0);
    CHECK(mcast_ranges_add(set, 0, 0) == 0);
    spans(set, 2, (uint64_t[]){0, 0, UINT64_MAX, UINT64_MAX});
    CHECK(mcast_ranges_gap(set, 0, UINT64_MAX, &gap));
    CHECK(gap.first == 1 && gap.last == UINT64_MAX - 1);
    CHECK(mcast_ranges_add(set, 1, UINT64_MAX - 1) == 0);
    spans(set, 1, (uint64_t[]){0, UINT64_MAX});
    CHECK(!mcast_ranges_gap(set, 0, UINT64_MAX, &gap));
    CHECK(mcast_ranges_remove(set, 0, 0) == 0);
    CHECK(!mcast_ranges_contains(set, 0) && mcast_ranges_contains(set, UINT64_MAX));
    mcast_ranges_free(set);
}

static void gaps_are_found_from_any_number(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 4);
    struct mcast_range gap;
    CHECK(mcast_ranges_add(set, 10, 19) == 0);
    CHECK(mcast_ranges_gap(set, 15, 30, &gap) && gap.first == 20 && gap.last == 30);
    CHECK(mcast_ranges_gap(set, 5, 30, &gap) && gap.first == 5 && gap.last == 9);
    CHECK(!mcast_ranges_gap(set, 10, 19, &gap));
    CHECK(mcast_ranges_gap(set, 25, 25, &gap) && gap.first == 25 && gap.last == 25);
    mcast_ranges_free(set);
}

static void a_range_that_begins_after_its_end_is_refused(void) {
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), 1);
    CHECK(mcast_ranges_add(set, 2, 1) == MCAST_EINVAL);
    CHECK(mcast_ranges_remove(set, 2, 1) == MCAST_EINVAL);
    CHECK(mcast_ranges_count(set) == 0);
    mcast_ranges_free(set);
    mcast_ranges_free(NULL);
}

/* Compare every operation on numbers below SPAN with an array of flags. */
static void it_agrees_with_an_array_of_flags(void) {
    enum { SPAN = 96, STEPS = 20000 };
    bool held[SPAN] = {false};
    struct mcast_ranges *set = mcast_ranges_new(mcast_system_memory(), SPAN);
    uint32_t seed = 12345;
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 1664525u + 1013904223u;
        uint64_t first = (seed >> 8) % SPAN;
        uint64_t last = first + (seed >> 20) % 9;
        bool add = (seed >> 30) & 1;
        if (last >= SPAN) {
            last = SPAN - 1;
        }
        CHECK((add ? mcast_ranges_add : mcast_ranges_remove)(set, first, last) == 0);
        memset(held + first, add, (size_t)(last - first + 1));
        size_t runs = 0;
        for (size_t n = 0; n < SPAN; n++) {
            CHECK(mcast_ranges_contains(set, n) == held[n]);
            runs += held[n] && (n == 0 || !held[n - 1]);
        }
        CHECK(mcast_ranges_count(set) == runs);
    }
    mcast_ranges_free(set);
}

static void every_error_has_a_text(void) {
    CHECK(strcmp(mcast_strerror(MCAST_OK), "success") == 0);
    CHECK(strcmp(mcast_strerror(MCAST_EFULL), "unknown error") != 0);
    CHECK(strcmp(mcast_strerror(-12345), "unknown error") == 0);
}

int main(void) {
    RUN(an_empty_set_has_one_gap);
    RUN(ranges_that_touch_become_one);
    RUN(an_overlapping_range_swallows_several);
    RUN(removing_the_middle_makes_two);
    RUN(a_full_set_refuses_and_stays_as_it_was);
    RUN(the_ends_of_the_number_line_do_not_wrap);
    RUN(gaps_are_found_from_any_number);
    RUN(a_range_that_begins_after_its_end_is_refused);
    RUN(it_agrees_with_an_array_of_flags);
    RUN(every_error_has_a_text);
    return 0;
}
