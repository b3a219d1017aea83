#include "engine/inbox_writer.h"

#include "mcast/engine.h"
#include "mcast/system_memory.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    NAME_NUMBERS = 4,
    KEPT_PART = 4,   /* a payload smaller than this part of its buffer is copied instead of keeping
                      * the buffer */
    FEW_WAITING = 64 /* so few entries may keep their buffers all the same: the reader is about to
                      * take them */
};

void udp_ring(int fd) {
    uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    (void)written; /* the counter can only be full if it was rung already */
}

static void put(struct udp_report *report, const struct mcast_engine_item *item,
                struct mcast_buffer *buffer) {
    int code = udp_inbox_put(report->inbox, item, buffer);
    if (code < 0) {
        report->failure = code;
    } else if (code > 0) {
        udp_ring(report->ready);
    }
}

static void put_delivery(struct udp_report *report, const struct mcast_delivery *one,
                         const uint8_t *bytes, struct mcast_buffer *buffer) {
    struct mcast_engine_item item = {.kind = MCAST_ENGINE_DELIVERY,
                                     .group = one->group,
                                     .sender = one->sender,
                                     .number = one->number,
                                     .bytes = bytes,
                                     .length = one->length};
    put(report, &item, buffer);
}

static void put_copy(struct udp_report *report, const struct mcast_delivery *one) {
    struct mcast_buffer *copy = mcast_buffer_new(mcast_system_memory(), one->length);
    if (copy == NULL) {
        report->failure = -ENOMEM;
        return;
    }
    if (one->length > 0) {
        memcpy(copy->bytes, one->bytes, one->length);
    }
    put_delivery(report, one, copy->bytes, copy);
    mcast_buffer_release(copy);
}

/* Count the leading deliveries that share the buffer of the first, and the sum of their sizes. */
static size_t share(const struct mcast_delivery *deliveries, size_t count, uint64_t *bytes) {
    size_t n = 0;
    *bytes = 0;
    while (n < count && deliveries[n].buffer == deliveries[0].buffer) {
        *bytes += deliveries[n++].length;
    }
    return n;
}

/* Payloads are passed on in place. But a receive buffer is as large as the largest train, and a
 * slow reader must not hold one for each small message. */
static void deliver(void *context, const struct mcast_delivery *deliveries, size_t count) {
    struct udp_report *report = context;
    for (size_t i = 0; i < count;) {
        uint64_t bytes = 0;
        size_t n = share(deliveries + i, count - i, &bytes);
        const struct mcast_buffer *buffer = deliveries[i].buffer;
        bool copied = buffer == NULL || (bytes < buffer->size / KEPT_PART &&
                                         udp_inbox_waiting(report->inbox) > FEW_WAITING);
        for (size_t end = i + n; i < end; i++) {
            if (copied) {
                put_copy(report, &deliveries[i]);
            } else {
                put_delivery(report, &deliveries[i], deliveries[i].bytes, deliveries[i].buffer);
            }
        }
    }
}

static void want(void *context, const struct mcast_want *wants, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct mcast_engine_item item = {.kind = MCAST_ENGINE_WANT,
                                         .group = wants[i].group,
                                         .cookie = wants[i].cookie,
                                         .count = wants[i].budget};
        put(context, &item, NULL);
    }
}

/* The names in a MEMBERS notice are valid until the next step, so copy them: four numbers each:
 * short name, the two halves of the id, incarnation. Return false without memory. */
static bool copy_names(const struct mcast_notice *notice, struct mcast_buffer **copy) {
    *copy = NULL;
    if (notice->nodes == NULL || notice->count == 0) {
        return true;
    }
    size_t size = (size_t)notice->count * NAME_NUMBERS * sizeof(uint64_t);
    *copy = mcast_buffer_new(mcast_system_memory(), (uint32_t)size);
    for (size_t i = 0; *copy != NULL && i < notice->count; i++) {
        const struct mcast_member_name *name = &notice->nodes[i];
        const uint64_t row[NAME_NUMBERS] = {name->node, name->id.high, name->id.low,
                                            name->incarnation};
        memcpy((*copy)->bytes + i * sizeof row, row, sizeof row);
    }
    return *copy != NULL;
}

static void put_notice(struct udp_report *report, const struct mcast_notice *one) {
    struct mcast_buffer *names = NULL;
    if (!copy_names(one, &names)) {
        report->failure = -ENOMEM;
        return;
    }
    struct mcast_engine_item item = {.kind = MCAST_ENGINE_NOTICE,
                                     .notice = (uint8_t)one->kind,
                                     .code = one->code,
                                     .group = one->group,
                                     .sender = one->sender,
                                     .number = one->number,
                                     .last = one->last,
                                     .count = one->count,
                                     .cookie = one->cookie & ~MCAST_ENGINE_QUIET,
                                     .bytes = names != NULL ? names->bytes : NULL,
                                     .length = names != NULL ? names->size : 0};
    put(report, &item, names);
    mcast_buffer_release(names);
}

/* True if the reader does not get the notice: it concerns the driver, it reports a message that was
 * sent quietly, or the next notice reports later messages of the same stream as stable. */
static bool is_left_out(const struct mcast_notice *notices, size_t count) {
    const struct mcast_notice *next = count > 1 ? &notices[1] : NULL;
    switch (notices[0].kind) {
    case MCAST_NOTICE_LISTEN:
    case MCAST_NOTICE_UNLISTEN:
        return true;
    case MCAST_NOTICE_SENT:
        return (notices[0].cookie & MCAST_ENGINE_QUIET) != 0;
    case MCAST_NOTICE_STABLE:
        return next != NULL && next->kind == MCAST_NOTICE_STABLE &&
               next->group == notices[0].group && next->sender == notices[0].sender &&
               next->number >= notices[0].number;
    default:
        return false;
    }
}

static void notify(void *context, const struct mcast_notice *notices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!is_left_out(notices + i, count - i)) {
            put_notice(context, &notices[i]);
        }
    }
}

static void tell_service(void *context, int code) {
    struct mcast_engine_item item = {
        .kind = MCAST_ENGINE_SERVICE, .code = code, .count = code == 0 ? 1 : 0};
    put(context, &item, NULL);
}

struct udp_application udp_report_application(struct udp_report *report) {
    return (struct udp_application){.context = report,
                                    .deliver = deliver,
                                    .notify = notify,
                                    .want = want,
                                    .service = tell_service};
}
