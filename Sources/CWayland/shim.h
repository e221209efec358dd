#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <wayland-client-core.h>
#include <wayland-cursor.h>

typedef void (*cockpit_wayland_sink)(const char *text);

/* Gives each message of libwayland-client to `sink`, at most 511 bytes of it.
   The function of libwayland has a va_list as its parameter; for 64-bit ARM the Swift compiler (6.3.1) crashes at a Swift
   function with that parameter. */
static inline cockpit_wayland_sink cockpit_wayland_exchange(cockpit_wayland_sink next) {
  static cockpit_wayland_sink present;
  if (next) present = next;
  return present;
}

static inline void cockpit_wayland_format(const char *format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  cockpit_wayland_exchange(0)(text);
}

static inline void cockpit_wayland_log(cockpit_wayland_sink sink) {
  cockpit_wayland_exchange(sink);
  wl_log_set_handler_client(cockpit_wayland_format);
}
