"""Shows a few words in a window of raylib."""

import pyray

pyray.init_window(400, 300, "controls")
pyray.set_target_fps(60)
while not pyray.window_should_close():
    pyray.begin_drawing()
    pyray.clear_background(pyray.RAYWHITE)
    pyray.draw_text("words", 20, 20, 20, pyray.BLACK)
    pyray.end_drawing()
