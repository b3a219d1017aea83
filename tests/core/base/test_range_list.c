#include "base/range_list.h"
#include "check.h"
#include "counting_memory.h"

enum { SPAN = 64 };

static struct mcast_spans of_flags(const bool *flags, uint32_t most) {
    struct mcast_spans spans;
    mcast_spans_clear(&spans, most);
    for (uint64_t i = 0; i < SPAN; i++) {
        if (flags[i] && !mcast_spans_append(&spans, i, i)) {
            break;
        }
    }
    return spans;
}

static void a_full_list_keeps_the_oldest_ranges_and_lowers_its_limit(void) {
    struct mcast_spans spans;
    mcast_spans_clear(&spans, 2);
    CHECK(mcast_spans_append(&spans, 1, 2));
    CHECK(mcast_spans_append(&spans, 3, 4)); /* touches the last range */
    CHECK(mcast_spans_append(&spans, 8, 9));
    CHECK(spans.count == 2 && spans.at[0].last == 4);
    CHECK(!mcast_spans_append(&spans, 20, 21));
    CHECK(spans.limit == 19 && !mcast_spans_append(&spans, 30, 30));
    CHECK(mcast_spans_exclude(&spans, 12) && !mcast_spans_exclude(&spans, 20));
    CHECK(mcast_spans_contain(&spans, 8) && !mcast_spans_contain(&spans, 20));
    CHECK(mcast_spans_total(&spans) == 6);
    mcast_spans_trim(&spans, 8);
    CHECK(spans.count == 2 && spans.at[1].last == 8 && !mcast_spans_exclude(&spans, 9));
}

/* For each number that the result describes it must agree with two arrays of flags; and if all sets
 * fitted, it must describe all numbers. */
static void check_law(const struct mcast_spans *result, const bool *wanted) {
    CHECK(result->count <= result->most);
    for (uint64_t i = 0; i < SPAN; i++) {
        CHECK(!mcast_spans_contain(result, i) || wanted[i]);
        CHECK(!mcast_spans_exclude(result, i) || !wanted[i]);
        CHECK(i > result->limit || mcast_spans_contain(result, i) == wanted[i]);
    }
    for (uint32_t i = 1; i < result->count; i++) {
        CHECK(result->at[i].first > result->at[i - 1].last + 1);
    }
}

static void its_algebra_agrees_with_flags_up_to_the_limit(void) {
    uint64_t seed = 7;
    for (int step = 0; step < 20000; step++) {
        bool one[SPAN];
        bool two[SPAN];
        bool either[SPAN];
        bool both[SPAN];
        bool without[SPAN];
        uint64_t sparse = 1 + test_random(&seed) % 12;
        for (int i = 0; i < SPAN; i++) {
            one[i] = test_random(&seed) % sparse == 0;
            two[i] = test_random(&seed) % sparse == 0;
            either[i] = one[i] || two[i];
            both[i] = one[i] && two[i];
            without[i] = one[i] && !two[i];
        }
        uint32_t most = 1 + (uint32_t)(test_random(&seed) % MCAST_SPANS_MOST);
        struct mcast_spans a = of_flags(one, most);
        struct mcast_spans b = of_flags(two, MCAST_SPANS_MOST);
        check_law(&a, one);
        struct mcast_spans result = a;
        mcast_spans_unite(&result, &b);
        check_law(&result, either);
        result = a;
        mcast_spans_intersect(&result, &b);
        check_law(&result, both);
        result = a;
        mcast_spans_subtract(&result, &b);
        check_law(&result, without);
    }
}

static void the_ends_of_the_number_line_do_not_wrap(void) {
    struct mcast_spans all;
    struct mcast_spans one;
    mcast_spans_clear(&all, 4);
    mcast_spans_clear(&one, 4);
    CHECK(mcast_spans_append(&all, 0, UINT64_MAX));
    CHECK(mcast_spans_append(&one, UINT64_MAX, UINT64_MAX));
    mcast_spans_unite(&one, &all);
    CHECK(one.count == 1 && one.at[0].first == 0 && one.at[0].last == UINT64_MAX);
    mcast_spans_subtract(&one, &all);
    CHECK(one.count == 0 && one.limit == UINT64_MAX);
}

int main(void) {
    RUN(a_full_list_keeps_the_oldest_ranges_and_lowers_its_limit);
    RUN(its_algebra_agrees_with_flags_up_to_the_limit);
    RUN(the_ends_of_the_number_line_do_not_wrap);
    return 0;
}
