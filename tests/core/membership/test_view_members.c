/* The members of a view, sent in full or as the difference to another view. */
#include "counting_memory.h"
#include "member/member_state.h"
#include "small_world.h"

/* A member named 3, in view 8 of 1, 3, 5 and 9; it sends to view 7 from outside. */
struct stand {
    struct test_memory memory;
    struct mcast_member *member;
};

static void stand_begin(struct stand *stand) {
    struct mcast_config config = world_config(0);
    mcast_node members[] = {1, 3, 5, 9};
    struct mcast_sm_view inside = {.view = 8, .region = 1, .members = members, .member_count = 4};
    struct mcast_sm_view outside = {.view = 7, .region = 2};
    test_memory_init(&stand->memory);
    CHECK(mcast_member_new(&config, &stand->memory.alloc, &stand->member) == MCAST_OK);
    stand->member->node = 3;
    CHECK(mcast_view_make(stand->member, &inside, 1) == MCAST_OK);
    CHECK(mcast_view_make(stand->member, &outside, 1) == MCAST_OK);
}

static void stand_end(struct stand *stand) {
    mcast_member_free(stand->member);
    CHECK(stand->memory.out == 0);
}

static int lineup(struct stand *stand, mcast_view base, const char *gone, const char *come,
                  const mcast_node **members, size_t *count) {
    static mcast_node lists[2][9];
    struct mcast_sm_view told = {.view = 10, .base = base, .gone = lists[0], .members = lists[1]};
    for (; *gone != 0; gone++) {
        lists[0][told.gone_count++] = (mcast_node)(*gone - '0');
    }
    for (; *come != 0; come++) {
        lists[1][told.member_count++] = (mcast_node)(*come - '0');
    }
    return mcast_lineup(stand->member, &told, members, count);
}

static void check_lineup(mcast_view base, const char *gone, const char *come,
                         const char *expected) {
    struct stand stand;
    const mcast_node *members;
    size_t count;
    stand_begin(&stand);
    CHECK(lineup(&stand, base, gone, come, &members, &count) == MCAST_OK);
    CHECK(count == strlen(expected));
    for (size_t i = 0; i < count; i++) {
        CHECK(members[i] == (mcast_node)(expected[i] - '0'));
    }
    stand_end(&stand);
}

static void refuse_lineup(mcast_view base, const char *gone, const char *come) {
    struct stand stand;
    const mcast_node *members;
    size_t count;
    stand_begin(&stand);
    CHECK(lineup(&stand, base, gone, come, &members, &count) == MCAST_EMALFORMED);
    stand_end(&stand);
}

static void a_full_member_list_is_used_unchanged(void) {
    check_lineup(0, "", "347", "347");
    check_lineup(0, "", "", "");
}

static void a_difference_is_applied_to_the_older_list(void) {
    check_lineup(8, "", "7", "13579");
    check_lineup(8, "1", "", "359");
    check_lineup(8, "9", "", "135");
    check_lineup(8, "159", "24678", "234678");
    check_lineup(8, "", "", "1359");
}

static void a_difference_that_does_not_fit_is_refused(void) {
    refuse_lineup(6, "", "7");    /* an unknown view */
    refuse_lineup(7, "", "7");    /* a view that it only sends to */
    refuse_lineup(8, "4", "7");   /* leaves, and was not there */
    refuse_lineup(8, "14", "");   /* one of the two was not there */
    refuse_lineup(8, "", "5");    /* joins, and is there */
    refuse_lineup(8, "1359", ""); /* nobody is left */
}

static void a_view_made_from_a_difference_has_its_seats(void) {
    struct stand stand;
    mcast_node gone[] = {1};
    mcast_node come[] = {2, 4};
    struct mcast_sm_view told = {.view = 10,
                                 .region = 1,
                                 .base = 8,
                                 .gone = gone,
                                 .gone_count = 1,
                                 .members = come,
                                 .member_count = 2};
    stand_begin(&stand);
    CHECK(mcast_view_make(stand.member, &told, 2) == MCAST_OK);
    const struct mcast_view_state *view = mcast_view_find(stand.member, 10);
    CHECK(view != NULL && view->count == 5 && view->self == 1);
    CHECK(view->seats[0].node == 2 && view->seats[4].node == 9);
    stand_end(&stand);
}

/* A difference that removes its own receiver makes no sense. */
static void a_difference_that_removes_its_receiver_is_refused(void) {
    struct stand stand;
    mcast_node gone[] = {3};
    struct mcast_sm_view told = {.view = 10, .region = 1, .base = 8, .gone = gone, .gone_count = 1};
    stand_begin(&stand);
    CHECK(mcast_view_make(stand.member, &told, 2) == MCAST_EMALFORMED);
    CHECK(mcast_view_find(stand.member, 10) == NULL);
    stand_end(&stand);
}

int main(void) {
    RUN(a_full_member_list_is_used_unchanged);
    RUN(a_difference_is_applied_to_the_older_list);
    RUN(a_difference_that_does_not_fit_is_refused);
    RUN(a_view_made_from_a_difference_has_its_seats);
    RUN(a_difference_that_removes_its_receiver_is_refused);
    return 0;
}
