"""The drive message, for adapters: the rules themselves are in lease.py."""

from .lease import LONGEST, NEUTRAL, BadMessage, Command, Message, parse

__all__ = ["LONGEST", "NEUTRAL", "BadMessage", "Command", "Message", "parse"]
