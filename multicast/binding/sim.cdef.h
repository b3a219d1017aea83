/* The functions of the simulator that Python may call; see driver/simulator/world/: binding_face.h,
 * settings.h and world.h. */

struct sim_settings *sim_settings_new(uint64_t seed);
void sim_settings_free(struct sim_settings *settings);
bool sim_settings_set(struct sim_settings *settings, const char *name, uint64_t value);
bool sim_settings_get(const struct sim_settings *settings, const char *name, uint64_t *value);
const char *sim_settings_name(size_t index);
void sim_settings_paper(struct sim_settings *settings);
struct sim_world *sim_world_from(const struct sim_settings *settings);

void sim_world_free(struct sim_world *world);
uint32_t sim_world_add(struct sim_world *world, bool external);
uint32_t sim_world_hosts(const struct sim_world *world);
uint64_t sim_world_now(const struct sim_world *world);
void sim_world_run(struct sim_world *world, uint64_t until);
bool sim_world_leave(struct sim_world *world, uint32_t host, uint32_t group);
bool sim_world_register(struct sim_world *world, uint32_t host, uint32_t group);
bool sim_world_is_joined(const struct sim_world *world, uint32_t host, uint32_t group);
void sim_world_stall(struct sim_world *world, uint32_t host, uint32_t group, bool stalled);
bool sim_world_ask(struct sim_world *world, uint32_t host, uint32_t group);
void sim_world_flow_stop(struct sim_world *world, uint32_t flow);
uint64_t sim_world_flow_sent(const struct sim_world *world, uint32_t flow);
void sim_world_crash(struct sim_world *world, uint32_t host);
bool sim_world_restart(struct sim_world *world, uint32_t host);
bool sim_world_alive(const struct sim_world *world, uint32_t host);
void sim_world_stop(struct sim_world *world, uint32_t host);
void sim_world_freeze(struct sim_world *world, uint32_t host, uint64_t until);
void sim_world_isolate(struct sim_world *world, uint32_t host, bool cut);
void sim_world_crash_service(struct sim_world *world);
bool sim_world_restart_service(struct sim_world *world);
void sim_world_doubt(struct sim_world *world, uint32_t host);
uint64_t sim_world_memory(const struct sim_world *world, uint32_t host);
uint32_t sim_world_short_name(const struct sim_world *world, uint32_t host);
bool sim_world_send(struct sim_world *world, uint32_t host, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);
bool sim_world_supply(struct sim_world *world, uint32_t host, uint32_t group, uint64_t cookie,
                      const uint8_t *bytes, uint32_t length);
void sim_world_consumed(struct sim_world *world, uint32_t host, uint32_t group, uint32_t messages,
                        uint64_t bytes);
bool sim_world_measure(const struct sim_world *world, uint32_t host, const char *name,
                       uint64_t *value);
const char *sim_measure_name(size_t index);

uint32_t sim_face_flow(struct sim_world *world, uint32_t host, uint32_t first_group,
                       uint32_t groups, uint32_t size_low, uint32_t size_high, uint64_t start,
                       uint64_t interval, uint64_t count, uint32_t burst, bool pull);
bool sim_face_join(struct sim_world *world, uint32_t host, uint32_t group, uint32_t slow,
                   uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable);
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
uint64_t sim_face_latency(struct sim_world *world, bool longest);
uint64_t sim_face_busy(struct sim_world *world, uint32_t host);
uint64_t sim_face_spent(struct sim_world *world, uint32_t host);
uint64_t sim_face_lateness(struct sim_world *world, uint32_t host, bool longest);
uint64_t sim_face_lost(struct sim_world *world, uint32_t host, bool overflowed);
uint64_t sim_face_ack_time(struct sim_world *world);
uint64_t sim_face_rounds(struct sim_world *world, bool purged, uint32_t rounds);
uint64_t sim_face_repairers(struct sim_world *world, bool most);
uint64_t sim_face_sent(struct sim_world *world, uint32_t type, bool bytes);
void sim_face_pronounce(struct sim_world *world, size_t id, bool kept);
size_t sim_face_oracles(void);
const char *sim_face_oracle_word(size_t id);
const char *sim_face_oracle_text(size_t id);
uint64_t sim_face_broken(struct sim_world *world, size_t id);
uint64_t sim_face_applied(struct sim_world *world, size_t id);
const char *sim_face_breach(struct sim_world *world, size_t index);
void sim_face_settle(struct sim_world *world);

struct sim_campaign_result *sim_face_campaign(uint64_t seed, uint32_t kind);
void sim_face_campaign_free(struct sim_campaign_result *result);
uint64_t sim_face_campaign_trace(const struct sim_campaign_result *result);
uint64_t sim_face_campaign_broken(const struct sim_campaign_result *result);
uint64_t sim_face_campaign_delivered(const struct sim_campaign_result *result);
const char *sim_face_campaign_breach(const struct sim_campaign_result *result, size_t index);
const char *sim_face_coverage_name(size_t index);
uint64_t sim_face_campaign_coverage(const struct sim_campaign_result *result, size_t index);
