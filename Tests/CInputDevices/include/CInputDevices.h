#pragma once
/* Nothing to call: a program is started with the library, see devices.c. */
