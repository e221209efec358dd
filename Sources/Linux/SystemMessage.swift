import Glibc

/// The system's description of `errno`, in a few words.
package func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }
