/* Engine: a member on real sockets with a thread of its own.
 *
 * Any thread may submit; one thread reads. A submission on an idle engine is sent in the thread of
 * the caller; otherwise it is queued for the busy thread. The engine never calls back: the reader
 * watches mcast_engine_fd and takes what waits. */
#ifndef MCAST_ENGINE_H
#define MCAST_ENGINE_H

#include "mcast/config.h"
#include "mcast/event.h"
#include "mcast/keyring.h"

struct mcast_engine;

enum mcast_engine_kind {
    MCAST_ENGINE_DELIVERY = 1,
    MCAST_ENGINE_WANT,
    MCAST_ENGINE_NOTICE,  /* @notice is a mcast_notice_kind */
    MCAST_ENGINE_FAILED,  /* the engine has ended; @code is -errno */
    MCAST_ENGINE_SERVICE, /* the membership service was connected or, with @count 0, lost; then
                           * @code -EACCES means that it has another key */
};

/* An item for the application: a delivery, a request for a payload, a notice. */
struct mcast_engine_item {
    uint8_t kind;
    uint8_t notice;
    int32_t code;
    uint32_t group;
    uint32_t sender;
    uint64_t number;
    uint64_t last;
    uint64_t count;
    uint64_t cookie;
    const uint8_t *bytes; /* valid until the next take; for the notice MEMBERS @count names */
    uint32_t length;
};

/* Start an engine. @interface and @service are strings: an IPv4 address, and the path of the socket
 * of the service, or ADDRESS:PORT where it listens for other machines. The address in @config is
 * filled in. Return 0, -errno, or a code of mcast/error.h minus 1000, because both number their
 * errors from 1. -EACCES: others can reach @interface or @service, and without keys anybody could
 * send there. */
int mcast_engine_start(const struct mcast_config *config, const char *interface,
                       const char *service, struct mcast_engine **engine);

/* Like mcast_engine_start, with authentication. The engine takes @keyring over, even if it cannot
 * start; NULL is allowed. */
int mcast_engine_start_with(const struct mcast_config *config, const char *interface,
                            const char *service, struct mcast_keyring *keyring,
                            struct mcast_engine **engine);

/* End the engine at once, without leaving groups; submit MCAST_EVENT_STOP before to leave in order.
 * Items taken are invalid. Other threads may submit meanwhile and later: they get -EPIPE. The
 * reader must not be taking. Calling it again does nothing. */
void mcast_engine_end(struct mcast_engine *engine);

/* End the engine, if that was not done, and free it; no thread may be using it. NULL is allowed. In
 * a forked child it only closes the inherited descriptors. */
void mcast_engine_close(struct mcast_engine *engine);

/* The descriptor that is readable while items wait, until a take finds none. */
int mcast_engine_fd(const struct mcast_engine *engine);

/* Submit @event. A payload is copied. Return 0, -ENOMEM, -EPIPE if the engine has ended, -ECHILD in
 * a forked child, or -EAGAIN if too much was submitted already: for a message, if 128 MiB wait to
 * be sent, acknowledged, or, in this process, taken, or if 262,144 items wait for a take. */
int mcast_engine_submit(struct mcast_engine *engine, const struct mcast_event *event);

/* A cookie with this bit requests no notice when the message has left. Other notices do not contain
 * the bit. */
#define MCAST_ENGINE_QUIET (UINT64_C(1) << 63)

/* Send @count messages to @group, whose payloads are contiguous at @bytes, @lengths[i] each: all of
 * them, in this order and with nothing in between, or none. They are copied in one piece. Only the
 * last is reported as sent; all have @cookie. Return as mcast_engine_submit does. */
int mcast_engine_send_many(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                           const uint32_t *lengths, size_t count, uint64_t cookie);

/* Finish the items taken before and take up to @most that wait. For one thread only. Deliveries of
 * a group whose policy has a bound count as unread until MCAST_EVENT_CONSUMED is submitted. */
size_t mcast_engine_take(struct mcast_engine *engine, struct mcast_engine_item *items, size_t most);

/* From now on lose every datagram on all sockets with this chance, of a million; for tests and
 * measurements. */
void mcast_engine_set_loss(struct mcast_engine *engine, uint32_t of_a_million, uint64_t seed);

#endif
