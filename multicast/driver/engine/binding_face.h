/* Binding face: the engine and the service server as the binding sees them, with opaque types,
 * numbers and functions only. */
#ifndef DRIVER_ENGINE_BINDING_FACE_H
#define DRIVER_ENGINE_BINDING_FACE_H

#include "mcast/engine.h"
#include "service_connection/service_server.h"

/* The settings of an engine at its start, beside the address of the service. */
struct udp_face_config *udp_face_config_new(void);
void udp_face_config_free(struct udp_face_config *config);

/* Set the number called @name. Return false if there is none, or @value does not fit it. */
bool udp_face_config_set(struct udp_face_config *config, const char *name, uint64_t value);

/* The name at @index, counted from 0; NULL beyond the last. */
const char *udp_face_config_name(size_t index);

/* Make a keyring of @count keys, each its id and its 32 bytes; the functions of mcast/keyring.h are
 * given as addresses. @tags_only: authenticate without encrypting, to measure what that costs.
 * Return NULL without memory, or for invalid keys. */
struct mcast_keyring *udp_face_keyring(uintptr_t seal, uintptr_t open, uintptr_t hash,
                                       const uint8_t *keys, size_t count, bool tags_only);

/* Start an engine, which takes @keyring over. Return NULL with the reason in @code: -errno, or a
 * code of mcast/error.h minus 1000. */
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

/* Send @bytes, which are copied; if NULL, the payload is requested later under @cookie. */
int udp_face_send(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                  uint32_t length, uint64_t cookie);

/* Answer a request for a payload; NULL means that there is nothing to send. */
int udp_face_supply(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);

/* The count of numbers in an item: kind, notice, code, group, sender, number, last, count, cookie,
 * length. */
enum { UDP_FACE_NUMBERS = 10 };

/* Take up to @most items, each as UDP_FACE_NUMBERS numbers and the address of its bytes, valid
 * until the next call. A negative code is stored as two's complement. */
size_t udp_face_take(struct mcast_engine *engine, uint64_t *numbers, const uint8_t **bytes,
                     size_t most);

/* Count the leading items in @numbers, of @count, that are messages of one group; store the sum of
 * their lengths in @bytes. */
size_t udp_face_run(const uint64_t *numbers, size_t count, uint64_t *bytes);

/* The name of a measurement of the driver, counted from 0; NULL beyond the last. */
const char *udp_face_driver_name(size_t index);

/* True if the measurement @name is a gauge and may shrink; the others only count up. */
bool udp_face_is_gauge(const char *name);

/* Store the measurements of the member, in the order of sim_measure_name, then those of the driver.
 * Return 0, -ENOSPC if @most is too small, or the code of mcast_engine_stats. */
int udp_face_measure(struct mcast_engine *engine, uint64_t *values, size_t most);

/* The count of numbers in a laggard: node, kind, group, packets, age; see mcast/laggard.h. */
enum { UDP_FACE_LAGGARD = 5 };

/* Store the members that the engine waits for, up to @most of them as UDP_FACE_LAGGARD numbers
 * each, and the short name of the engine itself. Return their count, or a code like that of
 * udp_face_measure. */
int udp_face_laggards(struct mcast_engine *engine, uint64_t *numbers, size_t most, uint64_t *own);

/* Start to serve. Return NULL with the reason in @code. @first_ip and @port are the first region
 * address; a member that is silent for @suspicion nanoseconds is removed; groups of @hybrid_regions
 * regions get an address of their own, 0 for none. @at is empty, or ADDRESS:PORT for members of
 * other machines; @keyring must outlive the server. */
struct udp_server *udp_face_serve(const char *path, const char *lock, uint32_t cluster,
                                  const char *first_ip, uint32_t port, uint32_t count,
                                  uint64_t batch, uint64_t suspicion, uint32_t hybrid_regions,
                                  const char *at, const struct mcast_keyring *keyring, int *code);

/* The nanoseconds since the last member disconnected; 0 while one is connected. */
uint64_t udp_face_idle(const struct udp_server *server);
uint64_t udp_face_connections(const struct udp_server *server);

/* The name of a measurement of the service, counted from 0; NULL beyond the last. Store up to
 * @most. */
const char *udp_face_service_name(size_t index);
void udp_face_service_measure(const struct udp_server *server, uint64_t *values, size_t most);
uint32_t udp_face_generation(const struct udp_server *server);

#endif
