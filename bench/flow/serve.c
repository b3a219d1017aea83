/* The membership service of one flow. */
#define _GNU_SOURCE
#include "flow.h"
#include "service_connection/service_server.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

int flow_serve(const struct flow *flow) {
    struct udp_server_options options;
    struct udp_server *server = NULL;
    struct in_addr first = {.s_addr = htonl(0xEFFF5000u)};
    memset(&options, 0, sizeof options);
    mcast_service_config_default(&options.service);
    snprintf(options.path, sizeof options.path, "%s", flow->service);
    snprintf(options.lock, sizeof options.lock, "%s.lock", flow->service);
    options.service.first_address = udp_address(first, (uint16_t[]){28200, 28201, 28202});
    options.service.address_count = 16384;
    options.service.batch = 5 * MCAST_MILLISECOND;
    options.service.cluster = flow->port;
    int code = udp_server_open(&options, &server);
    if (code == 0) {
        flow_say_ready(NULL);
    }
    while (code == 0) {
        code = udp_server_run(server, MCAST_SECOND);
    }
    fprintf(stderr, "flow: the membership service ended: %d\n", code);
    udp_server_close(server);
    return 3;
}
