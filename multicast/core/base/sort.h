/* Sort: numbers into ascending order, in place, without memory. (The C library's may ask for some.)
 */
#ifndef MCAST_CORE_SORT_H
#define MCAST_CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is in order already costs one pass. */
void mcast_sort_u32(uint32_t *numbers, size_t count);
void mcast_sort_u64(uint64_t *numbers, size_t count);

/* Whether @number is among @numbers, which are in order. */
bool mcast_sort_has_u32(const uint32_t *numbers, size_t count, uint32_t number);

/* Takes repetitions out of @numbers, which are in order; returns how many are left. */
size_t mcast_sort_unique_u64(uint64_t *numbers, size_t count);

#endif
