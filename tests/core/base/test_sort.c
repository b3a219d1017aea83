#include "base/sort.h"
#include "counting_memory.h"

static void any_order_becomes_ascending(void) {
    uint64_t seed = 4;
    for (size_t count = 0; count < 200; count++) {
        uint32_t small[200];
        uint64_t large[200];
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            large[i] = test_random(&seed) >> (count % 3 == 0 ? 60 : 1);
            small[i] = (uint32_t)large[i];
            sum += large[i];
        }
        mcast_sort_u32(small, count);
        mcast_sort_u64(large, count);
        for (size_t i = 0; i < count; i++) {
            CHECK(i == 0 || (small[i - 1] <= small[i] && large[i - 1] <= large[i]));
            sum -= large[i];
        }
        CHECK(sum == 0);
    }
}

static void sorted_and_reversed_input_are_sorted_quickly(void) {
    static uint64_t numbers[100000];
    for (size_t i = 0; i < 100000; i++) {
        numbers[i] = 100000 - i;
    }
    mcast_sort_u64(numbers, 100000);
    mcast_sort_u64(numbers, 100000);
    for (size_t i = 0; i < 100000; i++) {
        CHECK(numbers[i] == i + 1);
    }
}

static void repetitions_are_removed(void) {
    uint64_t numbers[] = {1, 1, 2, 3, 3, 3, 9};
    CHECK(mcast_sort_unique_u64(numbers, 7) == 4);
    CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && numbers[3] == 9);
    CHECK(mcast_sort_unique_u64(numbers, 0) == 0);
}

static void numbers_in_the_list_are_found(void) {
    uint32_t numbers[50];
    for (uint32_t i = 0; i < 50; i++) {
        numbers[i] = 3 * i + 1;
    }
    for (uint32_t number = 0; number < 160; number++) {
        CHECK(mcast_sort_has_u32(numbers, 50, number) == (number % 3 == 1 && number < 150));
    }
    CHECK(!mcast_sort_has_u32(NULL, 0, 1));
}

int main(void) {
    RUN(any_order_becomes_ascending);
    RUN(sorted_and_reversed_input_are_sorted_quickly);
    RUN(repetitions_are_removed);
    RUN(numbers_in_the_list_are_found);
    return 0;
}
