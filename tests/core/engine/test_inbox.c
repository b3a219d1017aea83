/* The inbox between the engine's thread and the reader. */
#include "check.h"
#include "engine/inbox.h"

#include "mcast/system_memory.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

static unsigned ended; /* the count of released buffers */

static void end(struct mcast_buffer *buffer) {
    (void)buffer;
    ended++;
}

static struct mcast_engine_item delivery(uint32_t group, uint32_t length) {
    return (struct mcast_engine_item){
        .kind = MCAST_ENGINE_DELIVERY, .group = group, .length = length};
}

static void a_buffer_is_kept_until_the_reader_is_done(void) {
    struct udp_inbox *inbox = udp_inbox_new();
    struct mcast_buffer buffer = {.holders = 1, .end = end};
    struct mcast_engine_item item = delivery(1, 10);
    struct mcast_engine_item got;
    ended = 0;
    CHECK(udp_inbox_put(inbox, &item, &buffer) == 1);
    mcast_buffer_release(&buffer);
    CHECK(udp_inbox_take(inbox, &got, 1) == 1 && got.group == 1 && got.length == 10);
    udp_inbox_collect(inbox);
    CHECK(ended == 0 && udp_inbox_waiting(inbox) == 1);
    CHECK(udp_inbox_take(inbox, &got, 1) == 0);
    udp_inbox_collect(inbox);
    CHECK(ended == 1 && udp_inbox_waiting(inbox) == 0);
    udp_inbox_free(inbox);
}

static void the_reader_is_woken_once(void) {
    struct udp_inbox *inbox = udp_inbox_new();
    struct mcast_engine_item item = delivery(1, 10);
    struct mcast_engine_item got[4];
    CHECK(udp_inbox_put(inbox, &item, NULL) == 1);
    CHECK(udp_inbox_put(inbox, &item, NULL) == 0);
    CHECK(udp_inbox_take(inbox, got, 4) == 2);
    CHECK(udp_inbox_put(inbox, &item, NULL) == 0); /* the reader did not find it empty yet */
    CHECK(udp_inbox_take(inbox, got, 4) == 1);
    CHECK(udp_inbox_take(inbox, got, 4) == 0);
    CHECK(udp_inbox_put(inbox, &item, NULL) == 1);
    udp_inbox_free(inbox);
}

static void unread_buffers_are_released_at_the_end(void) {
    struct udp_inbox *inbox = udp_inbox_new();
    struct mcast_buffer buffer = {.holders = 1, .end = end};
    struct mcast_engine_item item = delivery(1, 1);
    struct mcast_engine_item got[100];
    ended = 0;
    for (int i = 0; i < 5000; i++) {
        CHECK(udp_inbox_put(inbox, &item, &buffer) >= 0);
    }
    CHECK(udp_inbox_take(inbox, got, 100) == 100);
    udp_inbox_free(inbox);
    CHECK(buffer.holders == 1);
}

enum { MANY = 300000 };

struct race {
    struct udp_inbox *inbox;
};

static void *write_many(void *argument) {
    struct race *race = argument;
    for (uint64_t i = 0; i < MANY; i++) {
        struct mcast_engine_item item = delivery((uint32_t)(i % 3), 1);
        item.number = i;
        struct mcast_buffer *buffer = mcast_buffer_new(mcast_system_memory(), 8);
        CHECK(buffer != NULL);
        memcpy(buffer->bytes, &i, sizeof i);
        item.bytes = buffer->bytes;
        CHECK(udp_inbox_put(race->inbox, &item, buffer) >= 0);
        mcast_buffer_release(buffer);
        if (i % 64 == 0) {
            udp_inbox_collect(race->inbox);
        }
    }
    return NULL;
}

static void two_threads_agree_on_every_entry(void) {
    struct race race = {.inbox = udp_inbox_new()};
    struct mcast_engine_item got[333];
    pthread_t writer;
    uint64_t expected = 0;
    CHECK(pthread_create(&writer, NULL, write_many, &race) == 0);
    while (expected < MANY) {
        size_t count = udp_inbox_take(race.inbox, got, 333);
        if (count == 0) {
            sched_yield();
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t written = 0;
            memcpy(&written, got[i].bytes, sizeof written);
            CHECK(got[i].number == expected && written == expected);
            expected++;
        }
    }
    CHECK(pthread_join(writer, NULL) == 0);
    CHECK(udp_inbox_take(race.inbox, got, 333) == 0);
    udp_inbox_collect(race.inbox);
    CHECK(udp_inbox_waiting(race.inbox) == 0);
    udp_inbox_free(race.inbox);
}

int main(void) {
    RUN(a_buffer_is_kept_until_the_reader_is_done);
    RUN(the_reader_is_woken_once);
    RUN(unread_buffers_are_released_at_the_end);
    RUN(two_threads_agree_on_every_entry);
    return 0;
}
