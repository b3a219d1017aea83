/* Settings: the configuration of a world by name, for the binding, scripts and command lines, which
 * see no structures. */
#ifndef DRIVER_SIMULATOR_WORLD_SETTINGS_H
#define DRIVER_SIMULATOR_WORLD_SETTINGS_H

#include "simulator/world/world.h"

struct sim_settings;

/* The defaults for @seed. NULL without memory. */
struct sim_settings *sim_settings_new(uint64_t seed);
void sim_settings_free(struct sim_settings *settings);

/* Set the number called @name. Return false if there is none, or @value does not fit it. */
bool sim_settings_set(struct sim_settings *settings, const char *name, uint64_t value);
bool sim_settings_get(const struct sim_settings *settings, const char *name, uint64_t *value);

/* The name at @index, counted from 0; NULL beyond the last. */
const char *sim_settings_name(size_t index);

/* Switch the members to the mode of the papers: fixed rounds of a second, one owner for each
 * packet. */
void sim_settings_paper(struct sim_settings *settings);

struct sim_world *sim_world_from(const struct sim_settings *settings);

/* The number called @name in the statistics of a host, and the name at @index. */
bool sim_world_measure(const struct sim_world *world, uint32_t host, const char *name,
                       uint64_t *value);
const char *sim_measure_name(size_t index);

#endif
