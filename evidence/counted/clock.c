/* Lets the bench decide what time it is for a client, so that the client does the same on every machine, however slow. Loaded before the C
 * library (LD_PRELOAD), it answers what reads a monotonic clock, and what waits for descriptors or for a time. The environment's
 * COCKPIT_COUNTED names the file of `struct counted`, COCKPIT_COUNTED_WAKE the descriptor that a new time makes readable. */
#define _GNU_SOURCE
#include "counted.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

enum { most_descriptors = 64 };

static struct counted *table;
static int wake = -1;
/* Only the first thread is stopped by the clock. */
static pid_t first;

/* A system call that goes to the kernel directly. */
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static long with_errno(long result) {
  if (result >= -4095 && result < 0) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

/* Leaves this library's code out of the counts. */
static int find_code(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, place = (uintptr_t)&find_code;
    if (segment->p_type != PT_LOAD || place < start || place >= start + segment->p_memsz) continue;
    VALGRIND_DO_CLIENT_REQUEST_STMT(COUNTED_LEAVE_OUT, start, start + segment->p_memsz, 0, 0, 0);
    return 1;
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("COCKPIT_COUNTED"), *descriptor = getenv("COCKPIT_COUNTED_WAKE");
  int file = path && descriptor ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  wake = atoi(descriptor);
  first = (pid_t)call(SYS_gettid, 0, 0, 0, 0, 0, 0);
  dl_iterate_phdr(find_code, NULL);
  table = memory;
}

static _Atomic(uint64_t) *atomic(uint64_t *value) { return (_Atomic(uint64_t) *)value; }
static uint64_t get(uint64_t *value) { return atomic_load(atomic(value)); }
static void set(uint64_t *value, uint64_t number) { atomic_store(atomic(value), number); }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int is_known = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
                 clock == CLOCK_BOOTTIME;
  if (!table || !is_known) return (int)with_errno(call(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0));
  uint64_t now = get(&table->now);
  time->tv_sec = (time_t)(now / 1000000000), time->tv_nsec = (long)(now % 1000000000);
  return 0;
}

/* Lets what runs the client know whether to count from now on, the counter or callgrind, and takes the counts. */
static void report(void) {
  static uint64_t was_counting;
  uint64_t is_counting = get(&table->is_counting);
  VALGRIND_DO_CLIENT_REQUEST_STMT(COUNTED_READ, is_counting, &table->counts, 0, 0, 0);
  if (is_counting == was_counting) return;
  was_counting = is_counting;
  if (is_counting) {
    CALLGRIND_START_INSTRUMENTATION;
  } else {
    CALLGRIND_STOP_INSTRUMENTATION;
  }
}

/* poll, for at most so many nanoseconds of the bench's clock; for ever if they are negative. */
static int wait_for(struct pollfd *files, nfds_t count, int64_t duration) {
  if (!table || count >= most_descriptors || call(SYS_gettid, 0, 0, 0, 0, 0, 0) != first) {
    struct timespec time = {duration / 1000000000, duration % 1000000000};
    return (int)with_errno(call(SYS_ppoll, (long)files, (long)count, duration < 0 ? 0 : (long)&time, 0, 8, 0));
  }
  set(&table->calls, get(&table->calls) + 1);
  uint64_t deadline = duration < 0 ? 0 : get(&table->now) + (uint64_t)duration;
  struct pollfd all[most_descriptors];
  for (;;) {
    struct timespec none = {0, 0};
    uint64_t seen = get(&table->woken);
    long ready = call(SYS_ppoll, (long)files, (long)count, (long)&none, 0, 8, 0);
    if (ready != 0 || (duration >= 0 && get(&table->now) >= deadline)) return (int)with_errno(ready);
    report();
    memcpy(all, files, count * sizeof *files);
    all[count] = (struct pollfd){.fd = wake, .events = POLLIN};
    set(&table->deadline, deadline);
    set(&table->seen, seen);
    set(&table->is_waiting, 1);
    call(SYS_ppoll, (long)all, (long)count + 1, 0, 0, 8, 0);
    set(&table->is_waiting, 0);
    uint64_t number;
    if (all[count].revents) call(SYS_read, wake, (long)&number, sizeof number, 0, 0, 0);
    /* A new time that ends no wait is no wake-up of the program. */
    int is_over = duration >= 0 && get(&table->now) >= deadline;
    for (nfds_t i = 0; i < count; i++) is_over |= all[i].revents != 0;
    if (is_over) set(&table->waits, get(&table->waits) + 1);
  }
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  return wait_for(files, count, milliseconds < 0 ? -1 : milliseconds * INT64_C(1000000));
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  (void)mask;
  return wait_for(files, count, time ? time->tv_sec * INT64_C(1000000000) + time->tv_nsec : -1);
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_ppoll) return ppoll((void *)words[0], (nfds_t)words[1], (void *)words[2], (void *)words[3]);
  if (table) atomic_fetch_add(atomic(&table->calls), 1);
  return with_errno(call(number, words[0], words[1], words[2], words[3], words[4], words[5]));
}
