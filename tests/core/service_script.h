/* The frame of stories about the service: some members, then what they hear, line by line. */
#ifndef SERVICE_STORY_H
#define SERVICE_STORY_H

#include "service_world.h"

/* A world with @members members that were welcomed; from here on all is written down. */
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

/* What was heard since the last time must be @lines. */
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
