/* The split into hierarchies for irregular overlap: the original's simulations,
 * calculated.
 *
 *     service_split NODES GROUPS RULE LEAST SEED DRAWS EXPONENT
 *
 * Each node joins a tenth of the groups, the popular ones more likely: the weight of a group is its
 * rank to the power of -EXPONENT / 10. DRAWS 0: a tenth of the groups, all different; 1: as many
 * draws, of which those that come up again count once. The groups are dealt by the core's own
 * split, RULE 0 strict or 1 loose, regions of LEAST nodes or more. Traffic is distributed over the
 * groups alike, in an order of its own. Prints one JSON object. */
#include "base/memory.h"
#include "base/sort.h"
#include "service/plan/hierarchies.h"

#include "mcast/error.h"
#include "mcast/system_memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARE = 10, /* a node joins one group in so many */
    ORDERS = 24 /* of the traffic over the groups */
};

struct overlap {
    size_t nodes;
    size_t groups;
    uint32_t *members;   /* the nodes of all groups, group after group */
    size_t *begins;      /* the start of each group; the last is the end */
    double *traffic;     /* the share of the traffic in each group */
    uint32_t *hierarchy; /* of each group */
    double joined;       /* mean number of groups a node is in */
    double exponent;
    uint64_t seed;
};

static void *need(size_t count, size_t size) {
    void *memory = mcast_memory_new(mcast_system_memory(), count, size);
    if (memory == NULL) {
        fprintf(stderr, "service_split: no memory\n");
        exit(1);
    }
    return memory;
}

static uint64_t draw(struct overlap *overlap) {
    overlap->seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t value = overlap->seed;
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static double draw_share(struct overlap *overlap) {
    return ((double)(draw(overlap) >> 11) + 0.5) / 9007199254740992.0;
}

static double weight(const struct overlap *overlap, size_t rank) {
    return pow((double)rank + 1, -overlap->exponent);
}

/* Draw the groups of one node without repetition, each with a chance that follows its weight: the
 * least of exponential draws, each over its weight (Efraimidis and Spirakis). */
static void draw_groups(struct overlap *overlap, const double *weights, uint64_t *keys,
                        size_t wanted, uint32_t *joined) {
    for (size_t group = 0; group < overlap->groups; group++) {
        double key = -log(draw_share(overlap)) / weights[group];
        double scaled = key * 1e6;
        uint64_t rounded = scaled < 1e13 ? (uint64_t)scaled : (uint64_t)1e13;
        keys[group] = rounded << 20 | group;
    }
    mcast_sort_u64(keys, overlap->groups);
    for (size_t i = 0; i < wanted; i++) {
        joined[i] = (uint32_t)(keys[i] & 0xfffff);
    }
}

/* Draw @wanted times with repetition; count repeated draws once. */
static size_t draw_again(struct overlap *overlap, const double *sums, size_t wanted,
                         uint64_t *keys) {
    for (size_t i = 0; i < wanted; i++) {
        double at = draw_share(overlap) * sums[overlap->groups - 1];
        size_t low = 0;
        size_t high = overlap->groups - 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (sums[middle] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        keys[i] = low;
    }
    mcast_sort_u64(keys, wanted);
    return mcast_sort_unique_u64(keys, wanted);
}

static void draw_members(struct overlap *overlap, bool again) {
    size_t wanted = overlap->groups / SHARE;
    double *weights = need(overlap->groups, sizeof *weights);
    uint64_t *keys = need(overlap->groups, sizeof *keys);
    uint32_t *joined = need(overlap->nodes * wanted, sizeof *joined);
    double *sums = need(overlap->groups, sizeof *sums);
    size_t *ends = need(overlap->nodes + 1, sizeof *ends);
    double sum = 0;
    for (size_t group = 0; group < overlap->groups; group++) {
        weights[group] = weight(overlap, group);
        sum += weights[group];
        sums[group] = sum;
    }
    overlap->begins = need(overlap->groups + 2, sizeof *overlap->begins);
    overlap->members = need(overlap->nodes * wanted, sizeof *overlap->members);
    for (size_t node = 0; node < overlap->nodes; node++) {
        uint32_t *first = joined + ends[node];
        size_t found = wanted;
        if (again) {
            found = draw_again(overlap, sums, wanted, keys);
            for (size_t i = 0; i < found; i++) {
                first[i] = (uint32_t)keys[i];
            }
        } else {
            draw_groups(overlap, weights, keys, wanted, first);
        }
        ends[node + 1] = ends[node] + found;
        for (size_t i = 0; i < found; i++) {
            overlap->begins[first[i] + 2]++;
        }
    }
    for (size_t group = 2; group < overlap->groups + 2; group++) {
        overlap->begins[group] += overlap->begins[group - 1];
    }
    for (size_t node = 0; node < overlap->nodes; node++) {
        for (size_t i = ends[node]; i < ends[node + 1]; i++) {
            overlap->members[overlap->begins[joined[i] + 1]++] = (uint32_t)node;
        }
    }
    overlap->joined = (double)ends[overlap->nodes] / (double)overlap->nodes;
    free(sums);
    free(ends);
    free(weights);
    free(keys);
    free(joined);
}

static size_t size_of(const struct overlap *overlap, size_t group) {
    return overlap->begins[group + 1] - overlap->begins[group];
}

static void draw_traffic(struct overlap *overlap) {
    double sum = 0;
    for (size_t group = 0; group < overlap->groups; group++) {
        overlap->traffic[group] = weight(overlap, group);
        sum += overlap->traffic[group];
    }
    for (size_t left = overlap->groups; left > 1; left--) {
        size_t other = (size_t)(draw(overlap) % left);
        double moved = overlap->traffic[left - 1];
        overlap->traffic[left - 1] = overlap->traffic[other];
        overlap->traffic[other] = moved;
    }
    for (size_t group = 0; group < overlap->groups; group++) {
        overlap->traffic[group] /= sum;
    }
}

static void deal(struct overlap *overlap, struct mcast_split *split) {
    uint64_t *order = need(overlap->groups, sizeof *order);
    overlap->hierarchy = need(overlap->groups, sizeof *overlap->hierarchy);
    for (size_t group = 0; group < overlap->groups; group++) {
        order[group] = (uint64_t)(UINT32_MAX - size_of(overlap, group)) << 32 | group;
    }
    mcast_sort_u64(order, overlap->groups);
    for (size_t i = 0; i < overlap->groups; i++) {
        uint32_t group = (uint32_t)order[i];
        size_t size = size_of(overlap, group);
        if (size > 0 &&
            mcast_split_place(split, overlap->members + overlap->begins[group], size,
                              MCAST_SPLIT_ANY, &overlap->hierarchy[group]) != MCAST_OK) {
            fprintf(stderr, "service_split: no memory\n");
            exit(1);
        }
    }
    free(order);
}

/* The result for traffic in one order. */
struct shares {
    double top_one;       /* share of a node's input through its busiest region */
    double top_two;       /* through its two busiest */
    double transmissions; /* regions that a message goes to */
};

static void add_shares(const struct overlap *overlap, const struct mcast_split *split,
                       const size_t *spans, struct shares *shares) {
    double *load = need(overlap->nodes * split->count, sizeof *load);
    double sent = 0;
    double received = 0;
    for (size_t group = 0; group < overlap->groups; group++) {
        for (size_t i = overlap->begins[group]; i < overlap->begins[group + 1]; i++) {
            load[overlap->members[i] * split->count + overlap->hierarchy[group]] +=
                overlap->traffic[group];
        }
        sent += overlap->traffic[group] * (double)spans[group];
        received += spans[group] > 0 ? overlap->traffic[group] : 0;
    }
    for (size_t node = 0; node < overlap->nodes; node++) {
        double first = 0;
        double second = 0;
        double all = 0;
        for (size_t h = 0; h < split->count; h++) {
            double here = load[node * split->count + h];
            all += here;
            second = here > first ? first : here > second ? here : second;
            first = here > first ? here : first;
        }
        shares->top_one += first / all / (double)overlap->nodes;
        shares->top_two += (first + second) / all / (double)overlap->nodes;
    }
    shares->transmissions += sent / received;
    free(load);
}

/* The mean over several orders: a few groups have most of the traffic, so that one order says
 * little. */
static void count_traffic(struct overlap *overlap, const struct mcast_split *split,
                          const size_t *spans) {
    struct shares shares = {.top_one = 0};
    overlap->traffic = need(overlap->groups, sizeof *overlap->traffic);
    for (int order = 0; order < ORDERS; order++) {
        draw_traffic(overlap);
        add_shares(overlap, split, spans, &shares);
    }
    printf("\"traffic_in_top_one\": %.4f, \"traffic_in_top_two\": %.4f, \"transmissions\": %.3f, ",
           shares.top_one / ORDERS, shares.top_two / ORDERS, shares.transmissions / ORDERS);
}

/* Store in @spans the number of regions of each group. */
static void count_spans(const struct overlap *overlap, const struct mcast_split *split,
                        size_t *spans) {
    size_t *met = need(overlap->nodes + 1, sizeof *met);
    size_t used = 0;
    size_t widest = 0;
    size_t sum = 0;
    size_t narrow = 0;
    for (size_t group = 0; group < overlap->groups; group++) {
        const struct mcast_split_hierarchy *in = &split->hierarchies[overlap->hierarchy[group]];
        size_t span = 0;
        for (size_t i = overlap->begins[group]; i < overlap->begins[group + 1]; i++) {
            size_t *mark = &met[in->region_of[overlap->members[i]]];
            span += *mark == group + 1 ? 0 : 1;
            *mark = group + 1;
        }
        spans[group] = span;
        used += span > 0 ? 1 : 0;
        narrow += span > 0 && span <= 5 ? 1 : 0;
        sum += span;
        widest = span > widest ? span : widest;
    }
    free(met);
    printf(
        "\"groups\": %zu, \"regions_of_a_group\": %zu, \"mean_regions_of_a_group\": %.3f, "
        "\"in_five_regions\": %.4f, ",
        used, widest, (double)sum / (double)used, (double)narrow / (double)used);
}

static void count_regions(const struct overlap *overlap, const struct mcast_split *split) {
    size_t regions = 0;
    size_t places = 0;
    size_t used = 0;
    for (size_t h = 0; h < split->count; h++) {
        regions += mcast_split_regions(split, h);
        places += overlap->nodes - split->hierarchies[h].sizes[0];
    }
    for (size_t group = 0; group < overlap->groups; group++) {
        used += size_of(overlap, group) > 0 ? 1 : 0;
    }
    printf(
        "\"hierarchies\": %zu, \"regions\": %zu, \"members_of_a_region\": %.2f, "
        "\"regions_of_a_node\": %.3f, \"compression\": %.3f}\n",
        split->count, regions, (double)places / (double)regions,
        (double)places / (double)overlap->nodes, (double)used / (double)regions);
}

int main(int count, char **arguments) {
    if (count != 8) {
        fprintf(stderr, "use: service_split NODES GROUPS RULE LEAST SEED DRAWS EXPONENT\n");
        return 2;
    }
    struct overlap overlap = {.nodes = strtoul(arguments[1], NULL, 10),
                              .groups = strtoul(arguments[2], NULL, 10),
                              .exponent = strtod(arguments[7], NULL) / 10,
                              .seed = strtoull(arguments[5], NULL, 10)};
    if (overlap.nodes == 0 || overlap.groups < SHARE || overlap.groups >= 1 << 20) {
        fprintf(stderr, "service_split: nothing to calculate\n");
        return 2;
    }
    struct mcast_split split;
    if (mcast_split_init(&split, mcast_system_memory(), overlap.nodes, overlap.groups,
                         arguments[3][0] == '0' ? MCAST_SPLIT_STRICT : MCAST_SPLIT_LOOSE,
                         (uint32_t)strtoul(arguments[4], NULL, 10)) != MCAST_OK) {
        fprintf(stderr, "service_split: no memory\n");
        return 1;
    }
    draw_members(&overlap, arguments[6][0] == '1');
    deal(&overlap, &split);
    size_t *spans = need(overlap.groups, sizeof *spans);
    printf("{\"groups_of_a_node\": %.1f, ", overlap.joined);
    count_spans(&overlap, &split, spans);
    count_traffic(&overlap, &split, spans);
    count_regions(&overlap, &split);
    free(spans);
    mcast_split_free(&split);
    free(overlap.members);
    free(overlap.begins);
    free(overlap.traffic);
    free(overlap.hierarchy);
    return 0;
}
