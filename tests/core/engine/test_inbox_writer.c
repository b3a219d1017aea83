/* Inbox writer: deliveries are passed on in place, unless that would hold too much memory. */
#include "check.h"
#include "engine/inbox_writer.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static unsigned ended; /* the count of released buffers */

static void end(struct mcast_buffer *buffer) {
    (void)buffer;
    ended++;
}

static uint8_t room[65536];

static struct mcast_buffer large_buffer(void) {
    ended = 0;
    memset(room, 5, sizeof room);
    return (struct mcast_buffer){.holders = 1, .size = sizeof room, .bytes = room, .end = end};
}

static void begin(struct udp_report *report) {
    *report = (struct udp_report){.inbox = udp_inbox_new(), .ready = eventfd(0, EFD_NONBLOCK)};
    CHECK(report->inbox != NULL && report->ready >= 0);
}

static void finish(struct udp_report *report) {
    udp_inbox_free(report->inbox);
    close(report->ready);
}

static void put_small(struct udp_report *report, struct mcast_buffer *buffer, size_t count) {
    struct udp_application app = udp_report_application(report);
    struct mcast_delivery one = {.group = 1, .bytes = room, .length = 10, .buffer = buffer};
    for (size_t i = 0; i < count; i++) {
        app.deliver(app.context, &one, 1);
    }
}

static void a_prompt_reader_gets_bytes_in_place(void) {
    struct udp_report report;
    struct mcast_buffer buffer = large_buffer();
    struct mcast_engine_item item;
    begin(&report);
    put_small(&report, &buffer, 1);
    CHECK(udp_inbox_take(report.inbox, &item, 1) == 1);
    CHECK(item.bytes == room && item.length == 10 && buffer.holders == 2);
    finish(&report);
    CHECK(buffer.holders == 1);
}

static void a_slow_reader_holds_no_large_buffer_for_a_small_message(void) {
    struct udp_report report;
    struct mcast_buffer buffer = large_buffer();
    struct mcast_engine_item items[200];
    begin(&report);
    put_small(&report, &buffer, 200);
    CHECK(buffer.holders < 100);
    CHECK(udp_inbox_take(report.inbox, items, 200) == 200);
    CHECK(items[199].bytes != room && items[199].bytes[9] == 5);
    finish(&report);
    CHECK(buffer.holders == 1 && ended == 0);
}

static void messages_that_fill_their_buffer_are_never_copied(void) {
    enum { EACH = 1024, COUNT = 64 };
    struct udp_report report;
    struct mcast_buffer buffer = large_buffer();
    struct mcast_delivery all[COUNT];
    struct mcast_engine_item items[COUNT];
    begin(&report);
    struct udp_application app = udp_report_application(&report);
    for (size_t i = 0; i < COUNT; i++) {
        all[i] =
            (struct mcast_delivery){.bytes = room + i * EACH, .length = EACH, .buffer = &buffer};
    }
    for (int turn = 0; turn < 3; turn++) {
        app.deliver(app.context, all, COUNT);
    }
    CHECK(buffer.holders == 1 + 3 * COUNT);
    CHECK(udp_inbox_bytes(report.inbox) == 3 * sizeof room);
    CHECK(udp_inbox_take(report.inbox, items, COUNT) == COUNT);
    CHECK(items[COUNT - 1].bytes == room + (COUNT - 1) * EACH);
    finish(&report);
}

static void the_members_of_a_group_are_copied(void) {
    struct udp_report report;
    struct mcast_engine_item item;
    struct mcast_member_name names[2] = {{.node = 3, .id = {1, 2}, .incarnation = 9},
                                         {.node = 4, .id = {5, 6}, .incarnation = 8}};
    struct mcast_notice notices[2] = {{.kind = MCAST_NOTICE_LISTEN},
                                      {.kind = MCAST_NOTICE_MEMBERS, .count = 2, .nodes = names}};
    begin(&report);
    struct udp_application app = udp_report_application(&report);
    app.notify(app.context, notices, 2);
    memset(names, 0, sizeof names);
    CHECK(udp_inbox_take(report.inbox, &item, 1) == 1); /* LISTEN does not concern the reader */
    uint64_t row[8];
    CHECK(item.notice == MCAST_NOTICE_MEMBERS && item.length == sizeof row);
    memcpy(row, item.bytes, sizeof row);
    CHECK(row[0] == 3 && row[1] == 1 && row[2] == 2 && row[3] == 9 && row[4] == 4);
    CHECK(udp_inbox_take(report.inbox, &item, 1) == 0);
    finish(&report);
}

static void redundant_notices_are_left_out(void) {
    struct udp_report report;
    struct mcast_engine_item items[8];
    const struct mcast_notice notices[] = {
        {.kind = MCAST_NOTICE_SENT, .cookie = MCAST_ENGINE_QUIET | 4},
        {.kind = MCAST_NOTICE_SENT, .cookie = 4, .number = 2},
        {.kind = MCAST_NOTICE_STABLE, .group = 1, .sender = 5, .number = 1},
        {.kind = MCAST_NOTICE_STABLE, .group = 1, .sender = 5, .number = 2},
        {.kind = MCAST_NOTICE_STABLE, .group = 2, .sender = 5, .number = 1},
        {.kind = MCAST_NOTICE_STABLE, .group = 2, .sender = 6, .number = 1},
        {.kind = MCAST_NOTICE_REFUSED, .cookie = MCAST_ENGINE_QUIET | 4},
    };
    begin(&report);
    struct udp_application app = udp_report_application(&report);
    app.notify(app.context, notices, sizeof notices / sizeof *notices);
    CHECK(udp_inbox_take(report.inbox, items, 8) == 5);
    CHECK(items[0].notice == MCAST_NOTICE_SENT && items[0].cookie == 4 && items[0].number == 2);
    CHECK(items[1].group == 1 && items[1].number == 2);
    CHECK(items[2].group == 2 && items[2].sender == 5 && items[3].sender == 6);
    CHECK(items[4].notice == MCAST_NOTICE_REFUSED && items[4].cookie == 4);
    finish(&report);
}

static void the_reader_is_woken_for_a_new_entry(void) {
    struct udp_report report;
    uint64_t count = 0;
    begin(&report);
    struct udp_application app = udp_report_application(&report);
    app.service(app.context, -ENOTCONN);
    CHECK(read(report.ready, &count, sizeof count) == sizeof count && count == 1);
    finish(&report);
}

int main(void) {
    RUN(a_prompt_reader_gets_bytes_in_place);
    RUN(a_slow_reader_holds_no_large_buffer_for_a_small_message);
    RUN(messages_that_fill_their_buffer_are_never_copied);
    RUN(the_members_of_a_group_are_copied);
    RUN(redundant_notices_are_left_out);
    RUN(the_reader_is_woken_for_a_new_entry);
    return 0;
}
