/* The least that any client can do: it sends the requests of another client's frames (--damage FILE, a line of numbers for each frame), reads
   the same events, and draws nothing. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

enum { MOST_NUMBERS = 1 << 16, MOST_FRAMES = 1024 };

static int numbers[MOST_NUMBERS], starts[MOST_FRAMES + 1], frames, frame;

bool take_option(const char *option, const char *path) {
  if (strcmp(option, "--damage") != 0) return false;
  FILE *file = fopen(path, "r");
  if (!file) exit(66);
  char *line = NULL;
  size_t room = 0;
  while (frames < MOST_FRAMES && getline(&line, &room, file) > 0) {
    int count = starts[frames];
    for (char *word = strtok(line, " \n"); word && count < MOST_NUMBERS; word = strtok(NULL, " \n"))
      numbers[count++] = atoi(word);
    starts[++frames] = count;
  }
  free(line);
  fclose(file);
  return true;
}

void prepare(void) {}

void draw(int index) {
  (void)index;
  if (frames == 0) return wl_surface_damage_buffer(surface, 0, 0, width, height);
  for (int *box = numbers + starts[frame]; box + 4 <= numbers + starts[frame + 1]; box += 4)
    wl_surface_damage_buffer(surface, box[0], box[1], box[2], box[3]);
  frame = (frame + 1) % frames;
}
