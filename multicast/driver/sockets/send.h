/* Send: many datagrams in a call, those of equal size to one destination as a train (GSO), which
 * the kernel segments.
 *
 * A train costs one pass through the kernel instead of one for each datagram; on this kind of
 * machine that is ten to twenty-five times less. Datagrams that the kernel cannot take now are
 * copied aside and sent first next time; beyond a bound they are lost, as in a network, and
 * counted. An interface that refuses a train gets single datagrams from then on. */
#ifndef DRIVER_SOCKETS_SEND_H
#define DRIVER_SOCKETS_SEND_H

#include "mcast/output.h"
#include "sockets/node_sockets.h"

enum {
    UDP_ASIDE_MAX = 512,               /* datagrams that may wait aside */
    UDP_ASIDE_BYTES = 4 * 1024 * 1024, /* bytes that they may have together */
};

struct udp_aside {
    uint8_t *bytes;
    uint32_t length;
    struct mcast_address to;
    enum mcast_socket socket;
};

struct udp_sender {
    struct udp_aside aside[UDP_ASIDE_MAX];
    size_t first; /* the offset of the first one waiting */
    size_t count;
    size_t bytes;
    uint64_t calls;    /* the count of send calls */
    uint64_t messages; /* the count of messages given to the kernel; a train is one */
    uint64_t datagrams;
    uint64_t lost;  /* the count of datagrams without room, or refused by the kernel */
    bool no_trains; /* true if the interface refused a train although the kernel supports them */
};

/* Send @count datagrams in order. Return true if the kernel accepts more now; if not, call
 * udp_send_rest when the socket is writable. */
bool udp_send(struct udp_sender *sender, const struct udp_sockets *sockets,
              const struct mcast_datagram *datagrams, size_t count);

/* Send the datagrams that wait aside. Return true if all have left. */
bool udp_send_rest(struct udp_sender *sender, const struct udp_sockets *sockets);

/* The socket of the first datagram that waits aside. */
enum mcast_socket udp_sender_full(const struct udp_sender *sender);

/* Drop the datagrams that wait aside. */
void udp_sender_clear(struct udp_sender *sender);

#endif
