#define _GNU_SOURCE
#include "sockets/send.h"

#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    MESSAGES = 32,       /* messages sent by one call */
    PIECES = 1024,       /* pieces that they may have together */
    TRAIN_MOST = 64,     /* datagrams in a train that every kernel with GSO accepts */
    TRAIN_BYTES = 65000, /* less than the largest IPv4 datagram */
};

/* Messages gathered and not yet given to the kernel. */
struct load {
    struct mmsghdr messages[MESSAGES];
    struct sockaddr_in to[MESSAGES];
    struct iovec pieces[PIECES];
    size_t datagrams[MESSAGES];                    /* the count of datagrams in each message */
    const struct mcast_datagram *trains[MESSAGES]; /* the first datagram of each */
    _Alignas(struct cmsghdr) uint8_t control[MESSAGES][CMSG_SPACE(sizeof(uint16_t))];
    size_t count;
    size_t piece_count;
    int fd;
};

static bool same_place(const struct mcast_datagram *a, const struct mcast_datagram *b) {
    return a->socket == b->socket && memcmp(&a->to, &b->to, sizeof a->to) == 0;
}

/* Count the leading datagrams that make one train: equal in length, except for a shorter last one.
 * A token that is sent twice stays out of trains, so that its copies are lost independently. */
static size_t train_length(const struct mcast_datagram *datagrams, size_t count, bool gso) {
    size_t n = 1;
    size_t bytes = datagrams[0].length;
    gso = gso && datagrams[0].socket != MCAST_CONTROL;
    while (gso && n < count && n < TRAIN_MOST && same_place(&datagrams[0], &datagrams[n]) &&
           datagrams[n].length <= datagrams[0].length && datagrams[n].length > 0 &&
           bytes + datagrams[n].length <= TRAIN_BYTES) {
        bytes += datagrams[n].length;
        n++;
        if (datagrams[n - 1].length < datagrams[0].length) {
            break;
        }
    }
    return n;
}

static void name_segment(struct msghdr *header, uint8_t *control, uint32_t length) {
    uint16_t size = (uint16_t)length;
    header->msg_control = control;
    header->msg_controllen = CMSG_SPACE(sizeof size);
    memset(control, 0, CMSG_SPACE(sizeof size));
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    item->cmsg_level = IPPROTO_UDP;
    item->cmsg_type = UDP_SEGMENT;
    item->cmsg_len = CMSG_LEN(sizeof size);
    memcpy(CMSG_DATA(item), &size, sizeof size);
}

static size_t piece_count(const struct mcast_datagram *datagrams, size_t count) {
    size_t pieces = 0;
    for (size_t i = 0; i < count; i++) {
        pieces += datagrams[i].part_count;
    }
    return pieces;
}

/* Add a train to the load, which has room for it. */
static void gather(struct load *load, const struct mcast_datagram *train, size_t count) {
    struct msghdr *header = &load->messages[load->count].msg_hdr;
    struct iovec *first = &load->pieces[load->piece_count];
    for (size_t i = 0; i < count; i++) {
        for (uint32_t part = 0; part < train[i].part_count; part++) {
            load->pieces[load->piece_count++] =
                (struct iovec){.iov_base = (void *)(uintptr_t)train[i].parts[part].bytes,
                               .iov_len = train[i].parts[part].length};
        }
    }
    *header = (struct msghdr){.msg_name = &load->to[load->count],
                              .msg_namelen = sizeof load->to[load->count],
                              .msg_iov = first,
                              .msg_iovlen = (size_t)(&load->pieces[load->piece_count] - first)};
    if (count > 1) {
        name_segment(header, load->control[load->count], train[0].length);
    }
    load->datagrams[load->count] = count;
    load->trains[load->count] = train;
    load->count++;
}

static bool send_plain(struct udp_sender *sender, int fd, const struct mcast_datagram *datagram);

/* The kernel refuses to segment a train if the interface cannot compute its checksum, or encrypts,
 * although the kernel supports the option; only the attempt shows it. Send its datagrams one by
 * one, and everything after it. Datagrams that find no room then are lost, and repaired like any
 * other. */
static bool takes_no_train(struct udp_sender *sender, const struct load *load, size_t at,
                           int error) {
    if (load->datagrams[at] < 2 || (error != EIO && error != EOPNOTSUPP)) {
        return false;
    }
    sender->no_trains = true;
    for (size_t i = 0; i < load->datagrams[at]; i++) {
        bool sent = send_plain(sender, load->fd, &load->trains[at][i]);
        sender->messages += sent ? 1 : 0;
        sender->datagrams += sent ? 1 : 0;
        sender->lost += sent ? 0 : 1;
    }
    return true;
}

/* Give the load to the kernel. Return how many of its messages need not be sent again: a message
 * refused for another reason than lack of room is lost and skipped. */
static size_t deliver(struct udp_sender *sender, struct load *load) {
    size_t done = 0;
    while (done < load->count) {
        int sent =
            sendmmsg(load->fd, load->messages + done, (unsigned)(load->count - done), MSG_DONTWAIT);
        sender->calls++;
        if (sent > 0) {
            for (int i = 0; i < sent; i++) {
                sender->datagrams += load->datagrams[done + (size_t)i];
            }
            sender->messages += (uint64_t)sent;
            done += (size_t)sent;
        } else if (errno == EAGAIN) {
            break;
        } else if (takes_no_train(sender, load, done, errno)) {
            done++;
        } else if (errno != EINTR) {
            sender->lost += load->datagrams[done++];
        }
    }
    return done;
}

static bool send_plain(struct udp_sender *sender, int fd, const struct mcast_datagram *datagram) {
    struct iovec pieces[MCAST_DATAGRAM_PARTS];
    struct sockaddr_in to;
    struct msghdr header = {.msg_name = &to,
                            .msg_namelen = sizeof to,
                            .msg_iov = pieces,
                            .msg_iovlen = datagram->part_count};
    for (uint32_t part = 0; part < datagram->part_count; part++) {
        pieces[part] = (struct iovec){.iov_base = (void *)(uintptr_t)datagram->parts[part].bytes,
                                      .iov_len = datagram->parts[part].length};
    }
    sender->calls++;
    return udp_destination(&datagram->to, datagram->socket, &to) &&
           sendmsg(fd, &header, MSG_DONTWAIT) >= 0;
}

/* Gather trains from the front of @datagrams for one socket, as many as one call accepts. Return
 * the count of datagrams gathered or skipped. */
static size_t fill(struct udp_sender *sender, struct load *load, const struct udp_sockets *sockets,
                   const struct mcast_datagram *datagrams, size_t count) {
    size_t taken = 0;
    load->count = load->piece_count = 0;
    load->fd = sockets->own[datagrams[0].socket].fd;
    while (taken < count && load->count < MESSAGES &&
           datagrams[taken].socket == datagrams[0].socket) {
        const struct mcast_datagram *train = datagrams + taken;
        if (!udp_destination(&train->to, train->socket, &load->to[load->count])) {
            sender->lost++;
            taken++;
            continue;
        }
        size_t length = train_length(train, count - taken, sockets->gso && !sender->no_trains);
        if (load->piece_count + piece_count(train, length) > PIECES) {
            break;
        }
        gather(load, train, length);
        taken += length;
    }
    return taken;
}

static void put_aside(struct udp_sender *sender, const struct mcast_datagram *datagram) {
    uint8_t *bytes = NULL;
    if (sender->count < UDP_ASIDE_MAX && sender->bytes + datagram->length <= UDP_ASIDE_BYTES) {
        bytes = malloc(datagram->length);
    }
    if (bytes == NULL) {
        sender->lost++;
        return;
    }
    size_t at = (sender->first + sender->count++) % UDP_ASIDE_MAX;
    sender->aside[at] = (struct udp_aside){
        .bytes = bytes, .length = datagram->length, .to = datagram->to, .socket = datagram->socket};
    sender->bytes += datagram->length;
    for (uint32_t part = 0; part < datagram->part_count; part++) {
        memcpy(bytes, datagram->parts[part].bytes, datagram->parts[part].length);
        bytes += datagram->parts[part].length;
    }
}

/* The count of datagrams in the first @messages messages of the load. */
static size_t datagrams_in(const struct load *load, size_t messages) {
    size_t sum = 0;
    for (size_t i = 0; i < messages; i++) {
        sum += load->datagrams[i];
    }
    return sum;
}

bool udp_send(struct udp_sender *sender, const struct udp_sockets *sockets,
              const struct mcast_datagram *datagrams, size_t count) {
    struct load load;
    size_t at = 0;
    bool open = udp_send_rest(sender, sockets);
    while (open && at < count) {
        size_t taken = fill(sender, &load, sockets, datagrams + at, count - at);
        size_t done = deliver(sender, &load);
        open = done == load.count;
        /* Datagrams skipped for their address lie between the trains. If the kernel is full, count
         * the tail back from the end, so that none is sent twice. */
        at += open ? taken : taken - (datagrams_in(&load, load.count) - datagrams_in(&load, done));
    }
    for (; at < count; at++) {
        put_aside(sender, &datagrams[at]);
    }
    return open;
}

static void drop_first(struct udp_sender *sender) {
    struct udp_aside *aside = &sender->aside[sender->first];
    sender->bytes -= aside->length;
    free(aside->bytes);
    sender->first = (sender->first + 1) % UDP_ASIDE_MAX;
    sender->count--;
}

bool udp_send_rest(struct udp_sender *sender, const struct udp_sockets *sockets) {
    while (sender->count > 0) {
        const struct udp_aside *aside = &sender->aside[sender->first];
        struct sockaddr_in to;
        ssize_t sent = -1;
        errno = EAFNOSUPPORT;
        if (udp_destination(&aside->to, aside->socket, &to)) {
            sent = sendto(sockets->own[aside->socket].fd, aside->bytes, aside->length, MSG_DONTWAIT,
                          (const struct sockaddr *)&to, sizeof to);
        }
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0 && errno == EAGAIN) {
            return false;
        }
        if (sent < 0) {
            sender->lost++;
        } else {
            sender->datagrams++;
        }
        drop_first(sender);
    }
    return true;
}

enum mcast_socket udp_sender_full(const struct udp_sender *sender) {
    return sender->count > 0 ? sender->aside[sender->first].socket : MCAST_DATA;
}

void udp_sender_clear(struct udp_sender *sender) {
    while (sender->count > 0) {
        drop_first(sender);
    }
}
