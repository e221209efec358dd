"""A Wayland client of a few requests, for what no polite client does. Its argument says how it behaves."""

import array
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time

MODE = sys.argv[1]
WIDTH, HEIGHT = (1200, 1000) if MODE == "truncates" else (120, 100)

connection = socket.socket(socket.AF_UNIX)
connection.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
next_id = 2
bound = {}
kinds = {1: "wl_display"}


def string(text):
    data = text.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)


def send(target, opcode, *arguments, fd=None):
    body = b"".join(a if isinstance(a, bytes) else struct.pack("=i" if a < 0 else "=I", a) for a in arguments)
    message = struct.pack("=IHH", target, opcode, len(body) + 8) + body
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))] if fd is not None else []
    connection.sendmsg([message], extra)


def new(kind):
    global next_id
    kinds[next_id] = kind
    next_id += 1
    return next_id - 1


def events():
    """Waits for events and yields them: the object, the event's number and its arguments as bytes."""
    data, files, _, _ = socket.recv_fds(connection, 65536, 8)
    for file in files:
        os.close(file)
    if not data:
        sys.exit(1)
    while data:
        while len(data) < 8 or len(data) < struct.unpack_from("=H", data, 6)[0]:
            data += connection.recv(65536)
        target, opcode, size = struct.unpack_from("=IHH", data)
        yield target, opcode, data[8:size]
        data = data[size:]


def words(body):
    return struct.unpack(f"={len(body) // 4}I", body[: len(body) // 4 * 4])


def text(body):
    return body[4 : 3 + struct.unpack_from("=I", body)[0]].decode()


registry = new("wl_registry")
send(1, 1, registry)
done = new("wl_callback")
send(1, 0, done)
globals_ = {}
while done:
    for target, opcode, body in events():
        if target == registry and opcode == 0:
            globals_[text(body[4:])] = words(body)[0]
        elif target == done:
            done = None


def bind(kind, version):
    made = new(kind)
    send(registry, 0, globals_[kind], string(kind), version, made)
    return made


compositor, shm, base = bind("wl_compositor", 4), bind("wl_shm", 1), bind("xdg_wm_base", 5)
seat = bind("wl_seat", 5)
keyboard, pointer = new("wl_keyboard"), new("wl_pointer")
send(seat, 1, keyboard)
send(seat, 0, pointer)
if MODE == "text":
    manager = bind("zwp_text_input_manager_v3", 1)
    field = new("zwp_text_input_v3")
    send(manager, 1, field, seat)
    gestures = bind("zwp_pointer_gestures_v1", 3)
    for opcode, kind in ((0, "swipe"), (1, "pinch"), (3, "hold")):
        send(gestures, opcode, new(kind), pointer)

file = os.memfd_create("raw")
# Rows and a pool that a GPU can read where they are.
STRIDE = (WIDTH * 4 + 255) // 256 * 256
SIZE = (STRIDE * HEIGHT + 4095) // 4096 * 4096
os.truncate(file, SIZE)
os.write(file, b"\x60\x40\x20\xff" * (STRIDE // 4 * HEIGHT))
pool, buffer = new("wl_shm_pool"), new("wl_buffer")
send(shm, 0, pool, SIZE, fd=file)
send(pool, 0, buffer, 0, WIDTH, HEIGHT, STRIDE, 0)


def window(role):
    surface, xdg = new("wl_surface"), new("xdg_surface")
    send(compositor, 0, surface)
    send(base, 2, xdg, surface)
    send(xdg, *role)
    return surface, xdg


def show(surface, damage=True):
    send(surface, 1, buffer, 0, 0)
    if damage:
        send(surface, 2, 0, 0, WIDTH, HEIGHT)
    send(surface, 6)


def truncate():
    """Cuts the file of the pool off and makes it long again, for ever."""
    while True:
        os.truncate(file, 4096)
        os.truncate(file, WIDTH * HEIGHT * 4)


toplevel = next_id + 2
surface, xdg = window((1, toplevel))
assert new("xdg_toplevel") == toplevel
send(toplevel, 2, string("raw"))
send(toplevel, 3, string("test.raw"))
if MODE == "text":
    shortcuts = bind("zwp_keyboard_shortcuts_inhibit_manager_v1", 1)
    send(shortcuts, 1, new("inhibitor"), surface, seat)
send(surface, 6)
popup_surface = popup_xdg = popup = None
size = (0, 0)

while True:
    for target, opcode, body in events():
        kind = kinds.get(target)
        if kind == "xdg_wm_base":
            if MODE != "deaf":
                send(base, 3, words(body)[0])
        elif kind == "xdg_surface":
            send(target, 4, words(body)[0] + (7 if MODE == "serial" else 0))
            show(popup_surface if target == popup_xdg else surface, damage=MODE != "undamaged")
            if MODE == "truncates":
                threading.Thread(target=truncate, daemon=True).start()
                for _ in range(300):
                    show(surface)
        elif kind == "xdg_toplevel" and opcode == 1:
            if MODE == "stubborn":
                continue
            if MODE in ("interrupts", "murders"):
                os.kill(os.getppid(), signal.SIGTERM if MODE == "interrupts" else signal.SIGKILL)
                continue
            if MODE in ("lingers", "lingers well"):
                connection.close()
                time.sleep(1.5)
                if MODE == "lingers":
                    os.kill(os.getpid(), signal.SIGSEGV)
            if MODE == "dumps":
                # Enough that writing it down takes longer than a refresh.
                resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
                memory = bytearray(os.urandom(4096)) * (1 << 16)
                os.kill(os.getpid(), signal.SIGSEGV)
            if MODE == "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            sys.exit({"fails": 3, "like a signal": 139}.get(MODE, 0))
        elif kind == "wl_pointer" and opcode == 3 and words(body)[3] == 1 and popup is None:
            positioner = new("xdg_positioner")
            send(base, 1, positioner)
            send(positioner, 1, WIDTH, HEIGHT)
            send(positioner, 2, 10, 10, 10, 10)
            popup = next_id + 2
            popup_surface, popup_xdg = window((2, popup, xdg, positioner))
            assert new("xdg_popup") == popup
            send(popup, 1, seat, words(body)[0])
            send(popup_surface, 6)
        elif kind == "xdg_popup" and opcode == 1:
            send(popup, 0)
            send(popup_xdg, 0)
            send(popup_surface, 0)
            popup = None
        elif kind == "zwp_text_input_v3":
            if opcode == 0:
                send(field, 1)
                send(field, 7)
            elif opcode == 3:
                send(toplevel, 2, string(text(body)))
