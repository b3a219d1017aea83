/* The face of the engine and of the server that the binding sees: opaque types, numbers, functions.
 */
#ifndef MCAST_UDP_FACE_H
#define MCAST_UDP_FACE_H

#include "mcast/engine.h"
#include "service_connection/service_server.h"

/* What an engine is told at its start beside where to find the service. */
struct udp_face_config *udp_face_config_new(void);
void udp_face_config_free(struct udp_face_config *config);

/* Sets the number called @name; false when there is none, or @value does not fit it. */
bool udp_face_config_set(struct udp_face_config *config, const char *name, uint64_t value);

/* The name at @index, counted from 0; NULL beyond the last. */
const char *udp_face_config_name(size_t index);

/* A keyring of @count keys, each its id and its 32 bytes; the functions of mcast/keyring.h are
 * given as addresses. NULL when there is no memory, or for keys that cannot be. */
struct mcast_keyring *udp_face_keyring(uintptr_t seal, uintptr_t open, uintptr_t hash,
                                       const uint8_t *keys, size_t count);

/* Starts an engine, which takes @keyring over; NULL with the reason in @code: -errno, or a code of
 * mcast/error.h less 1000. */
struct mcast_engine *udp_face_start(const struct udp_face_config *config, const char *interface,
                                    const char *service, struct mcast_keyring *keyring, int *code);

int udp_face_join(struct mcast_engine *engine, uint32_t group, uint64_t id_high, uint64_t id_low,
                  uint32_t slow, uint32_t queue_messages, uint32_t queue_bytes, bool tell_stable);
int udp_face_leave(struct mcast_engine *engine, uint32_t group);
int udp_face_resume(struct mcast_engine *engine, uint32_t group);
int udp_face_members(struct mcast_engine *engine, uint32_t group);
int udp_face_consumed(struct mcast_engine *engine, uint32_t group, uint32_t messages,
                      uint64_t bytes);
int udp_face_stop(struct mcast_engine *engine);
int udp_face_rejoin(struct mcast_engine *engine, uint64_t incarnation);

/* Sends @bytes, which are copied; with NULL the payload is asked for later under @cookie. */
int udp_face_send(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                  uint32_t length, uint64_t cookie);

/* Answers a question for a payload; NULL says that there is nothing to send. */
int udp_face_supply(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);

/* How many numbers one item has: kind, notice, code, group, sender, number, last, count, cookie,
 * length. */
enum { UDP_FACE_NUMBERS = 10 };

/* Takes up to @most items, each as UDP_FACE_NUMBERS numbers and where its bytes are. They live
 * until the next call. A code below zero is stored as two's complement. */
size_t udp_face_take(struct mcast_engine *engine, uint64_t *numbers, const uint8_t **bytes,
                     size_t most);

/* How many of the @count items in @numbers, from the first on, are messages of one group; how long
 * they are together goes to @bytes. */
size_t udp_face_run(const uint64_t *numbers, size_t count, uint64_t *bytes);

/* The name of what the driver measures beside the member, counted from 0; NULL beyond the last. */
const char *udp_face_driver_name(size_t index);

/* Whether what is called @name can shrink: it says "now", where the others only count. */
bool udp_face_is_gauge(const char *name);

/* Stores what the member measured, in the order of sim_measure_name, and what the driver did.
 * Returns 0, -ENOSPC when @most is too little, or the code of mcast_engine_stats. */
int udp_face_measure(struct mcast_engine *engine, uint64_t *values, size_t most);

/* How many numbers one laggard has: node, kind, group, packets, age; see mcast/laggard.h. */
enum { UDP_FACE_LAGGARD = 5 };

/* Stores whom the engine waits for, up to @most of them as UDP_FACE_LAGGARD numbers each, and the
 * engine's own short name. Returns how many, or a code like that of udp_face_measure. */
int udp_face_laggards(struct mcast_engine *engine, uint64_t *numbers, size_t most, uint64_t *own);

/* Begins to serve; NULL with the reason in @code. @first_ip and @port begin the region addresses;
 * who is silent for @suspicion nanoseconds is removed; groups of @hybrid_regions regions have an
 * address of their own, 0 for none. @at is empty, or ADDRESS:PORT for members of
 * other machines; @keyring outlives the server. */
struct udp_server *udp_face_serve(const char *path, const char *lock, uint32_t cluster,
                                  const char *first_ip, uint32_t port, uint32_t count,
                                  uint64_t batch, uint64_t suspicion, uint32_t hybrid_regions,
                                  const char *at, const struct mcast_keyring *keyring, int *code);

/* How long nobody has been connected, in nanoseconds; 0 while somebody is. */
uint64_t udp_face_idle(const struct udp_server *server);
uint64_t udp_face_connections(const struct udp_server *server);

/* What the service measured, by name, counted from 0; NULL beyond the last. Stores up to @most. */
const char *udp_face_service_name(size_t index);
void udp_face_service_measure(const struct udp_server *server, uint64_t *values, size_t most);
uint32_t udp_face_generation(const struct udp_server *server);

#endif
