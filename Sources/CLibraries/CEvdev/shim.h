#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <libevdev-1.0/libevdev/libevdev.h>
#include <linux/input.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The functions of libevdev that the module Gamepad calls. They are looked up by name, because a cockpit without a gamepad does without the library.
   Their types are those of the header. */
#define EVDEV_FUNCTIONS(FUNCTION)                                                                    \
  FUNCTION(new_from_fd) FUNCTION(free) FUNCTION(set_clock_id) FUNCTION(next_event) FUNCTION(get_name) \
  FUNCTION(has_event_code) FUNCTION(has_property) FUNCTION(get_abs_info) FUNCTION(get_event_value)    \
  FUNCTION(get_id_vendor) FUNCTION(get_id_product)

struct evdev_functions {
#define FIELD(name) __typeof__(&libevdev_##name) name;
  EVDEV_FUNCTIONS(FIELD)
#undef FIELD
};

/* Looks all of them up in a library that dlopen returned; 0 if one is missing. */
static inline int evdev_find_functions(void *library, struct evdev_functions *functions) {
#define FIND(name) \
  if (!(functions->name = (__typeof__(&libevdev_##name))dlsym(library, "libevdev_" #name))) return 0;
  EVDEV_FUNCTIONS(FIND)
#undef FIND
  return 1;
}

/* The event's time; a struct timeval or, with another libc, two numbers. */
static inline long long evdev_nanoseconds(const struct input_event *event) {
  return event->input_event_sec * 1000000000LL + event->input_event_usec * 1000LL;
}

/* Gives the device a rumble of so many milliseconds (EVIOCSFF); its number, or -1. */
static inline int evdev_upload_rumble(int device, unsigned short strength, unsigned short milliseconds) {
  struct ff_effect effect = {.type = FF_RUMBLE, .id = -1};
  effect.u.rumble.strong_magnitude = strength;
  effect.u.rumble.weak_magnitude = strength;
  effect.replay.length = milliseconds;
  return ioctl(device, EVIOCSFF, &effect) < 0 ? -1 : effect.id;
}

/* Has the kernel leave out all events of a type but those whose bits are set (EVIOCSMASK, from Linux 4.4 on), so that a control without a meaning
   wakes nobody. */
static inline int evdev_mask(int device, unsigned type, const unsigned char *codes, unsigned size) {
  struct input_mask mask = {.type = type, .codes_size = size, .codes_ptr = (__u64)(unsigned long)codes};
  return ioctl(device, EVIOCSMASK, &mask);
}

/* Where an axis is (EVIOCGABS), and which buttons are down (EVIOCGKEY), now; 0, or -1. */
static inline int evdev_axis(int device, unsigned code, int *value) {
  struct input_absinfo info;
  if (ioctl(device, EVIOCGABS(code), &info) < 0) return -1;
  *value = info.value;
  return 0;
}

static inline int evdev_keys(int device, unsigned char *bits, unsigned size) {
  return ioctl(device, EVIOCGKEY(size), bits) < 0 ? -1 : 0;
}

/* Plays an effect once. */
static inline int evdev_play(int device, int effect) {
  struct input_event event = {.type = EV_FF, .code = (unsigned short)effect, .value = 1};
  return write(device, &event, sizeof event) == sizeof event ? 0 : -1;
}
