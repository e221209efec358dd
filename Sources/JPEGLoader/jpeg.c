#include "JPEGLoader.h"

#include <dlfcn.h>
#include <turbojpeg.h>

/* Few programs show a JPEG: so none is linked with TurboJPEG, and its functions are looked up where the first is decoded. Its header is
   needed for their types alone. */

#define FIND(library, name) __typeof__(&name) name##_found = (__typeof__(&name))dlsym(library, #name)

int cockpit_decode_jpeg(
    const unsigned char *bytes, unsigned long count, int is_in_inks, int width, int height, unsigned char *pixels,
    int stride) {
  /* It is never unloaded, so that the next picture finds it. */
  void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return cockpit_jpeg_no_library;
  FIND(library, tjInitDecompress);
  FIND(library, tjDecompressHeader3);
  FIND(library, tjDecompress2);
  FIND(library, tjDestroy);
  if (!tjInitDecompress_found || !tjDecompressHeader3_found || !tjDecompress2_found || !tjDestroy_found) {
    return cockpit_jpeg_no_library;
  }
  tjhandle handle = tjInitDecompress_found();
  if (!handle) return cockpit_jpeg_damaged;
  int own_width = 0, own_height = 0, sampling = 0, colors = 0;
  /* It ends at the first warning: what follows a gap in the file is grey, or noise, which looks like a picture. */
  const int flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT;
  int is_whole =
      tjDecompressHeader3_found(handle, bytes, count, &own_width, &own_height, &sampling, &colors) == 0 &&
      own_width == width && own_height == height && (colors == TJCS_CMYK || colors == TJCS_YCCK) == !!is_in_inks &&
      tjDecompress2_found(
          handle, bytes, count, pixels, width, stride, height, is_in_inks ? TJPF_CMYK : TJPF_BGRA, flags) == 0;
  tjDestroy_found(handle);
  return is_whole ? cockpit_jpeg_whole : cockpit_jpeg_damaged;
}
