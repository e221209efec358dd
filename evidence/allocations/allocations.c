/* Counts what a program allocates, apart for its own code and for the shared libraries that it uses. Loaded before the
 * C library (LD_PRELOAD), it leaves the work to that. The environment's COCKPIT_ALLOCATIONS names the file. */
#define _GNU_SOURCE
#include "allocations.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static struct allocations *table;
/* Walking the stack allocates too. */
static __thread int is_inside __attribute__((tls_model("initial-exec")));

/* The first object is the program itself. */
static int find_code(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  table->base = object->dlpi_addr;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    table->code_start = object->dlpi_addr + segment->p_vaddr;
    table->code_end = table->code_start + segment->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("COCKPIT_ALLOCATIONS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  void *warm[2];
  backtrace(warm, 2);
  table = memory;
  dl_iterate_phdr(find_code, NULL);
}

static _Atomic(uint64_t) *atomic(uint64_t *value) { return (_Atomic(uint64_t) *)value; }

static int is_own(uint64_t address) { return address >= table->code_start && address < table->code_end; }

static void note(const void *caller) {
  if (!table || is_inside || !atomic_load_explicit(atomic(&table->is_counting), memory_order_relaxed)) return;
  is_inside = 1;
  int own = is_own((uintptr_t)caller);
  atomic_fetch_add(atomic(own ? &table->own : &table->libraries), 1);
  void *stack[ALLOCATIONS_DEPTH + 2];
  /* This function and the allocation function are left out. */
  int depth = backtrace(stack, ALLOCATIONS_DEPTH + 2) - 2;
  uint64_t way[ALLOCATIONS_DEPTH] = {0};
  for (int i = 0; i < depth; i++) way[i] = (uintptr_t)stack[i + 2];
  for (int i = 0; i < ALLOCATIONS_SITES; i++) {
    struct allocations_site *site = &table->sites[i];
    /* Two threads that begin one entry together would mix two ways; the bench's program allocates on one thread. */
    if (site->count == 0) {
      site->is_own = own;
      memcpy(site->stack, way, sizeof way);
    } else if (memcmp(site->stack, way, sizeof way) != 0) {
      continue;
    }
    atomic_fetch_add(atomic(&site->count), 1);
    break;
  }
  is_inside = 0;
}

void *malloc(size_t size) {
  note(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  note(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
