/* Budget: what control costs a region in any second (rule 1.0.10).
 *
 * Packets and the bytes of data are counted in slots of a sixteenth of a second; seventeen of them
 * cover each second, wherever it begins. Control may go on while it stays below so many packets, or
 * below a hundredth of the data bytes. Knows no protocol. */
#ifndef MCAST_CORE_BUDGET_H
#define MCAST_CORE_BUDGET_H

#include "mcast/types.h"

enum { MCAST_BUDGET_SLOTS = 17 };

struct mcast_budget {
    uint64_t slot; /* is the number of the slot that runs, since time began */
    uint32_t packets[MCAST_BUDGET_SLOTS]; /* is by slot number, modulo their count */
    uint64_t data[MCAST_BUDGET_SLOTS];
};

/* So many control packets were sent at @now. */
void mcast_budget_spend(struct mcast_budget *budget, mcast_time now, uint32_t packets);

/* So many bytes of data came or went since the last call. */
void mcast_budget_data(struct mcast_budget *budget, mcast_time now, uint64_t bytes);

/* How long until @packets more, of @size bytes each, leave every second within @most packets, or
 * within a hundredth of its data. What passes @most by itself waits until nothing else is counted.
 */
mcast_time mcast_budget_wait(struct mcast_budget *budget, mcast_time now, uint32_t packets,
                             uint32_t size, uint32_t most);

#endif
