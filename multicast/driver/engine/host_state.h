/* The state of a host, shared by host.c and service_link.c, which keeps the stream to the
 * membership service. */
#ifndef DRIVER_ENGINE_HOST_STATE_H
#define DRIVER_ENGINE_HOST_STATE_H

#include "engine/host.h"
#include "service_connection/service_session.h"
#include "sockets/send.h"
#include "sockets/wake_policy.h"

/* Events that the application may submit from within its callbacks. */
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
    mcast_time prove_by;  /* when the service must have proved itself; MCAST_NEVER once it has */
    mcast_time next_rest; /* when the buffer pool is checked next */
    bool evicted;         /* true if the member is evicted: it has nothing to say until REJOIN */
    bool stream_up;       /* true if the session is open and the member knows it */
    bool stream_out;      /* true if epoll watches the stream for writing */
    bool blocked; /* true if the kernel accepted no more; that socket is watched for writing */
    enum mcast_socket full; /* that socket */
    struct udp_nap nap;     /* replaces waiting during a flood */
    bool more;              /* true if the member has more data to send */
    uint64_t unread;        /* messages that the application has not taken */
    uint64_t unread_bytes;  /* and their bytes */
    mcast_time unread_for;  /* for how long it has taken nothing */
    bool stepping;          /* true if a callback is called from within a step */
    int poll;
    int napping;                          /* the descriptor that ends a nap */
    struct mcast_event queue[QUEUE_MOST]; /* events submitted meanwhile */
    size_t queued;
    uint64_t steps;
    uint64_t connections;
    uint64_t strangers;
};

/* Make epoll watch @fd for @what. Return 0 or -errno. */
int udp_host_watch(int poll, int operation, int fd, uint32_t what);
/* One step with these events, and those that follow from it. Return 0 or a code. */
int udp_host_step(struct udp_host *host, const struct mcast_event *events, size_t count);

/* Try to connect to the service. Return 0 or a code, like all functions below. */
int udp_host_connect(struct udp_host *host);
/* The stream ended, or the other end is not ours: tell the member. */
int udp_host_stream_lost(struct udp_host *host);
/* The stream is readable, or its connect has ended. */
int udp_host_read_stream(struct udp_host *host);
/* Write the waiting output. */
int udp_host_flush(struct udp_host *host);
/* Send the service what a step produced for it. */
void udp_host_talk(struct udp_host *host, const struct mcast_output *output);

#endif
