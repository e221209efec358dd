"""Sessions of the chain with real processes, and whether their judge finds faults that are put into the rules."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from receivers import network
from sessions import AT_ONCE, EXAMPLES, play

SESSIONS = int(os.environ.get("COCKPIT_SESSIONS") or 2 * AT_ONCE)
SEED = int(os.environ.get("COCKPIT_CHAIN_SEED") or 1)


def test_real_programs_keep_the_contract_whatever_signals_and_radio_do() -> None:
    total = play(SESSIONS, SEED)
    print(f"sessions: seed {SEED}, {total.sessions} sessions, {total.lines} lines, {dict(total.events)}")
    assert not total.faults and total.moved > 0.2 * total.sessions
    assert {"SIGKILL", "SIGTERM", "SIGSTOP"} <= set(total.events)


@pytest.mark.parametrize(("file", "old", "new", "stops_often"), [
    ("drive_lease.py", "            self._holder.needs_release = True\n", "            pass\n", False),
    ("drive_lease.py", "        if message.is_stop:\n            self._latch(message, sender)\n", "", False),
    ("drive_lease.py", "self.needs_release or is_touch and self.missed or self.must_follow", "self.must_follow", False),
    ("drive_consumer.py", "latch.write(rules.lease.memory)", "pass", True),
])
def test_a_fault_that_is_put_in_is_found(file: str, old: str, new: str, stops_often: bool, tmp_path: Path) -> None:
    for each in EXAMPLES.glob("*.py"):
        shutil.copy(each, tmp_path)
    text = (tmp_path / file).read_text()
    assert text.count(old) == 1
    (tmp_path / file).write_text(text.replace(old, new))
    # In real time no seed plays a session twice. The last fault shows in every third to sixth play.
    plays = (play(3 * AT_ONCE, seed, tmp_path, "consumer", 3 * AT_ONCE, stops_often) for seed in range(1, 4001, 100))
    assert any("stop is latched" in fault or not stops_often for each in plays for fault in each.faults)


@pytest.mark.skipif(not network.is_possible(), reason="no network namespaces here")
def test_a_cable_between_two_machines_that_is_cut_and_mended(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["unshare", "--net", sys.executable, "-B", str(Path(__file__).with_name("cable_session.py"))], capture_output=True, text=True,
        timeout=60, env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)})
    assert ended.returncode == 0 and ended.stdout == "OK\n", ended.stdout + ended.stderr
