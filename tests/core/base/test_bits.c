#include "base/bits.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void an_empty_set_needs_no_memory(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_bits bits = {.words = NULL};
    CHECK(mcast_bits_is_empty(&bits) && !mcast_bits_has(&bits, 5));
    CHECK(mcast_bits_next(&bits, 0) == MCAST_BITS_END);
    CHECK(mcast_bits_next(&bits, 1000) == MCAST_BITS_END);
    mcast_bits_remove(&bits, 77);
    mcast_bits_clear(&bits);
    mcast_bits_free(&bits, &memory.alloc);
    CHECK(memory.calls == 0);
}

static void numbers_are_found_in_order(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_bits bits = {.words = NULL};
    const size_t numbers[] = {0, 1, 63, 64, 65, 127, 128, 1000};
    for (size_t i = 0; i < 8; i++) {
        CHECK(mcast_bits_add(&bits, &memory.alloc, numbers[7 - i]) == MCAST_OK);
    }
    size_t at = 0;
    for (size_t i = 0; i < 8; i++) {
        at = mcast_bits_next(&bits, at);
        CHECK(at == numbers[i]);
        at++;
    }
    CHECK(mcast_bits_next(&bits, at) == MCAST_BITS_END);
    mcast_bits_free(&bits, &memory.alloc);
    CHECK(memory.out == 0);
}

/* Compare two sets with plain arrays. */
static void it_agrees_with_plain_arrays(void) {
    enum { NUMBERS = 300 };
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_bits sets[2] = {{.words = NULL}, {.words = NULL}};
    bool model[2][NUMBERS] = {{false}};
    uint64_t seed = 1;
    for (int step = 0; step < 20000; step++) {
        size_t number = test_random(&seed) % NUMBERS;
        size_t which = test_random(&seed) % 2;
        bool put = test_random(&seed) % 2 == 0;
        model[which][number] = put;
        if (put) {
            CHECK(mcast_bits_add(&sets[which], &memory.alloc, number) == MCAST_OK);
        } else {
            mcast_bits_remove(&sets[which], number);
        }
        size_t from = test_random(&seed) % NUMBERS;
        size_t wanted = from;
        while (wanted < NUMBERS && (!model[0][wanted] || model[1][wanted])) {
            wanted++;
        }
        size_t found = mcast_bits_next_without(&sets[0], &sets[1], from);
        CHECK(found == (wanted == NUMBERS ? MCAST_BITS_END : wanted));
        CHECK(mcast_bits_has(&sets[which], number) == put);
    }
    CHECK(mcast_bits_add_all(&sets[0], &memory.alloc, &sets[1]) == MCAST_OK);
    for (size_t i = 0; i < NUMBERS; i++) {
        CHECK(mcast_bits_has(&sets[0], i) == (model[0][i] || model[1][i]));
    }
    mcast_bits_clear(&sets[0]);
    CHECK(mcast_bits_is_empty(&sets[0]));
    mcast_bits_free(&sets[0], &memory.alloc);
    mcast_bits_free(&sets[1], &memory.alloc);
    CHECK(memory.out == 0);
}

static void without_memory_the_set_stays_as_it_was(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_bits bits = {.words = NULL};
    struct mcast_bits large = {.words = NULL};
    CHECK(mcast_bits_add(&bits, &memory.alloc, 3) == MCAST_OK);
    CHECK(mcast_bits_add(&large, &memory.alloc, 5000) == MCAST_OK);
    memory.refuse = 1;
    CHECK(mcast_bits_add(&bits, &memory.alloc, 100000) == MCAST_ENOMEM);
    CHECK(mcast_bits_add_all(&bits, &memory.alloc, &large) == MCAST_ENOMEM);
    CHECK(mcast_bits_next(&bits, 0) == 3 && mcast_bits_next(&bits, 4) == MCAST_BITS_END);
    mcast_bits_free(&bits, &memory.alloc);
    mcast_bits_free(&large, &memory.alloc);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(an_empty_set_needs_no_memory);
    RUN(numbers_are_found_in_order);
    RUN(it_agrees_with_plain_arrays);
    RUN(without_memory_the_set_stays_as_it_was);
    return 0;
}
