/* The engine on real sockets, and the membership service, as Python may call them; see
 * mcast/engine.h, driver/engine/binding_face.h and driver/service_connection/service_server.h. */

struct udp_face_config *udp_face_config_new(void);
void udp_face_config_free(struct udp_face_config *config);
bool udp_face_config_set(struct udp_face_config *config, const char *name, uint64_t value);
const char *udp_face_config_name(size_t index);

struct mcast_keyring *udp_face_keyring(uintptr_t seal, uintptr_t open, uintptr_t hash,
                                       const uint8_t *keys, size_t count, bool tags_only);
void mcast_keyring_free(struct mcast_keyring *keyring);

struct mcast_engine *udp_face_start(const struct udp_face_config *config, const char *interface,
                                    const char *service, struct mcast_keyring *keyring, int *code);
void mcast_engine_end(struct mcast_engine *engine);
void mcast_engine_close(struct mcast_engine *engine);
int mcast_engine_fd(const struct mcast_engine *engine);
void mcast_engine_set_loss(struct mcast_engine *engine, uint32_t of_a_million, uint64_t seed);
int udp_face_join(struct mcast_engine *engine, uint32_t group, uint64_t id_high, uint64_t id_low,
                  uint32_t slow, uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable);
int udp_face_leave(struct mcast_engine *engine, uint32_t group);
int udp_face_resume(struct mcast_engine *engine, uint32_t group);
int udp_face_members(struct mcast_engine *engine, uint32_t group);
int udp_face_consumed(struct mcast_engine *engine, uint32_t group, uint32_t messages,
                      uint64_t bytes);
int udp_face_stop(struct mcast_engine *engine);
int udp_face_rejoin(struct mcast_engine *engine, uint64_t incarnation);
int udp_face_send(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                  uint32_t length, uint64_t cookie);
int udp_face_supply(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);
size_t udp_face_take(struct mcast_engine *engine, uint64_t *numbers, const uint8_t **bytes,
                     size_t most);
size_t udp_face_run(const uint64_t *numbers, size_t count, uint64_t *bytes);
int mcast_engine_send_many(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                           const uint32_t *lengths, size_t count, uint64_t cookie);
const char *udp_face_driver_name(size_t index);
bool udp_face_is_gauge(const char *name);
int udp_face_measure(struct mcast_engine *engine, uint64_t *values, size_t most);
int udp_face_laggards(struct mcast_engine *engine, uint64_t *numbers, size_t most, uint64_t *own);

struct udp_server *udp_face_serve(const char *path, const char *lock, uint32_t cluster,
                                  const char *first_ip, uint32_t port, uint32_t count,
                                  uint64_t batch, uint64_t suspicion, uint32_t hybrid_regions,
                                  const char *at, const struct mcast_keyring *keyring, int *code);
void udp_server_close(struct udp_server *server);
int udp_server_run(struct udp_server *server, uint64_t wait);
uint64_t udp_face_idle(const struct udp_server *server);
uint64_t udp_face_connections(const struct udp_server *server);
int udp_server_fd(const struct udp_server *server);
const char *udp_face_service_name(size_t index);
void udp_face_service_measure(const struct udp_server *server, uint64_t *values, size_t most);
uint32_t udp_face_generation(const struct udp_server *server);
