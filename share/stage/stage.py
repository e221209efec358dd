"""The module `wayland_stage` by its older name."""

from wayland_stage import Client, ClientDied, Stage, StepFailed, Violation, Violations

__all__ = ["Client", "ClientDied", "Stage", "StepFailed", "Violation", "Violations"]
