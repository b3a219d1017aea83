/* A driver passes on the notices of a step at their places among its deliveries. */
#include "check.h"
#include "engine/inbox_writer.h"
#include "engine/notice_order.h"
#include "mcast/engine.h"
#include "mcast/system_memory.h"

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Return the taken items, a letter each: d a delivery, l LOST, v VIEW. */
static const char *read_all(struct udp_inbox *inbox) {
    static char letters[16];
    struct mcast_engine_item items[16];
    size_t count = udp_inbox_take(inbox, items, 16);
    for (size_t i = 0; i < count; i++) {
        letters[i] = items[i].kind == MCAST_ENGINE_DELIVERY ? 'd'
                     : items[i].notice == MCAST_NOTICE_LOST ? 'l'
                                                            : 'v';
    }
    letters[count] = '\0';
    return letters;
}

static void a_loss_is_reported_at_its_place_among_the_deliveries(void) {
    struct udp_report report = {.inbox = udp_inbox_new(), .ready = eventfd(0, EFD_NONBLOCK)};
    struct udp_application application = udp_report_application(&report);
    struct mcast_delivery deliveries[4];
    memset(deliveries, 0, sizeof deliveries);
    struct mcast_notice notices[] = {
        {.kind = MCAST_NOTICE_VIEW, .after = 0},
        {.kind = MCAST_NOTICE_LOST, .after = 2, .number = 3, .last = 4},
        {.kind = MCAST_NOTICE_VIEW, .after = 2},
        {.kind = MCAST_NOTICE_VIEW, .after = 4},
    };
    struct mcast_output output = {
        .deliveries = deliveries, .delivery_count = 4, .notices = notices, .notice_count = 4};
    udp_hand_over(&application, &output);
    CHECK(strcmp(read_all(report.inbox), "vddlvddv") == 0);
    output.notice_count = 0;
    udp_hand_over(&application, &output);
    CHECK(strcmp(read_all(report.inbox), "dddd") == 0);
    output = (struct mcast_output){.notices = notices, .notice_count = 1};
    udp_hand_over(&application, &output);
    CHECK(strcmp(read_all(report.inbox), "v") == 0);
    udp_inbox_free(report.inbox);
    close(report.ready);
}

int main(void) {
    RUN(a_loss_is_reported_at_its_place_among_the_deliveries);
    return 0;
}
