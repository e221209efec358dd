/* Input devices that a test plays, for a program that is started with this library before its own (LD_PRELOAD), where there is no /dev/uinput.

   COCKPIT_INPUT_FOLDER stands for /dev/input. In it a device eventN is a Unix socket that the test listens on: what the test sends are the device's
   struct input_event, and what the program writes (rumble) comes back. Beside it eventN.txt says what the kernel's ioctls answer, one thing a line:

     name Some Pad
     id 3 1118 654 276
     prop 6
     key 304 305        its buttons, by their codes
     down 304           those that are down
     abs 0 -32768 32767 16 128 0    an axis: code, minimum, maximum, fuzz, flat, value
     ff 80              an effect
     mode none          may not be opened
     clock none         has no monotonic clock

   The file is read again for each answer, so that a test can change what is down. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#define SYSTEM "/dev/input"
#define MOST 1024

/* The numbers of the devices, plus one, by their descriptors. */
static _Atomic int devices[MOST];

static const char *folder(void) { return getenv("COCKPIT_INPUT_FOLDER"); }

/* The path in the test's folder; NULL if this is none of the system's. */
static const char *inside(const char *path, char *room, size_t size) {
  if (!folder() || !path || strncmp(path, SYSTEM, strlen(SYSTEM)) != 0) return NULL;
  const char *rest = path + strlen(SYSTEM);
  if (*rest && *rest != '/') return NULL;
  snprintf(room, size, "%s%s", folder(), rest);
  return room;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Calls `body` for each line of the device's text. */
static int each(int device, void (*body)(const char *line, void *context), void *context) {
  char path[512], line[4096];
  snprintf(path, sizeof path, "%s/event%d.txt", folder(), device);
  FILE *file = fopen(path, "re");
  if (!file) return -1;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    body(line, context);
  }
  fclose(file);
  return 0;
}

struct query {
  const char *word;
  unsigned char *bits;
  size_t size;
  int code, found;
  struct input_absinfo info;
  char text[256];
};

static const char *after(const char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && (line[length] == ' ' || !line[length]) ? line + length : NULL;
}

static void set(struct query *query, long code) {
  if (code >= 0 && (size_t)code / 8 < query->size) query->bits[code / 8] |= 1 << code % 8;
}

static void note_bits(const char *line, void *context) {
  struct query *query = context;
  const char *rest = after(line, query->word);
  if (!rest) return;
  query->found = 1;
  char *end;
  for (long code = strtol(rest, &end, 10); end != rest; code = strtol(rest, &end, 10)) {
    set(query, code);
    rest = end;
    /* The numbers after an axis's code are its range. */
    if (strcmp(query->word, "abs") == 0) return;
  }
}

static void note_axis(const char *line, void *context) {
  struct query *query = context;
  int code;
  struct input_absinfo info = {0};
  if (sscanf(line, "abs %d %d %d %d %d %d", &code, &info.minimum, &info.maximum, &info.fuzz, &info.flat, &info.value) != 6 || code != query->code) return;
  query->info = info;
  query->found = 1;
}

static void note_text(const char *line, void *context) {
  struct query *query = context;
  const char *rest = after(line, query->word);
  if (!rest) return;
  snprintf(query->text, sizeof query->text, "%s", *rest ? rest + 1 : rest);
  query->found = 1;
}

static int says(int device, const char *word, const char *value) {
  struct query query = {.word = word};
  each(device, note_text, &query);
  return query.found && strcmp(query.text, value) == 0;
}

/* MARK: What the program calls */

static int open_device(const char *path, int number, int flags) {
  (void)flags;
  if (says(number, "mode", "none")) {
    errno = EACCES;
    return -1;
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) return -1;
  if (file >= MOST || connect(file, (struct sockaddr *)&address, sizeof address) != 0) {
    close(file);
    errno = ENODEV;
    return -1;
  }
  fcntl(file, F_SETFL, O_NONBLOCK);
  devices[file] = number + 1;
  return file;
}

static int open_any(const char *name, const char *path, int flags, mode_t mode) {
  char room[512];
  const char *other = inside(path, room, sizeof room);
  int number;
  char rest;
  if (other && sscanf(path, SYSTEM "/event%d%c", &number, &rest) == 1) {
    if (access(other, F_OK) != 0) return -1;
    return open_device(other, number, flags);
  }
  int (*function)(const char *, int, ...) = next(name);
  return function(other ? other : path, flags, mode);
}

#define OPEN(name)                            \
  int name(const char *path, int flags, ...) { \
    va_list list;                              \
    va_start(list, flags);                     \
    mode_t mode = va_arg(list, mode_t);        \
    va_end(list);                              \
    return open_any(#name, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

DIR *opendir(const char *path) {
  char room[512];
  const char *other = inside(path, room, sizeof room);
  DIR *(*function)(const char *) = next("opendir");
  return function(other ? other : path);
}

int inotify_add_watch(int file, const char *path, uint32_t mask) {
  char room[512];
  const char *other = inside(path, room, sizeof room);
  int (*function)(int, const char *, uint32_t) = next("inotify_add_watch");
  return function(file, other ? other : path, mask);
}

int close(int file) {
  if (file >= 0 && file < MOST) devices[file] = 0;
  int (*function)(int) = next("close");
  return function(file);
}

ssize_t read(int file, void *bytes, size_t size) {
  ssize_t (*function)(int, void *, size_t) = next("read");
  ssize_t count = function(file, bytes, size);
  if (file >= 0 && file < MOST && devices[file] && (count == 0 || (count < 0 && errno == ECONNRESET))) {
    /* The test hung up: the device is unplugged. */
    errno = ENODEV;
    return -1;
  }
  return count;
}

static int answer(int device, unsigned long request, void *value) {
  unsigned number = _IOC_NR(request), size = _IOC_SIZE(request);
  struct query query = {.bits = value, .size = size};
  if (request == EVIOCGVERSION) return *(int *)value = EV_VERSION, 0;
  if (request == EVIOCGID) {
    struct input_id id = {0};
    struct query text = {.word = "id"};
    each(device, note_text, &text);
    sscanf(text.text, "%hu %hu %hu %hu", &id.bustype, &id.vendor, &id.product, &id.version);
    memcpy(value, &id, sizeof id);
    return 0;
  }
  if (request == EVIOCSCLOCKID) return says(device, "clock", "none") ? (errno = EINVAL, -1) : 0;
  if (request == EVIOCSFF) return ((struct ff_effect *)value)->id = 0, 0;
  if (number == _IOC_NR(EVIOCSMASK)) return 0;
  if (number == _IOC_NR(EVIOCGNAME(0))) {
    query.word = "name";
    each(device, note_text, &query);
    snprintf(value, size, "%s", query.text);
    return (int)strlen(value) + 1;
  }
  if (number == _IOC_NR(EVIOCGPHYS(0)) || number == _IOC_NR(EVIOCGUNIQ(0))) return errno = ENOENT, -1;
  if (number >= 0x40 && number < 0x40 + ABS_CNT) {
    query.code = number - 0x40;
    each(device, note_axis, &query);
    if (!query.found) return errno = EINVAL, -1;
    memcpy(value, &query.info, sizeof query.info);
    return 0;
  }
  if (size > 0) memset(value, 0, size);
  if (number == _IOC_NR(EVIOCGPROP(0))) query.word = "prop";
  else if (number == _IOC_NR(EVIOCGKEY(0))) query.word = "down";
  else if (number >= 0x20 && number < 0x20 + EV_CNT) {
    const char *words[] = {[EV_KEY] = "key", [EV_ABS] = "abs", [EV_FF] = "ff"};
    unsigned type = number - 0x20;
    if (type == 0) {
      set(&query, EV_SYN);
      for (unsigned kind = 0; kind < sizeof words / sizeof *words; kind++) {
        unsigned char room[96] = {0};
        struct query part = {.word = words[kind] ? words[kind] : "-", .bits = room, .size = sizeof room};
        each(device, note_bits, &part);
        if (part.found) set(&query, kind);
      }
      return (int)size;
    }
    query.word = type < sizeof words / sizeof *words && words[type] ? words[type] : "-";
  } else if (number == _IOC_NR(EVIOCGLED(0)) || number == _IOC_NR(EVIOCGSW(0))) return (int)size;
  else return errno = EINVAL, -1;
  each(device, note_bits, &query);
  return (int)size;
}

int ioctl(int file, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *value = va_arg(list, void *);
  va_end(list);
  if (file >= 0 && file < MOST && devices[file] && _IOC_TYPE(request) == 'E') return answer(devices[file] - 1, request, value);
  int (*function)(int, unsigned long, ...) = next("ioctl");
  return function(file, request, value);
}
