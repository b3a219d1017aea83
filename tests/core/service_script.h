/* Service script: a test names some members, then the expected messages, line by line. */
#ifndef SERVICE_SCRIPT_H
#define SERVICE_SCRIPT_H

#include "service_world.h"

/* Make a world with @members welcomed members, and log all messages from here on. */
static inline void story(struct world *world, size_t members) {
    world_init(world, 1);
    world_start_service(world);
    for (size_t i = 0; i < members; i++) {
        (void)add_member(world);
    }
    pass(world, 100 * MCAST_MILLISECOND);
    world->logging = true;
}

static inline void forget(struct world *world) {
    world->log_length = 0;
    world->log[0] = '\0';
}

/* Check that the messages since the last call are @lines. */
static inline void heard(struct world *world, const char *lines) {
    if (strcmp(world->log, lines) != 0) {
        fprintf(stderr, "heard:\n%sinstead of:\n%s", world->log, lines);
        exit(1);
    }
    forget(world);
}

static inline void moment(struct world *world) {
    pass(world, 120 * MCAST_MILLISECOND);
}

#endif
