/* Service listener: the lock and the socket by which the members of this machine find a service.
 *
 * Both are files in the runtime folder, which people and programs that clean up may delete while
 * the service runs. A second service would then find no lock and start beside the first one. So the
 * service looks after both files: it makes them again, or ends if another service has the lock. */
#ifndef DRIVER_SERVICE_CONNECTION_SERVICE_LISTENER_H
#define DRIVER_SERVICE_CONNECTION_SERVICE_LISTENER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

struct udp_listener {
    int lock;
    int socket;
    uint32_t generation; /* as it is stored in the lock */
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    char lock_path[256];
    dev_t device; /* the identity of the socket's file */
    ino_t inode;
};

/* A listener that has nothing open. */
void udp_listener_init(struct udp_listener *listener);

/* Take the lock at @path and set @generation to the larger of itself and one above the stored
 * one, which is on disk before it is used. Return 0, -EWOULDBLOCK if another service has the
 * lock, or another -errno. */
int udp_listener_lock(struct udp_listener *listener, const char *path, uint32_t *generation);

/* Listen at @path, in place of a socket that a killed service left there. The lock must be held. */
int udp_listener_listen(struct udp_listener *listener, const char *path);

/* Store @generation before anybody hears of it: the next service starts above what members know. */
int udp_listener_store(struct udp_listener *listener, uint32_t generation);

/* Make deleted files again. Sets @moved if the socket is a new one. Return 0, also if it has to be
 * tried again later, or -ECANCELED if another service has taken over. */
int udp_listener_keep(struct udp_listener *listener, bool *moved);

/* Close both, and remove the socket's file unless another service has made its own. */
void udp_listener_close(struct udp_listener *listener);

#endif
