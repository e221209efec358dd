"""What receivers do when the sender is gone: real peers, measured. See evidence/scripts/receivers.sh."""
