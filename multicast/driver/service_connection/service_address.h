/* Where the membership service listens: a socket in a folder of this machine, written as its path,
 * or an address that other machines reach, written ADDRESS:PORT. */
#ifndef MCAST_UDP_PLACE_H
#define MCAST_UDP_PLACE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/un.h>

struct udp_place {
    bool local;
    struct sockaddr_un path;
    struct sockaddr_in at;
};

enum { UDP_PLACE_TEXT = 108 }; /* is room for the longest text with its end */

/* Reads @text: an IPv4 address and a port, or else a path. Returns 0, -ENAMETOOLONG, or -EINVAL for
 * an empty text. */
int udp_place_read(const char *text, struct udp_place *place);

/* Whether @ip is of this machine alone. */
bool udp_is_loopback(struct in_addr ip);

/* Begins to connect, without waiting. Returns a descriptor, with *@connecting when the answer is
 * still to come, or -errno; -EPERM when another user listens there. */
int udp_place_connect(const struct udp_place *place, bool *connecting);

/* Begins to listen at an address with a port. Returns a descriptor, or -errno. */
int udp_place_listen(const struct sockaddr_in *at, int backlog);

/* Lets a stream between machines notice within a few seconds that the other is gone, and not gather
 * small messages. */
void udp_place_hurry(int fd);

#endif
