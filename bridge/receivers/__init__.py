"""What receivers do when the sender is gone: real peers, measured. See scripts/receivers.sh."""
