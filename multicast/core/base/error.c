#include "mcast/error.h"

const char *mcast_strerror(int code) {
    switch (code) {
#define X(name, value, text)                                                                       \
    case name:                                                                                     \
        return text;
        MCAST_ERRORS(X)
#undef X
    default:
        return "unknown error";
    }
}
