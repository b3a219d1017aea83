#include "check.h"
#include "simulator/base/event_queue.h"
#include "simulator/base/random.h"

static void an_empty_queue_has_nothing_due(void) {
    struct sim_heap heap;
    struct sim_entry entry;
    sim_heap_init(&heap);
    CHECK(!sim_heap_pop(&heap, &entry));
    CHECK(sim_heap_next(&heap) == UINT64_MAX);
    sim_heap_free(&heap);
}

static void entries_come_out_in_the_order_of_their_times(void) {
    struct sim_heap heap;
    struct sim_random random;
    sim_heap_init(&heap);
    sim_random_seed(&random, 3);
    uint64_t last = 0;
    uint32_t inside = 0;
    struct sim_entry entry;
    for (int i = 0; i < 50000; i++) {
        if (inside == 0 || sim_random_below(&random, 3) != 0) {
            CHECK(sim_heap_push(&heap,
                                (struct sim_entry){.at = last + sim_random_below(&random, 500)}));
            inside++;
        } else {
            CHECK(sim_heap_pop(&heap, &entry));
            CHECK(entry.at >= last);
            last = entry.at;
            inside--;
        }
    }
    while (sim_heap_pop(&heap, &entry)) {
        CHECK(entry.at >= last);
        last = entry.at;
        inside--;
    }
    CHECK(inside == 0);
    sim_heap_free(&heap);
}

static void entries_of_one_time_come_out_in_insertion_order(void) {
    struct sim_heap heap;
    struct sim_entry entry;
    sim_heap_init(&heap);
    for (uint32_t i = 0; i < 5000; i++) {
        CHECK(sim_heap_push(&heap, (struct sim_entry){.at = i % 3, .node = i}));
    }
    uint32_t next[3] = {0, 1, 2};
    while (sim_heap_pop(&heap, &entry)) {
        CHECK(entry.node == next[entry.at]);
        next[entry.at] += 3;
    }
    sim_heap_free(&heap);
}

static void an_entry_comes_out_unchanged(void) {
    struct sim_heap heap;
    struct sim_entry entry;
    int thing;
    sim_heap_init(&heap);
    CHECK(sim_heap_push(&heap, (struct sim_entry){.at = 9, .kind = 4, .node = 7, .item = &thing}));
    CHECK(sim_heap_next(&heap) == 9);
    CHECK(sim_heap_pop(&heap, &entry));
    CHECK(entry.kind == 4 && entry.node == 7 && entry.item == &thing);
    sim_heap_free(&heap);
}

int main(void) {
    RUN(an_empty_queue_has_nothing_due);
    RUN(entries_come_out_in_the_order_of_their_times);
    RUN(entries_of_one_time_come_out_in_insertion_order);
    RUN(an_entry_comes_out_unchanged);
    return 0;
}
