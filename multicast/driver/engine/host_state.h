/* The host's state, for its two parts: udp_host.c, and udp_host_service.c, which keeps the stream
 * to the membership service. */
#ifndef MCAST_UDP_HOST_INSIDE_H
#define MCAST_UDP_HOST_INSIDE_H

#include "engine/host.h"
#include "service_connection/service_session.h"
#include "sockets/send.h"
#include "sockets/wake_policy.h"

/* How many events the application may submit from within its functions. */
enum { QUEUE_MOST = 4096 };

struct udp_host {
    struct mcast_member *member;
    struct udp_application application;
    struct udp_sockets sockets;
    struct udp_sender sender;
    struct udp_buffers *pool;
    struct udp_catch catch;
    struct udp_session session;
    struct mcast_keyring *keyring;
    struct udp_place service;
    mcast_time reconnect;
    mcast_time next_try;
    mcast_time prove_by;  /* is when the service must have proved itself; MCAST_NEVER once it has */
    mcast_time next_rest; /* is when the pool is looked at */
    bool evicted;         /* says that the member is out: it has nothing to say until REJOIN */
    bool stream_up;       /* says that the session is open, and the member was told so */
    bool stream_out;      /* says that epoll watches the stream for writing */
    bool blocked; /* says that the kernel took no more; that socket is watched for writing */
    enum mcast_socket full; /* is that socket */
    struct udp_nap nap;     /* is in place of waiting, where much comes */
    bool more;              /* says that the member has data that it was not asked for yet */
    uint64_t unread;        /* is how many messages the application has not taken … */
    uint64_t unread_bytes;  /* and how large they are */
    bool stepping;          /* says that the application is called from within a step */
    int poll;
    int napping;                          /* is what ends a nap */
    struct mcast_event queue[QUEUE_MOST]; /* is what was submitted meanwhile */
    size_t queued;
    uint64_t steps;
    uint64_t connections;
    uint64_t strangers;
};

/* Has epoll watch @fd for @what. 0 or -errno. */
int udp_host_watch(int poll, int operation, int fd, uint32_t what);
/* One step with these events, and those that it gives rise to. 0 or a code. */
int udp_host_step(struct udp_host *host, const struct mcast_event *events, size_t count);

/* Tries to reach the service. 0 or a code, as all that follow. */
int udp_host_connect(struct udp_host *host);
/* The stream is at its end, or another end than ours: the member is told. */
int udp_host_stream_lost(struct udp_host *host);
/* The stream can be read, or its connection is decided. */
int udp_host_read_stream(struct udp_host *host);
/* Writes what waits to be written. */
int udp_host_flush(struct udp_host *host);
/* Says to the service what a step left for it. */
void udp_host_talk(struct udp_host *host, const struct mcast_output *output);

#endif
