"""A network of one cable: the receiver's machine is a namespace of its own, and the cable can be cut without a word to either end."""

import os
import shutil
import socket
import subprocess
import time

NEAR, FAR = "10.77.0.1", "10.77.0.2"
UNUSED_PORT = 9  # A machine that can be reached refuses a connection to it at once.


def is_possible() -> bool:
    """Whether this process may make network namespaces and the tools for it are there."""
    if shutil.which("ip") is None or shutil.which("nsenter") is None:
        return False
    return subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode == 0


class Cable:
    """Leads to the namespace of a process. Both ends have an address."""

    def __init__(self, process: int) -> None:
        _run("ip", "link", "set", "lo", "up")
        _run("ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(process))
        _run("ip", "addr", "add", f"{NEAR}/30", "dev", "near")
        _run("ip", "link", "set", "near", "up")
        for words in (["addr", "add", f"{FAR}/30", "dev", "far"], ["link", "set", "far", "up"], ["link", "set", "lo", "up"]):
            _run(*inside(process), "ip", *words)
        # One program that waits for orders: to start one takes longer than some receivers take to stop.
        self._switch = subprocess.Popen(
            [*inside(process), "ip", "-oneline", "-batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def end(self) -> None:
        """Removes the cable, which the kernel has removed already if the receiver's machine is gone."""
        self._switch.kill()
        self._switch.wait()
        subprocess.run(["ip", "link", "del", "near"], capture_output=True, check=False)

    def cut(self) -> None:
        """Ends the connection without a word to either end."""
        self._order("down")

    def mend(self) -> None:
        """Returns when the connection is back, which the kernel may notice up to two seconds after the order."""
        self._order("up")
        end = time.monotonic() + 5
        while time.monotonic() < end:
            try:
                with socket.create_connection((FAR, UNUSED_PORT), 0.1):
                    return
            except ConnectionRefusedError:
                return
            except OSError:
                time.sleep(0.01)
        raise OSError("the cable stays cut")

    def _order(self, state: str) -> None:
        assert self._switch.stdin is not None and self._switch.stdout is not None
        self._switch.stdin.write(f"link set far {state}\nlink show far\n".encode())
        self._switch.stdin.flush()
        if b"far" not in self._switch.stdout.readline():
            raise OSError(f"the cable could not be switched {state}")


def inside(process: int) -> list[str]:
    """The words that begin a command on the receiver's machine."""
    return ["nsenter", "--target", str(process), "--net"]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    if done.returncode != 0:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
