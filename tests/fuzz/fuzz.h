/* What a fuzz target offers. With clang it is libFuzzer's; else fuzz_main.c makes and mutates
 * inputs. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs the target on @size bytes. Always returns 0; a broken promise ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes an input worth mutating, of @room bytes at most, out of @seed. */
size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room);

#endif
