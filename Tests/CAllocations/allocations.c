/* Allocation functions that count where a thread asked for it, and leave the work to the C library. */
#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

static __thread int is_counting __attribute__((tls_model("initial-exec")));
static __thread long count __attribute__((tls_model("initial-exec")));

#if __has_feature(address_sanitizer)
/* AddressSanitizer stands before the C library itself, and tells of each allocation. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *));

static void allocated(const volatile void *memory, size_t size) { count += is_counting; }
static void freed(const volatile void *memory) {}

__attribute__((constructor)) static void listen(void) { __sanitizer_install_malloc_and_free_hooks(allocated, freed); }
#endif

void allocations_begin(void) {
  count = 0;
  is_counting = 1;
}

long allocations_end(void) {
  is_counting = 0;
  return count;
}

#if !__has_feature(address_sanitizer)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count += is_counting;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += is_counting;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count += is_counting;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count += is_counting;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count += is_counting;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
#endif
