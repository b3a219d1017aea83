/* The lines that an end prints, as JSON, and the lines that let it continue. */
#define _GNU_SOURCE
#include "flow.h"
#include "mcast/stats.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static int by_size(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

double flow_cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void flow_nap(long microseconds) {
    struct timespec span = {.tv_nsec = microseconds * 1000};
    nanosleep(&span, NULL);
}

uint64_t flow_due(const struct flow *flow, mcast_time begun) {
    double span = (double)(udp_now() - begun) / 1e9;
    return flow->rate == 0 ? UINT64_MAX : (uint64_t)(span * flow->rate) + 1;
}

void flow_say_ready(const struct mcast_stats *stats) {
    printf("{\"ready\": true, \"memory\": %llu}\n",
           (unsigned long long)(stats != NULL ? stats->memory_bytes : 0));
    fflush(stdout);
}

void flow_await_line(void) {
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL) {
        exit(1);
    }
}

bool flow_line_waits(void) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

static void say_slots(const struct flow *flow) {
    printf(", \"slots\": [");
    size_t last = flow->first == 0 ? 0 : (size_t)((flow->end - flow->first) / FLOW_SLOT);
    for (size_t i = 0; i <= last && i < FLOW_SLOTS; i++) {
        printf(i == 0 ? "%u" : ", %u", flow->per_slot[i]);
    }
    printf("]");
}

void flow_say_received(struct flow *flow) {
    double before = flow_cpu();
    qsort(flow->delays, flow->delay_count, sizeof *flow->delays, by_size);
    flow->cpu_before += flow_cpu() - before; /* not part of the measurement */
    double p50 = flow->delay_count == 0 ? 0 : flow->delays[flow->delay_count / 2];
    double p99 = flow->delay_count == 0 ? 0 : flow->delays[flow->delay_count * 99 / 100];
    printf(
        "{\"received\": %llu, \"gaps\": %llu, \"repeated\": %llu, \"wrong\": %llu, "
        "\"demoted\": %llu, \"first\": %.6f, \"seconds\": %.6f, \"p50\": %.0f, \"p99\": %.0f",
        (unsigned long long)flow->received, (unsigned long long)flow->gaps,
        (unsigned long long)flow->repeated, (unsigned long long)flow->wrong,
        (unsigned long long)flow->demoted_at, (double)flow->first / 1e9,
        (double)(flow->end - flow->first) / 1e9, p50, p99);
    if (flow->slots) {
        say_slots(flow);
    }
    printf("}\n");
    fflush(stdout);
}

/* Return the share of @count messages, dealt to the groups in turn, that are for one receiver. */
static uint64_t due_to(const struct flow *flow, uint32_t index, uint64_t count) {
    uint64_t sum = 0;
    for (uint32_t group = 0; group < flow->groups; group++) {
        if (flow_is_in(flow, index, group)) {
            sum += count / flow->groups + (group < count % flow->groups);
        }
    }
    return sum;
}

void flow_say_sent(const struct flow *flow, uint64_t count, mcast_time span) {
    printf("{\"sent\": %llu, \"seconds\": %.6f, \"due\": [", (unsigned long long)count,
           (double)span / 1e9);
    for (uint32_t index = 0; index < flow->receivers; index++) {
        printf(index == 0 ? "%llu" : ", %llu", (unsigned long long)due_to(flow, index, count));
    }
    printf("]}\n");
    fflush(stdout);
}

void flow_say_end(const struct flow *flow, const struct mcast_stats *stats,
                  const struct udp_host_stats *driver) {
    printf("{\"cpu\": %.4f, \"lost_data\": %llu", flow_cpu() - flow->cpu_before,
           (unsigned long long)flow->lost);
    if (stats != NULL) {
#define X(name) printf(", \"" #name "\": %llu", (unsigned long long)stats->name);
        MCAST_COUNTERS(X)
        MCAST_GAUGES(X)
#undef X
    }
    if (driver != NULL) {
        printf(", \"kernel_drops\": %llu, \"lost_on_purpose\": %llu, \"datagrams\": %llu",
               (unsigned long long)driver->kernel_drops, (unsigned long long)driver->lost_by_sieve,
               (unsigned long long)driver->datagrams_received);
    }
    printf("}\n");
    fflush(stdout);
}
