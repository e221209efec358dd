#!/usr/bin/env python3
"""Reads what libwayland prints for WAYLAND_DEBUG, and writes it in words: milliseconds since the first message, an arrow for the direction, and at
each commit the time since the last one on the same surface. Other lines pass through as they are."""
import re
import signal
import sys

# "[1234567.890] {queue}  -> wl_surface@3.commit()"; the queue is new in later versions of libwayland.
MESSAGE = re.compile(r"\[\s*(\d+\.\d+)\]\s*(?:\{[^}]*\}\s*)?(-> )?(discarded )?(\S+?)[@#](\d+)\.(.*)$", re.ASCII)


def main():
    # Ctrl+C ends the traced program and this one alike, without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n", line_buffering=True)
    start, commits = None, {}
    for line in sys.stdin:
        found = MESSAGE.match(line)
        if not found:
            print(line, end="", flush=True)
            continue
        time, sent, dropped, interface, number, message = float(found[1]), *found.groups()[1:]
        start = time if start is None else start
        # "nil" and "new id wl_buffer@12" as protocols call them.
        message = re.sub(r"#(\d)", r"@\1", message.replace("new id [unknown]@", "new @").replace("new id ", "new "))
        note = "   (of an object that has ended)" if dropped else ""
        if interface == "wl_surface" and message.startswith("commit("):
            if number in commits:
                note += f"   frame after {time - commits[number]:.3f} ms"
            commits[number] = time
        print(f"{time - start:10.3f} ms {'->' if sent else '<-'} {interface}@{number}.{message}{note}")


if __name__ == "__main__":
    main()
