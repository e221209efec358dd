#!/usr/bin/env python3
"""A camera's server whose pictures fail as a test says: multipart JPEG over HTTP at a port of its own.

Standard output has the port, then an answer for each command of standard input: the number of a picture's last good moment, in nanoseconds of
CLOCK_MONOTONIC. Commands: live, freeze, repeat, trickle, half, garbage, late, close.
"""
import base64
import socket
import sys
import threading
import time

PICTURE = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/"
    "2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAwAEADASIAAhEBAxEB/8QA"
    "HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK"
    "FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG"
    "x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC"
    "AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE"
    "hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDlEiqQjHA6"
    "1IRjgdaekVdjlb3IERn1Ikip5GOB1qUjHA605Iqhyt7kDpjPqRpFTyMcDrUpGOB1pyRVDlb3IHTGfUiSKpCMcDrUhGOB1p6RVDlb3IHTGfUpJHUhGOB1qQjH"
    "A609Iqblb3IHzMZ9WRJFTyMcDrUpGOB1pyRVDlb3IHVGfVkaRU8jHA61KRjgdackVQ5W9yB0xn1ZEkVSEY4HWpCMcDrT0iqHK3uQOmM+rKSRVIRjgdakIxwO"
    "tPSKm5W9yB8zGZEkVPIxwOtSkY4HWnJFUOVvcgdMZkaRU8jHA61KRjgdackVQ5W9yB1RmRJFUhGOB1qUjHA605Iqzcre5A6YzP/Z"
)
RATE = 30


class Camera:
    """What the pictures are like now."""

    def __init__(self):
        self.lock = threading.Lock()
        self.fault = "live"
        self.count = 0
        self.last_good = 0
        self.frozen = b""

    def picture(self):
        """The next picture: the same one with a comment of its own, so that its bytes differ."""
        self.count += 1
        note = b"%012d" % self.count
        return PICTURE[:2] + b"\xff\xfe" + (len(note) + 2).to_bytes(2, "big") + note + PICTURE[2:]

    def serve(self, client):
        try:
            client.recv(4096)
            client.sendall(
                b"HTTP/1.0 200 OK\r\nServer: MJPG-Streamer/0.2\r\n"
                b"Content-Type: multipart/x-mixed-replace;boundary=boundarydonotcross\r\n\r\n--boundarydonotcross\r\n")
            while True:
                with self.lock:
                    fault = self.fault
                if not self.part(client, fault):
                    return
                time.sleep(1 / RATE)
        except OSError:
            pass
        finally:
            client.close()

    def part(self, client, fault):
        """Sends what the fault leaves of a picture; false at the end of the connection."""
        if fault == "close":
            return False
        if fault == "freeze":
            return True
        taken = time.time() - (10 if fault == "late" else 0)
        picture = self.frozen if fault == "repeat" else self.picture()
        if fault == "garbage":
            picture = picture[:40] + bytes((byte * 7 + 3) % 256 for byte in picture[40:])
        head = b"Content-Type: image/jpeg\r\nContent-Length: %d\r\nX-Timestamp: %.6f\r\n\r\n" % (len(picture), taken)
        tail = b"\r\n--boundarydonotcross\r\n"
        if fault == "half":
            client.sendall(head + picture[: len(picture) // 2])
            while self.fault == "half":
                time.sleep(0.01)
            return False
        if fault == "trickle":
            client.sendall(head)
            for byte in picture:
                if self.fault != "trickle":
                    return False
                client.sendall(bytes([byte]))
                time.sleep(0.02)
            return True
        client.sendall(head + picture + tail)
        if fault == "live":
            with self.lock:
                self.frozen = picture
                if self.fault == "live":
                    self.last_good = time.monotonic_ns()
        return True


def main():
    camera = Camera()
    listener = socket.create_server((sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def accept():
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=camera.serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    for line in sys.stdin:
        with camera.lock:
            camera.fault = line.strip()
            print(camera.last_good, flush=True)


main()
