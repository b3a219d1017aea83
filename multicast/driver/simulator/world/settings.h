/* Settings of a world by name: for the binding, scripts and command lines, which see no structure.
 */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include "simulator/world/world.h"

struct sim_settings;

/* The defaults for @seed. NULL when there is no memory. */
struct sim_settings *sim_settings_new(uint64_t seed);
void sim_settings_free(struct sim_settings *settings);

/* Sets the number called @name; false when there is none, or @value does not fit it. */
bool sim_settings_set(struct sim_settings *settings, const char *name, uint64_t value);
bool sim_settings_get(const struct sim_settings *settings, const char *name, uint64_t *value);

/* The name at @index, counted from 0; NULL beyond the last. */
const char *sim_settings_name(size_t index);

/* Turns the members into the papers' mode: fixed rounds of a second, one owner a packet. */
void sim_settings_paper(struct sim_settings *settings);

struct sim_world *sim_world_from(const struct sim_settings *settings);

/* The number called @name of a host's statistics, and the name at @index. */
bool sim_world_measure(const struct sim_world *world, uint32_t host, const char *name,
                       uint64_t *value);
const char *sim_measure_name(size_t index);

#endif
