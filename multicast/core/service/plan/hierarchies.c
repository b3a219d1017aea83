#include "service/plan/hierarchies.h"
#include "base/memory.h"

#include "mcast/error.h"

#include <assert.h>

/* A region keeps its number while it shrinks and only the part cut off gets a new one. So no region
 * except number 0 is ever empty, and there are at most nodes + 1. */
static size_t region_room(const struct mcast_split *split) {
    return split->nodes + 1;
}

int mcast_split_init(struct mcast_split *split, const struct mcast_alloc *alloc, size_t nodes,
                     size_t bound, enum mcast_split_rule rule, uint32_t least) {
    assert(bound >= 1);
    *split = (struct mcast_split){
        .alloc = alloc, .bound = bound, .nodes = nodes, .least = least, .rule = rule};
    split->hierarchies = mcast_memory_new(alloc, bound, sizeof *split->hierarchies);
    split->met = mcast_memory_new(alloc, region_room(split), sizeof *split->met);
    return split->hierarchies != NULL && split->met != NULL ? MCAST_OK : MCAST_ENOMEM;
}

static void hierarchy_free(struct mcast_split *split, struct mcast_split_hierarchy *hierarchy) {
    mcast_memory_free(split->alloc, hierarchy->region_of, region_room(split), sizeof(uint32_t));
    mcast_memory_free(split->alloc, hierarchy->sizes, region_room(split), sizeof(uint32_t));
    mcast_memory_free(split->alloc, hierarchy->touched, region_room(split), sizeof(uint32_t));
    *hierarchy = (struct mcast_split_hierarchy){.regions = 0};
}

void mcast_split_free(struct mcast_split *split) {
    for (size_t i = 0; i < split->count; i++) {
        hierarchy_free(split, &split->hierarchies[i]);
    }
    mcast_memory_free(split->alloc, split->hierarchies, split->bound, sizeof *split->hierarchies);
    mcast_memory_free(split->alloc, split->met, region_room(split), sizeof *split->met);
    *split = (struct mcast_split){.alloc = split->alloc};
}

/* Add a hierarchy with all nodes in region 0. */
static int hierarchy_begin(struct mcast_split *split) {
    struct mcast_split_hierarchy *hierarchy = &split->hierarchies[split->count];
    hierarchy->region_of = mcast_memory_new(split->alloc, region_room(split), sizeof(uint32_t));
    hierarchy->sizes = mcast_memory_new(split->alloc, region_room(split), sizeof(uint32_t));
    hierarchy->touched = mcast_memory_new(split->alloc, region_room(split), sizeof(uint32_t));
    if (hierarchy->region_of == NULL || hierarchy->sizes == NULL || hierarchy->touched == NULL) {
        hierarchy_free(split, hierarchy);
        return MCAST_ENOMEM;
    }
    hierarchy->sizes[0] = (uint32_t)split->nodes;
    hierarchy->regions = 1;
    split->count++;
    return MCAST_OK;
}

/* Count the @members in each region; list the regions that have some in split->met. */
static void touch(struct mcast_split *split, struct mcast_split_hierarchy *hierarchy,
                  const uint32_t *members, size_t count) {
    split->met_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t region = hierarchy->region_of[members[i]];
        if (hierarchy->touched[region]++ == 0) {
            split->met[split->met_count++] = region;
        }
    }
}

static void untouch(struct mcast_split *split, struct mcast_split_hierarchy *hierarchy) {
    for (size_t i = 0; i < split->met_count; i++) {
        hierarchy->touched[split->met[i]] = 0;
    }
}

/* True if no region becomes too small when the touched part of each region met is cut out. */
static bool leaves_none_small(const struct mcast_split *split,
                              const struct mcast_split_hierarchy *hierarchy) {
    for (size_t i = 0; i < split->met_count; i++) {
        uint32_t region = split->met[i];
        uint32_t inside = hierarchy->touched[region];
        uint32_t outside = hierarchy->sizes[region] - inside;
        if (inside < split->least || (region != 0 && outside > 0 && outside < split->least)) {
            return false;
        }
    }
    return true;
}

/* True if the hierarchy accepts the group counted by touch. A group no larger than the others is
 * nested in or disjoint from each of them exactly when its nodes all lie in one region. */
static bool takes(const struct mcast_split *split, const struct mcast_split_hierarchy *hierarchy) {
    bool nested = split->met_count <= 1;
    bool large = leaves_none_small(split, hierarchy);
    return split->rule == MCAST_SPLIT_STRICT ? nested && large : nested || large;
}

/* Cut the group counted by touch out of the regions that it meets. */
static void cut(struct mcast_split *split, struct mcast_split_hierarchy *hierarchy,
                const uint32_t *members, size_t count) {
    for (size_t i = 0; i < split->met_count; i++) {
        uint32_t region = split->met[i];
        uint32_t inside = hierarchy->touched[region];
        uint32_t target = region;
        if (region == 0 || inside < hierarchy->sizes[region]) {
            target = (uint32_t)hierarchy->regions++;
            hierarchy->sizes[region] -= inside;
            hierarchy->sizes[target] = inside;
        }
        hierarchy->touched[region] = target;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t *region = &hierarchy->region_of[members[i]];
        *region = hierarchy->touched[*region];
    }
    hierarchy->groups++;
}

static bool try_place(struct mcast_split *split, size_t index, const uint32_t *members,
                      size_t count, bool anyhow) {
    struct mcast_split_hierarchy *hierarchy = &split->hierarchies[index];
    touch(split, hierarchy, members, count);
    bool placed = anyhow || takes(split, hierarchy);
    if (placed) {
        cut(split, hierarchy, members, count);
    }
    untouch(split, hierarchy);
    return placed;
}

int mcast_split_place(struct mcast_split *split, const uint32_t *members, size_t count,
                      uint32_t preferred, uint32_t *hierarchy) {
    if (preferred < split->count && try_place(split, preferred, members, count, false)) {
        *hierarchy = preferred;
        return MCAST_OK;
    }
    for (size_t i = 0; i < split->count; i++) {
        if (i != preferred && try_place(split, i, members, count, false)) {
            *hierarchy = (uint32_t)i;
            return MCAST_OK;
        }
    }
    if (split->count < split->bound && hierarchy_begin(split) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    /* A hierarchy of its own accepts any group; at the bound the last one has to accept it. */
    *hierarchy = (uint32_t)(split->count - 1);
    (void)try_place(split, *hierarchy, members, count, true);
    return MCAST_OK;
}

size_t mcast_split_regions(const struct mcast_split *split, size_t hierarchy) {
    return split->hierarchies[hierarchy].regions - 1;
}
