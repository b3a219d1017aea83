/* Prefetch: asks for memory that is needed soon, where waiting for it when it is needed would be
 * what a message costs. */
#ifndef MCAST_CORE_PREFETCH_H
#define MCAST_CORE_PREFETCH_H

/* @place is read and written soon; NULL is allowed, and so is any other place. */
static inline void mcast_prefetch(const void *place) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place, 1);
#else
    (void)place;
#endif
}

/* The same for @place that is only read; others may have it in their caches, too. */
static inline void mcast_prefetch_read(const void *place) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(place, 0);
#else
    (void)place;
#endif
}

#endif
