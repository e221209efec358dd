"""Shows a window of GLFW in one opaque colour, and draws it anew at each event."""

import ctypes

import glfw

glfw.init()
window = glfw.create_window(400, 300, "controls", None, None)
glfw.make_context_current(window)
glfw.swap_interval(1)
opengl = ctypes.CDLL("libGL.so.1")
while not glfw.window_should_close(window):
    opengl.glClearColor(*map(ctypes.c_float, (0.2, 0.3, 0.4, 1)))
    opengl.glClear(0x4000)  # GL_COLOR_BUFFER_BIT
    glfw.swap_buffers(window)
    glfw.wait_events()
glfw.terminate()
