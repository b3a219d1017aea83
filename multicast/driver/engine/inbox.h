/* The inbox: what the engine has for the application, handed from the thread that runs the member
 * to the one thread that reads.
 *
 * One writes at a time, under the engine's lock; one reads, without it. Payloads are not copied: an
 * entry keeps the receive buffer until the reader is done with it, and the buffer is let go under
 * the lock, since buffers are not safe between threads. The inbox itself never refuses; what waits
 * here counts against the policies of the groups, and against what the reader may send. */
#ifndef MCAST_UDP_INBOX_H
#define MCAST_UDP_INBOX_H

#include "mcast/engine.h"
#include "mcast/output.h"

struct udp_inbox;

/* Returns NULL when there is no memory. */
struct udp_inbox *udp_inbox_new(void);

/* Ends the inbox; nobody may be reading. */
void udp_inbox_free(struct udp_inbox *inbox);

/* --- for who holds the lock --- */

/* Appends an entry; @buffer is held for it, NULL is allowed. Returns whether the reader asked to be
 * woken and has not been yet: then wake him. -ENOMEM loses nothing of what is there. */
int udp_inbox_put(struct udp_inbox *inbox, const struct mcast_engine_item *item,
                  struct mcast_buffer *buffer);

/* Lets go of what the reader is done with. */
void udp_inbox_collect(struct udp_inbox *inbox);

/* How many entries wait or are being read. */
size_t udp_inbox_waiting(const struct udp_inbox *inbox);

/* How large the payloads are of those that were not collected yet. */
size_t udp_inbox_bytes(const struct udp_inbox *inbox);

/* --- for the reader --- */

/* Is done with what was taken before, and takes up to @most entries into @items. With none there,
 * asks to be woken at the next. Returns how many. */
size_t udp_inbox_take(struct udp_inbox *inbox, struct mcast_engine_item *items, size_t most);

#endif
