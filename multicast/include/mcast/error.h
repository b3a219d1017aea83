/* Error codes and their texts, from one table, so that every code has a text. */
#ifndef MCAST_ERROR_H
#define MCAST_ERROR_H

/* X(name, value, text) */
#define MCAST_ERRORS(X)                                                                            \
    X(MCAST_OK, 0, "success")                                                                      \
    X(MCAST_ENOMEM, -1, "out of memory")                                                           \
    X(MCAST_EINVAL, -2, "a range must not begin after its end")                                    \
    X(MCAST_EFULL, -3, "the set is at its bound; no further range can be kept")                    \
    X(MCAST_ECONFIG, -4, "a value of the configuration is outside its limits")                     \
    X(MCAST_EMALFORMED, -5, "the bytes are not a message of this protocol")                        \
    X(MCAST_EGROUP, -6, "no such group here: join it, or register as a sender, first")             \
    X(MCAST_EINUSE, -7, "that group number, or that group, is in use at this member")              \
    X(MCAST_ETOOLONG, -8, "a message may have at most 64 MiB")                                     \
    X(MCAST_EEVICTED, -9, "this node was evicted; rejoin with a new incarnation")                  \
    X(MCAST_EDUPLICATE, -10, "another node with this id is connected to the membership service")   \
    X(MCAST_EGENERATION, -11, "the membership service is of an older generation")                  \
    X(MCAST_EVERSION, -12, "the other side has another version of the protocol")                   \
    X(MCAST_ENOTASKED, -13, "no payload was requested under that cookie")                          \
    X(MCAST_EREFUSED, -14, "the membership service refused the request")                           \
    X(MCAST_ESTOPPED, -15, "the member is leaving or has left")                                    \
    X(MCAST_EBEHIND, -16,                                                                          \
      "this node stood still until the others had no room left for its packets; rejoin with a "    \
      "new "                                                                                       \
      "incarnation, and take the state from them")

enum mcast_error {
#define X(name, value, text) name = value,
    MCAST_ERRORS(X)
#undef X
};

/* The text of @code, or "unknown error". The string is static. */
const char *mcast_strerror(int code);

#endif
