#include "check.h"
#include "member/member_state.h"

/* Return a view of @count members with short names 10, 20, 30 … seen from the first. */
static struct mcast_view_state view_of(struct mcast_seat *seats, uint32_t count, uint32_t size) {
    struct mcast_view_state view = {.seats = seats, .count = count, .alive = count};
    for (uint32_t i = 0; i < count; i++) {
        seats[i] = (struct mcast_seat){.node = 10 * (i + 1)};
    }
    view.partitions = count >= size ? count / size : 1;
    return view;
}

static void kill(struct mcast_view_state *view, uint32_t seat) {
    view->seats[seat].dead = true;
    view->alive--;
}

static void partitions_differ_in_size_by_one_at_most(void) {
    static struct mcast_seat seats[300];
    for (uint32_t count = 1; count <= 300; count++) {
        struct mcast_view_state view = view_of(seats, count, 5);
        uint32_t least = UINT32_MAX;
        uint32_t most = 0;
        uint32_t covered = 0;
        for (uint32_t p = 0; p < view.partitions; p++) {
            uint32_t begin = mcast_layout_begin(&view, p);
            uint32_t size = mcast_layout_begin(&view, p + 1) - begin;
            CHECK(begin == covered);
            covered += size;
            least = size < least ? size : least;
            most = size > most ? size : most;
            for (uint32_t seat = begin; seat < begin + size; seat++) {
                CHECK(mcast_layout_partition(&view, seat) == p);
            }
        }
        CHECK(covered == count && most - least <= 1);
        CHECK(count < 5 || least >= 5);
    }
}

static void a_seat_is_found_by_its_short_name(void) {
    struct mcast_seat seats[12];
    struct mcast_view_state view = view_of(seats, 12, 5);
    for (uint32_t i = 0; i < 12; i++) {
        CHECK(mcast_layout_seat(&view, 10 * (i + 1)) == i);
    }
    CHECK(mcast_layout_seat(&view, 15) == MCAST_NO_SEAT);
    CHECK(mcast_layout_seat(&view, 0) == MCAST_NO_SEAT);
}

static void the_lowest_live_seat_leads(void) {
    struct mcast_seat seats[10];
    struct mcast_view_state view = view_of(seats, 10, 5);
    CHECK(mcast_layout_region_leader(&view) == 0 && mcast_layout_leader(&view, 1) == 5);
    kill(&view, 0);
    kill(&view, 5);
    CHECK(mcast_layout_region_leader(&view) == 1 && mcast_layout_leader(&view, 1) == 6);
    for (uint32_t seat = 1; seat < 5; seat++) {
        kill(&view, seat);
    }
    CHECK(mcast_layout_region_leader(&view) == 6 && mcast_layout_leader(&view, 0) == MCAST_NO_SEAT);
}

/* Follow a token from the leader on, and check that each seat accepts it from its predecessor.
 * Return the count of hops; count the visits of each seat. */
static uint32_t follow(const struct mcast_view_state *view, uint32_t *visits) {
    uint32_t leader = mcast_layout_region_leader(view);
    uint32_t seat = leader;
    uint8_t stage = MCAST_STAGE_ACROSS;
    uint32_t hops = 0;
    visits[seat]++;
    for (;;) {
        uint32_t next = mcast_layout_next(view, seat, &stage);
        if (next == MCAST_NO_SEAT) {
            CHECK(seat == leader);
            return hops;
        }
        CHECK(!view->seats[next].dead && mcast_layout_before(view, next, stage) == seat);
        visits[next]++;
        seat = next;
        CHECK(++hops <= 2 * view->count + 2);
    }
}

static void a_token_visits_every_live_member_and_comes_home(void) {
    static struct mcast_seat seats[64];
    uint64_t dice = 1;
    for (int run = 0; run < 5000; run++) {
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        uint32_t count = 1 + (uint32_t)(dice >> 40) % 64;
        struct mcast_view_state view = view_of(seats, count, 1 + (uint32_t)(dice >> 20) % 7);
        for (uint32_t seat = 0; seat < count && view.alive > 1; seat++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            if ((dice >> 60) < 5) {
                kill(&view, seat);
            }
        }
        uint32_t visits[64] = {0};
        uint32_t hops = follow(&view, visits);
        for (uint32_t seat = 0; seat < count; seat++) {
            CHECK((visits[seat] > 0) == !view.seats[seat].dead);
        }
        CHECK(hops <= mcast_layout_hops(&view) || view.alive == 1);
    }
}

static void each_packet_has_one_partition_of_keepers(void) {
    struct mcast_seat seats[17];
    struct mcast_view_state view = view_of(seats, 17, 5);
    struct mcast_member member = {.config = {.owner_block = 64}};
    for (uint64_t number = 1; number < 1000; number++) {
        uint32_t owner = mcast_layout_owner(&member, &view, number);
        CHECK(owner == number / 64 % 3);
        for (uint32_t seat = 0; seat < 17; seat++) {
            CHECK(mcast_layout_keeps(&member, &view, seat, number) ==
                  (mcast_layout_partition(&view, seat) == owner));
        }
    }
}

static void a_configured_count_of_replicas_wraps_around(void) {
    struct mcast_seat seats[10];
    struct mcast_view_state view = view_of(seats, 10, 5);
    struct mcast_member member = {.config = {.owner_block = 1}};
    for (uint32_t replicas = 1; replicas <= 10; replicas++) {
        view.replicas = replicas;
        for (uint64_t number = 0; number < 4; number++) {
            uint32_t keepers = 0;
            for (uint32_t seat = 0; seat < 10; seat++) {
                keepers += mcast_layout_keeps(&member, &view, seat, number) ? 1 : 0;
            }
            CHECK(keepers == replicas);
        }
    }
    view.replicas = 6;
    CHECK(mcast_layout_keeps(&member, &view, 0, 1) && !mcast_layout_keeps(&member, &view, 1, 1));
}

int main(void) {
    RUN(partitions_differ_in_size_by_one_at_most);
    RUN(a_seat_is_found_by_its_short_name);
    RUN(the_lowest_live_seat_leads);
    RUN(a_token_visits_every_live_member_and_comes_home);
    RUN(each_packet_has_one_partition_of_keepers);
    RUN(a_configured_count_of_replicas_wraps_around);
    return 0;
}
