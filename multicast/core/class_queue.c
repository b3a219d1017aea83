#include "class_queue.h"

#include "mcast/error.h"

#include <assert.h>

void mcast_class_queue_init(struct mcast_class_queue *queue, size_t bound) {
    *queue = (struct mcast_class_queue){.waiting = 0};
    for (unsigned i = 0; i < MCAST_CLASSES; i++) {
        queue->lines[i].bound = bound;
    }
}

int mcast_class_queue_put(struct mcast_class_queue *queue, struct mcast_class_link *link,
                          unsigned class_number, size_t bytes) {
    assert(class_number < MCAST_CLASSES);
    struct mcast_class_line *line = &queue->lines[class_number];
    if (bytes > line->bound - line->bytes) {
        line->refused++;
        return MCAST_EFULL;
    }
    *link = (struct mcast_class_link){.bytes = bytes, .class_number = (uint8_t)class_number};
    if (line->last == NULL) {
        line->first = link;
    } else {
        line->last->next = link;
    }
    line->last = link;
    line->bytes += bytes;
    queue->waiting |= 1u << class_number;
    return MCAST_OK;
}

struct mcast_class_link *mcast_class_queue_first(const struct mcast_class_queue *queue) {
    for (unsigned i = 0; i < MCAST_CLASSES; i++) {
        if ((queue->waiting >> i & 1u) != 0) {
            return queue->lines[i].first;
        }
    }
    return NULL;
}

struct mcast_class_link *mcast_class_queue_take(struct mcast_class_queue *queue) {
    struct mcast_class_link *link = mcast_class_queue_first(queue);
    if (link == NULL) {
        return NULL;
    }
    struct mcast_class_line *line = &queue->lines[link->class_number];
    line->first = link->next;
    line->bytes -= link->bytes;
    if (line->first == NULL) {
        line->last = NULL;
        queue->waiting &= ~(1u << link->class_number);
    }
    link->next = NULL;
    return link;
}

bool mcast_class_queue_is_empty(const struct mcast_class_queue *queue) {
    return queue->waiting == 0;
}
