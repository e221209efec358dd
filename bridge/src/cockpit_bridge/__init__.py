"""From the cockpit's drive messages to real receivers."""
