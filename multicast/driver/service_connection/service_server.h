/* Service server: a membership service on real sockets, run by the loop of the caller.
 *
 * It listens on a socket in a folder that only this user may enter, so the kernel vouches for each
 * peer; and, if it has an address, for members of other machines, which must prove that they have a
 * key of the cluster. A lock on a file beside the socket, which also stores the generation,
 * prevents a second server of the same user; the lock ends with the process, however that ends. */
#ifndef DRIVER_SERVICE_CONNECTION_SERVICE_SERVER_H
#define DRIVER_SERVICE_CONNECTION_SERVICE_SERVER_H

#include "mcast/keyring.h"
#include "mcast/service.h"

#include <netinet/in.h>
#include <sys/un.h>

struct udp_server;

enum {
    UDP_CONNECTIONS_MAX = 4096, /* members that may be connected; further ones are refused */
    UDP_STRANGERS_MAX = 64,     /* connections that may be unproved at a time */
};

struct udp_server_options {
    struct mcast_service_config service; /* its generation is filled in: one above the stored one */
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* the socket to listen on */
    char lock[256];                                       /* the file with the lock and the
                                                           * generation */
    struct sockaddr_in at;               /* the address for other machines; port 0 for none */
    const struct mcast_keyring *keyring; /* must outlive the server; required for an address */
};

/* Start to serve. Return 0; -EWOULDBLOCK if another server holds the lock; -EACCES for an address
 * without a keyring; another -errno; or a core code (see udp_core_code). After a failure nothing is
 * left open. */
int udp_server_open(const struct udp_server_options *options, struct udp_server **server);

/* Close all connections and release the lock. */
void udp_server_close(struct udp_server *server);

/* The descriptor that becomes readable when udp_server_run has something to do. */
int udp_server_fd(const struct udp_server *server);

/* The latest time of the next run, on the clock of udp_now; MCAST_NEVER for none. */
mcast_time udp_server_deadline(const struct udp_server *server);

/* Do everything that is due, waiting up to @wait. Return 0; -ECANCELED if a service of a higher
 * generation exists and this one has to end; or -errno if it cannot go on. */
int udp_server_run(struct udp_server *server, mcast_time wait);

/* The count of connected members, and the time since when there has been none (MCAST_NEVER while
 * there are). */
size_t udp_server_connections(const struct udp_server *server, mcast_time *idle_since);

/* The generation of the service: that of its start, or a higher one that members reported. It is on
 * disk before anybody learns it. */
uint32_t udp_server_generation(const struct udp_server *server);

/* The count of connections that did not prove in time that they have a key. */
uint64_t udp_server_strangers(const struct udp_server *server);

void udp_server_stats(const struct udp_server *server, struct mcast_service_stats *stats);

#endif
