#pragma once
#include <wayland-util.h>
