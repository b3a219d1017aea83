/* One end of a measured flow: raw datagrams, packed datagrams, or members of the engine.
 *
 *     flow raw|packed|blocking|ours send|receive SIZE SECONDS RATE RECEIVERS PORT PACKET
 * SERVICE
 *
 * Every receiver holds each message against its sender's mark, the number that is due, and a
 * checksum of the payload, and prints one line of JSON. RATE is in messages a second, 0 for as fast
 * as it goes. The sender prints its line when all has left. */
#define _GNU_SOURCE
#include "mcast/error.h"
#include "mcast/system_memory.h"
#include "udp_host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PACKED_BYTES = 60000,
    BATCH = 240, /* is four packets of 1 KB messages */
    TAKEN = 64,
    NAP_MICROSECONDS = 100,
    BUFFER = 32 * 1024 * 1024, /* is the same for all modes */
    SAMPLES = 100000,
    PENDING = 4096,
    SILENCE_MS = 400,
};

struct head {
    uint64_t number; /* begins at 0 */
    uint64_t sent_at;
    uint32_t mark;
    uint32_t last; /* says that nothing follows */
    uint32_t size;
    uint32_t checksum; /* is of the rest */
};

struct flow {
    const char *mode;
    bool sends;
    uint32_t size;
    double seconds;
    double rate;
    unsigned receivers;
    uint16_t port;
    uint32_t packet;
    const char *service;
    /* the receiver's */
    uint64_t next;
    uint64_t gaps;
    uint64_t repeated;
    uint64_t wrong;
    mcast_time first;
    mcast_time end;
    bool over;
    uint32_t *delays; /* in nanoseconds */
    size_t delay_count;
};

/* --- messages -----------------------------------------------------------------------------------
 */

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t checksum(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0xFFFFFFFFu;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, 8);
        sum = __builtin_ia32_crc32di(sum, word);
    }
    for (; count > 0; bytes++, count--) {
        sum = __builtin_ia32_crc32qi((uint32_t)sum, *bytes);
    }
    return (uint32_t)sum;
}
#else
static uint32_t checksum(const uint8_t *bytes, size_t count) {
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < count; i++) {
        sum = (sum ^ bytes[i]) * 16777619u;
    }
    return sum;
}
#endif

static void write_message(const struct flow *flow, uint8_t *bytes, uint64_t number, bool last) {
    struct head head = {.number = number,
                        .sent_at = udp_now(),
                        .mark = flow->port,
                        .last = last,
                        .size = flow->size};
    uint32_t rest = flow->size - (uint32_t)sizeof head;
    memset(bytes + sizeof head, (int)(number & 0xFF), rest);
    head.checksum = checksum(bytes + sizeof head, rest);
    memcpy(bytes, &head, sizeof head);
}

static void check_message(struct flow *flow, const uint8_t *bytes, size_t length) {
    struct head head;
    if (length < sizeof head) {
        flow->wrong++;
        return;
    }
    memcpy(&head, bytes, sizeof head);
    if (head.mark != flow->port || head.size != length ||
        head.checksum != checksum(bytes + sizeof head, length - sizeof head)) {
        flow->wrong++;
        return;
    }
    flow->end = udp_now();
    if (flow->next == 0 && flow->first == 0) {
        flow->first = flow->end;
    }
    if (head.number < flow->next) {
        flow->repeated++;
        return;
    }
    flow->gaps += head.number - flow->next;
    flow->next = head.number + 1;
    flow->over = head.last != 0;
    if (flow->delay_count < SAMPLES) {
        flow->delays[flow->delay_count++] = (uint32_t)(flow->end - head.sent_at);
    }
}

static int by_size(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_received(struct flow *flow) {
    qsort(flow->delays, flow->delay_count, sizeof *flow->delays, by_size);
    double p50 = flow->delay_count == 0 ? 0 : flow->delays[flow->delay_count / 2];
    double p99 = flow->delay_count == 0 ? 0 : flow->delays[flow->delay_count * 99 / 100];
    printf(
        "{\"received\": %llu, \"gaps\": %llu, \"repeated\": %llu, \"wrong\": %llu, "
        "\"seconds\": %.6f, \"cpu\": %.4f, \"p50\": %.0f, \"p99\": %.0f}\n",
        (unsigned long long)(flow->next - flow->gaps), (unsigned long long)flow->gaps,
        (unsigned long long)flow->repeated, (unsigned long long)flow->wrong,
        (double)(flow->end - flow->first) / 1e9, cpu_seconds(), p50, p99);
}

static void print_sent(uint64_t count, mcast_time span) {
    printf("{\"sent\": %llu, \"seconds\": %.6f, \"cpu\": %.4f}\n", (unsigned long long)count,
           (double)span / 1e9, cpu_seconds());
}

static void say_ready(void) {
    printf("{\"ready\": true}\n");
    fflush(stdout);
}

static void await_start(void) {
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL) {
        exit(1);
    }
}

static void nap(long microseconds) {
    struct timespec span = {.tv_nsec = microseconds * 1000};
    nanosleep(&span, NULL);
}

/* How many messages are due by now. */
static uint64_t due(const struct flow *flow, mcast_time begun) {
    double span = (double)(udp_now() - begun) / 1e9;
    return flow->rate == 0 ? UINT64_MAX : (uint64_t)(span * flow->rate) + 1;
}

/* --- raw lines ----------------------------------------------------------------------------------
 */

static struct sockaddr_in raw_address(const struct flow *flow) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(flow->port)};
    to.sin_addr.s_addr = htonl(0xEFFF5A01u);
    return to;
}

static int raw_socket(const struct flow *flow) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int one = 1;
    int size = BUFFER;
    struct in_addr here = {.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in group = raw_address(flow);
    struct ip_mreq membership = {.imr_multiaddr = group.sin_addr, .imr_interface = here};
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &here, sizeof here);
    if (!flow->sends &&
        (bind(fd, (const struct sockaddr *)&group, sizeof group) != 0 ||
         setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership) != 0)) {
        perror("flow: a raw receiver");
        exit(3);
    }
    return fd;
}

static void check_datagram(struct flow *flow, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at + flow->size <= length; at += flow->size) {
        check_message(flow, bytes + at, flow->size);
    }
}

/* Drains, then naps or blocks; ends with the last message or after a long silence. */
static void receive_raw(struct flow *flow, bool blocks) {
    static uint8_t room[TAKEN][65536];
    struct mmsghdr messages[TAKEN];
    struct iovec pieces[TAKEN];
    int fd = raw_socket(flow);
    struct timeval patience = {.tv_usec = SILENCE_MS * 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    for (int i = 0; i < TAKEN; i++) {
        pieces[i] = (struct iovec){.iov_base = room[i], .iov_len = sizeof room[i]};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &pieces[i], .msg_iovlen = 1}};
    }
    say_ready();
    while (!flow->over) {
        int got = recvmmsg(fd, messages, TAKEN, MSG_WAITFORONE, NULL);
        if (got < 0 && flow->next > 0) {
            break; /* silence */
        }
        while (got > 0) {
            for (int i = 0; i < got; i++) {
                check_datagram(flow, room[i], messages[i].msg_len);
            }
            got = blocks ? 0 : recvmmsg(fd, messages, TAKEN, MSG_DONTWAIT, NULL);
        }
        if (!blocks && !flow->over) {
            nap(NAP_MICROSECONDS);
        }
    }
    print_received(flow);
    close(fd);
}

static void send_raw(struct flow *flow, uint32_t per_datagram) {
    static uint8_t bytes[65536];
    struct sockaddr_in to = raw_address(flow);
    int fd = raw_socket(flow);
    say_ready();
    await_start();
    mcast_time begun = udp_now();
    mcast_time span = (mcast_time)(flow->seconds * 1e9);
    uint64_t number = 0;
    bool last = false;
    while (!last) {
        while (number + per_datagram > due(flow, begun)) {
            nap(flow->rate < 20000 ? 20 : 5);
        }
        last = udp_now() - begun > span;
        for (uint32_t i = 0; i < per_datagram; i++) {
            write_message(flow, bytes + (size_t)i * flow->size, number + i,
                          last && i + 1 == per_datagram);
        }
        (void)sendto(fd, bytes, (size_t)per_datagram * flow->size, 0, (const struct sockaddr *)&to,
                     sizeof to);
        number += per_datagram;
    }
    print_sent(number, udp_now() - begun);
    close(fd);
}

/* --- ours ---------------------------------------------------------------------------------------
 */

struct ours {
    struct flow *flow;
    struct udp_host *host;
    uint64_t members;
    uint64_t given;
    uint64_t sent;
    uint64_t stable;
    uint64_t last_number;
    bool failed;
};

static void deliver(void *context, const struct mcast_delivery *deliveries, size_t count) {
    struct ours *ours = context;
    for (size_t i = 0; i < count && !ours->flow->sends; i++) {
        check_message(ours->flow, deliveries[i].bytes, deliveries[i].length);
    }
}

static void notify(void *context, const struct mcast_notice *notices, size_t count) {
    struct ours *ours = context;
    for (size_t i = 0; i < count; i++) {
        switch (notices[i].kind) {
        case MCAST_NOTICE_SENT:
            ours->sent++;
            ours->last_number = notices[i].number;
            break;
        case MCAST_NOTICE_STABLE:
            ours->stable = notices[i].number;
            break;
        case MCAST_NOTICE_MEMBERS:
            ours->members = notices[i].count;
            break;
        case MCAST_NOTICE_VIEW: {
            struct mcast_event ask = {.kind = MCAST_EVENT_MEMBERS, .as.leave = {.group = 0}};
            (void)udp_host_submit(ours->host, &ask, 1);
            break;
        }
        case MCAST_NOTICE_REFUSED:
        case MCAST_NOTICE_EVICTED:
        case MCAST_NOTICE_DEMOTED:
        case MCAST_NOTICE_LOST:
            fprintf(stderr, "flow: notice %d, code %d\n", (int)notices[i].kind, notices[i].code);
            ours->failed = true;
            break;
        default:
            break;
        }
    }
}

static void open_ours(struct ours *ours, struct flow *flow) {
    struct udp_host_options options;
    struct udp_application application = {.context = ours, .deliver = deliver, .notify = notify};
    memset(&options, 0, sizeof options);
    mcast_config_default(&options.member);
    options.member.cluster = flow->port;
    options.member.id = (struct mcast_id){(uint64_t)getpid(), udp_now()};
    options.member.incarnation = udp_now();
    options.member.seed = (uint64_t)getpid();
    options.member.packet_size = flow->packet;
    options.member.batch_delay = 1;
    options.member.interval_floor = 2 * MCAST_MILLISECOND;
    options.sockets.interface.s_addr = htonl(INADDR_LOOPBACK);
    options.sockets.receive_buffer = options.sockets.send_buffer = BUFFER;
    options.sockets.offload = true;
    options.reconnect = 20 * MCAST_MILLISECOND;
    snprintf(options.service, sizeof options.service, "%s", flow->service);
    *ours = (struct ours){.flow = flow};
    int code = udp_host_open(&options, &application, &ours->host);
    if (code != 0) {
        fprintf(stderr, "flow: the host cannot open: %d\n", code);
        exit(3);
    }
    struct mcast_event join = {.kind = MCAST_EVENT_JOIN, .as.join = {.id = {1, 1}}};
    join.as.join.policy.tell_stable = true;
    (void)udp_host_submit(ours->host, &join, 1);
}

static void run_ours(struct ours *ours, mcast_time wait) {
    int code = udp_host_run(ours->host, wait);
    if (code != 0 || ours->failed) {
        fprintf(stderr, "flow: the host ended: %d\n", code);
        exit(3);
    }
}

static void await_members(struct ours *ours) {
    while (ours->members < ours->flow->receivers + 1u) {
        run_ours(ours, 10 * MCAST_MILLISECOND);
    }
}

static void receive_ours(struct flow *flow) {
    struct ours ours;
    open_ours(&ours, flow);
    await_members(&ours);
    say_ready();
    while (!flow->over) {
        run_ours(&ours, MCAST_NEVER);
    }
    /* Goes on for a moment, so that the sender learns of it and others are repaired. */
    mcast_time until = udp_now() + 300 * MCAST_MILLISECOND;
    while (udp_now() < until) {
        run_ours(&ours, 10 * MCAST_MILLISECOND);
    }
    struct mcast_stats stats;
    mcast_member_stats(udp_host_member(ours.host), &stats);
    struct udp_host_stats driver;
    udp_host_stats(ours.host, &driver);
    if (getenv("FLOW_STATS") != NULL) {
        fprintf(stderr,
                "packets %llu steps %llu datagrams %llu drops %llu repairs %llu useless %llu dup "
                "%llu tokens %llu\n",
                (unsigned long long)stats.packets_received, (unsigned long long)driver.steps,
                (unsigned long long)driver.datagrams_received,
                (unsigned long long)driver.kernel_drops, (unsigned long long)stats.repairs_received,
                (unsigned long long)stats.repairs_useless, (unsigned long long)stats.duplicates,
                (unsigned long long)stats.tokens_received);
    }
    print_received(flow);
    udp_host_close(ours.host);
}

/* Messages are written side by side into one buffer, and stay there until they are acknowledged. */
static void give(struct ours *ours, const struct mcast_alloc *alloc, uint64_t count, bool last) {
    struct flow *flow = ours->flow;
    struct mcast_event events[BATCH];
    struct mcast_buffer *buffer = mcast_buffer_new(alloc, (uint32_t)count * flow->size);
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *bytes = buffer->bytes + i * flow->size;
        write_message(flow, bytes, ours->given + i, last && i + 1 == count);
        events[i] = (struct mcast_event){
            .kind = MCAST_EVENT_SEND,
            .as.send = {.buffer = buffer, .bytes = bytes, .length = flow->size}};
    }
    ours->given += count;
    (void)udp_host_submit(ours->host, events, count);
    mcast_buffer_release(buffer);
}

static void send_ours(struct flow *flow, const struct mcast_alloc *alloc) {
    struct ours ours;
    open_ours(&ours, flow);
    await_members(&ours);
    say_ready();
    await_start();
    mcast_time begun = udp_now();
    mcast_time span = (mcast_time)(flow->seconds * 1e9);
    bool last = false;
    while (!last) {
        uint64_t room = ours.given - ours.sent < PENDING ? BATCH : 0;
        uint64_t wanted = due(flow, begun) - ours.given;
        wanted = due(flow, begun) == UINT64_MAX ? BATCH : wanted;
        uint64_t count = wanted < room ? wanted : room;
        last = udp_now() - begun > span && room > 0;
        if (count > 0 || last) {
            give(&ours, alloc, count > 0 ? count : 1, last);
        }
        run_ours(&ours, count > 0        ? 0
                        : flow->rate > 0 ? 20 * MCAST_MICROSECOND
                                         : MCAST_MILLISECOND);
    }
    while (ours.sent < ours.given || ours.stable < ours.last_number) {
        run_ours(&ours, 10 * MCAST_MILLISECOND);
    }
    if (getenv("FLOW_STATS") != NULL) {
        struct mcast_stats stats;
        struct udp_host_stats driver;
        mcast_member_stats(udp_host_member(ours.host), &stats);
        udp_host_stats(ours.host, &driver);
        fprintf(stderr,
                "sent %llu packets, window %llu, ack %llu us, rounds %llu, lost sending %llu\n",
                (unsigned long long)stats.packets_sent, (unsigned long long)stats.window_bytes,
                (unsigned long long)stats.ack_time / 1000, (unsigned long long)stats.rounds,
                (unsigned long long)driver.lost_sending);
    }
    print_sent(ours.given, udp_now() - begun);
    udp_host_close(ours.host);
}

/* --- the program --------------------------------------------------------------------------------
 */

static bool is(const struct flow *flow, const char *mode) {
    return strcmp(flow->mode, mode) == 0;
}

int main(int count, char **words) {
    if (count != 10) {
        fprintf(stderr, "flow MODE send|receive SIZE SECONDS RATE RECEIVERS PORT PACKET SERVICE\n");
        return 2;
    }
    struct flow flow = {.mode = words[1],
                        .sends = strcmp(words[2], "send") == 0,
                        .size = (uint32_t)strtoul(words[3], NULL, 10),
                        .seconds = strtod(words[4], NULL),
                        .rate = strtod(words[5], NULL),
                        .receivers = (unsigned)strtoul(words[6], NULL, 10),
                        .port = (uint16_t)strtoul(words[7], NULL, 10),
                        .packet = (uint32_t)strtoul(words[8], NULL, 10),
                        .service = words[9]};
    bool ours = is(&flow, "ours");
    if (flow.size < sizeof(struct head) || flow.size > PACKED_BYTES ||
        (!ours && !is(&flow, "raw") && !is(&flow, "packed") && !is(&flow, "blocking"))) {
        fprintf(stderr,
                "flow: a message has %zu to %d bytes; a mode is raw, packed, blocking or "
                "ours\n",
                sizeof(struct head), PACKED_BYTES);
        return 2;
    }
    flow.delays = calloc(SAMPLES, sizeof *flow.delays);
    if (flow.delays == NULL) {
        return 3;
    }
    if (ours) {
        flow.sends ? send_ours(&flow, mcast_system_memory()) : receive_ours(&flow);
    } else if (flow.sends) {
        send_raw(&flow, is(&flow, "packed") ? PACKED_BYTES / flow.size : 1);
    } else {
        receive_raw(&flow, is(&flow, "blocking"));
    }
    free(flow.delays);
    return 0;
}
