import Glibc

/// True for a folder that can be looked into.
nonisolated func isFolder(_ path: String) -> Bool { access(path, R_OK | X_OK) == 0 }
