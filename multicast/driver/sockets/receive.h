/* Receiving: takes what is waiting at a socket, many datagrams a call, and writes an event for
 * each.
 *
 * With GRO the kernel hands over trains: equal datagrams of one sender in one buffer. They are
 * split here and share the buffer. */
#ifndef MCAST_UDP_RECEIVE_H
#define MCAST_UDP_RECEIVE_H

#include "mcast/event.h"
#include "sockets/node_sockets.h"
#include "sockets/receive_buffers.h"

enum {
    UDP_TRAIN_MOST = 128, /* is more than the datagrams that a kernel puts into one train */
};

/* Is told of each datagram before it becomes an event; false loses it, as a network would. For
 * tests and measurements of loss; NULL loses nothing. */
typedef bool (*udp_sieve)(void *context, enum mcast_socket class);

struct udp_catch {
    struct mcast_event *events; /* has room for @room, of which @count are written */
    size_t count;
    size_t room;
    struct mcast_buffer **held; /* has room for @held_room: the buffers to let go after the step */
    size_t held_count;
    size_t held_room;
    uint64_t datagrams;
    uint64_t lost; /* is what the sieve took */
    udp_sieve sieve;
    void *sieve_context;
};

/* Takes what waits at @inlet until it is empty or @catch cannot take a whole train more. The
 * kernel's count of drops is kept in the inlet. Returns 0 when the socket is empty, 1 when more
 * waits, or -errno; -ENOMEM leaves the datagrams in the kernel. */
int udp_receive(struct udp_inlet *inlet, struct udp_buffers *pool, struct udp_catch *catch);

/* Lets go of the buffers of the last catch and empties it. Call it after the step. */
void udp_catch_clear(struct udp_catch *catch);

#endif
