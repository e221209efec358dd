"""The chain from hands to the vehicle, played in virtual time; and whether the judge of it finds the faults that it is there for."""

import os

import pytest
from chain import play
from chain_hosts import Programs

LINES = int(os.environ.get("COCKPIT_CHAIN_LINES") or 30_000)
SEED = int(os.environ.get("COCKPIT_CHAIN_SEED") or 1)
PATIENCE = 100_000  # Lines in which a mutant must be found.

LEASE = [
    # How long a command holds.
    ("LEAST, MOST = 0.150, 0.500", "LEAST, MOST = 0.250, 0.500"),
    ("LEAST, MOST = 0.150, 0.500", "LEAST, MOST = 0.150, 0.700"),
    ("LINES = 3  #", "LINES = 5  #"),
    ("or now < self._deadline:", "or now < self._deadline + 0.1:"),
    ("self._deadline = now + (self._hold or sender.hold())", "self._deadline = now + sender.hold()"),
    # Nothing resumes.
    ("            self._holder.needs_release = True\n", "            pass\n"),
    ("for sender in self._senders.values():\n            sender.needs_release = True",
     "for sender in ():\n            sender.needs_release = True"),
    ("sender.needs_release = sender.needs_release or sender.driving\n", "pass\n"),
    ("is_touch and self.missed or", "False or"),
    ("        sender.needs_release = False\n", "        pass\n"),
    # Order, and age.
    ("if message.sequence <= sender.newest or", "if message.sequence < sender.newest - 5 or"),
    ("LATE = 0.250", "LATE = 0.600"),
    ("DRIFT = 0.0005", "DRIFT = 0.5"),
    (" or now - delay < self._began else", " else"),
    ('if memory["floor"] is not None:', "if False:"),
    ("        sender.needs_release = True\n        self._end(sender, f", "        self._end(sender, f"),
    # One driver.
    ("is_taken = self.driver is not None and self._holder is not sender", "is_taken = False"),
    ("        if self._stops or is_taken:\n            sender.needs_release = True\n", "        if is_taken:\n            return\n"),
    ("        if self._holder is None or self._holder is sender:\n            self._hold_for", "        if True:\n            self._hold_for"),
    # Anybody may stop.
    ("        if message.is_stop:\n            self._latch(message, sender)\n", ""),
    ("        if press and press <= self._lifted", "        if press and press <= 2 + self._lifted"),
    ("elif sender.is_first_release and not sender.is_own_release and not is_late:", "elif is_by_hand:"),
    ("elif sender.is_first_release and not sender.is_own_release and not is_late:", "elif False:"),
    ('self.missed or self.reason == "emergency-stop"\n', "False\n"),
    ("            stops, lifted = ([], {}) if memory == {} else", "            stops, lifted = ([], {}) if True else"),
]
CONSUMER = [
    ('Lease(hold, "unreadable"', 'Lease(None, "unreadable"'),
    ('Lease(hold, "unreadable" if memory is None else memory, now)', "Lease(hold)"),
    ("else memory, now)", "else memory)"),
    ("min(self.lease.deadline or self.returned + TICK, self.returned + TICK)", "self.returned + TICK"),
    ("stood_still = now - self.deadline > self.limit", "stood_still = False"),
    ("            self.lease.end(STREAM)\n", "            pass\n"),
    ("in newest(got or []):", "in (got or [])[-1:]:"),
    ("in newest(got or []):", "in (got or []):"),
    ("self.lease.take(line, address, now)] = address", "self.lease.take(line, STREAM, now)] = address"),
    ("            self.lease.lose(\"a file has no driver\")\n", "            pass\n"),
    ("        if got or got is None or self.told is not None and (command, command.why) != self.told:\n", "        if got or got is None:\n"),
    ("self.lease.take(line, address, now)] = address", "self.lease.take(line, address, self.returned)] = address"),
    ("        if self.is_behind:\n            self.lease", "        if self.is_behind and not got:\n            self.lease"),
]
CAN = [
    ("command.brake | command.horn << 1 | command.driving << 2", "command.horn << 1 | command.driving << 2"),
    ("command.brake | command.horn << 1 | command.driving << 2", "command.brake | command.driving << 2"),
    ("command.brake | command.horn << 1 | command.driving << 2", "command.brake | command.horn << 2 | command.driving << 1"),
    ('">BBhhxx"', '"<BBhhxx"'),
    ("counter & 0xFF", "counter & 0x7F"),
    ("round(command.throttle * 1000), round(command.steering * 1000)", "round(command.steering * 1000), round(command.throttle * 1000)"),
    ("round(command.throttle * 1000)", "round(abs(command.throttle) * 1000)"),
    ("round(command.steering * 1000)", "round(command.steering * 100)"),
    ("for _ in range(10 if command.brake else 1):", "for _ in range(1):"),
    ("                if command.brake:\n                    self.wait(0.01)", "                self.wait(0.01)"),
    ("self.wait(0.01)", "self.wait(0.001)"),
    ("IDENTIFIER = 0x120", "IDENTIFIER = 0x121"),
    ("itertools.count()", "itertools.count(1)"),
]
ROS = [
    ("    if not command.brake:\n", "    if command.brake:\n"),
    ("    if not command.brake:\n", "    if not command.horn:\n"),
    ("command.throttle * speed", "command.throttle"),
    ("motion.linear.x = command.throttle * speed", "motion.linear.x = abs(command.throttle) * speed"),
    ("motion.linear.x = command.throttle * speed", "motion.linear.x = speed"),
    ("motion.linear.x", "motion.linear.y"),
    ("motion.angular.z", "motion.angular.x"),
    ("-command.steering * command.throttle * turn", "command.steering * command.throttle * turn"),
    ("-command.steering * command.throttle * turn", "-command.steering * turn"),
    ("-command.steering * command.throttle * turn", "-command.steering * abs(command.throttle) * turn"),
    ("-command.steering * command.throttle * turn", "-command.steering * command.throttle"),
]
# The bridge with a vehicle file: channels and arm.
EXTRAS = [
    ("is_step = not self.is_armed and self.may_step and may_arm", "is_step = not self.is_armed and may_arm"),
    ("is_step = not self.is_armed and self.may_step and may_arm", "is_step = not self.is_armed and self.may_step"),
    ('self.is_armed = self.is_armed and cause == "time" and not self._disarms', 'self.is_armed = self.is_armed and cause != "stop"'),
    ("        is_new, self._owner = key != self._owner, key\n", "        is_new, self._owner = self._owner is None, key\n"),
    ("            self.values[name] = channel.safe\n", "            pass\n"),
    ("            if channel.kind == \"momentary\" or self._said", "            if self._said"),
    ("        return self._arming is not None and bool(message.arm) or", "        return"),
]
MUTATIONS = [
    *(("lease", None, each) for each in LEASE), *(("consumer", "consumer", each) for each in CONSUMER),
    *(("can", "can", each) for each in CAN), *(("ros", "ros", each) for each in ROS),
    *(("extras", "bridge", each) for each in EXTRAS)]


def test_the_chain_keeps_what_the_contract_promises() -> None:
    total, last = play(LINES, SEED)
    print(f"chain: seed {SEED}, {total.lines} lines in {last - SEED} sessions")
    assert not total.violation
    # A vehicle that never moves breaks no rule.
    assert total.moved > 0.1 * total.seconds and total.owed > total.lines / 50 and total.armed > 0.003 * total.seconds


@pytest.mark.parametrize("kind", ["bridge", "consumer", "can", "ros"])
def test_each_program_is_played(kind: str) -> None:
    total, _ = play(2000, SEED, kind=kind)
    assert not total.violation and total.owed > 20


@pytest.mark.parametrize("number", range(len(MUTATIONS)))
def test_a_fault_that_is_put_in_is_found(number: int) -> None:
    file, kind, (old, new) = MUTATIONS[number]
    total, _ = play(PATIENCE, 1, Programs((file, old, new)), kind)
    assert total.violation, f"nothing was found in {total.lines} lines: {file}: {old} -> {new}"
