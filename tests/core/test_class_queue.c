#include "check.h"
#include "class_queue.h"

#include "mcast/error.h"

static void the_most_urgent_class_comes_first_and_each_in_order(void) {
    struct mcast_class_queue queue;
    struct mcast_class_link links[6];
    const unsigned classes[6] = {5, 0, 5, 7, 0, 3};
    const int order[6] = {1, 4, 5, 0, 2, 3};
    mcast_class_queue_init(&queue, 1000);
    CHECK(mcast_class_queue_is_empty(&queue));
    CHECK(mcast_class_queue_take(&queue) == NULL);
    for (int i = 0; i < 6; i++) {
        CHECK(mcast_class_queue_put(&queue, &links[i], classes[i], 1) == MCAST_OK);
    }
    for (int i = 0; i < 6; i++) {
        CHECK(mcast_class_queue_first(&queue) == &links[order[i]]);
        CHECK(mcast_class_queue_take(&queue) == &links[order[i]]);
    }
    CHECK(mcast_class_queue_is_empty(&queue));
}

static void a_full_class_leaves_the_others_their_room(void) {
    struct mcast_class_queue queue;
    struct mcast_class_link links[4];
    mcast_class_queue_init(&queue, 100);
    CHECK(mcast_class_queue_put(&queue, &links[0], 4, 60) == MCAST_OK);
    CHECK(mcast_class_queue_put(&queue, &links[1], 4, 41) == MCAST_EFULL);
    CHECK(mcast_class_queue_put(&queue, &links[1], 4, 40) == MCAST_OK);
    CHECK(mcast_class_queue_put(&queue, &links[2], 4, 1) == MCAST_EFULL);
    CHECK(mcast_class_queue_put(&queue, &links[3], 2, 100) == MCAST_OK);
    CHECK(queue.lines[4].refused == 2 && queue.lines[2].refused == 0);
    CHECK(mcast_class_queue_take(&queue) == &links[3]);
    CHECK(mcast_class_queue_take(&queue) == &links[0]);
    CHECK(queue.lines[4].bytes == 40);
    CHECK(mcast_class_queue_put(&queue, &links[2], 4, 60) == MCAST_OK);
    CHECK(mcast_class_queue_take(&queue) == &links[1]);
    CHECK(mcast_class_queue_take(&queue) == &links[2]);
}

static void a_class_that_ran_empty_starts_anew(void) {
    struct mcast_class_queue queue;
    struct mcast_class_link link;
    mcast_class_queue_init(&queue, 10);
    for (int i = 0; i < 100; i++) {
        CHECK(mcast_class_queue_put(&queue, &link, 6, 10) == MCAST_OK);
        CHECK(mcast_class_queue_take(&queue) == &link);
    }
    CHECK(queue.lines[6].bytes == 0);
}

int main(void) {
    RUN(the_most_urgent_class_comes_first_and_each_in_order);
    RUN(a_full_class_leaves_the_others_their_room);
    RUN(a_class_that_ran_empty_starts_anew);
    return 0;
}
