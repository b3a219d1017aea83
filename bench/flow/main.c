/* The program: reads its arguments and becomes one end of a flow. */
#define _GNU_SOURCE
#include "flow.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(int count, char **words, const char *name, const char *otherwise) {
    size_t length = strlen(name);
    for (int i = 3; i < count; i++) {
        if (strncmp(words[i], name, length) == 0 && words[i][length] == '=') {
            return words[i] + length + 1;
        }
    }
    return otherwise;
}

static double number_of(int count, char **words, const char *name, double otherwise) {
    const char *text = value_of(count, words, name, NULL);
    return text == NULL ? otherwise : strtod(text, NULL);
}

static void read_words(struct flow *flow, int count, char **words) {
    flow->mode = words[1];
    flow->sends = strcmp(words[2], "send") == 0;
    flow->size = (uint32_t)number_of(count, words, "size", 1024);
    flow->seconds = number_of(count, words, "seconds", 1);
    flow->rate = number_of(count, words, "rate", 0);
    flow->receivers = (uint32_t)number_of(count, words, "receivers", 1);
    flow->index = (uint32_t)number_of(count, words, "index", 0);
    flow->port = (uint16_t)number_of(count, words, "port", 20000);
    flow->packet = (uint32_t)number_of(count, words, "packet", 65507);
    flow->service = value_of(count, words, "service", "");
    flow->groups = (uint32_t)number_of(count, words, "groups", 1);
    flow->id.high = strtoull(value_of(count, words, "high", "1"), NULL, 10);
    flow->id.low = strtoull(value_of(count, words, "low", "1"), NULL, 10);
    flow->overlap = value_of(count, words, "overlap", "perfect");
    flow->loss = (uint64_t)(number_of(count, words, "loss", 0) * 1e6);
    flow->burst = (mcast_time)(number_of(count, words, "burst", 0) * 1e9);
    flow->seed = (uint64_t)number_of(count, words, "seed", 1) * 0x9E3779B97F4A7C15u;
    flow->zlib = number_of(count, words, "zlib", 0) > 0;
    flow->slots = number_of(count, words, "slots", 0) > 0;
}

static bool is_sound(const struct flow *flow) {
    return flow->size >= 32 && flow->size <= FLOW_PACKED && flow->groups >= 1 &&
           flow->groups <= FLOW_GROUPS && flow->receivers >= 1 && flow->index < flow->receivers;
}

static bool is_one_of(const char *mode, const char *const *modes) {
    for (; *modes != NULL; modes++) {
        if (strcmp(mode, *modes) == 0) {
            return true;
        }
    }
    return false;
}

static int become(struct flow *flow) {
    static const char *const raw[] = {"raw", "mmsg", "gso", "packed", "retained", "blocking", NULL};
    if (is_one_of(flow->mode, raw)) {
        flow->sends ? flow_raw_send(flow) : flow_raw_receive(flow);
    } else if (strcmp(flow->mode, "ours") == 0) {
        flow->sends ? flow_hosted_send(flow) : flow_hosted_receive(flow);
    } else if (strcmp(flow->mode, "engine") == 0 && !flow->sends) {
        flow_threaded_receive(flow);
    } else {
        fprintf(stderr, "flow: there is no end %s that %s\n", flow->mode,
                flow->sends ? "sends" : "receives");
        return 2;
    }
    return 0;
}

int main(int count, char **words) {
    static struct flow flow;
    if (count < 3) {
        fprintf(stderr, "flow MODE send|receive NAME=VALUE...; see flow.h\n");
        return 2;
    }
    read_words(&flow, count, words);
    const char *interface = value_of(count, words, "interface", "127.0.0.1");
    if (!is_sound(&flow) || inet_pton(AF_INET, interface, &flow.interface) != 1) {
        fprintf(stderr, "flow: such a flow cannot be\n");
        return 2;
    }
    flow.delays = calloc(FLOW_SAMPLES, sizeof *flow.delays);
    if (flow.delays == NULL) {
        return 3;
    }
    flow_number_groups(&flow);
    int code = strcmp(words[2], "serve") == 0 ? flow_serve(&flow) : become(&flow);
    free(flow.delays);
    return code;
}
