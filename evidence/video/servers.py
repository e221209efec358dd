#!/usr/bin/env python3
"""The sources of video that measure.py measures: real servers, started without a camera. `servers.py NAME PORT` runs one of those in Python."""

import os
import signal
import subprocess
import sys
import time

PATTERN = "testsrc2=size={size}:rate=30"
# A sensor's noise: without it pictures are smaller than those of a camera, and cheaper to decode.
NOISE = "noise=alls=12:allf=t"


def ffmpeg(*arguments):
    return ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", *arguments]


def mpjpeg(size, port):
    """FFmpeg's mpjpeg over its own HTTP server, which serves one client."""
    source = ["-f", "lavfi", "-i", PATTERN.format(size=size), "-vf", NOISE]
    return ffmpeg(*source, "-c:v", "mjpeg", "-q:v", "6", "-f", "mpjpeg", "-listen", "1", f"http://127.0.0.1:{port}/")


def rtp_h264(size, port):
    source = ["-f", "lavfi", "-i", PATTERN.format(size=size), "-vf", NOISE, "-pix_fmt", "yuv420p"]
    codec = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "30", "-b:v", "4M"]
    return ffmpeg(*source, *codec, "-f", "rtp", f"rtp://127.0.0.1:{port}?pkt_size=1200")


def rtp_jpeg(size, port):
    source = ["-f", "lavfi", "-i", PATTERN.format(size=size), "-vf", NOISE, "-pix_fmt", "yuvj420p"]
    return ffmpeg(*source, "-c:v", "mjpeg", "-huffman", "0", "-q:v", "6", "-f", "rtp", f"rtp://127.0.0.1:{port}?pkt_size=1200")


def ustreamer(port):
    """ustreamer without a camera: it repeats its own picture, NO SIGNAL."""
    return ["ustreamer", "--device=/dev/video-missing", f"--port={port}", "--host=127.0.0.1", "--log-level=0"]


def here(name, port, python="/usr/bin/python3"):
    return [python, os.path.abspath(__file__), name, str(port)]


def serve_rtsp(port, launch):
    """GStreamer's RTSP server, by Debian's own Python."""
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_service(str(port))
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(launch)
    factory.set_shared(True)
    server.get_mount_points().add_factory("/video", factory)
    server.attach(None)
    GLib.MainLoop().run()


def serve_rtsp_h264(port):
    size = "video/x-raw,width=1280,height=720,framerate=30/1"
    code = "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=4000"
    serve_rtsp(port, f"( videotestsrc is-live=true pattern=smpte75 horizontal-speed=4 ! {size} ! {code} ! rtph264pay name=pay0 pt=96 )")


def serve_rtsp_jpeg(port):
    size = "video/x-raw,format=I420,width=640,height=480,framerate=30/1"
    serve_rtsp(port, f"( videotestsrc is-live=true pattern=smpte75 horizontal-speed=4 ! {size} ! jpegenc ! rtpjpegpay name=pay0 pt=26 )")


def serve_donkeycar(port):
    """Donkeycar's web controller beside a loop that gives it a new picture 20 times a second, as its Vehicle does."""
    import threading

    import numpy
    from donkeycar.parts.web_controller.web import LocalWebController

    controller = LocalWebController(port=port)
    threading.Thread(target=controller.update, daemon=True).start()
    generator = numpy.random.default_rng(1)
    frozen_at = float(os.environ.get("FROZEN_AFTER", "inf"))
    begin = time.monotonic()
    while True:
        if time.monotonic() - begin < frozen_at:
            image = generator.integers(0, 255, (240, 320, 3), dtype=numpy.uint8)
        controller.run_threaded(image, mode="user", recording=False)
        time.sleep(0.05)


def serve_mjpg(port):
    """Pictures of FFmpeg in the form of MJPG-Streamer, with the time at which they were read: no server of this name is packaged."""
    import socket

    source = ffmpeg("-f", "lavfi", "-i", PATTERN.format(size="1280x720"), "-vf", NOISE, "-c:v", "mjpeg", "-q:v", "6", "-f", "mpjpeg", "-")
    listener = socket.create_server(("127.0.0.1", port))
    client, _ = listener.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.recv(4096)
    client.sendall(b"HTTP/1.0 200 OK\r\nServer: MJPG-Streamer/0.2\r\nContent-Type: multipart/x-mixed-replace;boundary=boundarydonotcross\r\n\r\n--boundarydonotcross\r\n")
    pipe = subprocess.Popen(source, stdout=subprocess.PIPE).stdout
    while True:
        length = 0
        while (line := pipe.readline()) != b"\r\n" or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        picture = pipe.read(length)
        now = time.time_ns() // 1000
        client.sendall(b"Content-Type: image/jpeg\r\nContent-Length: %d\r\nX-Timestamp: %d.%06d\r\n\r\n" % (length, now // 10**6, now % 10**6) + picture + b"\r\n--boundarydonotcross\r\n")


def encoded(seconds=3):
    """FFmpeg's pictures of 1280x720, each as its bytes: no two in succession are the same."""
    source = ["-f", "lavfi", "-i", PATTERN.format(size="1280x720"), "-vf", NOISE, "-t", str(seconds)]
    made = subprocess.run(
        ["ffmpeg", "-nostdin", "-loglevel", "error", *source, "-c:v", "mjpeg", "-q:v", "6", "-f", "image2pipe", "-"],
        capture_output=True, check=True).stdout
    return [b"\xff\xd8" + part for part in made.split(b"\xff\xd8")[1:]]


def serve_camera(port):
    """30 of those pictures a second in the form of MJPG-Streamer, at next to no cost, for one client after the other. Prints its port (0: any),
    and each time that it did nothing for more than 0.1 s, as one that gets no processor: when that ended, by the steady clock, and how long it
    was. (What a client does not read is no gap of the camera's.)"""
    import socket

    pictures, rate, number = encoded(), 30, 0
    listener = socket.create_server(("127.0.0.1", port))
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.recv(4096)
        last = due = time.monotonic()
        print("client", last, 0, flush=True)
        try:
            client.sendall(b"HTTP/1.0 200 OK\r\nServer: MJPG-Streamer/0.2\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n--b\r\n")
            while True:
                number += 1
                # A camera that was late does not catch up.
                due = max(due + 1 / rate, time.monotonic() - 0.1)
                time.sleep(max(0.0, due - time.monotonic()))
                picture, now = pictures[number % len(pictures)], time.time_ns() // 1000
                head = b"Content-Type: image/jpeg\r\nContent-Length: %d\r\nX-Timestamp: %d.%06d\r\n\r\n"
                if time.monotonic() - last > 0.1:
                    print("gap", time.monotonic(), time.monotonic() - last, flush=True)
                client.sendall(head % (len(picture), now // 10**6, now % 10**6) + picture + b"\r\n--b\r\n")
                last = time.monotonic()
        except OSError:
            print("client gone", time.monotonic(), 0, flush=True)


class Running:
    """A started server, ended with the block."""

    def __init__(self, command, wait=1.5, **environment):
        self.process = subprocess.Popen(command, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=os.environ | environment)
        time.sleep(wait)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


if __name__ == "__main__":
    globals()[f"serve_{sys.argv[1]}"](int(sys.argv[2]))
