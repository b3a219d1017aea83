/* A small world whose membership service is replaced by one of a later generation that knows
 * nothing (rule 1.0.12). */
#ifndef RESTARTING_WORLD_H
#define RESTARTING_WORLD_H

#include "small_world.h"

/* End the connections of all members, whether their service lives or not. */
static inline void world_disconnect_all(struct world *world) {
    for (uint32_t i = 0; i < world->count; i++) {
        world_step(world, i, &(struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED}, 1);
    }
}

/* Start a service of @generation, which knows nothing. */
static inline void world_new_service(struct world *world, uint32_t generation) {
    mcast_service_free(world->service);
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    config.cluster = 7;
    config.generation = generation;
    config.batch = MCAST_MILLISECOND;
    config.heartbeat = 50 * MCAST_MILLISECOND;
    config.suspicion = 200 * MCAST_MILLISECOND;
    config.first_address.ip[14] = 239;
    config.address_count = 1000;
    CHECK(mcast_service_new(&config, &world->memory.alloc, &world->service) == MCAST_OK);
}

static inline void world_connect_one(struct world *world, uint32_t index) {
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED,
                                                       .connection = index + 1});
    world_step(world, index, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
}

/* Connect the first @count members to the new service. */
static inline void world_connect(struct world *world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        world_connect_one(world, i);
    }
}

/* Stop the service, disconnect all members, start the next service and connect the first @count
 * members. */
static inline void world_replace_service_for(struct world *world, uint32_t generation,
                                             uint32_t count) {
    world_disconnect_all(world);
    world_new_service(world, generation);
    world_connect(world, count);
}

static inline void world_replace_service(struct world *world, uint32_t generation) {
    world_replace_service_for(world, generation, world->count);
}

static inline void ask_members(struct world *world, uint32_t index, uint32_t group) {
    struct mcast_event event = {.kind = MCAST_EVENT_MEMBERS};
    event.as.leave.group = group;
    world_step(world, index, &event, 1);
}

/* Return the count in the last answer that the member got; 0 if there was none. */
static inline uint64_t last_count(const struct world *world, uint32_t index) {
    uint64_t count = 0;
    for (size_t i = 0; i < world->members[index].notice_count; i++) {
        const struct mcast_notice *notice = &world->members[index].notices[i];
        count = notice->kind == MCAST_NOTICE_MEMBERS ? notice->count : count;
    }
    return count;
}

/* Let the third member miss COMMIT. */
static inline bool lose_commit(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    return index == 2 && kind == MCAST_SM_COMMIT;
}

static inline bool lose_all_to_third(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    (void)kind;
    return index == 2;
}

#endif
