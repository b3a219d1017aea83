/* The budget of control against a count of every packet by itself. */
#include "budget.h"
#include "counting_memory.h"

enum { SIZE = 100, MOST = 10 };

static void what_fits_need_not_wait(void) {
    struct mcast_budget budget = {0};
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, MOST, SIZE, MOST) == 0);
    mcast_budget_spend(&budget, MCAST_SECOND, 4);
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, 6, SIZE, MOST) == 0);
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, 7, SIZE, MOST) > 0);
}

static void what_does_not_fit_waits_until_enough_is_a_second_ago(void) {
    struct mcast_budget budget = {0};
    mcast_time begin = 5 * MCAST_SECOND;
    mcast_budget_spend(&budget, begin, 6);
    mcast_budget_spend(&budget, begin + MCAST_SECOND / 2, 4);
    mcast_time now = begin + MCAST_SECOND / 2;
    mcast_time wait = mcast_budget_wait(&budget, now, 5, SIZE, MOST);
    CHECK(now + wait >= begin + MCAST_SECOND && now + wait <= begin + MCAST_SECOND * 18 / 16);
    wait = mcast_budget_wait(&budget, now, 7, SIZE, MOST);
    CHECK(wait >= MCAST_SECOND && wait <= MCAST_SECOND * 18 / 16);
}

static void data_pays_a_hundredth(void) {
    struct mcast_budget budget = {0};
    mcast_budget_spend(&budget, MCAST_SECOND, MOST);
    mcast_budget_data(&budget, MCAST_SECOND, 100 * SIZE * (MOST + 3) - 1);
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, 2, SIZE, MOST) == 0);
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, 3, SIZE, MOST) > 0);
}

static void what_is_larger_than_the_budget_goes_alone(void) {
    struct mcast_budget budget = {0};
    CHECK(mcast_budget_wait(&budget, MCAST_SECOND, 3 * MOST, SIZE, MOST) == 0);
    mcast_budget_spend(&budget, MCAST_SECOND, 3 * MOST);
    mcast_time wait = mcast_budget_wait(&budget, MCAST_SECOND, 3 * MOST, SIZE, MOST);
    CHECK(wait >= MCAST_SECOND && wait <= MCAST_SECOND * 18 / 16);
}

static void a_long_silence_forgets_all(void) {
    struct mcast_budget budget = {0};
    mcast_budget_spend(&budget, MCAST_SECOND, MOST);
    CHECK(mcast_budget_wait(&budget, 100 * MCAST_SECOND, MOST, SIZE, MOST) == 0);
}

/* Whoever waits as told never has more than MOST in a second, wherever it begins. */
static void no_second_passes_the_budget(void) {
    enum { EVENTS = 2000 };
    static mcast_time at[EVENTS];
    uint64_t seed = 3;
    struct mcast_budget budget = {0};
    mcast_time now = 7;
    for (int i = 0; i < EVENTS; i++) {
        now += test_random(&seed) % (MCAST_SECOND / 8);
        now += mcast_budget_wait(&budget, now, 1, SIZE, MOST);
        mcast_budget_spend(&budget, now, 1);
        at[i] = now;
        CHECK(i < MOST || at[i] - at[i - MOST] >= MCAST_SECOND);
    }
}

int main(void) {
    RUN(what_fits_need_not_wait);
    RUN(what_does_not_fit_waits_until_enough_is_a_second_ago);
    RUN(data_pays_a_hundredth);
    RUN(what_is_larger_than_the_budget_goes_alone);
    RUN(a_long_silence_forgets_all);
    RUN(no_second_passes_the_budget);
    return 0;
}
