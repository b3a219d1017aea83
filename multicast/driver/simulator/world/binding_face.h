/* Binding face: the simulator as the binding sees it, with opaque types, numbers and functions
 * only. C programs use world.h for everything else. */
#ifndef DRIVER_SIMULATOR_WORLD_BINDING_FACE_H
#define DRIVER_SIMULATOR_WORLD_BINDING_FACE_H

#include "simulator/world/campaign.h"
#include "simulator/world/settings.h"

/* A flow, given as numbers: see struct sim_flow. */
uint32_t sim_face_flow(struct sim_world *world, uint32_t host, uint32_t first_group,
                       uint32_t groups, uint32_t size_low, uint32_t size_high, uint64_t start,
                       uint64_t interval, uint64_t count, uint32_t burst, bool pull);

bool sim_face_join(struct sim_world *world, uint32_t host, uint32_t group, uint32_t slow,
                   uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable);

/* The count of numbers that sim_face_take stores. */
enum { SIM_FACE_NUMBERS = 10 };

/* Take the oldest record of the inbox of a host. Store kind, code, group, sender, number, last,
 * count, cookie, time, length in @numbers; @bytes points to the payload, valid until the next call.
 * The members of a group are three 64-bit numbers each: short name, id, incarnation. */
bool sim_face_take(struct sim_world *world, uint32_t host, uint64_t *numbers,
                   const uint8_t **bytes);

void sim_face_clock(struct sim_world *world, uint32_t host, uint64_t offset, int32_t ppm);
void sim_face_link(struct sim_world *world, uint32_t host, uint32_t loss, uint64_t latency,
                   uint64_t jitter);
bool sim_face_cut(struct sim_world *world, uint32_t a, uint32_t b, bool cut);
bool sim_face_lose(struct sim_world *world, uint32_t from, uint32_t to, uint32_t socket,
                   uint32_t count);

uint64_t sim_face_trace(struct sim_world *world);
uint64_t sim_face_events(struct sim_world *world);
uint64_t sim_face_delivered(struct sim_world *world);
uint64_t sim_face_latency(struct sim_world *world, bool longest); /* mean or longest, in ns */
uint64_t sim_face_busy(struct sim_world *world, uint32_t host);   /* CPU time, in ns */
uint64_t sim_face_spent(struct sim_world *world, uint32_t host);  /* real time in the core, in ns */
uint64_t sim_face_lateness(struct sim_world *world, uint32_t host, bool longest);
uint64_t sim_face_lost(struct sim_world *world, uint32_t host, bool overflowed);

/* Count of the wire judge: the mean time to acknowledge, in ns. */
uint64_t sim_face_ack_time(struct sim_world *world);
/* The count of packets repaired, or then purged, after @rounds rounds. */
uint64_t sim_face_rounds(struct sim_world *world, bool purged, uint32_t rounds);
/* The largest count of repairers of one stream, or the most repairs by one of them. */
uint64_t sim_face_repairers(struct sim_world *world, bool most);
/* The count of datagrams of a type that were sent, or their bytes. */
uint64_t sim_face_sent(struct sim_world *world, uint32_t type, bool bytes);

/* Record the verdict of a scenario on the rule @id: applied, and broken unless @kept. */
void sim_face_pronounce(struct sim_world *world, size_t id, bool kept);

/* The rules of a world: their count, their words, and the findings. */
size_t sim_face_oracles(void);
const char *sim_face_oracle_word(size_t id);
const char *sim_face_oracle_text(size_t id);
uint64_t sim_face_broken(struct sim_world *world, size_t id);
uint64_t sim_face_applied(struct sim_world *world, size_t id);
const char *sim_face_breach(struct sim_world *world, size_t index);
void sim_face_settle(struct sim_world *world);

/* Run one seed of a campaign. The caller frees the result. */
struct sim_campaign_result *sim_face_campaign(uint64_t seed, uint32_t kind);
void sim_face_campaign_free(struct sim_campaign_result *result);
uint64_t sim_face_campaign_trace(const struct sim_campaign_result *result);
uint64_t sim_face_campaign_broken(const struct sim_campaign_result *result);
uint64_t sim_face_campaign_delivered(const struct sim_campaign_result *result);
const char *sim_face_campaign_breach(const struct sim_campaign_result *result, size_t index);
const char *sim_face_coverage_name(size_t index);
uint64_t sim_face_campaign_coverage(const struct sim_campaign_result *result, size_t index);

#endif
