#include "counting_memory.h"
#include "service/plan/hierarchies.h"

#include "mcast/error.h"

enum { NODES = 12 };

/* Place a group given as a word: 'x' where a node is a member. */
static uint32_t place_word(struct mcast_split *split, const char *word, uint32_t preferred) {
    uint32_t members[NODES];
    size_t count = 0;
    for (uint32_t node = 0; word[node] != '\0'; node++) {
        if (word[node] == 'x') {
            members[count++] = node;
        }
    }
    uint32_t hierarchy = MCAST_SPLIT_ANY;
    CHECK(mcast_split_place(split, members, count, preferred, &hierarchy) == MCAST_OK);
    return hierarchy;
}

static uint32_t place(struct mcast_split *split, const char *word) {
    return place_word(split, word, MCAST_SPLIT_ANY);
}

static void begin(struct mcast_split *split, struct test_memory *memory, enum mcast_split_rule rule,
                  size_t bound, uint32_t least) {
    test_memory_init(memory);
    CHECK(mcast_split_init(split, &memory->alloc, NODES, bound, rule, least) == MCAST_OK);
}

static void finish(struct mcast_split *split, struct test_memory *memory) {
    mcast_split_free(split);
    CHECK(memory->out == 0);
}

static void nested_and_disjoint_groups_share_a_hierarchy(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_STRICT, 8, 1);
    CHECK(place(&split, "xxxxxx......") == 0);
    CHECK(place(&split, "......xxxxxx") == 0);
    CHECK(place(&split, "xxxxxx......") == 0);
    CHECK(place(&split, "xxx.........") == 0);
    CHECK(place(&split, "...xxx......") == 0);
    CHECK(place(&split, "......x.....") == 0);
    CHECK(split.count == 1);
    /* The six first fall into two threes, the six last into one and five. */
    CHECK(mcast_split_regions(&split, 0) == 4);
    finish(&split, &memory);
}

static void an_overlap_without_order_begins_a_hierarchy(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_STRICT, 8, 1);
    CHECK(place(&split, "xxxxxxxx....") == 0);
    CHECK(place(&split, "....xxxxxxxx") == 1);
    CHECK(place(&split, "....xxxx....") == 0);
    CHECK(place(&split, "..xxxx......") == 2);
    CHECK(split.count == 3);
    finish(&split, &memory);
}

static void the_strict_rule_also_minds_the_size(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_STRICT, 8, 3);
    CHECK(place(&split, "xxxxxxxx....") == 0);
    CHECK(place(&split, "xxxxx.......") == 0);
    CHECK(place(&split, "xxxx........") == 1);
    CHECK(place(&split, "xx..........") == 2);
    CHECK(place(&split, "..........xx") == 3);
    finish(&split, &memory);
}

static void the_loose_rule_takes_either(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_LOOSE, 8, 3);
    CHECK(place(&split, "xxxxxxxx....") == 0);
    /* Overlaps, and cuts into five, three, three. */
    CHECK(place(&split, ".....xxxxxx.") == 0);
    /* Nested, and cuts off one alone. */
    CHECK(place(&split, "x...........") == 0);
    /* Overlaps, and would cut off two. */
    CHECK(place(&split, "...xxxx.....") == 1);
    finish(&split, &memory);
}

static void the_remaining_nodes_count_as_a_region(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_LOOSE, 8, 3);
    CHECK(place(&split, "xxxxx.......") == 0);
    /* Three inside and three new would do, but two remain. */
    CHECK(place(&split, "..xxxxxx....") == 1);
    finish(&split, &memory);
}

static void a_group_stays_where_it_was_if_it_can(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_STRICT, 8, 1);
    CHECK(place(&split, "xxxxxxxx....") == 0);
    CHECK(place(&split, "....xxxxxxxx") == 1);
    CHECK(place_word(&split, "....xxxx....", 1) == 1);
    CHECK(place_word(&split, "xxx.........", 1) == 1);
    CHECK(place_word(&split, "..xxx.......", 1) == 0);
    CHECK(place_word(&split, ".xx.........", 77) == 1);
    finish(&split, &memory);
}

static void at_the_bound_the_last_hierarchy_takes_all(void) {
    struct test_memory memory;
    struct mcast_split split;
    begin(&split, &memory, MCAST_SPLIT_STRICT, 2, 1);
    CHECK(place(&split, "xxxxxxxx....") == 0);
    CHECK(place(&split, "....xxxxxxxx") == 1);
    CHECK(place(&split, "x.........x.") == 1);
    CHECK(split.count == 2);
    finish(&split, &memory);
}

/* The membership of every node in every group placed in a hierarchy, checked from scratch. */
struct model {
    bool in[64][NODES];
    uint32_t hierarchy[64];
    size_t groups;
};

static size_t model_regions(const struct model *model, uint32_t hierarchy) {
    uint64_t keys[NODES] = {0};
    size_t distinct = 0;
    for (size_t node = 0; node < NODES; node++) {
        for (size_t group = 0; group < model->groups; group++) {
            if (model->hierarchy[group] == hierarchy && model->in[group][node]) {
                keys[node] |= UINT64_C(1) << group;
            }
        }
        bool fresh = keys[node] != 0;
        for (size_t before = 0; before < node; before++) {
            fresh = fresh && keys[before] != keys[node];
        }
        distinct += fresh ? 1 : 0;
    }
    return distinct;
}

static bool model_is_ordered(const struct model *model, size_t one, size_t other) {
    size_t both = 0;
    size_t sizes[2] = {0, 0};
    for (size_t node = 0; node < NODES; node++) {
        both += model->in[one][node] && model->in[other][node] ? 1 : 0;
        sizes[0] += model->in[one][node] ? 1 : 0;
        sizes[1] += model->in[other][node] ? 1 : 0;
    }
    return both == 0 || both == sizes[0] || both == sizes[1];
}

static void check_order(const struct model *model) {
    for (size_t one = 0; one < model->groups; one++) {
        for (size_t other = 0; other < one; other++) {
            CHECK(model->hierarchy[one] != model->hierarchy[other] ||
                  model_is_ordered(model, one, other));
        }
    }
}

/* The groups of @hierarchy that @node is in, as bits. */
static uint64_t model_key(const struct model *model, size_t groups, uint32_t hierarchy,
                          size_t node) {
    uint64_t key = 0;
    for (size_t group = 0; group < groups; group++) {
        bool here = model->hierarchy[group] == hierarchy && model->in[group][node];
        key |= here ? UINT64_C(1) << group : 0;
    }
    return key;
}

/* True if the last group would leave a region that it cuts with fewer than @least nodes. */
static bool model_cuts_small(const struct model *model, uint32_t hierarchy, size_t least) {
    size_t last = model->groups - 1;
    bool small = false;
    for (size_t node = 0; node < NODES; node++) {
        uint64_t key = model_key(model, last, hierarchy, node);
        size_t inside = 0;
        size_t outside = 0;
        for (size_t other = 0; other < NODES; other++) {
            bool same = model_key(model, last, hierarchy, other) == key;
            inside += same && model->in[last][other] ? 1 : 0;
            outside += same && !model->in[last][other] ? 1 : 0;
        }
        bool cut = inside > 0 && (inside < least || (key != 0 && outside > 0 && outside < least));
        small = small || cut;
    }
    return small;
}

static bool model_takes(const struct model *model, uint32_t hierarchy, bool strict, size_t least) {
    bool ordered = true;
    for (size_t group = 0; group + 1 < model->groups; group++) {
        bool here = model->hierarchy[group] == hierarchy;
        ordered = ordered && (!here || model_is_ordered(model, group, model->groups - 1));
    }
    bool large = !model_cuts_small(model, hierarchy, least);
    return strict ? ordered && large : ordered || large;
}

/* Compute the first hierarchy that accepts each group from the words of the rule, without the code
 * under test; a new one if none does. */
static void each_group_goes_to_the_hierarchy_of_the_rule(void) {
    uint64_t seed = 77;
    for (int round = 0; round < 120; round++) {
        struct test_memory memory;
        struct mcast_split split;
        static struct model model;
        bool strict = round % 2 == 0;
        uint32_t least = 1 + (uint32_t)round / 2 % 4;
        model = (struct model){.groups = 0};
        begin(&split, &memory, strict ? MCAST_SPLIT_STRICT : MCAST_SPLIT_LOOSE, 64, least);
        for (size_t size = NODES; size > 0; size--) {
            uint32_t members[NODES];
            size_t count = 0;
            for (uint32_t node = 0; node < NODES && count < size; node++) {
                if (test_random(&seed) % (NODES - node) < size - count) {
                    members[count++] = node;
                    model.in[model.groups][node] = true;
                }
            }
            model.groups++;
            uint32_t expected = 0;
            while (expected < split.count && !model_takes(&model, expected, strict, least)) {
                expected++;
            }
            uint32_t *hierarchy = &model.hierarchy[model.groups - 1];
            CHECK(mcast_split_place(&split, members, count, MCAST_SPLIT_ANY, hierarchy) ==
                  MCAST_OK);
            CHECK(*hierarchy == expected);
        }
        finish(&split, &memory);
    }
}

static void place_random(struct mcast_split *split, struct model *model, uint64_t *seed) {
    for (size_t size = NODES; size > 0; size--) {
        for (int twice = 0; twice < 2; twice++) {
            uint32_t members[NODES];
            size_t count = 0;
            for (uint32_t node = 0; node < NODES && count < size; node++) {
                if (test_random(seed) % (NODES - node) < size - count) {
                    members[count++] = node;
                    model->in[model->groups][node] = true;
                }
            }
            uint32_t *hierarchy = &model->hierarchy[model->groups];
            CHECK(mcast_split_place(split, members, count, MCAST_SPLIT_ANY, hierarchy) == MCAST_OK);
            model->groups++;
        }
    }
}

static void random_groups_keep_both_laws(void) {
    uint64_t seed = 21;
    for (int round = 0; round < 200; round++) {
        struct test_memory memory;
        struct mcast_split split;
        static struct model model;
        model = (struct model){.groups = 0};
        begin(&split, &memory, round % 2 == 0 ? MCAST_SPLIT_STRICT : MCAST_SPLIT_LOOSE, 64, 2);
        place_random(&split, &model, &seed);
        for (uint32_t hierarchy = 0; hierarchy < split.count; hierarchy++) {
            CHECK(mcast_split_regions(&split, hierarchy) == model_regions(&model, hierarchy));
        }
        if (round % 2 == 0) {
            check_order(&model);
        }
        finish(&split, &memory);
    }
}

static void without_memory_placed_groups_stay(void) {
    for (size_t refuse = 1; refuse <= 8; refuse++) {
        struct test_memory memory;
        struct mcast_split split;
        test_memory_init(&memory);
        memory.refuse = refuse;
        if (mcast_split_init(&split, &memory.alloc, NODES, 4, MCAST_SPLIT_STRICT, 1) == MCAST_OK) {
            const uint32_t first[] = {0, 1, 2};
            const uint32_t second[] = {1, 2, 3};
            uint32_t hierarchy = 0;
            int one = mcast_split_place(&split, first, 3, MCAST_SPLIT_ANY, &hierarchy);
            int other = mcast_split_place(&split, second, 3, MCAST_SPLIT_ANY, &hierarchy);
            size_t placed = (one == MCAST_OK ? 1 : 0) + (other == MCAST_OK ? 1 : 0);
            CHECK(split.count == placed);
        }
        finish(&split, &memory);
    }
}

int main(void) {
    RUN(nested_and_disjoint_groups_share_a_hierarchy);
    RUN(an_overlap_without_order_begins_a_hierarchy);
    RUN(the_strict_rule_also_minds_the_size);
    RUN(the_loose_rule_takes_either);
    RUN(the_remaining_nodes_count_as_a_region);
    RUN(a_group_stays_where_it_was_if_it_can);
    RUN(at_the_bound_the_last_hierarchy_takes_all);
    RUN(random_groups_keep_both_laws);
    RUN(each_group_goes_to_the_hierarchy_of_the_rule);
    RUN(without_memory_placed_groups_stay);
    return 0;
}
