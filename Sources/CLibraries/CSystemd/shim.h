#pragma once

#include <dlfcn.h>
#include <systemd/sd-bus.h>

/* The functions of sd-bus that the module DBus calls. They are looked up by name, because linking libsystemd would load it, and everything that it
   needs, before the first frame. Their types are those of the header. */
#define SD_BUS_FUNCTIONS(FUNCTION)                                                                                       \
  FUNCTION(add_fallback) FUNCTION(call_async) FUNCTION(close_unref) FUNCTION(get_events) FUNCTION(get_fd)                \
  FUNCTION(match_signal_async) FUNCTION(message_append_basic) FUNCTION(message_close_container)                          \
  FUNCTION(message_enter_container) FUNCTION(message_exit_container) FUNCTION(message_get_destination)                   \
  FUNCTION(message_get_error) FUNCTION(message_get_interface) FUNCTION(message_get_member) FUNCTION(message_get_path)                                \
  FUNCTION(message_get_signature) FUNCTION(message_new_method_call)                    \
  FUNCTION(message_new_method_error) FUNCTION(message_new_method_return) FUNCTION(message_new_signal)                    \
  FUNCTION(message_open_container) FUNCTION(message_peek_type) FUNCTION(message_read_basic)                              \
  FUNCTION(message_set_auto_start) FUNCTION(message_skip) FUNCTION(message_unref) FUNCTION(new)                           \
  FUNCTION(process) FUNCTION(send) FUNCTION(set_address) FUNCTION(set_bus_client) FUNCTION(start)

struct sd_bus_functions {
#define FIELD(name) __typeof__(&sd_bus_##name) name;
  SD_BUS_FUNCTIONS(FIELD)
#undef FIELD
};

/* Looks all of them up in a library that dlopen returned; 0 if one is missing. */
static inline int sd_bus_find_functions(void *library, struct sd_bus_functions *functions) {
#define FIND(name) \
  if (!(functions->name = (__typeof__(&sd_bus_##name))dlsym(library, "sd_bus_" #name))) return 0;
  SD_BUS_FUNCTIONS(FIND)
#undef FIND
  return 1;
}
