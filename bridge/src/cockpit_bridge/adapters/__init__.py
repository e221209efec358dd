"""The adapters of this package."""
