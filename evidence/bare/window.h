#pragma once
/* What window.c gives a bare client, and what each client defines. */

#include <stdbool.h>
#include <wayland-client.h>

struct buffer {
  struct wl_buffer *handle;
  unsigned char *memory;
  bool busy;
};

extern struct wl_surface *surface;
extern struct buffer buffers[2];
extern int width, height;
/* The wheel, and how far a finger has turned it, in radians. */
extern double centre_x, centre_y, radius, angle;

/* Whether the client takes an option with this value. */
bool take_option(const char *option, const char *value);
/* Called once, when the buffers are there. */
void prepare(void);
/* Draws into a buffer and requests its damage. */
void draw(int index);
