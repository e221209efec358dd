#pragma once

/* Loads Pango, which costs milliseconds, unless it is loaded; 0 where the machine has none. From any thread. Every function of Pango's that
   is called does so first; a program without Pango ends there, so ask this before the first. */
int cockpit_load_pango(void);
