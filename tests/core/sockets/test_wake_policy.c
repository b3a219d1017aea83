#include "check.h"
#include "sockets/wake_policy.h"

#define US MCAST_MICROSECOND

/* Record that one datagram arrived, @count times, @apart from one another. */
static mcast_time come(struct udp_nap *nap, mcast_time now, int count, mcast_time apart) {
    for (int i = 0; i < count; i++) {
        now += apart;
        udp_nap_note(nap, now, 1);
    }
    return now;
}

static void sparse_datagrams_cause_no_nap(void) {
    struct udp_nap nap = {0};
    (void)come(&nap, 5 * MCAST_SECOND, 1000, 300 * US);
    CHECK(nap.span == 0);
}

static void a_burst_after_a_long_silence_is_no_flood_yet(void) {
    struct udp_nap nap = {0};
    udp_nap_note(&nap, 7 * MCAST_SECOND, 30);
    CHECK(nap.span == 0);
    udp_nap_note(&nap, 7 * MCAST_SECOND + 50 * US, 30);
    CHECK(nap.span > 0);
}

static void a_flood_makes_naps_longer_up_to_a_bound(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 8, 50 * US);
    mcast_time first = nap.span;
    CHECK(first > 0);
    now = come(&nap, now, 4, 50 * US);
    CHECK(nap.span == 2 * first);
    now = come(&nap, now, 400, 50 * US);
    CHECK(nap.span == 4 * first);
    (void)come(&nap, now, 400, 50 * US);
    CHECK(nap.span == 4 * first);
}

static void a_receiver_that_was_not_scheduled_is_still_in_a_flood(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    mcast_time before = nap.span;
    udp_nap_note(&nap, now + 5 * MCAST_MILLISECOND, 100);
    CHECK(before > 0 && nap.span == before);
}

static void a_pausing_flood_is_waited_for_briefly(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    CHECK(nap.span > 0);
    udp_nap_note(&nap, now + 3 * MCAST_MILLISECOND, 0);
    CHECK(nap.span > 0);
    udp_nap_note(&nap, now + 5 * MCAST_MILLISECOND, 0);
    CHECK(nap.span == 0);
}

static void sparse_datagrams_end_a_flood(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    CHECK(nap.span > 0);
    (void)come(&nap, now, 10, 700 * US);
    CHECK(nap.span == 0);
}

int main(void) {
    RUN(sparse_datagrams_cause_no_nap);
    RUN(a_burst_after_a_long_silence_is_no_flood_yet);
    RUN(a_flood_makes_naps_longer_up_to_a_bound);
    RUN(a_receiver_that_was_not_scheduled_is_still_in_a_flood);
    RUN(a_pausing_flood_is_waited_for_briefly);
    RUN(sparse_datagrams_end_a_flood);
    return 0;
}
