/* The engine: a member on real sockets with a thread of its own.
 *
 * Any thread may submit; one thread reads. A submission on an engine that is not busy is
 * transmitted in the caller's own thread; otherwise it is queued for the thread that is busy. No
 * function of the application is ever called from here: the reader watches mcast_engine_fd and
 * takes what waits. */
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
    MCAST_ENGINE_SERVICE, /* the membership service was reached, or, with @count 0, lost; then @code
                           * -EACCES says that it has not our key */
};

/* What the application is told: a delivery, a question for a payload, a notice. */
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
    const uint8_t *bytes; /* lives until the next take; for the notice MEMBERS @count names */
    uint32_t length;
};

/* @interface and @service are strings: an IPv4 address, and the path of the service's socket, or
 * ADDRESS:PORT where it listens for other machines. @config's address is filled in. Returns 0,
 * -errno, or a code of mcast/error.h less 1000: both number their faults alike. -EACCES: others can
 * reach @interface or @service, and without keys anybody could speak there. */
int mcast_engine_start(const struct mcast_config *config, const char *interface,
                       const char *service, struct mcast_engine **engine);

/* The same with authentication. The engine takes @keyring over, also when it cannot start; NULL is
 * allowed. */
int mcast_engine_start_with(const struct mcast_config *config, const char *interface,
                            const char *service, struct mcast_keyring *keyring,
                            struct mcast_engine **engine);

/* Ends the engine at once, without leaving groups; submit MCAST_EVENT_STOP before for that. What
 * was taken is void. Other threads may submit meanwhile and later: they are told -EPIPE. The reader
 * must not be taking. Calling again does nothing. */
void mcast_engine_end(struct mcast_engine *engine);

/* Ends the engine, if that was not done, and frees it; nobody may be using it. NULL is allowed. In
 * a forked child it only closes what the child inherited. */
void mcast_engine_close(struct mcast_engine *engine);

/* Readable from when something waits until a take finds nothing. */
int mcast_engine_fd(const struct mcast_engine *engine);

/* Tells the engine @event. A payload is copied. Returns 0, or -ENOMEM, -EPIPE when the engine has
 * ended, -ECHILD in a forked child, -EAGAIN when too much was given already: for a message, when
 * 128 MiB of them wait to leave, to be acknowledged, or, here, to be taken, or when 262,144 things
 * wait for a take. */
int mcast_engine_submit(struct mcast_engine *engine, const struct mcast_event *event);

/* A cookie with this bit says that it need not be told when the message has left. The bit is not in
 * what is told of it otherwise. */
#define MCAST_ENGINE_QUIET (UINT64_C(1) << 63)

/* Sends @count messages to @group, whose payloads lie side by side at @bytes, @lengths[i] each: all
 * of them, in this order and with nothing in between, or none. They are copied, all in one. That it
 * has left is told of the last alone; all have @cookie. Returns as mcast_engine_submit does. */
int mcast_engine_send_many(struct mcast_engine *engine, uint32_t group, const uint8_t *bytes,
                           const uint32_t *lengths, size_t count, uint64_t cookie);

/* Takes up to @most of what waits, and is done with what was taken before. One thread only.
 * Deliveries of a group whose policy has a bound count as unread until MCAST_EVENT_CONSUMED is
 * submitted. */
size_t mcast_engine_take(struct mcast_engine *engine, struct mcast_engine_item *items, size_t most);

/* Loses every datagram with this chance, of a million, on all sockets, from then on; for tests and
 * measurements. */
void mcast_engine_set_loss(struct mcast_engine *engine, uint32_t of_a_million, uint64_t seed);

#endif
