"""How long a command holds. A pure state machine: every method takes the time."""

from .message import NEUTRAL, BadMessage, Command, Message, parse

LIMIT = 0.150  # Seconds that a message holds: five messages of 30 a second.


class Lease:
    """The command that holds now.

    A message holds for `limit` seconds. After that, after a gap, an unreadable line or the end of the stream, nothing moves until another
    message of state `driving` arrives. An emergency stop latches: it holds until the cockpit reports the state `ready`.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self.why = "no message yet"
        self.is_stopped = False
        self._command = NEUTRAL
        self._newest = 0
        self._deadline: float | None = None
        self._needs_release = False

    def take(self, line: bytes, now: float) -> None:
        """Takes one line that has arrived."""
        self.expire(now)
        try:
            message = parse(line)
        except BadMessage as problem:
            self.lose(f"unreadable message: {problem}")
            return
        # A datagram that was overtaken on its way. After a gap, a new cockpit may count from 1.
        if self._deadline is not None and message.sequence <= self._newest:
            return
        self._accept(message, now)

    def _accept(self, message: Message, now: float) -> None:
        self._newest, self._deadline = message.sequence, now + self.limit
        if message.command.stopped:
            self.is_stopped = True
        elif message.state == "ready":
            self.is_stopped = False
        self._needs_release = self._needs_release and message.command.driving
        self.why = f"{message.state}, {message.reason}"
        self._command = NEUTRAL if self.is_stopped or self._needs_release else message.command

    def lose(self, why: str) -> None:
        """Neutral at once, until a message of state `driving` arrives."""
        self._command, self._deadline, self.why = NEUTRAL, None, why

    def lose_link(self) -> None:
        """Neutral until the driver has let go and begins again."""
        self.lose("the link was lost")
        self._needs_release = True

    def expire(self, now: float) -> None:
        """Ends a command whose time is over."""
        # Nothing is lost at rest: in `ready` the cockpit is silent.
        if self._deadline is not None and now >= self._deadline:
            self.lose("no message in time" if self._command.driving else self.why)

    def command(self, now: float) -> Command:
        """The command that holds at `now`."""
        self.expire(now)
        return self._command

    @property
    def deadline(self) -> float | None:
        """When the present command ends by itself; None if it does not."""
        return self._deadline
