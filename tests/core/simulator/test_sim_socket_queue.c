#include "check.h"
#include "simulator/network/socket_queue.h"

static void put(struct sim_port *port, uint32_t size, uint32_t from) {
    struct sim_packet *packet = sim_packet_new(size);
    CHECK(packet != NULL);
    packet->from = from;
    sim_port_put(port, packet, from);
}

static void packets_leave_in_the_order_they_came(void) {
    struct sim_port port;
    sim_port_init(&port, 1 << 20);
    for (uint32_t i = 0; i < 100; i++) {
        put(&port, 10, i);
    }
    for (uint32_t i = 0; i < 50; i++) {
        struct sim_packet *packet = sim_port_take(&port);
        CHECK(packet->from == i && sim_port_oldest(&port) == i + 1);
        sim_packet_release(packet);
    }
    for (uint32_t i = 100; i < 200; i++) {
        put(&port, 10, i);
    }
    for (uint32_t i = 50; i < 200; i++) {
        struct sim_packet *packet = sim_port_take(&port);
        CHECK(packet->from == i);
        sim_packet_release(packet);
    }
    CHECK(sim_port_take(&port) == NULL && port.bytes == 0);
    CHECK(sim_port_oldest(&port) == UINT64_MAX);
    sim_port_free(&port);
}

static void a_full_queue_drops_and_counts_the_newcomer(void) {
    struct sim_port port;
    sim_port_init(&port, 3 * (1000 + SIM_PORT_OVERHEAD));
    for (uint32_t i = 0; i < 5; i++) {
        put(&port, 1000, i);
    }
    CHECK(port.count == 3 && port.dropped == 2 && port.arrived == 3);
    CHECK(port.peak == 3 * (1000 + SIM_PORT_OVERHEAD));
    sim_packet_release(sim_port_take(&port));
    put(&port, 1000, 9);
    CHECK(port.count == 3 && port.dropped == 2);
    sim_port_free(&port);
}

static void a_shared_packet_lives_until_its_last_holder(void) {
    struct sim_packet *packet = sim_packet_new(4);
    sim_packet_keep(packet);
    sim_packet_release(packet);
    packet->bytes[3] = 7; /* the sanitizer would report it if it were freed */
    CHECK(packet->buffer.holders == 1 && packet->size == 4);
    sim_packet_release(packet);
}

int main(void) {
    RUN(packets_leave_in_the_order_they_came);
    RUN(a_full_queue_drops_and_counts_the_newcomer);
    RUN(a_shared_packet_lives_until_its_last_holder);
    return 0;
}
