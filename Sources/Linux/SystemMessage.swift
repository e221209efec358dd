import Glibc

/// What the system calls `errno`, in a few words.
package func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }
