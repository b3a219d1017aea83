/* Rule 1.0.12 at a member: the membership service dies between two words, and a new one goes on from
 * what the members say. */
#include "small_world.h"

/* The service is gone, and with it all connections; a new one of the next generation takes over. */
static void restart_service(struct world *world, uint32_t generation) {
    mcast_service_free(world->service);
    struct mcast_service_config config;
    mcast_service_config_default(&config);
    config.cluster = 7;
    config.generation = generation;
    config.batch = MCAST_MILLISECOND;
    config.first_address.ip[14] = 239;
    config.address_count = 1000;
    CHECK(mcast_service_new(&config, &world->memory.alloc, &world->service) == MCAST_OK);
    for (uint32_t i = 0; i < world->count; i++) {
        world_step(world, i, &(struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED}, 1);
        world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED,
                                                           .connection = i + 1});
        world_step(world, i, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    }
}

static bool lose_commit(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    return index == 0 && kind == MCAST_SM_COMMIT;
}

/* One member heard PREPARE and not COMMIT, when the service died; the others went on, and sent in
 * the new view. It is told of that view again, and is owed what was sent there. */
static void a_view_that_others_had_is_not_forgotten(void) {
    struct world world;
    world_of(&world, 4, 1);
    world_send(&world, 1, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    size_t views = world_notices(&world, 0, MCAST_NOTICE_VIEW);
    world.hush = lose_commit;
    world_leave(&world, 3, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_VIEW) > views);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_VIEW) == views);
    world_send(&world, 1, 0, 2, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world.members[0].heard_count == 1);
    world.hush = NULL;
    restart_service(&world, 2);
    world_send(&world, 1, 0, 3, 20, 0);
    world_run(&world, 20 * MCAST_SECOND);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(world.members[i].heard_count == 3 && world.members[i].heard[2].first == 3);
        CHECK(world_stats(&world, i).cached_packets == 0);
    }
    world_free(&world);
}

int main(void) {
    RUN(a_view_that_others_had_is_not_forgotten);
    return 0;
}
