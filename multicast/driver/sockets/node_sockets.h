/* The sockets of one node: one a class for what is addressed to it and for all it sends, and one
 * for each (region address, class) it listens to.
 *
 * A listening socket is bound to the group address itself and joins only that, so that the kernel's
 * limit of memberships a socket is never met and no datagram of a group that others on the machine
 * joined comes in (IP_MULTICAST_ALL=0 besides). */
#ifndef MCAST_UDP_SOCKETS_H
#define MCAST_UDP_SOCKETS_H

#include "mcast/types.h"

#include <netinet/in.h>

enum {
    UDP_ADDRESSES_MAX = 256, /* is how many region addresses may be listened to at a time */
};

struct udp_options {
    struct in_addr interface; /* is the address of the interface for everything; never INADDR_ANY */
    uint16_t port[MCAST_SOCKETS]; /* is where to listen for oneself; 0 lets the kernel choose */
    int receive_buffer;           /* is asked for in bytes, for each socket */
    int send_buffer;
    int ttl;      /* is 0 on loopback, 1 on a LAN, where no datagram may be cut up either */
    bool offload; /* asks for GSO and GRO; what the kernel lacks is done without */
};

/* One place where datagrams come in. */
struct udp_inlet {
    int fd;
    enum mcast_socket class;
    bool ready;                   /* says that the loop was told that something waits here */
    uint32_t drops;               /* is what the kernel dropped here so far */
    struct mcast_address address; /* is the region address; all zero for the node's own */
};

struct udp_sockets {
    struct udp_inlet own[MCAST_SOCKETS];
    struct udp_inlet *listening; /* has @count entries, in blocks of MCAST_SOCKETS an address */
    size_t count;
    struct in_addr interface;
    bool gso;
    bool gro;
    int receive_buffer;
};

/* Opens the node's own sockets. Returns 0, or -errno with everything closed again. */
int udp_sockets_open(struct udp_sockets *sockets, const struct udp_options *options);

/* Closes all that is open. */
void udp_sockets_close(struct udp_sockets *sockets);

/* The address that others send to, with the ports that the kernel chose. */
struct mcast_address udp_sockets_address(const struct udp_sockets *sockets);

/* How many bytes of datagrams a queue of ours is sure to hold: half of what the kernel granted,
 * since it counts what it keeps beside them, too. */
uint64_t udp_sockets_room(const struct udp_sockets *sockets);

/* Begins to listen to @address; what is listened to already stays. Returns 0, or -errno with
 * nothing changed; -ENOSPC past UDP_ADDRESSES_MAX. */
int udp_sockets_listen(struct udp_sockets *sockets, const struct mcast_address *address);

/* Ends listening to @address; unknown ones are ignored. Returns whether it was listened to. */
bool udp_sockets_unlisten(struct udp_sockets *sockets, const struct mcast_address *address);

/* The largest datagram that fits the interface with this address whole; 0 when that cannot be told.
 */
uint32_t udp_largest_datagram(struct in_addr interface);

/* An IPv4 address and the ports, as the core writes them. */
struct mcast_address udp_address(struct in_addr ip, const uint16_t port[MCAST_SOCKETS]);

/* What the kernel wants for @address and a class; false when it is not IPv4. */
bool udp_destination(const struct mcast_address *address, enum mcast_socket class,
                     struct sockaddr_in *to);

#endif
