#pragma once
#include <cairo-ft.h>
#include <cairo.h>
#include <hb.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <fontconfig/fontconfig.h>
#include <wchar.h>

// One entry of a cairo path: a union whose parts Swift cannot name by the array that they lie in.
static inline int cockpit_path_type(const cairo_path_data_t *data) { return (int)data->header.type; }
static inline int cockpit_path_length(const cairo_path_data_t *data) { return data->header.length; }
static inline double cockpit_path_x(const cairo_path_data_t *data, int index) { return data[index].point.x; }
static inline double cockpit_path_y(const cairo_path_data_t *data, int index) { return data[index].point.y; }

// Makes `count` pixels `pixel`; Swift does not see wmemset.
static inline void cockpit_fill(unsigned *pixels, unsigned pixel, size_t count) {
  wmemset((wchar_t *)pixels, (wchar_t)pixel, count);
}
