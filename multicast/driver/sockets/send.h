/* Sending: many datagrams a call, and equal ones to one place as a train (GSO), which the kernel
 * cuts.
 *
 * A train costs one walk through the kernel instead of one a datagram; on this kind of machine that
 * is ten to twenty-five times less. What the kernel cannot take now is copied aside and sent first
 * next time; past the bound of that, datagrams are lost, as in a network, and counted. An interface
 * that refuses a train is given single datagrams from then on. */
#ifndef MCAST_UDP_SEND_H
#define MCAST_UDP_SEND_H

#include "mcast/output.h"
#include "sockets/node_sockets.h"

enum {
    UDP_ASIDE_MAX = 512,               /* is how many datagrams may wait aside */
    UDP_ASIDE_BYTES = 4 * 1024 * 1024, /* is how large they may be together */
};

struct udp_aside {
    uint8_t *bytes;
    uint32_t length;
    struct mcast_address to;
    enum mcast_socket socket;
};

struct udp_sender {
    struct udp_aside aside[UDP_ASIDE_MAX];
    size_t first; /* is where those that wait begin */
    size_t count;
    size_t bytes;
    uint64_t calls;    /* is how often the kernel was asked */
    uint64_t messages; /* is how many messages it was given; a train is one */
    uint64_t datagrams;
    uint64_t lost;  /* is what there was no room for, or what the kernel refused */
    bool no_trains; /* says that the interface refused one, though the kernel has them */
};

/* Sends @count datagrams in their order. Returns whether the kernel takes more now; if not, call
 * udp_send_rest when the socket is writable. */
bool udp_send(struct udp_sender *sender, const struct udp_sockets *sockets,
              const struct mcast_datagram *datagrams, size_t count);

/* Sends what waits aside. Returns whether all of it has left. */
bool udp_send_rest(struct udp_sender *sender, const struct udp_sockets *sockets);

/* The socket that the first of those that wait aside is to leave from. */
enum mcast_socket udp_sender_full(const struct udp_sender *sender);

/* Drops what waits aside. */
void udp_sender_clear(struct udp_sender *sender);

#endif
