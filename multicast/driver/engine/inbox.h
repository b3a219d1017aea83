/* Inbox: entries for the application, passed from the thread that runs the member to the one thread
 * that reads.
 *
 * There is one writer at a time, under the lock of the engine, and one reader without it. Payloads
 * are not copied: an entry holds its receive buffer until the reader is done with it, and the
 * buffer is released under the lock, since buffers are not thread-safe. The inbox never refuses an
 * entry; waiting entries count against the policies of the groups, and against what the reader may
 * send. */
#ifndef DRIVER_ENGINE_INBOX_H
#define DRIVER_ENGINE_INBOX_H

#include "mcast/engine.h"
#include "mcast/output.h"

struct udp_inbox;

/* Return NULL without memory. */
struct udp_inbox *udp_inbox_new(void);

/* Free the inbox; no thread may be reading. */
void udp_inbox_free(struct udp_inbox *inbox);

/* --- for the holder of the lock --- */

/* Append an entry and hold @buffer for it, which may be NULL. Return true if the reader asked to be
 * woken and has not been yet: then wake it. -ENOMEM loses no earlier entry. */
int udp_inbox_put(struct udp_inbox *inbox, const struct mcast_engine_item *item,
                  struct mcast_buffer *buffer);

/* Release everything that the reader is done with. */
void udp_inbox_collect(struct udp_inbox *inbox);

/* The count of entries that wait or are being read. */
size_t udp_inbox_waiting(const struct udp_inbox *inbox);

/* The count of all entries that the reader was done with at the last collection. */
uint64_t udp_inbox_collected(const struct udp_inbox *inbox);

/* The bytes of payloads not collected yet. */
size_t udp_inbox_bytes(const struct udp_inbox *inbox);

/* --- for the reader --- */

/* Finish the entries taken before, and take up to @most entries into @items. If there are none, ask
 * to be woken at the next. Return the count. */
size_t udp_inbox_take(struct udp_inbox *inbox, struct mcast_engine_item *items, size_t most);

#endif
