/* The sockets of one node: for each class, one socket for datagrams addressed to the node and for
 * everything it sends, and one for each (region address, class) that it listens to.
 *
 * A listening socket is bound to the group address and joins only that group. So the kernel's limit
 * of memberships for each socket is never reached, and no datagrams arrive of groups that other
 * processes of the machine joined (IP_MULTICAST_ALL=0 ensures that too). */
#ifndef DRIVER_SOCKETS_NODE_SOCKETS_H
#define DRIVER_SOCKETS_NODE_SOCKETS_H

#include "mcast/types.h"

#include <netinet/in.h>

enum {
    UDP_ADDRESSES_MAX = 256, /* the limit of region addresses to listen to at a time */
};

struct udp_options {
    struct in_addr interface; /* the address of the interface for everything; never INADDR_ANY */
    uint16_t port[MCAST_SOCKETS]; /* the ports of the node's own sockets; 0 lets the kernel choose
                                   */
    int receive_buffer;           /* requested size in bytes, for each socket */
    int send_buffer;
    int ttl;      /* 0 on loopback, 1 on a LAN, where datagrams must not be fragmented either */
    bool offload; /* requests GSO and GRO; they are not used if the kernel lacks them */
};

/* One socket on which datagrams arrive. */
struct udp_inlet {
    int fd;
    enum mcast_socket class;
    bool ready;                   /* true if epoll reported datagrams here */
    uint32_t drops;               /* the count of datagrams that the kernel dropped here so far */
    struct mcast_address address; /* the region address; all zero for the node's own */
};

struct udp_sockets {
    struct udp_inlet own[MCAST_SOCKETS];
    struct udp_inlet *listening; /* @count entries, MCAST_SOCKETS for each address */
    size_t count;
    struct in_addr interface;
    bool gso;
    bool gro;
    int receive_buffer;
};

/* Open the sockets of the node. Return 0, or -errno with everything closed again. */
int udp_sockets_open(struct udp_sockets *sockets, const struct udp_options *options);

/* Close all sockets. */
void udp_sockets_close(struct udp_sockets *sockets);

/* The address that others send to, with the ports that the kernel chose. */
struct mcast_address udp_sockets_address(const struct udp_sockets *sockets);

/* The bytes of datagrams that a receive queue certainly holds: half of what the kernel granted,
 * since it also counts its own overhead. */
uint64_t udp_sockets_room(const struct udp_sockets *sockets);

/* Start to listen to @address; an address that is listened to already stays. Return 0, or -errno
 * and change nothing; -ENOSPC beyond UDP_ADDRESSES_MAX. */
int udp_sockets_listen(struct udp_sockets *sockets, const struct mcast_address *address);

/* Stop listening to @address; ignore an unknown one. Return true if it was listened to. */
bool udp_sockets_unlisten(struct udp_sockets *sockets, const struct mcast_address *address);

/* The largest datagram that fits the interface with this address unfragmented; 0 if unknown. */
uint32_t udp_largest_datagram(struct in_addr interface);

/* Build an address of the core from an IPv4 address and ports. */
struct mcast_address udp_address(struct in_addr ip, const uint16_t port[MCAST_SOCKETS]);

/* Store the kernel's form of @address for a class. Return false if it is not IPv4. */
bool udp_destination(const struct mcast_address *address, enum mcast_socket class,
                     struct sockaddr_in *to);

#endif
