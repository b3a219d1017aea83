/* The report: turns what a member has for the application into entries of the inbox. */
#ifndef MCAST_UDP_REPORT_H
#define MCAST_UDP_REPORT_H

#include "engine/host.h"
#include "engine/inbox.h"

struct udp_report {
    struct udp_inbox *inbox;
    int ready;   /* is the reader's eventfd */
    int failure; /* is -ENOMEM once something could not be reported; the engine cannot go on then */
};

/* What a host calls to report to @report. */
struct udp_application udp_report_application(struct udp_report *report);

/* Makes an eventfd readable. */
void udp_ring(int fd);

#endif
