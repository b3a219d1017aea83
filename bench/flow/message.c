/* Messages of a flow: writing and checking them. */
#define _GNU_SOURCE
#include "flow.h"

#include <string.h>

struct head {
    uint64_t number; /* begins at 0 in each group */
    uint64_t sent_at;
    uint32_t mark;
    uint16_t group;
    uint16_t last; /* marks the last message of a group */
    uint32_t size;
    uint32_t checksum; /* of the rest */
};

/* The CRC that Python's zlib has, for flows that begin here and end there; four bits at a time. */
static uint32_t checksum_of_zlib(const uint8_t *bytes, size_t count) {
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t sum = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) {
        sum = table[(sum ^ bytes[i]) & 15] ^ (sum >> 4);
        sum = table[(sum ^ (bytes[i] >> 4)) & 15] ^ (sum >> 4);
    }
    return ~sum;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t checksum_of_ours(const uint8_t *bytes,
                                                                   size_t count) {
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
static uint32_t checksum_of_ours(const uint8_t *bytes, size_t count) {
    return checksum_of_zlib(bytes, count);
}
#endif

/* The body of a message is one byte, so the slow checksum is made once for each. */
static uint32_t checksum_of_body(const struct flow *flow, const uint8_t *bytes, uint32_t count) {
    static uint32_t known[256];
    static bool is_known[256];
    if (!flow->zlib) {
        return checksum_of_ours(bytes, count);
    }
    if (!is_known[bytes[0]]) {
        known[bytes[0]] = checksum_of_zlib(bytes, count);
        is_known[bytes[0]] = true;
    }
    return known[bytes[0]];
}

void flow_write(const struct flow *flow, uint8_t *bytes, uint16_t group, uint64_t number,
                bool last) {
    struct head head = {.number = number,
                        .sent_at = udp_now(),
                        .mark = flow->port,
                        .group = group,
                        .last = last,
                        .size = flow->size};
    uint32_t rest = flow->size - (uint32_t)sizeof head;
    memset(bytes + sizeof head, (int)(number & 0xFF), rest);
    head.checksum = checksum_of_body(flow, bytes + sizeof head, rest);
    memcpy(bytes, &head, sizeof head);
}

static bool is_whole(const struct flow *flow, const struct head *head, uint32_t group,
                     const uint8_t *bytes, size_t length) {
    uint32_t sum = flow->zlib ? checksum_of_zlib(bytes + sizeof *head, length - sizeof *head)
                              : checksum_of_ours(bytes + sizeof *head, length - sizeof *head);
    return head->mark == flow->port && head->size == length && group < flow->mine &&
           head->group == flow->group_of[group] && head->checksum == sum;
}

static void note_time(struct flow *flow, const struct head *head) {
    flow->end = udp_now();
    if (flow->first == 0) {
        flow->first = flow->end;
        flow->cpu_before = flow_cpu();
    }
    size_t slot = (size_t)((flow->end - flow->first) / FLOW_SLOT);
    if (slot < FLOW_SLOTS) {
        flow->per_slot[slot]++;
    }
    if (flow->delay_count < FLOW_SAMPLES) {
        flow->delays[flow->delay_count++] = (uint32_t)(flow->end - head->sent_at);
    }
}

void flow_check(struct flow *flow, uint32_t group, const uint8_t *bytes, size_t length) {
    struct head head;
    if (length < sizeof head) {
        flow->wrong++;
        return;
    }
    memcpy(&head, bytes, sizeof head);
    if (!is_whole(flow, &head, group, bytes, length)) {
        flow->wrong++;
        return;
    }
    note_time(flow, &head);
    if (head.number < flow->next[group]) {
        flow->repeated++;
        return;
    }
    flow->gaps += head.number - flow->next[group];
    flow->next[group] = head.number + 1;
    flow->received++;
    flow->groups_over += head.last != 0;
    flow->over = flow->groups_over == flow->mine;
}

/* --- who is in what -----------------------------------------------------------------------------
 */

static uint64_t mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

/* The groups are ranked by popularity: the one of rank k has the k-th part of all receivers, at
 * least one; which of them is drawn. */
static bool is_in_zipf(const struct flow *flow, uint32_t index, uint32_t group) {
    uint32_t wanted = (flow->receivers + group) / (group + 1);
    uint32_t first = (uint32_t)(mixed(group + 1u) % flow->receivers);
    return (index + flow->receivers - first) % flow->receivers < wanted;
}

bool flow_is_in(const struct flow *flow, uint32_t index, uint32_t group) {
    if (strcmp(flow->overlap, "halves") == 0) {
        return (group < flow->groups / 2) == (index < (flow->receivers + 1) / 2);
    }
    return strcmp(flow->overlap, "zipf") != 0 || is_in_zipf(flow, index, group);
}

void flow_number_groups(struct flow *flow) {
    for (uint32_t group = 0; group < flow->groups; group++) {
        if (flow->sends || flow_is_in(flow, flow->index, group)) {
            flow->group_of[flow->mine++] = (uint16_t)group;
        }
    }
}

/* --- loss on purpose ----------------------------------------------------------------------------
 */

static bool is_kept(struct flow *flow) {
    if (flow->burst > 0) {
        return mixed(flow->seed + udp_now() / flow->burst) % 1000000 >= flow->loss;
    }
    flow->seed += 0x9E3779B97F4A7C15u;
    return mixed(flow->seed) % 1000000 >= flow->loss;
}

bool flow_sieve(void *context, enum mcast_socket class) {
    struct flow *flow = context;
    bool kept = is_kept(flow);
    flow->lost += !kept && class == MCAST_DATA;
    return kept;
}
