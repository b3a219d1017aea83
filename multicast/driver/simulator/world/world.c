#include "simulator/world/world_state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_HOSTS = 16, REGION_ADDRESSES = 1 << 16 };

/* The costs of a current server core in round figures; bench/calibration.json has measured ones. */
static const struct sim_cost default_cost = {
    .step = 1000,
    .read = {300, 300, 300, 300},
    .handle = {1500, 1000, 500, 3000},
    .handle_kib = 100,
    .send = {1500, 1500, 1500, 3000},
    .send_kib = 200,
    .deliver = 200,
    .create = 200,
};

struct sim_world_config sim_world_config_default(uint64_t seed) {
    struct sim_world_config config = {
        .net = sim_config_lan(seed),
        .cost = default_cost,
        .tagged = true,
        .judged = true,
        .turn_packets = 256,
        .room = 64,
        .wire_ahead = 1000000,
        .tax_lag_pct = 250,
        .rejoin_after = 50000000,
    };
    mcast_config_default(&config.member);
    mcast_service_config_default(&config.service);
    config.member.cluster = config.service.cluster = 0x51;
    config.service.first_address = sim_address_of_group(1);
    config.service.address_count = REGION_ADDRESSES;
    config.service.seed = seed;
    return config;
}

/* ---- hooks of the network ---- */

static uint64_t run(void *user, uint32_t node, uint64_t now) {
    struct sim_world *world = user;
    if (node == world->service.node) {
        return world->service.service == NULL ? 0 : sim_service_turn(world, now);
    }
    return sim_host_turn(world->hosts[world->host_of_node[node]], now);
}

static bool pass(void *user, const struct sim_packet *packet, uint32_t to, uint64_t now) {
    (void)now;
    struct sim_world *world = user;
    for (uint32_t i = 0; i < world->drop_count; i++) {
        struct sim_drop *drop = &world->drops[i];
        if (drop->count != 0 && (drop->from == UINT32_MAX || drop->from == packet->from) &&
            (drop->to == UINT32_MAX || drop->to == to) && drop->socket == packet->kind) {
            drop->count--;
            return false;
        }
    }
    return true;
}

enum { HEADER = 32 };

/* Reseal changed bytes with a valid tag: what a misbehaving member could send. */
static void seal_again(struct sim_world *world, struct sim_packet *packet) {
    struct mcast_auth auth = sim_tag_auth(&world->tag_key);
    (void)auth.seal(auth.context, packet->bytes, packet->size - MCAST_TAG_SIZE);
}

/* Change a few bytes, mostly after the header, where the lists are. */
static void corrupt(void *user, struct sim_packet *packet) {
    struct sim_world *world = user;
    uint64_t changes = 1 + sim_random_below(&world->random, 3);
    for (uint64_t i = 0; i < changes && packet->size > HEADER + MCAST_TAG_SIZE; i++) {
        bool head = sim_random_below(&world->random, 8) == 0;
        uint64_t low = head ? 0 : HEADER;
        uint64_t at = sim_random_between(&world->random, low, packet->size - MCAST_TAG_SIZE - 1);
        packet->bytes[at] ^= (uint8_t)(1 + sim_random_below(&world->random, 255));
    }
    if (world->config.sealed_lies && packet->size >= HEADER + MCAST_TAG_SIZE) {
        seal_again(world, packet);
    }
}

static void broken(void *user, uint32_t node, uint32_t peer, uint64_t now) {
    struct sim_world *world = user;
    if (node == world->service.node) {
        sim_service_broken(world, peer, now);
    } else if (peer == world->service.node) {
        sim_host_broken(world->hosts[world->host_of_node[node]], now);
    }
}

/* ---- life ---- */

struct sim_world *sim_world_new(const struct sim_world_config *config) {
    struct sim_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return NULL;
    }
    world->config = *config;
    world->next_incarnation = 1;
    world->next_connection = 1;
    sim_map_init(&world->actors);
    sim_random_seed(&world->random, config->net.seed + 1);
    world->tag_key = sim_random_next(&world->random);
    struct sim_hooks hooks = {world, run, pass, corrupt, broken};
    world->net = sim_net_new(&config->net, &hooks);
    struct oracle_rules rules = {.first_number = config->member.first_number,
                                 .adaptive = config->member.pace == MCAST_ADAPTIVE,
                                 .partition_size = config->member.partition_size,
                                 .owner_block = config->member.owner_block,
                                 .replicas = config->member.replicas,
                                 .isolated = config->isolated,
                                 .calm = config->calm};
    world->oracle = config->judged ? oracle_new() : NULL;
    world->wire = world->oracle != NULL ? oracle_wire_new(world->oracle, &rules) : NULL;
    if (world->net == NULL || (config->judged && world->wire == NULL)) {
        sim_world_free(world);
        return NULL;
    }
    world->service.node = sim_net_add(world->net);
    if (!sim_service_start(world)) {
        sim_world_free(world);
        return NULL;
    }
    return world;
}

void sim_world_free(struct sim_world *world) {
    if (world == NULL) {
        return;
    }
    for (uint32_t i = 0; i < world->host_count; i++) {
        sim_host_free(world->hosts[i]);
    }
    for (uint32_t i = 0; i < world->flow_count; i++) {
        free(world->flows[i]);
    }
    if (world->service.service != NULL) {
        sim_service_end(world);
    }
    mcast_buffer_release(world->shown);
    sim_net_free(world->net);
    oracle_wire_free(world->wire);
    oracle_free(world->oracle);
    sim_map_free(&world->actors);
    free(world->hosts);
    free(world->flows);
    free(world->host_of_node);
    free(world->events);
    free(world->packets);
    free(world->answers);
    free(world->answer_packets);
    free(world);
}

struct sim_net *sim_world_net(struct sim_world *world) {
    return world->net;
}

struct oracle *sim_world_oracle(struct sim_world *world) {
    return world->oracle;
}

struct oracle_wire_counts sim_world_wire(const struct sim_world *world) {
    return world->wire == NULL ? (struct oracle_wire_counts){0} : oracle_wire_counts(world->wire);
}

static bool grow_hosts(struct sim_world *world) {
    if (world->host_count == world->host_room) {
        uint32_t room = world->host_room == 0 ? FIRST_HOSTS : world->host_room * 2;
        struct sim_host **hosts = realloc(world->hosts, room * sizeof(struct sim_host *));
        if (hosts == NULL) {
            return false;
        }
        world->hosts = hosts;
        world->host_room = room;
    }
    uint32_t nodes = sim_net_count(world->net) + 1;
    if (nodes > world->node_room) {
        uint32_t *of_node = realloc(world->host_of_node, 2 * nodes * sizeof *of_node);
        if (of_node == NULL) {
            return false;
        }
        world->host_of_node = of_node;
        world->node_room = 2 * nodes;
    }
    return true;
}

uint32_t sim_world_add(struct sim_world *world, bool external) {
    if (!grow_hosts(world)) {
        return UINT32_MAX;
    }
    struct sim_host *host = sim_host_new(world, world->host_count, external);
    if (host == NULL) {
        return UINT32_MAX;
    }
    host->node = sim_net_add(world->net);
    world->host_of_node[host->node] = host->number;
    world->hosts[world->host_count++] = host;
    return sim_host_start(host) ? host->number : UINT32_MAX;
}

uint32_t sim_world_hosts(const struct sim_world *world) {
    return world->host_count;
}

uint32_t sim_world_node(const struct sim_world *world, uint32_t host) {
    return world->hosts[host]->node;
}

uint32_t sim_world_service_node(const struct sim_world *world) {
    return world->service.node;
}

void sim_world_clock(struct sim_world *world, uint32_t host, struct sim_clock clock) {
    world->hosts[host]->clock = clock;
}

uint64_t sim_world_now(const struct sim_world *world) {
    return sim_net_now(world->net);
}

void sim_world_run(struct sim_world *world, uint64_t until) {
    sim_net_run(world->net, until);
}

/* ---- following a run ---- */

void sim_world_log(struct sim_world *world, FILE *log) {
    world->log = log;
}

void sim_log_service(const struct sim_world *world, const char *what) {
    if (world->log != NULL) {
        fprintf(world->log, "%8llu.000 ms  the service %s\n",
                (unsigned long long)(sim_net_now(world->net) / 1000000), what);
    }
}

void sim_log(const struct sim_host *host, const char *format, ...) {
    FILE *log = host->world->log;
    if (log == NULL) {
        return;
    }
    uint64_t now = sim_net_now(host->world->net);
    fprintf(log, "%8llu.%03llu ms  actor %-3u node %-3u ", (unsigned long long)(now / 1000000),
            (unsigned long long)(now / 1000 % 1000), host->actor,
            host->running ? mcast_member_node(host->member) : 0);
    va_list list;
    va_start(list, format);
    vfprintf(log, format, list);
    va_end(list);
    fputc('\n', log);
}

/* ---- measurements ---- */

bool sim_world_stats(const struct sim_world *world, uint32_t host, struct mcast_stats *stats) {
    if (!world->hosts[host]->running) {
        return false;
    }
    mcast_member_stats(world->hosts[host]->member, stats);
    return true;
}

void sim_world_service_stats(const struct sim_world *world, struct mcast_service_stats *stats) {
    *stats = (struct mcast_service_stats){0};
    if (world->service.service != NULL) {
        mcast_service_stats(world->service.service, stats);
    }
}

uint64_t sim_world_memory(const struct sim_world *world, uint32_t host) {
    return world->hosts[host]->memory.used;
}

uint32_t sim_world_actor(const struct sim_world *world, uint32_t host) {
    return world->hosts[host]->actor;
}

mcast_node sim_world_short_name(const struct sim_world *world, uint32_t host) {
    return world->hosts[host]->running ? mcast_member_node(world->hosts[host]->member) : 0;
}

struct sim_totals sim_world_totals(const struct sim_world *world) {
    struct sim_totals totals = world->totals;
    for (uint32_t i = 0; i < world->host_count; i++) {
        struct mcast_stats stats;
        if (sim_world_stats(world, i, &stats)) {
#define X(name) totals.members.name += stats.name;
            MCAST_COUNTERS(X)
            MCAST_GAUGES(X)
#undef X
        }
    }
    return totals;
}

/* ---- an outside application sends ---- */

static struct sim_packet *copy(const uint8_t *bytes, uint32_t length) {
    struct sim_packet *packet = sim_packet_new(length);
    if (packet == NULL) {
        abort();
    }
    if (length != 0) {
        memcpy(packet->bytes, bytes, length);
    }
    return packet;
}

bool sim_world_send(struct sim_world *world, uint32_t number, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie) {
    struct sim_host *host = world->hosts[number];
    uint32_t local;
    if (!host->running || sim_host_group_of(host, group, &local) == NULL) {
        return false;
    }
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    struct sim_packet *payload = NULL;
    event.as.send.group = local;
    event.as.send.cookie = cookie;
    event.as.send.pull = bytes == NULL;
    if (bytes != NULL) {
        payload = copy(bytes, length);
        event.as.send.buffer = &payload->buffer;
        event.as.send.bytes = payload->bytes;
        event.as.send.length = length;
    }
    return sim_host_request(host, event, payload);
}

bool sim_world_supply(struct sim_world *world, uint32_t number, uint32_t group, uint64_t cookie,
                      const uint8_t *bytes, uint32_t length) {
    struct sim_host *host = world->hosts[number];
    uint32_t local;
    if (!host->running || sim_host_group_of(host, group, &local) == NULL) {
        return false;
    }
    struct mcast_event event = {.kind = MCAST_EVENT_PAYLOAD};
    struct sim_packet *payload = NULL;
    event.as.payload.group = local;
    event.as.payload.cookie = cookie;
    event.as.payload.nothing = bytes == NULL;
    if (bytes != NULL) {
        payload = copy(bytes, length);
        event.as.payload.buffer = &payload->buffer;
        event.as.payload.bytes = payload->bytes;
        event.as.payload.length = length;
    }
    return sim_host_request(host, event, payload);
}
