/* The host: a member on real sockets, run by the caller's own loop, without a thread of its own.
 *
 * The caller watches udp_host_fd and calls udp_host_run when it is readable, or when the time of
 * udp_host_deadline has come. Whatever the member has for the application is handed over within
 * that call. The engine is a thread around a host. Not safe between threads. */
#ifndef MCAST_UDP_HOST_H
#define MCAST_UDP_HOST_H

#include "mcast/keyring.h"
#include "mcast/member.h"
#include "service_connection/service_address.h"
#include "sockets/node_sockets.h"
#include "sockets/receive.h"

#include <sys/epoll.h>

struct udp_host;

/* What the application is handed. Pointers live until the function returns; a delivery's buffer may
 * be held longer. The functions may call udp_host_submit; what they submit is done after they
 * return. */
struct udp_application {
    void *context;
    void (*deliver)(void *context, const struct mcast_delivery *deliveries, size_t count);
    void (*notify)(void *context, const struct mcast_notice *notices, size_t count);
    void (*want)(void *context, const struct mcast_want *wants, size_t count);
    /* Is told of each change: 0 reached, -ENOTCONN lost, -EACCES reached but without a common key.
     */
    void (*service)(void *context, int code);
};

struct udp_host_options {
    struct udp_options sockets;
    struct mcast_config member;    /* its address is filled in by the host */
    char service[UDP_PLACE_TEXT];  /* is where the service listens, see udp_place.h */
    mcast_time reconnect;          /* is the wait between two tries to reach it; 100 ms */
    struct mcast_keyring *keyring; /* outlives the host; NULL switches authentication off */
};

struct udp_host_stats {
    uint64_t steps;
    uint64_t datagrams_received;
    uint64_t datagrams_sent;
    uint64_t messages_sent; /* is how many the kernel was given; a train is one */
    uint64_t lost_sending;
    uint64_t lost_by_sieve;
    uint64_t kernel_drops;
    uint64_t connections; /* is how often the service was reached */
    uint64_t strangers;   /* is how often what answered there was not of this cluster */
};

/* Opens the sockets and makes the member; the service is reached in the first runs. Returns 0, or
 * -errno, or a core code (see udp_core_code) for a bad configuration, with nothing left open. */
int udp_host_open(const struct udp_host_options *options, const struct udp_application *application,
                  struct udp_host **host);

/* Ends at once, without leaving groups: submit MCAST_EVENT_STOP first and wait for the notice. */
void udp_host_close(struct udp_host *host);

/* Closes what a forked child inherited of its parent's host, and touches nothing else: the memory
 * may be in any state. */
void udp_host_abandon(struct udp_host *host);

/* Becomes readable when there is something to run for. */
int udp_host_fd(const struct udp_host *host);

/* When to run at the latest, in the time of udp_now; MCAST_NEVER for never. */
mcast_time udp_host_deadline(const struct udp_host *host);

/* Does what is to be done, waiting up to @wait for something to do. Returns 0, or -errno when the
 * host cannot go on. */
int udp_host_run(struct udp_host *host, mcast_time wait);

/* The same for who has waited by himself, without the lock that guards the host, by udp_poll on
 * udp_host_fd: the @count events that it gave. What other descriptors he watches there is passed
 * over. */
enum { UDP_HOST_EVENTS = 64 }; /* is how many events one wait asks for */
int udp_host_go_on(struct udp_host *host, const struct epoll_event *events, int count);

/* Says how much the application was handed and has not taken; the bounds of the member's
 * configuration count it. */
void udp_host_set_unread(struct udp_host *host, uint64_t messages, uint64_t bytes);

/* How long who has a loop of his own sleeps before the next run, because datagrams come in a flood
 * (see udp_nap.h); 0 for waiting as usual. */
mcast_time udp_host_nap(const struct udp_host *host);

/* Sleeps for @span, which is less than a second, or until something of control is there. */
void udp_host_take_nap(const struct udp_host *host, mcast_time span);

/* Tells the member something of the application, and transmits what follows from it at once. From
 * within the application's functions it is done after they return; the bytes that an event points
 * to must live until then. -ENOBUFS when too much waits for that. */
int udp_host_submit(struct udp_host *host, const struct mcast_event *events, size_t count);

/* Loses datagrams on purpose, for tests and measurements. */
void udp_host_set_sieve(struct udp_host *host, udp_sieve sieve, void *context);

void udp_host_stats(const struct udp_host *host, struct udp_host_stats *stats);
struct mcast_member *udp_host_member(struct udp_host *host);

/* How a code of the core is returned where a -errno may be too: the two number their faults alike.
 */
#define UDP_CORE_CODES (-1000)
int udp_core_code(int code);

/* The clock of all drivers. */
mcast_time udp_now(void);

#endif
