#pragma once
#include <wayland-server-core.h>

/* Swift can't call a variadic function. */
static inline void wl_resource_post_error_plain(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}
