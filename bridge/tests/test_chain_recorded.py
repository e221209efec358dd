"""Recorded cockpits in the chain's simulation: the reader of their file, and that they are judged as the simulation's own are."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from chain import play
from chain_cockpit import Clock, Cockpit, Habits, Radio, Said, Weather
from chain_hosts import Programs
from chain_recorded import COCKPIT, BadRecording, Recording, read

DRIVING = (
    '{"v":1,"id":"aaaaaaaa","seq":%d,"t":%f,"gear":"6","throttle":0.5,"steering":0,"brake":false,"horn":false,"held":true,'
    '"state":"driving","reason":"none","rate":50}')
REST = (
    '{"v":1,"id":"aaaaaaaa","seq":%d,"t":%f,"gear":"N","throttle":0,"steering":0,"brake":true,"horn":false,"held":false,'
    '"state":"safe","reason":"lift","rate":50}')


def recorded(path: Path, seed: int) -> Path:
    """Writes what the simulation's own cockpit says in a minute, as the cockpit's adversary would."""
    clock, dice, entries = Clock(), random.Random(seed), ["0 session 7 dead-man"]
    is_held = False

    def say(said: Said) -> None:
        nonlocal is_held
        if (said.touch is not None) != is_held:
            is_held = not is_held
            entries.append(f"{clock.now * 1e6:.0f} hand {is_held:d}")
        entries.append(f"{clock.now * 1e6:.0f} " + json.dumps(json.loads(said.text) | {"t": round(said.time, 6)}))

    radio = Radio(clock, dice, Weather(), "192.0.2.9", lambda *_: None)
    Cockpit(clock, dice, radio, Habits(kill=0, suspend=0, lift_others=0), True, 50, True, say, lambda _: None, lambda _: None)
    clock.run(60)
    path.write_text("\n".join(entries) + "\n")
    return path


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    folder = tmp_path_factory.mktemp("recorded")
    return [each for seed in range(4) for each in read(recorded(folder / f"{seed}", seed))]


def test_a_file_tells_lines_drives_and_the_truth_of_the_hand(tmp_path: Path) -> None:
    at: Callable[[int, str, int], str] = lambda time, form, number: f"{time} {form % (number, time / 1e6)}"
    (tmp_path / "a").write_text("\n".join([
        "0 session 3 dead-man", at(1000000, REST, 1), "1100000 hand 1", at(1100000, DRIVING, 2), at(1120000, DRIVING, 3),
        "1130000 hand 0", at(1140000, DRIVING, 4), at(1300000, REST, 5), at(1320000, REST, 6),
        "0 session 4 free", at(2000000, REST, 1), at(2100000, DRIVING, 2)]) + "\n")
    first, second = read(tmp_path / "a")
    assert [line.drive for line in first.lines] == [-1, 0, 0, 0, -1, -1] and [line.since for line in first.lines][-2:] == [1.3, 1.3]
    # The hand let go before the cockpit said so.
    assert [(drive.start, drive.end) for drive in first.drives] == [(1.1, 1.13)]
    assert (first.number, first.is_dead_man, second.number, second.is_dead_man) == (3, True, 4, False)
    assert [(drive.start, drive.end) for drive in second.drives] == [(2.1, 2.1)]


@pytest.mark.parametrize("text", ["x session 3 dead-man\n", "5 hand 1\n"])
def test_what_no_adversary_wrote_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(BadRecording):
        read(tmp_path / "a")


def test_a_cockpit_that_drives_without_a_hand_is_refused(tmp_path: Path) -> None:
    late = 2000000 + int(COCKPIT * 1e6) + 1
    for times, is_bad in (((2000000, late - 2), False), ((2000000, late), True)):
        (tmp_path / "a").write_text("\n".join([
            "0 session 3 dead-man", "1900000 hand 1", f"1900000 {DRIVING % (1, 1.9)}", f"{times[0]} hand 0",
            f"{times[1]} {DRIVING % (2, times[1] / 1e6)}"]) + "\n")
        if is_bad:
            with pytest.raises(BadRecording, match="no hand"):
                read(tmp_path / "a")
        else:
            assert len(read(tmp_path / "a")) == 1


def test_recorded_cockpits_keep_the_contract_too(recordings: list[Recording]) -> None:
    total, _ = play(20_000, 1, recordings=recordings)
    assert not total.violation and total.moved > 0.05 * total.seconds and total.owed > total.lines / 100


@pytest.mark.parametrize("mutation", [
    ("lease", "            self._holder.needs_release = True\n", "            pass\n"),
    ("lease", "LEAST, MOST = 0.150, 0.500", "LEAST, MOST = 0.250, 0.500"),
    ("lease", "LATE = 0.250", "LATE = 0.600"),
    ("lease", "        if message.is_stop:\n            self._latch(message, sender)\n", ""),
    ("lease", "is_taken = self.driver is not None and self._holder is not sender", "is_taken = False"),
    ("lease", "if message.sequence <= sender.newest or", "if message.sequence < sender.newest - 5 or"),
])
def test_a_fault_that_is_put_in_is_found_by_recorded_cockpits(
        mutation: tuple[str, str, str], recordings: list[Recording]) -> None:
    total, _ = play(100_000, 1, Programs(mutation), recordings=recordings)
    assert total.violation, f"nothing was found in {total.lines} lines"
