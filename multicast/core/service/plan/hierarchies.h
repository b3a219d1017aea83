/* Hierarchies: which groups share a hierarchy.
 *
 * Groups that overlap in no order cut their nodes into regions of one or two. So the groups are
 * distributed over hierarchies in each of which the regions stay large: the biggest group first,
 * each into the first hierarchy that accepts it, or into a new one. A node is then in at most one
 * region of each hierarchy. (Specification 1.4; its two sources word the test differently, so both
 * are here.)
 *
 * A hierarchy is stored as the region of each node, so a try costs the size of the group. Region 0
 * holds the nodes that are in no group of the hierarchy; it is never too small. */
#ifndef MCAST_SERVICE_PLAN_HIERARCHIES_H
#define MCAST_SERVICE_PLAN_HIERARCHIES_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mcast_split_rule {
    MCAST_SPLIT_STRICT, /* nested in or disjoint from every group there, and no region too small */
    MCAST_SPLIT_LOOSE   /* nested in or disjoint from every group there, or no region too small */
};

#define MCAST_SPLIT_ANY UINT32_MAX /* no hierarchy is preferred */

struct mcast_split_hierarchy {
    uint32_t *region_of; /* the region of each node */
    uint32_t *sizes;     /* the count of nodes of each region */
    uint32_t *touched;   /* the count of nodes of the current group in each region; 0 between calls
                          */
    size_t regions;      /* the count of regions, region 0 included; at most nodes + 1 */
    size_t groups;       /* the count of groups placed here */
};

struct mcast_split {
    const struct mcast_alloc *alloc;
    struct mcast_split_hierarchy *hierarchies;
    size_t count; /* the count of hierarchies in use */
    size_t bound; /* the largest count; the last hierarchy accepts what no other does */
    size_t nodes;
    uint32_t least; /* the fewest nodes a region should have */
    enum mcast_split_rule rule;
    uint32_t *met;    /* the regions that the current group touches */
    size_t met_count; /* the length of that list */
};

/* Prepare to distribute groups over at most @bound hierarchies, @bound >= 1, of nodes numbered 0 ..
 * @nodes - 1. Return 0 or MCAST_ENOMEM; in both cases mcast_split_free frees it. */
int mcast_split_init(struct mcast_split *split, const struct mcast_alloc *alloc, size_t nodes,
                     size_t bound, enum mcast_split_rule rule, uint32_t least);

void mcast_split_free(struct mcast_split *split);

/* Place a group of the @count different nodes @members, no larger than any placed before it, and
 * store its hierarchy in @hierarchy. @preferred is tried first if it is in use: a group moves only
 * when it must. Return 0, or MCAST_ENOMEM: the group is not placed, the others are unchanged. */
int mcast_split_place(struct mcast_split *split, const uint32_t *members, size_t count,
                      uint32_t preferred, uint32_t *hierarchy);

/* The count of regions of @hierarchy that have nodes and are not region 0. */
size_t mcast_split_regions(const struct mcast_split *split, size_t hierarchy);

#endif
