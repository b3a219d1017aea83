/* Receive: take the datagrams waiting at a socket, many in a call, and write an event for each.
 *
 * With GRO the kernel delivers trains: datagrams of equal size from one sender in one buffer. They
 * are split here and share the buffer. */
#ifndef DRIVER_SOCKETS_RECEIVE_H
#define DRIVER_SOCKETS_RECEIVE_H

#include "mcast/event.h"
#include "sockets/node_sockets.h"
#include "sockets/receive_buffers.h"

enum {
    UDP_TRAIN_MOST = 128, /* more than the datagrams that a kernel puts into one train */
};

/* A filter called for each datagram before it becomes an event; false drops it, as a network would.
 * For tests and measurements of loss; NULL drops nothing. */
typedef bool (*udp_sieve)(void *context, enum mcast_socket class);

struct udp_catch {
    struct mcast_event *events; /* room for @room events, of which @count are written */
    size_t count;
    size_t room;
    struct mcast_buffer **held; /* room for @held_room: the buffers to release after the step */
    size_t held_count;
    size_t held_room;
    uint64_t datagrams;
    uint64_t lost; /* the count of datagrams that the filter dropped */
    udp_sieve sieve;
    void *sieve_context;
};

/* Receive from @inlet until it is empty or @catch has no room for another whole train. The kernel's
 * count of drops is stored in the inlet. Return 0 if the socket is empty, 1 if more waits, or
 * -errno; -ENOMEM leaves the datagrams in the kernel. */
int udp_receive(struct udp_inlet *inlet, struct udp_buffers *pool, struct udp_catch *catch);

/* Release the buffers of the last catch and empty it. Call it after the step. */
void udp_catch_clear(struct udp_catch *catch);

#endif
