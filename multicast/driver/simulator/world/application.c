/* The application of a host: it joins groups and takes deliveries and notices. */
#include "simulator/world/world_state.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_GROUPS = 4, MOST_MEMBERS = 4096, ID_GROUP = 0x67727570 };

struct mcast_id sim_world_group_id(uint32_t group) {
    return (struct mcast_id){ID_GROUP, (uint64_t)group + 1};
}

/* ---- groups and their local numbers ---- */

struct sim_host_group *sim_host_group_of(struct sim_host *host, uint32_t group, uint32_t *local) {
    uintptr_t known = (uintptr_t)sim_map_get(&host->locals, (uint64_t)group + 1);
    if (known == 0) {
        return NULL;
    }
    *local = (uint32_t)known - 1;
    return &host->groups[known - 1];
}

static bool make_room(struct sim_host *host) {
    if (host->group_count < host->group_room) {
        return true;
    }
    uint32_t room = host->group_room == 0 ? FIRST_GROUPS : host->group_room * 2;
    struct sim_host_group *groups = realloc(host->groups, room * sizeof *groups);
    if (groups == NULL) {
        return false;
    }
    host->groups = groups;
    host->group_room = room;
    return true;
}

/* Give @group the lowest free local number. */
static struct sim_host_group *add_group(struct sim_host *host, uint32_t group, uint32_t *local) {
    uint32_t at = host->group_count;
    if (host->group_count != host->locals.count) {
        for (at = 0; host->groups[at].group != SIM_NO_GROUP; at++) {
        }
    } else if (!make_room(host)) {
        return NULL;
    }
    if (!sim_map_put(&host->locals, (uint64_t)group + 1, (void *)(uintptr_t)(at + 1))) {
        return NULL;
    }
    host->group_count += at == host->group_count ? 1 : 0;
    host->groups[at] = (struct sim_host_group){.group = group};
    *local = at;
    return &host->groups[at];
}

static void remove_group(struct sim_host *host, uint32_t local) {
    sim_map_remove(&host->locals, (uint64_t)host->groups[local].group + 1);
    host->groups[local] = (struct sim_host_group){.group = SIM_NO_GROUP};
}

static bool ask_join(struct sim_host *host, uint32_t local, enum mcast_event_kind kind) {
    const struct sim_host_group *entry = &host->groups[local];
    struct mcast_event event = {.kind = kind};
    event.as.join.group = local;
    event.as.join.id = sim_world_group_id(entry->group);
    event.as.join.policy = entry->policy;
    return sim_host_request(host, event, NULL);
}

static void tell_join(struct sim_host *host, const struct sim_host_group *entry) {
    struct oracle *oracle = host->world->oracle;
    if (oracle != NULL && entry->member) {
        bool bounded = entry->policy.queue_messages != 0 || entry->policy.queue_bytes != 0;
        bool may_drop = bounded && entry->policy.slow != MCAST_SLOW_THROTTLE;
        oracle_join(oracle, host->actor, entry->group, may_drop);
    }
}

static bool enter(struct sim_world *world, uint32_t number, uint32_t group,
                  const struct mcast_group_policy *policy, bool member) {
    struct sim_host *host = world->hosts[number];
    uint32_t local;
    if (!host->running || host->leaving || sim_host_group_of(host, group, &local) != NULL) {
        return false; /* a member already, or joining or leaving */
    }
    struct sim_host_group *entry = add_group(host, group, &local);
    if (entry == NULL) {
        return false;
    }
    sim_log(host, "requests to %s group %u", member ? "join" : "send to", group);
    entry->wanted = true;
    entry->member = member;
    entry->policy = policy != NULL ? *policy : (struct mcast_group_policy){.tell_stable = true};
    tell_join(host, entry);
    return ask_join(host, local, member ? MCAST_EVENT_JOIN : MCAST_EVENT_REGISTER);
}

bool sim_world_join(struct sim_world *world, uint32_t host, uint32_t group,
                    const struct mcast_group_policy *policy) {
    return enter(world, host, group, policy, true);
}

bool sim_world_register(struct sim_world *world, uint32_t host, uint32_t group) {
    return enter(world, host, group, NULL, false);
}

static bool ask_of_group(struct sim_host *host, uint32_t local, enum mcast_event_kind kind) {
    struct mcast_event event = {.kind = kind};
    event.as.leave.group = local;
    return sim_host_request(host, event, NULL);
}

bool sim_world_leave(struct sim_world *world, uint32_t number, uint32_t group) {
    struct sim_host *host = world->hosts[number];
    uint32_t local;
    struct sim_host_group *entry = sim_host_group_of(host, group, &local);
    if (!host->running || entry == NULL || !entry->wanted) {
        return false;
    }
    sim_log(host, "requests to leave group %u", group);
    entry->wanted = false;
    if (world->oracle != NULL && entry->member) {
        oracle_leave(world->oracle, host->actor, group);
    }
    return ask_of_group(host, local, MCAST_EVENT_LEAVE);
}

bool sim_world_is_joined(const struct sim_world *world, uint32_t number, uint32_t group) {
    uint32_t local;
    const struct sim_host_group *entry = sim_host_group_of(world->hosts[number], group, &local);
    return entry != NULL && entry->joined && entry->wanted;
}

bool sim_world_ask(struct sim_world *world, uint32_t number, uint32_t group) {
    uint32_t local;
    struct sim_host *host = world->hosts[number];
    return sim_host_group_of(host, group, &local) != NULL &&
           ask_of_group(host, local, MCAST_EVENT_MEMBERS);
}

void sim_app_rejoined(struct sim_host *host) {
    for (uint32_t local = 0; local < host->group_count; local++) {
        struct sim_host_group *entry = &host->groups[local];
        if (entry->group == SIM_NO_GROUP) {
            continue;
        }
        if (!entry->wanted) {
            remove_group(host, local);
            continue;
        }
        entry->joined = false;
        entry->unread = 0;
        entry->unread_bytes = 0;
        tell_join(host, entry);
        ask_join(host, local, entry->member ? MCAST_EVENT_JOIN : MCAST_EVENT_REGISTER);
    }
}

/* ---- deliveries ---- */

static void send_consumed(struct sim_host *host, uint32_t local) {
    struct sim_host_group *entry = &host->groups[local];
    struct mcast_event event = {.kind = MCAST_EVENT_CONSUMED};
    event.as.consumed.group = local;
    event.as.consumed.messages = entry->unread;
    event.as.consumed.bytes = entry->unread_bytes;
    entry->unread = 0;
    entry->unread_bytes = 0;
    sim_host_request(host, event, NULL);
}

void sim_app_consumed(struct sim_host *host, uint32_t group, uint32_t messages, uint64_t bytes) {
    uint32_t local;
    struct sim_host_group *entry = sim_host_group_of(host, group, &local);
    if (entry == NULL || (entry->policy.queue_messages == 0 && entry->policy.queue_bytes == 0)) {
        return;
    }
    entry->unread += messages;
    entry->unread_bytes += bytes;
    if (!entry->stalled) {
        send_consumed(host, local);
    }
}

void sim_world_stall(struct sim_world *world, uint32_t number, uint32_t group, bool stalled) {
    struct sim_host *host = world->hosts[number];
    uint32_t local;
    struct sim_host_group *entry = sim_host_group_of(host, group, &local);
    if (entry == NULL) {
        return;
    }
    entry->stalled = stalled;
    if (!stalled && entry->unread != 0) {
        send_consumed(host, local);
    }
}

/* The output of a member is invalid once the member ends; an outside application may look later. */
static void put_delivery(struct sim_host *host, const struct mcast_delivery *delivery,
                         uint32_t group, uint64_t now) {
    struct sim_packet *copy = sim_packet_new(delivery->length);
    if (copy == NULL) {
        abort();
    }
    if (delivery->length != 0) {
        memcpy(copy->bytes, delivery->bytes, delivery->length);
    }
    struct sim_record record = {.kind = SIM_RECORD_DELIVERY,
                                .group = group,
                                .sender = delivery->sender,
                                .number = delivery->number,
                                .at = now,
                                .buffer = &copy->buffer,
                                .bytes = copy->bytes,
                                .length = delivery->length};
    sim_inbox_put(host, &record);
}

void sim_app_deliver(struct sim_host *host, const struct mcast_delivery *delivery, uint64_t now) {
    struct sim_world *world = host->world;
    if (delivery->group >= host->group_count) {
        return;
    }
    uint32_t group = host->groups[delivery->group].group;
    world->totals.delivered++;
    if (host->external) {
        put_delivery(host, delivery, group, now);
        return;
    }
    if (world->oracle != NULL) {
        uint64_t sent = oracle_deliver(world->oracle, host->actor, group, delivery->sender,
                                       delivery->number, delivery->bytes, delivery->length, now);
        uint64_t took = sent > now ? 0 : now - sent;
        world->totals.latency_sum += took;
        world->totals.latency_max =
            took > world->totals.latency_max ? took : world->totals.latency_max;
    }
    if (host->groups[delivery->group].policy.queue_messages != 0 ||
        host->groups[delivery->group].policy.queue_bytes != 0) {
        sim_app_consumed(host, group, 1, delivery->length);
    }
}

/* ---- notices ---- */

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void judge_members(struct sim_host *host, uint32_t group, const struct mcast_notice *notice,
                          uint64_t now) {
    struct sim_world *world = host->world;
    uint32_t actors[MOST_MEMBERS];
    if (notice->count > MOST_MEMBERS) {
        return;
    }
    for (uint64_t i = 0; i < notice->count; i++) {
        const struct mcast_member_name *name = &notice->nodes[i];
        uint64_t key = sim_hash_number(sim_hash_number(0, name->id.low), name->incarnation) | 1;
        actors[i] = (uint32_t)(uintptr_t)sim_map_get(&world->actors, key);
    }
    qsort(actors, (size_t)notice->count, sizeof *actors, by_value);
    oracle_members(world->oracle, host->actor, group, notice->number, actors, (size_t)notice->count,
                   now);
}

/* Packets are lost, not messages: nobody knows which groups were in them. */
static void judge_lost(struct sim_host *host, const struct mcast_notice *notice, uint64_t now) {
    for (uint32_t i = 0; i < host->group_count; i++) {
        if (host->groups[i].group != SIM_NO_GROUP) {
            oracle_skipped(host->world->oracle, host->actor, host->groups[i].group, notice->sender,
                           false, now);
        }
    }
}

/* Record that a member that fell behind leaves without having asked to. */
static void note_expelled(struct sim_host *host, uint32_t local) {
    struct sim_host_group *entry = local < host->group_count ? &host->groups[local] : NULL;
    if (entry == NULL || entry->policy.slow != MCAST_SLOW_EVICT || !entry->wanted) {
        return; /* notices about the whole node; or the policy lets it stay */
    }
    entry->wanted = false;
    if (host->world->oracle != NULL) {
        oracle_leave(host->world->oracle, host->actor, entry->group);
    }
}

static void judge(struct sim_host *host, uint32_t group, const struct mcast_notice *notice,
                  uint64_t now) {
    struct oracle *oracle = host->world->oracle;
    switch (notice->kind) {
    case MCAST_NOTICE_JOINED:
        oracle_joined(oracle, host->actor, group, now);
        break;
    case MCAST_NOTICE_LEFT:
    case MCAST_NOTICE_EXPELLED:
        oracle_left(oracle, host->actor, group);
        break;
    case MCAST_NOTICE_MEMBERS:
        judge_members(host, group, notice, now);
        break;
    case MCAST_NOTICE_SENT:
        oracle_sent(oracle, host->actor, group, now);
        break;
    case MCAST_NOTICE_LOST:
        judge_lost(host, notice, now);
        break;
    case MCAST_NOTICE_DROPPED:
        oracle_skipped(oracle, host->actor, group, notice->sender, true, now);
        break;
    case MCAST_NOTICE_STABLE:
        oracle_stable(oracle, host->actor, group, notice->sender, notice->number, now);
        break;
    case MCAST_NOTICE_MISSED:
        if (!host->external) { /* deliveries to an outside application are not judged either */
            oracle_missed(oracle, host->actor, group, notice->sender, notice->number, notice->last,
                          now);
        }
        break;
    case MCAST_NOTICE_EVICTED:
        oracle_evicted(oracle, host->actor, now);
        oracle_end(oracle, host->actor);
        break;
    default:
        break;
    }
}

/* React to a notice on behalf of the world, whoever plays the application. */
static void act(struct sim_host *host, const struct mcast_notice *notice, uint64_t now) {
    struct sim_world *world = host->world;
    bool here = notice->group < host->group_count;
    switch (notice->kind) {
    case MCAST_NOTICE_LISTEN:
        sim_net_subscribe(world->net, host->node, sim_address_target(&notice->address));
        break;
    case MCAST_NOTICE_UNLISTEN:
        sim_net_unsubscribe(world->net, host->node, sim_address_target(&notice->address));
        break;
    case MCAST_NOTICE_JOINED:
    case MCAST_NOTICE_REGISTERED:
        if (here) {
            host->groups[notice->group].joined = true;
        }
        sim_flow_resume(host, now);
        break;
    case MCAST_NOTICE_VIEW:
        if (here && host->groups[notice->group].member &&
            (host->external || world->oracle != NULL)) {
            ask_of_group(host, notice->group, MCAST_EVENT_MEMBERS);
        }
        break;
    case MCAST_NOTICE_SENT:
    case MCAST_NOTICE_REFUSED:
    case MCAST_NOTICE_WITHDRAWN:
        sim_flow_answered(host, notice->cookie, notice->kind == MCAST_NOTICE_SENT, now);
        break;
    case MCAST_NOTICE_DEMOTED:
        note_expelled(host, notice->group);
        break;
    case MCAST_NOTICE_EVICTED:
        host->rejoin_at = now + world->config.rejoin_after;
        break;
    case MCAST_NOTICE_STOPPED:
        host->stopping = true;
        break;
    default:
        break;
    }
}

/* The members as three numbers each: short name, id, incarnation. */
static struct sim_packet *copy_members(const struct mcast_notice *notice) {
    struct sim_packet *copy = sim_packet_new((uint32_t)(notice->count * 3 * sizeof(uint64_t)));
    if (copy == NULL) {
        abort();
    }
    for (uint64_t i = 0; i < notice->count; i++) {
        const struct mcast_member_name *name = &notice->nodes[i];
        const uint64_t three[] = {name->node, name->id.low, name->incarnation};
        memcpy(copy->bytes + i * sizeof three, three, sizeof three);
    }
    return copy;
}

static void put_notice(struct sim_host *host, const struct mcast_notice *notice, uint32_t group,
                       uint64_t now) {
    struct sim_record record = {.kind = notice->kind,
                                .code = notice->code,
                                .group = group,
                                .sender = notice->sender,
                                .number = notice->number,
                                .last = notice->last,
                                .count = notice->count,
                                .cookie = notice->cookie,
                                .at = now};
    if (notice->kind == MCAST_NOTICE_MEMBERS && notice->count != 0) {
        struct sim_packet *copy = copy_members(notice);
        record.buffer = &copy->buffer;
        record.bytes = copy->bytes;
        record.length = copy->size;
    }
    sim_inbox_put(host, &record);
}

/* Log a notice; those that come with each message are left out. */
static void tell(const struct sim_host *host, const struct mcast_notice *notice, uint32_t group) {
    static const char *const words[] = {
        "",        "joined",  "left",    "registered", "refused",   "view",   "members",  "sent",
        "stable",  "lost",    "dropped", "uncertain",  "withdrawn", "paused", "resumed",  "demoted",
        "evicted", "stopped", "listen",  "unlisten",   "dead",      "behind", "expelled", "missed"};
    if (notice->kind == MCAST_NOTICE_SENT || notice->kind == MCAST_NOTICE_STABLE) {
        return;
    }
    sim_log(host, "%s: group %d, code %d, sender %u, number %llx, last %llu, count %llu",
            words[notice->kind], (int)group, notice->code, notice->sender,
            (unsigned long long)notice->number, (unsigned long long)notice->last,
            (unsigned long long)notice->count);
}

void sim_app_notice(struct sim_host *host, const struct mcast_notice *notice, uint64_t now) {
    struct sim_world *world = host->world;
    bool here = notice->group < host->group_count;
    uint32_t group = here ? host->groups[notice->group].group : SIM_NO_GROUP;
    world->totals.notices[notice->kind & 63]++;
    tell(host, notice, group);
    act(host, notice, now);
    if (world->oracle != NULL) {
        judge(host, group, notice, now);
    }
    if (host->external && notice->kind != MCAST_NOTICE_LISTEN &&
        notice->kind != MCAST_NOTICE_UNLISTEN) {
        put_notice(host, notice, group, now);
    }
    bool out = notice->kind == MCAST_NOTICE_LEFT || notice->kind == MCAST_NOTICE_EXPELLED;
    if (out && here) {
        remove_group(host, notice->group);
    }
}
