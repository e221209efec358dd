#pragma once
/* What Swift's Glibc module leaves out of Linux's own interface. No logic. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* memfd_create with MFD_CLOEXEC | MFD_ALLOW_SEALING, and with MFD_NOEXEC_SEAL, which some kernels insist on and those before 6.3
 * do not know. */
static inline int cockpit_memfd(const char *name) {
  int file = (int)syscall(SYS_memfd_create, name, 0x0001U | 0x0002U | 0x0008U);
  return file >= 0 || errno != EINVAL ? file : (int)syscall(SYS_memfd_create, name, 0x0001U | 0x0002U);
}

/* open with O_TMPFILE: a file without a name, which goes with its last descriptor. */
static inline int cockpit_unnamed_file(const char *folder) {
  return open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
}

/* accept4 with SOCK_CLOEXEC, which equals O_CLOEXEC: a process that another thread starts at this moment must not keep the
 * connection open. */
static inline int cockpit_accept(int listener) { return (int)syscall(SYS_accept4, listener, NULL, NULL, O_CLOEXEC); }

/* pipe2 with O_CLOEXEC, for the same reason. */
static inline int cockpit_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* F_ADD_SEALS: F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW. */
static inline int cockpit_seal_size(int fd) { return fcntl(fd, 1033, 0x0001 | 0x0002 | 0x0004); }

/* True if F_GET_SEALS says F_SEAL_SHRINK: mapped pages of the file cannot go. */
static inline int cockpit_is_sealed(int fd) {
  int seals = fcntl(fd, 1034);
  return seals > 0 && (seals & 0x0002);
}

/* madvise with MADV_POPULATE_WRITE. */
static inline int cockpit_populate(void *memory, size_t count) { return madvise(memory, count, 23); }

/* ppoll without a signal mask; a negative timeout waits for ever. */
static inline int cockpit_poll(struct pollfd *fds, unsigned long count, long long nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  return (int)syscall(SYS_ppoll, fds, count, nanoseconds < 0 ? NULL : &time, NULL, 8);
}

/* True on the thread that the process began with. */
static inline int cockpit_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* PR_SET_DUMPABLE: lets processes of the same user look at this one after it has changed its user. */
static inline int cockpit_allow_inspection(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

/* PR_SET_PDEATHSIG: this process is killed when the thread that started it ends, also if it is stopped. */
static inline int cockpit_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

/* PR_SET_NAME: the calling thread's name, for people who look at a process. */
static inline int cockpit_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* POSIX_SPAWN_SETSID: the new process has a session of its own. */
static const int cockpit_spawn_session = 0x80;

/* True if the caller, or whoever started this process, ignores the signal (nohup, a job in the background). */
static inline int cockpit_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* The environment for a new process. */
static inline char **cockpit_environment(void) {
  extern char **environ;
  return environ;
}

/* F_SETPIPE_SZ. */
static inline int cockpit_set_pipe_size(int fd, int bytes) { return fcntl(fd, 1031, bytes); }

/* libdispatch's main queue, as run loops drain it. */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// Whether the caller is the process's first thread, which libdispatch's main queue belongs to until dispatch_main().
static inline bool cockpit_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

/* The bytes that malloc has handed out and not got back. */
static inline size_t cockpit_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
