/* A touchscreen that uinput makes: finger WIDTH HEIGHT X Y taps one place until /tmp/driven exists, then holds it. */
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int device;

static void emit(int type, int code, int value) {
  struct input_event event = {.type = type, .code = code, .value = value};
  if (write(device, &event, sizeof event) != sizeof event) exit(1);
}

static void axis(int code, int most) {
  struct uinput_abs_setup setup = {.code = code, .absinfo = {.maximum = most}};
  ioctl(device, UI_SET_ABSBIT, code);
  ioctl(device, UI_ABS_SETUP, &setup);
}

static void rest(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

int main(int count, char **words) {
  if (count != 5) return 64;
  int width = atoi(words[1]), height = atoi(words[2]), x = atoi(words[3]), y = atoi(words[4]);
  device = open("/dev/uinput", O_WRONLY);
  if (device < 0) return perror("uinput"), 1;
  ioctl(device, UI_SET_EVBIT, EV_KEY);
  ioctl(device, UI_SET_EVBIT, EV_ABS);
  ioctl(device, UI_SET_KEYBIT, BTN_TOUCH);
  ioctl(device, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
  axis(ABS_X, width - 1), axis(ABS_Y, height - 1);
  axis(ABS_MT_SLOT, 9), axis(ABS_MT_TRACKING_ID, 65535), axis(ABS_MT_POSITION_X, width - 1), axis(ABS_MT_POSITION_Y, height - 1);
  struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 1, .product = 1}, .name = "touchscreen"};
  if (ioctl(device, UI_DEV_SETUP, &setup) < 0 || ioctl(device, UI_DEV_CREATE) < 0) return perror("uinput"), 1;
  for (int id = 1;; id++) {
    emit(EV_ABS, ABS_MT_SLOT, 0), emit(EV_ABS, ABS_MT_TRACKING_ID, id);
    emit(EV_ABS, ABS_MT_POSITION_X, x), emit(EV_ABS, ABS_MT_POSITION_Y, y);
    emit(EV_ABS, ABS_X, x), emit(EV_ABS, ABS_Y, y), emit(EV_KEY, BTN_TOUCH, 1), emit(EV_SYN, SYN_REPORT, 0);
    do rest(30);
    while (access("/tmp/driven", F_OK) == 0);
    emit(EV_ABS, ABS_MT_TRACKING_ID, -1), emit(EV_KEY, BTN_TOUCH, 0), emit(EV_SYN, SYN_REPORT, 0);
    rest(10);
  }
}
