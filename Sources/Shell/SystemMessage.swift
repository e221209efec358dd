// The system's words for an errno.

import Glibc

/// What the system calls `errno`.
nonisolated func systemMessage(_ errno: Int32) -> String {
  String(cString: strerror(errno))
}
