#include "check.h"
#include "simulator/network/network.h"

#include <string.h>

/* A node that counts its packets and takes a fixed time for each. */
enum { NODES = 4, GROUP = 3 };
#define ADDRESS (SIM_FIRST_GROUP + GROUP)

struct bench {
    struct sim_net *net;
    uint64_t cost;
    uint32_t got[NODES][SIM_SOCKETS];
    uint64_t when[NODES]; /* when the last packet was handled */
    char order[64];       /* the sockets in the order in which node 1 read them */
    uint32_t broken, corrupted;
    uint32_t runs[NODES];
    bool block;
};

static uint64_t run(void *user, uint32_t node, uint64_t now) {
    struct bench *bench = user;
    bench->runs[node]++;
    for (int s = 0; s < SIM_SOCKETS; s++) {
        struct sim_packet *packet = sim_net_take(bench->net, node, (enum sim_socket)s);
        if (packet != NULL) {
            bench->got[node][s]++;
            bench->when[node] = now;
            if (node == 1 && strlen(bench->order) < 60) {
                bench->order[strlen(bench->order)] = "crds"[s];
            }
            sim_packet_release(packet);
            return bench->cost;
        }
    }
    return 0;
}

static bool pass(void *user, const struct sim_packet *packet, uint32_t to, uint64_t now) {
    (void)now;
    struct bench *bench = user;
    return !bench->block || to != 2 || packet->kind != SIM_DATA;
}

static void corrupt(void *user, struct sim_packet *packet) {
    struct bench *bench = user;
    bench->corrupted++;
    packet->bytes[0] ^= 1;
}

static void broken(void *user, uint32_t node, uint32_t peer, uint64_t now) {
    (void)now;
    (void)node;
    struct bench *bench = user;
    CHECK(peer == 1);
    bench->broken++;
}

static void start(struct bench *bench, const struct sim_config *config) {
    memset(bench, 0, sizeof *bench);
    struct sim_hooks hooks = {bench, run, pass, corrupt, broken};
    bench->net = sim_net_new(config, &hooks);
    CHECK(bench->net != NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        CHECK(sim_net_add(bench->net) == i);
        CHECK(sim_net_subscribe(bench->net, i, ADDRESS));
    }
    sim_net_unsubscribe(bench->net, 0, ADDRESS);
}

static struct sim_packet *packet(enum sim_socket kind, uint32_t size) {
    struct sim_packet *made = sim_packet_new(size);
    CHECK(made != NULL);
    memset(made->bytes, (int)size, size);
    made->kind = (uint8_t)kind;
    return made;
}

static struct sim_config quiet(void) {
    struct sim_config config = sim_config_lan(1);
    config.link.jitter = 0;
    config.wake_jitter = 0;
    return config;
}

static void a_packet_takes_wire_latency_and_wake_up(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 1000), 700);
    sim_net_run(bench.net, 1000000);
    CHECK(bench.got[1][SIM_DATA] == 1);
    CHECK(bench.when[1] == 700 + 8000 + 100000 + 5000);
    sim_net_free(bench.net);
}

static void a_group_address_reaches_all_who_subscribed(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    sim_net_send(bench.net, 0, ADDRESS, packet(SIM_DATA, 1000), 0);
    sim_net_run(bench.net, 1000000);
    CHECK(bench.got[0][SIM_DATA] == 0);
    for (int i = 1; i < NODES; i++) {
        CHECK(bench.got[i][SIM_DATA] == 1);
    }
    sim_net_free(bench.net);
}

static void a_token_overtakes_waiting_data(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    bench.cost = 50000;
    for (int i = 0; i < 5; i++) {
        sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 1000), 0);
    }
    sim_net_send(bench.net, 0, 1, packet(SIM_CONTROL, 100), 0);
    sim_net_run(bench.net, 10000000);
    CHECK(strcmp(bench.order, "dcdddd") == 0);
    CHECK(sim_net_stats(bench.net, 1).busy == 6 * 50000);
    sim_net_free(bench.net);
}

static void a_full_kernel_queue_drops_and_counts_packets(void) {
    struct bench bench;
    struct sim_config config = quiet();
    config.socket_limit = 4000;
    start(&bench, &config);
    bench.cost = 10000000;
    for (int i = 0; i < 10; i++) {
        sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 1000), 0);
    }
    sim_net_run(bench.net, 1000000000);
    struct sim_node_stats stats = sim_net_stats(bench.net, 1);
    CHECK(bench.got[1][SIM_DATA] == 4 && stats.overflowed == 6);
    CHECK(stats.queue_peak <= 4000);
    sim_net_free(bench.net);
}

static void losses_duplicates_and_bursts_have_the_configured_frequency(void) {
    struct bench bench;
    struct sim_config config = quiet();
    config.link.loss = 100000;
    config.link.duplicate = 200000;
    start(&bench, &config);
    for (int i = 0; i < 2000; i++) {
        sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 100), 0);
    }
    sim_net_run(bench.net, 1000000000);
    struct sim_node_stats stats = sim_net_stats(bench.net, 1);
    CHECK(stats.lost > 140 && stats.lost < 260);
    CHECK(bench.got[1][SIM_DATA] > 2000 && bench.got[1][SIM_DATA] < 2320);
    sim_net_free(bench.net);
}

static void a_burst_loses_all_at_one_receiver_and_nothing_at_another(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    struct sim_link bursty = config.link;
    bursty.burst = SIM_MILLION;
    bursty.burst_length = 10000000;
    sim_net_link(bench.net, 1, &bursty);
    for (int i = 0; i < 20; i++) {
        sim_net_send(bench.net, 0, ADDRESS, packet(SIM_DATA, 100), 0);
    }
    sim_net_run(bench.net, 1000000000);
    CHECK(bench.got[1][SIM_DATA] == 0 && bench.got[2][SIM_DATA] == 20);
    sim_net_link(bench.net, 1, NULL);
    sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 100), 0);
    sim_net_run(bench.net, 2000000000);
    CHECK(bench.got[1][SIM_DATA] == 1); /* the burst ended with its time */
    sim_net_free(bench.net);
}

static void a_corrupted_copy_leaves_the_others_as_they_are(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    struct sim_link bad = config.link;
    bad.corrupt = SIM_MILLION;
    sim_net_link(bench.net, 1, &bad);
    struct sim_packet *sent = sim_packet_keep(packet(SIM_DATA, 100));
    sim_net_send(bench.net, 0, ADDRESS, sent, 0);
    sim_net_run(bench.net, 1000000);
    CHECK(bench.corrupted == 1 && bench.got[1][SIM_DATA] == 1 && bench.got[2][SIM_DATA] == 1);
    CHECK(sent->bytes[0] == 100);
    sim_packet_release(sent);
    sim_net_free(bench.net);
}

static void a_filter_can_drop_single_packets(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    bench.block = true;
    sim_net_send(bench.net, 0, ADDRESS, packet(SIM_DATA, 100), 0);
    sim_net_send(bench.net, 0, ADDRESS, packet(SIM_CONTROL, 100), 0);
    sim_net_run(bench.net, 1000000);
    CHECK(bench.got[2][SIM_DATA] == 0 && bench.got[2][SIM_CONTROL] == 1);
    CHECK(bench.got[3][SIM_DATA] == 1);
    sim_net_free(bench.net);
}

static void a_thawed_node_handles_the_packets_that_arrived_meanwhile(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    sim_net_freeze(bench.net, 1, 5000000);
    sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 100), 0);
    sim_net_run(bench.net, 4999999);
    CHECK(bench.got[1][SIM_DATA] == 0 && sim_net_waiting(bench.net, 1, SIM_DATA) == 1);
    sim_net_run(bench.net, 5000000);
    CHECK(bench.got[1][SIM_DATA] == 1);
    sim_net_free(bench.net);
}

static void a_crashed_node_receives_nothing_and_its_peers_are_told(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    sim_net_stream(bench.net, 0, 1, packet(SIM_STREAM, 100), 0);
    sim_net_run(bench.net, 1000000);
    CHECK(bench.got[1][SIM_STREAM] == 1);
    sim_net_crash(bench.net, 1);
    sim_net_send(bench.net, 0, ADDRESS, packet(SIM_DATA, 100), 0);
    sim_net_run(bench.net, 2000000);
    CHECK(bench.got[1][SIM_DATA] == 0 && bench.broken == 1);
    sim_net_revive(bench.net, 1);
    sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 100), 0);
    sim_net_send(bench.net, 0, ADDRESS, packet(SIM_DATA, 100), 0);
    sim_net_run(bench.net, 3000000);
    CHECK(bench.got[1][SIM_DATA] == 1); /* its subscription ended with it */
    sim_net_free(bench.net);
}

static void a_cut_loses_datagrams_and_delays_streams_in_their_order(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    CHECK(sim_net_cut(bench.net, 0, 1, true));
    sim_net_send(bench.net, 0, 1, packet(SIM_DATA, 100), 0);
    for (int i = 0; i < 3; i++) {
        sim_net_stream(bench.net, 0, 1, packet(SIM_STREAM, 100), 0);
    }
    sim_net_run(bench.net, 50000000);
    CHECK(bench.got[1][SIM_DATA] == 0 && bench.got[1][SIM_STREAM] == 0);
    CHECK(sim_net_cut(bench.net, 0, 1, false));
    sim_net_run(bench.net, 300000000);
    CHECK(bench.got[1][SIM_DATA] == 0 && bench.got[1][SIM_STREAM] == 3);
    sim_net_free(bench.net);
}

static void an_alarm_wakes_an_idle_node_once_and_a_later_one_replaces_it(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    sim_net_alarm(bench.net, 1, 1000);
    sim_net_alarm(bench.net, 2, 1000);
    sim_net_alarm(bench.net, 2, 500);
    sim_net_run(bench.net, 5000);
    CHECK(bench.runs[1] == 1 && bench.runs[2] == 1 && bench.runs[3] == 0);
    sim_net_poke(bench.net, 3);
    sim_net_run(bench.net, 5000);
    CHECK(bench.runs[3] == 1);
    sim_net_free(bench.net);
}

static void add_node(void *user, uint64_t now) {
    struct bench *bench = user;
    CHECK(now == 7000);
    bench->cost = 99;
}

static void a_call_happens_at_its_time(void) {
    struct bench bench;
    struct sim_config config = quiet();
    start(&bench, &config);
    CHECK(sim_net_at(bench.net, 7000, add_node, &bench));
    sim_net_run(bench.net, 6999);
    CHECK(bench.cost == 0);
    sim_net_run(bench.net, 7000);
    CHECK(bench.cost == 99);
    CHECK(sim_net_at(bench.net, 9000, add_node, &bench)); /* freed with the network, not called */
    sim_net_free(bench.net);
}

static uint64_t traffic(uint64_t seed) {
    struct bench bench;
    struct sim_config config = sim_config_lan(seed);
    config.link.loss = 50000;
    config.link.reorder = 50000;
    config.link.reorder_by = 300000;
    start(&bench, &config);
    for (uint64_t t = 0; t < 200; t++) {
        sim_net_send(bench.net, (uint32_t)(t % NODES), ADDRESS, packet(SIM_DATA, 64), t);
        sim_net_run(bench.net, t * 10000);
    }
    uint64_t trace = sim_net_trace(bench.net);
    sim_net_free(bench.net);
    return trace;
}

static void one_seed_gives_one_trace_and_another_seed_another(void) {
    CHECK(traffic(1) == traffic(1));
    CHECK(traffic(1) != traffic(2));
}

int main(void) {
    RUN(a_packet_takes_wire_latency_and_wake_up);
    RUN(a_group_address_reaches_all_who_subscribed);
    RUN(a_token_overtakes_waiting_data);
    RUN(a_full_kernel_queue_drops_and_counts_packets);
    RUN(losses_duplicates_and_bursts_have_the_configured_frequency);
    RUN(a_burst_loses_all_at_one_receiver_and_nothing_at_another);
    RUN(a_corrupted_copy_leaves_the_others_as_they_are);
    RUN(a_filter_can_drop_single_packets);
    RUN(a_thawed_node_handles_the_packets_that_arrived_meanwhile);
    RUN(a_crashed_node_receives_nothing_and_its_peers_are_told);
    RUN(a_cut_loses_datagrams_and_delays_streams_in_their_order);
    RUN(an_alarm_wakes_an_idle_node_once_and_a_later_one_replaces_it);
    RUN(a_call_happens_at_its_time);
    RUN(one_seed_gives_one_trace_and_another_seed_another);
    return 0;
}
