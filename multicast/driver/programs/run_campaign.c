/* Run many seeds and print the breaches and the coverage:
 *   run_campaign FIRST COUNT [mixed|calm|lossy|churn|crash|freeze|cut|service|storm|hybrid]
 *                [--first-failure] [--quiet] [--log]
 * Exit 0: no breach, and each kind of event in at least one run of a hundred. 1: otherwise.
 * 2: wrong arguments. */
#include "simulator/world/campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    uint64_t first, count;
    enum sim_campaign_kind kind;
    bool first_failure, quiet, log;
};

static bool read_options(int argc, char **argv, struct options *options) {
    char *end;
    if (argc < 3) {
        return false;
    }
    options->first = strtoull(argv[1], &end, 10);
    options->count = *end == 0 ? strtoull(argv[2], &end, 10) : 0;
    if (*end != 0 || options->count == 0) {
        return false;
    }
    for (int i = 3; i < argc; i++) {
        bool known = false;
        for (int kind = 0; kind < SIM_CAMPAIGN_KINDS; kind++) {
            if (strcmp(argv[i], sim_campaign_word((enum sim_campaign_kind)kind)) == 0) {
                options->kind = (enum sim_campaign_kind)kind;
                known = true;
            }
        }
        options->first_failure |= strcmp(argv[i], "--first-failure") == 0;
        options->quiet |= strcmp(argv[i], "--quiet") == 0;
        options->log |= strcmp(argv[i], "--log") == 0;
        if (!known && !options->first_failure && !options->quiet && !options->log) {
            return false;
        }
    }
    return true;
}

struct sum {
    uint64_t runs, failed, delivered;
    uint64_t broken[ORACLE_COUNT], applied[ORACLE_COUNT];
    struct sim_coverage coverage;
};

static void add(struct sum *sum, const struct sim_campaign_result *result) {
    sum->runs++;
    sum->failed += result->broken != 0 ? 1 : 0;
    sum->delivered += result->delivered;
    for (int id = 0; id < ORACLE_COUNT; id++) {
        sum->broken[id] += result->broken_by[id] != 0 ? 1 : 0;
        sum->applied[id] += result->applied_by[id];
    }
#define X(name) sum->coverage.name += result->coverage.name != 0 ? 1 : 0;
    SIM_COVERAGE(X)
#undef X
}

static void print_breach(const struct sim_campaign_result *result) {
    printf("seed %llu: %llu breaches, trace %016llx\n", (unsigned long long)result->seed,
           (unsigned long long)result->broken, (unsigned long long)result->trace);
    for (int i = 0; i < SIM_TEXTS && result->breaches[i][0] != 0; i++) {
        printf("    %s\n", result->breaches[i]);
    }
}

static void print_sum(const struct sum *sum) {
    printf("%llu runs, %llu with a breach, %llu messages delivered\n",
           (unsigned long long)sum->runs, (unsigned long long)sum->failed,
           (unsigned long long)sum->delivered);
    printf("%-12s %14s %8s\n", "oracle", "applied", "broken");
    for (int id = 0; id < ORACLE_COUNT; id++) {
        printf("%-12s %14llu %8llu\n", oracle_word((enum oracle_id)id),
               (unsigned long long)sum->applied[id], (unsigned long long)sum->broken[id]);
    }
}

/* Print the count of runs with each kind of event. Return true if none is under one in a hundred.
 */
static bool print_coverage(const struct sum *sum, bool judged) {
    bool enough = true;
#define X(name)                                                                                    \
    printf("%-18s %6llu runs%s\n", #name, (unsigned long long)sum->coverage.name,                  \
           sum->coverage.name * 100 < sum->runs ? "  too few" : "");                               \
    enough = enough && sum->coverage.name * 100 >= sum->runs;
    SIM_COVERAGE(X)
#undef X
    return enough || !judged;
}

int main(int argc, char **argv) {
    struct options options = {0};
    if (!read_options(argc, argv, &options)) {
        fprintf(
            stderr,
            "usage: %s FIRST COUNT [mixed|calm|lossy|churn|crash|freeze|cut|service|storm|hybrid]"
            " [--first-failure] [--quiet] [--log]\n",
            argv[0]);
        return 2;
    }
    struct sum sum = {0};
    for (uint64_t seed = options.first; seed < options.first + options.count; seed++) {
        static struct sim_campaign_result result;
        if (!sim_campaign_run(seed, options.kind, &result, options.log ? stdout : NULL)) {
            fprintf(stderr, "seed %llu: no memory\n", (unsigned long long)seed);
            return 3;
        }
        add(&sum, &result);
        if (result.broken != 0) {
            print_breach(&result);
            fflush(stdout);
            if (options.first_failure) {
                return 1;
            }
        }
    }
    bool enough = true;
    if (!options.quiet) {
        print_sum(&sum);
        enough = print_coverage(&sum, options.kind == SIM_CAMPAIGN_MIXED && sum.runs >= 100);
    }
    return sum.failed == 0 && enough ? 0 : 1;
}
