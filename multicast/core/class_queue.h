/* Class queue: things that wait, in eight classes, the most urgent first.
 *
 * Within a class the order is that of arrival. Each class has a bound in bytes of its own, so that
 * a flood of data never takes the room of a token; what does not fit is refused and counted, and
 * stays the caller's. A link lives inside what waits; no memory is asked for. */
#ifndef MCAST_CORE_CLASS_QUEUE_H
#define MCAST_CORE_CLASS_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MCAST_CLASSES = 8 }; /* class 0 is the most urgent */

struct mcast_class_link {
    struct mcast_class_link *next;
    size_t bytes;         /* is what it counts against the bound while it waits */
    uint8_t class_number; /* is the class it waits in */
};

struct mcast_class_line {
    struct mcast_class_link *first;
    struct mcast_class_link *last;
    size_t bytes;     /* is the sum over those that wait */
    size_t bound;     /* is the most that bytes may reach */
    uint64_t refused; /* is the count of those that did not fit */
};

struct mcast_class_queue {
    struct mcast_class_line lines[MCAST_CLASSES];
    uint32_t waiting; /* has bit n set while class n is not empty */
};

/* Makes an empty queue with @bound bytes for each class. */
void mcast_class_queue_init(struct mcast_class_queue *queue, size_t bound);

/* Puts @link at the end of @class_number. 0, or MCAST_EFULL with nothing changed but the count. */
int mcast_class_queue_put(struct mcast_class_queue *queue, struct mcast_class_link *link,
                          unsigned class_number, size_t bytes);

/* Takes the first of the most urgent class that is not empty; NULL when all are. */
struct mcast_class_link *mcast_class_queue_take(struct mcast_class_queue *queue);

/* What mcast_class_queue_take would give, left where it is. */
struct mcast_class_link *mcast_class_queue_first(const struct mcast_class_queue *queue);

bool mcast_class_queue_is_empty(const struct mcast_class_queue *queue);

#endif
