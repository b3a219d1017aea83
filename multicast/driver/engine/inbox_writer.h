/* Inbox writer: turns the output of a member for the application into entries of the inbox. */
#ifndef DRIVER_ENGINE_INBOX_WRITER_H
#define DRIVER_ENGINE_INBOX_WRITER_H

#include "engine/host.h"
#include "engine/inbox.h"

struct udp_report {
    struct udp_inbox *inbox;
    int ready;   /* the eventfd of the reader */
    int failure; /* -ENOMEM once an entry could not be written; the engine cannot go on then */
};

/* The callbacks of a host that write to @report. */
struct udp_application udp_report_application(struct udp_report *report);

/* Make an eventfd readable. */
void udp_ring(int fd);

#endif
