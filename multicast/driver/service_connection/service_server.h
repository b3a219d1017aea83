/* The server: a membership service on real sockets, run by the caller's own loop.
 *
 * It listens on a socket in a folder that only this user may enter, so who connects is known by the
 * kernel; and, when it is given an address, for members of other machines, who have to prove that
 * they have a key of the cluster. A lock on a file beside it, which also holds the generation,
 * keeps a second server of the same user from starting; the lock falls with the process, however it
 * ends. */
#ifndef MCAST_UDP_SERVER_H
#define MCAST_UDP_SERVER_H

#include "mcast/keyring.h"
#include "mcast/service.h"

#include <netinet/in.h>
#include <sys/un.h>

struct udp_server;

enum {
    UDP_CONNECTIONS_MAX = 4096, /* is how many members may be connected; further ones are refused */
    UDP_STRANGERS_MAX = 64,     /* is how many may be connected that have not proved who they are */
};

struct udp_server_options {
    struct mcast_service_config service; /* its generation is filled in: one above the stored one */
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* is where to listen */
    char lock[256];                                       /* is the file with lock and generation */
    struct sockaddr_in at;               /* is where others may connect; port 0 for nowhere */
    const struct mcast_keyring *keyring; /* outlives the server; is needed for that */
};

/* Begins to serve. Returns 0, -EWOULDBLOCK when another server holds the lock, -EACCES for an
 * address without a keyring, another -errno, or a core code (see udp_core_code), with nothing left
 * open. */
int udp_server_open(const struct udp_server_options *options, struct udp_server **server);

/* Ends all connections and lets go of the lock. */
void udp_server_close(struct udp_server *server);

/* Becomes readable when there is something to run for. */
int udp_server_fd(const struct udp_server *server);

/* When to run at the latest, in the time of udp_now; MCAST_NEVER for never. */
mcast_time udp_server_deadline(const struct udp_server *server);

/* Does what is to be done, waiting up to @wait. Returns 0, -ECANCELED when a service of a higher
 * generation exists and this one is to end, or -errno when it cannot go on. */
int udp_server_run(struct udp_server *server, mcast_time wait);

/* How many members are connected, and since when there has been none (MCAST_NEVER while there are).
 */
size_t udp_server_connections(const struct udp_server *server, mcast_time *idle_since);

/* The generation under which it speaks: that of its start, or a higher one that members reported.
 * It is on disk before anybody hears it. */
uint32_t udp_server_generation(const struct udp_server *server);

/* How many who connected did not prove in time that they have a key. */
uint64_t udp_server_strangers(const struct udp_server *server);

void udp_server_stats(const struct udp_server *server, struct mcast_service_stats *stats);

#endif
