/* Host: a node of the network with a member, from its start to its end, and its turns on the CPU.
 */
#include "simulator/world/world_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_REQUESTS = 8, MOST_AT_ONCE = 64, ID_HIGH = 0x4c49 };

#define RECONNECT_AFTER ((uint64_t)100000000)

struct sim_host *sim_host_new(struct sim_world *world, uint32_t number, bool external) {
    struct sim_host *host = calloc(1, sizeof *host);
    if (host == NULL) {
        return NULL;
    }
    host->world = world;
    host->number = number;
    host->external = external;
    host->rejoin_at = UINT64_MAX;
    sim_map_init(&host->locals);
    return host;
}

static void drop_requests(struct sim_host *host) {
    for (uint32_t i = 0; i < host->request_count; i++) {
        if (host->payloads[i] != NULL) {
            sim_packet_release(host->payloads[i]);
        }
    }
    host->request_count = 0;
}

void sim_host_free(struct sim_host *host) {
    if (host == NULL) {
        return;
    }
    sim_host_end(host);
    sim_inbox_clear(host);
    sim_map_free(&host->locals);
    free(host->inbox);
    free(host->groups);
    free(host->requests);
    free(host->payloads);
    free(host);
}

static uint64_t actor_key(const struct mcast_id *id, uint64_t incarnation) {
    return sim_hash_number(sim_hash_number(0, id->low), incarnation) | 1;
}

/* Register a new incarnation of @host with the judges. */
static void register_incarnation(struct sim_host *host) {
    struct sim_world *world = host->world;
    struct mcast_id id = {ID_HIGH, host->number + 1};
    if (world->oracle != NULL) {
        host->actor = oracle_start(world->oracle, host->number);
        sim_map_put(&world->actors, actor_key(&id, host->incarnation),
                    (void *)(uintptr_t)host->actor);
        oracle_wire_actor(world->wire, host->actor, id.low, host->incarnation);
    }
}

bool sim_host_start(struct sim_host *host) {
    struct sim_world *world = host->world;
    struct mcast_config config = world->config.member;
    host->incarnation = world->next_incarnation++;
    config.id = (struct mcast_id){ID_HIGH, host->number + 1};
    config.incarnation = host->incarnation;
    config.address = sim_address_of_node(host->node);
    config.seed = sim_random_next(&world->random);
    if (world->config.tagged) {
        config.auth = sim_tag_auth(&world->tag_key);
    }
    host->memory = (struct sim_memory){.bound = world->config.memory_bound};
    host->alloc = sim_memory_alloc(&host->memory);
    if (mcast_member_new(&config, &host->alloc, &host->member) != 0) {
        return false;
    }
    host->running = true;
    host->stopping = host->leaving = false;
    host->rejoin_at = UINT64_MAX;
    register_incarnation(host);
    sim_host_connect(host, sim_net_now(world->net));
    return true;
}

static void add_stats(struct mcast_stats *sum, const struct mcast_stats *one) {
#define X(name) sum->name += one->name;
    MCAST_COUNTERS(X)
#undef X
}

void sim_host_end(struct sim_host *host) {
    struct sim_world *world = host->world;
    if (!host->running) {
        return;
    }
    struct mcast_stats stats;
    mcast_member_stats(host->member, &stats);
    add_stats(&world->totals.members, &stats);
    host->running = false;
    host->connection = 0;
    host->connected = false;
    mcast_member_free(host->member);
    host->member = NULL;
    drop_requests(host);
    if (world->oracle != NULL) {
        oracle_end(world->oracle, host->actor);
        oracle_apply(world->oracle, ORACLE_MEMORY);
        if (host->memory.used != 0) {
            oracle_fail(world->oracle, ORACLE_MEMORY, sim_net_now(world->net),
                        "host %u ended and did not free %llu bytes", host->number,
                        (unsigned long long)host->memory.used);
        }
    }
    host->group_count = 0;
    sim_map_free(&host->locals);
}

/* ---- the stream to the service ---- */

void sim_host_connect(struct sim_host *host, uint64_t now) {
    (void)now;
    host->connected = false;
    host->connection = host->world->next_connection++;
    sim_frame_send(host->world, host->node, host->world->service.node, SIM_FRAME_CONNECT,
                   host->connection, NULL, 0, 0);
}

static void reconnect(void *user, uint64_t now) {
    struct sim_host *host = user;
    if (host->running && host->connection == 0) {
        sim_host_connect(host, now);
    }
}

void sim_host_broken(struct sim_host *host, uint64_t now) {
    if (!host->running) {
        return;
    }
    sim_log(host, "loses its connection");
    if (host->connected) {
        sim_host_request(host, (struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED}, NULL);
    }
    host->connected = false;
    host->connection = 0;
    sim_net_at(host->world->net, now + RECONNECT_AFTER, reconnect, host);
}

/* ---- requests ---- */

bool sim_host_request(struct sim_host *host, struct mcast_event event, struct sim_packet *payload) {
    if (host->request_count == host->request_room) {
        uint32_t room = host->request_room == 0 ? FIRST_REQUESTS : host->request_room * 2;
        struct mcast_event *requests = realloc(host->requests, room * sizeof *requests);
        host->requests = requests != NULL ? requests : host->requests;
        struct sim_packet **payloads = realloc(host->payloads, room * sizeof *payloads);
        host->payloads = payloads != NULL ? payloads : host->payloads;
        if (requests == NULL || payloads == NULL) {
            return false;
        }
        host->request_room = room;
    }
    host->requests[host->request_count] = event;
    host->payloads[host->request_count++] = payload;
    sim_net_poke(host->world->net, host->node);
    return true;
}

/* ---- a turn ---- */

/* The state of one turn. */
struct turn {
    uint64_t now;
    uint32_t events;
    uint32_t packets; /* the count of packets to release at the end */
    uint32_t read;    /* the count of packets read from sockets */
    uint32_t shown;   /* the count of those shown to the wire judge */
    uint64_t reading, urgent,
        bulk; /* CPU time: reading everything, handling control, handling the rest */
    uint64_t sending_urgent, sending_bulk, playing;
    bool more;
};

static bool grow(struct mcast_event **events, struct sim_packet ***packets, uint32_t *room,
                 uint32_t needed) {
    if (needed <= *room) {
        return true;
    }
    struct mcast_event *more_events = realloc(*events, needed * sizeof **events);
    *events = more_events != NULL ? more_events : *events;
    struct sim_packet **more_packets = realloc(*packets, needed * sizeof **packets);
    *packets = more_packets != NULL ? more_packets : *packets;
    if (more_events == NULL || more_packets == NULL) {
        return false;
    }
    *room = needed;
    return true;
}

static void take_frame(struct sim_host *host, struct turn *turn, const struct sim_packet *packet) {
    struct sim_frame frame;
    struct mcast_event *event = &host->world->events[turn->events];
    if (!sim_frame_read(packet, &frame) || frame.connection != host->connection) {
        return;
    }
    if (frame.kind == SIM_FRAME_ACCEPT) {
        host->connected = true;
        sim_log(host, "is connected");
        *event = (struct mcast_event){.kind = MCAST_EVENT_CONNECTED};
    } else if (frame.kind == SIM_FRAME_CLOSE) {
        host->connected = false;
        host->connection = 0;
        sim_net_at(host->world->net, turn->now + RECONNECT_AFTER, reconnect, host);
        *event = (struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED};
    } else {
        *event = (struct mcast_event){.kind = MCAST_EVENT_CONTROL};
        event->as.control.bytes = packet->bytes + sizeof frame;
        event->as.control.length = packet->size - sizeof frame;
        if (host->world->wire != NULL) {
            oracle_wire_told(host->world->wire, host->actor, event->as.control.bytes,
                             event->as.control.length);
        }
    }
    turn->events++;
}

static void take_datagram(struct sim_host *host, struct turn *turn, struct sim_packet *packet) {
    struct mcast_event *event = &host->world->events[turn->events++];
    event->kind = MCAST_EVENT_DATAGRAM;
    event->as.datagram.buffer = &packet->buffer;
    event->as.datagram.bytes = packet->bytes;
    event->as.datagram.length = packet->size;
    event->as.datagram.socket = (enum mcast_socket)packet->kind;
}

static void charge(struct sim_host *host, struct turn *turn, const struct sim_packet *packet) {
    const struct sim_cost *cost = &host->world->config.cost;
    uint64_t handling = cost->handle[packet->kind] + packet->size * cost->handle_kib / 1024;
    turn->reading += cost->read[packet->kind];
    if (packet->kind == SIM_CONTROL || packet->kind == SIM_STREAM) {
        turn->urgent += handling;
    } else {
        turn->bulk += handling;
    }
}

static void take_packet(struct sim_host *host, struct turn *turn, struct sim_packet *packet) {
    struct sim_world *world = host->world;
    world->packets[turn->packets++] = packet;
    turn->read++;
    charge(host, turn, packet);
    if (packet->kind == SIM_STREAM) {
        take_frame(host, turn, packet);
        return;
    }
    take_datagram(host, turn, packet);
}

/* The next packet: by class, or, with a single class, the one that arrived first. */
static struct sim_packet *next_packet(struct sim_host *host) {
    static const enum sim_socket order[] = {SIM_STREAM, SIM_CONTROL, SIM_REPAIR, SIM_DATA};
    struct sim_net *net = host->world->net;
    if (host->world->config.member.priority_mode == MCAST_FIFO) {
        return sim_net_take(net, host->node, sim_net_oldest(net, host->node));
    }
    struct sim_packet *packet = NULL;
    for (int i = 0; i < SIM_SOCKETS && packet == NULL; i++) {
        packet = sim_net_take(net, host->node, order[i]);
    }
    return packet;
}

/* Read the sockets, up to the limit of a turn. */
static void read_sockets(struct sim_host *host, struct turn *turn) {
    while (turn->read < host->world->config.turn_packets) {
        struct sim_packet *packet = next_packet(host);
        if (packet == NULL) {
            break;
        }
        take_packet(host, turn, packet);
    }
}

static struct sim_packet *gather(const struct mcast_datagram *datagram) {
    struct sim_packet *packet = sim_packet_new(datagram->length);
    if (packet == NULL) {
        abort();
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < datagram->part_count; i++) {
        assert(at + datagram->parts[i].length <= datagram->length);
        memcpy(packet->bytes + at, datagram->parts[i].bytes, datagram->parts[i].length);
        at += (uint32_t)datagram->parts[i].length;
    }
    assert(at == datagram->length);
    packet->kind = (uint8_t)datagram->socket;
    return packet;
}

/* Log a datagram: its type, its view, and the first number after the header. */
static void log_datagram(const struct sim_host *host, const struct mcast_datagram *datagram,
                         const struct sim_packet *packet) {
    static const char *const words[] = {"?",   "DATA",  "REPAIR",  "TOKEN", "ACK",    "HIGH",
                                        "REQ", "STALE", "EVICTED", "FLOW",  "HYBRID", "CALL"};
    uint64_t view = 0, first = 0;
    for (uint32_t i = 24; i < 32; i++) {
        view = view << 8 | packet->bytes[i];
    }
    for (uint32_t i = 32; i < 40 && i < packet->size; i++) {
        first = first << 8 | packet->bytes[i];
    }
    sim_log(host, "-> %u.%u %s view %llx %llx (%u bytes)", datagram->to.ip[12],
            (unsigned)datagram->to.ip[14] << 8 | datagram->to.ip[15],
            packet->bytes[1] < 12 ? words[packet->bytes[1]] : "?", (unsigned long long)view,
            (unsigned long long)first, packet->size);
}

/* Show the output to the judges, tokens first: the requests of a step follow from its token. */
static void show(struct sim_host *host, struct sim_packet *const *packets, size_t count,
                 uint64_t now) {
    struct sim_world *world = host->world;
    for (int tokens = 1; tokens >= 0 && world->wire != NULL; tokens--) {
        for (size_t i = 0; i < count; i++) {
            bool is_token = packets[i]->size > 1 && packets[i]->bytes[1] == ORACLE_TOKEN_TYPE;
            if (is_token == (tokens == 1)) {
                oracle_wire_sent(world->wire, host->actor, packets[i]->bytes, packets[i]->size,
                                 now);
            }
        }
    }
}

static void send_one(struct sim_host *host, struct turn *turn,
                     const struct mcast_datagram *datagram, struct sim_packet *packet) {
    struct sim_world *world = host->world;
    const struct sim_cost *cost = &world->config.cost;
    uint64_t spent = cost->send[datagram->socket] + datagram->length * cost->send_kib / 1024;
    bool first =
        datagram->socket == MCAST_CONTROL && world->config.member.priority_mode == MCAST_FINE8;
    uint64_t base = cost->step + turn->reading + turn->urgent;
    uint64_t after;
    if (first) {
        turn->sending_urgent += spent;
        after = base + turn->sending_urgent;
    } else {
        turn->sending_bulk += spent;
        after = base + turn->bulk + turn->playing + turn->sending_urgent + turn->sending_bulk;
    }
    if (world->config.buffer_size != 0 && world->config.buffer_size > packet->size) {
        packet->buffer.size = world->config.buffer_size;
    }
    uint64_t target = sim_address_target(&datagram->to);
    sim_net_send(world->net, host->node, target, packet, after);
}

/* Show the wire judge the packets read in this turn: deaths first, the order in which the member
 * handles them. */
static void show_read(struct sim_host *host, struct turn *turn, const struct mcast_output *output) {
    struct oracle_wire *wire = host->world->wire;
    for (size_t i = 0; i < output->notice_count && wire != NULL; i++) {
        if (output->notices[i].kind == MCAST_NOTICE_DEAD) {
            oracle_wire_buried(wire, host->actor, output->notices[i].sender);
        }
    }
    for (; turn->shown < turn->packets; turn->shown++) {
        const struct sim_packet *packet = host->world->packets[turn->shown];
        bool kept = packet->kind == SIM_DATA || packet->kind == SIM_REPAIR;
        if (wire != NULL && kept && !packet->spoilt) {
            oracle_wire_read(wire, host->actor, packet->bytes, packet->size, turn->now);
        }
    }
}

static void carry_out(struct sim_host *host, struct turn *turn, const struct mcast_output *output) {
    struct sim_world *world = host->world;
    show_read(host, turn, output);
    uint64_t now = turn->now;
    size_t noticed = 0;
    for (size_t i = 0; i <= output->delivery_count; i++) {
        for (; noticed < output->notice_count && output->notices[noticed].after <= i; noticed++) {
            sim_app_notice(host, &output->notices[noticed], now);
        }
        if (i < output->delivery_count) {
            turn->playing += world->config.cost.deliver;
            sim_app_deliver(host, &output->deliveries[i], now);
        }
    }
    struct sim_packet *packets[MOST_AT_ONCE];
    for (size_t first = 0; first < output->datagram_count; first += MOST_AT_ONCE) {
        size_t left = output->datagram_count - first;
        size_t count = left < MOST_AT_ONCE ? left : MOST_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            packets[i] = gather(&output->datagrams[first + i]);
        }
        show(host, packets, count, now);
        for (size_t i = 0; i < count; i++) {
            if (host->world->log != NULL && host->world->config.wire_logged) {
                log_datagram(host, &output->datagrams[first + i], packets[i]);
            }
            send_one(host, turn, &output->datagrams[first + i], packets[i]);
        }
    }
    for (size_t i = 0; i < output->control_count && host->connection != 0; i++) {
        sim_frame_send(world, host->node, world->service.node, SIM_FRAME_MESSAGE, host->connection,
                       output->controls[i].bytes, output->controls[i].length,
                       turn->reading + turn->urgent);
    }
    turn->more = output->more;
}

static uint32_t room_for(const struct sim_host *host, uint64_t now) {
    const struct sim_world *world = host->world;
    uint64_t free_at = sim_net_wire_free(world->net, host->node);
    return free_at > now + world->config.wire_ahead ? 0 : world->config.room;
}

/* The real time, only to measure the core; nothing in the simulation depends on it. */
static uint64_t real_time(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void step(struct sim_host *host, struct turn *turn, const struct mcast_event *events,
                 size_t count, struct mcast_output *output) {
    *output = (struct mcast_output){.room = room_for(host, turn->now)};
    mcast_time local = sim_clock_local(&host->clock, turn->now);
    bool profiled = host->world->config.profiled;
    uint64_t begin = profiled ? real_time() : 0;
    mcast_member_step(host->member, events, count, local, output);
    host->spent += profiled ? real_time() - begin : 0;
    carry_out(host, turn, output);
}

/* Answer requests for payloads until there are none. */
static void supply(struct sim_host *host, struct turn *turn, struct mcast_output *output) {
    struct sim_world *world = host->world;
    while (output->want_count > 0 && host->running) {
        uint32_t count = 0;
        if (!grow(&world->answers, &world->answer_packets, &world->answer_room,
                  (uint32_t)output->want_count)) {
            return;
        }
        for (size_t i = 0; i < output->want_count; i++) {
            struct mcast_event *event = &world->answers[count];
            struct sim_packet *payload = sim_flow_supply(host, &output->wants[i], event, turn->now);
            if (event->kind == MCAST_EVENT_PAYLOAD) {
                turn->playing += world->config.cost.create;
                world->answer_packets[count++] = payload;
            }
        }
        if (count == 0) {
            return;
        }
        step(host, turn, world->answers, count, output);
        for (uint32_t i = 0; i < count; i++) {
            if (world->answer_packets[i] != NULL) {
                sim_packet_release(world->answer_packets[i]);
            }
        }
    }
}

/* End the stream to the service and begin a new one. */
static void drop_connection(struct sim_host *host) {
    if (host->connection != 0) {
        sim_frame_send(host->world, host->node, host->world->service.node, SIM_FRAME_CLOSE,
                       host->connection, NULL, 0, 0);
    }
    if (host->connected) {
        sim_host_request(host, (struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED}, NULL);
    }
    sim_host_connect(host, sim_net_now(host->world->net));
}

static void rejoin(struct sim_host *host, struct turn *turn) {
    if (turn->now < host->rejoin_at) {
        return;
    }
    host->rejoin_at = UINT64_MAX;
    host->incarnation = host->world->next_incarnation++;
    register_incarnation(host);
    struct mcast_event event = {.kind = MCAST_EVENT_REJOIN};
    event.as.rejoin.incarnation = host->incarnation;
    sim_host_request(host, event, NULL);
    drop_connection(host); /* input that still arrives on it belongs to the former incarnation */
    sim_app_rejoined(host);
}

/* Add the share of the CPU that live memory costs, as in the managed runtime of the papers. */
static uint64_t with_memory_tax(const struct sim_host *host, uint64_t cost) {
    const struct sim_world_config *config = &host->world->config;
    if (config->tax_ppm == 0) {
        return cost;
    }
    struct mcast_stats stats;
    mcast_member_stats(host->member, &stats);
    uint64_t used = stats.pending_bytes + stats.cached_bytes + stats.reorder_bytes;
    uint64_t live = (host->memory.used + used * config->tax_lag_pct / 100) >> 10;
    uint64_t share = live * config->tax_ppm >> 10; /* parts per million of a CPU */
    share = share > 900000 ? 900000 : share;
    return cost * 1000000 / (1000000 - share);
}

static void set_alarm(struct sim_host *host, const struct turn *turn, uint64_t cost) {
    struct sim_net *net = host->world->net;
    uint64_t at = sim_clock_true(&host->clock, mcast_member_next_deadline(host->member));
    if (turn->more) {
        uint64_t free_at = sim_net_wire_free(net, host->node);
        uint64_t ahead = host->world->config.wire_ahead;
        uint64_t soon = free_at > ahead ? free_at - ahead / 2 : 0;
        at = soon < at ? soon : at;
    }
    if (host->request_count != 0) {
        at = turn->now;
    }
    at = host->rejoin_at < at ? host->rejoin_at : at;
    sim_net_alarm(net, host->node, at < turn->now + cost ? turn->now + cost : at);
}

/* Pass on the requests of the application since the last turn. */
static void take_requests(struct sim_host *host, struct turn *turn) {
    struct sim_world *world = host->world;
    for (uint32_t i = 0; i < host->request_count; i++) {
        world->events[turn->events++] = host->requests[i];
        if (host->payloads[i] != NULL) {
            world->packets[turn->packets++] = host->payloads[i];
        }
    }
    host->request_count = 0;
}

static uint64_t finish(struct sim_host *host, const struct turn *turn) {
    uint64_t cost = host->world->config.cost.step + turn->reading + turn->urgent + turn->bulk +
                    turn->playing + turn->sending_urgent + turn->sending_bulk;
    if (host->stopping) {
        sim_host_end(host);
        sim_net_crash(host->world->net, host->node);
        return cost;
    }
    cost = with_memory_tax(host, cost);
    set_alarm(host, turn, cost);
    return cost;
}

uint64_t sim_host_turn(struct sim_host *host, uint64_t now) {
    struct sim_world *world = host->world;
    struct turn turn = {.now = now};
    if (!host->running) {
        return 0;
    }
    rejoin(host, &turn);
    if (!grow(&world->events, &world->packets, &world->event_room,
              host->request_count + world->config.turn_packets)) {
        return 0;
    }
    take_requests(host, &turn);
    read_sockets(host, &turn);
    struct mcast_output output;
    step(host, &turn, world->events, turn.events, &output);
    supply(host, &turn, &output);
    sim_host_judge_bounds(host, now);
    for (uint32_t i = 0; i < turn.packets; i++) {
        sim_packet_release(world->packets[i]);
    }
    return finish(host, &turn);
}
