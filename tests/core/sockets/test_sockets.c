/* Sockets on loopback: other sockets of the machine receive what one node sends, in trains or not.
 */
#define _GNU_SOURCE
#include "check.h"
#include "sockets/receive.h"
#include "sockets/send.h"

#include "mcast/system_memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROOM = 4096 };

/* Replaces the function of the system: the reply of an interface that cannot segment trains. */
static int refuses_trains;

int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags) {
    unsigned plain = 0;
    while (plain < count && (refuses_trains == 0 || messages[plain].msg_hdr.msg_control == NULL)) {
        plain++;
    }
    if (plain == 0) {
        errno = refuses_trains;
        return -1;
    }
    return (int)syscall(SYS_sendmmsg, fd, messages, plain, flags);
}

struct node {
    struct udp_sockets sockets;
    struct udp_sender *sender;
    struct udp_buffers *pool;
    struct udp_catch catch;
};

static struct udp_options options(bool offload) {
    struct udp_options made = {
        .receive_buffer = 1 << 22, .send_buffer = 1 << 20, .ttl = 0, .offload = offload};
    made.interface.s_addr = htonl(INADDR_LOOPBACK);
    return made;
}

static void begin(struct node *node, bool offload) {
    struct udp_options wanted = options(offload);
    memset(node, 0, sizeof *node);
    CHECK(udp_sockets_open(&node->sockets, &wanted) == 0);
    node->sender = calloc(1, sizeof *node->sender);
    node->pool = udp_buffers_new(mcast_system_memory(), 16);
    node->catch.events = calloc(ROOM, sizeof *node->catch.events);
    node->catch.held = calloc(ROOM, sizeof(struct mcast_buffer *));
    node->catch.room = node->catch.held_room = ROOM;
    CHECK(node->sender && node->pool && node->catch.events && node->catch.held);
}

static void finish(struct node *node) {
    udp_catch_clear(&node->catch);
    udp_sender_clear(node->sender);
    udp_sockets_close(&node->sockets);
    udp_buffers_close(node->pool);
    free(node->sender);
    free(node->catch.events);
    free(node->catch.held);
}

/* A region address that no other test and no other process is likely to use. */
static struct mcast_address region(unsigned salt) {
    uint16_t base = (uint16_t)(20000 + (unsigned)getpid() % 20000 + 3 * salt);
    struct in_addr ip;
    ip.s_addr = htonl(0xEFFF4D00u + salt); /* 239.255.77.x */
    return udp_address(ip, (uint16_t[]){base, (uint16_t)(base + 1), (uint16_t)(base + 2)});
}

static struct mcast_datagram datagram(const uint8_t *bytes, uint32_t length,
                                      struct mcast_address to, enum mcast_socket socket) {
    uint32_t half = length / 2;
    return (struct mcast_datagram){.parts = {{bytes, half}, {bytes + half, length - half}},
                                   .part_count = 2,
                                   .length = length,
                                   .to = to,
                                   .socket = socket};
}

static struct udp_inlet *inlet(struct node *node, enum mcast_socket class) {
    return node->sockets.count > 0 ? &node->sockets.listening[class] : &node->sockets.own[class];
}

/* Take the datagrams that arrived for @class; loopback delivers within the call of the sender. */
static size_t receive(struct node *node, enum mcast_socket class) {
    CHECK(udp_receive(inlet(node, class), node->pool, &node->catch) >= 0);
    return node->catch.count;
}

static void a_train_arrives_as_the_datagrams_it_is_made_of(bool offload) {
    enum { COUNT = 200 };
    struct node from, to;
    static uint8_t bytes[COUNT][1000];
    static struct mcast_datagram list[COUNT];
    begin(&from, offload);
    begin(&to, offload);
    struct mcast_address address = region(offload ? 1 : 2);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    for (int i = 0; i < COUNT; i++) {
        memset(bytes[i], i, sizeof bytes[i]);
        /* every eleventh is shorter: it ends a train */
        list[i] = datagram(bytes[i], i % 11 == 10 ? 400 : 1000, address, MCAST_DATA);
    }
    CHECK(udp_send(from.sender, &from.sockets, list, COUNT));
    CHECK(from.sender->datagrams == COUNT && from.sender->lost == 0);
    CHECK(receive(&to, MCAST_DATA) == COUNT);
    for (int i = 0; i < COUNT; i++) {
        const struct mcast_event *event = &to.catch.events[i];
        CHECK(event->kind == MCAST_EVENT_DATAGRAM && event->as.datagram.socket == MCAST_DATA);
        CHECK(event->as.datagram.length == list[i].length);
        CHECK(memcmp(event->as.datagram.bytes, bytes[i], list[i].length) == 0);
    }
    if (from.sockets.gso) {
        CHECK(from.sender->messages < COUNT / 5);
    } else {
        CHECK(from.sender->messages == COUNT);
    }
    finish(&from);
    finish(&to);
}

static void trains_are_split_again(void) {
    a_train_arrives_as_the_datagrams_it_is_made_of(true);
}

static void without_offload_the_same_datagrams_arrive(void) {
    a_train_arrives_as_the_datagrams_it_is_made_of(false);
}

static void send_and_look(struct node *from, struct node *to, struct mcast_address address) {
    enum { COUNT = 130 };
    static uint8_t bytes[COUNT][500];
    static struct mcast_datagram list[COUNT];
    for (int i = 0; i < COUNT; i++) {
        memset(bytes[i], i, sizeof bytes[i]);
        list[i] = datagram(bytes[i], 500, address, MCAST_DATA);
    }
    CHECK(udp_send(from->sender, &from->sockets, list, COUNT));
    CHECK(receive(to, MCAST_DATA) == COUNT);
    for (int i = 0; i < COUNT; i++) {
        CHECK(memcmp(to->catch.events[i].as.datagram.bytes, bytes[i], 500) == 0);
    }
    udp_catch_clear(&to->catch);
}

static void an_interface_that_refuses_trains_gets_single_datagrams_and_nothing_is_lost(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(9);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    refuses_trains = EIO;
    send_and_look(&from, &to, address);
    CHECK(from.sender->datagrams == 130 && from.sender->lost == 0);
    CHECK(from.sender->messages == 130);
    refuses_trains = 0;
    uint64_t before = from.sender->messages;
    send_and_look(&from, &to, address);
    CHECK(from.sender->messages == before + 130); /* and no train any more */
    finish(&from);
    finish(&to);
}

static void a_train_that_is_refused_for_another_reason_is_lost_and_trains_go_on(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(10);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    uint8_t bytes[2][500] = {{1}, {2}};
    struct mcast_datagram list[] = {datagram(bytes[0], 500, address, MCAST_DATA),
                                    datagram(bytes[1], 500, address, MCAST_DATA)};
    refuses_trains = EPERM;
    CHECK(udp_send(from.sender, &from.sockets, list, 2));
    refuses_trains = 0;
    CHECK(from.sender->lost == (from.sockets.gso ? 2 : 0) && !from.sender->no_trains);
    finish(&from);
    finish(&to);
}

static void classes_have_queues_of_their_own(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(3);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    uint8_t byte[2] = {1, 2};
    struct mcast_datagram list[] = {datagram(byte, 2, address, MCAST_DATA),
                                    datagram(byte, 2, address, MCAST_CONTROL),
                                    datagram(byte, 2, address, MCAST_REPAIR)};
    CHECK(udp_send(from.sender, &from.sockets, list, 3));
    CHECK(receive(&to, MCAST_CONTROL) == 1);
    CHECK(receive(&to, MCAST_REPAIR) == 2);
    CHECK(receive(&to, MCAST_DATA) == 3);
    finish(&from);
    finish(&to);
}

static void a_datagram_to_a_node_arrives_only_there(void) {
    struct node from, to, other;
    begin(&from, true);
    begin(&to, true);
    begin(&other, true);
    uint8_t bytes[4] = "abc";
    struct mcast_datagram one = datagram(bytes, 4, udp_sockets_address(&to.sockets), MCAST_CONTROL);
    CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    CHECK(receive(&to, MCAST_CONTROL) == 1);
    CHECK(receive(&other, MCAST_CONTROL) == 0);
    finish(&from);
    finish(&to);
    finish(&other);
}

static void datagrams_of_groups_that_others_joined_do_not_arrive(void) {
    struct node from, here, there;
    begin(&from, true);
    begin(&here, true);
    begin(&there, true);
    struct mcast_address one = region(4);
    struct mcast_address two = one;
    two.ip[15] = (uint8_t)(two.ip[15] + 1); /* another group on the same ports */
    CHECK(udp_sockets_listen(&here.sockets, &one) == 0);
    CHECK(udp_sockets_listen(&there.sockets, &two) == 0);
    uint8_t bytes[2] = {0};
    struct mcast_datagram list[] = {datagram(bytes, 2, two, MCAST_DATA)};
    CHECK(udp_send(from.sender, &from.sockets, list, 1));
    CHECK(receive(&there, MCAST_DATA) == 1);
    CHECK(receive(&here, MCAST_DATA) == 0);
    finish(&from);
    finish(&here);
    finish(&there);
}

static void listening_can_stop_and_start_again(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(6);
    uint8_t bytes[2] = {0};
    struct mcast_datagram one = datagram(bytes, 2, address, MCAST_DATA);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    CHECK(to.sockets.count == MCAST_SOCKETS);
    CHECK(udp_sockets_unlisten(&to.sockets, &address));
    CHECK(!udp_sockets_unlisten(&to.sockets, &address));
    CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    CHECK(receive(&to, MCAST_DATA) == 0);
    CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    CHECK(receive(&to, MCAST_DATA) == 1);
    finish(&from);
    finish(&to);
}

static void more_than_twenty_addresses_can_be_listened_to(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    uint8_t bytes[2] = {0};
    for (unsigned i = 0; i < 40; i++) {
        struct mcast_address address = region(10 + i);
        CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    }
    struct mcast_address last = region(49);
    struct mcast_datagram one = datagram(bytes, 2, last, MCAST_DATA);
    CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    struct udp_inlet *place = &to.sockets.listening[39 * MCAST_SOCKETS + MCAST_DATA];
    CHECK(udp_receive(place, to.pool, &to.catch) == 0 && to.catch.count == 1);
    finish(&from);
    finish(&to);
}

static void a_full_catch_leaves_the_rest_in_the_kernel(void) {
    enum { COUNT = 300 };
    struct node from, to;
    static struct mcast_datagram list[COUNT];
    uint8_t bytes[100] = {0};
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(60);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    to.catch.room = 256;
    for (int i = 0; i < COUNT; i++) {
        list[i] = datagram(bytes, 100, address, MCAST_DATA);
    }
    CHECK(udp_send(from.sender, &from.sockets, list, COUNT));
    size_t sum = 0;
    int more = 1;
    for (int turn = 0; turn < 10 && more == 1; turn++) {
        more = udp_receive(inlet(&to, MCAST_DATA), to.pool, &to.catch);
        CHECK(to.catch.count <= 256);
        sum += to.catch.count;
        udp_catch_clear(&to.catch);
    }
    CHECK(more == 0 && sum == COUNT);
    CHECK(to.pool->out == 0);
    finish(&from);
    finish(&to);
}

/* Long datagrams take a buffer each, so buffers have a bound of their own. */
static void a_catch_holds_a_bounded_count_of_buffers(void) {
    enum { COUNT = 10, HELD = 4 };
    struct node from, to;
    uint8_t bytes[100] = {0};
    begin(&from, false);
    begin(&to, false);
    struct mcast_address address = region(62);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    to.catch.held_room = HELD;
    for (int i = 0; i < COUNT; i++) {
        struct mcast_datagram one = datagram(bytes, 100, address, MCAST_DATA);
        CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    }
    for (size_t left = COUNT; left > 0; left -= to.catch.count) {
        udp_catch_clear(&to.catch);
        int more = udp_receive(inlet(&to, MCAST_DATA), to.pool, &to.catch);
        CHECK(more == (left > HELD) && to.catch.count == (left < HELD ? left : HELD));
    }
    udp_catch_clear(&to.catch);
    CHECK(to.pool->out == 0);
    finish(&from);
    finish(&to);
}

static void a_kept_buffer_outlives_the_pool(void) {
    struct node from, to;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(61);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    uint8_t bytes[6] = "still";
    struct mcast_datagram one = datagram(bytes, 6, address, MCAST_DATA);
    CHECK(udp_send(from.sender, &from.sockets, &one, 1));
    CHECK(receive(&to, MCAST_DATA) == 1);
    const uint8_t *kept = to.catch.events[0].as.datagram.bytes;
    struct mcast_buffer *buffer = mcast_buffer_hold(to.catch.events[0].as.datagram.buffer);
    finish(&to);
    CHECK(memcmp(kept, "still", 6) == 0);
    mcast_buffer_release(buffer);
    finish(&from);
}

static bool lose_every_other(void *context, enum mcast_socket class) {
    unsigned *seen = context;
    (void)class;
    return (*seen)++ % 2 == 0;
}

static void a_filter_can_drop_single_datagrams_of_a_train(void) {
    enum { COUNT = 40 };
    struct node from, to;
    static struct mcast_datagram list[COUNT];
    uint8_t bytes[100] = {0};
    unsigned seen = 0;
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(62);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    to.catch.sieve = lose_every_other;
    to.catch.sieve_context = &seen;
    for (int i = 0; i < COUNT; i++) {
        list[i] = datagram(bytes, 100, address, MCAST_DATA);
    }
    CHECK(udp_send(from.sender, &from.sockets, list, COUNT));
    CHECK(receive(&to, MCAST_DATA) == COUNT / 2);
    CHECK(to.catch.lost == COUNT / 2 && to.catch.datagrams == COUNT);
    finish(&from);
    finish(&to);
}

static void the_kernels_drops_are_counted(void) {
    enum { COUNT = 400 };
    struct node from, to;
    static struct mcast_datagram list[COUNT];
    static uint8_t bytes[8000];
    begin(&from, false);
    begin(&to, false);
    to.sockets.receive_buffer = 16384;
    struct mcast_address address = region(63);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    for (int i = 0; i < COUNT; i++) {
        list[i] = datagram(bytes, sizeof bytes, address, MCAST_DATA);
    }
    CHECK(udp_send(from.sender, &from.sockets, list, COUNT));
    size_t first = receive(&to, MCAST_DATA);
    CHECK(first < COUNT);
    udp_catch_clear(&to.catch);
    /* The kernel reports its count with the next datagram that it queues. */
    CHECK(udp_send(from.sender, &from.sockets, list, 1));
    CHECK(receive(&to, MCAST_DATA) == 1);
    CHECK(to.sockets.listening[MCAST_DATA].drops == COUNT - first);
    finish(&from);
    finish(&to);
}

static void an_address_of_another_family_is_lost_and_counted(void) {
    struct node from;
    begin(&from, true);
    uint8_t bytes[2] = {0};
    struct mcast_address address = region(64);
    struct mcast_address alien = address;
    alien.ip[0] = 0xfe;
    struct mcast_datagram list[] = {datagram(bytes, 2, alien, MCAST_DATA),
                                    datagram(bytes, 2, address, MCAST_DATA),
                                    datagram(bytes, 2, alien, MCAST_DATA)};
    CHECK(udp_send(from.sender, &from.sockets, list, 3));
    CHECK(from.sender->lost == 2 && from.sender->datagrams == 1);
    CHECK(udp_sockets_listen(&from.sockets, &alien) == -EAFNOSUPPORT);
    CHECK(from.sockets.count == 0);
    finish(&from);
}

static void a_datagram_too_large_is_lost_and_the_next_one_goes(void) {
    struct node from, to;
    static uint8_t large[70000];
    begin(&from, true);
    begin(&to, true);
    struct mcast_address address = region(65);
    CHECK(udp_sockets_listen(&to.sockets, &address) == 0);
    struct mcast_datagram list[] = {datagram(large, sizeof large, address, MCAST_DATA),
                                    datagram(large, 10, address, MCAST_DATA)};
    list[1].to.port[MCAST_DATA] = address.port[MCAST_DATA];
    CHECK(udp_send(from.sender, &from.sockets, &list[0], 1));
    CHECK(udp_send(from.sender, &from.sockets, &list[1], 1));
    CHECK(from.sender->lost == 1);
    CHECK(receive(&to, MCAST_DATA) == 1);
    finish(&from);
    finish(&to);
}

static void sockets_that_cannot_be_opened_leave_nothing_open(void) {
    struct udp_sockets sockets;
    struct udp_options wanted = options(true);
    int before = dup(0);
    wanted.interface.s_addr = htonl(0xCB007109u); /* 203.0.113.9: an address for documentation (RFC
                                                   * 5737), which no host has */
    CHECK(udp_sockets_open(&sockets, &wanted) == -EADDRNOTAVAIL);
    int after = dup(0);
    CHECK(after == before + 1);
    close(before);
    close(after);
}

static void the_largest_datagram_follows_from_the_interface(void) {
    struct in_addr loopback = {.s_addr = htonl(INADDR_LOOPBACK)};
    struct in_addr nobody = {.s_addr = htonl(0xcb007109)};
    CHECK(udp_largest_datagram(loopback) >= 1472);
    CHECK(udp_largest_datagram(nobody) == 0);
}

int main(void) {
    RUN(trains_are_split_again);
    RUN(without_offload_the_same_datagrams_arrive);
    RUN(an_interface_that_refuses_trains_gets_single_datagrams_and_nothing_is_lost);
    RUN(a_train_that_is_refused_for_another_reason_is_lost_and_trains_go_on);
    RUN(classes_have_queues_of_their_own);
    RUN(a_datagram_to_a_node_arrives_only_there);
    RUN(datagrams_of_groups_that_others_joined_do_not_arrive);
    RUN(listening_can_stop_and_start_again);
    RUN(more_than_twenty_addresses_can_be_listened_to);
    RUN(a_full_catch_leaves_the_rest_in_the_kernel);
    RUN(a_catch_holds_a_bounded_count_of_buffers);
    RUN(a_kept_buffer_outlives_the_pool);
    RUN(a_filter_can_drop_single_datagrams_of_a_train);
    RUN(the_kernels_drops_are_counted);
    RUN(an_address_of_another_family_is_lost_and_counted);
    RUN(a_datagram_too_large_is_lost_and_the_next_one_goes);
    RUN(sockets_that_cannot_be_opened_leave_nothing_open);
    RUN(the_largest_datagram_follows_from_the_interface);
    return 0;
}
