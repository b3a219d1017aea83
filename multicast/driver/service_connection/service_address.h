/* Service address: where the membership service listens. It is a socket in a folder of this
 * machine, written as its path, or an address for other machines, written ADDRESS:PORT. */
#ifndef DRIVER_SERVICE_CONNECTION_SERVICE_ADDRESS_H
#define DRIVER_SERVICE_CONNECTION_SERVICE_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/un.h>

struct udp_place {
    bool local;
    struct sockaddr_un path;
    struct sockaddr_in at;
};

enum { UDP_PLACE_TEXT = 108 }; /* room for the longest text and its terminator */

/* Parse @text: an IPv4 address and a port, or else a path. Return 0, -ENAMETOOLONG, or -EINVAL for
 * an empty text. */
int udp_place_read(const char *text, struct udp_place *place);

/* True if only this machine can reach @ip. */
bool udp_is_loopback(struct in_addr ip);

/* Start to connect without waiting. Return a descriptor, with *@connecting true if the result is
 * still to come, or -errno; -EPERM if another user listens there. */
int udp_place_connect(const struct udp_place *place, bool *connecting);

/* Start to listen at an address with a port. Return a descriptor, or -errno. */
int udp_place_listen(const struct sockaddr_in *at, int backlog);

/* Set the options of a stream between machines: notice within a few seconds that the other end is
 * gone, and send small messages at once. */
void udp_place_hurry(int fd);

#endif
