#include "base/timer_heap.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void timers_come_out_by_deadline_and_not_before(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_heap heap;
    struct mcast_timer timers[3] = {{0}};
    mcast_heap_init(&heap, &memory.alloc);
    CHECK(mcast_heap_deadline(&heap) == MCAST_NEVER);
    CHECK(mcast_heap_take_due(&heap, MCAST_NEVER) == NULL);
    CHECK(mcast_heap_set(&heap, &timers[0], 30) == MCAST_OK);
    CHECK(mcast_heap_set(&heap, &timers[1], 10) == MCAST_OK);
    CHECK(mcast_heap_set(&heap, &timers[2], 20) == MCAST_OK);
    CHECK(mcast_heap_deadline(&heap) == 10);
    CHECK(mcast_heap_take_due(&heap, 9) == NULL);
    CHECK(mcast_heap_take_due(&heap, 25) == &timers[1]);
    CHECK(!mcast_timer_is_set(&timers[1]));
    CHECK(mcast_heap_take_due(&heap, 25) == &timers[2]);
    CHECK(mcast_heap_take_due(&heap, 25) == NULL);
    CHECK(mcast_timer_is_set(&timers[0]));
    mcast_heap_free(&heap);
    CHECK(!mcast_timer_is_set(&timers[0]));
    CHECK(memory.out == 0);
}

static void a_timer_can_be_moved_and_cancelled(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_heap heap;
    struct mcast_timer one = {0};
    struct mcast_timer other = {0};
    mcast_heap_init(&heap, &memory.alloc);
    CHECK(mcast_heap_set(&heap, &one, 10) == MCAST_OK);
    CHECK(mcast_heap_set(&heap, &other, 20) == MCAST_OK);
    CHECK(mcast_heap_set(&heap, &one, 30) == MCAST_OK);
    CHECK(heap.count == 2 && mcast_heap_deadline(&heap) == 20);
    mcast_heap_cancel(&heap, &other);
    mcast_heap_cancel(&heap, &other);
    CHECK(heap.count == 1 && mcast_heap_deadline(&heap) == 30);
    mcast_heap_free(&heap);
}

/* Compare with a scan of all timers, over any order of setting, moving, cancelling and taking. */
static void it_agrees_with_a_scan(void) {
    enum { TIMERS = 200, STEPS = 30000 };
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_heap heap;
    static struct mcast_timer timers[TIMERS];
    mcast_heap_init(&heap, &memory.alloc);
    uint64_t seed = 8;
    for (uint64_t step = 0; step < STEPS; step++) {
        struct mcast_timer *timer = &timers[test_random(&seed) % TIMERS];
        switch (test_random(&seed) % 4) {
        case 0:
        case 1:
            CHECK(mcast_heap_set(&heap, timer, step + test_random(&seed) % 500) == MCAST_OK);
            break;
        case 2:
            mcast_heap_cancel(&heap, timer);
            break;
        default:
            while ((timer = mcast_heap_take_due(&heap, step)) != NULL) {
                CHECK(timer->deadline <= step);
            }
            break;
        }
        uint64_t earliest = MCAST_NEVER;
        size_t set = 0;
        for (size_t i = 0; i < TIMERS; i++) {
            if (mcast_timer_is_set(&timers[i])) {
                set++;
                earliest = timers[i].deadline < earliest ? timers[i].deadline : earliest;
            }
        }
        CHECK(heap.count == set && mcast_heap_deadline(&heap) == earliest);
    }
    mcast_heap_free(&heap);
    CHECK(memory.out == 0);
}

static void without_memory_nothing_is_set(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_heap heap;
    struct mcast_timer timers[5] = {{0}};
    mcast_heap_init(&heap, &memory.alloc);
    CHECK(mcast_heap_reserve(&heap, 4) == MCAST_OK);
    memory.refuse = 1;
    for (uint64_t i = 0; i < 4; i++) {
        CHECK(mcast_heap_set(&heap, &timers[i], i) == MCAST_OK);
    }
    CHECK(mcast_heap_set(&heap, &timers[4], 4) == MCAST_ENOMEM);
    CHECK(!mcast_timer_is_set(&timers[4]) && heap.count == 4);
    CHECK(mcast_heap_set(&heap, &timers[0], 9) == MCAST_OK);
    CHECK(mcast_heap_deadline(&heap) == 1);
    mcast_heap_free(&heap);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(timers_come_out_by_deadline_and_not_before);
    RUN(a_timer_can_be_moved_and_cancelled);
    RUN(it_agrees_with_a_scan);
    RUN(without_memory_nothing_is_set);
    return 0;
}
