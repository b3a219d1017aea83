#include "engine/notice_order.h"

static void deliver(const struct udp_application *application, const struct mcast_output *output,
                    size_t from, size_t to) {
    if (to > from && application->deliver != NULL) {
        application->deliver(application->context, output->deliveries + from, to - from);
    }
}

/* Count the notices from @first on that have the same place. */
static size_t together(const struct mcast_output *output, size_t first) {
    size_t end = first;
    while (end < output->notice_count &&
           output->notices[end].after == output->notices[first].after) {
        end++;
    }
    return end - first;
}

void udp_hand_over(const struct udp_application *application, const struct mcast_output *output) {
    size_t done = 0;
    for (size_t i = 0; i < output->notice_count;) {
        size_t after = output->notices[i].after;
        size_t count = together(output, i);
        deliver(application, output, done, after);
        done = after > done ? after : done;
        if (application->notify != NULL) {
            application->notify(application->context, output->notices + i, count);
        }
        i += count;
    }
    deliver(application, output, done, output->delivery_count);
}
