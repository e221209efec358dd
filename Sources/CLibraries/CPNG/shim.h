#pragma once
#include <png.h>
#include <zlib.h>

// Macros with casts, which Swift does not import.
static inline png_uint_32 cockpit_png_format(void) { return PNG_FORMAT_BGRA; }
static inline png_uint_32 cockpit_png_srgb16(void) { return PNG_IMAGE_FLAG_16BIT_sRGB; }
