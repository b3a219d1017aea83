#define _DEFAULT_SOURCE
#include "engine/binding_face.h"
#include "engine/engine_stats.h"
#include "engine/host.h"
#include "mcast/stats.h"
#include "service_connection/service_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAKE_MOST = 1024, LAGGARDS_MOST = 64 };

struct udp_face_config {
    struct mcast_config member;
};

/* X(name, field): the settings. */
#define SETTINGS(X)                                                                                \
    X(cluster, cluster)                                                                            \
    X(id_high, id.high)                                                                            \
    X(id_low, id.low)                                                                              \
    X(incarnation, incarnation)                                                                    \
    X(seed, seed)                                                                                  \
    X(pace, pace)                                                                                  \
    X(ring_mode, ring_mode)                                                                        \
    X(priority_mode, priority_mode)                                                                \
    X(interval_floor, interval_floor)                                                              \
    X(interval_ceiling, interval_ceiling)                                                          \
    X(partition_size, partition_size)                                                              \
    X(replicas, replicas)                                                                          \
    X(owner_block, owner_block)                                                                    \
    X(packet_size, packet_size)                                                                    \
    X(window_floor, window_floor)                                                                  \
    X(window_cap, window_cap)                                                                      \
    X(rate_cap, rate_cap)                                                                          \
    X(recovery_share, recovery_share)                                                              \
    X(batch_delay, batch_delay)                                                                    \
    X(want_time, want_time)                                                                        \
    X(reassembly_cap, reassembly_cap)                                                              \
    X(reorder_cap, reorder_cap)                                                                    \
    X(unread_time, unread_time)

struct place {
    const char *name;
    size_t offset;
    size_t size;
};

static const struct place PLACES[] = {
#define X(name, field)                                                                             \
    {#name, offsetof(struct mcast_config, field), sizeof(((struct mcast_config *)0)->field)},
    SETTINGS(X)
#undef X
};

enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };

struct udp_face_config *udp_face_config_new(void) {
    struct udp_face_config *config = calloc(1, sizeof *config);
    if (config != NULL) {
        mcast_config_default(&config->member);
    }
    return config;
}

void udp_face_config_free(struct udp_face_config *config) {
    free(config);
}

const char *udp_face_config_name(size_t index) {
    return index < PLACE_COUNT ? PLACES[index].name : NULL;
}

bool udp_face_config_set(struct udp_face_config *config, const char *name, uint64_t value) {
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        if (strcmp(PLACES[i].name, name) == 0) {
            uint8_t *field = (uint8_t *)&config->member + PLACES[i].offset;
            uint32_t narrow = (uint32_t)value;
            if (PLACES[i].size == sizeof value) {
                memcpy(field, &value, sizeof value);
                return true;
            }
            memcpy(field, &narrow, sizeof narrow);
            return narrow == value;
        }
    }
    return false;
}

struct mcast_keyring *udp_face_keyring(uintptr_t seal, uintptr_t open, uintptr_t hash,
                                       const uint8_t *keys, size_t count, bool tags_only) {
    struct mcast_crypto crypto = {.tags_only = tags_only};
    struct mcast_key known[MCAST_KEYS_MOST];
    if (count > MCAST_KEYS_MOST) {
        return NULL;
    }
    /* An integer becomes a function pointer only by way of its bytes. */
    memcpy(&crypto.seal, &seal, sizeof crypto.seal);
    memcpy(&crypto.open, &open, sizeof crypto.open);
    memcpy(&crypto.hash, &hash, sizeof crypto.hash);
    for (size_t i = 0; i < count; i++) {
        known[i].id = keys[i * (1 + MCAST_KEY_SIZE)];
        memcpy(known[i].bytes, keys + i * (1 + MCAST_KEY_SIZE) + 1, MCAST_KEY_SIZE);
    }
    struct mcast_keyring *made = mcast_keyring_new(&crypto, known, count);
    explicit_bzero(known, sizeof known);
    return made;
}

struct mcast_engine *udp_face_start(const struct udp_face_config *config, const char *interface,
                                    const char *service, struct mcast_keyring *keyring, int *code) {
    struct mcast_engine *engine = NULL;
    *code = mcast_engine_start_with(&config->member, interface, service, keyring, &engine);
    return engine;
}

int udp_face_join(struct mcast_engine *engine, uint32_t group, uint64_t id_high, uint64_t id_low,
                  uint32_t slow, uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable) {
    struct mcast_event event = {.kind = MCAST_EVENT_JOIN,
                                .as.join = {.group = group,
                                            .id = {id_high, id_low},
                                            .policy = {.slow = (enum mcast_slow_policy)slow,
                                                       .queue_messages = queue_messages,
                                                       .queue_bytes = queue_bytes,
                                                       .tell_stable = tell_stable}}};
    return mcast_engine_submit(engine, &event);
}

static int of_group(struct mcast_engine *engine, enum mcast_event_kind kind, uint32_t group) {
    struct mcast_event event = {.kind = kind, .as.leave = {.group = group}};
    return mcast_engine_submit(engine, &event);
}

int udp_face_leave(struct mcast_engine *engine, uint32_t group) {
    return of_group(engine, MCAST_EVENT_LEAVE, group);
}

int udp_face_resume(struct mcast_engine *engine, uint32_t group) {
    return of_group(engine, MCAST_EVENT_RESUME, group);
}

int udp_face_members(struct mcast_engine *engine, uint32_t group) {
    return of_group(engine, MCAST_EVENT_MEMBERS, group);
}

int udp_face_consumed(struct mcast_engine *engine, uint32_t group, uint32_t messages,
                      uint64_t bytes) {
    struct mcast_event event = {
        .kind = MCAST_EVENT_CONSUMED,
        .as.consumed = {.group = group, .messages = messages, .bytes = bytes}};
    return mcast_engine_submit(engine, &event);
}

int udp_face_stop(struct mcast_engine *engine) {
    return of_group(engine, MCAST_EVENT_STOP, 0);
}

int udp_face_rejoin(struct mcast_engine *engine, uint64_t incarnation) {
    struct mcast_event event = {.kind = MCAST_EVENT_REJOIN,
                                .as.rejoin = {.incarnation = incarnation}};
    return mcast_engine_submit(engine, &event);
}

int udp_face_send(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                  uint32_t length, uint64_t cookie) {
    struct mcast_event event = {.kind = MCAST_EVENT_SEND,
                                .as.send = {.group = group,
                                            .pull = bytes == NULL,
                                            .bytes = bytes,
                                            .length = length,
                                            .cookie = cookie}};
    return mcast_engine_submit(engine, &event);
}

int udp_face_supply(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie) {
    struct mcast_event event = {.kind = MCAST_EVENT_PAYLOAD,
                                .as.payload = {.group = group,
                                               .nothing = bytes == NULL,
                                               .bytes = bytes,
                                               .length = length,
                                               .cookie = cookie}};
    return mcast_engine_submit(engine, &event);
}

size_t udp_face_take(struct mcast_engine *engine, uint64_t *numbers, const uint8_t **bytes,
                     size_t most) {
    struct mcast_engine_item items[TAKE_MOST];
    size_t count = mcast_engine_take(engine, items, most < TAKE_MOST ? most : TAKE_MOST);
    for (size_t i = 0; i < count; i++) {
        const struct mcast_engine_item *item = &items[i];
        const uint64_t row[UDP_FACE_NUMBERS] = {
            item->kind,  item->notice, (uint64_t)(int64_t)item->code,
            item->group, item->sender, item->number,
            item->last,  item->count,  item->cookie,
            item->length};
        memcpy(numbers + i * UDP_FACE_NUMBERS, row, sizeof row);
        bytes[i] = item->bytes;
    }
    return count;
}

/* The index of these numbers in the row of an item; see udp_face_take. */
enum { KIND_AT = 0, GROUP_AT = 3, LENGTH_AT = 9 };

size_t udp_face_run(const uint64_t *numbers, size_t count, uint64_t *bytes) {
    size_t n = 0;
    *bytes = 0;
    for (const uint64_t *row = numbers;
         n < count && row[KIND_AT] == MCAST_ENGINE_DELIVERY && row[GROUP_AT] == numbers[GROUP_AT];
         row += UDP_FACE_NUMBERS) {
        *bytes += row[LENGTH_AT];
        n++;
    }
    return n;
}

/* X(name, value): the measurements of the driver, beside those of the member. */
#define DRIVER_MEASURES(X)                                                                         \
    X(steps, host.steps)                                                                           \
    X(datagrams_received, host.datagrams_received)                                                 \
    X(datagrams_sent, host.datagrams_sent)                                                         \
    X(kernel_messages_sent, host.messages_sent)                                                    \
    X(datagrams_lost_sending, host.lost_sending)                                                   \
    X(datagrams_lost_on_purpose, host.lost_by_sieve)                                               \
    X(kernel_drops, host.kernel_drops)                                                             \
    X(service_connections, host.connections)                                                       \
    X(service_strangers, host.strangers)                                                           \
    X(unread_messages, unread_messages)                                                            \
    X(unread_bytes, unread_bytes)                                                                  \
    X(given_bytes, given_bytes)

static const char *const DRIVER_NAMES[] = {
#define X(name, value) #name,
    DRIVER_MEASURES(X)
#undef X
};

enum { DRIVER_COUNT = sizeof DRIVER_NAMES / sizeof *DRIVER_NAMES };

const char *udp_face_driver_name(size_t index) {
    return index < DRIVER_COUNT ? DRIVER_NAMES[index] : NULL;
}

bool udp_face_is_gauge(const char *name) {
    static const char *const gauges[] = {
#define X(name) #name,
        MCAST_GAUGES(X)
#undef X
            "unread_messages",
        "unread_bytes", "given_bytes"};
    for (size_t i = 0; i < sizeof gauges / sizeof *gauges; i++) {
        if (strcmp(gauges[i], name) == 0) {
            return true;
        }
    }
    return false;
}

int udp_face_measure(struct mcast_engine *engine, uint64_t *values, size_t most) {
    struct mcast_stats stats;
    struct udp_engine_stats driver;
    int code = mcast_engine_stats(engine, &stats, &driver);
    const uint64_t own[DRIVER_COUNT] = {
#define X(name, value) driver.value,
        DRIVER_MEASURES(X)
#undef X
    };
    size_t count = sizeof stats / sizeof *values;
    if (code == 0 && most >= count + DRIVER_COUNT) {
        memcpy(values, &stats, sizeof stats);
        memcpy(values + count, own, sizeof own);
    }
    return code != 0 ? code : most >= count + DRIVER_COUNT ? 0 : -ENOSPC;
}

int udp_face_laggards(struct mcast_engine *engine, uint64_t *numbers, size_t most, uint64_t *own) {
    struct mcast_laggard found[LAGGARDS_MOST];
    mcast_node node = 0;
    most = most < LAGGARDS_MOST ? most : LAGGARDS_MOST;
    int count = mcast_engine_laggards(engine, found, most, &node);
    for (int i = 0; i < count; i++) {
        const uint64_t row[UDP_FACE_LAGGARD] = {found[i].node, (uint64_t)found[i].kind,
                                                found[i].group, found[i].packets, found[i].age};
        memcpy(numbers + (size_t)i * UDP_FACE_LAGGARD, row, sizeof row);
    }
    *own = node;
    return count;
}

struct udp_server *udp_face_serve(const char *path, const char *lock, uint32_t cluster,
                                  const char *first_ip, uint32_t port, uint32_t count,
                                  uint64_t batch, uint64_t suspicion, uint32_t hybrid_regions,
                                  const char *at, const struct mcast_keyring *keyring, int *code) {
    struct udp_server_options options;
    struct udp_server *server = NULL;
    struct udp_place elsewhere;
    struct in_addr ip;
    memset(&options, 0, sizeof options);
    mcast_service_config_default(&options.service);
    if (inet_pton(AF_INET, first_ip, &ip) != 1 || port > UINT16_MAX - MCAST_SOCKETS) {
        *code = -EINVAL;
        return NULL;
    }
    if (strlen(path) >= sizeof options.path || strlen(lock) >= sizeof options.lock) {
        *code = -ENAMETOOLONG;
        return NULL;
    }
    if (*at != '\0' && (udp_place_read(at, &elsewhere) != 0 || elsewhere.local)) {
        *code = -EINVAL;
        return NULL;
    }
    options.at = *at != '\0' ? elsewhere.at : (struct sockaddr_in){.sin_port = 0};
    options.keyring = keyring;
    memcpy(options.path, path, strlen(path));
    memcpy(options.lock, lock, strlen(lock));
    uint16_t first = (uint16_t)port;
    options.service.first_address =
        udp_address(ip, (uint16_t[]){first, (uint16_t)(first + 1), (uint16_t)(first + 2)});
    options.service.address_count = count;
    options.service.cluster = cluster;
    options.service.batch = batch;
    options.service.suspicion = suspicion;
    options.service.hybrid_regions = hybrid_regions;
    *code = udp_server_open(&options, &server);
    return server;
}

uint64_t udp_face_idle(const struct udp_server *server) {
    mcast_time since = MCAST_NEVER;
    mcast_time now = udp_now();
    (void)udp_server_connections(server, &since);
    return since == MCAST_NEVER || since > now ? 0 : now - since;
}

uint64_t udp_face_connections(const struct udp_server *server) {
    mcast_time since = MCAST_NEVER;
    return udp_server_connections(server, &since);
}

/* X(name, value): the measurements of the service. */
#define SERVICE_MEASURES(X)                                                                        \
    X(epochs, stats.epochs)                                                                        \
    X(members, stats.members)                                                                      \
    X(groups, stats.groups)                                                                        \
    X(regions, stats.regions)                                                                      \
    X(hierarchies, stats.hierarchies)                                                              \
    X(classes, stats.classes)                                                                      \
    X(region_moves, stats.region_moves)                                                            \
    X(suspicions, stats.suspicions)                                                                \
    X(malformed, stats.malformed)                                                                  \
    X(bytes_sent, stats.bytes_sent)                                                                \
    X(memory_bytes, stats.memory_bytes)                                                            \
    X(strangers, udp_server_strangers(server))

static const char *const SERVICE_NAMES[] = {
#define X(name, value) #name,
    SERVICE_MEASURES(X)
#undef X
};

enum { SERVICE_COUNT = sizeof SERVICE_NAMES / sizeof *SERVICE_NAMES };

const char *udp_face_service_name(size_t index) {
    return index < SERVICE_COUNT ? SERVICE_NAMES[index] : NULL;
}

void udp_face_service_measure(const struct udp_server *server, uint64_t *values, size_t most) {
    struct mcast_service_stats stats;
    udp_server_stats(server, &stats);
    const uint64_t all[SERVICE_COUNT] = {
#define X(name, value) value,
        SERVICE_MEASURES(X)
#undef X
    };
    memcpy(values, all, (most < SERVICE_COUNT ? most : SERVICE_COUNT) * sizeof *values);
}

uint32_t udp_face_generation(const struct udp_server *server) {
    return udp_server_generation(server);
}
