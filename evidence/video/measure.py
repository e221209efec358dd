#!/usr/bin/env python3
"""Measures cockpit-video with real sources. `measure.py [--program P] [--seconds N] [--donkeycar PYTHON] [NAME...]` prints a line of JSON for each."""

import argparse
import json
import os
import subprocess

import servers

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(options):
    python = options.donkeycar
    return {
        "mpjpeg 640x480": (servers.mpjpeg("640x480", 9101), "http://127.0.0.1:9101/", {}),
        "mpjpeg 1280x720": (servers.mpjpeg("1280x720", 9102), "http://127.0.0.1:9102/", {}),
        "mpjpeg 1280x720 at half size": (servers.mpjpeg("1280x720", 9103), "http://127.0.0.1:9103/", dict(limit=("640", "360", "0"))),
        "mpjpeg 1280x720 at 10/s": (servers.mpjpeg("1280x720", 9104), "http://127.0.0.1:9104/", dict(limit=("0", "0", "10"))),
        "mpjpeg 1920x1080": (servers.mpjpeg("1920x1080", 9105), "http://127.0.0.1:9105/", {}),
        "MJPG-Streamer's form 1280x720": (servers.here("mjpg", 9106, "python3"), "http://127.0.0.1:9106/?action=stream", {}),
        "ustreamer, no camera": (servers.ustreamer(9107), "http://127.0.0.1:9107/stream", {}),
        "ustreamer, no camera, extra headers": (servers.ustreamer(9107), "http://127.0.0.1:9107/stream?extra_headers=1", {}),
        "Donkeycar": (servers.here("donkeycar", 9108, python), "http://127.0.0.1:9108/video", dict(wait=6)),
        "Donkeycar, frozen": (servers.here("donkeycar", 9109, python), "http://127.0.0.1:9109/video", dict(wait=6, environment=dict(FROZEN_AFTER="8"))),
        "RTSP H.264 1280x720": (servers.here("rtsp_h264", 9110), "rtsp://127.0.0.1:9110/video", {}),
        "RTSP JPEG 640x480": (servers.here("rtsp_jpeg", 9111), "rtsp://127.0.0.1:9111/video", {}),
        "RTP H.264 640x480": (servers.rtp_h264("640x480", 9112), "udp:9112", {}),
        "RTP H.264 1280x720": (servers.rtp_h264("1280x720", 9114), "udp:9114", {}),
        "RTP JPEG 640x480": (servers.rtp_jpeg("640x480", 9116), "udp:9116", {}),
        "test": (["true"], "test", {}),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/dist/release/cockpit-video")
    parser.add_argument("--seconds", default="15")
    parser.add_argument("--donkeycar", default="python3", help="a Python that has donkeycar")
    parser.add_argument("names", nargs="*", help="parts of names; all unless told")
    options = parser.parse_args()
    for name, (command, source, more) in rows(options).items():
        if options.names and not any(part in name for part in options.names):
            continue
        with servers.Running(command, more.get("wait", 1.5), **more.get("environment", {})):
            watch = ["python3", f"{HERE}/watch.py", "--json", "--program", options.program, "--seconds", options.seconds, "--settle", "3"]
            if "limit" in more:
                watch += ["--limit", *more["limit"]]
            done = subprocess.run([*watch, source], capture_output=True, text=True, check=False)
            line = json.loads(done.stdout) if done.stdout else dict(error=done.stderr[-300:])
            print(json.dumps(dict(name=name) | line), flush=True)


if __name__ == "__main__":
    main()
