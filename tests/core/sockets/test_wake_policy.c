#include "check.h"
#include "sockets/wake_policy.h"

#define US MCAST_MICROSECOND

/* Says @count times that one datagram came, @apart from one another. */
static mcast_time come(struct udp_nap *nap, mcast_time now, int count, mcast_time apart) {
    for (int i = 0; i < count; i++) {
        now += apart;
        udp_nap_note(nap, now, 1);
    }
    return now;
}

static void where_little_comes_there_is_no_nap(void) {
    struct udp_nap nap = {0};
    (void)come(&nap, 5 * MCAST_SECOND, 1000, 300 * US);
    CHECK(nap.span == 0);
}

static void after_a_long_silence_many_at_once_are_no_flood_yet(void) {
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

static void who_was_kept_from_running_is_in_a_flood_still(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    mcast_time before = nap.span;
    udp_nap_note(&nap, now + 5 * MCAST_MILLISECOND, 100);
    CHECK(before > 0 && nap.span == before);
}

static void a_flood_that_pauses_is_waited_for_and_not_for_long(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    CHECK(nap.span > 0);
    udp_nap_note(&nap, now + 3 * MCAST_MILLISECOND, 0);
    CHECK(nap.span > 0);
    udp_nap_note(&nap, now + 5 * MCAST_MILLISECOND, 0);
    CHECK(nap.span == 0);
}

static void little_that_follows_a_flood_does_not_keep_it_alive(void) {
    struct udp_nap nap = {0};
    mcast_time now = come(&nap, MCAST_SECOND, 40, 50 * US);
    CHECK(nap.span > 0);
    (void)come(&nap, now, 10, 700 * US);
    CHECK(nap.span == 0);
}

int main(void) {
    RUN(where_little_comes_there_is_no_nap);
    RUN(after_a_long_silence_many_at_once_are_no_flood_yet);
    RUN(a_flood_makes_naps_longer_up_to_a_bound);
    RUN(who_was_kept_from_running_is_in_a_flood_still);
    RUN(a_flood_that_pauses_is_waited_for_and_not_for_long);
    RUN(little_that_follows_a_flood_does_not_keep_it_alive);
    return 0;
}
