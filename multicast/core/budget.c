#include "budget.h"

#include <string.h>

#define SLOT (MCAST_SECOND / (MCAST_BUDGET_SLOTS - 1))

static void turn(struct mcast_budget *budget, mcast_time now) {
    uint64_t slot = now / SLOT;
    if (slot >= budget->slot + MCAST_BUDGET_SLOTS) {
        memset(budget->packets, 0, sizeof budget->packets);
        memset(budget->data, 0, sizeof budget->data);
        budget->slot = slot;
    }
    while (budget->slot < slot) {
        budget->slot++;
        budget->packets[budget->slot % MCAST_BUDGET_SLOTS] = 0;
        budget->data[budget->slot % MCAST_BUDGET_SLOTS] = 0;
    }
}

void mcast_budget_spend(struct mcast_budget *budget, mcast_time now, uint32_t packets) {
    turn(budget, now);
    budget->packets[budget->slot % MCAST_BUDGET_SLOTS] += packets;
}

void mcast_budget_data(struct mcast_budget *budget, mcast_time now, uint64_t bytes) {
    turn(budget, now);
    budget->data[budget->slot % MCAST_BUDGET_SLOTS] += bytes;
}

mcast_time mcast_budget_wait(struct mcast_budget *budget, mcast_time now, uint32_t packets,
                             uint32_t size, uint32_t most) {
    uint64_t sum = 0, data = 0;
    turn(budget, now);
    for (int i = 0; i < MCAST_BUDGET_SLOTS; i++) {
        sum += budget->packets[i];
        data += budget->data[i];
    }
    /* The oldest slot is the one whose place the next will take. */
    for (uint64_t passed = 0; passed < MCAST_BUDGET_SLOTS; passed++) {
        bool fits = sum == 0 || sum + packets <= most || (sum + packets) * size <= data / 100;
        if (fits) {
            return passed == 0 ? 0 : (budget->slot + passed) * SLOT - now;
        }
        sum -= budget->packets[(budget->slot + 1 + passed) % MCAST_BUDGET_SLOTS];
        data -= budget->data[(budget->slot + 1 + passed) % MCAST_BUDGET_SLOTS];
    }
    return (budget->slot + MCAST_BUDGET_SLOTS) * SLOT - now;
}
