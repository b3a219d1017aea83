#include "mcast/mcast.h"

const char *mcast_version(void) {
    return "0.1.0";
}
