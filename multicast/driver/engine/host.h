/* Host: a member on real sockets, run by the loop of the caller, without a thread of its own.
 *
 * The caller watches udp_host_fd and calls udp_host_run when it is readable, or at the time of
 * udp_host_deadline. Everything for the application is handed over within that call. The engine is
 * a thread around a host. Not thread-safe. */
#ifndef DRIVER_ENGINE_HOST_H
#define DRIVER_ENGINE_HOST_H

#include "mcast/keyring.h"
#include "mcast/member.h"
#include "service_connection/service_address.h"
#include "sockets/node_sockets.h"
#include "sockets/receive.h"

#include <sys/epoll.h>

struct udp_host;

/* The callbacks of the application. Pointers are valid until the callback returns; the buffer of a
 * delivery may be held longer. Callbacks may call udp_host_submit; the submission is carried out
 * after they return. */
struct udp_application {
    void *context;
    void (*deliver)(void *context, const struct mcast_delivery *deliveries, size_t count);
    void (*notify)(void *context, const struct mcast_notice *notices, size_t count);
    void (*want)(void *context, const struct mcast_want *wants, size_t count);
    /* Called at each change: 0 connected, -ENOTCONN lost, -EACCES connected but without a common
     * key, -EPROTO connected to a service of another version. */
    void (*service)(void *context, int code);
};

struct udp_host_options {
    struct udp_options sockets;
    struct mcast_config member;    /* its address is filled in by the host */
    char service[UDP_PLACE_TEXT];  /* where the service listens, see service_address.h */
    mcast_time reconnect;          /* the wait between two attempts to connect; 100 ms */
    struct mcast_keyring *keyring; /* must outlive the host; NULL turns authentication off */
};

struct udp_host_stats {
    uint64_t steps;
    uint64_t datagrams_received;
    uint64_t datagrams_sent;
    uint64_t messages_sent; /* the count of messages given to the kernel; a train is one */
    uint64_t lost_sending;
    uint64_t lost_by_sieve;
    uint64_t kernel_drops;
    uint64_t connections; /* the count of connections to the service */
    uint64_t strangers;   /* the count of connections that were answered by another cluster */
};

/* Open the sockets and make the member; the service is connected in the first runs. Return 0,
 * -errno, or a core code (see udp_core_code) for an invalid configuration. After a failure nothing
 * is left open. */
int udp_host_open(const struct udp_host_options *options, const struct udp_application *application,
                  struct udp_host **host);

/* End at once, without leaving groups: to leave in order, submit MCAST_EVENT_STOP first and wait
 * for its notice. */
void udp_host_close(struct udp_host *host);

/* Close the descriptors that a forked child inherited of the host of its parent, and touch nothing
 * else: the memory may be in any state. */
void udp_host_abandon(struct udp_host *host);

/* The descriptor that becomes readable when udp_host_run has something to do. */
int udp_host_fd(const struct udp_host *host);

/* The latest time of the next run, on the clock of udp_now; MCAST_NEVER for none. */
mcast_time udp_host_deadline(const struct udp_host *host);

/* Do everything that is due, waiting up to @wait. Return 0, or -errno if the host cannot go on. */
int udp_host_run(struct udp_host *host, mcast_time wait);

/* Like udp_host_run, for a caller that has waited itself, without the lock that guards the host, by
 * udp_poll on udp_host_fd, and got these @count events. Events of other descriptors are ignored. */
enum { UDP_HOST_EVENTS = 64 }; /* events that one wait asks for */
int udp_host_go_on(struct udp_host *host, const struct epoll_event *events, int count);

/* Set how much the application has been handed and has not taken, and for how long it has taken
 * nothing; they count against the bounds in the configuration of the member. */
void udp_host_set_unread(struct udp_host *host, uint64_t messages, uint64_t bytes, mcast_time time);

/* The time that a caller with its own loop should sleep before the next run, because of a flood of
 * datagrams (see wake_policy.h); 0 to wait as usual. */
mcast_time udp_host_nap(const struct udp_host *host);

/* Sleep for @span, which is less than a second, or until a control datagram arrives. */
void udp_host_take_nap(const struct udp_host *host, mcast_time span);

/* Pass events of the application to the member, and send the result at once. Within a callback this
 * is deferred until it returns; the bytes that an event points to must live until then. Return
 * -ENOBUFS if too much is deferred. */
int udp_host_submit(struct udp_host *host, const struct mcast_event *events, size_t count);

/* Drop datagrams on purpose, for tests and measurements. */
void udp_host_set_sieve(struct udp_host *host, udp_sieve sieve, void *context);

void udp_host_stats(const struct udp_host *host, struct udp_host_stats *stats);
struct mcast_member *udp_host_member(struct udp_host *host);

/* The offset of a code of the core where a -errno may be returned too: both number their errors
 * from 1. */
#define UDP_CORE_CODES (-1000)
int udp_core_code(int code);

/* The clock of all drivers. */
mcast_time udp_now(void);

#endif
