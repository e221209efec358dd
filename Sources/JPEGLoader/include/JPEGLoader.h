#pragma once

/* How cockpit_decode_jpeg ended. */
enum {
  cockpit_jpeg_whole = 0,
  /* The machine has no libturbojpeg.so.0. */
  cockpit_jpeg_no_library = 1,
  /* The bytes are no whole JPEG picture of this size and kind. */
  cockpit_jpeg_damaged = 2
};

/* Decodes a JPEG file of width x height pixels into memory of four bytes a pixel: blue, green, red and 255, or, of a picture in inks, cyan,
   magenta, yellow and black as the file has them. Loads TurboJPEG, which stays loaded. From any thread. */
int cockpit_decode_jpeg(
    const unsigned char *bytes, unsigned long count, int is_in_inks, int width, int height, unsigned char *pixels,
    int stride);
