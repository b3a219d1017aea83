#include "base/sort.h"

/* Heapsort for each width: it needs no memory, has no bad worst case, and calls no comparison
 * function. */
#define DEFINE_SORT(name, type)                                                                    \
    static void name##_sink(type *numbers, size_t at, size_t count) {                              \
        type value = numbers[at];                                                                  \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                       \
            if (child + 1 < count && numbers[child + 1] > numbers[child]) {                        \
                child++;                                                                           \
            }                                                                                      \
            if (numbers[child] <= value) {                                                         \
                break;                                                                             \
            }                                                                                      \
            numbers[at] = numbers[child];                                                          \
            at = child;                                                                            \
        }                                                                                          \
        numbers[at] = value;                                                                       \
    }                                                                                              \
                                                                                                   \
    static size_t name##_ordered(const type *numbers, size_t count) {                              \
        size_t at = 1;                                                                             \
        while (at < count && numbers[at - 1] <= numbers[at]) {                                     \
            at++;                                                                                  \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
                                                                                                   \
    void name(type *numbers, size_t count) {                                                       \
        if (name##_ordered(numbers, count) >= count) {                                             \
            return;                                                                                \
        }                                                                                          \
        for (size_t at = count / 2; at > 0; at--) {                                                \
            name##_sink(numbers, at - 1, count);                                                   \
        }                                                                                          \
        for (size_t left = count - 1; left > 0; left--) {                                          \
            type largest = numbers[0];                                                             \
            numbers[0] = numbers[left];                                                            \
            numbers[left] = largest;                                                               \
            name##_sink(numbers, 0, left);                                                         \
        }                                                                                          \
    }

DEFINE_SORT(mcast_sort_u32, uint32_t)
DEFINE_SORT(mcast_sort_u64, uint64_t)

size_t mcast_sort_unique_u64(uint64_t *numbers, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1]) {
            numbers[kept++] = numbers[i];
        }
    }
    return kept;
}

bool mcast_sort_has_u32(const uint32_t *numbers, size_t count, uint32_t number) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && numbers[low] == number;
}
